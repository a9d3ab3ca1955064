-- Who granted permission sets to an account last: that person's own requests are not decided by it.
alter table sign_in_account
  add column sets_granted_by integer references staff,
  add column sets_granted_at timestamptz,
  add constraint sign_in_account_granted check ((sets_granted_by is null) = (sets_granted_at is null));
create index on sign_in_account (sets_granted_by);

-- As before, and nobody to whom the asker granted permission sets.
create or replace function may_be_second(asker_staff integer, asker_guardian integer, student integer, decider integer)
returns boolean language sql stable as $$
  select decider is not null and coalesce(asker_staff, asker_guardian) is not null
    and not exists (
      select from staff one
      join staff other on other.id = decider
      where one.id = asker_staff and (one.id = other.id
        or (name_key(one.name) = name_key(other.name) and one.birth_date = other.birth_date)
        or (one.aadhaar_last4 <> '' and one.pan_last4 <> ''
          and (one.aadhaar_last4, one.pan_last4) = (other.aadhaar_last4, other.pan_last4))))
    and not exists (select from sign_in_account account where account.staff_id = decider and account.sets_granted_by = asker_staff)
    and not exists (select from guardian where guardian.id = asker_guardian and guardian.staff_id = decider)
    and not exists (
      select from student_guardian link
      join guardian adult on adult.id = link.guardian_id and adult.staff_id = decider
      where link.student_id = student and link.role <> 'Contact')
$$;

create function approval_second_person() returns trigger language plpgsql as $$
begin
  if new.status in ('Approved', 'Rejected')
      and not may_be_second(new.requested_by, null, new.student_id, new.decided_by) then
    raise exception 'a second person decides' using errcode = '23514', constraint = 'approval_second_person';
  end if;
  return new;
end $$;
create trigger second_person before insert or update of status, decided_by on approval
  for each row execute function approval_second_person();
