-- Homework: its content, and its delivery to each section. The children of a delivery follow from dates.

create table homework (
  id                integer generated always as identity primary key,
  academic_year_id  integer not null references academic_year,
  subject_id        integer not null references configuration_subject,
  owner_id          integer not null references staff,
  title             text not null check (length(title) between 1 and 120),
  instructions      text not null default '' check (length(instructions) <= 4000),
  kind              text not null check (kind in ('Written', 'Reading', 'Project', 'Practice', 'Revision', 'Activity')),
  minutes           smallint not null check (minutes between 5 and 240),
  max_marks         numeric(4, 1) check (max_marks > 0 and max_marks * 2 = trunc(max_marks * 2)),
  -- The family page has marks and feedback.
  shows_feedback    boolean not null default true,
  version           integer not null default 1,
  constraint homework_place unique (id, academic_year_id, subject_id)
);
create index on homework (academic_year_id);
create index on homework (subject_id);
create index on homework (owner_id);

create table homework_link (
  homework_id  integer not null references homework on delete cascade,
  position     smallint not null check (position between 1 and 5),
  address      text not null check (address ~ '^https://' and length(address) <= 500),
  primary key (homework_id, position),
  unique (homework_id, address)
);

create table homework_file (
  homework_id  integer not null references homework on delete cascade,
  file_id      uuid not null references file,
  primary key (homework_id, file_id)
);
create index on homework_file (file_id);

create table homework_skill (
  homework_id  integer not null references homework on delete cascade,
  skill_id     integer not null references configuration_skill,
  primary key (homework_id, skill_id)
);
create index on homework_skill (skill_id);

create table homework_section (
  id                integer generated always as identity primary key,
  homework_id       integer not null,
  academic_year_id  integer not null,
  branch_id         integer not null,
  program_id        integer not null,
  grade_id          integer not null,
  section_id        integer not null,
  subject_id        integer not null,
  -- The day on which it is published; of a draft the day on which it was last saved.
  assigned_on       date not null,
  due_on            date not null,
  late_until        date,
  is_for_all        boolean not null default true,
  state             text not null default 'Draft' check (state in ('Draft', 'Published', 'Closed', 'Cancelled')),
  -- Later than now: scheduled.
  publish_at        timestamptz,
  -- Who published it, and may give this subject to this section.
  given_by          integer references staff,
  -- The day of the families' digest with its present news.
  digest_on         date,
  news              text check (news in ('New', 'Changed', 'Cancelled')),
  over_reason       text not null default '' check (length(over_reason) <= 200),
  cancelled_reason  text not null default '' check (length(cancelled_reason) <= 200),
  closed_at         timestamptz,
  version           integer not null default 1,
  constraint homework_section_once unique (homework_id, section_id),
  constraint homework_section_due check (due_on >= assigned_on),
  constraint homework_section_late check (late_until >= due_on),
  check ((state = 'Draft') = (publish_at is null)),
  check ((publish_at is null) = (given_by is null)),
  check ((publish_at is null) = (news is null)),
  check ((state = 'Closed') = (closed_at is not null)),
  check ((state = 'Cancelled') = (cancelled_reason <> '')),
  constraint homework_section_year unique (id, academic_year_id),
  constraint homework_section_of_homework foreign key (homework_id, academic_year_id, subject_id)
    references homework (id, academic_year_id, subject_id) on delete cascade,
  constraint homework_section_of_section foreign key (section_id, academic_year_id, branch_id, program_id, grade_id)
    references academic_section (id, academic_year_id, branch_id, program_id, grade_id),
  constraint homework_section_is_taught foreign key (academic_year_id, program_id, grade_id, subject_id)
    references configuration_grade_subject (academic_year_id, program_id, grade_id, subject_id)
);
create index on homework_section (section_id, due_on);
create index on homework_section (section_id, assigned_on);
create index on homework_section (academic_year_id, due_on, id);
create index on homework_section (academic_year_id, program_id, grade_id, subject_id);
create index on homework_section (due_on, id);
create index on homework_section (given_by);
create index on homework_section (publish_at) where digest_on is null and state <> 'Draft';

