import { type Expression, type SelectQueryBuilder, type ShallowDehydrateObject, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { AppError } from '#kit/contract/errors.ts';
import { id, isRealDate, isStorable } from '#kit/contract/fields.ts';
import { end } from '#kit/contract/paging.ts';
import { type Database, preparedBy } from '#kit/server/database/database.ts';

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

/** A list: what it is in order of, and its rows, narrowed as the shape of what is asked says and with the values given. */
interface List<Shape, Given, DB, TB extends keyof DB, Row> {
  order: (shape: Shape) => Order;
  query: (
    db: Database,
    shape: Shape,
    given: Given,
  ) => SelectQueryBuilder<DB, TB, Row> | Promise<SelectQueryBuilder<DB, TB, Row>>;
}

/**
 * Gives how to read one page of a list, from behind `after` on, or the one that ends before `before`. The count stops at a
 * thousand unless all are to be counted. Its query is put together once for each shape, as `preparedBy` does. Throws
 * `malformed` for a place no page gave.
 */
export function pagesOf<Shape, Given extends object, DB, TB extends keyof DB, Row extends { id: number }>(
  list: List<Shape, Given, DB, TB, Row>,
): (db: Database, shape: Shape, given: Given, wanted: Wanted) => Promise<Page<Placed<Row>>> {
  const read = preparedBy(async (db, shape: Turned<Shape>, given: Given & Place) => {
    const { by, id, ...order } = list.order(shape.of);
    const query = await list.query(db, shape.of, given);
    const direction = (order.isDescending ?? false) !== shape.isBackward ? 'desc' : 'asc';
    const idColumn = sql.ref<number>(id);
    const behind = shape.hasPlace
      ? query.where(
          sql<boolean>`(${by}, ${idColumn}) ${sql.raw(direction === 'desc' ? '<' : '>')}
            (${given.placed}::${sql.raw(casts[order.as])}, ${given.placedId}::integer)`,
        )
      : query;
    const page = behind
      .select(sql<string>`${by}::text`.as('placed'))
      .orderBy(by as Expression<string>, direction)
      .orderBy(idColumn, direction)
      .limit(pageSize + 1);
    const found = query.clearSelect().select(sql<number>`1`.as('one'));
    const all = shape.countsAll ? found : found.limit(mostCounted + 1);
    // In one statement, since each costs the server more than the counting costs the database; and the rows as one value of
    // JSON, which it reads four times as fast as rows (docs/decisions/0032).
    return db.selectNoFrom([
      jsonArrayFrom(page).as('rows'),
      sql<number>`(select count(*) from (${all}) as counted)`.as('counted'),
    ]);
  });

  return async (db, shape, given, { after, before = '', countsAll = '' }) => {
    const isBackward = before !== '';
    const at = isBackward ? before : after;
    const place = at === '' || at === end ? undefined : placeOf(at, list.order(shape));
    const turned = { of: shape, isBackward, hasPlace: place !== undefined, countsAll: countsAll === 'yes' };
    const [found] = await read(db, turned, { ...given, placed: place?.value, placedId: place?.id });
    const { rows: all, counted } = found as unknown as { rows: Placed<Row>[]; counted: number };
    const rows = all.slice(0, pageSize);
    if (isBackward) rows.reverse();
    const hasMore = all.length > pageSize;
    return {
      rows,
      next: (isBackward ? at !== end : hasMore) ? placeAt(rows.at(-1)) : null,
      previous: (isBackward ? hasMore : turned.hasPlace) ? placeAt(rows[0]) : null,
      total: countsAll === 'yes' ? counted : Math.min(counted, mostCounted),
      isMore: countsAll !== 'yes' && counted > mostCounted,
    };
  };
}

/** The shape of what is asked, with the direction and the beginning of the page. */
interface Turned<Shape> {
  of: Shape;
  isBackward: boolean;
  hasPlace: boolean;
  countsAll: boolean;
}

/** Where a page begins; undefined at the list's own beginning or end. */
interface Place {
  placed: string | undefined;
  placedId: number | undefined;
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
