import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

/** A child whom a guardian may see on a day. */
export interface FamilyChild {
  studentId: number;
  /** The first name alone. */
  name: string;
  enrollmentId: number;
  sectionId: number | null;
  /** '' without one. */
  section: string;
  gradeId: number;
  branchId: number;
  /** Without dues and bus in school matters. */
  reach: 'All' | 'School matters';
  mayCollect: boolean;
  receivesMessages: boolean;
}

/** The children whom a guardian may see on a day, the eldest first; `family_children` decides. */
export async function childrenOf({ db }: Pick<Context, 'db'>, guardianId: number, day: string): Promise<FamilyChild[]> {
  const { rows } = await sql<FamilyChild>`
    select own.student_id as "studentId", student.first_name as name, own.enrollment_id as "enrollmentId",
      own.section_id as "sectionId", coalesce(academic_section_name(grade.name, section.name), '') as section,
      own.grade_id as "gradeId", own.branch_id as "branchId", own.reach, own.may_collect as "mayCollect",
      own.receives_messages as "receivesMessages"
    from family_children(${guardianId}, ${day}) own
    join student on student.id = own.student_id
    join academic_grade grade on grade.id = own.grade_id
    left join academic_section section on section.id = own.section_id
    order by student.birth_date, student.id`.execute(db);
  return rows;
}
