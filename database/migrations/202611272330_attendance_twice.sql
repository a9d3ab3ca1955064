-- Grades that take two registers a day in a year, one in the morning and one in the afternoon; all others take one.
create table attendance_twice (
  academic_year_id  integer not null references academic_year,
  grade_id          integer not null references academic_grade,
  primary key (academic_year_id, grade_id)
);
create index on attendance_twice (grade_id);
grant select, insert, delete on attendance_twice to shala_app;
create trigger closed_year after insert on attendance_twice referencing new table as changed
  for each statement execute function academic_refuse_closed_years();
create trigger closed_year_gone after delete on attendance_twice referencing old table as before
  for each statement execute function academic_refuse_closed_years();

-- The slots in which a section's register of a day is taken: as those that were taken, otherwise by its grade. A half day has
-- no afternoon.
create function attendance_slots(of_section integer, of_day date, work smallint)
  returns table (slot text, half smallint) language sql stable as $$
  select each.slot, each.half
  from (values ('Full day', 1::smallint), ('Morning', 1::smallint), ('Afternoon', 2::smallint)) as each (slot, half)
  where (each.slot <> 'Full day') = coalesce(
      (select register.slot <> 'Full day' from attendance_register register
        where register.section_id = $1 and register.day = $2 limit 1),
      exists (select from academic_section section
        join attendance_twice twice on twice.academic_year_id = section.academic_year_id and twice.grade_id = section.grade_id
        where section.id = $1))
    and (each.slot <> 'Afternoon' or $3 > 1 or exists (select from attendance_register register
      where register.section_id = $1 and register.day = $2 and register.half = 2))
$$;

-- Whether a leave for this part of the day reaches a register.
create function attendance_covers(half text, slot text) returns boolean language sql immutable as $$
  select $2 = 'Full day' or $1 = 'Whole day' or ($1 = 'First half') = ($2 = 'Morning')
$$;

-- With two registers a day, half a day of leave is leave in one of them.
create function attendance_leave_code(kind text, half text, slot text) returns integer language sql stable as $$
  select case when $3 = 'Full day' then attendance_leave_code($1, $2)
    when attendance_covers($2, $3) then attendance_leave_code($1, 'Whole day') end
$$;
