-- A file that is imported in the background: its rows wait here, sealed, until a run has done them.
create table file_import (
  id          integer generated always as identity primary key,
  kind        text not null check (kind in ('student')),
  account_id  integer not null references sign_in_account,
  -- The headings of the file, and the field of each; '' for a column that is left out.
  heads       text[] not null,
  names       text[] not null check (cardinality(names) = cardinality(heads)),
  run_id      integer references run,
  made_at     timestamptz not null
);
create index on file_import (account_id);
create index on file_import (run_id);

create table file_import_line (
  import_id  integer not null references file_import on delete cascade,
  line       integer not null check (line > 0),
  -- The cells as JSON, sealed: identifiers and addresses of children.
  cells      bytea not null,
  primary key (import_id, line)
);

grant select, insert, update, delete on file_import, file_import_line to shala_app;
