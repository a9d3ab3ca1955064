-- What a school decides about each child at the end of a year, before the turn writes it. An enrolment without a row is
-- promoted, or leaves where its grade has no next one.
create table student_result (
  enrollment_id     integer primary key references student_enrollment,
  academic_year_id  integer not null references academic_year,
  decision          text not null check (decision in ('Promote', 'Detain', 'Re-test', 'Leave')),
  reason            text not null default '' check (length(reason) <= 300),
  conduct           text not null default '' check (length(conduct) <= 60),
  progress          text not null default '' check (length(progress) <= 60),
  source            text not null check (source in ('Hand', 'Import', 'Family')),
  decided_by        text not null check (length(decided_by) between 1 and 200),
  decided_at        timestamptz not null default school_now(),
  version           integer not null default 1,
  constraint student_result_has_reason check (decision = 'Promote' or reason <> '' or source = 'Family')
);
create index on student_result (academic_year_id, decision);
create trigger closed_year before insert or update or delete on student_result
  for each row execute function academic_refuse_closed_year();
grant select, insert, update, delete on student_result to shala_app;

-- A result that was corrected after the turn, and from which day. Tied to no closing: a closed year takes it by an approval.
create table student_result_change (
  id              integer generated always as identity primary key,
  enrollment_id   integer not null references student_enrollment,
  from_status     text not null check (from_status in ('Promoted', 'Detained')),
  to_status       text not null check (to_status in ('Promoted', 'Detained') and to_status <> from_status),
  reason          text not null check (length(reason) between 1 and 300),
  effective_from  date not null,
  -- The section of the new year that the child then has; none where it is assigned later.
  section_id      integer references academic_section,
  approval_id     integer references approval,
  made_by         text not null check (length(made_by) between 1 and 200),
  made_at         timestamptz not null default school_now(),
  -- The act that wrote it; null while it waits for its approval.
  applied_at      timestamptz
);
create index on student_result_change (enrollment_id);
create index on student_result_change (section_id) where section_id is not null;
create unique index on student_result_change (approval_id) where approval_id is not null;
grant select, insert, update (approval_id, applied_at) on student_result_change to shala_app;

-- One act that promotes all grades of a year, in a run.
create table academic_turn (
  id            integer generated always as identity primary key,
  from_year_id  integer not null references academic_year,
  to_year_id    integer not null references academic_year check (to_year_id <> from_year_id),
  run_id        integer not null references run,
  keeps         text not null check (keeps in ('Same letter', 'Balanced', 'None')),
  made_by       text not null check (length(made_by) between 1 and 200),
  made_at       timestamptz not null default school_now(),
  undone_at     timestamptz,
  undone_by     text check (length(undone_by) between 1 and 200),
  constraint academic_turn_undone check ((undone_at is null) = (undone_by is null))
);
create index on academic_turn (from_year_id);
create index on academic_turn (to_year_id);
create index on academic_turn (run_id);
grant select, insert, update (undone_at, undone_by) on academic_turn to shala_app;

-- The children of a turn in its order, grade by grade: what its preview decided, and the seat that it gave. A row's id is the
-- subject of the run's row.
create table academic_turn_child (
  id             integer generated always as identity primary key,
  turn_id        integer not null references academic_turn,
  enrollment_id  integer not null references student_enrollment,
  decision       text not null check (decision in ('Promote', 'Detain', 'Re-test', 'Leave')),
  section_id     integer references academic_section,
  -- Why it has no section in the new year.
  why            jsonb,
  constraint academic_turn_child_once unique (turn_id, enrollment_id)
);
create index on academic_turn_child (enrollment_id);
create index on academic_turn_child (section_id) where section_id is not null;
grant select, insert, update (section_id, why) on academic_turn_child to shala_app;

alter table academic_promotion add column turn_id integer references academic_turn;
create unique index academic_promotion_once_a_turn on academic_promotion (turn_id, grade_id) where turn_id is not null;
