-- As before, and for some children alone: a family's page read the children of whole sections for each homework.
drop function homework_roster(integer[]);
create function homework_roster(deliveries integer[], students integer[] default null)
  returns table (homework_section_id integer, student_id integer, standing text) language sql stable as $$
  with own as materialized (
    select given.id, given.section_id, given.assigned_on, given.due_on, given.is_for_all, given.subject_id, taught.is_compulsory
    from homework_section given
    join configuration_grade_subject taught on taught.academic_year_id = given.academic_year_id
      and taught.program_id = given.program_id and taught.grade_id = given.grade_id and taught.subject_id = given.subject_id
    where given.id = any ($1)),
  placed as (
    select own.id, place.student_id, case
        when not bool_or(own.assigned_on between place.effective_from and coalesce(place.effective_to, 'infinity')) then 'Joined later'
        when not bool_or(own.due_on between place.effective_from and coalesce(place.effective_to, 'infinity')) then 'Left the section'
        else 'Given' end as standing
    from own
    join student_section place on place.section_id = own.section_id and place.effective_from <= own.due_on
      and coalesce(place.effective_to, 'infinity') >= own.assigned_on
    where ($2 is null or place.student_id = any ($2))
      and (own.is_compulsory or exists (select from student_subject taken
        where taken.enrollment_id = place.enrollment_id and taken.subject_id = own.subject_id))
    group by own.id, place.student_id)
  select placed.id, placed.student_id, placed.standing from placed join own on own.id = placed.id
  where own.is_for_all or exists (select from homework_chosen chosen
    where chosen.homework_section_id = placed.id and chosen.student_id = placed.student_id)
  union all
  select result.homework_section_id, result.student_id, 'Not on the list' from homework_result result
  join own on own.id = result.homework_section_id
  where ($2 is null or result.student_id = any ($2))
    and not exists (select from placed where placed.id = own.id and placed.student_id = result.student_id
    and (own.is_for_all or exists (select from homework_chosen chosen
      where chosen.homework_section_id = own.id and chosen.student_id = result.student_id)))
$$;
