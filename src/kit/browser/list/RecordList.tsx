import { Trans, useLingui } from '@lingui/react/macro';
import { IconDots, IconPlus } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead, useReadList } from '#kit/browser/data/read.ts';
import { translate } from '#kit/browser/text.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { type Destination, type PageAddress, SearchLink } from '#kit/browser/ui/PageLink.tsx';
import { Tabs, TabWords } from '#kit/browser/ui/Tabs.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { ListView, Selection } from '#kit/contract/list-view.ts';
import { everyone, type RecordListDefinition, usualSort } from '#kit/contract/record-list.ts';
import type { TableKind } from '#kit/contract/served-file.ts';
import { english, showNumber } from '#kit/contract/text.ts';
import { ColumnsDialog } from './ColumnsDialog.tsx';
import { ExportItems, ExportMenu } from './ExportMenu.tsx';
import { FilterChoice } from './FilterChoice.tsx';
import { filtersFor, ListFilters } from './ListFilters.tsx';
import { ListFoot } from './ListFoot.tsx';
import { hrefOf, noteList } from './last-list.ts';
import styles from './RecordList.module.css';
import { type RecordRow, RecordTable, type RowActions } from './RecordTable.tsx';
import { SaveView } from './SaveView.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { ShortcutsDialog } from './ShortcutsDialog.tsx';
import { useColumns } from './use-columns.ts';
import type { Way } from './use-dragging.ts';
import { type Address, useListAddress } from './use-list-address.ts';
import { useListKeys } from './use-list-keys.ts';
import { useNarrow } from './use-narrow.ts';
import { useSelection } from './use-selection.ts';
import { ViewMenu } from './ViewMenu.tsx';

export type RowOf<List extends RecordListDefinition> = OutputOf<List['api']['list']>['rows'][number];

interface Props<List extends RecordListDefinition, To extends PageAddress> {
  list: List;
  /** Takes the list's element, to move the focus there. */
  ref?: RefObject<HTMLElement | null>;
  /** What the name of a record and its row open, if anything: its page, or what an act opens. */
  open: (row: RowOf<List>) => Destination<To> | (() => void) | undefined;
  /** Filters that apply where the address has none. */
  usual?: Address;
  /** What the usual filters mean, such as a year, in the names of files. */
  of?: string;
  /** Content between the filters and the records. */
  notice?: ReactNode;
  /** A picture before the name. */
  lead?: (row: RowOf<List>) => ReactNode;
  /** Cells that show more than their value, by their column. */
  cells?: { [Column in keyof List['columns']]?: (row: RowOf<List>) => ReactNode };
  /** The records shown in soft colour. */
  isSoft?: (row: RowOf<List>) => boolean;
  /** The items of a row's menu; see `RowMenu` for `from`. */
  actions?: RowActions<RowOf<List>>;
  /** Moves one of the rows on this page, where users put them in order. */
  onMove?: (row: RowOf<List>, to: Way, rows: readonly RowOf<List>[]) => unknown;
  /** Absent where the user may not add a record. */
  onAdd?: () => void;
  /** What replaces a list that has no record at all: why, and the first act. */
  empty: Empty;
  /** Further items of the menu of the list, such as an import. */
  more?: ReactNode;
  /** The acts on the selected records; `clear` ends the selection after one. */
  bulk?: (selection: Selection, clear: () => void, number: SelectedNumber) => ReactNode;
}

/** How many records are selected, and as it is shown, such as "1,000+". */
export interface SelectedNumber {
  count: number;
  shown: string;
}

/** The most selected records that an export takes by their ids. */
const mostExported = 500;

type Open = { what: 'columns' | 'keys' | 'save' } | { what: 'remove'; view: ListView };

