-- What students owed or had in advance before the school used this system, from files that can be undone.

create table fee_opening (
  id                 integer generated always as identity primary key,
  -- The rows of one file, whose import is undone together.
  batch              uuid not null,
  account_id         integer not null references fee_account,
  academic_year_id   integer not null references academic_year,
  fee_head_id        integer not null references fee_head,
  -- Null for advance.
  due_id             integer references fee_due,
  amount             bigint not null check (amount <> 0 and amount between -90000000000000 and 90000000000000),
  staff_id           integer not null references staff,
  imported_at        timestamptz not null default now(),
  undone_at          timestamptz,
  constraint fee_opening_due check ((amount > 0) = (due_id is not null))
);
create unique index fee_opening_once on fee_opening (account_id, academic_year_id, fee_head_id) where undone_at is null;
create index on fee_opening (batch);
create index on fee_opening (academic_year_id);
create index on fee_opening (fee_head_id);
create index on fee_opening (due_id);
create index on fee_opening (staff_id);

alter table fee_ledger_entry
  add column opening_id integer references fee_opening,
  add constraint fee_ledger_entry_opening check ((kind = 'Opening') = (opening_id is not null));
create index on fee_ledger_entry (opening_id);
grant insert (opening_id) on fee_ledger_entry to shala_app;
grant select, insert (batch, account_id, academic_year_id, fee_head_id, due_id, amount, staff_id, imported_at),
  update (undone_at) on fee_opening to shala_app;
