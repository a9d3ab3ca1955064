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

/**
 * The children and years whose totals differ from the sums of the marks that count, for a whole year and for the half of it;
 * of one year, if it is named.
 */
export const mistotalled = (school: Pick<School, 'sql'>, yearId?: number) =>
  school.sql(`
    select year.id as year, span.last, student_id from academic_year year
    cross join lateral (values (year.starts_on, year.ends_on), (year.starts_on + 20, year.starts_on + 180)) as span (first, last)
    cross join lateral (
      select coalesce(kept.student_id, real.student_id) as student_id
      from attendance_totals(array(select id from student), year.id, span.first, span.last) kept
      full join (
        select counted.student_id, sum(worth)::bigint as worth, sum(share)::bigint as share,
          attendance_per_mille(sum(worth)::bigint, sum(share)::bigint) as per_mille,
          coalesce(sum(share) filter (where kind = 'Present'), 0)::bigint as present,
          coalesce(sum(share) filter (where kind = 'Absent'), 0)::bigint as absent,
          coalesce(sum(share) filter (where kind = 'Late'), 0)::bigint as late,
          coalesce(sum(share) filter (where kind = 'Half day'), 0)::bigint as half_day,
          coalesce(sum(share) filter (where kind = 'Leave'), 0)::bigint as leave,
          coalesce(sum(share) filter (where kind = 'On duty'), 0)::bigint as on_duty
        from attendance_counted counted
        where counted.academic_year_id = year.id and counted.day between span.first and span.last
        group by counted.student_id) as real on real.student_id = kept.student_id
      where kept is distinct from real) as other
    where year.id = ${yearId ?? 'year.id'}`);
