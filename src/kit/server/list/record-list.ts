import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import * as z from 'zod/mini';
import { AppError, malformed } from '#kit/contract/errors.ts';
import { mostSelected, type Selection } from '#kit/contract/list-view.ts';
import { mostExported } from '#kit/contract/master.ts';
import {
  everyone,
  type ListColumn,
  type ListQuery,
  type ListRow,
  type RecordListDefinition,
  usualSort,
} from '#kit/contract/record-list.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { ListCondition, UserContext } from '#kit/server/context.ts';
import type { Figure } from '#kit/server/dashboard.ts';
import { keepingPlans } from '#kit/server/database/database.ts';
import { type Route, routes } from '#kit/server/http/routes.ts';
import {
  type FieldNames,
  type FieldSource,
  passes,
  placesIn,
  selectOf,
  shownOf,
  sortOf,
} from '#kit/server/record/columns.ts';
import { wordsOf } from '#kit/server/search.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { viewHandlers } from './list-views.ts';
import { countLimit, mostCounted, type Order, readPage } from './pagination.ts';
import { tableFile } from './table-file.ts';

type SortedOf<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends { isSorted: true } ? Name : never;
}[keyof Columns];

/** A value for each of some columns or filters; one that shows a field may have it. */
type ButFields<Some, Value> = Record<Exclude<keyof Some, FieldNames<Some>>, Value> &
  Partial<Record<FieldNames<Some> & keyof Some, Value>>;

/** The sort key of a column; `id` is the record's id where an index has it beside the key. */
type SortKey = Pick<Order, 'by' | 'as'> & Partial<Pick<Order, 'id'>>;

/** Where a list's records come from, for one request. */
interface ListSource<List extends RecordListDefinition, DB, TB extends keyof DB, Row extends { id: number }> {
  /** The records that the user may see, each once. */
  query: SelectQueryBuilder<DB, TB, Row>;
  /** The same records by a query that counts all of them faster than it finds the rows of a page. */
  all?: SelectQueryBuilder<DB, TB, object>;
  /** The column of their id, such as `staff.id`. */
  id: string;
  /** Finds the records that have a word of the search. */
  matches: (word: string) => Expression<SqlBool>;
  /** The condition of each tab; none for all records. */
  tabs: Record<keyof List['tabs'], Expression<SqlBool> | undefined>;
  /** Of the filters that are no fields, and of fields whose condition is another one. */
  filters: ButFields<List['filters'], (value: string) => Expression<SqlBool>>;
  sorts: ButFields<Pick<List['columns'], SortedOf<List['columns']>>, SortKey>;
  /** The rows of a page or an export but for their fields; what other features know of them is read for all at once. */
  toRows: (rows: Row[]) => Promise<Omit<z.output<List['row']>, FieldNames<List['columns']>>[]>;
  /** The record whose fields are columns and filters. */
  record?: FieldSource;
  /** What the rows are of, such as a year: in the head of an export, and in its name. */
  of?: { name: string; facts: [name: Text, value: string][] };
  /** The records are people: an export that names them is counted. */
  isPeople?: boolean;
  /** Tabs are counted in one pass over the records: where finding them costs more than counting them all. */
  isCountedAtOnce?: boolean;
  /** The condition of the records that an export may have, even a selected one; all by default. */
  isExported?: Expression<SqlBool>;
}

/** Where the records of several lists come from; `sourceFor` of each takes what it needs of it. */
export const listSource = <List extends RecordListDefinition, DB, TB extends keyof DB, Row extends { id: number }>(
  _: List,
  source: ListSource<List, DB, TB, Row>,
) => source;

interface ServedList<Row> {
  /** The page of the list, the counts of its tabs, its export and its views. */
  routes: Route[];
  /**
   * The ids of the selected records that the user may see, in ascending order. Throws `conflict` for none and for more
   * than `mostSelected`.
   */
  selected: (ctx: UserContext, selection: Selection) => Promise<number[]>;
  /**
   * The totals of the list under some queries, each with the address of the list under it; in one statement. Figures
   * with an `own` query count what is the user's own, of all; all alone for a user to whom nothing is assigned.
   */
  figures: (ctx: UserContext, page: string, of: readonly ListFigure[]) => Promise<Figure[]>;
  /** The first rows of the list under a query and the number of all; with the address of the list under it. */
  first: (ctx: UserContext, page: string, query: ListFigure['query'], most: number) => Promise<FirstRows<Row>>;
}

