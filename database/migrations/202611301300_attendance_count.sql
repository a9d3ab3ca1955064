-- How many marks of each code a register has, and how many of them count: those of children enrolled on its day. Percentages of
-- a year read some 70,000 rows instead of 900,000 marks and their enrolments. Weights are read beside it, since the calendar
-- changes them. It has no rule of closed years: leaving that is undone later counts marks of them again, as it does in the view.
create table attendance_count (
  register_id  integer not null references attendance_register on delete cascade,
  code_id      integer not null references attendance_code,
  marks        smallint not null check (marks > 0),
  counted      smallint not null,
  primary key (register_id, code_id),
  check (counted between 0 and marks)
);
create index on attendance_count (code_id);
grant select on attendance_count to shala_app;

-- Counts registers again. Their lock comes first, so that the count sees what an act that changed the same register wrote: one
-- changes a mark while another ends the enrolment.
create function attendance_recount(registers integer[]) returns void
  language plpgsql security definer set search_path = public set enable_seqscan = off as $$
begin
  perform 1 from attendance_register where id = any (registers) order by id for no key update;
  delete from attendance_count own where own.register_id = any (registers)
    and not exists (select from attendance_mark mark where mark.register_id = own.register_id and mark.code_id = own.code_id);
  insert into attendance_count as own (register_id, code_id, marks, counted)
    select mark.register_id, mark.code_id, count(*), count(enrollment.id)
    from attendance_mark mark
    left join student_enrollment enrollment on enrollment.student_id = mark.student_id
      and enrollment.academic_year_id = mark.academic_year_id and enrollment.status <> 'Cancelled'
      and mark.day between enrollment.joined_on and coalesce(enrollment.left_on, 'infinity')
    where mark.register_id = any (registers)
    group by mark.register_id, mark.code_id
    on conflict (register_id, code_id) do update set marks = excluded.marks, counted = excluded.counted
      where (own.marks, own.counted) <> (excluded.marks, excluded.counted);
end $$;
revoke execute on function attendance_recount(integer[]) from public;

create function attendance_count_marks() returns trigger
  language plpgsql security definer set search_path = public as $$
begin
  if tg_op = 'INSERT' then
    perform attendance_recount(array(select distinct register_id from changed));
  elsif tg_op = 'DELETE' then
    perform attendance_recount(array(select distinct register_id from before));
  else
    perform attendance_recount(array(
      select changed.register_id from changed join before using (register_id, student_id)
        where changed.code_id <> before.code_id
      union select register_id from changed where not exists (
        select from before where (before.register_id, before.student_id) = (changed.register_id, changed.student_id))
      union select register_id from before where not exists (
        select from changed where (before.register_id, before.student_id) = (changed.register_id, changed.student_id))));
  end if;
  return null;
end $$;
revoke execute on function attendance_count_marks() from public;
create trigger counted after insert on attendance_mark
  referencing new table as changed for each statement execute function attendance_count_marks();
create trigger counted_still after update on attendance_mark
  referencing old table as before new table as changed for each statement execute function attendance_count_marks();
create trigger counted_gone after delete on attendance_mark
  referencing old table as before for each statement execute function attendance_count_marks();

-- An enrolment counts marks of its days: those of days that it gains or loses are counted again.
create function attendance_count_enrolled() returns trigger
  language plpgsql security definer set search_path = public set enable_seqscan = off as $$
declare
  touched integer[];
begin
  if tg_op = 'INSERT' then
    touched := array(select distinct mark.register_id from changed
      join attendance_mark mark on mark.academic_year_id = changed.academic_year_id and mark.student_id = changed.student_id
        and mark.day between changed.joined_on and coalesce(changed.left_on, 'infinity')
      where changed.status <> 'Cancelled');
  elsif tg_op = 'DELETE' then
    touched := array(select distinct mark.register_id from before
      join attendance_mark mark on mark.academic_year_id = before.academic_year_id and mark.student_id = before.student_id
        and mark.day between before.joined_on and coalesce(before.left_on, 'infinity')
      where before.status <> 'Cancelled');
  else
    -- Most changes, such as a promotion, leave the days as they are.
    touched := array(
      with own as materialized (
        select before.academic_year_id as old_year, before.student_id as old_student, before.status <> 'Cancelled' as was,
          before.joined_on as old_first, coalesce(before.left_on, 'infinity') as old_last,
          changed.academic_year_id as new_year, changed.student_id as new_student, changed.status <> 'Cancelled' as counts,
          changed.joined_on as new_first, coalesce(changed.left_on, 'infinity') as new_last
        from before join changed using (id)),
      moved as materialized (
        select * from own
        where (old_year, old_student, was, old_first, old_last) <> (new_year, new_student, counts, new_first, new_last))
      select mark.register_id from moved
        join attendance_mark mark on mark.academic_year_id = old_year and mark.student_id = old_student
          and mark.day between old_first and old_last
        where was and not (counts and (new_year, new_student) = (old_year, old_student) and mark.day between new_first and new_last)
      union
      select mark.register_id from moved
        join attendance_mark mark on mark.academic_year_id = new_year and mark.student_id = new_student
          and mark.day between new_first and new_last
        where counts and not (was and (new_year, new_student) = (old_year, old_student) and mark.day between old_first and old_last));
  end if;
  if cardinality(touched) > 0 then perform attendance_recount(touched); end if;
  return null;
end $$;
revoke execute on function attendance_count_enrolled() from public;
create trigger attendance_counted after insert on student_enrollment
  referencing new table as changed for each statement execute function attendance_count_enrolled();
create trigger attendance_counted_still after update on student_enrollment
  referencing old table as before new table as changed for each statement execute function attendance_count_enrolled();
create trigger attendance_counted_gone after delete on student_enrollment
  referencing old table as before for each statement execute function attendance_count_enrolled();

insert into attendance_count (register_id, code_id, marks, counted)
  select mark.register_id, mark.code_id, count(*), count(enrollment.id)
  from attendance_mark mark
  left join student_enrollment enrollment on enrollment.student_id = mark.student_id
    and enrollment.academic_year_id = mark.academic_year_id and enrollment.status <> 'Cancelled'
    and mark.day between enrollment.joined_on and coalesce(enrollment.left_on, 'infinity')
  group by mark.register_id, mark.code_id;

-- What `attendance_counted` says of each mark, by register and code: for percentages of sections, grades and the school.
create view attendance_counted_register as
  select register.academic_year_id, register.branch_id, register.grade_id, register.section_id, own.register_id, register.day,
    register.half, code.kind, own.counted, own.counted * register.weight * 2 as share,
    own.counted * register.weight * code.value as worth
  from attendance_count own
  join attendance_register register on register.id = own.register_id
  join attendance_code code on code.id = own.code_id
  where register.weight > 0 and code.counts_in_total and own.counted > 0;
grant select on attendance_counted_register to shala_app;

-- Whether a code is in use is asked of the counts, which are a tenth of the marks.
create or replace function attendance_keep_codes() returns trigger language plpgsql as $$
begin
  if (old.code, old.kind, old.value, old.counts_in_total, old.needs_time)
      is distinct from (new.code, new.kind, new.value, new.counts_in_total, new.needs_time)
      and exists (select from attendance_count where code_id = old.id) then
    raise exception 'the code is in use' using errcode = '23514', constraint = 'attendance_code_used';
  end if;
  return new;
end $$;
