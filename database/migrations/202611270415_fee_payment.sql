-- Payments at the counter, their receipts, the cashiers' days and the books (docs/decisions/0158-payments-and-receipts.md).
-- What a receipt paid is its entries in the ledger; there is no other list of it.

-- Each receipt series has a number series of its own, named as it is.
alter table number_series add column label text check (length(label) between 1 and 60);

create function fee_number_receipts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  wanted text;
begin
  if tg_op = 'DELETE' then
    delete from number_series series where code = 'fee-receipt-' || old.id
      and not exists (select from number_series_value where series_id = series.id);
    return null;
  elsif tg_op = 'UPDATE' then
    update number_series set label = new.name where code = 'fee-receipt-' || new.id;
    return null;
  end if;
  wanted := left(regexp_replace(new.short_name, '[^A-Za-z0-9._-]', '', 'g'), 12);
  if wanted = '' or exists (select from number_series where label is not null and lower(prefix) = lower(wanted)) then
    wanted := 'R' || new.id;
  end if;
  insert into number_series (code, prefix, pattern, reset_on, is_gapless, label)
    values ('fee-receipt-' || new.id, wanted, '{prefix}/{FY}/{seq:5}', 'financialYear', true, new.name);
  return null;
end $$;
revoke execute on function fee_number_receipts() from public;
create trigger number_receipts after insert or update of name or delete on fee_receipt_series
  for each row execute function fee_number_receipts();
insert into number_series (code, prefix, pattern, reset_on, is_gapless, label)
  select 'fee-receipt-' || id, 'R' || id, '{prefix}/{FY}/{seq:5}', 'financialYear', true, name from fee_receipt_series;

-- Dues that no plan made: a late fine now, later charges, bounced cheques and opening balances.
alter table fee_due
  drop constraint fee_due_kind_check,
  add constraint fee_due_kind check (kind in ('Plan', 'Fine', 'Bounce', 'Opening', 'Extra')),
  alter column fee_head_id drop not null,
  alter column frequency_id drop not null,
  alter column seq drop not null,
  alter column period_from drop not null,
  alter column period_to drop not null,
  add column fine_rule_id integer references fee_fine_rule,
  -- The due day of the dues that were late.
  add column fine_of date,
  add constraint fee_due_of_plan check (kind <> 'Plan'
    or num_nonnulls(fee_head_id, frequency_id, seq, period_from, period_to) = 5),
  add constraint fee_due_fine check ((kind = 'Fine') = (fine_rule_id is not null) and (kind = 'Fine') = (fine_of is not null));
create unique index fee_due_one_fine on fee_due (account_id, fine_rule_id, fine_of) where kind = 'Fine';
create index on fee_due (fine_rule_id);
grant insert (fine_rule_id, fine_of) on fee_due to shala_app;

-- Until this day the books are closed; the latest row counts.
create table fee_book (
  id            integer generated always as identity primary key,
  closed_until  date not null,
  reason        text not null check (length(reason) between 1 and 500),
  staff_id      integer not null references staff,
  at            timestamptz not null default now()
);
create index on fee_book (staff_id);

create function fee_closed_until() returns date language sql stable as
  $$ select closed_until from fee_book order by id desc limit 1 $$;

-- One drawer for each cashier and day, in all branches.
create table fee_day (
  id            integer generated always as identity primary key,
  staff_id      integer not null references staff,
  day           date not null,
  opening_cash  bigint not null default 0 check (opening_cash between 0 and 90000000000000),
  status        text not null default 'Open' check (status in ('Open', 'Closed')),
  counted       bigint check (counted >= 0),
  expected      bigint,
  difference    bigint,
  reason        text not null default '' check (length(reason) <= 500),
  closed_by     integer references staff,
  closed_at     timestamptz,
  version       integer not null default 1,
  unique (staff_id, day),
  unique (id, staff_id, day),
  check ((status = 'Closed') = (closed_at is not null)),
  check ((status = 'Closed') = (num_nonnulls(counted, expected, difference, closed_by) = 4)),
  constraint fee_day_difference check (status = 'Open' or difference = counted - expected),
  constraint fee_day_reason check (coalesce(difference, 0) = 0 or reason <> '')
);
create index on fee_day (status, day);
create index on fee_day (closed_by);

create function fee_keep_closed_day() returns trigger language plpgsql as $$
begin
  if old.status = 'Closed' then
    raise exception 'a closed day does not change' using errcode = '23514', constraint = 'fee_day_closed';
  end if;
  return new;
end $$;
create trigger closed before update on fee_day for each row execute function fee_keep_closed_day();

