import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';

/** The active sections that members of staff lead or teach today, in the order of their grades, by staff id. */
export async function sectionsTaught(
  { db, now }: Pick<Context, 'db' | 'now'>,
  staffIds: readonly number[],
): Promise<Map<number, string[]>> {
  const today = toLocalDate(now());
  const { rows } = await sql<{ staffId: number; section: string }>`
    select distinct own.staff_id as "staffId", grade.position,
      academic_section_name(grade.name, section.name) as section
    from academic_section_teacher own
    join academic_year year on year.id = own.academic_year_id
    join academic_section section on section.id = own.section_id and section.is_active
    join academic_grade grade on grade.id = section.grade_id
    where own.staff_id = any(${staffIds}::integer[]) and own.effective_from <= ${today}
      and coalesce(own.effective_to, year.ends_on) >= ${today}
    order by grade.position, section`.execute(db);
  const byStaff = Map.groupBy(rows, ({ staffId }) => staffId);
  return new Map([...byStaff].map(([staffId, own]) => [staffId, own.map(({ section }) => section)]));
}
