import { nextNumber } from './numbers.ts';
import type { School } from './school.ts';

/** The place where a child is enrolled; a section determines all of it. */
export interface EnrolmentPlace {
  academicYearId: number;
  branchId: number;
  programId: number;
  gradeId: number;
}

/** The default child: a girl with a GR number of her own, enrolled from the year's first day. */
interface More {
  gender?: string;
  grNo?: string;
  birthDate?: string;
  joinedOn?: string;
  lastName?: string;
}

/** Enrols a child with this first name; returns the enrollment. */
export async function enroll(
  school: School,
  place: EnrolmentPlace,
  name: string,
  overrides: More = {},
): Promise<number> {
  const { gender = 'F', grNo = `G${nextNumber()}`, birthDate = '2019-01-01', lastName = 'Shah', joinedOn } = overrides;
  const { academicYearId, branchId, programId, gradeId } = place;
  const [row] = await school.sql(`
    with child as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
      values (${branchId}, '${grNo}', '${name}', '${lastName}', '${gender}', '${birthDate}') returning id)
    insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
    select child.id, year.id, ${branchId}, ${programId}, ${gradeId}, 'New', ${joinedOn ? `'${joinedOn}'` : 'year.starts_on'}
    from child, academic_year year where year.id = ${academicYearId} returning id`);
  return Number(row?.id);
}
