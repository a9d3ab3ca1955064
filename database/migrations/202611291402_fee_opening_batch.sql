-- Opening balances that lower what is owed, and their end, are decided by a second person.
create table fee_opening_batch (
  id        integer generated always as identity primary key,
  -- The rows of a file; null for the end of all opening balances.
  batch     uuid,
  act       text not null check (act in ('Post', 'Undo', 'Complete')),
  rows      integer not null check (rows >= 0),
  owed      bigint not null check (owed >= 0),
  advance   bigint not null check (advance >= 0),
  asked_by  integer not null references staff,
  asked_at  timestamptz not null,
  status    text not null default 'Asked' check (status in ('Asked', 'Done', 'Rejected', 'Withdrawn')),
  version   integer not null default 1,
  constraint fee_opening_batch_of check ((batch is null) = (act = 'Complete'))
);
create unique index fee_opening_batch_once on fee_opening_batch (coalesce(batch::text, '')) where status = 'Asked';
create index on fee_opening_batch (batch);
create index on fee_opening_batch (asked_by);
create trigger decided before update on fee_opening_batch for each row execute function fee_keep_decided_relief();
grant select, insert (batch, act, rows, owed, advance, asked_by, asked_at), update (status, version)
  on fee_opening_batch to shala_app;

alter table approval add column fee_opening_batch_id integer references fee_opening_batch;
create unique index approval_fee_opening_batch on approval (fee_opening_batch_id) where status = 'Pending';
create index on approval (fee_opening_batch_id);
do $$
declare
  kinds text := (select pg_get_expr(conbin, conrelid) from pg_constraint
    where conname = 'approval_kind' and conrelid = 'approval'::regclass);
begin
  alter table approval drop constraint approval_kind;
  execute format('alter table approval add constraint approval_kind check (%s or kind = ''fee.opening'')', kinds);
end $$;
alter table approval add constraint approval_subject_opening check ((kind = 'fee.opening') = (fee_opening_batch_id is not null));

-- A row counts once it is posted.
alter table fee_opening
  add column due_on date,
  add column posted_at timestamptz;
update fee_opening set posted_at = imported_at;
alter table fee_opening
  drop constraint fee_opening_due,
  add constraint fee_opening_due check (case when posted_at is null then due_id is null else (amount > 0) = (due_id is not null) end);
grant insert (due_on), update (due_id, posted_at) on fee_opening to shala_app;

-- Opening balances end by a decision, or with the academic year of the first receipt.
create function fee_opening_is_complete() returns boolean language sql stable as $$
  select exists (select from fee_opening_batch where act = 'Complete' and status = 'Done')
    or exists (select from academic_year where ends_on < school_now()::date
      and (select min(receipt_date) from fee_receipt) between starts_on and ends_on)
$$;
create function fee_refuse_late_opening() returns trigger language plpgsql as $$
begin
  if fee_opening_is_complete() then
    raise exception 'opening balances are complete' using errcode = '23514', constraint = 'fee_opening_complete';
  end if;
  return null;
end $$;
create trigger complete after insert on fee_opening for each statement execute function fee_refuse_late_opening();

-- What an opening balance lowers was approved: an advance that is posted, and a due that is undone.
create function fee_refuse_opening_alone() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if fee_is_guarded() and exists (
      select from posted join fee_opening opening on opening.id = posted.opening_id
      where posted.amount < 0 and not exists (
        select from fee_opening_batch asked join approval on approval.fee_opening_batch_id = asked.id
        where asked.batch = opening.batch and approval.status = 'Approved'
          and asked.act = case when posted.reverses_id is null then 'Post' else 'Undo' end)) then
    raise exception 'nobody lowers fees alone' using errcode = '23514', constraint = 'fee_lowered_alone';
  end if;
  return null;
end $$;
revoke execute on function fee_refuse_opening_alone() from public;
create trigger authority_opening after insert on fee_ledger_entry referencing new table as posted
  for each statement execute function fee_refuse_opening_alone();
