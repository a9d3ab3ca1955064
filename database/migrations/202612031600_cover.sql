-- Who takes the register or a subject of a section on a day in place of a teacher who is away.
create table cover (
  id                integer generated always as identity primary key,
  academic_year_id  integer not null references academic_year,
  day               date not null,
  section_id        integer not null references academic_section,
  -- None: the register and whatever else the class teacher does that day.
  subject_id        integer references configuration_subject,
  from_half         smallint not null check (from_half in (1, 2)),
  to_half           smallint not null check (to_half in (1, 2)),
  absent_id         integer not null references staff,
  staff_id          integer not null references staff,
  state             text not null default 'Given' check (state in ('Given', 'Cancelled')),
  given_by          integer not null references staff,
  given_at          timestamptz not null,
  version           integer not null default 1,
  constraint cover_halves check (from_half <= to_half),
  constraint cover_other check (staff_id <> absent_id),
  constraint cover_once exclude using gist (day with =, section_id with =, coalesce(subject_id, 0) with =,
    int4range(from_half, to_half, '[]') with &&) where (state = 'Given')
);
create index on cover (day, staff_id) where state = 'Given';
create index on cover (absent_id, day);
create index on cover (staff_id, day);
create index on cover (section_id);
create index on cover (subject_id);
create index on cover (academic_year_id);
create index on cover (given_by);
grant select, insert, update (state, version) on cover to shala_app;
create trigger closed_year after insert on cover referencing new table as changed
  for each statement execute function academic_refuse_closed_years();

-- The sections and subjects that have nobody on a day, with the halves: their teacher is away, and no other class teacher of
-- the section is there. A subject of two teachers is open where both are away.
create function cover_needed(of_day date) returns table (
  academic_year_id integer, branch_id integer, section_id integer, subject_id integer, absent_id integer, half smallint
) language sql stable as $$
  with mapped as materialized (
    select own.academic_year_id, section.branch_id, own.section_id, own.subject_id, own.staff_id, halves.half,
      exists (select from workday_away away where away.day = $1 and away.staff_id = own.staff_id and away.half = halves.half)
        as is_away
    from academic_year year
    join academic_school_days(year.id, $1, $1) as days on days.work > 0
    join academic_section section on section.academic_year_id = year.id and section.grade_id = days.grade_id and section.is_active
    join academic_section_teacher own on own.section_id = section.id
      and $1 between own.effective_from and coalesce(own.effective_to, year.ends_on)
    join (values (1::smallint), (2::smallint)) as halves (half) on halves.half <= days.work
    where $1 between year.starts_on and year.ends_on)
  select one.academic_year_id, one.branch_id, one.section_id, one.subject_id, one.staff_id, one.half from mapped one
  where one.is_away and not exists (select from mapped other
    where other.section_id = one.section_id and other.subject_id is not distinct from one.subject_id
      and other.half = one.half and not other.is_away)
$$;
