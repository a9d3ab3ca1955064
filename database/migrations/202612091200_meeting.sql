-- Meetings of parents with teachers: each teacher has times of one length, of which a family books one for a child.
create table meeting (
  id                integer generated always as identity primary key,
  academic_year_id  integer not null references academic_year,
  branch_id         integer not null references academic_branch,
  name              text not null check (length(name) between 1 and 100),
  day               date not null,
  minutes           smallint not null check (minutes between 5 and 60),
  gap               smallint not null check (gap between 0 and 30),
  walk              smallint not null check (walk between 0 and 30),
  books_until       date not null check (books_until <= day),
  is_apart          boolean not null,
  state             text not null default 'Draft' check (state in ('Draft', 'Open', 'Cancelled')),
  reason            text not null default '' check (length(reason) <= 200),
  version           integer not null default 1
);
create index on meeting (branch_id, day);
create index on meeting (academic_year_id);
create index on meeting (day, id);
create trigger closed_year before insert or update or delete on meeting
  for each row execute function academic_refuse_closed_year();

create table meeting_section (
  meeting_id  integer not null references meeting on delete cascade,
  section_id  integer not null references academic_section,
  primary key (meeting_id, section_id)
);
create index on meeting_section (section_id);

create table meeting_host (
  id          integer generated always as identity primary key,
  meeting_id  integer not null references meeting on delete cascade,
  staff_id    integer not null references staff,
  room_id     integer references academic_room,
  place       text not null default '' check (length(place) <= 100),
  starts_at   timestamptz not null,
  ends_at     timestamptz not null check (ends_at > starts_at),
  is_closed   boolean not null default false,
  reason      text not null default '' check (length(reason) <= 200),
  during      tstzrange not null generated always as (tstzrange(starts_at, ends_at)) stored,
  constraint meeting_host_once unique (meeting_id, staff_id),
  constraint meeting_host_room exclude using gist (room_id with =, during with &&) where (room_id is not null and not is_closed)
);
create index on meeting_host (staff_id);

create table meeting_slot (
  id           integer generated always as identity primary key,
  host_id      integer not null references meeting_host on delete cascade,
  staff_id     integer not null references staff,
  starts_at    timestamptz not null,
  ends_at      timestamptz not null check (ends_at > starts_at),
  -- Until then the family is on the way to its next teacher.
  leaves_at    timestamptz not null check (leaves_at >= ends_at),
  -- A closed time keeps who had booked it.
  is_closed    boolean not null default false,
  student_id   integer references student,
  guardian_id  integer references guardian,
  -- The guardian again where each parent may book a time of their own, otherwise 0: a child has one time with a teacher.
  apart_id     integer not null default 0,
  booked_at    timestamptz,
  booked_by    integer references staff,
  came         text not null default '' check (came in ('', 'Came', 'No-show')),
  note         text not null default '' check (length(note) <= 300),
  during       tstzrange not null generated always as (tstzrange(starts_at, ends_at)) stored,
  there        tstzrange not null generated always as (tstzrange(starts_at, leaves_at)) stored,
  check ((student_id is null) = (guardian_id is null)),
  check ((student_id is null) = (booked_at is null)),
  check (student_id is not null or came = '' and note = '' and apart_id = 0 and booked_by is null),
  constraint meeting_slot_child unique (host_id, student_id, apart_id),
  constraint meeting_slot_teacher exclude using gist (staff_id with =, during with &&) where (not is_closed),
  constraint meeting_slot_family exclude using gist (guardian_id with =, there with &&) where (guardian_id is not null and not is_closed)
);
create index on meeting_slot (host_id, starts_at);
create index on meeting_slot (staff_id, starts_at);
create index on meeting_slot (student_id) where student_id is not null;
create index on meeting_slot (booked_by) where booked_by is not null;

-- What a guardian is told of a meeting: once that it is open, once the evening before, once that it is off.
create table meeting_told (
  id           integer generated always as identity primary key,
  meeting_id   integer not null references meeting on delete cascade,
  guardian_id  integer not null references guardian,
  kind         text not null check (kind in ('Open', 'Reminder', 'Cancelled')),
  unique (meeting_id, guardian_id, kind)
);
create index on meeting_told (guardian_id);

grant select, insert, update, delete on meeting, meeting_section, meeting_host, meeting_slot, meeting_told to shala_app;
