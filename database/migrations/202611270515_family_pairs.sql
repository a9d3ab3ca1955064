-- Who sees whom on the family page on a day: the one rule, for lists of adults too.
create function family_pairs(day date) returns table (
  guardian_id integer, student_id integer, enrollment_id integer, section_id integer, grade_id integer, branch_id integer,
  reach text, may_collect boolean, receives_messages boolean
) language sql stable as $$
  select link.guardian_id, there.student_id, there.enrollment_id, there.section_id, there.grade_id, there.branch_id,
    link.family_page, link.may_collect, link.receives_messages
  from student_guardian link
  join guardian adult on adult.id = link.guardian_id and not adult.is_deceased
  join student_on($1) there on there.student_id = link.student_id
  where link.role <> 'Contact' and not link.is_barred
$$;

create or replace function family_children(guardian integer, day date) returns table (
  student_id integer, enrollment_id integer, section_id integer, grade_id integer, branch_id integer,
  reach text, may_collect boolean, receives_messages boolean
) language sql stable as $$
  select student_id, enrollment_id, section_id, grade_id, branch_id, reach, may_collect, receives_messages
  from family_pairs($2) where guardian_id = $1
$$;

create index on guardian (lower(name), id);
