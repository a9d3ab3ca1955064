-- What families say they have paid from home. It is no money: a payment with the reference is.
create table home_payment (
  id                 integer generated always as identity primary key,
  guardian_id        integer not null references guardian,
  student_id         integer not null references student,
  receipt_series_id  integer not null references fee_receipt_series,
  reference          text not null check (length(reference) between 1 and 60),
  -- As payments and the bank's lines have it.
  reference_key      text not null generated always as (upper(regexp_replace(reference, '[^A-Za-z0-9]', '', 'g'))) stored,
  paid_on            date not null,
  amount             bigint not null check (amount between 1 and 90000000000000),
  entered_at         timestamptz not null default school_now(),
  -- Set by who looked for it in vain.
  not_found_at       timestamptz,
  not_found_by       integer references staff,
  note               text not null default '' check (length(note) <= 200),
  version            integer not null default 1,
  constraint home_payment_once unique (guardian_id, reference_key),
  constraint home_payment_reference check (length(reference_key) >= 6),
  constraint home_payment_not_found check ((not_found_at is null) = (not_found_by is null))
);
create index on home_payment (student_id);
create index on home_payment (receipt_series_id);
create index on home_payment (not_found_by);
create index on home_payment (reference_key);
create index on home_payment (entered_at, id);
grant select, insert, update, delete on home_payment to shala_app;

-- The payment that a family means: it has the reference, and a receipt for a child of that adult.
create function seen_payment(own home_payment) returns integer language sql stable as $$
  select payment.id from fee_payment payment
  where payment.reference_key = own.reference_key and payment.ended_as is null
    and payment.mode in ('UPI', 'Bank transfer', 'Net banking')
    and exists (select from fee_receipt receipt join fee_account account on account.id = receipt.account_id
      where receipt.payment_id = payment.id and (account.student_id = own.student_id or account.student_id in (
        select household.student_id from student_household household where household.guardian_id = own.guardian_id)))
  order by payment.id limit 1
$$;

-- A line of the bank with the reference is looked for beside what families enter.
create index bank_line_open_tokens on bank_line using gin (tokens) where state = 'Open';

-- For some days who takes money is shown that families pay into another address.
alter table fee_receipt_series add upi_before text not null default '', add upi_changed_at timestamptz;
create function fee_receipt_series_upi() returns trigger language plpgsql as $$
begin
  new.upi_before := old.upi_id;
  new.upi_changed_at := school_now();
  return new;
end $$;
create trigger fee_receipt_series_upi before update of upi_id on fee_receipt_series
  for each row when (old.upi_id <> new.upi_id and old.upi_id <> '') execute function fee_receipt_series_upi();
