import { type Expression, type SelectQueryBuilder, sql } from 'kysely';
import { malformed } from '#kit/contract/errors.ts';
import { id, isRealDate } from '#kit/contract/fields.ts';
import { end } from '#kit/contract/paging.ts';
import { isStorable } from '#kit/contract/storable.ts';
import type { Database } from '#kit/server/database/database.ts';

const pageSize = 25;
/** A school of a few thousand children sees its exact number; the counts of longer lists end here. */
export const mostCounted = 10_000;
/** A constant in the statement: a kept plan that does not know the limit is made for all rows. */
export const countLimit = sql.lit(mostCounted + 1);

/** A pattern for `ilike` that matches the typed text anywhere, with wildcards escaped. */
export const contains = (search: string): string => `%${search.replace(/[\\%_]/g, '\\$&')}%`;

/** The sort key of a list, and the column that makes it unique. */
export interface Order {
  /** Never null. */
  by: Expression<unknown>;
  as: 'text' | 'number' | 'date' | 'moment';
  isDescending?: boolean;
  id: string;
}

/** The page to read, from the list's input. */
interface Wanted {
  after: string;
  before?: string;
  countsAll?: '' | 'yes';
}

/** A row with its place in the order. */
type Placed<Row> = Row & { placed: string };

interface Page<Row> {
  rows: Row[];
  next: string | null;
  previous: string | null;
  total: number;
  isMore: boolean;
}

/**
 * Reads the page of a list after `after`, or the one that ends before `before`. Stops counting at ten thousand unless all
 * are to be counted; `all` are the same records as they are counted. Throws `malformed` for a place that no page returned.
 */
export async function readPage<DB, TB extends keyof DB, Row extends { id: number }>(
  db: Database,
  query: SelectQueryBuilder<DB, TB, Row>,
  order: Order,
  { after, before = '', countsAll = '', all = query }: Wanted & { all?: SelectQueryBuilder<DB, TB, object> },
): Promise<Page<Placed<Row>>> {
  const isBackward = before !== '';
  const at = isBackward ? before : after;
  const place = at === '' || at === end ? undefined : readCursor(at, order);
  const idColumn = sql.ref<number>(order.id);
  const direction = (order.isDescending ?? false) !== isBackward ? 'desc' : 'asc';
  const behind = place
    ? query.where(
        sql<boolean>`(${order.by}, ${idColumn}) ${sql.raw(direction === 'desc' ? '<' : '>')}
          (${place.value}::${sql.raw(casts[order.as])}, ${place.id}::integer)`,
      )
    : query;
  const found = await behind
    .select(sql<string>`(${order.by})::text`.as('placed'))
    .orderBy(order.by as Expression<string>, direction)
    .orderBy(idColumn, direction)
    .limit(sql.lit(pageSize + 1))
    .$castTo<Placed<Row>>()
    .execute();
  // A first page that has room left has all rows.
  const isWhole = place === undefined && !isBackward && found.length <= pageSize;
  const counted = isWhole ? found.length : await countOf(db, all, countsAll);

  const rows = found.slice(0, pageSize);
  if (isBackward) rows.reverse();
  const hasMore = found.length > pageSize;
  return {
    rows,
    next: (isBackward ? at !== end : hasMore) ? placeAt(rows.at(-1)) : null,
    previous: (isBackward ? hasMore : place !== undefined) ? placeAt(rows[0]) : null,
    total: countsAll === 'yes' ? counted : Math.min(counted, mostCounted),
    isMore: countsAll !== 'yes' && counted > mostCounted,
  };
}

async function countOf<DB, TB extends keyof DB, Row>(
  db: Database,
  query: SelectQueryBuilder<DB, TB, Row>,
  countsAll: Wanted['countsAll'],
): Promise<number> {
  const all = query.clearSelect().select(sql<number>`1`.as('one'));
  const { counted } = await db
    .selectFrom((countsAll === 'yes' ? all : all.limit(countLimit)).as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('counted'))
    .executeTakeFirstOrThrow();
  return counted;
}

const casts = { text: 'text', number: 'bigint', date: 'date', moment: 'timestamptz' } as const;

const placeAt = (row: { placed: string; id: number } | undefined) =>
  row ? Buffer.from(JSON.stringify([row.placed, row.id])).toString('base64url') : null;

function readCursor(values: string, { as }: Order): { value: string; id: number } {
  try {
    const [value, place] = JSON.parse(Buffer.from(values, 'base64url').toString());
    if (typeof value === 'string' && typeof place === 'number' && isValue[as](value))
      return { value, id: id.parse(place) };
  } catch {
    // The error below covers an unreadable place.
  }
  throw malformed('This page of the list does not exist.');
}

const isValue: Record<Order['as'], (value: string) => boolean> = {
  text: isStorable,
  number: (value) => /^-?[0-9]{1,10}$/.test(value) && Math.abs(Number(value)) <= 2 ** 31,
  date: (value) => isRealDate(value),
  // As the database writes it, to the microsecond.
  moment: (value) =>
    /^[0-9]{4}-[0-9-]{5} [0-9:.]{8,15}[+-][0-9:]{2,6}$/.test(value) && !Number.isNaN(Date.parse(value)),
};
