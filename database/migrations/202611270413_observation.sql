-- Observations: rating scales, rubrics in versions, types and follow-up actions; notes on students
-- (docs/decisions/0164-notes-on-students.md).

create table observation_scale (
  id         integer generated always as identity primary key,
  name       text not null check (length(name) between 1 and 60),
  is_active  boolean not null default true,
  version    integer not null default 1
);
create unique index observation_scale_name_unique on observation_scale (lower(name));

-- A level without a value is "Not observed", which no mean counts.
create table observation_level (
  id         integer generated always as identity primary key,
  scale_id   integer not null references observation_scale,
  label      text not null check (length(label) between 1 and 40),
  points     smallint check (points between 0 and 100),
  colour     text not null default '' check (length(colour) <= 12),
  meaning    text not null default '' check (length(meaning) <= 300),
  is_active  boolean not null default true,
  version    integer not null default 1,
  unique (id, scale_id),
  constraint observation_level_points_once unique nulls not distinct (scale_id, points)
);
create unique index observation_level_label_unique on observation_level (scale_id, lower(label));

create table observation_rubric (
  id         integer generated always as identity primary key,
  name       text not null check (length(name) between 1 and 80),
  for_whom   text not null check (for_whom in ('Student', 'Staff')),
  is_active  boolean not null default true,
  version    integer not null default 1,
  unique (id, for_whom)
);
create unique index observation_rubric_name_unique on observation_rubric (for_whom, lower(name));

create table observation_rubric_version (
  id            integer generated always as identity primary key,
  rubric_id     integer not null references observation_rubric,
  number        smallint not null check (number > 0),
  state         text not null default 'Draft' check (state in ('Draft', 'Published', 'Retired')),
  scale_id      integer not null references observation_scale,
  published_at  timestamptz,
  published_by  integer references staff,
  version       integer not null default 1,
  unique (rubric_id, number),
  unique (id, scale_id),
  check ((state = 'Draft') = (published_at is null))
);
create unique index observation_rubric_version_draft on observation_rubric_version (rubric_id) where state = 'Draft';
create unique index observation_rubric_version_published on observation_rubric_version (rubric_id) where state = 'Published';
create index on observation_rubric_version (scale_id);
create index on observation_rubric_version (published_by);

create table observation_domain (
  id          integer generated always as identity primary key,
  version_id  integer not null references observation_rubric_version,
  position    smallint not null,
  name        text not null check (length(name) between 1 and 80),
  weight      smallint check (weight between 1 and 10000),
  unique (id, version_id),
  unique (version_id, position)
);

create table observation_indicator (
  id           integer generated always as identity primary key,
  domain_id    integer not null,
  version_id   integer not null,
  position     smallint not null,
  text         text not null check (length(text) between 1 and 300),
  is_critical  boolean not null default false,
  unique (id, version_id),
  unique (domain_id, position),
  foreign key (domain_id, version_id) references observation_domain (id, version_id)
);
create index on observation_indicator (version_id);

create table observation_descriptor (
  indicator_id  integer not null,
  version_id    integer not null,
  level_id      integer not null,
  scale_id      integer not null,
  text          text not null check (length(text) between 1 and 500),
  primary key (indicator_id, level_id),
  foreign key (indicator_id, version_id) references observation_indicator (id, version_id),
  foreign key (level_id, scale_id) references observation_level (id, scale_id),
  foreign key (version_id, scale_id) references observation_rubric_version (id, scale_id)
);
create index on observation_descriptor (version_id);
create index on observation_descriptor (level_id);

-- The wording of a published version never changes: its notes show what their authors have read.
create function observation_keep_version() returns trigger language plpgsql as $$
declare
  touched integer[] := array[
    case when tg_op <> 'INSERT' then old.version_id end,
    case when tg_op <> 'DELETE' then new.version_id end];
begin
  if exists (select from observation_rubric_version where id = any (touched) and state <> 'Draft' for share) then
    raise exception 'this version is published' using errcode = '23514', constraint = 'observation_rubric_version_published_stays';
  end if;
  return coalesce(new, old);
end $$;
create trigger keep_version before insert or update or delete on observation_domain
  for each row execute function observation_keep_version();