interface FirstRows<Row> {
  rows: Row[];
  total: number;
  isMore: boolean;
  to: string;
}

/** A number that a list says under a query: its tab and filters. */
export interface ListFigure extends Pick<Figure, 'label' | 'isLate'> {
  query: Readonly<Record<string, string>>;
  /** What finds the user's own among them. */
  own?: Readonly<Record<string, string>>;
}

/** The address of a page with a list under a query. */
const addressOf = (page: string, query: Readonly<Record<string, string>>) => {
  const search = new URLSearchParams(Object.entries(query)).toString();
  return search ? `${page}${page.includes('?') ? '&' : '?'}${search}` : page;
};

interface ReadingOptions {
  /** Its statements are read with kept plans: where planning them costs more than running them. */
  keepsPlans?: boolean;
}

/** Serves a defined list; what is read may follow from the filters of the request. */
export function serveList<List extends RecordListDefinition, DB, TB extends keyof DB, Row extends { id: number }>(
  definition: List,
  given: (
    ctx: UserContext,
    query: Readonly<Record<string, string>>,
  ) => ListSource<List, DB, TB, Row> | Promise<ListSource<List, DB, TB, Row>>,
  { keepsPlans = false }: ReadingOptions = {},
): ServedList<z.output<List['row']>> {
  const { api, name } = definition;
  const sourceFor = async (ctx: UserContext, query: Readonly<Record<string, string>>) =>
    withFields(definition, await given(ctx, query));
  const reading = <Result>(ctx: UserContext, act: (ctx: UserContext) => Promise<Result>): Promise<Result> =>
    keepsPlans && !ctx.db.isTransaction ? keepingPlans(ctx.db, (db) => act({ ...ctx, db })) : act(ctx);
  const selected: ServedList<never>['selected'] = async (ctx, { ids, isAll, query }) => {
    const source = await sourceFor(ctx, query);
    const named = sql<boolean>`${sql.ref(source.id)} = any(${ids})`;
    const chosen = isAll
      ? inQuery(definition, source, query).where(sql<boolean>`not ${named}`)
      : source.query.where(named);
    const found = await chosen
      .clearSelect()
      .select(sql.ref<number>(source.id).as('id'))
      .orderBy(sql.ref(source.id))
      .limit(mostSelected + 1)
      .$castTo<{ id: number }>()
      .execute();
    if (found.length === 0) throw new AppError('conflict', text`Select at least one row.`);
    if (found.length > mostSelected)
      throw new AppError('conflict', text`Select at most ${{ most: mostSelected }} rows.`);
    return found.map(({ id }) => id);
  };
  const first: ServedList<z.output<List['row']>>['first'] = (asking, page, query, most) =>
    reading(asking, async (ctx) => {
      const source = await sourceFor(ctx, query);
      const known = queryIn(definition, query);
      const records = inTab(definition, source, filtered(source, known), known.tab);
      const { rows, total, isMore } = await readPage(ctx.db, records, orderOf(definition, source, known), {
        after: '',
      });
      return { rows: await source.toRows(rows.slice(0, most)), total, isMore, to: addressOf(page, query) };
    });
  const figures: ServedList<never>['figures'] = (asking, page, of) =>
    reading(asking, async (ctx) => {
      const queries = of.flatMap(({ query, own }) => (own ? [query, { ...query, ...own }] : [query]));
      const sources = await Promise.all(queries.map((query) => sourceFor(ctx, query)));
      const { rows } = await figuresOf(definition, queries, sources).execute(ctx.db);
      const totals = queries.map((query, index) => {
        const count = rows[0]?.counts[index] ?? 0;
        return {
          value: Math.min(count, mostCounted),
          ...(count > mostCounted && { isMore: true }),
          to: addressOf(page, query),
        };
      });
      const read = of.map(({ query: _, own, ...figure }) => {
        const all = totals.shift() as (typeof totals)[number];
        return { figure, all, mine: own && totals.shift() };
      });
      const hasOwn = read.some(({ mine }) => mine && mine.value > 0);
      return read.map(({ figure, all, mine }) =>
        mine && hasOwn ? { ...figure, ...mine, ofAll: all } : { ...figure, ...all },
      );
    });
  const listRoutes = routes(api, {
    list: (asking, { after, before, countsAll, ...query }) =>
      reading(asking, async (ctx) => {
        const source = await sourceFor(ctx, query);
        const records = inTab(definition, source, filtered(source, query), query.tab);
        const { rows, ...page } = await readPage(ctx.db, records, orderOf(definition, source, query), {
          after,
          before,
          countsAll,
          all: inTab(definition, source, filtered(toCount(source), query), query.tab),
        });
        return { ...page, rows: await source.toRows(rows) };
      }),
    counts: (asking, query) =>
      reading(asking, async (ctx) => {
        const source = await sourceFor(ctx, query);
        const { rows } = await countsOf(definition, source, filtered(toCount(source), query)).execute(ctx.db);
        return Object.fromEntries(
          Object.entries(rows[0]?.counts ?? {}).map(([tab, count]) => [
            tab,
            { total: Math.min(count, mostCounted), isMore: count > mostCounted },
          ]),
        );
      }),
    export: async (ctx, { as, columns, ids, ...query }) => {
      const shown = exportedOf(definition, columns);
      const source = await sourceFor(ctx, query);
      const { by, isDescending, id } = orderOf(definition, source, query);
      const direction = isDescending ? 'desc' : 'asc';
      const chosen = ids
        ? source.query.where(sql<boolean>`${sql.ref(source.id)} = any(${ids.split(',').map(Number)})`)
        : inTab(definition, source, filtered(source, query), query.tab);
      const exported = source.isExported ? chosen.where(source.isExported) : chosen;
      const found = await exported
        .orderBy(by as Expression<string>, direction)
        .orderBy(sql.ref<number>(id), direction)
        .limit(mostExported + 1)
        .$castTo<Row>()
        .execute();
      if (found.length > mostExported) throw new AppError('conflict', text`This list is too long. Filter it first.`);
      const rows = await source.toRows(found);
      const table = {
        name: [english(definition.plural).replaceAll(' ', '-'), ...(source.of ? [source.of.name] : [])].join('-'),
        title: definition.plural,
        ...(source.of && { facts: source.of.facts }),
        heads: shown.map(([, { label }]) => label),
        rows: rows.map((row) => shown.map(([name, column]) => cellOf(column, (row as ListRow)[name]))),
      };
      const act = {
        action: `${name}.exported`,
        entity: name,
        entityId: 0,
        details: { rows: found.length, as, columns: shown.map(([, { label }]) => english(label)).join(', ') },
        names: source.isPeople ? found.length : 0,
      };
      return takeNames(ctx, act, () => tableFile(ctx, table, as));
    },
    ...viewHandlers(definition),
  });
  return { routes: listRoutes, selected, figures, first };
}