create table homework_chosen (
  homework_section_id  integer not null references homework_section on delete cascade,
  student_id           integer not null references student,
  primary key (homework_section_id, student_id)
);
create index on homework_chosen (student_id);

-- More time for one child. A later due day of all replaces it.
create table homework_extension (
  homework_section_id  integer not null references homework_section on delete cascade,
  student_id           integer not null references student,
  due_on               date not null,
  reason               text not null check (length(reason) between 1 and 200),
  staff_id             integer not null references staff,
  given_at             timestamptz not null,
  primary key (homework_section_id, student_id)
);
create index on homework_extension (student_id);
create index on homework_extension (staff_id);

create table homework_result (
  homework_section_id  integer not null,
  student_id           integer not null references student,
  academic_year_id     integer not null,
  result               text not null check (result in ('Submitted', 'Not done', 'Incomplete', 'Excused')),
  handed_in_on         date,
  marks                numeric(4, 1) check (marks >= 0 and marks * 2 = trunc(marks * 2)),
  feedback             text not null default '' check (length(feedback) <= 500),
  checked_by           integer not null references staff,
  checked_at           timestamptz not null,
  version              integer not null default 1,
  primary key (homework_section_id, student_id),
  constraint homework_result_handed_in check ((result in ('Submitted', 'Incomplete')) = (handed_in_on is not null)),
  constraint homework_result_of_section foreign key (homework_section_id, academic_year_id)
    references homework_section (id, academic_year_id)
);
create index on homework_result (student_id, homework_section_id);
create index on homework_result (checked_by);

do $$
declare
  name text;
