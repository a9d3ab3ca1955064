-- What each row of a file changed, so that an import can be undone.

alter table file_import add column undo_run_id integer references run;
create index on file_import (undo_run_id) where undo_run_id is not null;

alter table file_import_line
  add column student_id integer references student on delete set null,
  -- The last entry about the student in the audit log when the row was done: a later one means that it has changed.
  add column audit_id bigint,
  -- What the student was before, as JSON, sealed.
  add column was bytea;
create index on file_import_line (student_id) where student_id is not null;
