-- What a family is told about a child's day. The number of a kind is raised only when the message before was closed unsent.
create table attendance_message (
  id                integer generated always as identity primary key,
  academic_year_id  integer not null references academic_year,
  student_id        integer not null references student,
  day               date not null,
  kind              text not null check (kind in ('Absent', 'Update')),
  number            smallint not null default 1 check (number > 0),
  constraint attendance_message_once unique (student_id, day, kind, number)
);
create index on attendance_message (academic_year_id);
grant select, insert on attendance_message to shala_app;

-- Calls to families of absent children; the latest of a child and day counts.
create table attendance_call (
  id                integer generated always as identity primary key,
  academic_year_id  integer not null references academic_year,
  student_id        integer not null references student,
  day               date not null,
  outcome           text not null check (outcome in ('Called', 'No answer', 'Informed')),
  note              text not null default '' check (length(note) <= 200),
  called_by         integer not null references staff,
  called_at         timestamptz not null
);
create index on attendance_call (student_id, day, id);
create index on attendance_call (academic_year_id, day);
create index on attendance_call (called_by);
grant select, insert on attendance_call to shala_app;

do $$
declare
  name text;
begin
  foreach name in array array['attendance_message', 'attendance_call'] loop
    execute format('create trigger closed_year after insert on %I referencing new table as changed
      for each statement execute function academic_refuse_closed_years()', name);
  end loop;
end $$;

-- The absences in a row that class teachers were told of, each once: from its first day, with the days it had reached.
create table attendance_alert (
  student_id        integer not null references student,
  first_day         date not null,
  days              smallint not null check (days > 0),
  told_on           date not null,
  primary key (student_id, first_day, days)
);
grant select, insert on attendance_alert to shala_app;