create table fee_payment (
  id                 integer generated always as identity primary key,
  day_id             integer not null,
  staff_id           integer not null,
  paid_on            date not null,
  payer_guardian_id  integer references guardian,
  payer_name         text not null check (length(payer_name) between 1 and 160),
  payer_mobile       text not null default '' check (payer_mobile ~ '^([0-9]{10})?$'),
  -- The guardian, or else the mobile number or the name: whose cash of a day counts together.
  payer_key          text not null check (length(payer_key) between 1 and 170),
  mode               text not null check (mode in ('Cash', 'UPI', 'Card', 'Bank transfer', 'Net banking', 'Cheque',
                       'Demand draft')),
  amount             bigint not null check (amount between 1 and 90000000000000),
  reference          text not null default '' check (length(reference) <= 60),
  reference_key      text not null generated always as (upper(regexp_replace(reference, '[^A-Za-z0-9]', '', 'g'))) stored,
  remark             text not null default '' check (length(remark) <= 500),
  back_reason        text not null default '' check (length(back_reason) <= 500),
  ended_as           text check (ended_as in ('Cancelled', 'Bounced')),
  ended_on           date check (ended_on >= paid_on),
  ended_by           integer references staff,
  end_reason         text not null default '' check (length(end_reason) <= 500),
  version            integer not null default 1,
  created_at         timestamptz not null default now(),
  check ((ended_as is null) = (ended_on is null) and (ended_as is null) = (end_reason = '')),
  constraint fee_payment_reference check (mode in ('Cash', 'Cheque', 'Demand draft') or reference <> ''),
  unique (id, paid_on),
  foreign key (day_id, staff_id, paid_on) references fee_day (id, staff_id, day)
);
create index on fee_payment (day_id);
create index on fee_payment (staff_id, paid_on);
create index on fee_payment (paid_on, mode);
create index on fee_payment (payer_key, paid_on);
create index on fee_payment (payer_guardian_id);
create index on fee_payment (ended_by);
create index on fee_payment (reference_key) where reference_key <> '';
-- A transfer has one reference for ever, whatever it is called; approval codes of cards repeat on other days.
create unique index fee_payment_reference_once on fee_payment (reference_key)
  where mode in ('UPI', 'Bank transfer', 'Net banking') and ended_as is null;
create unique index fee_payment_card_once on fee_payment (reference_key, paid_on) where mode = 'Card' and ended_as is null;

-- Cash of one payer in a day stays below ₹2,00,000.
create table fee_cash_day (
  payer_key  text not null,
  day        date not null,
  amount     bigint not null constraint fee_cash_day_limit check (amount between 0 and 19999999),
  primary key (payer_key, day)
);

create function fee_take_payment() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  own fee_day;
begin
  -- Neither the cashier's day nor the books close while a payment of that day is being stored.
  if tg_op = 'INSERT' or new.ended_on = new.paid_on then
    select * into own from fee_day where id = new.day_id for share;
    if own.status = 'Closed' then
      raise exception 'the day is closed' using errcode = '23514', constraint = 'fee_day_closed';
    end if;
  end if;
  if tg_op = 'INSERT' then
    perform pg_advisory_xact_lock_shared(hashtext('fee_book'));
    if new.paid_on <= fee_closed_until() then
      raise exception 'the books are closed' using errcode = '23514', constraint = 'fee_books_closed';
    end if;
    if new.mode = 'Cash' then
      insert into fee_cash_day as taken values (new.payer_key, new.paid_on, new.amount)
        on conflict (payer_key, day) do update set amount = taken.amount + excluded.amount;
    end if;
  else
    if old.ended_as is not null then
      raise exception 'an ended payment does not change' using errcode = '23514', constraint = 'fee_payment_ended';
    end if;
    if new.mode = 'Cash' and new.ended_as is not null then
      update fee_cash_day set amount = amount - new.amount where payer_key = new.payer_key and day = new.paid_on;
    end if;
  end if;
  return new;
end $$;
revoke execute on function fee_take_payment() from public;
create trigger take before insert or update on fee_payment for each row execute function fee_take_payment();

create function fee_close_books() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('fee_book'));
  return new;
end $$;
create trigger close before insert on fee_book for each row execute function fee_close_books();

create table fee_receipt (
  id                 integer generated always as identity primary key,
  payment_id         integer not null,
  receipt_date       date not null,
  account_id         integer not null references fee_account,
  receipt_series_id  integer not null references fee_receipt_series,
  branch_id          integer not null references academic_branch,
  number_series_id   integer not null references number_series,
  number_period      text not null,
  number_value       integer not null check (number_value > 0),
  receipt_no         text not null check (length(receipt_no) between 1 and 30),
  amount             bigint not null check (amount between 1 and 90000000000000),
  -- Names, class and heading as they were printed.
  issued_as          jsonb not null,
  foreign key (payment_id, receipt_date) references fee_payment (id, paid_on),
  constraint fee_receipt_once unique (payment_id, account_id, receipt_series_id),
  constraint fee_receipt_number unique (number_series_id, number_period, number_value)
);
create unique index fee_receipt_no on fee_receipt (lower(receipt_no));
create index on fee_receipt (receipt_no text_pattern_ops);
create index on fee_receipt (account_id, receipt_date desc);
create index on fee_receipt (receipt_series_id, receipt_date);
create index on fee_receipt (branch_id);

