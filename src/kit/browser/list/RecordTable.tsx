import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { translateOption } from '#kit/browser/text.ts';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { type Destination, type PageAddress, PageLink } from '#kit/browser/ui/PageLink.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { ListColumn } from '#kit/contract/record-list.ts';
import { showNumber } from '#kit/contract/text.ts';
import { ListTable } from './ListTable.tsx';
import styles from './RecordTable.module.css';
import { RowMenu } from './RowMenu.tsx';
import { rowOpen } from './row-open.ts';
import { SortHead } from './SortHead.tsx';
import type { useSelection } from './use-selection.ts';

/** A row of any list. */
export type Row = { id: number } & Record<string, unknown>;
type Column = Omit<ListColumn, 'label'> & { name: string; label: string };

interface Props {
  caption: string;
  /** The first is the name. */
  columns: readonly Column[];
  rows: readonly Row[];
  /** The rows are those before a change that is being read. */
  isStale: boolean;
  /** The page of a record: a `Destination`. */
  destinationOf: (row: Row) => object;
  onOpen: (row: Row) => void;
  lead?: (row: Row) => ReactNode;
  cells: Partial<Record<string, (row: Row) => ReactNode>>;
  actions?: (row: Row, from: (open: () => void) => () => void) => ReactNode;
  sort: string;
  onSort: (sort: string) => void;
  selection: Pick<ReturnType<typeof useSelection>, 'has' | 'set' | 'toggle'>;
}

/** The rows of a list of records: a box that selects each, its name, which opens it, and the shown columns. */
export function RecordTable(props: Props) {
  const { caption, columns, rows, isStale, destinationOf, onOpen, lead, cells, actions, sort, onSort, selection } =
    props;
  const { t } = useLingui();
  const [first, ...others] = columns;
  if (!first) return null;
  const ids = rows.map(({ id }) => id);
  const ticked = ids.filter(selection.has).length;
  const cellOf = (column: Column, row: Row) => cells[column.name]?.(row) ?? shown(column, row[column.name]);
  return (
    <div className={classNames(styles.frame, columns.length <= mostRoomy && styles.roomy)}>
      <ListTable isFluid aria-busy={isStale} className={classNames(styles.records, isStale && styles.stale)}>
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
            {columns.map(({ name, label, kind, isSorted }) =>
              isSorted ? (
                <SortHead
                  key={name}
                  name={name === first.name ? '' : name}
                  label={label}
                  isNumber={kind === 'number'}
                  sort={sort === `-${first.name}` ? '-' : sort}
                  onSort={(chosen) => onSort(chosen === '-' ? `-${first.name}` : chosen)}
                />
              ) : (
                <th key={name} scope="col" data-kind={kind === 'number' ? 'number' : undefined}>
                  {label}
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
          {rows.map((row) => {
            const name = String(row[first.name]);
            const opening = rowOpen(() => onOpen(row));
            return (
              <tr
                key={row.id}
                {...opening}
                className={classNames(opening.className, selection.has(row.id) && styles.ticked)}
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
                  <span className={styles.name}>
                    {lead?.(row)}
                    <span>
                      <PageLink
                        {...(destinationOf(row) as Destination<PageAddress>)}
                        className="list-name"
                        data-row-name={row.id}
                      >
                        {name}
                      </PageLink>
                      {cells[first.name]?.(row)}
                    </span>
                  </span>
                </td>
                {others.map((column) => {
                  const content = cellOf(column, row);
                  return (
                    <td
                      key={column.name}
                      data-head={content === '' ? undefined : column.label}
                      data-kind={column.kind === 'number' ? 'number' : undefined}
                      className={classNames(
                        (isPlain(column) || cells[column.name]) && styles.plain,
                        isShort(content) && styles.short,
                      )}
                    >
                      {content}
                    </td>
                  );
                })}
                {actions && (
                  <td data-kind="actions">
                    <RowMenu name={name}>{(from) => actions(row, from)}</RowMenu>
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </ListTable>
    </div>
  );
}

/** With more columns the window has no room for whole words in each. */
const mostRoomy = 8;

const isPlain = ({ kind }: Column) => kind === 'text' || kind === 'someText';

/** Has no word that a column could not hold whole. */
const isShort = (content: ReactNode) =>
  typeof content === 'string' && content.split(/[\s-]/).every((word) => word.length <= 16);

/** A value for display; '' for none. */
function shown({ kind }: Column, value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  if (kind === 'date') return showDate(String(value));
  if (kind === 'number') return showNumber(Number(value));
  if (kind === 'oneOf') return translateOption(String(value));
  return Array.isArray(value) ? value.join('; ') : String(value);
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
  <label className={styles.tick}>
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
  </label>
);
