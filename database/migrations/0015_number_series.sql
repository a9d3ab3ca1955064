-- How official numbers are made up, and how far each series is (areas.md 0.3, K2).

create table number_series (
  id          integer generated always as identity primary key,
  code        text not null unique check (length(code) between 1 and 40),
  prefix      text not null check (prefix ~ '^[A-Za-z0-9/._-]{0,20}$'),
  pattern     text not null check (length(pattern) between 5 and 60),
  reset_on    text not null check (reset_on in ('never', 'academicYear', 'financialYear')),
  is_gapless  boolean not null,
  version     integer not null default 1,
  updated_at  timestamptz not null default now()
);

-- The period is the name of the year a number counts in, '' where the series never begins anew. Each year keeps its own
-- count: inquiries of this year and of the next come in side by side.
create table number_series_value (
  series_id   integer not null references number_series,
  period      text not null,
  next_value  integer not null check (next_value between 1 and 10000000),
  primary key (series_id, period)
);

create function number_series_keep_forward() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.next_value < old.next_value
      or (new.series_id, new.period) is distinct from (old.series_id, old.period) then
    raise exception 'a number series never goes back' using errcode = '23514', constraint = 'number_series_forward';
  end if;
  return new;
end $$;
create trigger forward before update or delete on number_series_value
  for each row execute function number_series_keep_forward();

grant select, update on number_series to shala_app;
grant select, insert, update on number_series_value to shala_app;

insert into number_series (code, prefix, pattern, reset_on, is_gapless)
  values ('inquiry', 'INQ', '{prefix}/{AY}/{seq:5}', 'academicYear', true);
insert into number_series_value (series_id, period, next_value)
  select series.id, substr(counter.name, length('inquiry:') + 1), counter.last + 1
  from counter, number_series as series
  where counter.name like 'inquiry:%' and series.code = 'inquiry';
drop table counter;
