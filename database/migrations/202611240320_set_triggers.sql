-- The rules of sections and choices are asked once a statement, of all its rows together: what comes in thousands, such as an
-- import or a school that is made up, took a query for every row. The rules are the same, and so are the locks. The tables
-- are read by their indexes, even while PostgreSQL still takes them for small.

drop trigger inside on student_section;
drop trigger inside on student_enrollment;
drop function student_keep_section_inside();

-- Nobody is in a section before they joined, after they left, or outside the year.
create function student_keep_sections_inside() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  is_outside boolean;
begin
  if tg_table_name = 'student_enrollment' then
    is_outside := exists (
      select 1 from changed enrollment
      join student_section own on own.enrollment_id = enrollment.id
      join academic_year year on year.id = own.academic_year_id
      where own.effective_from < greatest(enrollment.joined_on, year.starts_on)
        or greatest(own.effective_from, coalesce(own.effective_to, year.ends_on)) > least(enrollment.left_on, year.ends_on));
  else
    if tg_op = 'INSERT' then
      perform 1 from student_enrollment where id = any (array(select enrollment_id from changed)) order by id for share;
    else
      perform 1 from student_enrollment where id = any (array(
          select later.enrollment_id from changed later join before earlier on earlier.id = later.id
          where (earlier.enrollment_id, earlier.effective_from, earlier.effective_to)
            is distinct from (later.enrollment_id, later.effective_from, later.effective_to)))
        order by id for share;
    end if;
    is_outside := exists (
      select 1 from changed own
      join student_enrollment enrollment on enrollment.id = own.enrollment_id
      join academic_year year on year.id = own.academic_year_id
      where own.effective_from < greatest(enrollment.joined_on, year.starts_on)
        or greatest(own.effective_from, coalesce(own.effective_to, year.ends_on)) > least(enrollment.left_on, year.ends_on));
  end if;
  if is_outside then
    raise exception 'a section is held only while enrolled' using errcode = '23514', constraint = 'student_section_inside';
  end if;
  return null;
end $$;
create trigger inside after insert on student_section
  referencing new table as changed for each statement execute function student_keep_sections_inside();
create trigger inside_still after update on student_section
  referencing old table as before new table as changed for each statement execute function student_keep_sections_inside();
create trigger inside after update on student_enrollment
  referencing new table as changed for each statement execute function student_keep_sections_inside();

drop trigger capacity on student_section;
drop trigger capacity on academic_section;
drop function student_keep_capacity();

-- On no day are more students in a section than it holds, whichever of the two is changed. The sections are held, so that
-- of two who come for the last seat one waits for the other.
create function student_keep_capacities() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  touched integer[];
begin
  if tg_table_name = 'academic_section' then
    touched := array(select later.id from changed later join before earlier on earlier.id = later.id
      where later.capacity < earlier.capacity);
  elsif tg_op = 'INSERT' then
    touched := array(select distinct section_id from changed);
  else
    touched := array(select distinct later.section_id from changed later join before earlier on earlier.id = later.id
      where (earlier.section_id, earlier.effective_from, earlier.effective_to)
        is distinct from (later.section_id, later.effective_from, later.effective_to));
  end if;
  perform 1 from academic_section where id = any (touched) order by id for no key update;
  if exists (
      select 1 from unnest(touched) as touched_id
      join academic_section section on section.id = touched_id
      cross join lateral (
        select distinct effective_from as day from student_section own where own.section_id = section.id) as days
      where section.capacity < (select count(*) from student_section other where other.section_id = section.id
        and days.day between other.effective_from and coalesce(other.effective_to, 'infinity'))) then
    raise exception 'the section is full' using errcode = '23514', constraint = 'academic_section_capacity_held';
  end if;
  return null;
end $$;
create trigger capacity after insert on student_section
  referencing new table as changed for each statement execute function student_keep_capacities();
create trigger capacity_still after update on student_section
  referencing old table as before new table as changed for each statement execute function student_keep_capacities();
