-- The marks of files that name several people and have left the system: one is known again where families would read it.
create table taken_list (
  sha256    bytea primary key check (length(sha256) = 32),
  names     integer not null check (names > 1),
  taken_at  timestamptz not null
);
create index on taken_list (taken_at);
grant select, insert, delete on taken_list to shala_app;
