-- Money that is moved: a payment ends as Reissued, and another of the same mode, reference, amount and value day stands for the
-- same money, for other children or on an account of unplaced money.
alter table fee_payment
  add column reissue_of integer unique references fee_payment,
  -- Where the money is, by the person who cancels.
  add column end_money text not null default '' check (end_money in ('', 'Given back now', 'It never came',
    'The school still has it')),
  alter column day_id drop not null,
  drop constraint fee_payment_ended_as_check,
  add constraint fee_payment_ended_as check (ended_as in ('Cancelled', 'Bounced', 'Reissued')),
  -- A moved payment lies in no drawer: its money was counted on the day of the first.
  add constraint fee_payment_drawer check ((day_id is null) = (reissue_of is not null)),
  add constraint fee_payment_given_back check (end_money <> 'Given back now'
    or (mode = 'Cash' and reissue_of is null and (ended_on is null or ended_on = paid_on)));
grant insert (reissue_of), update (end_money) on fee_payment to shala_app;

-- Cash that stays in a drawer: what was received, but for payments that were cancelled on the same day. Moving leaves it there.
create or replace function fee_cash_of(day integer) returns bigint language sql stable as $$
  select coalesce(sum(amount), 0)::bigint from fee_payment
  where day_id = $1 and mode = 'Cash' and reissue_of is null
    and (ended_on is distinct from paid_on or ended_as = 'Reissued')
$$;

-- As before, but that moving a payment changes nothing of its day, which may be closed.
create or replace function fee_take_payment() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  own fee_day;
  one text;
begin
  -- Neither the cashier's day nor the books close while a payment of that day is being stored.
  if tg_op = 'INSERT' or (new.ended_on = new.paid_on and new.ended_as <> 'Reissued') then
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

-- The same money: nothing of it changes but whose it is.
create function fee_keep_moved() returns trigger language plpgsql as $$
declare
  first fee_payment;
begin
  select * into first from fee_payment where id = new.reissue_of;
  if first.ended_as is distinct from 'Reissued' or (first.mode, first.amount, first.reference, first.value_on)
      is distinct from (new.mode, new.amount, new.reference, new.value_on) then
    raise exception 'a moved payment is the same money' using errcode = '23514', constraint = 'fee_payment_moved';
  end if;
  return new;
end $$;
create trigger same_money before insert on fee_payment for each row when (new.reissue_of is not null)
  execute function fee_keep_moved();
-- Asked at the end of the transaction.
create function fee_keep_reissued() returns trigger language plpgsql as $$
begin
  if not exists (select from fee_payment where reissue_of = new.id) then
    raise exception 'a moved payment stands elsewhere' using errcode = '23514', constraint = 'fee_payment_moved';
  end if;
  return null;
end $$;
create constraint trigger moved after update of ended_as on fee_payment deferrable initially deferred
  for each row when (new.ended_as = 'Reissued') execute function fee_keep_reissued();

-- Each move of a payment: at once, or kept until a second person decides.
create table fee_reissue (
  id              integer generated always as identity primary key,
  payment_id      integer not null references fee_payment,
  -- To other children or another split; to an account without a child; from there to children.
  kind            text not null check (kind in ('Move', 'Unplaced', 'Place')),
  -- The children with what each gets.
  input           jsonb not null,
  reason          text not null check (length(reason) between 1 and 200),
  asked_by        integer not null references staff,
  asked_at        timestamptz not null,
  status          text not null default 'Asked' check (status in ('Asked', 'Done', 'Rejected', 'Withdrawn')),
  new_payment_id  integer unique references fee_payment,
  version         integer not null default 1,
  constraint fee_reissue_done check ((status = 'Done') = (new_payment_id is not null))
);
create unique index fee_reissue_once on fee_reissue (payment_id) where status in ('Asked', 'Done');
create index on fee_reissue (payment_id);
create index on fee_reissue (asked_by);
grant select, insert (payment_id, kind, input, reason, asked_by, asked_at), update (status, new_payment_id, version)
  on fee_reissue to shala_app;

alter table approval add column fee_reissue_id integer references fee_reissue;
create unique index approval_fee_reissue on approval (fee_reissue_id) where status = 'Pending';
create index on approval (fee_reissue_id);
do $$
declare
  kinds text := (select pg_get_expr(conbin, conrelid) from pg_constraint
    where conname = 'approval_kind' and conrelid = 'approval'::regclass);
begin
  alter table approval drop constraint approval_kind;
  execute format('alter table approval add constraint approval_kind check (%s or kind = ''fee.reissue'')', kinds);
end $$;
alter table approval add constraint approval_subject_reissue check ((kind = 'fee.reissue') = (fee_reissue_id is not null));

-- Unplaced money goes to children only once a second person approved it, and a decided move is kept.
create function fee_keep_reissue() returns trigger language plpgsql as $$
begin
  if old.status <> 'Asked' then
    raise exception 'a decided request does not change' using errcode = '23514', constraint = 'fee_reissue_decided';
  end if;
  if new.status = 'Done' and new.kind = 'Place'
      and not exists (select from approval where fee_reissue_id = new.id and status = 'Approved') then
    raise exception 'nobody places money alone' using errcode = '23514', constraint = 'fee_reissue_alone';
  end if;
  return new;
end $$;
create trigger decided before update on fee_reissue for each row execute function fee_keep_reissue();
