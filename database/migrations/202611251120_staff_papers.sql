-- Qualifications, earlier work and documents in staff records.

create table staff_qualification (
  id                integer generated always as identity primary key,
  staff_id          integer not null references staff,
  qualification_id  integer not null references hris_qualification,
  subject           text not null default '' check (length(subject) <= 100),
  institute         text not null default '' check (length(institute) <= 100),
  year              smallint check (year between 1940 and 2100),
  result            text not null default '' check (length(result) <= 20)
);
create index on staff_qualification (staff_id);
create index on staff_qualification (qualification_id);

-- Work at other employers; both ends are days of work.
create table staff_experience (
  id         integer generated always as identity primary key,
  staff_id   integer not null references staff,
  employer   text not null check (length(employer) between 1 and 100),
  job_title  text not null check (length(job_title) between 1 and 100),
  from_day   date not null,
  until_day  date,
  constraint staff_experience_days check (until_day >= from_day)
);
create index on staff_experience (staff_id);

-- A document is valid until the end of the day on which it expires.
create table staff_document (
  id                integer generated always as identity primary key,
  staff_id          integer not null references staff,
  document_type_id  integer not null references hris_document_type,
  file_id           uuid not null references file,
  issued_on         date,
  expires_on        date,
  status            text not null default 'Waiting' check (status in ('Waiting', 'Verified', 'Rejected')),
  decided_by        integer references staff,
  decided_at        timestamptz,
  remark            text not null default '' check (length(remark) <= 500),
  version           integer not null default 1,
  constraint staff_document_days check (expires_on >= issued_on),
  check ((status = 'Waiting') = (decided_at is null)),
  check ((decided_at is null) = (decided_by is null)),
  check (status <> 'Rejected' or remark <> '')
);
create index on staff_document (staff_id);
create index on staff_document (document_type_id);
create index on staff_document (file_id);
create index on staff_document (decided_by);
-- For the dashboard: those that expire, and those that wait.
create index on staff_document (expires_on) where status = 'Verified';
create index on staff_document (staff_id) where status = 'Waiting';

grant select, insert, delete on staff_qualification, staff_experience to shala_app;
grant select, insert, update, delete on staff_document to shala_app;
