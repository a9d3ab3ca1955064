-- The pairs of all families, each that of `family_pairs`: for who counts or looks through a whole school.
create function all_family_pairs(day date) returns table (
  guardian_id integer, student_id integer, enrollment_id integer, section_id integer, grade_id integer, branch_id integer,
  reach text, may_collect boolean, receives_messages boolean
) language sql stable as $$
  select link.guardian_id, child.id, there.enrollment_id, there.section_id, there.grade_id, there.branch_id,
    link.family_page, link.may_collect, link.receives_messages
  from student_guardian link
  join guardian adult on adult.id = link.guardian_id and not adult.is_deceased
  join student child on child.id = link.student_id and coalesce(child.left_on >= $1, true)
  join student_places($1) there on there.student_id = child.id and there.tense <> 'future'
  join student_enrollment own on own.id = there.enrollment_id and (there.tense = 'now' or own.left_on is null)
  where link.role <> 'Contact' and not link.is_barred
$$;
