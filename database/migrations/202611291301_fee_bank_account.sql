-- The bank accounts into which fees are paid.
create table fee_bank_account (
  id                 integer generated always as identity primary key,
  name               text not null check (length(name) between 1 and 60),
  bank               text not null check (length(bank) between 1 and 80),
  last4              text not null check (last4 ~ '^[0-9]{4}$'),
  ifsc               text not null default '' check (ifsc ~ '^([A-Z]{4}0[A-Z0-9]{6})?$'),
  receipt_series_id  integer not null references fee_receipt_series,
  is_active          boolean not null default true,
  version            integer not null default 1
);
create unique index fee_bank_account_name_unique on fee_bank_account (lower(name));
create index on fee_bank_account (receipt_series_id);
grant select, insert, update, delete on fee_bank_account to shala_app;
