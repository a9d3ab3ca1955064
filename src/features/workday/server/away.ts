import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

/** Who of these people, or of all, is away on a day, and in which halves. */
export async function awayOn({ db }: Pick<Context, 'db'>, day: string, staffIds?: readonly number[]) {
  const { rows } = await sql<{ staffId: number; halves: number[] }>`
    select staff_id as "staffId", array_agg(distinct half order by half)::integer[] as halves from workday_away
    where day = ${day}::date and ${staffIds ? sql`staff_id = any(${[...staffIds]}::integer[])` : sql`true`}
    group by staff_id order by staff_id`.execute(db);
  return rows;
}

/** Which halves of the days these people work. */
export async function worksOn({ db }: Pick<Context, 'db'>, staffIds: readonly number[], from: string, to: string) {
  const { rows } = await sql<{ staffId: number; day: string; first: boolean; second: boolean }>`
    select staff_id as "staffId", day::text, first_works as first, second_works as second
    from workday_on(${[...staffIds]}::integer[], ${from}::date, ${to}::date) order by staff_id, day`.execute(db);
  return rows;
}

/** The people with leave around some days, whose leave a change of the calendar weighs again; the caller locks them. */
export async function peopleWithLeave({ db }: Pick<Context, 'db'>, from: string, to: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select distinct staff_id as id from workday_leave_half
    where day between ${from}::date - 70 and ${to}::date + 70 order by 1`.execute(db);
  return rows.map(({ id }) => id);
}
