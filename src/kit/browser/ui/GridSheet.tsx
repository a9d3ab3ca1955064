import { Plural, Trans } from '@lingui/react/macro';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button } from './Button.tsx';
import { classNames } from './class-names.ts';
import styles from './GridSheet.module.css';
import { blockOf, nextPlace, type Place, pasteInto, placesOf, readBlock, writeBlock } from './grid-sheet.ts';
import { Grid, Row, Table } from './Layout.tsx';
import { ScrollFrame } from './ScrollFrame.tsx';

/** One cell and what it holds now. */
export interface SheetChange {
  row: string;
  column: string;
  text: string;
}

interface SheetRow {
  key: string;
  name: ReactNode;
  /** The name in words, for the list of problems. */
  label: string;
  isLocked?: boolean;
  /** What its other columns show. */
  after?: ReactNode[];
}

interface Props {
  label: string;
  /** The head of the rows’ names. */
  corner: string;
  rows: readonly SheetRow[];
  columns: readonly { key: string; name: string; detail?: ReactNode }[];
  /** The heads of columns that only show something. */
  after?: readonly string[];
  /** What a cell holds, as it is typed. */
  textOf: (row: string, column: string) => string;
  /** Whether a cell differs from what is saved. */
  isChanged?: (row: string, column: string) => boolean;
  /** What is wrong with a cell. */
  problemOf?: (row: string, column: string) => string | undefined;
  /** More about the cell where the user is, in a line below the sheet. */
  aboutCell?: (row: string, column: string) => ReactNode;
  onChange: (changes: SheetChange[]) => void;
  /** Takes the last change back; absent before the first one. */
  onUndo?: (() => void) | undefined;
  onSelect?: (cells: { row: string; column: string }[]) => void;
}

const steps: Record<string, Place> = {
  ArrowUp: { y: -1, x: 0 },
  ArrowDown: { y: 1, x: 0 },
  ArrowLeft: { y: 0, x: -1 },
  ArrowRight: { y: 0, x: 1 },
};
const shownProblems = 3;

/**
 * Cells in lines and columns that are typed as in a spreadsheet. Arrows walk, with Shift they select; typing replaces, Enter
 * or F2 edits, Enter and Tab keep and go on, Escape leaves a cell as it was. A block is copied, pasted and undone.
 */