/** A list of records on the server: search, filters, tabs, order, pages, selection, columns, saved views and exports. */
export function RecordList<const List extends RecordListDefinition, const To extends PageAddress>({
  list,
  ref,
  open: opens,
  usual = {},
  of,
  notice,
  lead,
  cells = {},
  isSoft,
  actions,
  onMove,
  onAdd,
  empty,
  more,
  bulk,
}: Props<List, To>) {
  const { t } = useLingui();
  const own = useRef<HTMLElement>(null);
  const section = ref ?? own;
  const { attempt, problem } = useAttempt();
  const download = useDownload();
  const place = useListAddress();
  const { address, go, narrow, turn } = place;
  const query = queryOf(list, address);
  const asked: Record<string, string> = { ...(usual as Record<string, string>), ...query };
  const read = useReadList(list.api.list, { ...asked, ...placeOf(address) } as never);
  const counts = useCounts(list, asked);
  const { pathname } = useLocation();
  const isRead = read.data !== undefined && !read.isPlaceholderData;
  useEffect(() => {
    if (!isRead) return;
    const { after, before } = address;
    noteList(list.name, {
      href: hrefOf(pathname, address),
      tab: query.tab ?? '',
      asked,
      place: { ...(after && { after }), ...(before && { before }) },
    });
  });
  const readAgain = () => {
    if (hasTabs(list)) void counts.refetch();
    return read.refetch();
  };
  const selection = useSelection(asked);
  const views = useRead(list.api.views, {});
  const view = views.data?.find(({ id }) => String(id) === address.view);
  const { all, shown, show } = useShown(list, view);
  const removeView = useAction(list.api.removeView);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const plural = translate(list.plural);
  const addWords = t`Add ${translate(list.singular)}`;
  const rows = (read.data?.rows ?? []) as RecordRow[];
  const shownIds = rows.map(({ id }) => id);
  const total = read.data?.total ?? 0;
  const isMore = read.data?.isMore ?? false;
  const count = selection.countOf(total);
  const isNarrow = useNarrow();
  const [isSelecting, setSelecting] = useState(false);
  useListKeys(section, {
    onAdd,
    onHelp: () => setOpen({ what: 'keys' }),
    onSelect: (id) => selection.toggle(id, shownIds),
    onExtend: selection.extend,
    onClear: selection.isNone ? undefined : selection.clear,
  });

  const save = (as: TableKind, chosen?: readonly number[]) =>
    attempt(() =>
      download(
        list.api.export,
        {
          ...asked,
          as,
          ...(!list.exportsAll && { columns: [all[0]?.name, ...shown].join(',') }),
          ids: chosen?.join(',') ?? '',
        } as never,
        `${[english(list.plural).replaceAll(' ', '-'), ...(of ? [of] : [])].join('-')}.${as}`,
      ),
    );
  const choose = (chosen: ListView | undefined) =>
    go({ ...restOf(list, address), ...(chosen && { ...queryOf(list, chosen.address), view: String(chosen.id) }) });
  const narrowing = ['search', ...Object.keys(list.filters)];
  const isNarrowedBy = (name: string) => ![undefined, everyone, usual[name]].includes(query[name]);
  const isNarrowed = narrowing.some(isNarrowedBy);
  // A list without records says below what comes next, and a page has one filled button.
  const isAddBelow =
    read.data !== undefined &&
    rows.length === 0 &&
    !isNarrowed &&
    empty.children !== undefined &&
    Object.values(counts.data ?? {}).every((tab) => !tab?.total);
  const isFiltered = Object.keys(list.filters).some(isNarrowedBy);
  const clearFilters = () => {
    section.current?.focus();
    narrow(Object.fromEntries(narrowing.map((name) => [name, ''])));
  };
  const exportItems = (chosen?: readonly number[]) => (as: TableKind) => void save(as, chosen);
  const isExported = !selection.hasExceptions && (selection.ids?.length ?? 0) <= mostExported;
  const sorted = Object.entries(list.columns).filter(([, { isSorted }]) => isSorted);
  return (
    <section ref={section} className={styles.list} tabIndex={-1} aria-label={plural}>
      {hasTabs(list) && <PartTabs list={list} address={address} counts={counts.data ?? {}} />}
      <Row gap={8} align="center" className={styles.head}>
        <ListFilters
          searchWords={t`Search ${plural}`}
          filters={filtersFor(list.filters)}
          usual={usual}
          address={asked}
          onNarrow={narrow}
        >
          {/* On a phone the heads that sort the list are not shown. */}
          {sorted.length > 0 && (
            <div className={styles.order}>
              <FilterChoice label={t`Order`} value={query.sort ?? ''} onChange={(sort) => narrow({ sort })}>
                {sorted.flatMap(([name, { label }]) => {
                  const words = translate(label);
                  if (list.isOrdered && name === usualSort(list, query.tab))
                    return (
                      <option key={name} value="">
                        {t`Usual order`}
                      </option>
                    );
                  return [
                    <option key={name} value={sortOf(list, query.tab, name)}>
                      {words}
                    </option>,
                    <option key={`-${name}`} value={sortOf(list, query.tab, `-${name}`)}>
                      {t`${words}, descending`}
                    </option>,
                  ];
                })}
              </FilterChoice>
            </div>
          )}
        </ListFilters>
        <Row gap={8} align="center" fixed breaks="never" noPrint>
          <ViewMenu
            views={views.data}
            onRetry={views.error ? () => void views.refetch() : undefined}
            current={view}
            onChoose={choose}
            onSave={() => setOpen({ what: 'save' })}
            onRemove={(chosen) => setOpen({ what: 'remove', view: chosen })}
          />
          <Menu
            button={
              <IconButton label={t`More`} className={styles.more}>
                <IconDots size={18} aria-hidden />
              </IconButton>
            }
          >
            {more}
            {isNarrow && (
              <Menu.Item onClick={() => setSelecting(!isSelecting)}>
                {isSelecting ? <Trans>Hide the boxes</Trans> : <Trans>Select rows</Trans>}
              </Menu.Item>
            )}
            <ExportItems onExport={exportItems()} />
            <Menu.Item onClick={printLater}>
              <Trans>Print this page</Trans>
            </Menu.Item>
            <Menu.Item onClick={() => setOpen({ what: 'columns' })}>
              <Trans>Columns…</Trans>
            </Menu.Item>
            <Menu.Item onClick={() => setOpen({ what: 'keys' })}>
              <Trans>Keyboard shortcuts</Trans>
            </Menu.Item>
          </Menu>
          {onAdd && (
            <Button
              kind={isAddBelow ? 'plain' : 'main'}
              className={classNames('list-add', styles.add)}
              aria-label={addWords}
              aria-keyshortcuts="n"
              onClick={onAdd}
            >
              <IconPlus size={16} aria-hidden />
              <span className={styles.whole}>{addWords}</span>
              <span className={styles.short}>
                <Trans>Add</Trans>
              </span>
            </Button>
          )}
        </Row>
      </Row>
      {notice}
      {problem}
      {removeView.problem}
      <QueryBoundary query={read} onRetry={readAgain}>
        {(page) =>
          rows.length === 0 ? (
            <NoRows
              isNarrowed={isNarrowed}
              searched={isFiltered ? undefined : query.search}
              empty={
                hasTabs(list) ? (
                  <NoneInTab
                    list={list}
                    query={query}
                    counts={counts.data ?? {}}
                    empty={empty}
                    onTab={(tab) => narrow({ tab })}
                  />
                ) : (
                  <EmptyState {...empty} />
                )
              }
              onFirst={address.after || address.before ? () => turn({}) : undefined}
              onClear={clearFilters}
            />
          ) : (
            <>
              <RecordTable
                caption={plural}
                columns={all.filter(({ name }, index) => index === 0 || shown.includes(name))}
                rows={rows}
                isStale={read.isPlaceholderData}
                open={opens as never}
                lead={lead as never}
                cells={cells as never}
                isSoft={isSoft as never}
                actions={actions as never}
                onMove={
                  onMove && Object.keys(query).length === 0
                    ? (row, to) => onMove(row as never, to, rows as never)
                    : undefined
                }
                page={page}
                isOrdered={list.isOrdered}
                groupedBy={
                  (query.sort ?? usualSort(list, query.tab)) === usualSort(list, query.tab) ? list.groupedBy : undefined
                }
                sort={query.sort ?? usualSort(list, query.tab)}
                onSort={(sort) => narrow({ sort: sortOf(list, query.tab, sort) })}
                selection={selection}
                isSelecting={isSelecting || count > 0}
              />
              <ListFoot page={page} singular={list.singular} plural={list.plural} place={place} />
            </>
          )
        }
      </QueryBoundary>
      <SelectionBar
        count={count}
        isAll={selection.isAll && !selection.hasExceptions}
        isMore={selection.isAll && isMore}
        elsewhere={selection.isAll ? 0 : count - shownIds.filter(selection.has).length}
        total={`${showNumber(total)}${isMore ? '+' : ''}`}
        onAll={
          !selection.isAll && (isMore || total > shownIds.filter(selection.has).length)
            ? selection.selectAll
            : undefined
        }
        onClear={() => {
          section.current?.focus();
          selection.clear();
        }}
      >
        {bulk?.(selection.sent, selection.clear, {
          count,
          shown: `${showNumber(count)}${selection.isAll && isMore ? '+' : ''}`,
        })}
        {isExported ? (
          <ExportMenu words={<Trans>Export selected</Trans>} onExport={exportItems(selection.ids)} />
        ) : (
          <span className="soft">
            <Trans>At most {mostExported} selected records can be exported; or use filters.</Trans>
          </span>
        )}
      </SelectionBar>
      {open?.what === 'columns' && (
        <ColumnsDialog
          about={view ? t`Until you leave this view, or save it.` : t`Kept on this device until you sign out.`}
          columns={all.slice(1)}
          shown={shown}
          onChoose={show}
          onClose={close}
        />
      )}
      {open?.what === 'keys' && <ShortcutsDialog add={onAdd && addWords} selects onClose={close} />}
      {open?.what === 'save' && (
        <SaveView
          endpoint={list.api.saveView}
          current={view}
          address={query}
          columns={shown}
          onSaved={(id) => go({ ...restOf(list, address), ...query, view: String(id) })}
          onClose={close}
        />
      )}
      {open?.what === 'remove' && (
        <AskDialog
          title={t`Remove the view “${open.view.name}”?`}
          confirm={<Trans>Remove</Trans>}
          isBad
          problem={removeView.problem}
          onClose={close}
          onConfirm={async (done) => {
            if (!(await removeView.run({ id: open.view.id }))) return;
            done();
            go({ ...restOf(list, address), ...query });
          }}
        >
          {open.view.isShared && <Trans>Others will no longer find it.</Trans>}
        </AskDialog>
      )}
    </section>
  );
}

