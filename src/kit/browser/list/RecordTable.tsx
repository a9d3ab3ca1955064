import { Trans, useLingui } from '@lingui/react/macro';
import { IconGripVertical } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { showValue } from '#kit/browser/record/show-value.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { type Destination, type PageAddress, PageLink, usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { PhoneLink } from '#kit/browser/ui/PhoneLink.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { showDate } from '#kit/contract/day.ts';
import { isRealDate } from '#kit/contract/fields.ts';
import type { ListColumn } from '#kit/contract/record-list.ts';
import { showNumber } from '#kit/contract/text.ts';
import styles from './RecordTable.module.css';
import { RowMenu } from './RowMenu.tsx';
import { rowOpen } from './row-open.ts';
import { SortHead } from './SortHead.tsx';
import { useDragging, type Way } from './use-dragging.ts';
import type { useSelection } from './use-selection.ts';

/** A row of any list. */
export type RecordRow = { id: number } & Record<string, unknown>;
type Column = Omit<ListColumn, 'label' | 'head'> & { name: string; label: string; head?: string };

/** The steps that a row can be moved; none where users do not put the rows in order, or the list is narrowed. */
export type Steps = { [To in 'up' | 'down']?: () => unknown };
export type RowActions<Of> = (row: Of, from: (open: () => void) => () => void, steps: Steps) => ReactNode;

interface Props {
  caption: string;
  /** The first is the name. */
  columns: readonly Column[];
  rows: readonly RecordRow[];
  /** The rows are those before a change that is being read. */
  isStale: boolean;
  /** What opens a record, if anything: its page, which is a `Destination`, or an act. */
  open: (row: RecordRow) => object | (() => void) | undefined;
  lead?: (row: RecordRow) => ReactNode;
  cells: Partial<Record<string, (row: RecordRow) => ReactNode>>;
  isSoft?: (row: RecordRow) => boolean;
  actions?: RowActions<RecordRow>;
  /** Present while users can put the rows in order. */
  onMove?: (row: RecordRow, to: Way) => unknown;
  /** Whether there are pages before and after this one. */
  page: { previous: string | null; next: string | null };
  isOrdered: boolean | undefined;
  /** A field whose words are headings of the rows below them. */
  groupedBy?: string;
  sort: string;
  onSort: (sort: string) => void;
  selection: Pick<ReturnType<typeof useSelection>, 'has' | 'set' | 'toggle'>;
  /** On a phone the boxes are shown. */
  isSelecting?: boolean;
}

