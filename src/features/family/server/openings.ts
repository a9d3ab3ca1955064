import { sql } from 'kysely';
import type { Services } from '#kit/server/context.ts';

/** The days on which a guardian of a child opened the family page from a day on, the earliest first. */
export async function openingsOf(
  { db }: Pick<Services, 'db'>,
  studentId: number,
  { from, to }: { from: string; to: string },
): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct opening.day::text as day from family_pairs(${to}) pair
    join family_opening opening on opening.guardian_id = pair.guardian_id
    where pair.student_id = ${studentId} and opening.day between ${from}::date and ${to}::date order by 1`.execute(db);
  return rows.map(({ day }) => day);
}
