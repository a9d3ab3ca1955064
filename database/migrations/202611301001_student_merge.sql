-- Two records of one child become one. The record that ends stays as a row: its GR number leads to the other one for ever.
create table student_merge (
  id          integer generated always as identity primary key,
  kept_id     integer not null references student,
  retired_id  integer not null references student,
  status      text not null default 'Asked' check (status in ('Asked', 'Done', 'Rejected', 'Withdrawn')),
  -- What the asker chose where both records have something.
  choices     jsonb not null,
  reason      text not null check (length(reason) between 1 and 300),
  -- The sums that the asker saw, and the token of that preview.
  sums        jsonb not null default '[]',
  basis       text not null default '' check (length(basis) <= 100),
  asked_by    integer not null references staff,
  asked_at    timestamptz not null,
  done_by     text not null default '' check (length(done_by) <= 200),
  done_at     timestamptz,
  version     integer not null default 1,
  check (kept_id <> retired_id),
  check ((done_at is null) = (status <> 'Done'))
);
create unique index student_merge_live on student_merge (retired_id) where status in ('Asked', 'Done');
create index on student_merge (kept_id);
create index on student_merge (retired_id);
create index on student_merge (asked_by);
grant select, insert, update (status, sums, basis, done_by, done_at, version) on student_merge to shala_app;

alter table student add column merged_into_id integer references student;
create index on student (merged_into_id) where merged_into_id is not null;

-- The record follows its merge. Nothing is merged into a record that has ended itself, and what was merged into this one follows.
create function student_follow_merge() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.status <> 'Asked' then
    raise exception 'the merge is decided' using errcode = '23514', constraint = 'student_merge_decided';
  end if;
  if exists (select from student where id in (new.kept_id, new.retired_id) and merged_into_id is not null) then
    raise exception 'one of the records was merged before' using errcode = '23514', constraint = 'student_merge_ended';
  end if;
  if new.status = 'Done' then
    update student set merged_into_id = new.kept_id, version = version + 1
      where id = new.retired_id or merged_into_id = new.retired_id;
  end if;
  return null;
end $$;
create trigger follow after insert or update on student_merge for each row execute function student_follow_merge();

create function student_keep_merged() returns trigger language plpgsql as $$
begin
  if new.merged_into_id is not null and not exists (
      select from student_merge where retired_id = new.id and status = 'Done') then
    raise exception 'a record ends by a merge alone' using errcode = '23514', constraint = 'student_merged_by_merge';
  end if;
  if old.merged_into_id is not null and new.merged_into_id is null then
    raise exception 'a merge is not taken back' using errcode = '23514', constraint = 'student_merged_by_merge';
  end if;
  return null;
end $$;
create trigger merged after update of merged_into_id on student for each row execute function student_keep_merged();

-- Rows go from one student to another along a merge alone.
create function student_only_by_merge() returns trigger language plpgsql as $$
begin
  if not exists (select from student_merge where status = 'Done'
      and retired_id = (to_jsonb(old) ->> tg_argv[0])::integer and kept_id = (to_jsonb(new) ->> tg_argv[0])::integer) then
    raise exception 'rows move by a merge alone' using errcode = '23514', constraint = 'student_moves_by_merge';
  end if;
  return new;
end $$;
do $$
declare
  name text;