const hasTabs = ({ tabs }: RecordListDefinition) => Object.keys(tabs).length > 1;

const firstOf = ({ tabs }: RecordListDefinition) => Object.keys(tabs)[0] ?? '';

/** An order as the address has it, which does not name the usual one. */
const sortOf = (list: RecordListDefinition, tab: string | undefined, sort: string) =>
  sort === usualSort(list, tab) ? '' : sort;

/** What the address says about the list, without what the list does not have, such as a filter of an earlier version. */
function queryOf(list: RecordListDefinition, address: Address): Record<string, string> {
  const { search = '', tab = '', sort = '' } = address;
  const isSorted = list.columns[sort.replace(/^-/, '')]?.isSorted;
  const filters = Object.entries(list.filters).map(([name, filter]) => {
    const value = address[name] ?? '';
    const isKnown = filter.kind === 'ref' ? /^[0-9]{1,9}$/.test(value) : filter.options.includes(value);
    return [name, isKnown ? value : ''];
  });
  const query = {
    search,
    tab: tab in list.tabs && tab !== firstOf(list) ? tab : '',
    sort: isSorted ? sortOf(list, tab, sort) : '',
    ...Object.fromEntries(filters),
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value)) as Record<string, string>;
}

/** What the address says about the page that the list is part of. */
const restOf = (list: RecordListDefinition, address: Address): Address =>
  Object.fromEntries(
    Object.entries(address).filter(
      ([name]) =>
        !['search', 'sort', 'view', 'after', 'before', 'countsAll'].includes(name) &&
        !(name in list.filters) &&
        !(name === 'tab' && hasTabs(list)),
    ),
  );

