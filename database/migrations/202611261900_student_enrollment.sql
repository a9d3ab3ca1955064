-- Enrolments that never took effect, and the students of a day in one query.

alter table student_enrollment
  drop constraint student_enrollment_status_check,
  -- Cancelled: next year's enrolment of a child who leaves first. A fee plan may point to it, so it is not deleted.
  add constraint student_enrollment_status_check
    check (status in ('Active', 'Promoted', 'Detained', 'Left', 'Transferred', 'Cancelled')),
  add column is_standing boolean not null generated always as (status not in ('Transferred', 'Cancelled')) stored;
alter table student_enrollment
  add constraint student_enrollment_overlap exclude using gist
    (student_id with =, academic_year_id with =, daterange(joined_on, left_on, '[]') with &&)
    where (status <> 'Cancelled') deferrable initially immediate;
drop index student_enrollment_once;
create unique index student_enrollment_once on student_enrollment (student_id, academic_year_id) where is_standing;
create index on student_enrollment (student_id, joined_on desc);

-- One row for each student enrolled on a day, with the section of that day; the exclusions above and on student_section
-- allow no second one.
create function student_on(day date) returns table (
  student_id integer, enrollment_id integer, academic_year_id integer, branch_id integer, program_id integer,
  grade_id integer, section_id integer, roll_no smallint
) language sql stable as $$
  select enrollment.student_id, enrollment.id, enrollment.academic_year_id, enrollment.branch_id, enrollment.program_id,
    enrollment.grade_id, own.section_id, own.roll_no
  from student_enrollment enrollment
  join academic_year year on year.id = enrollment.academic_year_id and $1 between year.starts_on and year.ends_on
  left join student_section own on own.enrollment_id = enrollment.id
    and $1 between own.effective_from and coalesce(own.effective_to, 'infinity')
  where enrollment.status <> 'Cancelled' and $1 between enrollment.joined_on and coalesce(enrollment.left_on, 'infinity')
$$;

create function academic_class_teacher(section integer, day date) returns integer language sql stable as $$
  select staff_id from academic_section_teacher
  where section_id = $1 and role = 'Class teacher' and $2 between effective_from and coalesce(effective_to, 'infinity')
$$;
