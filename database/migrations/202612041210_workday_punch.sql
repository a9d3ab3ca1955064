-- What a shift makes of punches, and what a leave type carries to the next year.
alter table workday_shift
  add column grace_min smallint not null default 0 check (grace_min between 0 and 120),
  add column half_below_min smallint not null default 0 check (half_below_min between 0 and 720);
alter table workday_leave_type
  add column carry_halves smallint not null default 0 check (carry_halves between 0 and 800);

-- The punches of attendance devices. The same file again adds none.
create table workday_punch (
  staff_id   integer not null references staff,
  at         timestamptz not null check (at = date_trunc('minute', at)),
  device     text not null default '' check (length(device) <= 60),
  -- The import that added it, which is kept for some days; 0 while it is being written.
  import_id  integer not null default 0,
  primary key (staff_id, at)
);
create index on workday_punch (import_id);
create index on workday_punch using brin (at);
grant select, insert, delete, update (import_id) on workday_punch to shala_app;

-- As before, with the shift of the day.
drop function workday_on(integer[], date, date);
create function workday_on(people integer[], first date, last date)
  returns table (staff_id integer, day date, first_works boolean, second_works boolean, starts text, ends text, kind text, name text,
    shift_id integer)
  language sql stable as $$
  select person.id, days.day, own.work > 0, own.work > 1,
    coalesce(case when own.weekday = 'Saturday' and shift.saturday_starts <> '' then shift.saturday_starts else shift.starts end, ''),
    coalesce(case when own.weekday = 'Saturday' and shift.saturday_starts <> '' then shift.saturday_ends else shift.ends end, ''),
    days.kind, days.name, shift.id
  from academic_year year
  cross join lateral academic_school_days(year.id, greatest($2, year.starts_on), least($3, year.ends_on)) as days
  cross join unnest($1) as person (id)
  join staff_employment spell on spell.staff_id = person.id
    and days.day between spell.joined_on and coalesce(spell.last_day, 'infinity')
  left join staff_post post on post.staff_id = person.id
    and days.day between post.effective_from and coalesce(post.effective_to, 'infinity')
  left join workday_shift_person given on given.staff_id = person.id
    and days.day between given.effective_from and coalesce(given.effective_to, 'infinity')
  left join workday_shift shift on shift.id = coalesce(given.shift_id,
    (select id from workday_shift one where one.is_active and one.staff_category_id = post.staff_category_id),
    (select id from workday_shift one where one.is_active and one.is_default))
  cross join lateral (select to_char(days.day, 'FMDay') as weekday) as its
  cross join lateral (select its.weekday, case
      when shift.id is not null and not its.weekday = any (shift.weekdays) then 0
      when days.kind in ('Working day', 'Exam day') then 2
      when days.kind = 'Half day' then case when shift.works_half_days then 2 else 1 end
      when days.kind = 'Weekly off' then case when shift.has_own_days_off then 2 else 0 end
      when days.kind = 'Vacation' then case when shift.works_vacation then 2 else 0 end
      else 0 end as work) as own
  where year.starts_on <= $3 and year.ends_on >= $2 and days.grade_id is null
$$;

-- Writes the marks that punches of people make of some days: the first is in, the last is out. Four hours before a shift starts
-- its day begins, so that a night belongs to the day of its start. A mark of the office is kept.
create function workday_derive(people integer[], first date, last date, by_staff integer, at_moment timestamptz) returns void
  language sql as $$
  with days as materialized (
    select own.staff_id, own.day, own.first_works, own.second_works, own.starts, own.shift_id,
      own.day + case when own.starts = '' then interval '0' else own.starts::interval - interval '4 hours' end as begins
    from workday_on($1, $2 - 1, $3 + 2) as own),
  spans as materialized (
    select days.*, lead(days.begins, 1, days.begins + interval '1 day') over (partition by staff_id order by day) as next from days),
  marks as (
    select spans.*, shift.grace_min, shift.half_below_min, punched.came, punched.went,
      exists (select from workday_leave_half half where half.staff_id = spans.staff_id and half.day = spans.day) as has_leave,
      exists (select from workday_leave_half half where half.staff_id = spans.staff_id and half.day = spans.day and half.half = 1) as is_off_first
    from spans
    join lateral (select min(punch.at at time zone 'Asia/Kolkata') as came, max(punch.at at time zone 'Asia/Kolkata') as went
      from workday_punch punch where punch.staff_id = spans.staff_id
        and punch.at >= spans.begins at time zone 'Asia/Kolkata' and punch.at < spans.next at time zone 'Asia/Kolkata') as punched
      on punched.came is not null
    left join workday_shift shift on shift.id = spans.shift_id
    where spans.day between $2 and $3),
  read as (
    select marks.staff_id, marks.day, marks.came::time as in_at,
      case when marks.went > marks.came + interval '1 minute' then marks.went::time end as out_at,
      marks.first_works and not marks.is_off_first and marks.starts <> ''
        and marks.came > marks.day + marks.starts::interval + make_interval(mins => coalesce(marks.grace_min, 0)) as is_late,
      marks.second_works and not marks.has_leave and marks.went > marks.came + interval '1 minute'
        and marks.went - marks.came < make_interval(mins => coalesce(marks.half_below_min, 0)) as is_half
    from marks),
  gone as (
    delete from workday_presence mark
    where mark.staff_id = any ($1) and mark.day between $2 and $3 and mark.source = 'Punches'
      and not exists (select from read where read.staff_id = mark.staff_id and read.day = mark.day))
  insert into workday_presence as mark (staff_id, day, kind, half, in_at, out_at, source, note, entered_by, entered_at)
  select read.staff_id, read.day, case when is_half then 'Half day' when is_late then 'Late' else 'Present' end,
    case when is_half then case when is_late then 2 else 1 end end, in_at, out_at, 'Punches',
    case when out_at is null then 'out missing' else '' end, $4, $5
  from read order by read.staff_id, read.day
  on conflict (staff_id, day) do update set kind = excluded.kind, half = excluded.half, in_at = excluded.in_at,
    out_at = excluded.out_at, note = excluded.note, entered_by = excluded.entered_by, entered_at = excluded.entered_at,
    version = mark.version + 1
    where mark.source = 'Punches' and (mark.kind, mark.half, mark.in_at, mark.out_at, mark.note)
      is distinct from (excluded.kind, excluded.half, excluded.in_at, excluded.out_at, excluded.note)
$$;

-- What people, or all of them, have left of each type on the last day of a year, and how much of it the next year begins with.
create function workday_carry(of_year integer, people integer[])
  returns table (staff_id integer, type_id integer, halves integer, carried integer) language sql stable as $$
  select spell.staff_id, type.id, own.halves, least(own.halves, type.carry_halves::integer)
  from academic_year year
  join staff_employment spell on year.ends_on between spell.joined_on and coalesce(spell.last_day, 'infinity')
  join staff on staff.id = spell.staff_id
  join workday_leave_type type on type.is_active and not type.may_go_below and type.gender in ('', staff.gender)
  cross join lateral (select workday_balance(spell.staff_id, type.id, year.id, year.ends_on) as halves) as own
  where year.id = $1 and ($2 is null or spell.staff_id = any ($2)) and own.halves > 0
$$;
