import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database/database.ts';
import { auditAll } from '#kit/server/security/audit.ts';

const tables = [
  ['academic_department', sql`academic_department`],
  ['academic_house', sql`academic_house`],
] as const;

/** The departments and houses that a person leads. */
export async function readLed({ db }: Pick<Context, 'db'>, staffId: number) {
  const { rows } = await sql<{ kind: (typeof tables)[number][0]; id: number; name: string; version: number }>`
    select 'academic_department' as kind, id, name, version from academic_department where staff_id = ${staffId}
    union all select 'academic_house', id, name, version from academic_house where staff_id = ${staffId}
    order by kind, name`.execute(db);
  return rows;
}

/**
 * Leaves the departments and houses without a head whose last day is before `day`, of one person or of all, and writes
 * it in their history.
 */
export async function endLeading(ctx: Parameters<typeof auditAll>[0], day: string, staffId: number | null = null) {
  for (const [entity, table] of tables) {
    const { rows } = await sql<{ id: number; name: string; version: number }>`
      update ${table} as led set staff_id = null, version = led.version + 1 from staff
      where staff.id = led.staff_id and staff.id = coalesce(${staffId}::integer, staff.id) and (select max(coalesce(last_day, 'infinity')) from staff_employment
        where staff_id = staff.id) < ${day}::date
      returning led.id, staff.name, led.version`.execute(ctx.db);
    await auditAll(
      ctx,
      rows.map(({ id, name, version }) => ({
        ...(!ctx.user && { actor: 'System' }),
        action: 'staff.leading-ended',
        entity,
        entityId: id,
        version,
        details: { Head: name },
      })),
    );
  }
}

/** Undated posts end after the last day of work: every hour. */
export const endPastLeading = (db: Database, day?: string) =>
  db.transaction().execute(async (inside) => {
    const { rows } = await sql<{ today: string }>`select school_now()::date::text as today`.execute(inside);
    await endLeading({ db: inside, requestId: 'tidy', address: '127.0.0.1' }, day ?? rows[0]?.today ?? '');
  });
