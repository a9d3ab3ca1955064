-- Where a child is on a day: one rule for every screen, list, paper and right.

-- Why an enrolment never took effect.
alter table student_enrollment
  add column cancelled_as text check (cancelled_as in ('No-show', 'Left first', 'Promotion undone')),
  add constraint student_enrollment_cancelled_as check (cancelled_as is null or status = 'Cancelled');

-- The place of a student on a day, or in one year: the enrolment that began last by that day, else the first to come; one
-- row or none. `as_of` is the day kept within the enrolment, and section and roll number are those of `as_of`. Rights use
-- `held_section_id` alone, the section of a day within the enrolment.
create function student_place(student integer, day date, of_year integer default null) returns table (
  enrollment_id integer, academic_year_id integer, branch_id integer, program_id integer, grade_id integer,
  section_id integer, roll_no smallint, as_of date, tense text, held_section_id integer, name text
) language sql stable rows 1 as $$
  select held.id, held.academic_year_id, held.branch_id, held.program_id, held.grade_id,
    own.section_id, own.roll_no, held.as_of, held.tense,
    case held.tense when 'now' then own.section_id end,
    (select coalesce(academic_section_name(grade.name, section.name), grade.name) from academic_grade grade
      left join academic_section section on section.id = own.section_id where grade.id = held.grade_id)
  from (
    select enrollment.id, enrollment.academic_year_id, enrollment.branch_id, enrollment.program_id, enrollment.grade_id,
      greatest(span.first_day, least($2, span.last_day)) as as_of,
      case when $2 < span.first_day then 'future' when $2 > span.last_day then 'past' else 'now' end as tense
    from student_enrollment enrollment
    join academic_year year on year.id = enrollment.academic_year_id
    cross join lateral (select greatest(enrollment.joined_on, year.starts_on) as first_day,
      least(enrollment.left_on, year.ends_on) as last_day) as span
    where enrollment.student_id = $1 and enrollment.status <> 'Cancelled'
      and ($3 is null or enrollment.academic_year_id = $3)
    order by span.first_day > $2, abs(span.first_day - $2), enrollment.id limit 1) as held
  left join student_section own on own.enrollment_id = held.id
    and held.as_of between own.effective_from and coalesce(own.effective_to, 'infinity')
$$;

-- The word for a student on a day; each argument is named once, so that a query takes it in. `year_begins` is the first day
-- of the year of that day: whose enrolment ended before it has no place in it yet.
create function student_status_of(
  left_on date, tense text, as_of date, year_begins date, is_no_show boolean, day date
) returns text language sql immutable parallel safe as $$
  select case when $1 < $6 then 'Left' else case $2
    when 'now' then 'Active'
    when 'future' then 'Joining'
    when 'past' then case when $4 > $3 then 'Undecided' else 'Active' end
    else case when $5 then 'Never joined' else 'Active' end end end
$$;

create function student_status(student integer, day date) returns text language sql stable as $$
  select student_status_of(child.left_on, place.tense, place.as_of,
    (select starts_on from academic_year where id = academic_year_on($2)),
    exists (select from student_enrollment where student_id = child.id and cancelled_as = 'No-show'), $2)
  from student child left join lateral student_place(child.id, $2) place on true
  where child.id = $1
$$;
