-- Imports of every kind are kept for 30 days, with what undoing them needs; matches are remembered for the school.

alter table file_import drop constraint file_import_kind_check;
alter table file_import
  -- The path of the operation that imported the file, or 'student'.
  add check (length(kind) between 1 and 120),
  add column file_name text not null default '' check (length(file_name) <= 200),
  add column added integer not null default 0 check (added >= 0),
  add column changed integer not null default 0 check (changed >= 0),
  -- The rows that the user left out.
  add column left_out integer not null default 0 check (left_out >= 0),
  -- The entries that were created for words of the file: table, id and name.
  add column created jsonb not null default '[]',
  add column undone_at timestamptz;
create index on file_import (kind, id);
update file_import set kind = '/student/import' where kind = 'student';

alter table file_import_line
  alter column cells drop not null,
  -- The record that the row added or changed, its name, and a digest of it as the import left it.
  add column record_id integer,
  add column name text not null default '' check (length(name) <= 200),
  add column left_as text;

-- What the school chose for a heading (field '') or for a word of a field.
create table import_word (
  kind     text not null check (length(kind) between 1 and 120),
  field    text not null check (length(field) <= 60),
  word     text not null check (length(word) between 1 and 200),
  choice   text not null check (length(choice) <= 200),
  used_at  timestamptz not null,
  primary key (kind, field, word)
);
grant select, insert, update, delete on import_word to shala_app;

-- Deletes the staff or inquiries that an import added, as far as they are as it left them. The application deletes neither
-- otherwise.
create function file_import_delete_added(import integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  of_kind text;
  deleted integer := 0;
begin
  select kind into of_kind from file_import
    where id = import and undone_at is null and made_at > now() - interval '31 days' for update;
  if of_kind = '/staff/import' then
    delete from staff own using file_import_line line
      where line.import_id = import and line.was is null and line.record_id = own.id
        and line.left_as = md5((to_jsonb(own) - 'version' - 'position')::text);
    get diagnostics deleted = row_count;
  elsif of_kind = '/inquiry/import' then
    delete from admission_inquiry own using file_import_line line
      where line.import_id = import and line.was is null and line.record_id = own.id
        and line.left_as = md5((to_jsonb(own) - 'version' - 'position')::text);
    get diagnostics deleted = row_count;
  end if;
  return deleted;
end $$;
revoke execute on function file_import_delete_added(integer) from public;
grant execute on function file_import_delete_added(integer) to shala_app;
