-- The school's set-up: the lists everything later refers to (areas.md K1, K2, N1-N3 and appendix 2). A master has a
-- version, by which a change of something that was changed meanwhile is noticed, and is switched off rather than removed.
-- What the application tells people about a rule it finds by the name of the constraint.

create extension if not exists btree_gist;

-- Of a year's own rows none may be added, changed or removed once the year is closed.
create function academic_refuse_closed_year() returns trigger language plpgsql as $$
declare
  touched integer[] := array[
    case when tg_op <> 'INSERT' then old.academic_year_id end,
    case when tg_op <> 'DELETE' then new.academic_year_id end];
begin
  if (select bool_or(status = 'Closed')
      from (select status from academic_year where id = any (touched) for share) as years) then
    raise exception 'the academic year is closed' using errcode = '23514', constraint = 'academic_year_is_closed';
  end if;
  return coalesce(new, old);
end $$;

-- Something that leads back to itself over the column that is named. One change of a table at a time, since two could
-- close a circle together.
create function academic_refuse_circle() returns trigger language plpgsql as $$
declare
  is_circle boolean;
begin
  perform pg_advisory_xact_lock(hashtext(tg_table_name));
  execute format('with recursive way(id) as (
      select %1$I from %2$I where id = $1
      union select next.%1$I from way join %2$I next on next.id = way.id)
    select exists (select 1 from way where id = $1)', tg_argv[0], tg_table_name) into is_circle using new.id;
  if is_circle then
    raise exception 'this leads back to itself' using errcode = '23514', constraint = tg_table_name || '_circle';
  end if;
  return null;
end $$;

-- Names that differ in capitals alone were two, and are the same from now on: the later one gets its number behind it.
update academic_board own set name = name || ' (' || id || ')'
  where exists (select 1 from academic_board other where other.id < own.id and lower(other.name) = lower(own.name));
update academic_program own set name = name || ' (' || id || ')'
  where exists (select 1 from academic_program other where other.id < own.id and lower(other.name) = lower(own.name));
update academic_grade own set name = name || ' (' || id || ')'
  where exists (select 1 from academic_grade other where other.id < own.id and lower(other.name) = lower(own.name));

-- Academic years: exactly one is current.
alter table academic_year
  add column status text not null default 'Planned' check (status in ('Planned', 'Current', 'Closed')),
  add column age_cutoff_on date,
  add column is_admission_open boolean not null default false,
  add column is_active boolean not null default true,
  add column version integer not null default 1;
update academic_year set status = 'Current' where is_current;
update academic_year set status = 'Closed'
  where not is_current and ends_on < (select starts_on from academic_year where is_current);
-- A day that a month does not have, such as 30 February, is its last one.
update academic_year own set age_cutoff_on = least(
    month.first_day + substring(month.counts_on from 4)::integer - 1,
    (month.first_day + interval '1 month')::date - 1)
  from (
    select id, counts_on,
      make_date(extract(year from starts_on)::integer, substring(counts_on from 1 for 2)::integer, 1) as first_day
    from academic_year, (select coalesce((select age_counts_on from academic_school), '06-01') as counts_on) as school
  ) as month
  where month.id = own.id;
drop index academic_year_one_current;
alter table academic_school drop column age_counts_on;
alter table academic_year
  drop column is_current,
  alter column age_cutoff_on set not null,
  drop constraint academic_year_name_key,
  -- Of names from now on.
  add constraint academic_year_name_form check (name ~ '^[0-9]{4}-([0-9]{2}|[0-9]{4})$') not valid,
  add constraint academic_year_days check (ends_on > starts_on),
  add constraint academic_year_overlap exclude using gist (daterange(starts_on, ends_on, '[]') with &&)
    deferrable initially deferred,
  add constraint academic_year_current_is_active check (is_active or status <> 'Current');
alter table academic_year drop constraint academic_year_check;
alter table academic_year add column is_current boolean generated always as (status = 'Current') stored;
create unique index academic_year_name_unique on academic_year (lower(name));
create unique index academic_year_one_current on academic_year (status) where status = 'Current';