const placeOf = ({ after, before, countsAll }: Address) => ({
  ...(after && { after }),
  ...(before && { before }),
  ...(countsAll === 'yes' && { countsAll }),
});

/** The columns of a list: those of the view until the user changes them there, else those of this device. */
function useShown(list: RecordListDefinition, view: ListView | undefined) {
  const all = Object.entries(list.columns).map(([name, column]) => ({
    ...column,
    name,
    label: translate(column.label),
    head: column.head && translate(column.head),
  }));
  const device = useColumns(`list-${list.name}`, all.slice(1));
  const [changed, change] = useState<{ view: number; columns: readonly string[] }>();
  if (!view) return { all, shown: device.shown, show: device.choose };
  const wanted = changed?.view === view.id ? changed.columns : view.columns;
  return {
    all,
    shown: all.map(({ name }) => name).filter((name, index) => index > 0 && wanted.includes(name)),
    show: (columns: readonly string[]) => change({ view: view.id, columns }),
  };
}

/** The menu is closed by then. */
const printLater = () => setTimeout(() => window.print());

type Counts = OutputOf<RecordListDefinition['api']['counts']>;

interface PartTabsProps {
  list: RecordListDefinition;
  address: Address;
  counts: Counts;
}

/** The number of records in each tab, in no order. */
const useCounts = (list: RecordListDefinition, { tab: _, sort: __, ...filters }: Record<string, string>) =>
  // A list without tabs has no such operation; it is not asked.
  useReadList(
    (hasTabs(list) ? list.api.counts : list.api.list) as typeof list.api.counts,
    filters as never,
    hasTabs(list),
  );

