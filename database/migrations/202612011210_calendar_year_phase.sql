-- A school year begins by its date and is closed by an act. What was stored as planned and current follows from the day.
drop trigger academic_year_some_current on academic_year;
drop function academic_keep_current_year();
drop index academic_year_one_current;
drop trigger closed_year on academic_year;
alter table academic_year
  drop column is_current,
  drop constraint academic_year_current_is_active,
  drop constraint academic_year_status_check,
  -- Names from before it do not keep it, and each of these rows is changed here.
  drop constraint academic_year_name_form;

alter table academic_year add column closed_at timestamptz, add column closed_by text;

create table year_event (
  id                integer generated always as identity primary key,
  academic_year_id  integer not null references academic_year,
  kind              text not null check (kind in ('Closed', 'Reopened')),
  reason            text not null default '' check (length(reason) <= 250),
  -- The figures that stood open, by the keys of their lines.
  open              jsonb not null default '{}',
  made_by           text not null,
  made_at           timestamptz not null default school_now(),
  check ((kind = 'Reopened') = (reason <> ''))
);
create index on year_event (academic_year_id);
grant select, insert on year_event to shala_app;

-- "Make current" closed a year at once. One whose last day has not passed is open again, for the rest of its days.
with early as (
  update academic_year set status = 'Open' where status = 'Closed' and ends_on >= school_now()::date returning id)
insert into year_event (academic_year_id, kind, reason, made_by)
  select id, 'Reopened', 'A year is closed after its last day', 'Upgrade' from early;
update academic_year set status = 'Open' where status <> 'Closed';
update academic_year set
  closed_at = coalesce(act.at, (own.ends_on + time '23:59') at time zone 'Asia/Kolkata'),
  closed_by = act.actor
from academic_year own
left join lateral (
  select audit.at, audit.actor from audit
  where audit.entity = 'academic_year' and audit.entity_id = own.id and audit.details ->> 'Status' like '% → Closed'
  order by audit.id desc limit 1) as act on true
where academic_year.id = own.id and academic_year.status = 'Closed';
insert into year_event (academic_year_id, kind, made_by, made_at)
  select id, 'Closed', coalesce(closed_by, 'Shala'), closed_at from academic_year where status = 'Closed';

alter table academic_year
  alter column status set default 'Open',
  add constraint academic_year_name_form check (name ~ '^[0-9]{4}-([0-9]{2}|[0-9]{4})$') not valid,
  add constraint academic_year_status check (status in ('Open', 'Closed')),
  add constraint academic_year_closed_at check ((status = 'Closed') = (closed_at is not null)),
  add constraint academic_year_closed_by check (closed_by is null or status = 'Closed');

-- A closed year can only be opened again, and the year of today is neither removed nor inactive.
create or replace function academic_keep_closed_year() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    if old.status = 'Closed' and (tg_op = 'DELETE' or new.status = 'Closed') then
      raise exception 'the academic year is closed' using errcode = '23514', constraint = 'academic_year_is_closed';
    end if;
  end if;
  if tg_op <> 'INSERT' then
    if old.id = academic_year_on(school_now()::date) and (tg_op = 'DELETE' or old.is_active and not new.is_active) then
      raise exception 'the year of today is active' using errcode = '23514', constraint = 'academic_year_of_today';
    end if;
  end if;
  if tg_op = 'DELETE' then return old; end if;
  if new.status = 'Closed' then
    new.closed_at := coalesce(new.closed_at, school_now());
  else
    new.closed_at := null;
    new.closed_by := null;
  end if;
  return new;
end $$;
create trigger closed_year before insert or update or delete on academic_year
  for each row execute function academic_keep_closed_year();

-- Without a day, the year of today.
create or replace function academic_year_on(day date default school_now()::date) returns integer language sql stable as $$
  select id from academic_year where is_active
  order by starts_on <= day desc, case when starts_on <= day then starts_on end desc, starts_on
  limit 1
$$;

-- What a year is on a day. One that is closed stays so, also where it is the year of the day.
create function academic_year_phase(own academic_year, day date) returns text language sql stable as $$
  select case when own.status = 'Closed' then 'Closed'
    when own.id = academic_year_on(day) then 'Current'
    when own.ends_on < day then 'Ended' else 'Planned' end
$$;

-- The same today, read like a column.
create function phase(academic_year) returns text language sql stable as $$
  select academic_year_phase($1, school_now()::date)
$$;