-- A closed year can only be opened again.
create function academic_keep_closed_year() returns trigger language plpgsql as $$
begin
  if old.status = 'Closed' and (tg_op = 'DELETE' or new.status = 'Closed') then
    raise exception 'the academic year is closed' using errcode = '23514', constraint = 'academic_year_is_closed';
  end if;
  return coalesce(new, old);
end $$;
create trigger closed_year before update or delete on academic_year
  for each row execute function academic_keep_closed_year();

-- Once there was a current year there always is one.
create function academic_keep_current_year() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from academic_year where status = 'Current') then
    raise exception 'no academic year is current' using errcode = '23514', constraint = 'academic_year_some_current';
  end if;
  return null;
end $$;
create constraint trigger academic_year_some_current after update or delete on academic_year
  deferrable initially deferred for each row when (old.status = 'Current') execute function academic_keep_current_year();

create table academic_term (
  id                integer generated always as identity primary key,
  academic_year_id  integer not null references academic_year,
  name              text not null check (length(name) between 1 and 30),
  starts_on         date not null,
  ends_on           date not null,
  is_active         boolean not null default true,
  version           integer not null default 1,
  constraint academic_term_days check (ends_on >= starts_on),
  constraint academic_term_overlap exclude using gist
    (academic_year_id with =, daterange(starts_on, ends_on, '[]') with &&) deferrable initially deferred
);
create unique index academic_term_name_unique on academic_term (academic_year_id, lower(name));
create trigger closed_year before insert or update or delete on academic_term
  for each row execute function academic_refuse_closed_year();

-- A term lies inside its year, whichever of the two is changed.
create function academic_keep_terms_inside() returns trigger language plpgsql as $$
begin
  if exists (select 1 from academic_term term join academic_year year on year.id = term.academic_year_id
      where (term.starts_on < year.starts_on or term.ends_on > year.ends_on)
        and case tg_table_name when 'academic_year' then year.id = new.id else term.id = new.id end) then
    raise exception 'a term lies outside its year' using errcode = '23514', constraint = 'academic_term_inside_year';
  end if;
  return null;
end $$;
create trigger inside_year after insert or update on academic_term
  for each row execute function academic_keep_terms_inside();
create trigger inside_year after update on academic_year
  for each row execute function academic_keep_terms_inside();
-- So that neither moves while the other does.
create function academic_hold_year() returns trigger language plpgsql as $$
begin
  perform 1 from academic_year where id = new.academic_year_id for share;
  return new;
end $$;
create trigger hold_year before insert or update on academic_term
  for each row execute function academic_hold_year();

alter table academic_board
  add column short_name text not null default '' check (length(short_name) <= 12),
  add column affiliation_no text not null default '' check (length(affiliation_no) <= 30),
  add column is_active boolean not null default true,
  add column version integer not null default 1,
  drop constraint academic_board_name_key;
create unique index academic_board_name_unique on academic_board (lower(name));

-- A program belongs to a board. Those there are belong to the first one from now on.
alter table academic_program
  add column board_id integer references academic_board,
  add column short_name text not null default '' check (length(short_name) <= 12),
  add column is_active boolean not null default true,
  add column version integer not null default 1,
  drop constraint academic_program_name_key;
insert into academic_board (name)
  select 'Board' where exists (select 1 from academic_program) and not exists (select 1 from academic_board);
update academic_program set board_id = (select min(id) from academic_board);
alter table academic_program alter column board_id set not null;
create unique index academic_program_name_unique on academic_program (board_id, lower(name));

alter table academic_grade
  add column code text,
  add column stage text not null default 'Preparatory'
    check (stage in ('Foundational', 'Preparatory', 'Middle', 'Secondary')),
  add column min_age_months smallint check (min_age_months between 24 and 300),
  add column max_age_months smallint check (max_age_months between 24 and 300),
  add column next_grade_id integer references academic_grade,
  add column is_internship_open boolean not null default false,
  add column is_active boolean not null default true,
  add column version integer not null default 1,
  drop constraint academic_grade_name_key,
  drop constraint academic_grade_position_key,
  add constraint academic_grade_position_key unique (position) deferrable initially deferred,
  add constraint academic_grade_ages check (max_age_months >= min_age_months);
