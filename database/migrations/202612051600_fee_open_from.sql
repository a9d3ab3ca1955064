-- The earliest day of a due that an account has not paid in full. Lists and their counts find overdue accounts by it, without adding
-- up the dues of the school; unlike a sum of what is overdue it is as true on the next day, so that no task keeps it.
alter table fee_account add column open_from date;
create index fee_account_open on fee_account (open_from) where open_from is not null;

-- A due is made without an amount and only its ledger changes it, so an update is all that opens or closes one. Accounts are locked
-- in their order first, as `fee_post` locks them.
create function fee_keep_open() returns trigger language plpgsql security definer
  set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  accounts integer[] := array(
    select distinct changed.account_id from changed join before using (id)
    where (changed.paid < changed.net, changed.due_on) <> (before.paid < before.net, before.due_on));
begin
  if cardinality(accounts) = 0 then return null; end if;
  perform from fee_account where id = any (accounts) order by id for no key update;
  update fee_account account set open_from = own.day
  from (select one.id, (select min(due.due_on) from fee_due due where due.account_id = one.id and due.paid < due.net) as day
    from unnest(accounts) as one (id)) as own
  where account.id = own.id and account.open_from is distinct from own.day;
  return null;
end $$;
revoke execute on function fee_keep_open() from public;
create trigger kept_open after update on fee_due referencing old table as before new table as changed
  for each statement execute function fee_keep_open();

update fee_account account set open_from = own.day
from (select account_id, min(due_on) as day from fee_due where paid < net group by account_id) as own
where own.account_id = account.id;
