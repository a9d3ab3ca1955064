-- Registers of sections, marks of children and their percentages (docs/decisions/0137-registers.md).

create table attendance_code (
  id                integer generated always as identity primary key,
  code              text not null check (length(code) between 1 and 3),
  key               text not null check (key ~ '^[A-Z]$'),
  name              text not null check (length(name) between 1 and 40),
  kind              text not null check (kind in ('Present', 'Absent', 'Leave', 'Late', 'Half day', 'On duty')),
  -- Half days of presence in a whole day.
  value             smallint not null check (value between 0 and 2),
  counts_in_total   boolean not null default false,
  needs_time        boolean not null default false,
  teacher_may_use   boolean not null default false,
  is_active         boolean not null default true,
  position          integer not null unique deferrable initially deferred,
  version           integer not null default 1
);
create unique index attendance_code_code_unique on attendance_code (lower(code));
create unique index attendance_code_one_key on attendance_code (key) where is_active;
grant select, insert, update, delete on attendance_code to shala_app;
insert into attendance_code (code, key, name, kind, value, counts_in_total, needs_time, teacher_may_use, position) values
  ('P', 'P', 'Present', 'Present', 2, true, false, true, 1),
  ('A', 'A', 'Absent', 'Absent', 0, true, false, true, 2),
  ('L', 'L', 'Late', 'Late', 2, true, true, true, 3),
  ('HD', 'H', 'Half day', 'Half day', 1, true, false, true, 4),
  ('LV', 'V', 'Leave', 'Leave', 0, true, false, true, 5),
  ('ML', 'M', 'Medical leave', 'Leave', 0, true, false, true, 6),
  ('OD', 'D', 'On duty', 'On duty', 2, true, false, true, 7);

-- A submitted register of a section, a day and a slot. Until it is submitted there is no row.
create table attendance_register (
  id                integer generated always as identity primary key,
  academic_year_id  integer not null,
  branch_id         integer not null,
  program_id        integer not null,
  grade_id          integer not null,
  section_id        integer not null,
  day               date not null,
  slot              text not null default 'Full day' check (slot in ('Full day', 'Morning', 'Afternoon')),
  half              smallint not null generated always as (case slot when 'Afternoon' then 2 else 1 end) stored,
  -- Its share of the day in half days, from the calendar; only triggers write it.
  weight            smallint not null default 0 check (weight between 0 and 2),
  taken_by          integer references staff,
  taken_at          timestamptz not null,
  locks_at          timestamptz not null,
  created_at        timestamptz not null default now(),
  version           integer not null default 1,
  constraint attendance_register_of_section foreign key (section_id, academic_year_id, branch_id, program_id, grade_id)
    references academic_section (id, academic_year_id, branch_id, program_id, grade_id),
  constraint attendance_register_once unique (section_id, day, half),
  constraint attendance_register_slot unique (id, academic_year_id, day, half)
);
-- A section has one register for the whole day or one for each half.
create unique index attendance_register_one_kind on attendance_register (section_id, day) where slot <> 'Morning';
create index on attendance_register (academic_year_id, day);
create index on attendance_register (taken_by);
-- The columns of place are determined by the section; weight and the time of creation have no grant.
grant select on attendance_register to shala_app;
grant insert (academic_year_id, branch_id, program_id, grade_id, section_id, day, slot, taken_by, taken_at, locks_at),
  update (taken_by, taken_at, locks_at, version) on attendance_register to shala_app;

create table attendance_mark (
  register_id       integer not null,
  student_id        integer not null references student,
  academic_year_id  integer not null,
  day               date not null,
  half              smallint not null,
  code_id           integer not null references attendance_code,
  arrived_at        time,
  primary key (register_id, student_id),
  constraint attendance_mark_of_register foreign key (register_id, academic_year_id, day, half)
    references attendance_register (id, academic_year_id, day, half),
  -- One mark of a child for each half, in whichever section.
  constraint attendance_mark_once unique (academic_year_id, student_id, day, half)
);
create index on attendance_mark using brin (day);
create index on attendance_mark (code_id);
alter table attendance_mark set (autovacuum_vacuum_insert_scale_factor = 0.02);
grant select, insert, update (code_id, arrived_at) on attendance_mark to shala_app;

-- Children who arrive late and are entered at the gate, whether or not the register is taken.
create table attendance_gate (
  academic_year_id  integer not null references academic_year,
  student_id        integer not null references student,
  day               date not null,
  arrived_at        time not null,
  entered_by        integer not null references staff,
  entered_at        timestamptz not null,
  primary key (student_id, day)
);
create index on attendance_gate (academic_year_id, day);
create index on attendance_gate (entered_by);
grant select, insert, update (arrived_at, entered_by, entered_at) on attendance_gate to shala_app;

