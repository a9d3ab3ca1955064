-- Calls to families about what they owe, and reminders, once a child and day.

create table fee_follow_up (
  id           integer generated always as identity primary key,
  account_id   integer not null references fee_account,
  note         text not null check (length(note) between 1 and 500),
  -- The day on which the family promised to pay.
  promised_on  date,
  staff_id     integer not null references staff,
  at           timestamptz not null default now()
);
create index on fee_follow_up (account_id, id desc);
create index on fee_follow_up (promised_on);
create index on fee_follow_up (staff_id);

create table fee_reminder (
  id           integer generated always as identity primary key,
  guardian_id  integer not null references guardian,
  day          date not null
);
create index on fee_reminder (guardian_id, day);

create table fee_reminder_child (
  account_id   integer not null references fee_account,
  day          date not null,
  reminder_id  integer not null references fee_reminder,
  primary key (account_id, day)
);
create index on fee_reminder_child (reminder_id);

-- Where families pay by UPI, printed as a QR code on demand slips.
alter table fee_receipt_series add column upi_id text not null default ''
  check (upi_id = '' or upi_id ~ '^[A-Za-z0-9._-]{2,64}@[A-Za-z0-9.-]{2,32}$');

grant select, insert (account_id, note, promised_on, staff_id, at) on fee_follow_up to shala_app;
grant select, insert (guardian_id, day) on fee_reminder to shala_app;
grant select, insert (account_id, day, reminder_id) on fee_reminder_child to shala_app;
