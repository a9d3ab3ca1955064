import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

interface Key {
  table: string;
  column: string;
  to: 'student' | 'student_enrollment' | 'guardian';
  /** PostgreSQL deletes the row, or empties its key, with the record. */
  goesAlong: boolean;
}

/** The foreign keys to these tables, as the database has them. */
async function keysTo({ db }: Pick<Context, 'db'>, ...targets: Key['to'][]): Promise<Key[]> {
  const { rows } = await sql<Key>`
    select conrelid::regclass::text as "table", attname::text as "column", confrelid::regclass::text as "to",
      confdeltype in ('c', 'n') as "goesAlong"
    from pg_constraint key join pg_attribute part on part.attrelid = key.conrelid and part.attnum = key.conkey[1]
    where key.contype = 'f' and key.confrelid = any(${targets}::regclass[]) order by 1, 2`.execute(db);
  return rows;
}

/** How many rows of each table hang on a student, also by an enrolment; tables without one are left out. */
export async function countHanging(ctx: Pick<Context, 'db'>, studentId: number): Promise<Map<string, number>> {
  const keys = await keysTo(ctx, 'student', 'student_enrollment');
  const counts = keys.map(({ table, column, to }) => {
    const key = sql.ref(`own.${column}`);
    const isOwn =
      to === 'student'
        ? sql`${key} = ${studentId}`
        : sql`${key} in (select id from student_enrollment where student_id = ${studentId})`;
    return sql`select ${table}::text as "table", count(*)::integer as count from ${sql.table(table)} own where ${isOwn}`;
  });
  const { rows } = await sql<{ table: string; count: number }>`
    select "table", max(count) as count from (${sql.join(counts, sql` union all `)}) as hanging
    where count > 0 group by "table" order by "table"`.execute(ctx.db);
  return new Map(rows.map(({ table, count }) => [table, count]));
}

/** True in a query of `guardian` of adults whom no row needs. */
export async function isUnneeded(ctx: Pick<Context, 'db'>) {
  const keys = await keysTo(ctx, 'guardian');
  const needs = keys
    .filter(({ goesAlong }) => !goesAlong)
    .map(
      ({ table, column }) =>
        sql`not exists (select from ${sql.table(table)} own where ${sql.ref(`own.${column}`)} = guardian.id)`,
    );
  return sql<boolean>`(guardian.staff_id is null and ${sql.join(needs, sql` and `)})`;
}
