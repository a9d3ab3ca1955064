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
  const [found, counted] = await Promise.all([
    behind
      .orderBy(sql`lower(${nameColumn})`)
      .orderBy(idColumn)
      .limit(pageSize + 1)
      .execute(),
    query
      .clearSelect()
      .select(sql<number>`1`.as('one'))
      .limit(mostCounted + 1)
      .execute(),
  ]);
  const rows = found.slice(0, pageSize) as Row[];
  const last = rows.at(-1);
  return {
    rows,
    next:
      found.length > pageSize && last ? Buffer.from(JSON.stringify([last.name, last.id])).toString('base64url') : null,
    total: Math.min(counted.length, mostCounted),
    isMore: counted.length > mostCounted,
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