update academic_grade grade set
  code = case when name ~ '^Grade [0-9]{1,2}$' then 'G' || substring(name from 7)
    when name ~ '^[A-Za-z]{1,6}$' then upper(name) else 'P' || id end,
  min_age_months = age_years * 12,
  stage = case when age_years < 8 then 'Foundational' when age_years < 11 then 'Preparatory'
    when age_years < 14 then 'Middle' when age_years >= 14 then 'Secondary' else 'Preparatory' end,
  next_grade_id = (select id from academic_grade later where later.position > grade.position order by position limit 1);
-- Before codes are unique, those that came out alike get their number instead.
update academic_grade grade set code = 'P' || id
  where exists (select 1 from academic_grade other where other.id < grade.id and lower(other.code) = lower(grade.code));
alter table academic_grade
  drop column age_years,
  alter column code set not null,
  add check (length(code) between 1 and 6);
create unique index academic_grade_name_unique on academic_grade (lower(name));
create unique index academic_grade_code_unique on academic_grade (lower(code));
create index on academic_grade (next_grade_id);
create trigger circle after insert or update of next_grade_id on academic_grade
  for each row execute function academic_refuse_circle('next_grade_id');

create table academic_branch (
  id         integer generated always as identity primary key,
  name       text not null check (length(name) between 1 and 60),
  code       text not null check (length(code) between 1 and 6),
  address    text not null default '' check (length(address) <= 300),
  is_active  boolean not null default true,
  version    integer not null default 1
);
create unique index academic_branch_name_unique on academic_branch (lower(name));
create unique index academic_branch_code_unique on academic_branch (lower(code));
insert into academic_branch (name, code) select 'Main campus', 'MAIN' from academic_school;

create table academic_room (
  id         integer generated always as identity primary key,
  branch_id  integer not null references academic_branch,
  name       text not null check (length(name) between 1 and 30),
  building   text not null default '' check (length(building) <= 60),
  capacity   smallint check (capacity between 1 and 2000),
  kind       text not null check (kind in ('Classroom', 'Laboratory', 'Library', 'Hall', 'Office', 'Other')),
  is_active  boolean not null default true,
  version    integer not null default 1
);
create unique index academic_room_name_unique on academic_room (branch_id, lower(name));

create table academic_house (
  id         integer generated always as identity primary key,
  name       text not null check (length(name) between 1 and 30),
  colour     text not null check (length(colour) between 1 and 12),
  staff_id   integer references staff,
  is_active  boolean not null default true,
  version    integer not null default 1
);
create unique index academic_house_name_unique on academic_house (lower(name));
create index on academic_house (staff_id);

create table academic_section (
  id                integer generated always as identity primary key,
  academic_year_id  integer not null references academic_year,
  branch_id         integer not null references academic_branch,
  grade_id          integer not null references academic_grade,
  program_id        integer not null references academic_program,
  name              text not null check (length(name) between 1 and 10),
  capacity          smallint not null check (capacity between 1 and 80),
  room_id           integer references academic_room,
  medium            text not null check (medium in ('English', 'Gujarati', 'Hindi')),
  is_active         boolean not null default true,
  version           integer not null default 1
);
create unique index academic_section_name_unique
  on academic_section (academic_year_id, branch_id, grade_id, program_id, lower(name));
create index on academic_section (branch_id);
create index on academic_section (grade_id);
create index on academic_section (program_id);
create index on academic_section (room_id);
create trigger closed_year before insert or update or delete on academic_section
  for each row execute function academic_refuse_closed_year();

create table academic_department (
  id         integer generated always as identity primary key,
  name       text not null check (length(name) between 1 and 60),
  code       text not null default '' check (length(code) <= 10),
  parent_id  integer references academic_department,
  staff_id   integer references staff,
  is_active  boolean not null default true,
  version    integer not null default 1
);
create unique index academic_department_name_unique on academic_department (lower(name));
create index on academic_department (parent_id);
create index on academic_department (staff_id);
create trigger circle after insert or update of parent_id on academic_department
  for each row execute function academic_refuse_circle('parent_id');

create table academic_designation (
  id         integer generated always as identity primary key,
  name       text not null check (length(name) between 1 and 60),
  level      smallint check (level between 1 and 20),
  is_active  boolean not null default true,
  version    integer not null default 1
);
create unique index academic_designation_name_unique on academic_designation (lower(name));