begin
  foreach name in array array['homework', 'homework_section', 'homework_result'] loop
    execute format('create trigger closed_year after insert on %I referencing new table as changed
      for each statement execute function academic_refuse_closed_years()', name);
    execute format('create trigger closed_year_still after update on %I referencing old table as before new table as changed
      for each statement execute function academic_refuse_closed_years()', name);
    execute format('create trigger closed_year_gone after delete on %I referencing old table as before
      for each statement execute function academic_refuse_closed_years()', name);
  end loop;
end $$;

-- Subject teachers give their subject; class teachers of the section one that it has no teacher for.
create function homework_may_give(section integer, subject integer, staff integer, day date) returns boolean
language sql stable as $$
  select exists (
    select from academic_section_teacher own
    where own.section_id = $1 and own.staff_id = $3 and $4 between own.effective_from and coalesce(own.effective_to, 'infinity')
      and (own.subject_id = $2 or own.subject_id is null and not exists (
        select from academic_section_teacher other where other.section_id = $1 and other.subject_id = $2
          and $4 between other.effective_from and coalesce(other.effective_to, 'infinity'))))
$$;

-- Of what is published the giver is mapped on that day; the days lie in the year, and a due day that is set has school.
create function homework_keep_rules() returns trigger language plpgsql as $$
declare
  year academic_year;
begin
  select * into year from academic_year where id = new.academic_year_id;
  if new.assigned_on < year.starts_on or coalesce(new.late_until, new.due_on) > year.ends_on then
    raise exception 'outside the year' using errcode = '23514', constraint = 'homework_section_inside_year';
  end if;
  if (tg_op = 'INSERT' or new.due_on <> old.due_on) and not exists (
      select from academic_school_days(new.academic_year_id, new.due_on, new.due_on) as days
      where days.grade_id = new.grade_id and days.work > 0) then
    raise exception 'no school on the due day' using errcode = '23514', constraint = 'homework_section_school_day';
  end if;
  if new.state = 'Published' and (tg_op = 'INSERT' or old.state = 'Draft')
      and not homework_may_give(new.section_id, new.subject_id, new.given_by, new.assigned_on) then
    raise exception 'not mapped' using errcode = '23514', constraint = 'homework_section_mapped';
  end if;
  return null;
end $$;
create trigger rules after insert or update on homework_section for each row execute function homework_keep_rules();

create function homework_keep_result() returns trigger language plpgsql as $$
declare
  given record;
begin
  select own.assigned_on, content.max_marks into given
    from homework_section own join homework content on content.id = own.homework_id where own.id = new.homework_section_id;
  if new.handed_in_on < given.assigned_on then
    raise exception 'before it was given' using errcode = '23514', constraint = 'homework_result_before';
  end if;
  if new.marks is not null and (given.max_marks is null or new.marks > given.max_marks) then
    raise exception 'more marks than there are' using errcode = '23514', constraint = 'homework_result_most';
  end if;
  return null;
end $$;
create trigger rules after insert or update on homework_result for each row execute function homework_keep_result();

create function homework_keep_extension() returns trigger language plpgsql as $$
begin
  if new.due_on <= (select due_on from homework_section where id = new.homework_section_id) then
    raise exception 'no more time' using errcode = '23514', constraint = 'homework_extension_longer';
  end if;
  return null;
end $$;
create trigger rules after insert or update of due_on on homework_extension
  for each row execute function homework_keep_extension();

-- The children of deliveries. Given: in the section on the day it was assigned, and chosen where it is for chosen children;
-- of an elective those who take it. A child of a stored result alone is on the list no longer.
create function homework_roster(deliveries integer[])
  returns table (homework_section_id integer, student_id integer, standing text) language sql stable as $$
  with own as materialized (
    select given.id, given.section_id, given.assigned_on, given.due_on, given.is_for_all, given.subject_id, taught.is_compulsory
    from homework_section given
    join configuration_grade_subject taught on taught.academic_year_id = given.academic_year_id
      and taught.program_id = given.program_id and taught.grade_id = given.grade_id and taught.subject_id = given.subject_id
    where given.id = any ($1)),
  placed as (
    select own.id, place.student_id, case
        when not bool_or(own.assigned_on between place.effective_from and coalesce(place.effective_to, 'infinity')) then 'Joined later'
        when not bool_or(own.due_on between place.effective_from and coalesce(place.effective_to, 'infinity')) then 'Left the section'
        else 'Given' end as standing
    from own
    join student_section place on place.section_id = own.section_id and place.effective_from <= own.due_on
      and coalesce(place.effective_to, 'infinity') >= own.assigned_on
    where own.is_compulsory or exists (select from student_subject taken
      where taken.enrollment_id = place.enrollment_id and taken.subject_id = own.subject_id)
    group by own.id, place.student_id)
  select placed.id, placed.student_id, placed.standing from placed join own on own.id = placed.id
  where own.is_for_all or exists (select from homework_chosen chosen
    where chosen.homework_section_id = placed.id and chosen.student_id = placed.student_id)
  union all
  select result.homework_section_id, result.student_id, 'Not on the list' from homework_result result
  join own on own.id = result.homework_section_id
  where not exists (select from placed where placed.id = own.id and placed.student_id = result.student_id
    and (own.is_for_all or exists (select from homework_chosen chosen
      where chosen.homework_section_id = own.id and chosen.student_id = result.student_id)))
$$;

-- What became of a child's homework. `due` is the child's own due day.
create function homework_status(result text, handed_in date, due date, standing text, state text, today date)
  returns text language sql immutable parallel safe as $$
  select case
    when $1 = 'Submitted' and $2 > $3 then 'Late'
    when $1 is not null then $1
    when $4 in ('Joined later', 'Left the section') then 'Excused'
    when $5 in ('Closed', 'Cancelled') then 'Not checked'
    when $6 > $3 then 'Missing'
    else 'Pending' end
$$;

grant select, insert, update, delete on homework, homework_link, homework_file, homework_skill, homework_section,
  homework_chosen, homework_extension, homework_result to shala_app;
