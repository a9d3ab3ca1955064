-- The steps of a new school that it does without for now.
create table set_up_skip (
  key      text primary key check (length(key) between 1 and 40),
  staff_id integer not null references staff,
  at       timestamptz not null default now()
);
create index on set_up_skip (staff_id);
grant select, insert, delete on set_up_skip to shala_app;
