-- As before. The dues that an act changed are compared as sets: a join whose plan was kept from a small act compared each due of a
-- large one with every other.
create or replace function fee_keep_open() returns trigger language plpgsql security definer
  set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  accounts integer[] := array(
    select distinct other.account_id from (
      select id, account_id, due_on, paid < net as is_open from changed
      except select id, account_id, due_on, paid < net from before) as other);
begin
  if cardinality(accounts) = 0 then return null; end if;
  perform from fee_account where id = any (accounts) order by id for no key update;
  update fee_account account set open_from = own.day
  from (select one.id, (select min(due.due_on) from fee_due due where due.account_id = one.id and due.paid < due.net) as day
    from unnest(accounts) as one (id)) as own
  where account.id = own.id and account.open_from is distinct from own.day;
  return null;
end $$;
