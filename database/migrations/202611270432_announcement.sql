-- Announcements: their texts in versions, the people they are for, readers and what was sent
-- (docs/decisions/0168-announcements.md).

do $$
declare
  known text := (select pg_get_expr(conbin, conrelid) from pg_constraint
    where conname = 'academic_lookup_kind_check' and conrelid = 'academic_lookup'::regclass);
begin
  alter table academic_lookup drop constraint academic_lookup_kind_check;
  execute format('alter table academic_lookup add constraint academic_lookup_kind_check check (%s or kind = ''Notice category'')', known);
end $$;
insert into academic_lookup (kind, is_system, name)
  select 'Notice category', true, unnest(array['General', 'Event', 'Holiday', 'Fee', 'Exam', 'Transport', 'Emergency']);

create table announcement (
  id                     integer generated always as identity primary key,
  category_id            integer not null references academic_lookup,
  priority               text not null check (priority in ('Normal', 'Important', 'Emergency')),
  -- Null for every branch.
  branch_id              integer references academic_branch,
  author_id              integer not null references staff,
  -- Scheduled, published and expired follow from the times, so that no job decides what is seen.
  state                  text not null default 'Draft' check (state in ('Draft', 'Waiting', 'Ready', 'Withdrawn')),
  publish_at             timestamptz,
  expires_at             timestamptz,
  is_pinned              boolean not null default false,
  needs_acknowledgement  boolean not null default false,
  acknowledge_by         date,
  sends_email            boolean not null default false,
  sends_sms              boolean not null default false,
  released_at            timestamptz,
  withdrawn_reason       text not null default '' check (length(withdrawn_reason) <= 300),
  current_version        smallint not null default 1,
  -- Readers of an earlier version have to read again.
  counts_from            smallint not null default 1,
  version                integer not null default 1,
  constraint announcement_expiry check (expires_at > publish_at),
  check (counts_from between 1 and current_version),
  check (state <> 'Ready' or publish_at is not null),
  check (released_at is null or state in ('Ready', 'Withdrawn')),
  check ((state = 'Withdrawn') = (withdrawn_reason <> '')),
  constraint announcement_acknowledge check (acknowledge_by is null or needs_acknowledgement)
);
create index on announcement (publish_at) where state = 'Ready' and released_at is null;
create index announcement_order on announcement ((coalesce(publish_at, timestamptz '2100-01-01 00:00+00')), id);
create index announcement_published on announcement (publish_at desc, id desc) where state = 'Ready';
create index on announcement (author_id, id desc);
create index on announcement (category_id);
create index on announcement (branch_id);

create function announcement_keep_state() returns trigger language plpgsql as $$
begin
  if (old.state, new.state) not in (('Draft', 'Waiting'), ('Draft', 'Ready'), ('Waiting', 'Draft'), ('Waiting', 'Ready'),
      ('Ready', 'Draft'), ('Ready', 'Withdrawn')) then
    raise exception 'an announcement cannot become %', new.state using errcode = '23514', constraint = 'announcement_state';
  end if;
  return new;
end $$;
create trigger keep_state before update on announcement
  for each row when (old.state <> new.state) execute function announcement_keep_state();

create table announcement_version (
  announcement_id   integer not null references announcement on delete cascade,
  number            smallint not null check (number > 0),
  title             text not null check (length(title) between 1 and 150),
  body              jsonb not null,
  search_text       text not null,
  staff_id          integer not null references staff,
  written_at        timestamptz not null,
  is_reading_reset  boolean not null default false,
  primary key (announcement_id, number)
);
create index on announcement_version (staff_id);
alter table announcement add constraint announcement_has_version foreign key (id, current_version)
  references announcement_version (announcement_id, number) deferrable initially deferred;

-- What was published is proof of what was read: only the text of a draft changes in its place.
create function announcement_keep_text() returns trigger language plpgsql as $$
begin
  if not exists (select from announcement where id = old.announcement_id and state = 'Draft') then
    raise exception 'the text of a published announcement is kept' using errcode = '23514', constraint = 'announcement_text_kept';
  end if;
  return new;
end $$;
create trigger keep_text before update on announcement_version for each row execute function announcement_keep_text();

create table announcement_file (
  announcement_id  integer not null references announcement on delete cascade,
  file_id          uuid not null references file,
  from_version     smallint not null,
  -- The last version that has it; null while the current one does.
  to_version       smallint,
  primary key (announcement_id, file_id),
  check (to_version >= from_version)
);
create index on announcement_file (file_id);