/** The records of a list as they are counted. */
const toCount = <
  DB,
  TB extends keyof DB,
  Source extends { query: SelectQueryBuilder<DB, TB, object>; all?: SelectQueryBuilder<DB, TB, object> },
>(
  source: Source,
) => ({ ...source, query: (source.all ?? source.query).clearSelect() });

/** The statement that counts the records of each tab. */
function countsOf<DB, TB extends keyof DB>(
  { tabs }: RecordListDefinition,
  source: { tabs: Record<string, Expression<SqlBool> | undefined>; isCountedAtOnce?: boolean },
  records: SelectQueryBuilder<DB, TB, object>,
): RawBuilder<{ counts: Record<string, number> }> {
  const names = Object.keys(tabs);
  if (source.isCountedAtOnce) {
    const places = names.map((tab, index) => sql<boolean>`${source.tabs[tab] ?? sql`true`}`.as(`tab${index}`));
    const counts = names.map((tab, index) => sql`${tab}::text, count(*) filter (where ${sql.ref(`tab${index}`)})`);
    return sql`select json_build_object(${sql.join(counts)}) as counts from ${records.select(places)} as counted`;
  }
  const counts = names.map((tab) => {
    const condition = source.tabs[tab];
    const all = records.select(sql<number>`1`.as('one'));
    const some = (condition ? all.where(condition) : all).limit(countLimit);
    return sql`${tab}::text, (select count(*) from ${some} as counted)`;
  });
  return sql`select json_build_object(${sql.join(counts)}) as counts`;
}