-- A locked mark changes only by an approved correction. Both values stay; no row is changed once it has its outcome.
create table attendance_correction (
  id                integer generated always as identity primary key,
  register_id       integer not null references attendance_register,
  student_id        integer not null references student,
  -- Null where the child had no mark.
  old_code_id       integer references attendance_code,
  old_arrived_at    time,
  new_code_id       integer not null references attendance_code,
  new_arrived_at    time,
  reason            text not null check (length(reason) between 1 and 300),
  outcome           text check (outcome in ('Approved', 'Rejected', 'Withdrawn')),
  applied_at        timestamptz,
  constraint attendance_correction_applied check ((outcome is not distinct from 'Approved') = (applied_at is not null))
);
create unique index attendance_correction_open on attendance_correction (register_id, student_id) where outcome is null;
create index on attendance_correction (student_id);
create index on attendance_correction (old_code_id);
create index on attendance_correction (new_code_id);
grant select, insert, update (outcome, applied_at) on attendance_correction to shala_app;

create function attendance_keep_corrections() returns trigger language plpgsql as $$
begin
  if old.outcome is not null then
    raise exception 'the correction is decided' using errcode = '23514', constraint = 'attendance_correction_decided';
  end if;
  return new;
end $$;
create trigger decided before update on attendance_correction
  for each row execute function attendance_keep_corrections();

do $$
declare
  name text;
