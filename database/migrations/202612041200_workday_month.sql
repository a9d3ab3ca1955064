-- The months of the school that are closed, and those that were reopened. A closed month keeps its sheet and the workbook of
-- it, and refuses presence and leave in it. Another person reopens it than the one who closed it.
create table workday_month (
  id           integer generated always as identity primary key,
  month        date not null check (extract(day from month) = 1),
  closed_by    integer not null references staff,
  closed_at    timestamptz not null,
  file_id      uuid references file,
  -- The sheet as it was closed: its leave types, and a row for each person.
  figures      jsonb,
  reopened_by  integer references staff,
  reopened_at  timestamptz,
  check ((reopened_by is null) = (reopened_at is null)),
  constraint workday_month_second_person check (reopened_by <> closed_by)
);
create unique index workday_month_closed on workday_month (month) where reopened_at is null;
create index on workday_month (closed_by);
create index on workday_month (file_id);
create index on workday_month (reopened_by);
grant select, insert, update (file_id, reopened_by, reopened_at) on workday_month to shala_app;

-- The first closed month among some days. Closing waits for those that have asked, and they for a closing.
create function workday_closed_month(first date, last date) returns date language plpgsql as $$
declare
  found date;
begin
  perform pg_advisory_xact_lock_shared(hashtext('workday_month'));
  select min(month) into found from workday_month
    where reopened_at is null and month between date_trunc('month', first)::date and last;
  return found;
end $$;

create function workday_refuse_closed_month() returns trigger language plpgsql as $$
declare
  first date;
  last date;
  closed date;
begin
  if tg_table_name = 'workday_presence' then
    first := case when tg_op = 'DELETE' then old.day else new.day end;
    last := first;
  elsif tg_op = 'INSERT' then
    if new.state not in ('Asked', 'Granted') then return null; end if;
    first := new.from_day;
    last := new.to_day;
  elsif new.state <> old.state then
    first := old.from_day;
    last := old.to_day;
  elsif (new.to_day, new.to_half) is distinct from (old.to_day, old.to_half) then
    first := least(new.to_day, old.to_day) + (new.to_day <> old.to_day)::integer;
    last := greatest(new.to_day, old.to_day);
  else
    return null;
  end if;
  closed := workday_closed_month(first, last);
  if closed is not null then
    raise exception 'the month is closed' using errcode = '23514', constraint = 'workday_month_is_closed', detail = closed::text;
  end if;
  return null;
end $$;
create trigger closed_month after insert or update or delete on workday_presence
  for each row execute function workday_refuse_closed_month();
create trigger closed_month after insert or update on workday_leave
  for each row execute function workday_refuse_closed_month();
