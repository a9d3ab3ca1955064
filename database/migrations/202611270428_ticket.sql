-- Tickets: requests with an owner, and the times by which they are answered and solved.

-- Targets by priority. An edit makes a new version; a ticket keeps the one it was raised with.
create table ticket_policy (
  id          integer generated always as identity primary key,
  name        text not null check (length(name) between 1 and 60),
  is_default  boolean not null default false,
  is_active   boolean not null default true,
  version     integer not null default 1,
  constraint ticket_policy_default_active check (is_active or not is_default)
);
create unique index ticket_policy_name_unique on ticket_policy (lower(name));
create unique index ticket_policy_default on ticket_policy (is_default) where is_default;

create table ticket_policy_version (
  id              integer generated always as identity primary key,
  policy_id       integer not null references ticket_policy,
  number          integer not null check (number > 0),
  pauses_on_hold  boolean not null,
  made_at         timestamptz not null,
  made_by         integer references staff,
  unique (policy_id, number)
);
create index on ticket_policy_version (made_by);

create table ticket_policy_target (
  version_id          integer not null references ticket_policy_version,
  priority            text not null check (priority in ('Low', 'Medium', 'High', 'Urgent')),
  response_minutes    integer not null,
  resolution_minutes  integer not null,
  primary key (version_id, priority),
  constraint ticket_policy_target_order check (5 <= response_minutes and response_minutes <= resolution_minutes
    and resolution_minutes <= 60000)
);

create table ticket_category (
  id                integer generated always as identity primary key,
  parent_id         integer references ticket_category,
  name              text not null check (length(name) between 1 and 60),
  department_id     integer not null references academic_department,
  assignee_id       integer references staff,
  policy_id         integer references ticket_policy,
  priority          text not null check (priority in ('Low', 'Medium', 'High', 'Urgent')),
  requires_student  boolean not null default false,
  requires_place    boolean not null default false,
  template          text not null default '' check (length(template) <= 4000),
  is_confidential   boolean not null default false,
  is_active         boolean not null default true,
  version           integer not null default 1
);
create unique index ticket_category_name_unique on ticket_category (coalesce(parent_id, 0), lower(name));
create index on ticket_category (parent_id);
create index on ticket_category (department_id);
create index on ticket_category (assignee_id);
create index on ticket_category (policy_id);

create function ticket_keep_category_levels() returns trigger language plpgsql as $$
begin
  if new.parent_id is not null and (new.parent_id = new.id
      or exists (select from ticket_category where id = new.parent_id and parent_id is not null)
      or exists (select from ticket_category where parent_id = new.id)) then
    raise exception 'categories have two levels' using errcode = '23514', constraint = 'ticket_category_levels';
  end if;
  return null;
end $$;
create trigger levels after insert or update of parent_id on ticket_category
  for each row execute function ticket_keep_category_levels();

create table ticket_hold_reason (
  id                integer generated always as identity primary key,
  name              text not null check (length(name) between 1 and 60),
  resumes_on_reply  boolean not null default false,
  is_active         boolean not null default true,
  version           integer not null default 1
);
create unique index ticket_hold_reason_name_unique on ticket_hold_reason (lower(name));
insert into ticket_hold_reason (name, resumes_on_reply) values
  ('Waiting for requester', true), ('Waiting for third party', false), ('Waiting for approval', false);

create table ticket_canned_reply (
  id         integer generated always as identity primary key,
  name       text not null check (length(name) between 1 and 60),
  text       text not null check (length(text) between 1 and 2000),
  is_active  boolean not null default true,
  version    integer not null default 1
);
create unique index ticket_canned_reply_name_unique on ticket_canned_reply (lower(name));