/** The parts of a list with their counts. The search, filters and order stay the same in each. */
function PartTabs({ list, address, counts }: PartTabsProps) {
  const { t } = useLingui();
  const query = queryOf(list, address);
  const { tab = '' } = query;
  const { tab: _, after: __, before: ___, countsAll: ____, ...kept } = address;
  return (
    <Tabs label={t`Parts of ${translate(list.plural)}`} current={tab}>
      {Object.entries(list.tabs).map(([key, title]) => {
        const isFirst = key === firstOf(list);
        const part = counts[key];
        return (
          <SearchLink
            key={key}
            search={isFirst ? kept : { ...kept, tab: key }}
            // The address of the first one is a part of those of the others.
            activeOptions={{ exact: true }}
            aria-current={key === (tab || firstOf(list)) ? 'page' : undefined}
          >
            <TabWords words={translate(title)} count={part && `${showNumber(part.total)}${part.isMore ? '+' : ''}`} />
          </SearchLink>
        );
      })}
    </Tabs>
  );
}

interface Empty {
  message: ReactNode;
  children?: ReactNode;
}

interface NoneInTabProps {
  list: RecordListDefinition;
  query: Record<string, string>;
  counts: Counts;
  empty: Empty;
  onTab: (tab: string) => void;
}

/** What replaces an empty list for a part of a list, where another part may have records. */
function NoneInTab({ list, query, counts, empty, onTab }: NoneInTabProps) {
  const other = Object.keys(list.tabs).find((key) => (counts[key]?.total ?? 0) > 0);
  if (!other) return <EmptyState {...empty} />;
  const plural = translate(list.plural);
  const tab = translate(list.tabs[query.tab ?? firstOf(list)] ?? list.plural);
  return (
    <EmptyState
      message={
        <Trans>
          No {plural} under “{tab}”.
        </Trans>
      }
    >
      <Button onClick={() => onTab(other === firstOf(list) ? '' : other)}>
        <Trans>Show “{translate(list.tabs[other] ?? list.plural)}”</Trans>
      </Button>
    </EmptyState>
  );
}

interface NoRowsProps {
  isNarrowed: boolean;
  /** The words that were searched for, where nothing else narrows the list. */
  searched: string | undefined;
  /** What is shown where nothing narrows the list. */
  empty: ReactNode;
  /** Returns to the first page from a page that has lost its rows. */
  onFirst?: () => void;
  onClear: () => void;
}

function NoRows({ isNarrowed, searched, empty, onFirst, onClear }: NoRowsProps) {
  if (onFirst) {
    return (
      <EmptyState message={<Trans>This page of the list is empty now.</Trans>}>
        <Button onClick={onFirst}>
          <Trans>First page</Trans>
        </Button>
      </EmptyState>
    );
  }
  if (isNarrowed) {
    return (
      <EmptyState
        message={
          searched ? (
            <Trans>Nothing found for “{searched}”.</Trans>
          ) : (
            <Trans>No entries match. Try removing a filter.</Trans>
          )
        }
      >
        <Button onClick={onClear}>{searched ? <Trans>Clear search</Trans> : <Trans>Clear filters</Trans>}</Button>
      </EmptyState>
    );
  }
  return empty;
}
