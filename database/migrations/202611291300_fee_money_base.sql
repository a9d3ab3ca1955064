-- The day on which money reached the school, where it is proved to be earlier than that of the books: late fines and the cash
-- limit count by it. Numbers, books and cashiers' days count by paid_on.
alter table fee_payment add column value_on date;
alter table fee_payment disable trigger take;
update fee_payment set value_on = paid_on;
alter table fee_payment enable trigger take;
alter table fee_payment
  alter column value_on set not null,
  add constraint fee_payment_value_day check (value_on <= paid_on);
grant insert (value_on) on fee_payment to shala_app;

-- As before, but that a payment without a value day has that of the books, and cash counts on the value day.
create or replace function fee_take_payment() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
    new.value_on := coalesce(new.value_on, new.paid_on);
    perform pg_advisory_xact_lock_shared(hashtext('fee_book'));
    if new.paid_on <= fee_closed_until() then
      raise exception 'the books are closed' using errcode = '23514', constraint = 'fee_books_closed';
    end if;
    if new.mode = 'Cash' then
      insert into fee_cash_day as taken values (new.payer_key, new.value_on, new.amount)
        on conflict (payer_key, day) do update set amount = taken.amount + excluded.amount;
    end if;
  else
    if old.ended_as is not null then
      raise exception 'an ended payment does not change' using errcode = '23514', constraint = 'fee_payment_ended';
    end if;
    if new.mode = 'Cash' and new.ended_as is not null then
      update fee_cash_day set amount = amount - new.amount where payer_key = new.payer_key and day = new.value_on;
    end if;
  end if;
  return new;
end $$;

-- Money whose child is not known stands on an account of its own, in the branch that received it.
alter table fee_account
  drop constraint fee_account_check,
  add column unplaced_note text check (length(unplaced_note) between 1 and 200),
  add column unplaced_of integer references fee_account,
  add column branch_id integer references academic_branch,
  add constraint fee_account_whose check (num_nonnulls(student_id, inquiry_id, unplaced_note) >= 1),
  add constraint fee_account_unplaced check ((unplaced_note is null) = (branch_id is null)
    and (unplaced_of is null or unplaced_note is not null)
    and (unplaced_note is null or num_nonnulls(student_id, inquiry_id) = 0));
create index on fee_account (unplaced_of);
create index on fee_account (branch_id);
grant insert (unplaced_note, unplaced_of, branch_id) on fee_account to shala_app;