create trigger keep_version before insert or update or delete on observation_indicator
  for each row execute function observation_keep_version();
create trigger keep_version before insert or update or delete on observation_descriptor
  for each row execute function observation_keep_version();

create function observation_publish_version() returns trigger language plpgsql as $$
declare
  total integer;
  levels integer;
begin
  if old.state <> 'Draft' then
    if (new.rubric_id, new.number, new.scale_id, new.published_at, new.published_by)
        is distinct from (old.rubric_id, old.number, old.scale_id, old.published_at, old.published_by)
        or new.state = 'Draft' or (old.state = 'Retired' and new.state <> 'Retired') then
      raise exception 'this version is published' using errcode = '23514', constraint = 'observation_rubric_version_published_stays';
    end if;
    return new;
  end if;
  if new.state = 'Draft' then return new; end if;
  if not exists (select from observation_domain where version_id = new.id) or exists (
      select from observation_domain domain where domain.version_id = new.id
        and not exists (select from observation_indicator where domain_id = domain.id)) then
    raise exception 'a domain has no indicator' using errcode = '23514', constraint = 'observation_rubric_version_empty';
  end if;
  select count(*) filter (where points is not null) into levels from observation_level
    where scale_id = new.scale_id and is_active;
  if levels not between 2 and 7 then
    raise exception 'two to seven levels' using errcode = '23514', constraint = 'observation_rubric_version_levels';
  end if;
  if (select for_whom from observation_rubric where id = new.rubric_id) = 'Staff' then
    select sum(coalesce(weight, 0)) into total from observation_domain where version_id = new.id;
    if total <> 10000 or exists (select from observation_domain where version_id = new.id and weight is null) then
      raise exception 'the weights are not 100' using errcode = '23514', constraint = 'observation_rubric_version_weights',
        detail = total::text;
    end if;
  end if;
  return new;
end $$;
create trigger publish before update on observation_rubric_version
  for each row execute function observation_publish_version();

-- Once a published version uses a scale, its levels keep their words and points; a level may still get a colour or a meaning.
create function observation_keep_level() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (new.scale_id, new.label, new.points, new.is_active)
      is not distinct from (old.scale_id, old.label, old.points, old.is_active) then
    return new;
  end if;
  if exists (select from observation_rubric_version version where version.state <> 'Draft' and version.scale_id in
      (case when tg_op <> 'INSERT' then old.scale_id end, case when tg_op <> 'DELETE' then new.scale_id end)) then
    raise exception 'a published rubric uses this scale' using errcode = '23514', constraint = 'observation_level_in_use';
  end if;
  return coalesce(new, old);
end $$;
create trigger keep_level before insert or update or delete on observation_level
  for each row execute function observation_keep_level();

create table observation_type (
  id               integer generated always as identity primary key,
  name             text not null check (length(name) between 1 and 60),
  for_whom         text not null check (for_whom in ('Student', 'Staff')),
  kind             text not null check (kind in ('Anecdotal', 'Rubric', 'Checklist')),
  rubric_id        integer,
  usual_reach      text not null default '' check (usual_reach in ('', 'Class teachers', 'All teachers', 'Restricted')),
  asks_follow_up   boolean not null default false,
  authors          text[] not null default '{}'
                     check (authors <@ array['Class teacher', 'Subject teacher', 'Counsellor', 'Principal']),
  is_active        boolean not null default true,
  version          integer not null default 1,
  constraint observation_type_rubric foreign key (rubric_id, for_whom) references observation_rubric (id, for_whom),
  constraint observation_type_has_rubric check ((kind = 'Anecdotal') = (rubric_id is null)),
  constraint observation_type_restricted check (usual_reach <> 'Restricted' or kind = 'Anecdotal')
);
create unique index observation_type_name_unique on observation_type (for_whom, lower(name));
create index on observation_type (rubric_id);

create table observation_action (
  id         integer generated always as identity primary key,
  name       text not null check (length(name) between 1 and 60),
  is_active  boolean not null default true,
  version    integer not null default 1
);
create unique index observation_action_name_unique on observation_action (lower(name));

