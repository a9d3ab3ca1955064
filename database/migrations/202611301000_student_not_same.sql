-- Two students of whom a person has said that they are two children: nobody is asked about them again.
create table student_not_same (
  one_id    integer not null references student on delete cascade,
  other_id  integer not null references student on delete cascade,
  said_by   text not null check (length(said_by) between 1 and 200),
  said_at   timestamptz not null default school_now(),
  primary key (one_id, other_id),
  check (one_id < other_id)
);
create index on student_not_same (other_id);
grant select, insert on student_not_same to shala_app;
