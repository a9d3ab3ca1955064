import { type Expression, type SelectQueryBuilder, type ShallowDehydrateObject, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { AppError } from '#kit/contract/errors.ts';
import { id, isRealDate, isStorable } from '#kit/contract/fields.ts';
import { end } from '#kit/contract/paging.ts';
import type { Database } from './database.ts';

export const pageSize = 25;
const mostCounted = 1000;

/** A text that `ilike` finds anywhere, with what was typed taken as it stands. */
export const contains = (search: string): string => `%${search.replace(/[\\%_]/g, '\\$&')}%`;

/** What a list is in order of, and the column that tells equals apart. */
export interface Order {
  /** Never null. */
  by: Expression<unknown>;
  as: 'text' | 'number' | 'date';
  isDescending?: boolean;
  id: string;
}

/** Which page is wanted, as the list's input says it. */
interface Wanted {
  after: string;
  before?: string;
  countsAll?: '' | 'yes';
}

interface Page<Row> {
  rows: Row[];
  next: string | null;
  previous: string | null;
  total: number;
  isMore: boolean;
}

/** A row as JSON carries it, in which moments are text, with its place in the order. */
type Placed<Row> = ShallowDehydrateObject<Row> & { id: number; placed: string };

/**
 * One page of a query in an order, from behind `after` on, or the one that ends before `before`. The count stops at a
 * thousand unless all are to be counted. Throws `malformed` for a place no page gave.
 */
export async function paged<DB, TB extends keyof DB, Row extends { id: number }>(
  db: Database,
  query: SelectQueryBuilder<DB, TB, Row>,
  order: Order,
  { after, before = '', countsAll = '' }: Wanted,
): Promise<Page<Placed<Row>>> {
  const isBackward = before !== '';
  const given = isBackward ? before : after;
  const place = given === '' || given === end ? undefined : placeOf(given, order);
  const isDescending = (order.isDescending ?? false) !== isBackward;
  const idColumn = sql.ref<number>(order.id);
  const behind = place
    ? query.where(
        sql<boolean>`(${order.by}, ${idColumn}) ${sql.raw(isDescending ? '<' : '>')}
          (${place.value}::${sql.raw(casts[order.as])}, ${place.id})`,
      )
    : query;
  const direction = isDescending ? 'desc' : 'asc';
  const page = behind
    .select(sql<string>`${order.by}::text`.as('placed'))
    .orderBy(order.by as Expression<string>, direction)
    .orderBy(idColumn, direction)
    .limit(pageSize + 1);
  const found = query.clearSelect().select(sql<number>`1`.as('one'));
  const all = countsAll === 'yes' ? found : found.limit(mostCounted + 1);
  // In one statement, since each costs the server more than the counting costs the database; and the rows as one value of
  // JSON, which it reads four times as fast as rows (docs/decisions/0032).
  const { read, counted } = (await db
    .selectNoFrom([
      jsonArrayFrom(page).as('read'),
      sql<number>`(select count(*) from (${all}) as counted)`.as('counted'),
    ])
    .executeTakeFirstOrThrow()) as unknown as { read: Placed<Row>[]; counted: number };
  const rows = read.slice(0, pageSize);
  if (isBackward) rows.reverse();
  const hasMore = read.length > pageSize;
  return {
    rows,
    next: (isBackward ? given !== end : hasMore) ? placeAt(rows.at(-1)) : null,
    previous: (isBackward ? hasMore : place !== undefined) ? placeAt(rows[0]) : null,
    total: countsAll === 'yes' ? counted : Math.min(counted, mostCounted),
    isMore: countsAll !== 'yes' && counted > mostCounted,
  };
}

const casts = { text: 'text', number: 'bigint', date: 'date' } as const;

const placeAt = (row: { placed: string; id: number } | undefined) =>
  row ? Buffer.from(JSON.stringify([row.placed, row.id])).toString('base64url') : null;

function placeOf(given: string, { as }: Order): { value: string; id: number } {
  try {
    const [value, place] = JSON.parse(Buffer.from(given, 'base64url').toString());
    if (typeof value === 'string' && typeof place === 'number' && isValue[as](value))
      return { value, id: id.parse(place) };
  } catch {
    // Said below.
  }
  throw new AppError('malformed', 'This page of the list does not exist.');
}

const isValue: Record<Order['as'], (value: string) => boolean> = {
  text: isStorable,
  number: (value) => /^-?[0-9]{1,10}$/.test(value) && Math.abs(Number(value)) <= 2 ** 31,
  date: (value) => isRealDate(value),
};
