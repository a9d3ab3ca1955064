-- Files of notes, and their tags (docs/decisions/0176-files-and-tags-of-notes.md).
create table observation_note_file (
  file_id  uuid primary key references file,
  note_id  integer not null references observation_note
);
create index on observation_note_file (note_id);

create function observation_keep_few_files() returns trigger language plpgsql as $$
begin
  perform 1 from observation_note where id = new.note_id for update;
  if (select count(*) from observation_note_file where note_id = new.note_id) > 5 then
    raise exception 'five files at most' using errcode = '23514', constraint = 'observation_note_file_most';
  end if;
  return null;
end $$;
create trigger most after insert on observation_note_file
  for each row execute function observation_keep_few_files();
grant select, insert on observation_note_file to shala_app;

-- The kinds of other features stay as they are.
do $$
declare
  known text;
begin
  select substr(pg_get_constraintdef(oid), 7) into known from pg_constraint
    where conrelid = 'tag_link'::regclass and conname = 'tag_link_entity_type_check';
  alter table tag_link drop constraint tag_link_entity_type_check;
  execute 'alter table tag_link add constraint tag_link_entity_type_check check (' || known
    || $kinds$ or entity_type = 'Observation')$kinds$;
end $$;
alter table tag_link add column observation_note_id integer
  generated always as (case entity_type when 'Observation' then entity_id end) stored references observation_note;
create index on tag_link (observation_note_id);

-- A tag would say what a restricted note is about.
create function observation_keep_tag() returns trigger language plpgsql as $$
begin
  if exists (select from observation_note where id = new.entity_id and reach = 'Restricted' for share) then
    raise exception 'a restricted note has no tags' using errcode = '23514', constraint = 'observation_note_tag_restricted';
  end if;
  return new;
end $$;
create trigger observation before insert on tag_link
  for each row when (new.entity_type = 'Observation') execute function observation_keep_tag();

-- In which subject it was observed; like the text it stays once the note is locked.
alter table observation_note add column subject_id integer references configuration_subject;
create index on observation_note (subject_id);
create function observation_keep_subject() returns trigger language plpgsql as $$
begin
  if new.changed_at >= old.locks_at then
    raise exception 'the note is locked' using errcode = '23514', constraint = 'observation_note_locked';
  end if;
  return new;
end $$;
create trigger keep_subject before update on observation_note
  for each row when (new.subject_id is distinct from old.subject_id) execute function observation_keep_subject();
