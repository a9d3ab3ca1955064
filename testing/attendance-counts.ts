import type { School } from './school.ts';

/** The registers and codes whose kept counts differ from those of their marks. */
export const miscounted = (school: Pick<School, 'sql'>) =>
  school.sql(`
    select * from (
      select mark.register_id, mark.code_id, count(*)::integer as marks, count(*) filter (where exists (
        select from student_enrollment enrollment
        where enrollment.student_id = mark.student_id and enrollment.academic_year_id = mark.academic_year_id
          and enrollment.status <> 'Cancelled'
          and mark.day between enrollment.joined_on and coalesce(enrollment.left_on, 'infinity')))::integer as counted
      from attendance_mark mark group by mark.register_id, mark.code_id) as real
    full join attendance_count as kept using (register_id, code_id)
    where (real.marks, real.counted) is distinct from (kept.marks, kept.counted)`);
