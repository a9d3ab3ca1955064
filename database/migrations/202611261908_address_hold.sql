-- When the owner of an address last confirmed it with a code. An address that others changed since waits before it signs in.
alter table staff
  add column email_confirmed_at timestamptz,
  add column mobile_confirmed_at timestamptz;
