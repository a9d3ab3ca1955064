-- Staff records: the person, spells of employment, and posts (decision 0067).

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

grant select, insert, update, delete on staff_employment, staff_post to shala_app;
