-- A decision that waits to be sent is closed with the family's link or address, as the other messages with a link are.
create or replace function close_outdated_messages() returns trigger language plpgsql as $$
declare
  contacts text[] := array[lower(new.father_email), lower(new.mother_email), new.father_mobile, new.mother_mobile];
begin
  update outbox set status = 'expired', recipient = null, last_error = 'Contact or link changed'
  where status = 'queued' and case
    when template in ('admission.link', 'admission.reminder', 'admission.correction', 'admission.correction-reminder',
        'admission.decision') then
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
