-- A link is known to the contact it was sent to. When a contact is changed or removed, by whatever means, the link ends,
-- and sending or asking makes another one.
create function end_link_of_changed_contact() returns trigger language plpgsql as $$
begin
  new.link_expires_at := least(new.link_expires_at, now());
  return new;
end $$;

create trigger contact_ends_link before update of father_mobile, father_email, mother_mobile, mother_email
  on admission_inquiry for each row
  when (new.link_version = old.link_version and (
    (old.father_mobile is not null and new.father_mobile is distinct from old.father_mobile)
    or (old.father_email is not null and new.father_email is distinct from old.father_email)
    or (old.mother_mobile is not null and new.mother_mobile is distinct from old.mother_mobile)
    or (old.mother_email is not null and new.mother_email is distinct from old.mother_email)))
  execute function end_link_of_changed_contact();
