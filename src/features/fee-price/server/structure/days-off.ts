import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { readSetting } from '#kit/server/settings.ts';
import { skipsHolidays } from '../settings.ts';

/** The days of all open years on which nothing falls due: none unless the school moves due days off holidays. */
export async function readDaysOff(ctx: Pick<Context, 'db'>): Promise<string[]> {
  if (!(await readSetting(ctx, skipsHolidays))) return [];
  const { rows } = await sql<{ day: string }>`
    select own.day::text as day from academic_year year
    cross join lateral academic_school_days(year.id, year.starts_on, year.ends_on) as own
    where year.status <> 'Closed' and own.grade_id is null and own.work = 0 order by own.day`.execute(ctx.db);
  return rows.map(({ day }) => day);
}
