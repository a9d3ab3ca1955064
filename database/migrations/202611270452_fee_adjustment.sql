-- Corrections of what is owed, and refunds of advance. Each becomes entries of the ledger once it is done
-- (docs/decisions/0161-corrections-and-refunds.md).

create table fee_adjustment (
  id                 integer generated always as identity primary key,
  account_id         integer not null references fee_account,
  kind               text not null check (kind in ('Debit', 'Credit', 'Write-off', 'Waiver', 'Transfer')),
  due_id             integer references fee_due,
  -- Of a transfer: where the advance goes from and to.
  from_series_id     integer references fee_receipt_series,
  to_series_id       integer references fee_receipt_series,
  amount             bigint not null check (amount between 1 and 90000000000000),
  reason             text not null check (length(reason) between 1 and 500),
  status             text not null default 'Requested' check (status in ('Requested', 'Done', 'Rejected')),
  asked_by           integer not null references staff,
  asked_at           timestamptz not null default now(),
  done_on            date,
  version            integer not null default 1,
  constraint fee_adjustment_of check (case kind when 'Transfer'
    then due_id is null and num_nonnulls(from_series_id, to_series_id) = 2 and from_series_id <> to_series_id
    else due_id is not null and num_nonnulls(from_series_id, to_series_id) = 0 end),
  check ((status = 'Done') = (done_on is not null))
);
create index on fee_adjustment (account_id);
create index on fee_adjustment (due_id);
create index on fee_adjustment (from_series_id);
create index on fee_adjustment (to_series_id);
create index on fee_adjustment (asked_by);
create index on fee_adjustment (asked_at, id);

create table fee_refund (
  id                 integer generated always as identity primary key,
  account_id         integer not null references fee_account,
  receipt_series_id  integer not null references fee_receipt_series,
  amount             bigint not null check (amount between 1 and 90000000000000),
  reason             text not null check (length(reason) between 1 and 500),
  mode               text not null check (mode in ('Cheque', 'Bank transfer')),
  payee              text not null check (length(payee) between 1 and 160),
  status             text not null default 'Requested'
                       check (status in ('Requested', 'Approved', 'Rejected', 'Withdrawn', 'Paid')),
  asked_by           integer not null references staff,
  asked_at           timestamptz not null default now(),
  refund_no          text unique,
  paid_on            date,
  reference          text not null default '' check (length(reference) <= 60),
  version            integer not null default 1,
  check ((status = 'Paid') = (num_nonnulls(refund_no, paid_on) = 2))
);
create index on fee_refund (account_id);
create index on fee_refund (receipt_series_id);
create index on fee_refund (asked_by);
create index on fee_refund (asked_at, id);

-- Advance that an open refund has asked for is not spent on anything else.
alter table fee_advance add column held bigint not null default 0,
  add constraint fee_advance_held check (held between 0 and amount);
create function fee_hold_refund() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  change bigint := case when new.status in ('Requested', 'Approved') then new.amount else 0 end
    - case when tg_op = 'UPDATE' and old.status in ('Requested', 'Approved') then old.amount else 0 end;
begin
  if tg_op = 'UPDATE' and (old.status in ('Paid', 'Rejected', 'Withdrawn')
      or (new.account_id, new.receipt_series_id, new.amount) <> (old.account_id, old.receipt_series_id, old.amount)) then
    raise exception 'a refund keeps its amount' using errcode = '23514', constraint = 'fee_refund_kept';
  end if;
  if change = 0 then return new; end if;
  update fee_advance set held = held + change
    where (account_id, receipt_series_id) = (new.account_id, new.receipt_series_id);
  if not found then
    raise exception 'there is no advance' using errcode = '23514', constraint = 'fee_advance_held';
  end if;
  return new;
end $$;
revoke execute on function fee_hold_refund() from public;
create trigger hold before insert or update on fee_refund for each row execute function fee_hold_refund();

alter table fee_ledger_entry
  add column adjustment_id integer references fee_adjustment,
  add column refund_id integer references fee_refund,
  add constraint fee_ledger_entry_refund check ((kind = 'Refund') = (refund_id is not null));
create index on fee_ledger_entry (adjustment_id);
create index on fee_ledger_entry (refund_id);
grant insert (adjustment_id, refund_id) on fee_ledger_entry to shala_app;

alter table approval add column fee_adjustment_id integer references fee_adjustment,
  add column fee_refund_id integer references fee_refund;
create unique index approval_fee_adjustment on approval (fee_adjustment_id) where status = 'Pending';
create unique index approval_fee_refund on approval (fee_refund_id) where status = 'Pending';
create index on approval (fee_adjustment_id);
create index on approval (fee_refund_id);
do $$
declare
  kinds text := (select pg_get_expr(conbin, conrelid) from pg_constraint
    where conname = 'approval_kind' and conrelid = 'approval'::regclass);
begin
  alter table approval drop constraint approval_kind;
  execute format('alter table approval add constraint approval_kind
    check (%s or kind in (''fee.adjustment'', ''fee.refund''))', kinds);
end $$;
alter table approval
  add constraint approval_subject_fee_adjustment check ((kind = 'fee.adjustment') = (fee_adjustment_id is not null)),
  add constraint approval_subject_fee_refund check ((kind = 'fee.refund') = (fee_refund_id is not null));

insert into number_series (code, prefix, pattern, reset_on, is_gapless)
  values ('fee-refund', 'RF', '{prefix}/{FY}/{seq:4}', 'financialYear', true);

grant select, insert (account_id, kind, due_id, from_series_id, to_series_id, amount, reason, status, asked_by, asked_at, done_on),
  update (status, done_on, version) on fee_adjustment to shala_app;
grant select, insert (account_id, receipt_series_id, amount, reason, mode, payee, asked_by, asked_at),
  update (status, refund_no, paid_on, reference, version) on fee_refund to shala_app;