create trigger capacity after update on academic_section
  referencing old table as before new table as changed for each statement execute function student_keep_capacities();

drop trigger choices on student_subject;
drop function student_keep_choices();

-- Nobody chooses more of a group than it allows. What is chosen, the group a subject is in and how many the group allows
-- can each be changed, so each holds what the others would change.
create function student_keep_choices() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  touched integer[] := array(select distinct enrollment_id from changed);
begin
  perform 1 from student_enrollment where id = any (touched) order by id for no key update;
  perform 1 from configuration_grade_subject where id in (
      select taken.id from unnest(touched) as touched_id
      join student_subject own on own.enrollment_id = touched_id
      join configuration_grade_subject taken on taken.academic_year_id = own.academic_year_id and taken.program_id = own.program_id
        and taken.grade_id = own.grade_id and taken.subject_id = own.subject_id)
    order by id for share;
  perform 1 from configuration_elective_group where id in (
      select taken.elective_group_id from unnest(touched) as touched_id
      join student_subject own on own.enrollment_id = touched_id
      join configuration_grade_subject taken on taken.academic_year_id = own.academic_year_id and taken.program_id = own.program_id
        and taken.grade_id = own.grade_id and taken.subject_id = own.subject_id)
    order by id for share;
  if exists (
      select 1 from unnest(touched) as touched_id
      join student_subject own on own.enrollment_id = touched_id
      join configuration_grade_subject taken on taken.academic_year_id = own.academic_year_id
        and taken.program_id = own.program_id and taken.grade_id = own.grade_id and taken.subject_id = own.subject_id
      join configuration_elective_group choice on choice.id = taken.elective_group_id
      group by own.enrollment_id, choice.id
      having count(*) > max(choice.max_choices)) then
    raise exception 'more electives than the group allows' using errcode = '23514', constraint = 'student_subject_most';
  end if;
  return null;
end $$;
create trigger choices after insert on student_subject
  referencing new table as changed for each statement execute function student_keep_choices();
create trigger choices_still after update on student_subject
  referencing new table as changed for each statement execute function student_keep_choices();

-- Of a year's own rows none may be added, changed or removed once the year is closed.
create function academic_refuse_closed_years() returns trigger language plpgsql as $$
declare
  touched integer[];
begin
  if tg_op = 'INSERT' then
    touched := array(select distinct academic_year_id from changed);
  elsif tg_op = 'DELETE' then
    touched := array(select distinct academic_year_id from before);
  else
    touched := array(select academic_year_id from changed union select academic_year_id from before);
  end if;
  if (select bool_or(status = 'Closed')
      from (select status from academic_year where id = any (touched) order by id for share) as years) then
    raise exception 'the academic year is closed' using errcode = '23514', constraint = 'academic_year_is_closed';
  end if;
  return null;
end $$;

do $$
declare
  name text;
begin
  foreach name in array array['student_enrollment', 'student_section', 'student_subject', 'academic_section_teacher'] loop
    execute format('drop trigger closed_year on %I', name);
    execute format('create trigger closed_year after insert on %I referencing new table as changed
      for each statement execute function academic_refuse_closed_years()', name);
    execute format('create trigger closed_year_still after update on %I referencing old table as before new table as changed
      for each statement execute function academic_refuse_closed_years()', name);
    execute format('create trigger closed_year_gone after delete on %I referencing old table as before
      for each statement execute function academic_refuse_closed_years()', name);
  end loop;
end $$;

-- Takes the statistics of a table that was just filled, which only its owner may. Without them PostgreSQL goes on with plans
-- for an empty table, such as reading a whole grade for each student, until its own clock comes round.
create function take_statistics(filled regclass) returns void language plpgsql security definer set search_path = '' as $$
begin
  execute format('analyze %s', filled);
end $$;
revoke execute on function take_statistics(regclass) from public;
grant execute on function take_statistics(regclass) to shala_app;
