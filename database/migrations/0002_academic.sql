-- The school and what it teaches. One school, one database; the lists here are what the admission form offers.

create table academic_school (
  id                  integer primary key default 1 check (id = 1),
  name                text not null check (length(name) between 1 and 200),
  city                text not null,
  phone               text not null,
  email               text not null,
  hours               text not null,
  hospital_text       text not null,
  logo_id             uuid references file,
  link_days           integer not null default 60 check (link_days between 1 and 365),
  updated_at          timestamptz not null default now()
);

create table academic_year (
  id          integer generated always as identity primary key,
  name        text not null unique,
  starts_on   date not null,
  ends_on     date not null check (ends_on > starts_on),
  is_current  boolean not null default false
);
create unique index academic_year_one_current on academic_year (is_current) where is_current;

create table academic_board (
  id    integer generated always as identity primary key,
  name  text not null unique
);

create table academic_program (
  id    integer generated always as identity primary key,
  name  text not null unique
);

create table academic_grade (
  id        integer generated always as identity primary key,
  name      text not null unique,
  position  integer not null unique
);

-- A sector has no sector_id; a specialty belongs to one sector.
create table academic_career (
  id         integer generated always as identity primary key,
  name       text not null,
  sector_id  integer references academic_career,
  is_active  boolean not null default true,
  unique nulls not distinct (sector_id, name)
);
create index on academic_career (sector_id);

grant select, insert, update on academic_school, academic_year, academic_board, academic_program, academic_grade,
  academic_career to shala_app;
