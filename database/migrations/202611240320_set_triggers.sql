-- The rules of sections and choices are asked once a statement, of all its rows together: what comes in thousands, such as an
-- import or a school that is made up, took a query for every row. The rules are the same, and so are the locks.

drop trigger inside on student_section;
drop trigger inside on student_enrollment;
drop function student_keep_section_inside();

-- Nobody is in a section before they joined, after they left, or outside the year.
create function student_keep_sections_inside() returns trigger language plpgsql as $$
declare
  touched integer[];
begin
  if tg_table_name = 'student_enrollment' then
    touched := array(select id from changed);
  elsif tg_op = 'INSERT' then
    touched := array(select distinct enrollment_id from changed);
  else
    touched := array(select distinct later.enrollment_id from changed later join before earlier on earlier.id = later.id
      where (earlier.enrollment_id, earlier.effective_from, earlier.effective_to)
        is distinct from (later.enrollment_id, later.effective_from, later.effective_to));
  end if;
  perform 1 from student_enrollment where id = any (touched) order by id for share;
  if exists (
      select 1 from student_section own
      join student_enrollment enrollment on enrollment.id = own.enrollment_id
      join academic_year year on year.id = own.academic_year_id
      where own.enrollment_id = any (touched)
        and (own.effective_from < greatest(enrollment.joined_on, year.starts_on)
          or greatest(own.effective_from, coalesce(own.effective_to, year.ends_on)) >
            least(enrollment.left_on, year.ends_on))) then
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
create function student_keep_capacities() returns trigger language plpgsql as $$
declare
  touched integer[];
begin
  if tg_table_name = 'academic_section' then
    touched := array(select later.id from changed later join before earlier on earlier.id = later.id where later.capacity < earlier.capacity);
  elsif tg_op = 'INSERT' then
    touched := array(select distinct section_id from changed);
  else
    touched := array(select distinct later.section_id from changed later join before earlier on earlier.id = later.id
      where (earlier.section_id, earlier.effective_from, earlier.effective_to)
        is distinct from (later.section_id, later.effective_from, later.effective_to));
  end if;
  perform 1 from academic_section where id = any (touched) order by id for no key update;
  if exists (
      select 1 from academic_section section
      join (select distinct section_id, effective_from as day from student_section where section_id = any (touched)) as days
        on days.section_id = section.id
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
create function student_keep_choices() returns trigger language plpgsql as $$
declare
  touched integer[] := array(select distinct enrollment_id from changed);
begin
  perform 1 from student_enrollment where id = any (touched) order by id for no key update;
  perform 1 from configuration_grade_subject where id in (
      select taken.id from configuration_grade_subject taken
      join student_subject own on taken.academic_year_id = own.academic_year_id and taken.program_id = own.program_id
        and taken.grade_id = own.grade_id and taken.subject_id = own.subject_id
      where own.enrollment_id = any (touched))
    order by id for share;
  perform 1 from configuration_elective_group where id in (
      select taken.elective_group_id from configuration_grade_subject taken
      join student_subject own on taken.academic_year_id = own.academic_year_id and taken.program_id = own.program_id
        and taken.grade_id = own.grade_id and taken.subject_id = own.subject_id
      where own.enrollment_id = any (touched))
    order by id for share;
  if exists (
      select 1 from student_subject own
      join configuration_grade_subject taken on taken.academic_year_id = own.academic_year_id
        and taken.program_id = own.program_id and taken.grade_id = own.grade_id and taken.subject_id = own.subject_id
      join configuration_elective_group choice on choice.id = taken.elective_group_id
      where own.enrollment_id = any (touched)
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