-- Business hours from a day on, in minutes after midnight. A set that has begun is never changed: minutes that have passed stay.
create table ticket_hours (
  id        integer generated always as identity primary key,
  from_day  date not null unique
);
create table ticket_hours_day (
  hours_id         integer not null references ticket_hours on delete cascade,
  weekday          smallint not null check (weekday between 1 and 7),
  opens            smallint not null,
  closes           smallint not null,
  half_day_closes  smallint not null,
  primary key (hours_id, weekday),
  constraint ticket_hours_day_order check (0 <= opens and opens < half_day_closes and half_day_closes <= closes
    and closes <= 1440)
);
create table ticket_hours_break (
  id           integer generated always as identity primary key,
  hours_id     integer not null,
  weekday      smallint not null,
  from_minute  smallint not null,
  to_minute    smallint not null,
  foreign key (hours_id, weekday) references ticket_hours_day on delete cascade,
  constraint ticket_hours_break_order check (from_minute < to_minute),
  constraint ticket_hours_break_overlap exclude using gist
    (hours_id with =, weekday with =, int4range(from_minute, to_minute) with &&)
);
create function ticket_keep_break_inside() returns trigger language plpgsql as $$
begin
  if not exists (select from ticket_hours_day own where own.hours_id = new.hours_id and own.weekday = new.weekday
      and own.opens < new.from_minute and new.to_minute < own.closes) then
    raise exception 'a break is inside its day' using errcode = '23514', constraint = 'ticket_hours_break_inside';
  end if;
  return null;
end $$;
create trigger inside after insert or update on ticket_hours_break
  for each row execute function ticket_keep_break_inside();

-- The first level comes at a share of the time, the second with the due time, the third so many working days later.
create table ticket_escalation_rule (
  level         smallint primary key check (level between 1 and 3),
  percent       smallint not null check (percent between 50 and 100),
  working_days  smallint not null check (working_days between 0 and 10),
  is_active     boolean not null default true,
  version       integer not null default 1
);
insert into ticket_escalation_rule (level, percent, working_days) values (1, 80, 0), (2, 100, 0), (3, 100, 1);

create table ticket (
  id                 integer generated always as identity primary key,
  ticket_no          text not null check (length(ticket_no) between 1 and 40),
  subject            text not null check (length(subject) between 1 and 150),
  description        text not null check (length(description) between 1 and 4000),
  category_id        integer not null references ticket_category,
  department_id      integer not null references academic_department,
  branch_id          integer references academic_branch,
  raised_by          integer not null references staff,
  on_behalf          text not null default 'Self' check (on_behalf in ('Self', 'Guardian', 'Student', 'Staff')),
  source             text not null default 'App' check (source in ('App', 'Phone', 'Walk-in', 'Email')),
  about_student_id   integer references student,
  about_staff_id     integer references staff,
  room_id            integer references academic_room,
  place              text not null default '' check (length(place) <= 80),
  assignee_id        integer references staff,
  priority           text not null check (priority in ('Low', 'Medium', 'High', 'Urgent')),
  policy_version_id  integer references ticket_policy_version,
  status             text not null default 'Open'
                     check (status in ('Open', 'In progress', 'On hold', 'Resolved', 'Closed', 'Cancelled')),
  is_confidential    boolean not null default false,
  raised_at          timestamptz not null,
  changed_at         timestamptz not null,
  -- Derived by the clock from rows, hours and calendar; null where no business hours are in sight, or while it is on hold.
  response_due_at    timestamptz,
  responded_at       timestamptz,
  clock_from         timestamptz not null,
  resolution_due_at  timestamptz,
  warn_at            timestamptz,
  overdue_at         timestamptz,
  next_check_at      timestamptz,
  hold_reason_id     integer references ticket_hold_reason,
  resolved_at        timestamptz,
  resolution         text not null default '' check (length(resolution) <= 2000),
  closes_at          timestamptz,
  closed_at          timestamptz,
  cancel_reason      text not null default '' check (length(cancel_reason) <= 300),
  reopen_count       smallint not null default 0,
  rating             smallint check (rating between 1 and 5),
  search_key         text not null generated always as (search_key(ticket_no || ' ' || subject)) stored,
  version            integer not null default 1,
  constraint ticket_one_place check (room_id is null or place = ''),
  constraint ticket_has_assignee check (status not in ('In progress', 'On hold') or assignee_id is not null),
  constraint ticket_hold check ((status = 'On hold') = (hold_reason_id is not null)),
  constraint ticket_resolved check ((status in ('Resolved', 'Closed')) = (resolved_at is not null)),
  constraint ticket_resolution check ((status in ('Resolved', 'Closed')) = (resolution <> '')),
  constraint ticket_closes check ((status = 'Resolved') or closes_at is null),
  constraint ticket_closed check ((status = 'Closed') = (closed_at is not null)),
  constraint ticket_cancelled check ((status = 'Cancelled') = (cancel_reason <> '')),
  constraint ticket_rating check (rating is null or status = 'Closed'),
  constraint ticket_checked check (next_check_at is null or status in ('Open', 'In progress')),
  -- In a queue a whole department would read it.
  constraint ticket_confidential_owner check (not is_confidential or assignee_id is not null
    or status in ('Closed', 'Cancelled')),
  constraint ticket_confidential_person check (not is_confidential or about_staff_id is distinct from assignee_id
    or about_staff_id is null)
);
create unique index ticket_number_unique on ticket (ticket_no);
create index on ticket (assignee_id, status, resolution_due_at);
create index on ticket (department_id, status) where assignee_id is null;
create index on ticket (department_id, id);
create index on ticket (raised_by, id desc);
create index on ticket (category_id);
create index on ticket (branch_id);
create index on ticket (room_id);
create index on ticket (hold_reason_id);
create index on ticket (policy_version_id);
create index on ticket (next_check_at) where next_check_at is not null;
create index on ticket (closes_at) where status = 'Resolved';
create index on ticket (about_student_id, id);
create index on ticket (about_staff_id, id);
create index on ticket using gin (search_key gin_trgm_ops) with (gin_pending_list_limit = 64);

