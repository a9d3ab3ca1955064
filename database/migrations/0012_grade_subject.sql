-- Which grade is taught which subject in a year (areas.md N1).

create table configuration_elective_group (
  id           integer generated always as identity primary key,
  name         text not null check (length(name) between 1 and 60),
  min_choices  smallint not null check (min_choices between 0 and 10),
  max_choices  smallint not null check (max_choices between 1 and 10),
  is_active    boolean not null default true,
  version      integer not null default 1,
  constraint configuration_elective_group_choices check (max_choices >= min_choices)
);
create unique index configuration_elective_group_name_unique on configuration_elective_group (lower(name));

create table configuration_grade_subject (
  id                 integer generated always as identity primary key,
  academic_year_id   integer not null references academic_year,
  program_id         integer not null references academic_program,
  grade_id           integer not null references academic_grade,
  subject_id         integer not null references configuration_subject,
  is_compulsory      boolean not null,
  -- Of which an elective is chosen; an elective without a group may be chosen or not.
  elective_group_id  integer references configuration_elective_group,
  unique (academic_year_id, program_id, grade_id, subject_id),
  check (not is_compulsory or elective_group_id is null)
);
create index on configuration_grade_subject (program_id);
create index on configuration_grade_subject (grade_id);
create index on configuration_grade_subject (subject_id);
create index on configuration_grade_subject (elective_group_id);
create trigger closed_year before insert or update or delete on configuration_grade_subject
  for each row execute function academic_refuse_closed_year();

grant select, insert, update, delete on configuration_elective_group, configuration_grade_subject to shala_app;

-- How often a master is used is counted by what points to it.
create index on admission_inquiry (academic_year_id);
create index on admission_inquiry (board_id);
create index on admission_inquiry (program_id);
create index on admission_inquiry (grade_id);
create index on admission_parent_info (father_sector_id);
create index on admission_parent_info (father_specialty_id);
create index on admission_parent_info (mother_sector_id);
create index on admission_parent_info (mother_specialty_id);
create index on admission_parent_info (guardian_sector_id);
create index on admission_parent_info (guardian_specialty_id);
