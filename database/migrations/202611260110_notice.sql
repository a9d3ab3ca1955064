-- What has become an account's to do. The key joins the unread ones about one matter.
create table notice (
  id          integer generated always as identity primary key,
  account_id  integer not null references sign_in_account,
  kind        text not null check (length(kind) between 1 and 60),
  -- A text that the browser translates.
  text        jsonb not null check (jsonb_typeof(text) = 'object'),
  path        text not null check (path ~ '^/school-erp/[a-z]' and length(path) <= 300),
  dedupe_key  text check (length(dedupe_key) between 1 and 100),
  created_at  timestamptz not null,
  read_at     timestamptz
);
create index on notice (account_id, id desc);
create unique index notice_unread on notice (account_id, dedupe_key) where read_at is null;
create index on notice (created_at);
grant select, insert, update, delete on notice to shala_app;

-- What a run's starter is told where records failed.
alter table run
  add column title jsonb,
  add column path text,
  add check ((title is null) = (path is null));

-- The documents of staff of which HR has been told that they expire or have expired.
create table staff_document_told (
  document_id  integer not null references staff_document on delete cascade,
  state        text not null check (state in ('Expiring', 'Expired')),
  told_on      date not null,
  primary key (document_id, state)
);
grant select, insert, delete on staff_document_told to shala_app;
