-- Visits to lessons of staff: scheduled, rated, shared, acknowledged (docs/decisions/0165-visits-to-lessons.md).
create table observation_visit (
  id                 integer generated always as identity primary key,
  observed_id        integer not null references staff,
  observer_id        integer not null references staff,
  type_id            integer not null references observation_type,
  rubric_version_id  integer not null,
  scale_id           integer not null,
  kind               text not null check (kind in ('Walk-through', 'Scheduled', 'Peer', 'Demo')),
  is_announced       boolean not null default false,
  scheduled_at       timestamptz not null,
  started_at         timestamptz,
  ended_at           timestamptz,
  section_id         integer references academic_section,
  topic              text not null default '' check (length(topic) <= 200),
  strengths          text not null default '' check (length(strengths) <= 2000),
  improvements       text not null default '' check (length(improvements) <= 2000),
  plan               text not null default '' check (length(plan) <= 2000),
  next_review_on     date,
  state              text not null default 'Scheduled' check (state in
                       ('Scheduled', 'In progress', 'Draft', 'Shared', 'Acknowledged', 'Closed', 'Cancelled')),
  cancel_reason      text not null default '' check (length(cancel_reason) <= 300),
  -- Hundredths; null where nothing is rated.
  score              integer check (score between 0 and 10000),
  is_flagged         boolean not null default false,
  shared_at          timestamptz,
  share_number       smallint not null default 0,
  comment            text not null default '' check (length(comment) <= 2000),
  acknowledged_at    timestamptz,
  acknowledged_by    integer,
  closed_at          timestamptz,
  close_reason       text not null default '' check (length(close_reason) <= 300),
  version            integer not null default 1,
  constraint observation_visit_self check (observer_id <> observed_id),
  check (acknowledged_by = observed_id),
  check ((acknowledged_by is null) = (acknowledged_at is null)),
  check ((state in ('Shared', 'Acknowledged', 'Closed')) = (shared_at is not null)),
  check ((state = 'Closed') = (closed_at is not null)),
  check (state <> 'Acknowledged' or acknowledged_at is not null),
  check (state in ('Scheduled', 'Cancelled') or started_at is not null),
  check (ended_at >= started_at),
  foreign key (rubric_version_id, scale_id) references observation_rubric_version (id, scale_id),
  unique (id, rubric_version_id)
);
create index on observation_visit (scheduled_at desc, id desc);
create index on observation_visit (observed_id, scheduled_at desc);
create index on observation_visit (observer_id);
create index on observation_visit (state, shared_at);
create index on observation_visit (type_id);
create index on observation_visit (section_id);
create index on observation_visit (rubric_version_id);

create table observation_visit_rating (
  visit_id      integer not null,
  version_id    integer not null,
  indicator_id  integer not null,
  level_id      integer not null,
  scale_id      integer not null,
  comment       text not null default '' check (length(comment) <= 300),
  primary key (visit_id, indicator_id),
  foreign key (visit_id, version_id) references observation_visit (id, rubric_version_id),
  foreign key (indicator_id, version_id) references observation_indicator (id, version_id),
  foreign key (level_id, scale_id) references observation_level (id, scale_id),
  foreign key (version_id, scale_id) references observation_rubric_version (id, scale_id)
);
create index on observation_visit_rating (indicator_id);
create index on observation_visit_rating (level_id);

create table observation_visit_evidence (
  id        integer generated always as identity primary key,
  visit_id  integer not null references observation_visit,
  at        timestamptz not null,
  text      text not null check (length(text) between 1 and 1000)
);
create index on observation_visit_evidence (visit_id, id);

-- What was shared each time, so that what was acknowledged stays provable after a reopening.
create table observation_visit_share (
  visit_id         integer not null references observation_visit,
  number           smallint not null,
  shared_at        timestamptz not null,
  copy             jsonb not null,
  score            integer,
  comment          text not null default '',
  acknowledged_at  timestamptz,
  reopened_at      timestamptz,
  reopened_by      integer references staff,
  reason           text not null default '' check (length(reason) <= 300),
  primary key (visit_id, number)
);
create index on observation_visit_share (reopened_by);

-- Ratings and evidence change while the visit goes on or is a draft; the lock makes sharing wait for the last of them.
create function observation_visit_open() returns trigger language plpgsql as $$
begin
  perform 1 from observation_visit where id = case when tg_op = 'DELETE' then old.visit_id else new.visit_id end
    and state in ('In progress', 'Draft') for share;
  if not found then
    raise exception 'the visit is shared' using errcode = '23514', constraint = 'observation_visit_locked';
  end if;
  return coalesce(new, old);
end $$;
create trigger open_visit before insert or update or delete on observation_visit_rating
  for each row execute function observation_visit_open();
create trigger open_visit before insert or update or delete on observation_visit_evidence
  for each row execute function observation_visit_open();

create function observation_keep_shared() returns trigger language plpgsql as $$
begin
  if (new.observed_id, new.type_id, new.rubric_version_id, new.scale_id)
      is distinct from (old.observed_id, old.type_id, old.rubric_version_id, old.scale_id) then
    raise exception 'this stays' using errcode = '23514', constraint = 'observation_visit_locked';
  end if;
  if new.state <> old.state and not (old.state, new.state) in (('Scheduled', 'In progress'), ('Scheduled', 'Cancelled'),
      ('In progress', 'Draft'), ('In progress', 'Cancelled'), ('Draft', 'Shared'), ('Draft', 'Cancelled'),
      ('Shared', 'Acknowledged'), ('Shared', 'Closed'), ('Acknowledged', 'Closed'), ('Shared', 'Draft'),
      ('Acknowledged', 'Draft'), ('Closed', 'Draft')) then
    raise exception 'no such step' using errcode = '23514', constraint = 'observation_visit_step';
  end if;
  if old.state in ('Shared', 'Acknowledged', 'Closed', 'Cancelled') and (
      (new.observer_id, new.kind, new.is_announced, new.scheduled_at, new.started_at, new.ended_at, new.section_id, new.topic,
        new.strengths, new.improvements, new.plan, new.next_review_on, new.score, new.is_flagged, new.cancel_reason)
      is distinct from (old.observer_id, old.kind, old.is_announced, old.scheduled_at, old.started_at, old.ended_at,
        old.section_id, old.topic, old.strengths, old.improvements, old.plan, old.next_review_on, old.score, old.is_flagged,
        old.cancel_reason)
      or new.state <> 'Draft' and new.shared_at is distinct from old.shared_at) then
    raise exception 'the visit is shared' using errcode = '23514', constraint = 'observation_visit_locked';
  end if;
  return new;
end $$;
create trigger keep_shared before update on observation_visit for each row execute function observation_keep_shared();

create function observation_keep_share() returns trigger language plpgsql as $$
begin
  if (new.visit_id, new.number, new.shared_at, new.copy, new.score)
      is distinct from (old.visit_id, old.number, old.shared_at, old.copy, old.score) then
    raise exception 'what was shared stays' using errcode = '23514', constraint = 'observation_visit_locked';
  end if;
  return new;
end $$;
create trigger keep_share before update on observation_visit_share for each row execute function observation_keep_share();

grant select, insert, update on observation_visit, observation_visit_share to shala_app;
grant select, insert, update, delete on observation_visit_rating to shala_app;
grant select, insert on observation_visit_evidence to shala_app;
