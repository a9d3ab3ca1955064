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
  -- The payment that has its money: kept by triggers, see below.
  payment_id         integer references fee_payment,
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
create index on home_payment (payment_id);
create index home_payment_open on home_payment (paid_on, id) where payment_id is null and not_found_at is null;
grant select, insert, update, delete on home_payment to shala_app;
create trigger only_by_merge before update of student_id on home_payment for each row
  when (old.student_id is distinct from new.student_id) execute function student_only_by_merge('student_id');

-- The payment that a family means: it has the reference, and a receipt for that child or another child of that adult.
create function seen_payment(wanted text, child integer, adult integer) returns integer language sql stable as $$
  select payment.id from fee_payment payment
  where payment.reference_key = wanted and payment.ended_as is null
    and payment.mode in ('UPI', 'Bank transfer', 'Net banking')
    and exists (select from fee_receipt receipt join fee_account account on account.id = receipt.account_id
      where receipt.payment_id = payment.id and (account.student_id = child or account.student_id in (
        select household.student_id from student_household household where household.guardian_id = adult)))
  order by payment.id limit 1
$$;

-- What a family enters while its receipt is issued waits for the receipt, so that one of both sees the other.
create function home_payment_seen() returns trigger language plpgsql as $$
declare
  wanted text := upper(regexp_replace(new.reference, '[^A-Za-z0-9]', '', 'g'));
begin
  if tg_op = 'INSERT' then
    perform pg_advisory_xact_lock(61301, abs(hashtext(wanted) % 64));
  end if;
  new.payment_id := seen_payment(wanted, new.student_id, new.guardian_id);
  return new;
end $$;
create trigger seen before insert on home_payment for each row execute function home_payment_seen();
create trigger seen_again before update of reference, student_id, guardian_id, not_found_at on home_payment
  for each row when (new.payment_id is null) execute function home_payment_seen();

create function home_payment_receipts() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(61301, place)
  from (select distinct abs(hashtext(payment.reference_key) % 64) as place
    from made join fee_payment payment on payment.id = made.payment_id
    where payment.reference_key <> '' and payment.mode in ('UPI', 'Bank transfer', 'Net banking') order by 1) wanted;
  update home_payment own set payment_id = seen_payment(own.reference_key, own.student_id, own.guardian_id)
  from made join fee_payment payment on payment.id = made.payment_id
  where own.reference_key = payment.reference_key and own.payment_id is null
    and seen_payment(own.reference_key, own.student_id, own.guardian_id) is not null;
  return null;
end $$;
create trigger home_payment_seen after insert on fee_receipt referencing new table as made
  for each statement execute function home_payment_receipts();

-- What ended has no money: the family waits again.
create function home_payment_ended() returns trigger language plpgsql as $$
begin
  update home_payment set payment_id = seen_payment(reference_key, student_id, guardian_id) where payment_id = new.id;
  return null;
end $$;
create trigger home_payment_ended after update of ended_as on fee_payment
  for each row when (new.ended_as is not null) execute function home_payment_ended();

-- A line of the bank with the reference is looked for beside what families enter, whatever became of it.
create index bank_line_tokens on bank_line using gin (tokens) where credit > 0;

-- For some days who takes money is shown that families pay into another address.
alter table fee_receipt_series add upi_before text not null default '', add upi_changed_at timestamptz;
create function fee_receipt_series_upi() returns trigger language plpgsql as $$
begin
  -- After a time without an address, it is the one before that time.
  if old.upi_id <> '' then
    new.upi_before := old.upi_id;
  end if;
  new.upi_changed_at := school_now();
  return new;
end $$;
create trigger fee_receipt_series_upi before update of upi_id on fee_receipt_series
  for each row when (old.upi_id <> new.upi_id and (old.upi_id <> '' or (old.upi_before <> '' and new.upi_id <> old.upi_before)))
  execute function fee_receipt_series_upi();
