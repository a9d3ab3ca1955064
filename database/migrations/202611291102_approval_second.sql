-- Whether a member of staff may decide what another person asked for, about a child or about none: never one person twice,
-- whatever their records are called, and no parent or guardian of the child.
create function may_be_second(asker_staff integer, asker_guardian integer, student integer, decider integer)
returns boolean language sql stable as $$
  select decider is not null and coalesce(asker_staff, asker_guardian) is not null
    and not exists (
      select from staff one
      join staff other on other.id = decider
      where one.id = asker_staff and (one.id = other.id
        or (name_key(one.name) = name_key(other.name) and one.birth_date = other.birth_date)
        or (one.aadhaar_last4 <> '' and one.pan_last4 <> ''
          and (one.aadhaar_last4, one.pan_last4) = (other.aadhaar_last4, other.pan_last4))))
    and not exists (select from guardian where guardian.id = asker_guardian and guardian.staff_id = decider)
    and not exists (
      select from student_guardian link
      join guardian adult on adult.id = link.guardian_id and adult.staff_id = decider
      where link.student_id = student and link.role <> 'Contact')
$$;