-- The first print is the original; each later one a duplicate.
create table fee_receipt_print (
  id          integer generated always as identity primary key,
  receipt_id  integer not null references fee_receipt,
  staff_id    integer not null references staff,
  at          timestamptz not null default now()
);
create index on fee_receipt_print (receipt_id);
create index on fee_receipt_print (staff_id);

-- Numbers count by the financial year of the receipt's date, so its first month stays.
create function fee_keep_financial_year() returns trigger language plpgsql as $$
begin
  if new.financial_year_month <> old.financial_year_month and exists (select from fee_receipt) then
    raise exception 'receipts are numbered by the financial year' using errcode = '23514',
      constraint = 'fee_receipt_financial_year';
  end if;
  return new;
end $$;
create trigger financial_year before update of financial_year_month on academic_school
  for each row execute function fee_keep_financial_year();

-- Entries of money. The document of each kind of act is a column; migrations of later acts add theirs.
alter table fee_ledger_entry
  drop constraint fee_ledger_entry_kind_check,
  drop constraint fee_ledger_entry_check,
  drop constraint fee_ledger_entry_check2,
  add constraint fee_ledger_entry_kind check (kind in ('Charge', 'Pro-rata', 'Concession', 'Applied', 'Receipt', 'Refund', 'Fine',
    'Waiver', 'Opening', 'Debit', 'Credit', 'Write-off', 'Transfer')),
  add constraint fee_ledger_entry_due check (due_id is not null or kind in ('Applied', 'Receipt', 'Refund', 'Opening', 'Transfer')),
  add column receipt_id integer references fee_receipt,
  add constraint fee_ledger_entry_change check (kind not in ('Charge', 'Pro-rata', 'Concession') or change_id is not null),
  add constraint fee_ledger_entry_receipt check ((kind = 'Receipt') = (receipt_id is not null)),
  add constraint fee_ledger_entry_direction check (reverses_id is not null or case
    when kind in ('Fine', 'Debit', 'Refund') then amount > 0
    when kind in ('Waiver', 'Credit', 'Write-off', 'Receipt') then amount < 0
    when kind = 'Opening' then (amount > 0) = (due_id is not null)
    else true end);
create index on fee_ledger_entry (receipt_id);
create index on fee_ledger_entry (entry_date, kind) include (due_id, amount);
grant insert (receipt_id) on fee_ledger_entry to shala_app;

create or replace function fee_post() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from academic_year where status = 'Closed'
      and id in (select academic_year_id from posted where kind in ('Charge', 'Pro-rata', 'Concession'))) then
    raise exception 'the academic year is closed' using errcode = '23514', constraint = 'academic_year_is_closed';
  end if;
  if exists (select from posted where entry_date <= fee_closed_until()) then
    raise exception 'the books are closed' using errcode = '23514', constraint = 'fee_books_closed';
  end if;
  if exists (select from posted where kind in ('Applied', 'Transfer') group by account_id,
      case kind when 'Applied' then receipt_series_id end having sum(amount) <> 0) then
    raise exception 'advance is moved, never made' using errcode = '23514', constraint = 'fee_ledger_entry_moved';
  end if;
  if exists (select from posted undoing join fee_ledger_entry undone on undone.id = undoing.reverses_id
      where undone.receipt_series_id <> undoing.receipt_series_id
        or undone.receipt_id is distinct from undoing.receipt_id) then
    raise exception 'a reversal has the series and receipt of its entry' using errcode = '23514',
      constraint = 'fee_ledger_entry_reversal';
  end if;
  if exists (select from (select distinct receipt_id from posted where receipt_id is not null and reverses_id is null) as own
      join fee_receipt receipt on receipt.id = own.receipt_id
      where receipt.amount <> -(select sum(entry.amount) from fee_ledger_entry entry
          where entry.receipt_id = receipt.id and entry.reverses_id is null))
    or exists (select from posted join fee_receipt receipt on receipt.id = posted.receipt_id
      where (receipt.account_id, receipt.receipt_series_id) <> (posted.account_id, posted.receipt_series_id))
    or exists (select from posted join fee_receipt receipt on receipt.id = posted.receipt_id
      join fee_payment payment on payment.id = receipt.payment_id
      where (posted.reverses_id is null) = (payment.ended_as is not null)) then
    raise exception 'the entries are not those of the receipt' using errcode = '23514', constraint = 'fee_receipt_entries';
  end if;
  perform from fee_account where id in (select account_id from posted) order by id for no key update;
  update fee_due due set gross = due.gross + part.charged, pro_rata = due.pro_rata - part.pro_rata,
    concession = due.concession - part.concession, adjusted = due.adjusted + part.adjusted, paid = due.paid - part.paid
  from (select due_id,
      coalesce(sum(amount) filter (where kind in ('Charge', 'Fine', 'Debit', 'Opening')), 0) as charged,
      coalesce(sum(amount) filter (where kind = 'Pro-rata'), 0) as pro_rata,
      coalesce(sum(amount) filter (where kind = 'Concession'), 0) as concession,
      coalesce(sum(amount) filter (where kind in ('Waiver', 'Credit', 'Write-off')), 0) as adjusted,
      coalesce(sum(amount) filter (where kind in ('Applied', 'Receipt', 'Refund', 'Transfer')), 0) as paid
    from posted where due_id is not null group by due_id) as part
  where due.id = part.due_id;
  insert into fee_advance (account_id, receipt_series_id)
    select distinct account_id, receipt_series_id from posted where due_id is null on conflict do nothing;
  update fee_advance own set amount = own.amount - part.amount
  from (select account_id, receipt_series_id, sum(amount) as amount from posted where due_id is null
    group by account_id, receipt_series_id) as part
  where own.account_id = part.account_id and own.receipt_series_id = part.receipt_series_id;
  update fee_account account set balance = account.balance + part.amount, version = account.version + 1
  from (select account_id, sum(amount) as amount from posted group by account_id) as part
  where account.id = part.account_id;
  return null;
