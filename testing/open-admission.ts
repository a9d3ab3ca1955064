import type { School } from './school.ts';

/** Plans seats in every grade, so that the years are open for admission. */
export const openAdmission = ({ sql }: Pick<School, 'sql'>, years = 'true') =>
  sql(`insert into admission_seat (academic_year_id, branch_id, program_id, grade_id, quota, total)
    select academic_year.id, branch.id, program.id, grade.id, 'General', 500
    from academic_year, academic_branch branch, academic_program program, academic_grade grade
    where academic_year.status <> 'Closed' and ${years} on conflict do nothing`);
