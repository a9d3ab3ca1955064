import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

/** The people with leave around some days, whose leave a change of the calendar weighs again; the caller locks them. */
export async function peopleWithLeave({ db }: Pick<Context, 'db'>, from: string, to: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select distinct staff_id as id from workday_leave_half
    where day between ${from}::date - 70 and ${to}::date + 70 order by 1`.execute(db);
  return rows.map(({ id }) => id);
}
