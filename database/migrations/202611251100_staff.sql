-- Staff records: employment, posts, qualifications, experience, documents, and saved views of lists (decision 0067).

-- The person. The first four digits of Aadhaar and PAN are never kept.
alter table staff
  add column employee_number     text check (length(employee_number) between 1 and 30),
  add column gender              text not null default '' check (gender in ('', 'Female', 'Male', 'Other')),
  add column birth_date          date check (birth_date >= '1900-01-01'),
  add column personal_email      text not null default '' check (length(personal_email) <= 100),
  add column blood_group         text not null default '' check (length(blood_group) <= 10),
  add column marital_status      text not null default ''
    check (marital_status in ('', 'Single', 'Married', 'Widowed', 'Divorced')),
  add column address             text not null default '' check (length(address) <= 300),
  add column emergency_name      text not null default '' check (length(emergency_name) <= 100),
  add column emergency_relation  text not null default '' check (length(emergency_relation) <= 60),
  add column emergency_mobile    text not null default '' check (emergency_mobile ~ '^([0-9]{10})?$'),
  add column aadhaar_last4       text not null default '' check (aadhaar_last4 ~ '^([0-9]{4})?$'),
  add column pan_last4           text not null default '' check (pan_last4 ~ '^([0-9A-Z]{4})?$');

insert into number_series (code, prefix, pattern, reset_on, is_gapless)
  values ('staff', 'EMP', '{prefix}{seq:4}', 'never', false);
update staff set employee_number = 'EMP' || lpad(place::text, 4, '0')
  from (select id, row_number() over (order by id) as place from staff) as ordered where ordered.id = staff.id;
insert into number_series_value (series_id, period, next_value)
  select id, '', (select count(*) + 1 from staff) from number_series where code = 'staff';
alter table staff alter column employee_number set not null;
create unique index staff_employee_number_unique on staff (lower(employee_number));
create index on staff (lower(name), id);

-- A spell of employment; a person who comes back begins another one. Both ends are days of work.
create table staff_employment (
  id                    integer generated always as identity primary key,
  staff_id              integer not null references staff,
  joined_on             date not null,
  last_day              date,
  probation_ends_on     date,
  confirmed_on          date,
  separation_reason_id  integer references hris_separation_reason,
  remark                text not null default '' check (length(remark) <= 500),
  version               integer not null default 1,
  constraint staff_employment_days check (last_day >= joined_on),
  constraint staff_employment_reason check (separation_reason_id is null or last_day is not null),
  constraint staff_employment_overlap exclude using gist
    (staff_id with =, daterange(joined_on, last_day, '[]') with &&)
);
create index on staff_employment (staff_id);
create index on staff_employment (separation_reason_id);
create index on staff_employment (last_day);
insert into staff_employment (staff_id, joined_on) select id, created_at::date from staff;

-- Designation, department and branch from a day on.
create table staff_post (
  id                  integer generated always as identity primary key,
  staff_id            integer not null references staff,
  effective_from      date not null,
  effective_to        date,
  designation_id      integer not null references academic_designation,
  department_id       integer not null references academic_department,
  branch_id           integer not null references academic_branch,
  staff_category_id   integer references hris_staff_category,
  employment_type_id  integer references hris_employment_type,
  reports_to_id       integer references staff,
  version             integer not null default 1,
  constraint staff_post_days check (effective_to >= effective_from),
  constraint staff_post_overlap exclude using gist
    (staff_id with =, daterange(effective_from, effective_to, '[]') with &&)
);
create index on staff_post (staff_id);
create index on staff_post (designation_id);
create index on staff_post (department_id);
create index on staff_post (branch_id);
create index on staff_post (staff_category_id);
create index on staff_post (employment_type_id);
create index on staff_post (reports_to_id);