/** The statement that counts the records under each of some queries: in one pass over them where the list is counted at once. */
function figuresOf<List extends RecordListDefinition, DB, TB extends keyof DB, Row extends { id: number }>(
  definition: List,
  queries: readonly ListFigure['query'][],
  sources: readonly WholeSource<List, DB, TB, Row>[],
): RawBuilder<{ counts: number[] }> {
  const [first] = sources;
  const recordsOf = (source: WholeSource<List, DB, TB, Row>) => toCount(source).query;
  const textOf = (source: WholeSource<List, DB, TB, Row>) => {
    const { sql: words, parameters } = recordsOf(source).compile();
    return JSON.stringify([words, parameters]);
  };
  if (first?.isCountedAtOnce && sources.every((source) => textOf(source) === textOf(first))) {
    const passed = queries.map((query, index) =>
      sql<boolean>`${sql.join([sql`true`, ...conditionsIn(definition, first, query)], sql` and `)}`.as(
        `passes${index}`,
      ),
    );
    const counts = queries.map((_, index) => sql`count(*) filter (where ${sql.ref(`passes${index}`)})::integer`);
    return sql`select array[${sql.join(counts)}] as counts from ${recordsOf(first).select(passed)} as counted`;
  }
  const counts = queries.map((query, index) => {
    const source = sources[index] as (typeof sources)[number];
    const some = inQuery(definition, toCount(source), query).select(sql<number>`1`.as('one')).limit(countLimit);
    return sql`(select count(*)::integer from ${some} as counted)`;
  });
  return sql`select array[${sql.join(counts)}] as counts`;
}

/** What a list reads, with what follows from the fields of its record. */
interface WholeSource<List extends RecordListDefinition, DB, TB extends keyof DB, Row extends { id: number }>
  extends Pick<
    ListSource<List, DB, TB, Row>,
    'query' | 'all' | 'id' | 'matches' | 'tabs' | 'of' | 'isPeople' | 'isCountedAtOnce' | 'isExported'
  > {
  filters: Record<string, (value: string) => Expression<SqlBool>>;
  sorts: Record<string, SortKey>;
  toRows: (rows: Row[]) => Promise<z.output<List['row']>[]>;
}

function withFields<List extends RecordListDefinition, DB, TB extends keyof DB, Row extends { id: number }>(
  { columns, filters }: List,
  source: ListSource<List, DB, TB, Row>,
): WholeSource<List, DB, TB, Row> {
  const places = placesIn(columns);
  const { record } = source;
  if (!record) return source as unknown as WholeSource<List, DB, TB, Row>;
  return {
    ...source,
    query: source.query.select(places.map(([name, place]) => selectOf(place, record).as(name))) as typeof source.query,
    filters: {
      ...Object.fromEntries(
        placesIn(filters).map(([name, place]) => [name, (value: string) => passes(place, record, value)]),
      ),
      ...source.filters,
    },
    sorts: {
      ...Object.fromEntries(
        places.flatMap(([name, place]) => (columns[name]?.isSorted ? [[name, sortOf(place, record)]] : [])),
      ),
      ...source.sorts,
    },
    toRows: async (rows) => {
      const others = await source.toRows(rows);
      return others.map((row, index) => {
        const read = rows[index] as Readonly<Record<string, unknown>>;
        return { ...row, ...Object.fromEntries(places.map(([name, place]) => [name, shownOf(place, read[name])])) };
      }) as z.output<List['row']>[];
    },
  };
}

/** The condition of a filter that another feature answers in its manifest. No record passes where none does. */
export function conditionOf(
  ctx: UserContext,
  { list, filter }: Pick<ListCondition, 'list' | 'filter'>,
  id: Expression<number>,
  value: string,
): Expression<SqlBool> {
  const found = ctx.listConditions.find((given) => given.list === list && given.filter === filter);
  return found?.passes(ctx, id, value) ?? sql<boolean>`false`;
}

/** A query as the list reads it; throws `malformed` for filters and tabs of another list. */
function queryIn(definition: RecordListDefinition, given: Selection['query']): ListQuery {
  const { data } = z.object(definition.query).safeParse(given);
  if (!data) throw malformed('This list has no such filter.');
  return data as ListQuery;
}

