-- The totals of children, as before. Marks are read by child, and what is known of their registers and enrolments once: a plan
-- that was kept for all children looked up register and enrolment again for each mark of a year.
create or replace function attendance_totals(students integer[], of_year integer, first date, last date) returns table (
  student_id integer, worth bigint, share bigint, per_mille integer,
  present bigint, absent bigint, late bigint, half_day bigint, leave bigint, on_duty bigint
) language sql stable as $$
  with enrolled as materialized (
    select enrollment.student_id, enrollment.joined_on, coalesce(enrollment.left_on, 'infinity') as left_on
    from student_enrollment enrollment
    where enrollment.student_id = any ($1) and enrollment.academic_year_id = $2 and enrollment.status <> 'Cancelled'),
  own as materialized (
    select enrolled.student_id, mark.register_id, mark.code_id
    from enrolled
    cross join lateral (
      select mark.register_id, mark.code_id from attendance_mark mark
      where mark.academic_year_id = $2 and mark.student_id = enrolled.student_id
        and mark.day between greatest($3, enrolled.joined_on) and least($4, enrolled.left_on) offset 0) as mark),
  taken as materialized (
    select register.id, register.weight from attendance_register register
    where register.id = any (array(select distinct own.register_id from own)) and register.weight > 0),
  counted as (
    select own.student_id, code.kind, sum(taken.weight * 2) as share, sum(taken.weight * code.value) as worth
    from own join taken on taken.id = own.register_id
    join attendance_code code on code.id = own.code_id and code.counts_in_total
    group by own.student_id, code.kind)
  select counted.student_id, sum(counted.worth)::bigint, sum(counted.share)::bigint,
    attendance_per_mille(sum(counted.worth)::bigint, sum(counted.share)::bigint),
    coalesce(sum(counted.share) filter (where counted.kind = 'Present'), 0)::bigint,
    coalesce(sum(counted.share) filter (where counted.kind = 'Absent'), 0)::bigint,
    coalesce(sum(counted.share) filter (where counted.kind = 'Late'), 0)::bigint,
    coalesce(sum(counted.share) filter (where counted.kind = 'Half day'), 0)::bigint,
    coalesce(sum(counted.share) filter (where counted.kind = 'Leave'), 0)::bigint,
    coalesce(sum(counted.share) filter (where counted.kind = 'On duty'), 0)::bigint
  from counted group by counted.student_id
$$;
