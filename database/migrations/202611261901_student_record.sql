-- The record of a student: person, identifiers, health, documents, earlier schools.

alter table academic_lookup
  drop constraint academic_lookup_kind_check,
  add constraint academic_lookup_kind_check check (kind in ('Language', 'Nationality', 'Religion', 'Caste category',
    'Blood group', 'Lead source', 'Relation', 'Document', 'Student category', 'Leaving reason'));
insert into academic_lookup (kind, is_system, name)
select kind, is_system, unnest(names) from (values
  ('Student category', true, array['General', 'RTE', 'Staff child', 'Management']),
  ('Leaving reason', true, array['Completed the last class']),
  ('Leaving reason', false, array['Moved to another city', 'Moved to another school', 'Fees', 'Distance', 'Health',
    'Family reasons', 'Other'])
) as given (kind, is_system, names);

insert into number_series (code, prefix, pattern, reset_on, is_gapless) values
  ('student', '', '{seq}', 'never', true),
  ('leaving-certificate', 'LC', '{prefix}/{AY}/{seq:4}', 'academicYear', true),
  ('bonafide', 'BC', '{prefix}/{AY}/{seq:4}', 'academicYear', true);
-- The GR series continues after the highest number in use.
insert into number_series_value (series_id, period, next_value)
  select series.id, '', max(student.gr_no::integer) + 1
  from number_series series, student
  where series.code = 'student' and student.gr_no ~ '^[0-9]{1,6}$'
  group by series.id;

alter table student
  drop column status,
  add column category_id        integer references academic_lookup,
  add column nationality_id     integer references academic_lookup,
  add column religion_id        integer references academic_lookup,
  add column caste_category_id  integer references academic_lookup,
  add column mother_tongue_id   integer references academic_lookup,
  add column house_id           integer references academic_house,
  add column caste              text not null default '' check (length(caste) <= 50),
  add column sub_caste          text not null default '' check (length(sub_caste) <= 50),
  add column birth_place        text not null default '' check (length(birth_place) <= 60),
  add column blood_group        text not null default ''
    check (blood_group in ('', 'A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-')),
  add column is_cwsn            boolean not null default false,
  add column cwsn_kind          text not null default '' check (length(cwsn_kind) <= 60),
  -- Day and class of admission to this school; both go on the leaving certificate.
  add column admitted_on        date not null default current_date,
  add column admitted_class     text not null default '' check (length(admitted_class) <= 30),
  add column udise_uid          text not null default '' check (length(udise_uid) <= 20),
  add column pen                text not null default '' check (pen ~ '^([0-9]{11})?$'),
  add column apaar              text not null default '' check (apaar ~ '^([0-9]{12})?$'),
  add column aadhaar            bytea,
  -- Under the link key, which is not rotated: hashes made at different times are compared.
  add column aadhaar_hash       bytea,
  add column alert              text not null default '' check (length(alert) <= 120),
  add column alert_level        text not null default '' check (alert_level in ('', 'Info', 'Warning', 'Critical')),
  add column photo_id           uuid references file,
  -- The smallest id among the students who share a parent or guardian; triggers keep it.
  add column family_id          integer not null default 0,
  add constraint student_alert_has_level check ((alert = '') = (alert_level = '')),
  add constraint student_aadhaar_hash check (aadhaar_hash is null or (length(aadhaar_hash) = 32 and aadhaar is not null)),
  add constraint student_cwsn check (is_cwsn or cwsn_kind = '');

update student set
  family_id = id,
  admitted_on = greatest(birth_date + 1, coalesce(
    (select min(joined_on) from student_enrollment where student_id = student.id), current_date)),
  admitted_class = coalesce((
    select left(grade.name, 30) from student_enrollment enrollment join academic_grade grade on grade.id = enrollment.grade_id
    where enrollment.student_id = student.id order by enrollment.joined_on limit 1), '');
alter table student
  add constraint student_admitted_after_birth check (admitted_on > birth_date),
  add constraint student_family foreign key (family_id) references student;

create unique index student_udise_uid_unique on student (udise_uid) where udise_uid <> '';
create unique index student_pen_unique on student (pen) where pen <> '';
create unique index student_apaar_unique on student (apaar) where apaar <> '';
create unique index student_aadhaar_unique on student (aadhaar_hash) where aadhaar_hash is not null;
create index on student (sort_name, id);
create index on student (lpad(lower(gr_no), 20, '0'), id);
create index on student (birth_date, id);
create index on student (family_id);
create index on student (house_id);
create index on student (category_id);
create index on student (nationality_id);
create index on student (religion_id);
create index on student (caste_category_id);
create index on student (mother_tongue_id);
create index on student (photo_id) where photo_id is not null;
create index on student (left_on) where left_on is not null;

