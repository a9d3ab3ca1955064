import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';

/** The active sections that the user leads and teaches on a day, which `user.scope` has for today. */
export async function rightsOnDay(
  { db, user }: UserContext,
  day: string,
): Promise<{ led: number[]; taught: number[] }> {
  const { rows } = await sql<{ led: number[]; taught: number[] }>`
    select coalesce(array_agg(distinct own.section_id) filter (where own.subject_id is null), '{}') as led,
      coalesce(array_agg(distinct own.section_id) filter (where own.subject_id is not null), '{}') as taught
    from academic_section_teacher own
    join academic_year year on year.id = own.academic_year_id
    join academic_section section on section.id = own.section_id and section.is_active
    where own.staff_id = ${user.staffId} and ${user.role} = 'Staff' and own.effective_from <= ${day}
      and coalesce(own.effective_to, year.ends_on) >= ${day}`.execute(db);
  return rows[0] ?? { led: [], taught: [] };
}
