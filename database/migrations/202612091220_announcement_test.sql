-- Messages of an announcement that its author sent to the own address, as a family would get them.
create table announcement_test (
  id               integer generated always as identity primary key,
  announcement_id  integer not null references announcement on delete cascade,
  guardian_id      integer references guardian,
  staff_id         integer not null references staff,
  language         text not null check (language ~ '^[a-z]{2,3}$'),
  sent_at          timestamptz not null
);
create index on announcement_test (announcement_id);
create index on announcement_test (guardian_id) where guardian_id is not null;
create index on announcement_test (staff_id);
grant select, insert, delete on announcement_test to shala_app;
