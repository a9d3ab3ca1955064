-- The half school days of a leave follow the calendar; `counted` keeps at least what was decided on.
alter table attendance_leave drop constraint attendance_leave_halves_check, add constraint attendance_leave_halves_check check (halves >= 0);

create function attendance_leave_weigh(of_year integer, first date, last date)
  returns table (leave_id integer, was smallint, now smallint) language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    with days as materialized (
      select own.grade_id, own.day, own.work
      from academic_school_days(of_year,
        (select min(touched.from_day) from attendance_leave touched where touched.academic_year_id = of_year
          and touched.state in ('Asked', 'Granted') and touched.from_day <= last and touched.to_day >= first),
        (select max(touched.to_day) from attendance_leave touched where touched.academic_year_id = of_year
          and touched.state in ('Asked', 'Granted') and touched.from_day <= last and touched.to_day >= first)) as own
      where own.grade_id is not null),
    weighed as (
      select own.id, own.halves as before,
        (select coalesce(sum(least(days.work, case own.half when 'Whole day' then 2 else 1 end)), 0)::smallint from days
          where days.grade_id = place.grade_id and days.day between own.from_day and own.to_day) as after
      from attendance_leave own
      join lateral student_place(own.student_id, own.from_day, own.academic_year_id) place on place.grade_id is not null
      where own.academic_year_id = of_year and own.state in ('Asked', 'Granted')
        and own.from_day <= last and own.to_day >= first)
    update attendance_leave leave set halves = weighed.after, counted = greatest(leave.counted, weighed.after)
    from weighed where leave.id = weighed.id and leave.halves <> weighed.after
    returning leave.id, weighed.before, leave.halves;
end $$;
revoke execute on function attendance_leave_weigh(integer, date, date) from public;
grant execute on function attendance_leave_weigh(integer, date, date) to shala_app;
