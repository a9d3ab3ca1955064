-- The children of one guardian that each of these announcements concerns: the rows of `announcement_pairs` of that guardian. The
-- children are read once for all announcements; asked one by one they were found twice for each.
create function announcement_children(announcements integer[], guardian integer, day date)
returns table (announcement_id integer, student_id integer) language sql stable as $$
  with own as materialized (
    select here.branch_id, here.grade_id, here.section_id, child.id, child.house_id, child.category_id
    from student_guardian link
    join guardian adult on adult.id = link.guardian_id and not adult.is_deceased
    join student child on child.id = link.student_id
    join student_on($3) here on here.student_id = link.student_id
    where link.guardian_id = $2 and link.role <> 'Contact' and not link.is_barred)
  select notice.id, own.id
  from announcement notice
  join own on notice.branch_id is null or own.branch_id = notice.branch_id
  where notice.id = any ($1)
    and exists (select from announcement_audience target where target.announcement_id = notice.id and not target.is_excluded
      and announcement_means_pair(target, $2, own.id, own.grade_id, own.section_id, own.house_id, own.category_id))
    and not exists (select from announcement_audience target where target.announcement_id = notice.id and target.is_excluded
      and announcement_means_pair(target, $2, own.id, own.grade_id, own.section_id, own.house_id, own.category_id))
$$;