end $$;

-- A payment is its receipts, and its end reverses all their entries. Asked at the end of the transaction.
create function fee_keep_payment_whole() returns trigger language plpgsql as $$
declare
  payment fee_payment;
  given record;
begin
  select * into payment from fee_payment
    where id = case tg_table_name when 'fee_payment' then (to_jsonb(new) ->> 'id')::integer
      else (to_jsonb(new) ->> 'payment_id')::integer end;
  select coalesce(sum(receipt.amount), 0) as receipted, coalesce(sum(entries.posted), 0) as posted,
      coalesce(sum(entries.standing), 0) as standing into given
    from fee_receipt receipt
    left join lateral (select sum(-amount) filter (where reverses_id is null) as posted, sum(-amount) as standing
      from fee_ledger_entry where receipt_id = receipt.id) as entries on true
    where receipt.payment_id = payment.id;
  if given.receipted <> payment.amount or given.posted <> payment.amount
      or given.standing <> (case when payment.ended_as is null then payment.amount else 0 end) then
    raise exception 'a payment is not its receipts' using errcode = '23514', constraint = 'fee_payment_whole';
  end if;
  return null;
end $$;
create constraint trigger whole after insert or update of ended_as on fee_payment
  deferrable initially deferred for each row execute function fee_keep_payment_whole();
create constraint trigger whole after insert on fee_receipt
  deferrable initially deferred for each row execute function fee_keep_payment_whole();

-- A later cancellation is decided by a second person.
alter table approval add column fee_payment_id integer references fee_payment;
create unique index approval_fee_payment on approval (fee_payment_id) where status = 'Pending';
create index on approval (fee_payment_id);
do $$
declare
  kinds text := (select pg_get_expr(conbin, conrelid) from pg_constraint
    where conname = 'approval_kind' and conrelid = 'approval'::regclass);
begin
  alter table approval drop constraint approval_kind;
  execute format('alter table approval add constraint approval_kind check (%s or kind = ''fee.cancel'')', kinds);
end $$;
alter table approval add constraint approval_subject_fee_payment
  check ((kind = 'fee.cancel') = (fee_payment_id is not null));

grant select, insert (closed_until, reason, staff_id) on fee_book to shala_app;
grant select, insert (staff_id, day, opening_cash),
  update (opening_cash, status, counted, expected, difference, reason, closed_by, closed_at, version) on fee_day to shala_app;
grant select, insert (day_id, staff_id, paid_on, payer_guardian_id, payer_name, payer_mobile, payer_key, mode, amount,
  reference, remark, back_reason, created_at), update (ended_as, ended_on, ended_by, end_reason, version) on fee_payment to shala_app;
grant select on fee_cash_day to shala_app;
grant select, insert (payment_id, receipt_date, account_id, receipt_series_id, branch_id, number_series_id, number_period,
  number_value, receipt_no, amount, issued_as) on fee_receipt to shala_app;
grant select, insert (receipt_id, staff_id, at) on fee_receipt_print to shala_app;
