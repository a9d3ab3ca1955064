-- The school's calendar (areas.md K1): what is off every week, and the days that are unlike others.

create table academic_calendar (
  academic_year_id  integer primary key references academic_year,
  -- Of a weekday's up to five in a month, those that are off: {2,4} are the second and the fourth.
  monday            smallint[] not null default '{}',
  tuesday           smallint[] not null default '{}',
  wednesday         smallint[] not null default '{}',
  thursday          smallint[] not null default '{}',
  friday            smallint[] not null default '{}',
  saturday          smallint[] not null default '{}',
  sunday            smallint[] not null default '{1,2,3,4,5}',
  -- Counts the changes of the days too, so that nobody changes what they have not seen.
  version           integer not null default 1,
  updated_at        timestamptz not null default now(),
  constraint academic_calendar_weeks check
    (monday || tuesday || wednesday || thursday || friday || saturday || sunday <@ '{1,2,3,4,5}'::smallint[])
);
create trigger closed_year before insert or update or delete on academic_calendar
  for each row execute function academic_refuse_closed_year();

create table academic_calendar_day (
  id                integer generated always as identity primary key,
  academic_year_id  integer not null references academic_year,
  day               date not null,
  kind              text not null check (kind in ('Holiday', 'Vacation', 'Half day', 'Exam day', 'Working day')),
  name              text not null check (length(name) between 1 and 60),
  -- Without one it holds for the whole school.
  grade_id          integer references academic_grade,
  constraint academic_calendar_day_unique unique nulls not distinct (day, grade_id)
);
create index on academic_calendar_day (academic_year_id, day);
create index on academic_calendar_day (grade_id);
create trigger closed_year before insert or update or delete on academic_calendar_day
  for each row execute function academic_refuse_closed_year();

-- A day lies inside its year, whichever of the two is changed.
create function academic_keep_days_inside() returns trigger language plpgsql as $$
begin
  if exists (select 1 from academic_calendar_day one join academic_year year on year.id = one.academic_year_id
      where (one.day < year.starts_on or one.day > year.ends_on)
        and case tg_table_name when 'academic_year' then year.id = new.id else one.id = new.id end) then
    raise exception 'a day lies outside its year' using errcode = '23514', constraint = 'academic_calendar_inside_year';
  end if;
  return null;
end $$;
create trigger inside_year after insert or update on academic_calendar_day
  for each row execute function academic_keep_days_inside();
create trigger calendar_inside_year after update of starts_on, ends_on on academic_year
  for each row execute function academic_keep_days_inside();
create trigger hold_year before insert or update on academic_calendar_day
  for each row execute function academic_hold_year();

grant select, insert, update, delete on academic_calendar, academic_calendar_day to shala_app;