-- A person is in where an included row matches and no excluded one does.
create table announcement_audience (
  id                   integer generated always as identity primary key,
  announcement_id      integer not null references announcement on delete cascade,
  is_excluded          boolean not null default false,
  kind                 text not null check (kind in ('Everyone', 'All staff', 'Department', 'Staff category', 'Designation',
    'Staff member', 'All guardians', 'Grade', 'Section', 'House', 'Student category', 'Tag', 'Guardian', 'Student')),
  -- The teachers of these students see it in the feed.
  also_teachers        boolean not null default false,
  department_id        integer references academic_department,
  staff_category_id    integer references hris_staff_category,
  designation_id       integer references academic_designation,
  staff_id             integer references staff,
  grade_id             integer references academic_grade,
  section_id           integer references academic_section,
  house_id             integer references academic_house,
  student_category_id  integer references academic_lookup,
  tag_id               integer references configuration_tag,
  guardian_id          integer references guardian,
  student_id           integer references student,
  check ((kind = 'Department') = (department_id is not null)),
  check ((kind = 'Staff category') = (staff_category_id is not null)),
  check ((kind = 'Designation') = (designation_id is not null)),
  check ((kind = 'Staff member') = (staff_id is not null)),
  check ((kind = 'Grade') = (grade_id is not null)),
  check ((kind = 'Section') = (section_id is not null)),
  check ((kind = 'House') = (house_id is not null)),
  check ((kind = 'Student category') = (student_category_id is not null)),
  check ((kind = 'Tag') = (tag_id is not null)),
  check ((kind = 'Guardian') = (guardian_id is not null)),
  check ((kind = 'Student') = (student_id is not null)),
  constraint announcement_audience_nobody check (not (is_excluded and kind = 'Everyone')),
  check (not also_teachers or (not is_excluded and kind in ('Grade', 'Section', 'House', 'Student category', 'Tag', 'Student'))),
  constraint announcement_audience_once unique nulls not distinct (announcement_id, is_excluded, kind, department_id,
    staff_category_id, designation_id, staff_id, grade_id, section_id, house_id, student_category_id, tag_id, guardian_id, student_id)
);
create index on announcement_audience (department_id) where department_id is not null;
create index on announcement_audience (staff_category_id) where staff_category_id is not null;
create index on announcement_audience (designation_id) where designation_id is not null;
create index on announcement_audience (staff_id) where staff_id is not null;
create index on announcement_audience (grade_id) where grade_id is not null;
create index on announcement_audience (section_id) where section_id is not null;
create index on announcement_audience (house_id) where house_id is not null;
create index on announcement_audience (student_category_id) where student_category_id is not null;
create index on announcement_audience (tag_id) where tag_id is not null;
create index on announcement_audience (guardian_id) where guardian_id is not null;
create index on announcement_audience (student_id) where student_id is not null;

-- Whether a row means a child and its guardian.
create function announcement_means_pair(target announcement_audience, guardian integer, child integer, grade integer,
  section integer, house integer, category integer) returns boolean language sql stable as $$
  select case target.kind
    when 'Everyone' then true
    when 'All guardians' then true
    when 'Grade' then target.grade_id = grade
    when 'Section' then target.section_id = section
    when 'House' then target.house_id = house
    when 'Student category' then target.student_category_id = category
    when 'Guardian' then target.guardian_id = guardian
    when 'Student' then target.student_id = child
    when 'Tag' then exists (select from tag_link link where link.entity_type = 'Student' and link.entity_id = child
      and link.tag_id = target.tag_id)
    else false end
$$;

-- The guardians that an announcement is for on a day, each with the children it concerns. A barred or deceased adult and a
-- contact are never among them.
create function announcement_pairs(announcement integer, day date) returns table (guardian_id integer, student_id integer)
language sql stable as $$
  select link.guardian_id, link.student_id
  from announcement notice
  cross join student_on($2) here
  join student child on child.id = here.student_id
  join student_guardian link on link.student_id = here.student_id and link.role <> 'Contact' and not link.is_barred
  join guardian adult on adult.id = link.guardian_id and not adult.is_deceased
  where notice.id = $1 and (notice.branch_id is null or here.branch_id = notice.branch_id)
    and exists (select from announcement_audience target where target.announcement_id = notice.id and not target.is_excluded
      and announcement_means_pair(target, link.guardian_id, child.id, here.grade_id, here.section_id, child.house_id, child.category_id))
    and not exists (select from announcement_audience target where target.announcement_id = notice.id and target.is_excluded
      and announcement_means_pair(target, link.guardian_id, child.id, here.grade_id, here.section_id, child.house_id, child.category_id))
$$;

-- Whether a row means the teachers of a section.
create function announcement_means_section(target announcement_audience, section integer, grade integer, day date)
returns boolean language sql stable as $$
  select target.also_teachers and case target.kind
    when 'Grade' then target.grade_id = grade
    when 'Section' then target.section_id = section
    else exists (select from student_on(day) here join student child on child.id = here.student_id
      where here.section_id = section
        and announcement_means_pair(target, null, child.id, here.grade_id, here.section_id, child.house_id, child.category_id))
    end
$$;

