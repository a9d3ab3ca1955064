-- Guardians who were reminded of homework: each once a day for a delivery, whoever presses.
create table homework_reminder (
  id                   integer generated always as identity primary key,
  homework_section_id  integer not null references homework_section on delete cascade,
  guardian_id          integer not null references guardian,
  day                  date not null,
  unique (homework_section_id, day, guardian_id)
);
create index on homework_reminder (guardian_id);
grant select, insert, delete on homework_reminder to shala_app;
