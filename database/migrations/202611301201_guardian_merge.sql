-- Two records of one adult become one. The one that ends keeps its row: payments, reminders and links name it.
create table guardian_merge (
  id          integer generated always as identity primary key,
  kept_id     integer not null references guardian,
  retired_id  integer not null references guardian,
  reason      text not null check (length(reason) between 1 and 300),
  -- What the one who decided has seen.
  sums        jsonb not null default '[]',
  done_by     text not null check (length(done_by) between 1 and 200),
  done_at     timestamptz not null,
  check (kept_id <> retired_id),
  constraint guardian_merge_once unique (retired_id)
);
create index on guardian_merge (kept_id);
grant select, insert on guardian_merge to shala_app;

alter table guardian add column merged_into_id integer references guardian;
create index on guardian (merged_into_id) where merged_into_id is not null;

-- Nothing is merged into an adult who has ended, and what was merged into this one follows.
create function guardian_follow_merge() returns trigger language plpgsql as $$
begin
  if exists (select from guardian where id in (new.kept_id, new.retired_id) and merged_into_id is not null) then
    raise exception 'one of the adults was merged before' using errcode = '23514', constraint = 'guardian_merge_ended';
  end if;
  update guardian set merged_into_id = new.kept_id, version = version + 1
    where id = new.retired_id or merged_into_id = new.retired_id;
  return null;
end $$;
create trigger follow after insert on guardian_merge for each row execute function guardian_follow_merge();

create function guardian_keep_merged() returns trigger language plpgsql as $$
begin
  if new.merged_into_id is null or not exists (select from guardian_merge where retired_id = new.id) then
    raise exception 'an adult ends by a merge alone' using errcode = '23514', constraint = 'guardian_merged_by_merge';
  end if;
  return null;
end $$;
create trigger merged after update of merged_into_id on guardian for each row
  when (old.merged_into_id is distinct from new.merged_into_id) execute function guardian_keep_merged();

-- Nobody is linked to an adult who has ended.
create function student_guardian_keeps_living() returns trigger language plpgsql as $$
begin
  if exists (select from guardian where id = new.guardian_id and merged_into_id is not null) then
    raise exception 'the adult was merged' using errcode = '23514', constraint = 'student_guardian_merged';
  end if;
  return null;
end $$;
create constraint trigger not_merged after insert or update of guardian_id on student_guardian
  deferrable initially deferred for each row execute function student_guardian_keeps_living();

-- Whom an adult of a payment is today.
create function guardian_now(asked integer) returns integer language sql stable as $$
  select coalesce(merged_into_id, id) from guardian where id = asked
$$;

-- What was announced to an adult goes to another one along a merge alone.
create function guardian_only_by_merge() returns trigger language plpgsql as $$
begin
  if not exists (select from guardian_merge where retired_id = old.guardian_id and kept_id = new.guardian_id) then
    raise exception 'rows move by a merge alone' using errcode = '23514', constraint = 'guardian_moves_by_merge';
  end if;
  return new;
end $$;
do $$
declare
  name text;
begin
  foreach name in array array['announcement_recipient', 'announcement_receipt'] loop
    execute format('create trigger guardian_only_by_merge before update of guardian_id on %I for each row
      when (old.guardian_id is not null and old.guardian_id is distinct from new.guardian_id)
      execute function guardian_only_by_merge()', name);
    execute format('grant update (guardian_id) on %I to shala_app', name);
  end loop;
end $$;