export function GridSheet(props: Props) {
  const {
    label,
    corner,
    rows,
    columns,
    after = [],
    textOf,
    isChanged,
    problemOf,
    aboutCell,
    onChange,
    onUndo,
    onSelect,
  } = props;
  const id = useId();
  const table = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState<Place>({ y: 0, x: 0 });
  const [anchor, setAnchor] = useState<Place>(at);
  const [edited, setEdited] = useState<Place & { text: string }>();
  const [pasted, setPasted] = useState<{ taken: number; beyond: number; locked: number }>();
  // Tab leads to the next cell while amounts are entered; after an arrow or Escape it leaves the sheet.
  const isEntering = useRef(false);
  const isLeaving = useRef(false);
  const isMoving = useRef(false);
  const size = { y: rows.length, x: columns.length };
  const here = { y: Math.min(at.y, size.y - 1), x: Math.min(at.x, size.x - 1) };
  const block = blockOf({ y: Math.min(anchor.y, size.y - 1), x: Math.min(anchor.x, size.x - 1) }, here);
  const keysAt = ({ y, x }: Place) => ({ row: rows[y]?.key ?? '', column: columns[x]?.key ?? '' });
  const textAt = (place: Place) => textOf(keysAt(place).row, keysAt(place).column);
  const isLockedAt = ({ y }: Place) => rows[y]?.isLocked === true;
  const cellAt = ({ y, x }: Place) => table.current?.querySelector<HTMLElement>(`[data-cell="${y} ${x}"]`);

  useLayoutEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    const cell = cellAt(here);
    (cell?.querySelector('input') ?? cell)?.focus();
  });

  const select = (from: Place, to: Place) => {
    setAnchor(from);
    setAt(to);
    onSelect?.(placesOf(blockOf(from, to)).map(keysAt));
  };
  const go = (to: Place, isExtending = false) => {
    isMoving.current = true;
    select(isExtending ? anchor : to, to);
  };
  /** Tells of the cells that change; how many of them are locked. */
  const write = (cells: readonly (Place & { text: string })[]) => {
    const free = cells.filter((cell) => !isLockedAt(cell) && cell.text !== textAt(cell));
    if (free.length > 0) onChange(free.map((cell) => ({ ...keysAt(cell), text: cell.text })));
    return cells.filter(isLockedAt).length;
  };
  const undo = () => {
    setPasted(undefined);
    onUndo?.();
  };
  const begin = (text: string) => {
    if (isLockedAt(here)) return;
    isLeaving.current = false;
    isMoving.current = true;
    setEdited({ ...here, text });
  };
  const keep = () => {
    if (edited === undefined || isLeaving.current) return;
    isLeaving.current = true;
    setPasted(undefined);
    write([{ ...edited, text: edited.text.trim() }]);
    setEdited(undefined);
  };

  const typeIn = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const isBack = event.shiftKey;
    const to =
      event.key === 'Enter'
        ? { ...here, y: Math.max(0, Math.min(size.y - 1, here.y + (isBack ? -1 : 1))) }
        : event.key === 'Tab'
          ? nextPlace(here, isBack ? -1 : 1, size)
          : undefined;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      isLeaving.current = true;
      setEdited(undefined);
      isMoving.current = true;
    } else if (to) {
      event.preventDefault();
      isEntering.current = true;
      keep();
      go(to);
    }
  };
  const walk = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey;
    const step = steps[event.key];
    if (event.altKey) return;
    if (isCommand && event.key.toLowerCase() === 'z') undo();
    else if (isCommand && event.key.toLowerCase() === 'a') select({ y: 0, x: 0 }, { y: size.y - 1, x: size.x - 1 });
    else if (isCommand && event.key.toLowerCase() === 'd')
      write(placesOf(block).map((place) => ({ ...place, text: textAt({ y: block.top, x: place.x }) })));
    else if (event.key === 'Home') go({ y: isCommand ? 0 : here.y, x: 0 });
    else if (event.key === 'End') go({ y: isCommand ? size.y - 1 : here.y, x: size.x - 1 });
    else if (step) {
      isEntering.current = false;
      const [y, x] = [here.y + step.y, here.x + step.x];
      if (y >= 0 && x >= 0 && y < size.y && x < size.x) go({ y, x }, event.shiftKey);
    } else if (event.key === 'Escape') {
      if (!isEntering.current) return;
      isEntering.current = false;
    } else if (event.key === 'Tab') {
      const to = isEntering.current ? nextPlace(here, event.shiftKey ? -1 : 1, size) : undefined;
      if (!to) return;
      go(to);
    } else if (event.key === 'Enter' || event.key === 'F2') begin(textAt(here));
    else if (event.key === 'Delete' || event.key === 'Backspace')
      write(placesOf(block).map((place) => ({ ...place, text: '' })));
    else if (event.key.length === 1 && event.key !== ' ' && !isCommand) begin(event.key);
    else return;
    event.preventDefault();
  };
  const copy = (event: ClipboardEvent) => {
    if (edited !== undefined) return;
    event.preventDefault();
    const lines = Array.from({ length: block.bottom - block.top + 1 }, (_, line) =>
      Array.from({ length: block.right - block.left + 1 }, (__, column) =>
        textAt({ y: block.top + line, x: block.left + column }),
      ),
    );
    event.clipboardData.setData('text/plain', writeBlock(lines));
  };
  const paste = (event: ClipboardEvent) => {
    const copied = readBlock(event.clipboardData.getData('text/plain'));
    // One value goes into the box that is being edited.
    if (edited !== undefined && copied.length === 1 && copied[0]?.length === 1) return;
    event.preventDefault();
    isLeaving.current = true;
    isMoving.current = true;
    setEdited(undefined);
    const { cells, beyond } = pasteInto(block, copied, size);
    const locked = write(cells);
    setPasted({ taken: cells.length - locked, beyond, locked });
    const last = cells.at(-1);
    if (last) select({ y: block.top, x: block.left }, last);
  };

  const problems = rows.flatMap(({ key: row, label: name }, y) =>
    columns.flatMap(({ key: column, name: head }, x) => {
      const words = problemOf?.(row, column);
      return words === undefined ? [] : [{ y, x, name: `${name}, ${head}`, words, text: textOf(row, column) }];
    }),
  );
  const about = rows.length > 0 && columns.length > 0 && aboutCell?.(keysAt(here).row, keysAt(here).column);
  return (
    <Grid columns={1} gap={8}>
      <ScrollFrame label={label}>
        <Table
          ref={table}
          role="grid"
          aria-label={label}
          aria-multiselectable
          className={styles.sheet}
          onCopy={copy}
          onPaste={paste}
        >
          <thead>
            <tr>
              <th scope="col">{corner}</th>
              {columns.map(({ key, name, detail }) => (
                <th key={key} scope="col" data-kind="number">
                  {name} {detail && <small>{detail}</small>}
                </th>
              ))}
              {after.map((head) => (
                <th key={head} scope="col" data-kind="number">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key: row, name, isLocked, after: more = [] }, y) => (
              <tr key={row}>
                <th scope="row">{name}</th>
                {columns.map(({ key: column, name: head }, x) => {
                  const isHere = y === here.y && x === here.x;
                  const isEdited = edited !== undefined && edited.y === y && edited.x === x;
                  const problem = problemOf?.(row, column);
                  const isIn = y >= block.top && y <= block.bottom && x >= block.left && x <= block.right;
                  return (
                    <td
                      key={column}
                      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the cell of a grid is walked and edited.
                      role="gridcell"
                      data-kind="number"
                      data-cell={`${y} ${x}`}
                      tabIndex={isHere && edited === undefined ? 0 : -1}
                      aria-selected={isIn}
                      aria-readonly={isLocked || undefined}
                      aria-invalid={problem !== undefined || undefined}
                      className={classNames(
                        styles.cell,
                        isIn && styles.selected,
                        isChanged?.(row, column) && styles.changed,
                        problem !== undefined && styles.wrong,
                        isLocked && styles.locked,
                      )}
                      onFocus={() => {
                        if (!isHere) select({ y, x }, { y, x });
                      }}
                      onPointerDown={(event) => {
                        if (event.pointerType !== 'mouse' || (event.target as Element).matches('input')) return;
                        keep();
                        if (event.shiftKey) {
                          event.preventDefault();
                          go({ y, x }, true);
                        } else select({ y, x }, { y, x });
                      }}
                      onPointerEnter={({ buttons, pointerType }) => {
                        if (buttons === 1 && pointerType === 'mouse' && edited === undefined) select(anchor, { y, x });
                      }}
                      // A finger, or a screen reader, edits with its first press.
                      onClick={({ nativeEvent, currentTarget }) => {
                        const isMouse = (nativeEvent as Partial<globalThis.PointerEvent>).pointerType === 'mouse';
                        if (!isMouse && !isEdited && !isLocked) {
                          currentTarget.focus();
                          isLeaving.current = false;
                          isMoving.current = true;
                          setEdited({ y, x, text: textOf(row, column) });
                        }
                      }}
                      onDoubleClick={() => edited === undefined && begin(textOf(row, column))}
                      onKeyDown={edited === undefined ? walk : undefined}
                    >
                      {isEdited ? (
                        <input
                          className={styles.input}
                          inputMode="decimal"
                          autoComplete="off"
                          aria-label={`${rows[y]?.label}, ${head}`}
                          aria-invalid={problem !== undefined || undefined}
                          value={edited.text}
                          onChange={(event) => setEdited({ y, x, text: event.currentTarget.value })}
                          onKeyDown={typeIn}
                          onBlur={keep}
                        />
                      ) : (
                        textOf(row, column)
                      )}
                      {problem !== undefined && <span className={styles.problem}>{problem}</span>}
                    </td>
                  );
                })}
                {more.map((shown, place) => (
                  <td key={after[place]} data-kind="number">
                    {shown}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      </ScrollFrame>
      {about && (
        <p className={styles.about} id={`${id}-about`}>
          {about}
        </p>
      )}
      <div role="status">
        {pasted && (
          <Row as="p" gap={8} align="center" wrap tone="soft" size={13}>
            <Plural value={pasted.taken} one="# cell was pasted." other="# cells were pasted." />{' '}
            {pasted.beyond > 0 && (
              <Plural
                value={pasted.beyond}
                one="# cell is outside the sheet and was left out."
                other="# cells are outside the sheet and were left out."
              />
            )}{' '}
            {pasted.locked > 0 && (
              <Plural value={pasted.locked} one="# cell can’t be changed." other="# cells can’t be changed." />
            )}
            {onUndo && (
              <Button kind="quiet" onClick={undo}>
                <Trans>Undo</Trans>
              </Button>
            )}
          </Row>
        )}
      </div>
      {problems.length > 0 && (
        <ul className={styles.problems}>
          {problems.slice(0, shownProblems).map(({ y, x, name, words, text }) => (
            <Row as="li" key={`${y} ${x}`} gap={8} align="center" wrap>
              <span>
                {name}: “{text}”. {words}
              </span>
              <Button kind="quiet" onClick={() => go({ y, x })}>
                <Trans>Go there</Trans>
              </Button>
            </Row>
          ))}
          {problems.length > shownProblems && (
            <li>
              <Plural value={problems.length - shownProblems} one="and # more" other="and # more" />
            </li>
          )}
        </ul>
      )}
    </Grid>
  );
}
