import type { School } from './school.ts';
import { enroll } from './students.ts';

type More = Parameters<typeof enroll>[3];

/** Enrols a child and seats it in a section from the first day; returns the student. */
export async function seat(school: School, sectionId: number, name: string, overrides?: More): Promise<number> {
  const [place] = await school.sql(`select academic_year_id as "academicYearId", branch_id as "branchId",
    program_id as "programId", grade_id as "gradeId" from academic_section where id = ${sectionId}`);
  const enrollment = await enroll(school, place as unknown as Parameters<typeof enroll>[1], name, overrides);
  const [row] = await school.sql(`
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id,
      section_id, effective_from)
    select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${sectionId}, joined_on
    from student_enrollment where id = ${enrollment} returning student_id`);
  return Number(row?.student_id);
}

interface Adult {
  relation?: string;
  role?: 'Parent' | 'Guardian' | 'Contact';
  isPrimary?: boolean;
}

/** Links a new adult to children, by default as the father who is called first; returns the adult. */
export async function raise(
  { sql }: Pick<School, 'sql'>,
  children: readonly number[],
  { firstName, mobile = '' }: { firstName: string; mobile?: string },
  { relation = 'Father', role = 'Parent', isPrimary = true }: Adult = {},
): Promise<number> {
  const [row] = await sql(`
    with adult as (insert into guardian (first_name, last_name, mobile) values ('${firstName}', 'Shah', '${mobile}')
      returning id)
    insert into student_guardian (student_id, guardian_id, relation_id, role, is_primary)
    select child, adult.id, (select id from academic_lookup where kind = 'Relation' and name = '${relation}'), '${role}',
      ${isPrimary}
    from adult, unnest(array[${children.join(', ')}]) as child returning guardian_id`);
  return Number(row?.guardian_id);
}