create function ticket_keep_state() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'Open' or new.reopen_count <> 0 then
      raise exception 'a ticket begins open' using errcode = '23514', constraint = 'ticket_state';
    end if;
    return new;
  end if;
  if (new.ticket_no, new.raised_by, new.raised_at, new.description) is distinct from
      (old.ticket_no, old.raised_by, old.raised_at, old.description) then
    raise exception 'what was raised stays' using errcode = '23514', constraint = 'ticket_raised';
  end if;
  if new.status <> old.status and (old.status, new.status) not in (
      ('Open', 'In progress'), ('Open', 'On hold'), ('Open', 'Resolved'), ('Open', 'Cancelled'),
      ('In progress', 'Open'), ('In progress', 'On hold'), ('In progress', 'Resolved'),
      ('On hold', 'Open'), ('On hold', 'In progress'), ('On hold', 'Resolved'),
      ('Resolved', 'In progress'), ('Resolved', 'Closed'), ('Closed', 'In progress')) then
    raise exception 'no such step from % to %', old.status, new.status
      using errcode = '23514', constraint = 'ticket_state';
  end if;
  if new.reopen_count <> old.reopen_count
      + (old.status in ('Resolved', 'Closed') and new.status = 'In progress')::integer then
    raise exception 'reopenings are counted' using errcode = '23514', constraint = 'ticket_reopened';
  end if;
  return new;
end $$;
create trigger state before insert or update on ticket
  for each row execute function ticket_keep_state();

create table ticket_pause (
  id         integer generated always as identity primary key,
  ticket_id  integer not null references ticket,
  reason_id  integer not null references ticket_hold_reason,
  from_at    timestamptz not null,
  to_at      timestamptz,
  note       text not null default '' check (length(note) <= 300),
  constraint ticket_pause_order check (to_at >= from_at),
  constraint ticket_pause_overlap exclude using gist (ticket_id with =, tstzrange(from_at, to_at) with &&)
);
create unique index ticket_pause_open on ticket_pause (ticket_id) where to_at is null;
create index on ticket_pause (ticket_id);
create index on ticket_pause (reason_id);

