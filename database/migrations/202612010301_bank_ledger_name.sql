-- The names that the school's accounts in Tally have: by fee head, mode of payment, bank account and so on.
create table bank_ledger_name (
  -- 'head:12', 'mode:Cash', 'bank:3', or a word such as 'advance'.
  key     text primary key check (key ~ '^[a-z]+(:[A-Za-z0-9 ]{1,20})?$'),
  name    text not null check (length(name) between 1 and 100),
  set_by  integer not null references staff,
  set_at  timestamptz not null default school_now()
);
create index on bank_ledger_name (set_by);
grant select, insert, update, delete on bank_ledger_name to shala_app;