type Conditions = Pick<WholeSource<RecordListDefinition, never, never, never>, 'matches' | 'filters' | 'tabs'>;

/** The records under the filters and tab of a selection; throws `malformed` for others than those of the list. */
function inQuery<DB, TB extends keyof DB, Row extends { id: number }>(
  definition: RecordListDefinition,
  source: Conditions & { query: SelectQueryBuilder<DB, TB, Row> },
  given: Selection['query'],
) {
  return conditionsIn(definition, source, given).reduce((some, condition) => some.where(condition), source.query);
}

/** What a record passes that is under the filters and tab of a selection; throws `malformed` for others than those of the list. */
function conditionsIn(definition: RecordListDefinition, source: Conditions, given: Selection['query']) {
  const query = queryIn(definition, given);
  const tab = tabOf(definition, source, query.tab);
  return [...passed(source, query), ...(tab ? [tab] : [])];
}

/** The records that have every word of the search and pass every filter. */
const filtered = <DB, TB extends keyof DB, Row extends { id: number }>(
  source: Pick<Conditions, 'matches' | 'filters'> & { query: SelectQueryBuilder<DB, TB, Row> },
  query: ListQuery,
) => passed(source, query).reduce((some, condition) => some.where(condition), source.query);

/** The conditions of the words of a search and of filters. */
function passed({ matches, filters }: Pick<Conditions, 'matches' | 'filters'>, query: ListQuery) {
  const chosen = Object.entries(filters).flatMap(([name, condition]) => {
    const value = query[name];
    return value && value !== everyone ? [condition(value)] : [];
  });
  return [...wordsOf(query.search).map(matches), ...chosen];
}

/** The condition of a tab, if it has one; '' is the first one. */
const tabOf = (definition: RecordListDefinition, { tabs }: Pick<Conditions, 'tabs'>, tab: string) =>
  tabs[tab || (Object.keys(definition.tabs)[0] ?? '')];

/** The records of a tab. */
function inTab<DB, TB extends keyof DB, Row>(
  definition: RecordListDefinition,
  source: Pick<Conditions, 'tabs'>,
  query: SelectQueryBuilder<DB, TB, Row>,
  tab: string,
) {
  const condition = tabOf(definition, source, tab);
  return condition ? query.where(condition) : query;
}

/** The order of `sort`, descending for "-name"; by default the usual one of the list's tab. */
function orderOf(
  definition: RecordListDefinition,
  { sorts, id }: { sorts: Record<string, SortKey>; id: string },
  asked: { sort: string; tab: string },
): Order {
  const sort = asked.sort || usualSort(definition, asked.tab);
  const name = sort.replace(/^-/, '');
  const key = Object.hasOwn(sorts, name) ? sorts[name] : undefined;
  if (!key) throw malformed('This list has no such order.');
  return { id, ...key, isDescending: sort.startsWith('-') };
}

/** The named columns in their order, without unknown ones; all if none is known. */
function columnsOf({ columns }: RecordListDefinition, names: string): [name: string, ListColumn][] {
  const known = [...new Set(names.split(','))].flatMap((name): [string, ListColumn][] => {
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    return column ? [[name, column]] : [];
  });
  return known.length > 0 ? known : Object.entries(columns);
}

/** The columns of an export. Throws `conflict` for a named one that needs a reason, which other exports ask for. */
function exportedOf(definition: RecordListDefinition, names: string) {
  const shown = columnsOf(definition, names);
  const hidden = shown.filter(([, { needsReason }]) => needsReason);
  if (names !== '' && hidden.length > 0) {
    const labels = hidden.map(([, { label }]) => english(label)).join(', ');
    throw new AppError('conflict', text`A file with these columns needs a reason. Hide them first: ${{ labels }}.`);
  }
  return shown.filter((column) => !hidden.includes(column));
}

/** Numbers stay numbers, so that a spreadsheet can calculate with them: amounts in rupees. */
function cellOf({ kind }: ListColumn, value: unknown): string | number | null {
  if (typeof value === 'number') return kind === 'money' || kind === 'percent' ? value / 100 : value;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return (Array.isArray(value) ? value.join('; ') : String(value ?? '')) || null;
}
