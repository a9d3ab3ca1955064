-- The link that a family has asked for while its own one works: it replaces that one when it is opened first.
alter table admission_inquiry
  add column next_link_hash bytea unique check (length(next_link_hash) = 32),
  add column next_short_hash bytea unique check (length(next_short_hash) = 32),
  add column next_link_key_id text,
  add column next_link_version integer,
  add column next_link_expires_at timestamptz,
  add constraint admission_inquiry_next_link check (
    num_nulls(next_link_hash, next_short_hash, next_link_key_id, next_link_version, next_link_expires_at) in (0, 5));

create or replace function end_link_of_changed_contact() returns trigger language plpgsql as $$
begin
  new.link_expires_at := least(new.link_expires_at, now());
  new.next_link_hash := null;
  new.next_short_hash := null;
  new.next_link_key_id := null;
  new.next_link_version := null;
  new.next_link_expires_at := null;
  return new;
end $$;

create or replace function close_outdated_messages() returns trigger language plpgsql as $$
declare
  contacts text[] := array[lower(new.father_email), lower(new.mother_email), new.father_mobile, new.mother_mobile];
begin
  update outbox set status = 'expired', recipient = null, last_error = 'Contact or link changed'
  where status = 'queued' and case
    when template in ('admission.link', 'admission.reminder', 'admission.correction', 'admission.correction-reminder') then
      subject_id = new.id and (new.link_revoked_at is not null
        or not coalesce((version = new.link_version and new.link_expires_at > now())
          or (version = new.next_link_version and new.next_link_expires_at > now()), false)
        or not coalesce(lower(recipient) = any(contacts), false))
    when template = 'admission.submitted' then
      subject_id = new.id and not coalesce(lower(recipient) = any(contacts), false)
    when template = 'admission.reply' then
      subject_id in (select id from admission_message where inquiry_id = new.id)
        and not coalesce(lower(recipient) = any(contacts), false)
    else false end;
  return null;
end $$;
