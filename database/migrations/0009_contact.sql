-- Codes by which people prove that a new e-mail address or mobile number is theirs (areas.md P2). Made as those of signing in are.

create table sign_in_contact (
  id          integer generated always as identity primary key,
  account_id  integer not null references sign_in_account,
  channel     text not null check (channel in ('email', 'mobile')),
  target      text not null check (length(target) between 3 and 100),
  salt        bytea not null check (length(salt) = 16),
  made_at     timestamptz not null default now(),
  expires_at  timestamptz not null,
  used_at     timestamptz
);
create unique index sign_in_contact_one_open on sign_in_contact (account_id) where used_at is null;
create index on sign_in_contact (expires_at);
grant select, insert, update, delete on sign_in_contact to shala_app;
