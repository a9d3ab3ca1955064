-- What the account that started a run must be granted at each turn of the run, in the role of its session.
alter table run
  add column role text check (role in ('Staff', 'Admin')),
  add column access jsonb;
create index run_open on run (id) where finished_at is null;
