-- What hangs on the sealed text of a restricted note is sealed with it: its place, and the remarks of its follow-ups. Rows
-- that lie open are sealed after the start, by the correction 202611291220_observation_sealed.

alter table observation_note
  add column place_sealed bytea,
  add constraint observation_note_place_once check (place_sealed is null or place = '' and reach = 'Restricted');
alter table observation_follow_up
  add column remark_sealed bytea,
  add constraint observation_follow_up_remark_once check (remark_sealed is null or remark = '');

create function observation_refuse_open_place() returns trigger language plpgsql as $$
begin
  if new.reach = 'Restricted' and new.place <> '' then
    raise exception 'the place of a restricted note is sealed' using errcode = '23514', constraint = 'observation_note_place_sealed';
  end if;
  return new;
end $$;
create trigger refuse_open_place before insert or update of place, reach on observation_note
  for each row execute function observation_refuse_open_place();

create function observation_refuse_open_remark() returns trigger language plpgsql as $$
begin
  if new.remark <> '' and exists (select from observation_note where id = new.note_id and reach = 'Restricted') then
    raise exception 'the remark of a restricted note is sealed' using errcode = '23514', constraint = 'observation_follow_up_remark_sealed';
  end if;
  return new;
end $$;
create trigger refuse_open_remark before insert or update of remark, note_id on observation_follow_up
  for each row execute function observation_refuse_open_remark();

-- Until `locks_at` the author changes the text; afterwards nothing but the readers, and the seals that go with them.
create or replace function observation_keep_text() returns trigger language plpgsql as $$
declare
  seals constant text[] := array['note_sealed', 'place', 'place_sealed'];
  is_sealed_or_opened boolean := (old.reach = 'Restricted') <> (new.reach = 'Restricted');
begin
  -- The data key is rotated, or a place that lay open is sealed: neither counts a version up.
  if new.reach = 'Restricted' and (new.place = old.place or new.place = '' and new.place_sealed is not null)
      and to_jsonb(new) - seals = to_jsonb(old) - seals then
    return new;
  end if;
  if (new.group_id, new.type_id, new.enrollment_id, new.student_id, new.author_id, new.published_at, new.locks_at,
      new.rubric_version_id) is distinct from (old.group_id, old.type_id, old.enrollment_id, old.student_id, old.author_id,
      old.published_at, old.locks_at, old.rubric_version_id)
      or exists (select from observation_withdrawal where note_id = old.id) then
    raise exception 'this stays as it is' using errcode = '23514', constraint = 'observation_note_stays';
  end if;
  if new.changed_at >= old.locks_at and (
      (new.observed_at, new.polarity, new.section_id) is distinct from (old.observed_at, old.polarity, old.section_id)
      or (new.note, new.note_sealed, new.place, new.place_sealed)
        is distinct from (old.note, old.note_sealed, old.place, old.place_sealed) and not is_sealed_or_opened) then
    raise exception 'the note is locked' using errcode = '23514', constraint = 'observation_note_locked';
  end if;
  return new;
end $$;