-- A note on a student: a text and, for a type with a rubric, ratings. The text of a restricted one is sealed.
create table observation_note (
  id                 integer generated always as identity primary key,
  -- Notes on several students from one form have the same.
  group_id           uuid not null,
  type_id            integer not null references observation_type,
  enrollment_id      integer not null,
  student_id         integer not null,
  academic_year_id   integer not null,
  branch_id          integer not null,
  program_id         integer not null,
  grade_id           integer not null,
  -- Of the day of the observation, for filters; rights follow from the section of today.
  section_id         integer references academic_section,
  observed_at        timestamptz not null,
  polarity           text not null check (polarity in ('Positive', 'Neutral', 'Concern')),
  place              text not null default '' check (length(place) <= 80),
  note               text check (length(note) between 1 and 4000),
  note_sealed        bytea,
  reach              text not null check (reach in ('Class teachers', 'All teachers', 'Restricted')),
  rubric_version_id  integer,
  scale_id           integer,
  author_id          integer not null references staff,
  published_at       timestamptz not null,
  locks_at           timestamptz not null,
  changed_at         timestamptz not null,
  version            integer not null default 1,
  check ((reach = 'Restricted') = (note_sealed is not null)),
  check (num_nonnulls(note, note_sealed) = 1),
  check (locks_at >= published_at),
  check ((rubric_version_id is null) = (scale_id is null)),
  constraint observation_note_restricted check (rubric_version_id is null or reach <> 'Restricted'),
  constraint observation_note_of_enrollment
    foreign key (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id)
    references student_enrollment (id, student_id, academic_year_id, branch_id, program_id, grade_id),
  foreign key (rubric_version_id, scale_id) references observation_rubric_version (id, scale_id),
  unique (id, rubric_version_id)
);
create index on observation_note (student_id, observed_at desc, id desc);
create index on observation_note (author_id, observed_at desc, id desc);
create index on observation_note (observed_at desc, id desc);
create index on observation_note (academic_year_id, observed_at desc);
create index on observation_note (section_id);
create index on observation_note (group_id);
create index on observation_note (type_id);
create index on observation_note (enrollment_id);
create index on observation_note (rubric_version_id);
create index on observation_note using gin (note gin_trgm_ops);
create trigger closed_year before insert on observation_note for each row execute function academic_refuse_closed_year();

-- A note is of a day on which the student was enrolled, and not of the future.
create function observation_inside_enrolment() returns trigger language plpgsql as $$
begin
  if not exists (select from student_enrollment own join academic_year year on year.id = own.academic_year_id
      where own.id = new.enrollment_id and own.status <> 'Cancelled'
        and (new.observed_at at time zone 'Asia/Kolkata')::date
          between greatest(own.joined_on, year.starts_on) and least(coalesce(own.left_on, 'infinity'), year.ends_on)) then
    raise exception 'the student was not here' using errcode = '23514', constraint = 'observation_note_not_here';
  end if;
  if new.observed_at > new.changed_at then
    raise exception 'this is in the future' using errcode = '23514', constraint = 'observation_note_future';
  end if;
  return new;
end $$;
create trigger inside_enrolment before insert or update of observed_at, enrollment_id on observation_note
  for each row execute function observation_inside_enrolment();

create table observation_withdrawal (
  note_id   integer primary key references observation_note,
  staff_id  integer not null references staff,
  at        timestamptz not null,
  reason    text not null check (length(reason) between 1 and 300)
);
create index on observation_withdrawal (staff_id);

-- Until `locks_at` the author changes the text; afterwards nothing but the readers, and the seal that goes with them.
create function observation_keep_text() returns trigger language plpgsql as $$
declare
  is_sealed_or_opened boolean := (old.reach = 'Restricted') <> (new.reach = 'Restricted');
