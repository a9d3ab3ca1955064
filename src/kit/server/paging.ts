import { type SelectQueryBuilder, sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { id, isStorable } from '#kit/contract/fields.ts';

export const pageSize = 25;
const mostCounted = 1000;

/** A text that `ilike` finds anywhere, with what was typed taken as it stands. */
export const contains = (search: string): string => `%${search.replace(/[\\%_]/g, '\\$&')}%`;

interface Paged {
  /** The column the list is in order of, and the one that tells equals apart. */
  order: [name: string, id: string];
  after: string;
}

/**
 * One page of a query in the order of two columns that its rows carry as `name` and `id`, from behind `after` on. Throws
 * `malformed` for an `after` no page gave.
 */
export async function paged<DB, TB extends keyof DB, Row extends { name: string; id: number }>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { order: [name, id], after }: Paged,
): Promise<{ rows: Row[]; next: string | null; total: number; isMore: boolean }> {
  const [nameColumn, idColumn] = [sql.ref<string>(name), sql.ref<number>(id)];
  const place = after === '' ? undefined : placeOf(after);
  const behind = place
    ? query.where(sql<boolean>`(lower(${nameColumn}), ${idColumn}) > (lower(${place.name}), ${place.id})`)
    : query;
  const all = query
    .clearSelect()
    .select(sql<number>`1`.as('one'))
    .limit(mostCounted + 1);
  const count = sql<number>`(select count(*) from (${all}) as counted)`;
  // In one statement, since each costs the server more than the counting costs the database.
  const found = (await behind
    .select(count.as('counted'))
    .orderBy(sql`lower(${nameColumn})`)
    .orderBy(idColumn)
    .limit(pageSize + 1)
    .execute()) as unknown as (Row & { counted: number })[];
  const rows: Row[] = found.slice(0, pageSize);
  const last = rows.at(-1);
  // Behind the last row there is none that could carry the count.
  const counted = found[0]?.counted ?? (place ? (await all.execute()).length : 0);
  return {
    rows,
    next:
      found.length > pageSize && last ? Buffer.from(JSON.stringify([last.name, last.id])).toString('base64url') : null,
    total: Math.min(counted, mostCounted),
    isMore: counted > mostCounted,
  };
}

function placeOf(after: string): { name: string; id: number } {
  try {
    const [name, place] = JSON.parse(Buffer.from(after, 'base64url').toString());
    if (typeof name === 'string' && isStorable(name) && typeof place === 'number') return { name, id: id.parse(place) };
  } catch {
    // Said below.
  }
  throw new AppError('malformed', 'This page of the list does not exist.');
}