-- Nobody reports to themselves, directly or through others, on the day a post begins.
create function staff_refuse_loop() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('staff_post'));
  if exists (
      with recursive way (id) as (
        select new.reports_to_id
        union
        select post.reports_to_id from way join staff_post post on post.staff_id = way.id
          and post.effective_from <= greatest(new.effective_from, current_date)
          and coalesce(post.effective_to, 'infinity') >= greatest(new.effective_from, current_date))
      select from way where id = new.staff_id) then
    raise exception 'reports to themselves' using errcode = '23514', constraint = 'staff_post_loop';
  end if;
  return null;
end $$;
create trigger loop after insert or update on staff_post
  for each row when (new.reports_to_id is not null) execute function staff_refuse_loop();

create table staff_qualification (
  id                integer generated always as identity primary key,
  staff_id          integer not null references staff,
  qualification_id  integer not null references hris_qualification,
  subject           text not null default '' check (length(subject) <= 100),
  institute         text not null default '' check (length(institute) <= 100),
  year              smallint check (year between 1940 and 2100),
  result            text not null default '' check (length(result) <= 20),
  version           integer not null default 1
);
create index on staff_qualification (staff_id);
create index on staff_qualification (qualification_id);

-- Work at other employers.
create table staff_experience (
  id         integer generated always as identity primary key,
  staff_id   integer not null references staff,
  employer   text not null check (length(employer) between 1 and 100),
  job_title  text not null check (length(job_title) between 1 and 100),
  from_day   date not null,
  until_day  date,
  version    integer not null default 1,
  constraint staff_experience_days check (until_day >= from_day)
);
create index on staff_experience (staff_id);

create table staff_document (
  id                integer generated always as identity primary key,
  staff_id          integer not null references staff,
  document_type_id  integer not null references hris_document_type,
  file_id           uuid not null references file,
  number_last4      text not null default '' check (length(number_last4) <= 4),
  issued_on         date,
  expires_on        date,
  status            text not null default 'Waiting' check (status in ('Waiting', 'Verified', 'Rejected')),
  decided_by        integer references staff,
  decided_at        timestamptz,
  remark            text not null default '' check (length(remark) <= 500),
  version           integer not null default 1,
  constraint staff_document_days check (expires_on >= issued_on),
  check ((status = 'Waiting') = (decided_at is null)),
  check (status <> 'Rejected' or remark <> '')
);
create index on staff_document (staff_id);
create index on staff_document (document_type_id);
create index on staff_document (file_id);
create index on staff_document (decided_by);
create index on staff_document (expires_on);

grant select, insert, update, delete on staff_employment, staff_post, staff_qualification, staff_experience,
  staff_document to shala_app;

-- Rights of teachers, heads of departments and assessors follow from the mapping of the day; only the others are granted.
update sign_in_account set sets = (
  select coalesce(array_agg(one), '{}') from unnest(sets) as one
  where one not in ('classTeacher', 'subjectTeacher', 'headOfDepartment', 'assessor'));
alter table sign_in_account drop constraint sign_in_account_sets_check;
alter table sign_in_account add constraint sign_in_account_sets_check check (sets <@ array[
  'office', 'admissionHead', 'accountant', 'financeApprover', 'transportIncharge', 'hr', 'principal', 'ticketAgent',
  'nurse', 'counsellor']);

-- The branches that an account's permission sets are limited to; none means every branch.
create table sign_in_account_branch (
  account_id  integer not null references sign_in_account,
  branch_id   integer not null references academic_branch,
  primary key (account_id, branch_id)
);
create index on sign_in_account_branch (branch_id);
grant select, insert, delete on sign_in_account_branch to shala_app;

-- A list's filters, sort and columns under a name: the owner's alone, or shared by an Admin with everyone who has the list.
create table list_view (
  id         integer generated always as identity primary key,
  list       text not null check (length(list) between 1 and 60),
  name       text not null check (length(name) between 1 and 60),
  staff_id   integer not null references staff,
  is_shared  boolean not null default false,
  address    jsonb not null check (length(address::text) <= 2000),
  columns    text[] not null default '{}',
  version    integer not null default 1
);
create unique index list_view_name_unique on list_view (list, staff_id, lower(name));
create index on list_view (staff_id);
grant select, insert, update, delete on list_view to shala_app;