begin
  if (new.group_id, new.type_id, new.enrollment_id, new.student_id, new.author_id, new.published_at, new.locks_at,
      new.rubric_version_id) is distinct from (old.group_id, old.type_id, old.enrollment_id, old.student_id, old.author_id,
      old.published_at, old.locks_at, old.rubric_version_id)
      or exists (select from observation_withdrawal where note_id = old.id) then
    raise exception 'this stays as it is' using errcode = '23514', constraint = 'observation_note_stays';
  end if;
  if new.changed_at >= old.locks_at and (
      (new.observed_at, new.polarity, new.place, new.section_id)
        is distinct from (old.observed_at, old.polarity, old.place, old.section_id)
      or new.note is distinct from old.note and not is_sealed_or_opened
      -- A rotation of the data key seals again and counts no version up.
      or new.note_sealed is distinct from old.note_sealed and not is_sealed_or_opened and new.version <> old.version) then
    raise exception 'the note is locked' using errcode = '23514', constraint = 'observation_note_locked';
  end if;
  return new;
end $$;
create trigger keep_text before update on observation_note for each row execute function observation_keep_text();

create table observation_note_rating (
  note_id       integer not null,
  version_id    integer not null,
  indicator_id  integer not null,
  level_id      integer not null,
  scale_id      integer not null,
  comment       text not null default '' check (length(comment) <= 300),
  primary key (note_id, indicator_id),
  foreign key (note_id, version_id) references observation_note (id, rubric_version_id),
  foreign key (indicator_id, version_id) references observation_indicator (id, version_id),
  foreign key (level_id, scale_id) references observation_level (id, scale_id),
  foreign key (version_id, scale_id) references observation_rubric_version (id, scale_id)
);
create index on observation_note_rating (indicator_id);
create index on observation_note_rating (level_id);

create table observation_addendum (
  id           integer generated always as identity primary key,
  note_id      integer not null references observation_note,
  staff_id     integer not null references staff,
  at           timestamptz not null,
  text         text check (length(text) between 1 and 2000),
  text_sealed  bytea,
  check (num_nonnulls(text, text_sealed) = 1)
);
create index on observation_addendum (note_id, id);
create index on observation_addendum (staff_id);

create table observation_follow_up (
  id         integer generated always as identity primary key,
  note_id    integer not null references observation_note,
  action_id  integer not null references observation_action,
  owner_id   integer not null references staff,
  due_on     date not null,
  state      text not null default 'Open' check (state in ('Open', 'In progress', 'Done', 'Cancelled')),
  remark     text not null default '' check (length(remark) <= 2000),
  closed_on  date,
  version    integer not null default 1,
  check ((state in ('Done', 'Cancelled')) = (closed_on is not null))
);
create index on observation_follow_up (note_id);
create index on observation_follow_up (owner_id, due_on) where closed_on is null;
create index on observation_follow_up (action_id);

-- What was typed and not published, for its author; sealed, since it may be a restricted note.
create table observation_draft (
  id          integer generated always as identity primary key,
  author_id   integer not null references staff,
  answers     bytea not null,
  changed_at  timestamptz not null,
  version     integer not null default 1
);
create index on observation_draft (author_id);

-- Evidence of a skill comes from a note; a restricted note gives none, since its level would show on the student's record.
alter table student_skill_evidence add column observation_note_id integer references observation_note;
create unique index student_skill_evidence_of_note on student_skill_evidence (observation_note_id, skill_id);
create function observation_open_evidence() returns trigger language plpgsql as $$
begin
  if exists (select from observation_note where id = new.observation_note_id and reach = 'Restricted') then
    raise exception 'a restricted note gives no evidence' using errcode = '23514', constraint = 'observation_note_restricted';
  end if;
  return new;
end $$;
create trigger open_note before insert or update of observation_note_id on student_skill_evidence
  for each row when (new.observation_note_id is not null) execute function observation_open_evidence();

grant select, insert, update, delete on observation_scale, observation_level, observation_rubric, observation_type,
  observation_action, observation_rubric_version, observation_domain, observation_indicator, observation_descriptor,
  observation_note_rating, observation_draft to shala_app;
grant select, insert, update on observation_note, observation_follow_up to shala_app;
grant select, insert on observation_withdrawal to shala_app;
grant select, insert, update (text, text_sealed) on observation_addendum to shala_app;
-- A sealed text is bound to the number of its row, which is drawn first.
grant usage on sequence observation_note_id_seq, observation_addendum_id_seq, observation_draft_id_seq to shala_app;