create table configuration_subject (
  id              integer generated always as identity primary key,
  name            text not null check (length(name) between 1 and 60),
  code            text not null check (length(code) between 1 and 10),
  short_name      text not null check (length(short_name) between 1 and 12),
  kind            text not null check (kind in ('Scholastic', 'Co-scholastic', 'Language', 'Vocational', 'Activity')),
  language_order  text not null default '' check (language_order in ('', 'First', 'Second', 'Third')),
  has_practical   boolean not null default false,
  colour          text not null default '' check (length(colour) <= 12),
  is_active       boolean not null default true,
  version         integer not null default 1
);
create unique index configuration_subject_name_unique on configuration_subject (lower(name));
create unique index configuration_subject_code_unique on configuration_subject (lower(code));

create table configuration_tag_group (
  id         integer generated always as identity primary key,
  name       text not null check (length(name) between 1 and 30),
  is_active  boolean not null default true,
  version    integer not null default 1
);
create unique index configuration_tag_group_name_unique on configuration_tag_group (lower(name));

create table configuration_tag (
  id             integer generated always as identity primary key,
  tag_group_id   integer not null references configuration_tag_group,
  name           text not null check (length(name) between 1 and 30),
  colour         text not null check (length(colour) between 1 and 12),
  scopes         text[] not null check (cardinality(scopes) > 0 and scopes <@
    array['Student', 'Staff', 'Observation', 'Homework', 'Ticket', 'Announcement', 'Admission']),
  is_restricted  boolean not null default false,
  is_active      boolean not null default true,
  version        integer not null default 1
);
create unique index configuration_tag_name_unique on configuration_tag (tag_group_id, lower(name));

create table configuration_skill_domain (
  id         integer generated always as identity primary key,
  name       text not null check (length(name) between 1 and 60),
  position   integer not null,
  is_active  boolean not null default true,
  version    integer not null default 1,
  unique (position) deferrable initially deferred
);
create unique index configuration_skill_domain_name_unique on configuration_skill_domain (lower(name));

create table configuration_skill (
  id               integer generated always as identity primary key,
  skill_domain_id  integer not null references configuration_skill_domain,
  name             text not null check (length(name) between 1 and 80),
  code             text not null default '' check (length(code) <= 10),
  description      text not null default '' check (length(description) <= 500),
  stages           text[] not null check (cardinality(stages) > 0 and stages <@
    array['Foundational', 'Preparatory', 'Middle', 'Secondary']),
  is_active        boolean not null default true,
  version          integer not null default 1
);
create unique index configuration_skill_name_unique on configuration_skill (skill_domain_id, lower(name));

-- The one scale on which skills are noted, with a descriptor per stage.
create table configuration_skill_level (
  id            integer generated always as identity primary key,
  name          text not null check (length(name) between 1 and 30),
  position      integer not null,
  foundational  text not null default '' check (length(foundational) <= 300),
  preparatory   text not null default '' check (length(preparatory) <= 300),
  middle        text not null default '' check (length(middle) <= 300),
  secondary     text not null default '' check (length(secondary) <= 300),
  is_active     boolean not null default true,
  version       integer not null default 1,
  unique (position) deferrable initially deferred
);
create unique index configuration_skill_level_name_unique on configuration_skill_level (lower(name));
insert into configuration_skill_level (name, position)
  values ('Beginner', 1), ('Progressing', 2), ('Proficient', 3), ('Advanced', 4);

-- Two to six levels are in use.
create function configuration_keep_level_count() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('configuration_skill_level'));
  if (select count(*) from configuration_skill_level where is_active) not between 2 and 6 then
    raise exception 'two to six levels' using errcode = '23514', constraint = 'configuration_skill_level_count';
  end if;
  return null;
end $$;
create trigger level_count after insert or update of is_active or delete on configuration_skill_level
  for each row execute function configuration_keep_level_count();

grant select, insert, update, delete on academic_year, academic_term, academic_board, academic_program, academic_grade,
  academic_branch, academic_room, academic_house, academic_section, academic_department, academic_designation,
  configuration_subject, configuration_tag_group, configuration_tag, configuration_skill_domain, configuration_skill,
  configuration_skill_level to shala_app;
