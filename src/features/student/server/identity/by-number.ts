import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

interface Numbered {
  studentId: number;
  name: string;
  sectionId: number | null;
  section: string;
  branchId: number;
  academicYearId: number;
}

/**
 * The students of a day with this GR number, or with this roll number in this section, as "5B 17" or "Grade 5, B 17"; a few at
 * most.
 */
export async function studentsByNumber({ db }: Pick<Context, 'db'>, typed: string, day: string): Promise<Numbered[]> {
  const words = typed.trim().split(/\s+/);
  const roll = words.length > 1 && /^[0-9]{1,3}$/.test(words.at(-1) ?? '') ? Number(words.at(-1)) : 0;
  const place = words
    .slice(0, -1)
    .join('')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  const { rows } = await sql<Numbered>`
    select there.student_id as "studentId", student.name, there.section_id as "sectionId",
      coalesce(academic_section_name(grade.name, section.name), '') as section,
      there.branch_id as "branchId", there.academic_year_id as "academicYearId"
    from student_on(${day}) there
    join student on student.id = there.student_id
    left join academic_section section on section.id = there.section_id
    left join academic_grade grade on grade.id = section.grade_id
    where lower(student.gr_no) = lower(${typed.trim()})
      -- The number of a record that was merged is that of the kept one for ever.
      or student.id in (select merged_into_id from student merged where lower(merged.gr_no) = lower(${typed.trim()}))
      or (there.roll_no = ${roll} and ${place} <> ''
        and right(lower(regexp_replace(academic_section_name(grade.name, section.name), '[^[:alnum:]]', '', 'g')), length(${place})) = ${place})
    order by student.sort_name, student.id limit 5`.execute(db);
  return rows;
}
