-- The places of all students on a day, or in one year: each row is that of `student_place`, found in one pass. Lists, counts
-- and pickers over a whole school read it; of one student or a section, `student_place` reads less.
create function student_places(day date, of_year integer default null) returns table (
  student_id integer, enrollment_id integer, academic_year_id integer, branch_id integer, program_id integer,
  grade_id integer, section_id integer, roll_no smallint, as_of date, tense text, held_section_id integer, name text
) language sql stable as $$
  -- Who has begun in the year of the day: no other year has an enrolment that began later by then.
  select held.student_id, held.id, held.academic_year_id, held.branch_id, held.program_id, held.grade_id,
    own.section_id, own.roll_no, held.as_of, held.tense, case held.tense when 'now' then own.section_id end,
    coalesce(academic_section_name(grade.name, section.name), grade.name)
  from (
    select distinct on (enrollment.student_id) enrollment.student_id, enrollment.id, enrollment.academic_year_id,
      enrollment.branch_id, enrollment.program_id, enrollment.grade_id,
      greatest(span.first_day, least($1, span.last_day)) as as_of,
      case when $1 < span.first_day then 'future' when $1 > span.last_day then 'past' else 'now' end as tense
    from student_enrollment enrollment
    join academic_year year on year.id = enrollment.academic_year_id
    cross join lateral (select greatest(enrollment.joined_on, year.starts_on) as first_day,
      least(enrollment.left_on, year.ends_on) as last_day) as span
    where enrollment.academic_year_id = coalesce($2, academic_year_on($1)) and enrollment.status <> 'Cancelled'
      and ($2 is not null or span.first_day <= $1)
    order by enrollment.student_id, span.first_day > $1, abs(span.first_day - $1), enrollment.id) as held
  left join student_section own on own.enrollment_id = held.id
    and held.as_of between own.effective_from and coalesce(own.effective_to, 'infinity')
  left join academic_grade grade on grade.id = held.grade_id
  left join academic_section section on section.id = own.section_id
  union all
  select student.id, place.enrollment_id, place.academic_year_id, place.branch_id, place.program_id, place.grade_id,
    place.section_id, place.roll_no, place.as_of, place.tense, place.held_section_id, place.name
  from student cross join lateral student_place(student.id, $1) place
  where $2 is null and student.id not in (
    select enrollment.student_id from student_enrollment enrollment
    join academic_year year on year.id = enrollment.academic_year_id
    where enrollment.academic_year_id = academic_year_on($1) and enrollment.status <> 'Cancelled'
      and greatest(enrollment.joined_on, year.starts_on) <= $1)
$$;
