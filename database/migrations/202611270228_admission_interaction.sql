-- Interactions with a child: slots at a time and place with assessors. Clashes of room, assessor and child are exclusion
-- constraints, fullness a check, so that two offices plan side by side.

create table admission_slot (
  id                integer generated always as identity primary key,
  branch_id         integer not null references academic_branch,
  academic_year_id  integer not null references academic_year,
  kind              text not null check (kind in ('Interaction', 'Assessment')),
  starts_at         timestamptz not null,
  ends_at           timestamptz not null,
  room_id           integer references academic_room,
  place             text not null default '' check (length(place) <= 100),
  capacity          smallint not null check (capacity between 1 and 60),
  booked            smallint not null default 0 check (booked >= 0),
  version           integer not null default 1,
  during            tstzrange not null generated always as (tstzrange(starts_at, ends_at)) stored,
  check (ends_at > starts_at),
  check (room_id is not null or place <> ''),
  constraint admission_slot_full check (booked <= capacity),
  constraint admission_slot_time unique (id, starts_at, ends_at),
  constraint admission_slot_kind unique (id, starts_at, ends_at, kind),
  constraint admission_slot_room exclude using gist (room_id with =, during with &&) where (room_id is not null)
);
create index on admission_slot (branch_id, starts_at);
create index on admission_slot (academic_year_id);
grant select, insert, delete on admission_slot to shala_app;
grant update (kind, starts_at, ends_at, room_id, place, capacity, version) on admission_slot to shala_app;

create table admission_slot_assessor (
  slot_id    integer not null,
  starts_at  timestamptz not null,
  ends_at    timestamptz not null,
  staff_id   integer not null references staff,
  during     tstzrange not null generated always as (tstzrange(starts_at, ends_at)) stored,
  primary key (slot_id, staff_id),
  constraint admission_slot_assessor_slot foreign key (slot_id, starts_at, ends_at)
    references admission_slot (id, starts_at, ends_at) on update cascade on delete cascade,
  constraint admission_slot_assessor_clash exclude using gist (staff_id with =, during with &&)
);
create index on admission_slot_assessor (staff_id);
grant select, insert, update, delete on admission_slot_assessor to shala_app;

create table admission_interaction (
  id          integer generated always as identity primary key,
  inquiry_id  integer not null references admission_inquiry,
  slot_id     integer not null,
  starts_at   timestamptz not null,
  ends_at     timestamptz not null,
  kind        text not null,
  status      text not null default 'Planned' check (status in ('Planned', 'Came', 'No-show', 'Cancelled')),
  during      tstzrange not null generated always as (tstzrange(starts_at, ends_at)) stored,
  unique (inquiry_id, slot_id),
  constraint admission_interaction_kind unique (id, kind),
  constraint admission_interaction_slot foreign key (slot_id, starts_at, ends_at, kind)
    references admission_slot (id, starts_at, ends_at, kind) on update cascade,
  constraint admission_interaction_clash exclude using gist (inquiry_id with =, during with &&)
    where (status <> 'Cancelled')
);
create index on admission_interaction (slot_id);
grant select, insert on admission_interaction to shala_app;
grant update (status) on admission_interaction to shala_app;

create function admission_count_booked() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  freed integer := case when tg_op <> 'INSERT' and old.status <> 'Cancelled' then old.slot_id end;
  given integer := case when tg_op <> 'DELETE' and new.status <> 'Cancelled' then new.slot_id end;
begin
  if freed is not distinct from given then return null; end if;
  update admission_slot set booked = booked + (id is not distinct from given)::integer
    - (id is not distinct from freed)::integer where id in (freed, given);
  return null;
end $$;
create trigger count_booked after insert or update or delete on admission_interaction
  for each row execute function admission_count_booked();

create table admission_outcome (
  interaction_id  integer not null,
  kind            text not null,
  staff_id        integer not null references staff,
  score           numeric(5, 2),
  of_score        numeric(5, 2),
  recommendation  text not null check (recommendation in ('Strongly recommended', 'Recommended',
                    'Recommended with conditions', 'Not recommended')),
  note            text not null default '' check (length(note) <= 2000),
  written_at      timestamptz not null,
  primary key (interaction_id, staff_id),
  constraint admission_outcome_of_interaction foreign key (interaction_id, kind)
    references admission_interaction (id, kind) on update cascade,
  -- RTE Act, section 13: a talk has no score.
  constraint admission_outcome_unscored check (kind = 'Assessment' or score is null),
  constraint admission_outcome_score check (score between 0 and of_score),
  check ((score is null) = (of_score is null))
);
create index on admission_outcome (staff_id);
grant select, insert, update on admission_outcome to shala_app;
