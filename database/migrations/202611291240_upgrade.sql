-- A row whenever the version or the migrations changed; written in the transaction that applies the migrations.
create table upgrade (
  id           integer generated always as identity primary key,
  at           timestamptz not null default now(),
  from_version text,
  to_version   text not null check (length(to_version) between 1 and 40),
  migrations   integer not null check (migrations >= 0),
  -- The archive that was made before, where one was.
  backup       text,
  seconds      integer not null check (seconds >= 0)
);
grant select on upgrade, migration to shala_app;
