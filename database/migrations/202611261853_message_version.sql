-- A message is sent only to a recipient that the record still has, and only with the link that it was queued with.

alter table outbox add column version integer;
comment on column outbox.version is 'The version of the link in it; null without a link.';
create index outbox_waiting on outbox (subject_id) where status = 'queued';

update outbox set version = link_version from admission_inquiry as inquiry
where outbox.status = 'queued' and inquiry.id = subject_id
  and template in ('admission.link', 'admission.reminder', 'admission.correction', 'admission.correction-reminder');

-- Closes what waits for an address that is no longer a contact of the family, or has a link that works no more.
create function close_outdated_messages() returns trigger language plpgsql as $$
declare
  contacts text[] := array[lower(new.father_email), lower(new.mother_email), new.father_mobile, new.mother_mobile];
begin
  update outbox set status = 'expired', recipient = null, last_error = 'Contact or link changed'
  where status = 'queued' and case
    when template in ('admission.link', 'admission.reminder', 'admission.correction', 'admission.correction-reminder') then
      subject_id = new.id and (version is distinct from new.link_version or new.link_revoked_at is not null
        or new.link_expires_at <= now() or not coalesce(lower(recipient) = any(contacts), false))
    when template = 'admission.submitted' then
      subject_id = new.id and not coalesce(lower(recipient) = any(contacts), false)
    when template = 'admission.reply' then
      subject_id in (select id from admission_message where inquiry_id = new.id)
        and not coalesce(lower(recipient) = any(contacts), false)
    else false end;
  return null;
end $$;
create trigger close_outdated_messages after update on admission_inquiry
  for each row when (new.link_version <> old.link_version
    or (new.link_revoked_at is not null and old.link_revoked_at is null)
    or new.father_mobile is distinct from old.father_mobile or new.father_email is distinct from old.father_email
    or new.mother_mobile is distinct from old.mother_mobile or new.mother_email is distinct from old.mother_email)
  execute function close_outdated_messages();

-- The same for invitations of members of staff.
create function close_outdated_invitations() returns trigger language plpgsql as $$
begin
  update outbox set status = 'expired', recipient = null, last_error = 'Contact or link changed'
  where status = 'queued' and template in ('account-invited', 'account-invited-sms', 'account-approved')
    and subject_id in (select id from sign_in_account where staff_id = new.id)
    and not coalesce(recipient in (new.email, new.mobile), false);
  return null;
end $$;
create trigger close_outdated_invitations after update of email, mobile on staff
  for each row when (new.email is distinct from old.email or new.mobile is distinct from old.mobile)
  execute function close_outdated_invitations();
