-- What keeps a phone or a mailbox alone from becoming an Admin (decision 0040).

-- When an address was changed last: for three days it gets no link to a password and no code for Admins. A trigger keeps it,
-- so that no way of changing an address can forget to.
alter table staff
  add column email_changed_at timestamptz,
  add column mobile_changed_at timestamptz;
create function staff_keep_address_changes() returns trigger language plpgsql as $$
begin
  if new.email is distinct from old.email then new.email_changed_at := now(); end if;
  if new.mobile is distinct from old.mobile then new.mobile_changed_at := now(); end if;
  return new;
end $$;
create trigger address_changes before update of email, mobile on staff
  for each row execute function staff_keep_address_changes();

-- The code after an Admin's password is on unless a school switches it off.
alter table academic_school alter column asks_admin_code set default true;
update academic_school set asks_admin_code = true;

-- When this browser passed the second step last.
alter table sign_in_device add column second_step_at timestamptz;

-- A link that is asked for an unknown address has a row too, so that asking takes as long.
alter table sign_in_reset alter column account_id drop not null;

-- Whether email or text messages have ever been delivered.
create index outbox_sent on outbox (channel) where status = 'sent';
-- Messages to nobody are removed after a day.
grant delete on outbox to shala_app;
