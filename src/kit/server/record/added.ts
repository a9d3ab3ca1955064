import { type RawBuilder, sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';

/** For how many hours a record that was entered by mistake is simply removed. */
export const freshHours = 24;

interface Key {
  table: string;
  column: string;
  to: string;
  /** PostgreSQL deletes the row, or empties its key, with the record. */
  goesAlong: boolean;
}

/** The foreign keys to these tables, as the database has them. */
async function keysTo({ db }: Pick<Context, 'db'>, targets: readonly string[]): Promise<Key[]> {
  const { rows } = await sql<Key>`
    select conrelid::regclass::text as "table", attname::text as "column", confrelid::regclass::text as "to",
      confdeltype in ('c', 'n') as "goesAlong"
    from pg_constraint key join pg_attribute part on part.attrelid = key.conrelid and part.attnum = key.conkey[1]
    where key.contype = 'f' and key.confrelid = any(${targets}::regclass[]) order by 1, 2`.execute(db);
  return rows;
}

/** How many rows of each table refer to these records, each table with the SQL of its ids; tables without one are left out. */
export async function countHanging(
  ctx: Pick<Context, 'db'>,
  records: Readonly<Record<string, RawBuilder<unknown>>>,
): Promise<Map<string, number>> {
  const keys = await keysTo(ctx, Object.keys(records));
  const counts = keys.map(
    ({ table, column, to }) => sql`select ${table}::text as "table", count(*)::integer as count
      from ${sql.table(table)} own where ${sql.ref(`own.${column}`)} in (${records[to] ?? sql`null`})`,
  );
  const { rows } = await sql<{ table: string; count: number }>`
    select "table", max(count) as count from (${sql.join(counts, sql` union all `)}) as hanging
    where count > 0 group by "table" order by "table"`.execute(ctx.db);
  return new Map(rows.map(({ table, count }) => [table, count]));
}

/** True in a query of a table's rows that no row of another needs; rows that go along need none. */
export async function isUnneeded(ctx: Pick<Context, 'db'>, table: string) {
  const keys = await keysTo(ctx, [table]);
  const needs = keys
    .filter(({ goesAlong }) => !goesAlong)
    .map(
      (key) =>
        sql`not exists (select from ${sql.table(key.table)} own
          where ${sql.ref(`own.${key.column}`)} = ${sql.ref(`${table}.id`)})`,
    );
  return sql<boolean>`(${sql.join(needs, sql` and `)})`;
}

/** Counts of tables as lines, in the feature's words for the tables; those without words are other records. */
export const hangingWords = (counts: Iterable<[string, number]>, words: Readonly<Record<string, Text>>): Text[] => {
  const byWords = Map.groupBy(counts, ([table]) => words[table] ?? text`Other records`);
  return [...byWords].map(
    ([what, rows]) => text`${{ what }}: ${{ count: rows.reduce((sum, [, count]) => sum + count, 0) }}`,
  );
};

/** A record that was added, with what adding it wrote. */
interface Added {
  table: string;
  id: number;
  /** Tables with one row each that adding wrote; they go with it. */
  parts: readonly string[];
  /** What the rows of a table are where they stand in the way. */
  words: Readonly<Record<string, Text>>;
}

const notAdded = text`A record can be removed within 24 hours of adding it.`;

/**
 * Removes a record that was entered by mistake, or answers what hangs on it. The caller has locked the record, deletes its
 * parts in `unlink`, and writes the audit row.
 */
export async function removeAdded(
  ctx: UserContext,
  { table, id, parts, words }: Added,
  unlink?: () => Promise<unknown>,
): Promise<Text[]> {
  const counts = await countHanging(ctx, { [table]: sql`${id}::integer` });
  const inTheWay = [...counts].filter(([own, count]) => !(parts.includes(own) && count === 1));
  if (inTheWay.length > 0) return hangingWords(inTheWay, words);
  await unlink?.();
  const { rows } = await sql<{ isRemoved: boolean }>`select remove_added(${table}, ${id}) as "isRemoved"`.execute(
    ctx.db,
  );
  if (!rows[0]?.isRemoved) throw new AppError('conflict', notAdded);
  return [];
}

/** Whether the record was added within a day: then a mistake is simply removed. */
export async function wasAddedToday(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { entity, action, id, by }: { entity: string; action: string; id: number; by?: number },
): Promise<boolean> {
  const added = await db
    .selectFrom('audit')
    .where('entity', '=', entity)
    .where('entity_id', '=', id)
    .where('action', '=', action)
    .where('at', '>', new Date(now().getTime() - freshHours * 3_600_000))
    .$if(by !== undefined, (query) => query.where('account_id', '=', by ?? 0))
    .select('id')
    .executeTakeFirst();
  return added !== undefined;
}
