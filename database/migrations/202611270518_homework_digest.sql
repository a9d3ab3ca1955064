-- One message a guardian and day about new homework. What it says is read when it is sent.
create table homework_digest (
  id           integer generated always as identity primary key,
  day          date not null,
  guardian_id  integer not null references guardian on delete cascade,
  constraint homework_digest_once unique (day, guardian_id)
);
create index on homework_digest (guardian_id);
create index on homework_section (digest_on);

grant select, insert on homework_digest to shala_app;
