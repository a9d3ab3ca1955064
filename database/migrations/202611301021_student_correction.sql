-- Corrections of entries of the general register.
-- The day a record was added; those from before count as added with this version.
alter table student add column added_on date;
update student set added_on = school_now()::date;
alter table student alter column added_on set not null, alter column added_on set default school_now()::date;

create table student_correction (
  id          integer generated always as identity primary key,
  student_id  integer not null references student,
  field       text not null check (field in ('firstName', 'middleName', 'lastName', 'gender', 'birthDate', 'birthPlace',
    'nationalityId', 'motherTongueId', 'religionId', 'casteCategoryId', 'caste', 'subCaste')),
  -- As shown, and as the record stores it.
  old_value   text not null check (length(old_value) <= 200),
  new_value   text not null check (length(new_value) <= 200),
  old_stored  text not null,
  new_stored  text not null,
  kind        text not null check (kind in ('Clerical mistake', 'By order')),
  reason      text not null check (length(reason) between 1 and 300),
  authority   text not null default '' check (length(authority) <= 120),
  order_no    text not null default '' check (length(order_no) <= 60),
  order_on    date,
  file_id     uuid references file,
  is_printed  boolean not null,
  status      text not null default 'Asked' check (status in ('Asked', 'Done', 'Rejected', 'Withdrawn')),
  asked_by    text not null check (length(asked_by) between 1 and 200),
  asked_at    timestamptz not null,
  done_by     text not null default '',
  done_at     timestamptz,
  version     integer not null default 1,
  constraint student_correction_order check (kind <> 'By order' or (authority <> '' and order_no <> '' and order_on is not null)),
  constraint student_correction_changes check (old_stored <> new_stored),
  check ((done_at is null) = (status = 'Asked'))
);
create unique index student_correction_open on student_correction (student_id, field) where status = 'Asked';
create index on student_correction (student_id, id desc);
create index on student_correction (file_id) where file_id is not null;
grant select, insert, update (status, done_by, done_at, version, file_id) on student_correction to shala_app;

alter table approval add column student_correction_id integer references student_correction;
create unique index approval_student_correction on approval (student_correction_id) where status = 'Pending';
create index on approval (student_correction_id);
-- The kinds of other features stay as they are.
do $$
declare
  known text;
begin
  select substr(pg_get_constraintdef(oid), 7) into known from pg_constraint
    where conrelid = 'approval'::regclass and conname = 'approval_kind';
  alter table approval drop constraint approval_kind;
  execute 'alter table approval add constraint approval_kind check (' || known
    || $kinds$ or kind = 'student.correction')$kinds$;
end $$;
alter table approval add constraint approval_subject_correction
  check ((kind = 'student.correction') = (student_correction_id is not null));
