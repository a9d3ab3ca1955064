import { type Expression, type SelectQueryBuilder, sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { id, isRealDate, isStorable } from '#kit/contract/fields.ts';
import { end } from '#kit/contract/paging.ts';

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

type Placed = { id: number; placed: string; counted: number };

/**
 * One page of a query in an order, from behind `after` on, or the one that ends before `before`. The count stops at a
 * thousand unless all are to be counted. Throws `malformed` for a place no page gave.
 */
export async function paged<DB, TB extends keyof DB, Row extends { id: number }>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: Order,
  { after, before = '', countsAll = '' }: Wanted,
): Promise<Page<Row>> {
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
  const found = query.clearSelect().select(sql<number>`1`.as('one'));
  const all = countsAll === 'yes' ? found : found.limit(mostCounted + 1);
  const count = sql<number>`(select count(*) from (${all}) as counted)`;
  const direction = isDescending ? 'desc' : 'asc';
  // In one statement, since each costs the server more than the counting costs the database.
  const read = (await behind
    .select([count.as('counted'), sql<string>`${order.by}::text`.as('placed')])
    .orderBy(order.by as Expression<string>, direction)
    .orderBy(idColumn, direction)
    .limit(pageSize + 1)
    .execute()) as unknown as (Row & Placed)[];
  const rows = read.slice(0, pageSize);
  if (isBackward) rows.reverse();
  // Behind the last row there is none that could carry the count.
  const counted = read[0]?.counted ?? (place ? (await all.execute()).length : 0);
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

const placeAt = (row: Placed | undefined) =>
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
