-- A cashier's drawer has up to three shifts a day. What a closed shift leaves in it is carried once into a later one, by the
-- database, so that no cash of a drawer gets lost over night. The cashier may count another amount, with a reason.
alter table fee_day
  add column shift smallint not null default 1 check (shift between 1 and 3),
  add column carried bigint not null default 0 check (carried >= 0),
  add column is_counted boolean not null default false,
  add column opening_reason text not null default '' check (length(opening_reason) <= 500);
alter table fee_day disable trigger user;
update fee_day set carried = opening_cash where opening_cash <> 0;
alter table fee_day enable trigger user;
alter table fee_day
  drop constraint fee_day_staff_id_day_key,
  add constraint fee_day_shift unique (staff_id, day, shift),
  add constraint fee_day_opening check (opening_cash = carried or (is_counted and opening_reason <> ''));
create unique index fee_day_open on fee_day (staff_id, day) where status = 'Open';

-- Each closed shift, and the one that its cash went on into.
create table fee_day_carry (
  from_id  integer primary key references fee_day,
  to_id    integer not null references fee_day,
  check (from_id <> to_id)
);
create index on fee_day_carry (to_id);
-- Of the days until now only the last of each cashier is still to be carried.
insert into fee_day_carry
  select id, next from (select id, status, lead(id) over (partition by staff_id order by day, shift) as next from fee_day) as own
  where status = 'Closed' and next is not null;

-- The closed shifts of a cashier before another one whose cash is still to be carried.
create function fee_day_uncarried(staff integer, before date, before_shift integer) returns setof fee_day language sql stable as $$
  select own.* from fee_day own where own.staff_id = $1 and own.status = 'Closed' and (own.day, own.shift) < ($2, $3)
    and not exists (select from fee_day_carry where from_id = own.id)
$$;

-- An opening cash that was counted is kept: the cash was in the drawer when the cashier counted it.
create function fee_day_carry_into(shifts integer[], drawer integer) returns void language plpgsql as $$
declare
  rest bigint;
begin
  insert into fee_day_carry select from_id, $2 from unnest($1) as from_id;
  select coalesce(sum(counted - banked), 0) into rest from fee_day where id = any($1);
  if rest > 0 then
    update fee_day set carried = carried + rest, version = version + 1,
      opening_cash = opening_cash + case when is_counted then 0 else rest end where id = $2;
  end if;
end $$;

-- A drawer that opens and one that closes at the same moment wait for each other, so that the one sees the other.
create function fee_day_carry_cash() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  next integer;
begin
  perform pg_advisory_xact_lock(hashtext('fee_day'), new.staff_id);
  if tg_op = 'INSERT' then
    perform fee_day_carry_into(array(select id from fee_day_uncarried(new.staff_id, new.day, new.shift)), new.id);
  elsif old.status = 'Open' and new.status = 'Closed' then
    select id into next from fee_day where staff_id = new.staff_id and status = 'Open' and (day, shift) > (new.day, new.shift)
      order by day, shift limit 1;
    if found then perform fee_day_carry_into(array[new.id], next); end if;
  end if;
  return null;
end $$;
revoke execute on function fee_day_carry_into(integer[], integer), fee_day_carry_cash() from public;
create trigger carry after insert or update of status on fee_day for each row execute function fee_day_carry_cash();

-- A further shift follows a closed one.
create function fee_day_next_shift() returns trigger language plpgsql as $$
begin
  if new.shift > 1 and not exists (select from fee_day where staff_id = new.staff_id and day = new.day
      and shift = new.shift - 1 and status = 'Closed') then
    raise exception 'the shift before is not closed' using errcode = '23514', constraint = 'fee_day_shift_order';
  end if;
  return new;
end $$;
create trigger shift before insert on fee_day for each row execute function fee_day_next_shift();

-- As before, but that the count of the opening cash ends with the first payment in cash.
create or replace function fee_keep_closed_day() returns trigger language plpgsql as $$
begin
  if old.status = 'Closed' then
    raise exception 'a closed day does not change' using errcode = '23514', constraint = 'fee_day_closed';
  end if;
  if (new.opening_cash, new.is_counted) is distinct from (old.opening_cash, old.is_counted) and new.carried = old.carried
      and exists (select from fee_payment where day_id = new.id and mode = 'Cash') then
    raise exception 'cash was received already' using errcode = '23514', constraint = 'fee_day_received';
  end if;
  if new.status = 'Closed' then
    new.counted := (select coalesce(sum(note * 100 * pieces::bigint), 0) from fee_day_count where day_id = new.id);
    new.expected := new.opening_cash + fee_cash_of(new.id);
    new.difference := new.counted - new.expected;
  end if;
  return new;
end $$;

revoke insert (opening_cash) on fee_day from shala_app;
grant insert (shift), update (is_counted, opening_reason) on fee_day to shala_app;
grant select on fee_day_carry to shala_app;