create function student_begin_family() returns trigger language plpgsql as $$
begin
  new.family_id := new.id;
  return new;
end $$;
create trigger begin_family before insert on student for each row execute function student_begin_family();

create table student_address (
  student_id           integer primary key references student,
  is_same              boolean not null default true,
  current_street_no    text not null default '' check (length(current_street_no) <= 50),
  current_address1     text not null default '' check (length(current_address1) <= 250),
  current_address2     text not null default '' check (length(current_address2) <= 250),
  current_city         text not null default '' check (length(current_city) <= 50),
  current_state        text not null default '' check (length(current_state) <= 50),
  current_country      text not null default '' check (length(current_country) <= 50),
  current_pin_code     text not null default '' check (length(current_pin_code) <= 10),
  permanent_street_no  text not null default '' check (length(permanent_street_no) <= 50),
  permanent_address1   text not null default '' check (length(permanent_address1) <= 250),
  permanent_address2   text not null default '' check (length(permanent_address2) <= 250),
  permanent_city       text not null default '' check (length(permanent_city) <= 50),
  permanent_state      text not null default '' check (length(permanent_state) <= 50),
  permanent_country    text not null default '' check (length(permanent_country) <= 50),
  permanent_pin_code   text not null default '' check (length(permanent_pin_code) <= 10),
  version              integer not null default 1
);

create table student_schooling (
  id              integer generated always as identity primary key,
  student_id      integer not null references student,
  from_class      text not null default '' check (length(from_class) <= 30),
  to_class        text not null default '' check (length(to_class) <= 30),
  board           text not null default '' check (length(board) <= 60),
  school          text not null check (length(school) between 1 and 120),
  city            text not null default '' check (length(city) <= 60),
  certificate_no  text not null default '' check (length(certificate_no) <= 40),
  certificate_on  date,
  version         integer not null default 1
);
create index on student_schooling (student_id);

-- The answers of the admission form's health page, sealed as one document.
create table student_health (
  student_id  integer primary key references student,
  answers     bytea not null,
  version     integer not null default 1
);

create table student_document (
  id           integer generated always as identity primary key,
  student_id   integer not null references student,
  document_id  integer not null references academic_lookup,
  file_id      uuid not null references file,
  issued_on    date,
  expires_on   date,
  status       text not null default 'Waiting' check (status in ('Waiting', 'Verified', 'Rejected')),
  decided_by   integer references staff,
  decided_at   timestamptz,
  remark       text not null default '' check (length(remark) <= 500),
  version      integer not null default 1,
  constraint student_document_days check (expires_on >= issued_on),
  check ((status = 'Waiting') = (decided_at is null)),
  check ((decided_at is null) = (decided_by is null)),
  check (status <> 'Rejected' or remark <> '')
);
create index on student_document (student_id);
create index on student_document (document_id);
create index on student_document (file_id);
create index on student_document (decided_by);
create index on student_document (expires_on) where status = 'Verified';
create index on student_document (student_id) where status = 'Waiting';

-- GR numbers that were drawn or corrected and are not given again.
create table student_gr_spent (
  id          integer generated always as identity primary key,
  branch_id   integer not null references academic_branch,
  gr_no       text not null check (length(gr_no) between 1 and 20),
  student_id  integer references student,
  reason      text not null check (length(reason) between 1 and 300),
  spent_by    text not null check (length(spent_by) between 1 and 200),
  spent_at    timestamptz not null default now()
);
create unique index student_gr_spent_unique on student_gr_spent (branch_id, lower(gr_no));
create index on student_gr_spent (student_id);

create function student_keep_gr() returns trigger language plpgsql as $$
begin
  if exists (select 1 from student_gr_spent spent where spent.branch_id = new.branch_id
      and lower(spent.gr_no) = lower(new.gr_no) and spent.student_id is distinct from new.id) then
    raise exception 'this GR number was used before' using errcode = '23514', constraint = 'student_gr_spent_before';
  end if;
  if tg_op = 'UPDATE' and (old.branch_id, old.gr_no) is distinct from (new.branch_id, new.gr_no)
      and not exists (select 1 from student_gr_spent spent where spent.branch_id = old.branch_id
        and lower(spent.gr_no) = lower(old.gr_no)) then
    raise exception 'the earlier GR number is not recorded as spent' using errcode = '23514', constraint = 'student_gr_reason';
  end if;
  return new;
end $$;
create trigger gr_free before insert or update of branch_id, gr_no on student
  for each row execute function student_keep_gr();

grant select, insert, update, delete on student_address, student_schooling, student_health, student_document to shala_app;
grant select, insert on student_gr_spent to shala_app;
