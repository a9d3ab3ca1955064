-- The close of a cashier's day: the cash by note and coin, and what went to the bank. The database computes what is expected
-- and counted (docs/decisions/0160-closing-a-cashiers-day.md).

create table fee_day_count (
  day_id  integer not null references fee_day,
  note    smallint not null check (note in (2000, 500, 200, 100, 50, 20, 10, 5, 2, 1)),
  pieces  integer not null check (pieces between 1 and 100000),
  primary key (day_id, note)
);

alter table fee_day
  add column banked bigint not null default 0,
  add column slip_no text not null default '' check (length(slip_no) <= 30),
  add constraint fee_day_banked check (banked >= 0 and banked <= coalesce(counted, 0) and (banked = 0 or slip_no <> ''));

-- Cash that stays in the drawer of a day: what was received, but for payments that ended on the same day.
create function fee_cash_of(day integer) returns bigint language sql stable as $$
  select coalesce(sum(amount), 0)::bigint from fee_payment
  where day_id = $1 and mode = 'Cash' and ended_on is distinct from paid_on
$$;

-- The row of the day is locked against payments by its update.
create or replace function fee_keep_closed_day() returns trigger language plpgsql as $$
begin
  if old.status = 'Closed' then
    raise exception 'a closed day does not change' using errcode = '23514', constraint = 'fee_day_closed';
  end if;
  if new.status = 'Closed' then
    new.counted := (select coalesce(sum(note * 100 * pieces::bigint), 0) from fee_day_count where day_id = new.id);
    new.expected := new.opening_cash + fee_cash_of(new.id);
    new.difference := new.counted - new.expected;
  end if;
  return new;
end $$;

create function fee_keep_count() returns trigger language plpgsql as $$
begin
  if (select status from fee_day where id = coalesce(new.day_id, old.day_id)) = 'Closed' then
    raise exception 'a closed day does not change' using errcode = '23514', constraint = 'fee_day_closed';
  end if;
  return coalesce(new, old);
end $$;
create trigger closed before insert or update or delete on fee_day_count for each row execute function fee_keep_count();

revoke update (counted, expected, difference) on fee_day from shala_app;
grant update (banked, slip_no) on fee_day to shala_app;
grant select, insert on fee_day_count to shala_app;