-- A ticket has an open pause while it is on hold, and only then.
create function ticket_keep_pause() returns trigger language plpgsql as $$
declare of_ticket integer := coalesce((to_jsonb(new) ->> 'ticket_id')::integer, (to_jsonb(new) ->> 'id')::integer);
begin
  if exists (select from ticket where id = of_ticket and (status = 'On hold') <>
      exists (select from ticket_pause where ticket_id = of_ticket and to_at is null)) then
    raise exception 'a pause belongs to a hold' using errcode = '23514', constraint = 'ticket_pause_held';
  end if;
  return null;
end $$;
create constraint trigger pause after insert or update on ticket deferrable initially deferred
  for each row execute function ticket_keep_pause();
create constraint trigger pause after insert or update on ticket_pause deferrable initially deferred
  for each row execute function ticket_keep_pause();

create table ticket_comment (
  id         integer generated always as identity primary key,
  ticket_id  integer not null references ticket,
  kind       text not null check (kind in ('Public', 'Internal')),
  body       text not null check (length(body) between 1 and 4000),
  staff_id   integer not null references staff,
  at         timestamptz not null
);
create index on ticket_comment (ticket_id, id);
create index on ticket_comment (staff_id);

create table ticket_assignment (
  id                integer generated always as identity primary key,
  ticket_id         integer not null references ticket,
  from_staff_id     integer references staff,
  to_staff_id       integer references staff,
  to_department_id  integer references academic_department,
  by_staff_id       integer references staff,
  at                timestamptz not null,
  reason            text not null default '' check (length(reason) <= 300),
  constraint ticket_assignment_to check (num_nonnulls(to_staff_id, to_department_id) = 1)
);
create index on ticket_assignment (ticket_id, id);
create index on ticket_assignment (from_staff_id);
create index on ticket_assignment (to_staff_id);
create index on ticket_assignment (to_department_id);
create index on ticket_assignment (by_staff_id);

-- Each level once in each round; level 0 is the missing first answer.
create table ticket_escalation (
  ticket_id  integer not null references ticket,
  round      smallint not null,
  level      smallint not null check (level between 0 and 3),
  at         timestamptz not null,
  primary key (ticket_id, round, level)
);

-- Readers of a confidential ticket besides the person who raised it and the one who has it.
create table ticket_participant (
  ticket_id  integer not null references ticket,
  staff_id   integer not null references staff,
  since      timestamptz not null,
  primary key (ticket_id, staff_id)
);
create index on ticket_participant (staff_id);

create table ticket_file (
  file_id     uuid primary key references file,
  ticket_id   integer not null references ticket,
  comment_id  integer references ticket_comment
);
create index on ticket_file (ticket_id);
create index on ticket_file (comment_id);

create function ticket_keep_few_files() returns trigger language plpgsql as $$
begin
  perform 1 from ticket where id = new.ticket_id for update;
  if (select count(*) from ticket_file
      where ticket_id = new.ticket_id and comment_id is not distinct from new.comment_id) > 5 then
    raise exception 'five files at most' using errcode = '23514', constraint = 'ticket_file_most';
  end if;
  return null;
end $$;
create trigger most after insert on ticket_file
  for each row execute function ticket_keep_few_files();

insert into number_series (code, prefix, pattern, reset_on, is_gapless)
  values ('ticket', 'TKT', '{prefix}/{AY}/{seq:5}', 'academicYear', false);

grant select, insert, update on ticket_policy, ticket to shala_app;
grant select, insert on ticket_policy_version, ticket_policy_target, ticket_comment, ticket_assignment, ticket_escalation,
  ticket_file to shala_app;
grant select, insert, update, delete on ticket_category, ticket_hold_reason, ticket_canned_reply to shala_app;
grant select, insert, update on ticket_pause to shala_app;
grant select, insert, delete on ticket_hours, ticket_hours_day, ticket_hours_break, ticket_participant to shala_app;
grant select, update on ticket_escalation_rule to shala_app;
