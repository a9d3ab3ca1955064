-- What staff records choose from (docs/decisions/0066-hris-lists.md).

create table hris_employment_type (
  id                integer generated always as identity primary key,
  name              text not null check (length(name) between 1 and 50),
  is_permanent      boolean not null default false,
  probation_months  smallint check (probation_months between 0 and 36),
  is_active         boolean not null default true,
  version           integer not null default 1
);
create unique index hris_employment_type_name_unique on hris_employment_type (lower(name));

create table hris_staff_category (
  id         integer generated always as identity primary key,
  name       text not null check (length(name) between 1 and 50),
  kind       text not null check (kind in ('Teaching', 'Non-teaching', 'Administrative', 'Support', 'Transport')),
  is_active  boolean not null default true,
  version    integer not null default 1
);
create unique index hris_staff_category_name_unique on hris_staff_category (lower(name));

create table hris_qualification (
  id                   integer generated always as identity primary key,
  name                 text not null check (length(name) between 1 and 80),
  level                text not null check (level in ('School', 'Diploma', 'Graduate', 'Postgraduate', 'Doctorate',
                         'Professional')),
  is_teacher_training  boolean not null default false,
  is_active            boolean not null default true,
  version              integer not null default 1
);
create unique index hris_qualification_name_unique on hris_qualification (lower(name));

-- A document is reported on these days before it expires.
create table hris_document_type (
  id                 integer generated always as identity primary key,
  name               text not null check (length(name) between 1 and 60),
  staff_category_id  integer references hris_staff_category,
  is_mandatory       boolean not null default false,
  has_expiry         boolean not null default false,
  remind_before      text[] not null default '{}' check (remind_before <@ array['90', '60', '30', '15', '7']),
  is_active          boolean not null default true,
  version            integer not null default 1
);
create unique index hris_document_type_name_unique on hris_document_type (lower(name));
create index on hris_document_type (staff_category_id);

create table hris_separation_reason (
  id            integer generated always as identity primary key,
  name          text not null check (length(name) between 1 and 60),
  is_voluntary  boolean not null default false,
  is_active     boolean not null default true,
  version       integer not null default 1
);
create unique index hris_separation_reason_name_unique on hris_separation_reason (lower(name));

grant select, insert, update, delete on hris_employment_type, hris_staff_category, hris_qualification,
  hris_document_type, hris_separation_reason to shala_app;

insert into hris_employment_type (name, is_permanent, probation_months) values
  ('Permanent', true, null), ('Probation', false, 12), ('Contract', false, null), ('Part-time', false, null),
  ('Visiting', false, null), ('Daily wage', false, null);
insert into hris_staff_category (name, kind) values
  ('Teacher', 'Teaching'), ('Laboratory and library', 'Non-teaching'), ('Office', 'Administrative'),
  ('Support', 'Support'), ('Transport', 'Transport');
insert into hris_qualification (name, level, is_teacher_training) values
  ('HSC', 'School', false), ('PTC', 'Diploma', true), ('D.El.Ed.', 'Diploma', true), ('B.A.', 'Graduate', false),
  ('B.Sc.', 'Graduate', false), ('B.Com.', 'Graduate', false), ('B.Ed.', 'Professional', true),
  ('M.A.', 'Postgraduate', false), ('M.Sc.', 'Postgraduate', false), ('M.Com.', 'Postgraduate', false),
  ('M.Ed.', 'Postgraduate', true), ('Ph.D.', 'Doctorate', false), ('CTET', 'Professional', true);
insert into hris_document_type (name, is_mandatory, has_expiry, remind_before) values
  ('Police verification', true, true, '{60,30,7}'), ('Medical fitness certificate', false, true, '{60,30,7}'),
  ('Driving licence', false, true, '{60,30,7}'), ('Qualification certificate', true, false, '{}'),
  ('Identity proof', true, false, '{}'), ('Appointment letter', false, false, '{}');
insert into hris_separation_reason (name, is_voluntary) values
  ('Resignation', true), ('Retirement', false), ('End of contract', false), ('Termination', false), ('Death', false);

