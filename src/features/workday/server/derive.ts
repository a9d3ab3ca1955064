import { sql } from 'kysely';
import type { Context, User } from '#kit/server/context.ts';

/** Marks days by the punches of people. Days without punches and marks of the office do not change. */
export async function derive(
  ctx: Pick<Context, 'db' | 'now'> & { user: Pick<User, 'staffId'> },
  staffIds: readonly number[],
  fromDay: string,
  toDay: string,
) {
  const people = [...new Set(staffIds)].sort((one, other) => one - other);
  await sql`select workday_derive(${people}::integer[], ${fromDay}::date, ${toDay}::date, ${ctx.user.staffId}::integer,
    ${ctx.now()}::timestamptz)`.execute(ctx.db);
}