/** The rows of a list of records: a box that selects each, its name, which opens it, and the shown columns. */
export function RecordTable(props: Props) {
  const { caption, columns, rows, isStale, open, lead, cells, isSoft, actions, onMove, page } = props;
  const { isOrdered, groupedBy, sort, onSort, selection, isSelecting } = props;
  const { t } = useLingui();
  const navigate = usePageNavigate();
  const { inOrder, draggingOf } = useDragging(rows, onMove);
  const [first, ...others] = columns;
  if (!first) return null;
  const places = placesOf(others);
  const ids = inOrder.map(({ id }) => id);
  const ticked = ids.filter(selection.has).length;
  const cellOf = (column: Column, row: RecordRow) => cells[column.name]?.(row) ?? shown(column, row[column.name]);
  return (
    <div className={classNames(styles.frame, columns.length <= mostRoomy && styles.roomy, isSelecting && styles.boxes)}>
      <table aria-busy={isStale} className={classNames(styles.records, isStale && styles.stale)}>
        <VisuallyHidden as="caption">{caption}</VisuallyHidden>
        <thead>
          <tr>
            <th scope="col" data-kind="tick">
              <Tick
                label={t`Select all on this page`}
                isTicked={ticked === ids.length}
                isSome={ticked > 0 && ticked < ids.length}
                onTick={() => selection.set(ids, ticked < ids.length)}
              />
            </th>
            {columns.map(({ name, label, head = label, kind, isSorted }) =>
              isSorted && !(isOrdered && sort === first.name && name === first.name) ? (
                <SortHead
                  key={name}
                  name={name}
                  label={label}
                  head={head}
                  isNumber={isNumber(kind)}
                  sort={sort}
                  onSort={onSort}
                />
              ) : (
                <th key={name} scope="col" data-kind={isNumber(kind) ? 'number' : undefined} title={label}>
                  {head}
                </th>
              ),
            )}
            {actions && (
              <th scope="col">
                <VisuallyHidden>
                  <Trans>Actions</Trans>
                </VisuallyHidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {inOrder.map((row, index) => {
            const words = String(row[first.name]);
            const name = first.isSaid ? translateOption(words) : words;
            const group = groupedBy && String(row[groupedBy]);
            const begins = group !== undefined && group !== String(inOrder[index - 1]?.[groupedBy ?? '']);
            const target = open(row) as Destination<PageAddress> | (() => void) | undefined;
            const opening = target && rowOpen(typeof target === 'function' ? target : () => void navigate(target));
            const dragging = draggingOf(row, name);
            /** What the second line of a phone begins with. */
            const below = others.find((column, place) => places[place] === 'below' && cellOf(column, row) !== '');
            const steps: Steps = onMove
              ? {
                  up: index > 0 || page.previous ? () => onMove(row, 'up') : undefined,
                  down: index < rows.length - 1 || page.next ? () => onMove(row, 'down') : undefined,
                }
              : {};
            return (
              <Fragment key={row.id}>
                {begins && (
                  <tr className={styles.group}>
                    <th colSpan={columns.length + (actions ? 2 : 1)} scope="colgroup">
                      {translateOption(group)}
                    </th>
                  </tr>
                )}
                <tr
                  {...dragging}
                  {...opening}
                  className={classNames(
                    dragging.className,
                    opening?.className,
                    isSoft?.(row) && styles.soft,
                    selection.has(row.id) && styles.ticked,
                  )}
                >
                  <td data-kind="tick">
                    <Tick
                      id={row.id}
                      label={t`Select ${name}`}
                      isTicked={selection.has(row.id)}
                      onTick={(reaches) => selection.toggle(row.id, ids, reaches)}
                    />
                  </td>
                  <td data-kind="name">
                    <Row as="span" gap={8} align="center" className={styles.name}>
                      {onMove && <IconGripVertical className={styles.grip} size={16} aria-hidden />}
                      {lead?.(row)}
                      <span className={styles.words}>
                        <span className={styles.cut} title={name}>
                          <RowName id={row.id} name={name} group={group} target={target} />
                          {cells[first.name]?.(row)}
                        </span>
                      </span>
                    </Row>
                  </td>
                  {others.map((column, place) => {
                    const content = cellOf(column, row);
                    return (
                      <td
                        key={column.name}
                        data-head={content === '' ? undefined : (column.head ?? column.label)}
                        data-kind={isNumber(column.kind) ? 'number' : undefined}
                        data-place={places[place]}
                        className={classNames(
                          isPlain(column, cells[column.name]) && styles.plain,
                          column !== below && styles.further,
                        )}
                      >
                        {column.kind === 'mobile' && content !== '' ? (
                          <PhoneLink className={styles.phone} mobile={String(content)} />
                        ) : isCut(column, content) ? (
                          <span className={styles.words}>
                            <span className={styles.cut} title={content}>
                              {content}
                            </span>
                          </span>
                        ) : (
                          content
                        )}
                      </td>
                    );
                  })}
                  {actions && (
                    <td data-kind="actions">
                      <RowMenu name={name}>{(from) => actions(row, from, steps)}</RowMenu>
                    </td>
                  )}
                </tr>
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Where a phone shows each column: few have room, and the record itself has the number to call. */
function placesOf(columns: readonly Column[]) {
  const wanted = columns.map(({ kind, onPhone }) => onPhone ?? (kind === 'mobile' ? 'away' : 'below'));
  const below = wanted.flatMap((place, index) => (place === 'below' ? [index] : []));
  return wanted.map((place, index) => (below.indexOf(index) >= mostBelow ? 'away' : place));
}

const mostBelow = 3;

/** With more columns the window has no room for a few words in each. */
const mostRoomy = 10;

const numberKinds: readonly string[] = ['number', 'money', 'percent'];
const isNumber = (kind: string) => numberKinds.includes(kind);

const labelledKinds: readonly string[] = [...numberKinds, 'date', 'birthDate', 'yesNo', 'oneOf'];

const isPlain = ({ kind, isLabelled }: Column, cell: unknown) =>
  !isLabelled && (!labelledKinds.includes(kind) || cell !== undefined);

/** Words end with an ellipsis where their column is narrow; a number or a date is useless without its end. */
const isCut = ({ kind }: Column, content: ReactNode): content is string =>
  typeof content === 'string' &&
  !wholeKinds.includes(kind) &&
  content.length > (content.includes(' ') ? longestWords : longestCode);

/** The number of a record, or one word. */
const longestCode = 20;
/** "Grade 11, C" or "No account": a column is never narrower. */
const longestWords = 12;
const wholeKinds: readonly string[] = [...numberKinds, 'date', 'birthDate', 'mobile', 'yesNo'];

/** A value for display; '' for none. */
function shown(column: Column, value: unknown): string {
  if (Array.isArray(value)) return value.join('; ');
  if (column.kind === 'number' && typeof value === 'number') return showNumber(value);
  if (column.kind === 'date' && typeof value === 'string' && isRealDate(value)) return showDate(value, today());
  if (column.isSaid && typeof value === 'string') return translateOption(value);
  // Of a reference the list has the row's name.
  return showValue(column.kind === 'ref' ? undefined : column, value);
}

interface NameProps {
  id: number;
  name: string;
  /** What the name begins with, and the heading above says. */
  group: string | undefined;
  target: Destination<PageAddress> | (() => void) | undefined;
}

/** The name of a row, which opens it: a link to its page, or a button. */
function RowName({ id, name, group, target }: NameProps) {
  const prefix = `${group}, `;
  const children = name.startsWith(prefix) ? (
    <>
      <VisuallyHidden>{prefix}</VisuallyHidden>
      {name.slice(prefix.length)}
    </>
  ) : (
    name
  );
  const common = { className: 'list-name', 'data-row-name': id, children };
  if (!target) return <strong>{children}</strong>;
  if (typeof target === 'function') return <Button kind="link" onClick={target} {...common} />;
  return <PageLink {...target} {...common} />;
}

interface TickProps {
  id?: number;
  label: string;
  isTicked: boolean;
  /** Some of the rows are. */
  isSome?: boolean;
  /** `reaches` with the Shift key. */
  onTick: (reaches: boolean) => void;
}

/** A box that selects, in a cell all of which can be pressed. */
const Tick = ({ id, label, isTicked, isSome = false, onTick }: TickProps) => (
  <Row as="label" align="center" justify="center" className={styles.tick}>
    <input
      ref={(box) => {
        if (box) box.indeterminate = isSome;
      }}
      type="checkbox"
      aria-label={label}
      data-row-tick={id}
      checked={isTicked}
      onChange={({ nativeEvent }) => onTick(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  </Row>
);
