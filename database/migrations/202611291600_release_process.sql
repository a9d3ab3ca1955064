-- One row for each running process, written every ten seconds; no archive holds them.
create table server_process (
  id         uuid primary key,
  version    text not null check (length(version) between 1 and 40),
  host       text not null check (length(host) <= 100),
  pid        integer not null,
  started_at timestamptz not null,
  seen_at    timestamptz not null
);
grant select, insert, update, delete on server_process to shala_app;
