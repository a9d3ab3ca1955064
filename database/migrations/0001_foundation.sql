-- What every feature stands on. The role shala_app runs the application; it owns nothing and has no DDL (decision 9).

-- Append-only: shala_app may add and read rows, nothing else.
create table audit (
  id         bigint generated always as identity primary key,
  at         timestamptz not null default clock_timestamp(),
  actor      text not null,
  action     text not null,
  entity     text not null,
  entity_id  integer not null,
  version    integer,
  request_id text not null,
  address    inet,
  details    jsonb not null default '{}'
);
create index on audit (entity, entity_id, id);
grant select, insert on audit to shala_app;

-- The answers given to requests that carried an Idempotency-Key, so that a repeated request changes nothing.
create table repeated_request (
  owner        text not null,
  key          text not null check (length(key) between 8 and 200),
  fingerprint  bytea not null,
  status       smallint not null,
  answer       bytea not null,
  created_at   timestamptz not null default now(),
  primary key (owner, key)
);
create index on repeated_request (created_at);
grant select, insert, update, delete on repeated_request to shala_app;

-- Counters that must not skip or repeat: the row is locked until the document that carries the number is committed.
create table counter (
  name  text primary key,
  last  integer not null check (last >= 0)
);
grant select, insert, update on counter to shala_app;

-- Failures and costly acts. Unlogged: losing it in a crash forgives, and it is written often.
create unlogged table attempt (
  kind        text not null,
  subject     text not null,
  hits        integer not null,
  window_ends timestamptz not null,
  primary key (kind, subject)
);
create index on attempt (window_ends);
grant select, insert, update, delete on attempt to shala_app;

-- Every stored file belongs to one owner; its bytes lie encrypted in the file store under its id.
create table file (
  id          uuid primary key,
  owner       text not null,
  owner_id    integer not null,
  media_type  text not null,
  name        text not null check (length(name) between 1 and 255),
  bytes       integer not null check (bytes > 0),
  sha256      bytea not null check (length(sha256) = 32),
  stored_at   timestamptz not null default now()
);
create index on file (owner, owner_id);
grant select, insert, delete on file to shala_app;

-- Messages to be sent. Only ids are kept: text with a link or a code is made when it is sent, and forgotten.
create table outbox (
  id          integer generated always as identity primary key,
  channel     text not null check (channel in ('email', 'sms')),
  template    text not null,
  recipient   text not null,
  subject_id  integer not null,
  dedupe_key  text unique,
  status      text not null default 'queued' check (status in ('queued', 'sent', 'failed')),
  queued_at   timestamptz not null default now(),
  sent_at     timestamptz
);
create index on outbox (status, id);
grant select, insert, update on outbox to shala_app;

-- One line a key id: proves at start that a configured key is the one the data was written with.
create table key_check (
  name    text not null,
  key_id  text not null,
  proof   bytea not null,
  primary key (name, key_id)
);
grant select, insert on key_check to shala_app;
