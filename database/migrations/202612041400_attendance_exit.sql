-- A child who leaves school before the day is over: when, with whom, and which principal allowed it where that person is not
-- one of those who may collect the child.
insert into number_series (code, prefix, pattern, reset_on, is_gapless)
  values ('gate-pass', 'GP', '{prefix}/{AY}/{seq:5}', 'academicYear', false);

create table attendance_exit (
  id                integer generated always as identity primary key,
  academic_year_id  integer not null references academic_year,
  student_id        integer not null references student,
  day               date not null,
  left_at           time not null,
  reason            text not null check (length(reason) between 1 and 200),
  guardian_id       integer references guardian,
  -- Of a person who is no adult of the child.
  person            text not null default '' check (length(person) <= 100),
  relation          text not null default '' check (length(relation) <= 50),
  pass_no           text not null unique,
  allowed_by        integer references staff,
  allowed_why       text not null default '' check (length(allowed_why) <= 200),
  entered_by        integer not null references staff,
  entered_at        timestamptz not null,
  returned_at       time,
  returned_by       integer references staff,
  -- The mark that the exit made half a day, which a return gives back.
  old_code_id       integer references attendance_code,
  old_arrived_at    time,
  -- Of a locked register: what was requested instead, which a return takes back.
  correction_id     integer references attendance_correction,
  constraint attendance_exit_once unique (student_id, day, left_at),
  constraint attendance_exit_person check ((guardian_id is null) = (person <> '') and (person <> '') = (relation <> '')),
  constraint attendance_exit_allowed check ((allowed_by is null) = (allowed_why = '') and (guardian_id is not null or allowed_by is not null)),
  constraint attendance_exit_returned check ((returned_at is null) = (returned_by is null) and returned_at >= left_at)
);
create unique index attendance_exit_open on attendance_exit (student_id, day) where returned_at is null;
create index on attendance_exit (academic_year_id, day);
create index on attendance_exit (guardian_id);
create index on attendance_exit (allowed_by);
create index on attendance_exit (entered_by);
create index on attendance_exit (returned_by);
create index on attendance_exit (old_code_id);
create index on attendance_exit (correction_id);
grant select, insert, update (student_id, returned_at, returned_by) on attendance_exit to shala_app;

create trigger closed_year after insert on attendance_exit referencing new table as changed
  for each statement execute function academic_refuse_closed_years();
create trigger closed_year_still after update on attendance_exit referencing old table as before new table as changed
  for each statement execute function academic_refuse_closed_years();
create trigger only_by_merge before update of student_id on attendance_exit for each row
  when (old.student_id is distinct from new.student_id) execute function student_only_by_merge('student_id');

-- An adult who is barred takes no child home, whoever allows it; one who may not collect needs the principal.
create function attendance_exit_collects() returns trigger language plpgsql as $$
begin
  perform from student_guardian
    where student_id = new.student_id and guardian_id = new.guardian_id and not is_barred
      and (may_collect or new.allowed_by is not null) for share;
  if not found then
    raise exception 'this adult may not collect the child' using errcode = '23514', constraint = 'attendance_exit_collects';
  end if;
  return new;
end $$;
create trigger collects before insert on attendance_exit for each row
  when (new.guardian_id is not null) execute function attendance_exit_collects();
