-- The status of prices says what they wait for; the word was "Asked".
alter table fee_structure drop constraint fee_structure_status_check;
alter table fee_structure drop constraint fee_structure_check;

create or replace function fee_keep_published() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'fee_structure' then
    if tg_op = 'DELETE' then
      if old.status = 'Draft' then return old; end if;
    elsif old.status = 'Draft' then return new;
    -- A generated column has no value yet.
    elsif old.status = 'Waiting for approval' and new.status in ('Draft', 'Published')
        and to_jsonb(new) - '{status,version,category_key,published_by,published_at}'::text[]
          = to_jsonb(old) - '{status,version,category_key,published_by,published_at}'::text[] then
      return new;
    elsif old.status = 'Published' and new.status = 'Superseded'
        and to_jsonb(new) - '{status,version,category_key}'::text[]
          = to_jsonb(old) - '{status,version,category_key}'::text[] then
      return new;
    end if;
  elsif (select status from fee_structure where id = coalesce(new.structure_id, old.structure_id)) = 'Draft' then
    return coalesce(new, old);
  -- The structure is deleted with its lines and grades.
  elsif tg_op = 'DELETE' and not exists (select from fee_structure where id = old.structure_id) then
    return old;
  -- The status follows that of the structure.
  elsif tg_table_name = 'fee_structure_grade' and tg_op = 'UPDATE'
      and to_jsonb(new) -> 'grade_id' = to_jsonb(old) -> 'grade_id' then
    return new;
  end if;
  raise exception 'published prices do not change' using errcode = '23514', constraint = 'fee_structure_published';
end $$;

alter table fee_structure disable trigger published;
update fee_structure set status = 'Waiting for approval' where status = 'Asked';
-- The deferred triggers of these rows fire before their table is altered.
set constraints all immediate;
set constraints all deferred;
alter table fee_structure enable trigger published;
alter table fee_structure add constraint fee_structure_status_check
  check (status in ('Draft', 'Waiting for approval', 'Published', 'Superseded'));
alter table fee_structure add constraint fee_structure_check
  check ((status in ('Draft', 'Waiting for approval')) = (published_at is null));