-- The staff that an announcement is for on a day: people who work here, and where a row says so the teachers of its students.
create function announcement_staff(announcement integer, day date) returns table (staff_id integer) language sql stable as $$
  select person.id
  from announcement notice
  cross join staff person
  left join staff_post post on post.staff_id = person.id
    and $2 between post.effective_from and coalesce(post.effective_to, 'infinity')
  where notice.id = $1
    and exists (select from staff_employment spell where spell.staff_id = person.id
      and $2 between spell.joined_on and coalesce(spell.last_day, 'infinity'))
    and (notice.branch_id is null or post.branch_id = notice.branch_id or exists (
      select from academic_section_teacher own where own.staff_id = person.id and own.branch_id = notice.branch_id
        and $2 between own.effective_from and coalesce(own.effective_to, 'infinity')))
    and exists (select from announcement_audience target where target.announcement_id = notice.id and not target.is_excluded
      and (target.kind in ('Everyone', 'All staff') or target.department_id = post.department_id
        or target.staff_category_id = post.staff_category_id or target.designation_id = post.designation_id
        or target.staff_id = person.id
        or (target.also_teachers and exists (select from academic_section_teacher own
          join academic_year year on year.id = own.academic_year_id
          where own.staff_id = person.id and $2 between own.effective_from and coalesce(own.effective_to, year.ends_on)
            and (notice.branch_id is null or own.branch_id = notice.branch_id)
            and announcement_means_section(target, own.section_id, own.grade_id, $2)))))
    and not exists (select from announcement_audience target where target.announcement_id = notice.id and target.is_excluded
      and (target.kind = 'All staff' or target.department_id = post.department_id
        or target.staff_category_id = post.staff_category_id or target.designation_id = post.designation_id
        or target.staff_id = person.id))
$$;

-- The people it was released to, and those that were added or came later.
create table announcement_recipient (
  id               integer generated always as identity primary key,
  announcement_id  integer not null references announcement,
  guardian_id      integer references guardian,
  staff_id         integer references staff,
  joined_later     boolean not null default false,
  removed_at       timestamptz,
  check (num_nonnulls(guardian_id, staff_id) = 1),
  unique (announcement_id, guardian_id),
  unique (announcement_id, staff_id)
);
create index on announcement_recipient (guardian_id) where guardian_id is not null;
create index on announcement_recipient (staff_id) where staff_id is not null;
create table announcement_recipient_child (
  recipient_id  integer not null references announcement_recipient on delete cascade,
  student_id    integer not null references student,
  primary key (recipient_id, student_id)
);
create index on announcement_recipient_child (student_id);

-- Proof of reading, for each version for ever.
create table announcement_receipt (
  id               integer generated always as identity primary key,
  announcement_id  integer not null,
  version          smallint not null,
  kind             text not null check (kind in ('Seen', 'Acknowledged')),
  guardian_id      integer references guardian,
  staff_id         integer references staff,
  at               timestamptz not null,
  via              text not null check (via in ('Feed', 'Family page')),
  foreign key (announcement_id, version) references announcement_version (announcement_id, number),
  check (num_nonnulls(guardian_id, staff_id) = 1),
  unique nulls not distinct (announcement_id, version, kind, guardian_id, staff_id)
);
create index on announcement_receipt (guardian_id) where guardian_id is not null;
create index on announcement_receipt (staff_id) where staff_id is not null;

create table announcement_round (
  announcement_id  integer not null references announcement,
  number           smallint not null check (number > 0),
  kind             text not null check (kind in ('Publish', 'Added', 'New version', 'Reminder')),
  version          smallint not null,
  -- Null where no guardian gets a message.
  run_id           integer references run,
  started_by       integer references staff,
  started_at       timestamptz not null,
  primary key (announcement_id, number)
);
create index on announcement_round (run_id);
create index on announcement_round (started_by);

-- One message to a guardian in a round; the outbox has it as 'announcement ' and this id.
create table announcement_delivery (
  id               integer generated always as identity primary key,
  announcement_id  integer not null,
  round            smallint not null,
  guardian_id      integer not null references guardian,
  channel          text not null check (channel in ('email', 'sms')),
  unique (announcement_id, round, guardian_id, channel),
  foreign key (announcement_id, round) references announcement_round
);
create index on announcement_delivery (guardian_id);

alter table approval add column announcement_id integer references announcement;
create unique index approval_announcement on approval (announcement_id) where status = 'Pending';
create index on approval (announcement_id);
do $$
declare
  known text := (select pg_get_expr(conbin, conrelid) from pg_constraint
    where conname = 'approval_kind' and conrelid = 'approval'::regclass);
begin
  alter table approval drop constraint approval_kind;
  execute format('alter table approval add constraint approval_kind check (%s or kind = ''announcement.publish'')', known);
end $$;
alter table approval add constraint approval_subject_announcement
  check ((kind = 'announcement.publish') = (announcement_id is not null));

grant select, insert, update, delete on announcement, announcement_audience, announcement_file, announcement_recipient,
  announcement_recipient_child to shala_app;
grant select, insert, update on announcement_version, announcement_round to shala_app;
grant delete on announcement_version to shala_app;
grant select, insert on announcement_receipt, announcement_delivery to shala_app;
