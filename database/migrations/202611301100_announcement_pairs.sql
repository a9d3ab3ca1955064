-- A function with a subquery is called for each pair: an announcement to everyone of 5,000 children took seconds. The tags are
-- asked in a function of their own, so that the planner reads the rest as a condition.
create function announcement_has_tag(tag integer, child integer) returns boolean language sql stable as $$
  select exists (select from tag_link link where link.entity_type = 'Student' and link.entity_id = child and link.tag_id = tag)
$$;

create or replace function announcement_means_pair(target announcement_audience, guardian integer, child integer, grade integer,
  section integer, house integer, category integer) returns boolean language sql stable as $$
  select case target.kind
    when 'Everyone' then true
    when 'All guardians' then true
    when 'Grade' then target.grade_id = grade
    when 'Section' then target.section_id = section
    when 'House' then target.house_id = house
    when 'Student category' then target.student_category_id = category
    when 'Guardian' then target.guardian_id = guardian
    when 'Student' then target.student_id = child
    when 'Tag' then announcement_has_tag(target.tag_id, child)
    else false end
$$;
