-- Accounts that did not agree with their ledger when it was last added up; empty in a sound school.

create table fee_difference (
  account_id  integer primary key references fee_account,
  ledger      bigint not null,
  balance     bigint not null,
  -- What dues say is owed, less the advance.
  dues        bigint not null,
  -- Dues that differ from the sum of their own entries.
  wrong_dues  integer not null,
  found_at    timestamptz not null default now(),
  check (ledger <> balance or ledger <> dues or wrong_dues > 0)
);

grant select, insert, delete on fee_difference to shala_app;
