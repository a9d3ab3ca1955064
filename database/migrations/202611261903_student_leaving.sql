-- Leaving, coming back, and the certificates handed out.

create table student_leaving (
  id             integer generated always as identity primary key,
  student_id     integer not null references student,
  enrollment_id  integer not null references student_enrollment,
  last_day       date not null,
  reason_id      integer not null references academic_lookup,
  conduct        text not null default '' check (length(conduct) <= 60),
  progress       text not null default '' check (length(progress) <= 60),
  next_school    text not null default '' check (length(next_school) <= 120),
  remark         text not null default '' check (length(remark) <= 500),
  -- The enrolments, sections and choices it ended, for undoing it.
  ended          jsonb not null default '{}',
  decided_by     text not null check (length(decided_by) between 1 and 200),
  decided_at     timestamptz not null default now(),
  undone_at      timestamptz,
  undone_by      text check (length(undone_by) between 1 and 200),
  undo_reason    text not null default '' check (length(undo_reason) <= 300),
  readmitted_on  date,
  version        integer not null default 1,
  constraint student_leaving_undone check ((undone_at is null) = (undone_by is null)),
  constraint student_leaving_readmitted check (readmitted_on > last_day),
  constraint student_leaving_ended_once check (undone_at is null or readmitted_on is null),
  constraint student_leaving_open exclude using btree (student_id with =)
    where (undone_at is null and readmitted_on is null) deferrable
);
create index on student_leaving (student_id);
create index on student_leaving (enrollment_id);
create index on student_leaving (reason_id);

insert into student_leaving (student_id, enrollment_id, last_day, reason_id, decided_by)
select student.id, enrollment.id, student.left_on, reason.id, 'Shala'
from student
join lateral (
  select own.id, grade.next_grade_id from student_enrollment own join academic_grade grade on grade.id = own.grade_id
  where own.student_id = student.id and own.is_standing order by own.joined_on desc limit 1) as enrollment on true
join academic_lookup reason on reason.kind = 'Leaving reason' and reason.name =
  case when enrollment.next_grade_id is null then 'Completed the last class' else 'Other' end
where student.left_on is not null;
update student set left_on = null where left_on is not null
  and not exists (select 1 from student_leaving where student_id = student.id);

-- The last day of a student is that of the open leaving; only these triggers write it.
create function student_follow_leaving() returns trigger language plpgsql as $$
begin
  update student own set left_on = open.last_day
  from (select distinct changed.student_id, (
      select last_day from student_leaving current where current.student_id = changed.student_id
        and current.undone_at is null and current.readmitted_on is null) as last_day from changed) as open
  where own.id = open.student_id and own.left_on is distinct from open.last_day;
  if exists (
      select 1 from changed join student_enrollment enrollment on enrollment.student_id = changed.student_id
      where changed.undone_at is null and changed.readmitted_on is null
        and enrollment.is_standing and enrollment.joined_on > changed.last_day) then
    raise exception 'an enrolment begins after the last day' using errcode = '23514', constraint = 'student_enrollment_after_leaving';
  end if;
  return null;
end $$;
create trigger follow after insert on student_leaving
  referencing new table as changed for each statement execute function student_follow_leaving();
create trigger follow_still after update on student_leaving
  referencing new table as changed for each statement execute function student_follow_leaving();

create function student_keep_left_on() returns trigger language plpgsql as $$
begin
  if new.left_on is distinct from (select last_day from student_leaving where student_id = new.id
      and undone_at is null and readmitted_on is null) then
    raise exception 'the last day follows from the leaving' using errcode = '23514', constraint = 'student_left_on_follows';
  end if;
  return null;
end $$;
create trigger left_on_follows after insert or update of left_on on student
  for each row execute function student_keep_left_on();

create function student_refuse_after_leaving() returns trigger language plpgsql as $$
begin
  if exists (
      select 1 from changed enrollment join student_leaving leaving on leaving.student_id = enrollment.student_id
      where enrollment.is_standing and enrollment.joined_on > leaving.last_day
        and leaving.undone_at is null and leaving.readmitted_on is null) then
    raise exception 'an enrolment begins after the last day' using errcode = '23514', constraint = 'student_enrollment_after_leaving';
  end if;
  return null;
end $$;
create trigger not_after_leaving after insert on student_enrollment
  referencing new table as changed for each statement execute function student_refuse_after_leaving();
create trigger not_after_leaving_still after update on student_enrollment
  referencing new table as changed for each statement execute function student_refuse_after_leaving();

create table student_certificate (
  id               integer generated always as identity primary key,
  kind             text not null check (kind in ('Leaving', 'Bonafide')),
  number           text not null check (length(number) between 1 and 40),
  student_id       integer not null references student,
  leaving_id       integer references student_leaving,
  branch_id        integer not null references academic_branch,
  issued_on        date not null,
  purpose          text not null default '' check (length(purpose) <= 120),
  -- What the certificate says, as it was when it was made.
  facts            jsonb not null,
  made_by          text not null check (length(made_by) between 1 and 200),
  made_at          timestamptz not null default now(),
  file_id          uuid references file,
  -- Why the principal allowed it although something is owed.
  override_reason  text not null default '' check (length(override_reason) <= 300),
  handed_out_on    date,
  handed_to        text not null default '' check (length(handed_to) <= 100),
  voided_at        timestamptz,
  void_reason      text not null default '' check (length(void_reason) <= 300),
  constraint student_certificate_leaving check ((kind = 'Leaving') = (leaving_id is not null)),
  constraint student_certificate_voided check ((voided_at is null) = (void_reason = ''))
);
create unique index student_certificate_number_unique on student_certificate (kind, branch_id, lower(number));
create unique index student_certificate_one_leaving on student_certificate (leaving_id)
  where kind = 'Leaving' and voided_at is null;
create index on student_certificate (student_id);
create index on student_certificate (leaving_id);
create index on student_certificate (branch_id);
create index on student_certificate (file_id) where file_id is not null;

create table student_certificate_copy (
  certificate_id  integer not null references student_certificate,
  copy_no         smallint not null check (copy_no > 0),
  reason          text not null check (length(reason) between 1 and 300),
  printed_by      text not null check (length(printed_by) between 1 and 200),
  printed_at      timestamptz not null default now(),
  primary key (certificate_id, copy_no)
);

create function student_refuse_undo() returns trigger language plpgsql as $$
begin
  if new.undone_at is not null and exists (select 1 from student_certificate
      where leaving_id = new.id and handed_out_on is not null and voided_at is null) then
    raise exception 'the certificate was handed out' using errcode = '23514', constraint = 'student_leaving_handed_out';
  end if;
  return null;
end $$;
create trigger handed_out after update of undone_at on student_leaving
  for each row when (old.undone_at is null) execute function student_refuse_undo();

grant select, insert, update on student_leaving to shala_app;
grant select, insert on student_certificate, student_certificate_copy to shala_app;
grant update (file_id, handed_out_on, handed_to, voided_at, void_reason) on student_certificate to shala_app;
