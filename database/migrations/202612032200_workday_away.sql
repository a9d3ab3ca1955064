-- A mark of presence comes before an absence and before leave of the whole day. Leave of one half is kept: the person was
-- there in the other one.
create or replace view workday_away as
  select taken.day, taken.staff_id, taken.half, case leave.state when 'Asked' then 'Asked' else 'Leave' end as why
  from workday_leave_half taken
  join workday_leave leave on leave.id = taken.leave_id
  where not exists (select from workday_presence mark
    join workday_leave_half other on other.staff_id = mark.staff_id and other.day = mark.day and other.half <> taken.half
    where mark.staff_id = taken.staff_id and mark.day = taken.day and mark.kind in ('Present', 'Late', 'On duty'))
  union all
  select mark.day, mark.staff_id, halves.half, 'Absent'
  from workday_presence mark
  join (values (1::smallint), (2::smallint)) as halves (half)
    on mark.kind = 'Absent' or (mark.kind = 'Half day' and mark.half <> halves.half)
  where not exists (select from workday_leave_half taken
    where taken.staff_id = mark.staff_id and taken.day = mark.day and taken.half = halves.half);
