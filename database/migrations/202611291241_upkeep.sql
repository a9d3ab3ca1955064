-- Whether the demo school was made to its end: one that was cut off is made again. A school of its own has no row.
create table demo (
  id          boolean primary key default true check (id),
  begun_at    timestamptz not null default now(),
  finished_at timestamptz
);

-- What every start and every hour do, piece by piece: corrections, tidying up, the file check, daily tasks.
create table upkeep (
  name       text primary key check (length(name) between 1 and 100),
  last_ok_at timestamptz,
  failed_at  timestamptz,
  -- Failures since it last succeeded.
  tries      integer not null default 0 check (tries >= 0),
  error      text not null default '' check (length(error) <= 200)
);
grant select, insert, update on demo, upkeep to shala_app;