begin
  foreach name in array array['student_enrollment', 'student_leaving', 'student_certificate', 'student_guardian',
      'student_address', 'student_schooling', 'student_document', 'attendance_mark', 'attendance_gate',
      'attendance_leave', 'attendance_call', 'homework_chosen', 'homework_extension', 'homework_result',
      'announcement_recipient_child', 'fee_account', 'admission_inquiry'] loop
    execute format('create trigger only_by_merge before update of student_id on %I for each row
      when (old.student_id is not null and old.student_id is distinct from new.student_id)
      execute function student_only_by_merge(''student_id'')', name);
    execute format('grant update (student_id) on %I to shala_app', name);
  end loop;
  create trigger only_by_merge before update of about_student_id on ticket for each row
    when (old.about_student_id is not null and new.about_student_id is not null
      and old.about_student_id <> new.about_student_id)
    execute function student_only_by_merge('about_student_id');
end $$;

-- What hangs on an enrolment goes with it to the other student, and keeps it in its year and grade, as before.
do $$
declare
  own record;
begin
  for own in select conname, conrelid::regclass as owner, pg_get_constraintdef(oid) as words from pg_constraint
      where contype = 'f' and confrelid = 'student_enrollment'::regclass and cardinality(conkey) > 1 loop
    execute format('alter table %s drop constraint %I', own.owner, own.conname);
    execute format('alter table %s add constraint %I %s on update cascade', own.owner, own.conname, own.words);
  end loop;
end $$;
create function student_enrollment_keep_place() returns trigger language plpgsql as $$
declare
  own record;
  is_used boolean;
begin
  for own in select conname, conrelid::regclass as owner from pg_constraint
      where contype = 'f' and confrelid = 'student_enrollment'::regclass and cardinality(conkey) > 1 loop
    execute format('select exists (select from %s where enrollment_id = $1)', own.owner) into is_used using new.id;
    if is_used then
      raise exception 'rows hang on the enrolment' using errcode = '23503', constraint = own.conname;
    end if;
  end loop;
  return null;
end $$;
create trigger keep_place after update of academic_year_id, branch_id, program_id, grade_id on student_enrollment for each row
  when ((old.academic_year_id, old.branch_id, old.program_id, old.grade_id)
    is distinct from (new.academic_year_id, new.branch_id, new.program_id, new.grade_id))
  execute function student_enrollment_keep_place();

-- A closed year takes one change: a row that goes, as it is, to the record that its student was merged into.
create or replace function academic_refuse_closed_year() returns trigger language plpgsql as $$
declare
  touched integer[] := array[
    case when tg_op <> 'INSERT' then old.academic_year_id end,
    case when tg_op <> 'DELETE' then new.academic_year_id end];
begin
  if (select bool_or(status = 'Closed')
      from (select status from academic_year where id = any (touched) for share) as years) then
    if tg_op = 'UPDATE' then
      if to_jsonb(old) ->> 'student_id' <> to_jsonb(new) ->> 'student_id'
          and to_jsonb(old) - 'student_id' = to_jsonb(new) - 'student_id' then
        return new;
      end if;
    end if;
    raise exception 'the academic year is closed' using errcode = '23514', constraint = 'academic_year_is_closed';
  end if;
  return coalesce(new, old);
end $$;

create or replace function academic_refuse_closed_years() returns trigger language plpgsql as $$
declare
  touched integer[];
begin
  if tg_op = 'INSERT' then
    touched := array(select distinct academic_year_id from changed);
  elsif tg_op = 'DELETE' then
    touched := array(select distinct academic_year_id from before);
  else
    touched := array(select academic_year_id from changed union select academic_year_id from before);
  end if;
  if (select bool_or(status = 'Closed')
      from (select status from academic_year where id = any (touched) order by id for share) as years) then
    if tg_op = 'UPDATE' then
      if not exists (select to_jsonb(later) - 'student_id' from changed later
            except select to_jsonb(earlier) - 'student_id' from before earlier)
          and not exists (select to_jsonb(later) from changed later intersect select to_jsonb(earlier) from before earlier) then
        return null;
      end if;
    end if;
    raise exception 'the academic year is closed' using errcode = '23514', constraint = 'academic_year_is_closed';
  end if;
  return null;
end $$;

create or replace function observation_keep_text() returns trigger language plpgsql as $$
declare
  seals constant text[] := array['note_sealed', 'place', 'place_sealed'];
  is_sealed_or_opened boolean := (old.reach = 'Restricted') <> (new.reach = 'Restricted');
begin
  -- It goes with its enrolment to the other student.
  if old.student_id <> new.student_id and to_jsonb(old) - 'student_id' = to_jsonb(new) - 'student_id' then
    return new;
  end if;
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

-- The principal decides about a merge.
alter table approval add column student_merge_id integer references student_merge;
create unique index approval_student_merge on approval (student_merge_id) where status = 'Pending';
create index on approval (student_merge_id);
-- The kinds of other features stay as they are.
do $$
declare
  known text;
begin
  select substr(pg_get_constraintdef(oid), 7) into known from pg_constraint
    where conrelid = 'approval'::regclass and conname = 'approval_kind';
  alter table approval drop constraint approval_kind;
  execute 'alter table approval add constraint approval_kind check (' || known || $kinds$ or kind = 'student.merge')$kinds$;
end $$;
alter table approval add constraint approval_subject_merge
  check ((kind = 'student.merge') = (student_merge_id is not null));
