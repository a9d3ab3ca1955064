-- As before. It begins with the few who are away and plans once a session: within each statement that asked it, its fifteen tables
-- took longer to plan than to read.
create or replace function cover_needed(of_day date) returns table (
  academic_year_id integer, branch_id integer, section_id integer, subject_id integer, absent_id integer, half smallint
) language plpgsql stable rows 20 as $$
#variable_conflict use_column
begin
  return query
  with away as materialized (select distinct gone.staff_id, gone.half from workday_away gone where gone.day = $1),
  school as materialized (
    select year.id as year_id, year.ends_on, days.grade_id, days.work
    from academic_year year join academic_school_days(year.id, $1, $1) as days on days.work > 0
    where $1 between year.starts_on and year.ends_on),
  lacking as materialized (
    select section.academic_year_id, section.branch_id, own.section_id, own.subject_id, own.staff_id, away.half, school.ends_on
    from away
    join academic_section_teacher own on own.staff_id = away.staff_id
    join academic_section section on section.id = own.section_id and section.is_active
    join school on school.year_id = section.academic_year_id and school.grade_id = section.grade_id and away.half <= school.work
    where $1 between own.effective_from and coalesce(own.effective_to, school.ends_on))
  select one.academic_year_id, one.branch_id, one.section_id, one.subject_id, one.staff_id, one.half from lacking one
  where not exists (select from academic_section_teacher other
    where other.section_id = one.section_id and other.subject_id is not distinct from one.subject_id
      and $1 between other.effective_from and coalesce(other.effective_to, one.ends_on)
      and not exists (select from away where away.staff_id = other.staff_id and away.half = one.half));
end $$;
