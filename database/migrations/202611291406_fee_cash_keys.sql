-- Cash counts under the family of each child and under the payer's mobile number, so that no spelling of a name passes the limit.
alter table fee_payment add column cash_keys text[] not null default '{}';
alter table fee_payment disable trigger take;
update fee_payment set cash_keys = array[payer_key] where mode = 'Cash';
alter table fee_payment enable trigger take;
grant insert (cash_keys) on fee_payment to shala_app;

-- As before, but that cash counts under each of its keys, in their order; without any under that of the payer.
create or replace function fee_take_payment() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  own fee_day;
  one text;
begin
  -- Neither the cashier's day nor the books close while a payment of that day is being stored.
  if tg_op = 'INSERT' or new.ended_on = new.paid_on then
    select * into own from fee_day where id = new.day_id for share;
    if own.status = 'Closed' then
      raise exception 'the day is closed' using errcode = '23514', constraint = 'fee_day_closed';
    end if;
  end if;
  if tg_op = 'INSERT' then
    new.value_on := coalesce(new.value_on, new.paid_on);
    perform pg_advisory_xact_lock_shared(hashtext('fee_book'));
    if new.paid_on <= fee_closed_until() then
      raise exception 'the books are closed' using errcode = '23514', constraint = 'fee_books_closed';
    end if;
    if new.mode = 'Cash' then
      new.cash_keys := array(select distinct key from unnest(
        case when new.cash_keys = '{}' then array[new.payer_key] else new.cash_keys end) as key order by key);
      foreach one in array new.cash_keys loop
        insert into fee_cash_day as taken values (one, new.value_on, new.amount)
          on conflict (payer_key, day) do update set amount = taken.amount + excluded.amount;
      end loop;
    end if;
  else
    if old.ended_as is not null then
      raise exception 'an ended payment does not change' using errcode = '23514', constraint = 'fee_payment_ended';
    end if;
    if new.mode = 'Cash' and new.ended_as is not null then
      foreach one in array new.cash_keys loop
        update fee_cash_day set amount = amount - new.amount where payer_key = one and day = new.value_on;
      end loop;
    end if;
  end if;
  return new;
end $$;