begin
  foreach name in array array['attendance_register', 'attendance_mark', 'attendance_gate'] loop
    execute format('create trigger closed_year after insert on %I referencing new table as changed
      for each statement execute function academic_refuse_closed_years()', name);
    execute format('create trigger closed_year_still after update on %I referencing old table as before new table as changed
      for each statement execute function academic_refuse_closed_years()', name);
    execute format('create trigger closed_year_gone after delete on %I referencing old table as before
      for each statement execute function academic_refuse_closed_years()', name);
  end loop;
end $$;

-- What a code means stays as it was when it was first used, or last year's percentages would change.
create function attendance_keep_codes() returns trigger language plpgsql as $$
begin
  if (old.code, old.kind, old.value, old.counts_in_total, old.needs_time)
      is distinct from (new.code, new.kind, new.value, new.counts_in_total, new.needs_time)
      and exists (select from attendance_mark where code_id = old.id) then
    raise exception 'the code is in use' using errcode = '23514', constraint = 'attendance_code_used';
  end if;
  return new;
end $$;
create trigger used before update on attendance_code for each row execute function attendance_keep_codes();

-- A half day has one slot, so an afternoon of it has no weight.
create function attendance_weight(slot text, work smallint) returns smallint language sql immutable as $$
  select case slot when 'Full day' then work when 'Morning' then least(work, 1) else greatest(work - 1, 0) end::smallint
$$;

-- When a register of a day locks: at this hour of the grade's next working day, or three days later if the year has none.
create function attendance_locks_at(of_year integer, of_grade integer, of_day date, hour integer)
  returns timestamptz language sql stable as $$
  select (coalesce(
      (select min(days.day) from academic_school_days($1, $3 + 1, $3 + 14) as days where days.grade_id = $2 and days.work > 0),
      (select min(days.day) from academic_school_days($1, $3 + 15, $3 + 366) as days where days.grade_id = $2 and days.work > 0),
      $3 + 3) + make_interval(hours => $4)) at time zone 'Asia/Kolkata'
$$;

create function attendance_begin_register() returns trigger language plpgsql as $$
declare
  work smallint;
begin
  if new.day > (now() at time zone 'Asia/Kolkata')::date then
    raise exception 'the day is to come' using errcode = '23514', constraint = 'attendance_register_future';
  end if;
  select days.work into work from academic_school_days(new.academic_year_id, new.day, new.day) as days
    where days.grade_id = new.grade_id;
  new.weight := attendance_weight(new.slot, coalesce(work, 0::smallint));
  if new.weight = 0 then
    raise exception 'no school on that day' using errcode = '23514', constraint = 'attendance_register_no_school';
  end if;
  return new;
end $$;
create trigger begin_register before insert on attendance_register
  for each row execute function attendance_begin_register();

-- The lock only comes nearer, except when the calendar changes.
create function attendance_keep_lock() returns trigger language plpgsql as $$
begin
  if new.locks_at > old.locks_at and pg_trigger_depth() = 1 then
    raise exception 'the lock only comes nearer' using errcode = '23514', constraint = 'attendance_register_lock';
  end if;
  return new;
end $$;
create trigger keep_lock before update of locks_at on attendance_register
  for each row execute function attendance_keep_lock();

-- A change of the calendar weighs the registers of its days again, and moves locks that are to come. It needs rights that the
-- application lacks.
create function attendance_weigh(of_year integer, touched date[]) returns void
  language plpgsql security definer set search_path = public as $$
begin
  update attendance_register register set weight = attendance_weight(register.slot, days.work)
    from (select min(day) as first, max(day) as last from unnest(touched) as day) as span
    cross join lateral academic_school_days(of_year, span.first, span.last) as days
    where register.academic_year_id = of_year and register.day = any (touched)
      and days.grade_id = register.grade_id and days.day = register.day
      and register.weight <> attendance_weight(register.slot, days.work);
  update attendance_register register
    set locks_at = attendance_locks_at(of_year, grade_id, day,
      extract(hour from locks_at at time zone 'Asia/Kolkata')::integer)
    where academic_year_id = of_year and locks_at > now();
end $$;
revoke execute on function attendance_weigh(integer, date[]) from public;

create function attendance_follow_calendar() returns trigger language plpgsql security definer set search_path = public as $$
declare
  of_year integer;
begin
  if tg_table_name = 'academic_calendar' then
    perform attendance_weigh(new.academic_year_id,
      array(select distinct day from attendance_register where academic_year_id = new.academic_year_id));
    return null;
  end if;
  if tg_op = 'INSERT' then
    for of_year in select distinct academic_year_id from changed loop
      perform attendance_weigh(of_year, array(select day from changed where academic_year_id = of_year));
    end loop;
  elsif tg_op = 'DELETE' then
    for of_year in select distinct academic_year_id from before loop
      perform attendance_weigh(of_year, array(select day from before where academic_year_id = of_year));
    end loop;
  else
    for of_year in select academic_year_id from changed union select academic_year_id from before loop
      perform attendance_weigh(of_year, array(select day from changed where academic_year_id = of_year
        union select day from before where academic_year_id = of_year));
    end loop;
  end if;
  return null;
end $$;
revoke execute on function attendance_follow_calendar() from public;
create trigger registers after insert or update on academic_calendar
  for each row execute function attendance_follow_calendar();
create trigger registers after insert on academic_calendar_day
  referencing new table as changed for each statement execute function attendance_follow_calendar();
create trigger registers_still after update on academic_calendar_day
  referencing old table as before new table as changed for each statement execute function attendance_follow_calendar();
create trigger registers_gone after delete on academic_calendar_day
  referencing old table as before for each statement execute function attendance_follow_calendar();

-- A year keeps the days of its registers.
create function attendance_keep_year() returns trigger language plpgsql as $$
begin
  if exists (select from attendance_register where academic_year_id = new.id and day not between new.starts_on and new.ends_on) then
    raise exception 'a register would be outside the year' using errcode = '23514', constraint = 'attendance_register_in_year';
  end if;
  return null;
end $$;
create trigger registers_inside after update of starts_on, ends_on on academic_year
  for each row execute function attendance_keep_year();

-- Marks are of children of the section on that day, never of a whole day and its afternoon, and fixed once the register locks.
create function attendance_keep_marks() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  refused text;
begin
  if tg_op = 'INSERT' then
    -- A transfer of one of these children waits, or is seen.
    perform 1 from student_enrollment enrollment
      where enrollment.student_id in (select student_id from changed)
        and enrollment.academic_year_id in (select academic_year_id from changed)
      order by enrollment.id for no key update;
    if exists (
        select from changed mark
        join attendance_register register on register.id = mark.register_id
        where not exists (
          select from student_section own
          join student_enrollment enrollment on enrollment.id = own.enrollment_id and enrollment.status <> 'Cancelled'
          where own.section_id = register.section_id and own.student_id = mark.student_id
            and mark.day between own.effective_from and coalesce(own.effective_to, 'infinity'))) then
      refused := 'attendance_mark_placed';
    elsif exists (
        select from changed mark
        join attendance_mark other on other.academic_year_id = mark.academic_year_id and other.student_id = mark.student_id
          and other.day = mark.day and other.half <> mark.half
        join attendance_register whole on whole.id in (mark.register_id, other.register_id) and whole.slot = 'Full day') then
      refused := 'attendance_mark_once';
    elsif exists (
        select from changed mark
        join attendance_register register on register.id = mark.register_id
        where now() >= register.locks_at and register.created_at <> now() and not exists (
          select from attendance_correction correction
          where correction.register_id = mark.register_id and correction.student_id = mark.student_id
            and correction.new_code_id = mark.code_id and correction.applied_at = now())) then
      refused := 'attendance_mark_locked';
    end if;
  elsif exists (
      select from changed mark
      join before earlier on earlier.register_id = mark.register_id and earlier.student_id = mark.student_id
      join attendance_register register on register.id = mark.register_id
      where (earlier.code_id, earlier.arrived_at) is distinct from (mark.code_id, mark.arrived_at)
        and now() >= register.locks_at and register.created_at <> now() and not exists (
          select from attendance_correction correction
          where correction.register_id = mark.register_id and correction.student_id = mark.student_id
            and correction.new_code_id = mark.code_id and correction.applied_at = now())) then
    refused := 'attendance_mark_locked';
  end if;
  if refused is not null then
    raise exception 'a mark is refused: %', refused using errcode = '23514', constraint = refused;
  end if;
  return null;
end $$;
create trigger kept after insert on attendance_mark
  referencing new table as changed for each statement execute function attendance_keep_marks();
create trigger kept_still after update on attendance_mark
  referencing old table as before new table as changed for each statement execute function attendance_keep_marks();

-- Undoes the first submission of a register that is neither locked nor changed since. The application deletes no mark itself.
create function attendance_undo(of_register integer, of_version integer) returns boolean
  language plpgsql security definer set search_path = public as $$
begin
  perform from attendance_register where id = of_register and version = of_version and version = 1 and now() < locks_at
    and not exists (select from attendance_correction where register_id = of_register) for update;
  if not found then return false; end if;
  delete from attendance_mark where register_id = of_register;
  delete from attendance_register where id = of_register;
  return true;
end $$;
revoke execute on function attendance_undo(integer, integer) from public;
grant execute on function attendance_undo(integer, integer) to shala_app;

-- The marks that count, with their presence and their share of the year, in quarters of a day. Marks of days on which the child
-- is not enrolled do not count, and count again when leaving is undone.
create view attendance_counted as
  select mark.academic_year_id, mark.student_id, register.branch_id, register.grade_id, register.section_id, mark.day, mark.half,
    code.kind, register.weight * 2 as share, register.weight * code.value as worth
  from attendance_mark mark
  join attendance_register register on register.id = mark.register_id
  join attendance_code code on code.id = mark.code_id
  where register.weight > 0 and code.counts_in_total and exists (
    select from student_enrollment enrollment
    where enrollment.student_id = mark.student_id and enrollment.academic_year_id = mark.academic_year_id
      and enrollment.status <> 'Cancelled'
      and mark.day between enrollment.joined_on and coalesce(enrollment.left_on, 'infinity'));
grant select on attendance_counted to shala_app;

-- The only division: per mille, half up; null if nothing was taken.
create function attendance_per_mille(worth bigint, share bigint) returns integer language sql immutable as $$
  select case when share > 0 then ((2000 * worth + share) / (2 * share))::integer end
$$;

-- The totals of children between two days, in quarters of a day. Children without a counted mark have no row.
create function attendance_totals(students integer[], of_year integer, first date, last date) returns table (
  student_id integer, worth bigint, share bigint, per_mille integer,
  present bigint, absent bigint, late bigint, half_day bigint, leave bigint, on_duty bigint
) language sql stable as $$
  select counted.student_id, sum(counted.worth)::bigint, sum(counted.share)::bigint,
    attendance_per_mille(sum(counted.worth)::bigint, sum(counted.share)::bigint),
    coalesce(sum(counted.share) filter (where counted.kind = 'Present'), 0)::bigint,
    coalesce(sum(counted.share) filter (where counted.kind = 'Absent'), 0)::bigint,
    coalesce(sum(counted.share) filter (where counted.kind = 'Late'), 0)::bigint,
    coalesce(sum(counted.share) filter (where counted.kind = 'Half day'), 0)::bigint,
    coalesce(sum(counted.share) filter (where counted.kind = 'Leave'), 0)::bigint,
    coalesce(sum(counted.share) filter (where counted.kind = 'On duty'), 0)::bigint
  from attendance_counted counted
  where counted.academic_year_id = $2 and counted.student_id = any ($1) and counted.day between $3 and $4
  group by counted.student_id
$$;
