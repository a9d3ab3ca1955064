-- What a member of staff works on a day: shifts, leave by half days, and presence. All amounts of leave are half days.
create table workday_shift (
  id                 integer generated always as identity primary key,
  name               text not null check (length(name) between 1 and 60),
  staff_category_id  integer references hris_staff_category,
  weekdays           text[] not null check (cardinality(weekdays) > 0 and weekdays <@ array['Monday', 'Tuesday', 'Wednesday',
                       'Thursday', 'Friday', 'Saturday', 'Sunday']),
  starts             text not null check (starts ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  ends               text not null check (ends ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  saturday_starts    text not null default '' check (saturday_starts ~ '^(([01][0-9]|2[0-3]):[0-5][0-9])?$'),
  saturday_ends      text not null default '' check (saturday_ends ~ '^(([01][0-9]|2[0-3]):[0-5][0-9])?$'),
  grace_min          smallint not null default 0 check (grace_min between 0 and 120),
  half_below_min     smallint not null default 0 check (half_below_min between 0 and 720),
  has_own_days_off   boolean not null default false,
  works_vacation     boolean not null default false,
  works_half_days    boolean not null default false,
  is_default         boolean not null default false,
  is_active          boolean not null default true,
  version            integer not null default 1,
  constraint workday_shift_saturday check ((saturday_starts = '') = (saturday_ends = '')),
  constraint workday_shift_whose check (not is_default or staff_category_id is null)
);
create unique index workday_shift_name_unique on workday_shift (lower(name));
create unique index workday_shift_one_default on workday_shift (is_default) where is_default and is_active;
create unique index workday_shift_one_category on workday_shift (staff_category_id) where is_active;

-- The shift of one person from a day on, before that of the category.
create table workday_shift_person (
  id              integer generated always as identity primary key,
  staff_id        integer not null references staff,
  shift_id        integer not null references workday_shift,
  effective_from  date not null,
  effective_to    date,
  version         integer not null default 1,
  constraint workday_shift_person_days check (effective_to >= effective_from),
  constraint workday_shift_person_overlap exclude using gist
    (staff_id with =, daterange(effective_from, effective_to, '[]') with &&)
);
create index on workday_shift_person (staff_id);
create index on workday_shift_person (shift_id);

create table workday_leave_type (
  id                      integer generated always as identity primary key,
  code                    text not null check (length(code) between 1 and 5),
  name                    text not null check (length(name) between 1 and 60),
  counts                  text not null default 'Working days'
                            check (counts in ('Working days', 'Working days and days between', 'Calendar days')),
  accrual                 text not null default 'At once' check (accrual in ('At once', 'Monthly')),
  carry_halves            smallint not null default 0 check (carry_halves between 0 and 800),
  most_halves_in_a_row    smallint check (most_halves_in_a_row between 1 and 800),
  notice_days             smallint not null default 0 check (notice_days between 0 and 365),
  back_days               smallint check (back_days between 0 and 365),
  paper_after_halves      smallint check (paper_after_halves between 0 and 800),
  is_half_allowed         boolean not null default true,
  is_paid                 boolean not null default true,
  may_go_below            boolean not null default false,
  gender                  text not null default '' check (gender in ('', 'Female', 'Male', 'Other')),
  is_encashed             boolean not null default false,
  is_active               boolean not null default true,
  version                 integer not null default 1
);
create unique index workday_leave_type_code_unique on workday_leave_type (lower(code));
create unique index workday_leave_type_name_unique on workday_leave_type (lower(name));

-- How much of a type a person gets in a year.
create table workday_leave_rule (
  id                  integer generated always as identity primary key,
  academic_year_id    integer not null references academic_year,
  leave_type_id       integer not null references workday_leave_type,
  staff_category_id   integer references hris_staff_category,
  employment_type_id  integer references hris_employment_type,
  halves              smallint not null check (halves between 0 and 800),
  is_active           boolean not null default true,
  version             integer not null default 1,
  constraint workday_leave_rule_once unique nulls not distinct
    (academic_year_id, leave_type_id, staff_category_id, employment_type_id)
);
create index on workday_leave_rule (leave_type_id);
create index on workday_leave_rule (staff_category_id);
create index on workday_leave_rule (employment_type_id);
create trigger closed_year before insert or update or delete on workday_leave_rule
  for each row execute function academic_refuse_closed_year();

create table workday_leave (
  id                integer generated always as identity primary key,
  staff_id          integer not null references staff,
  academic_year_id  integer not null references academic_year,
  type_id           integer not null references workday_leave_type,
  from_day          date not null,
  to_day            date not null,
  from_half         smallint not null check (from_half in (1, 2)),
  to_half           smallint not null check (to_half in (1, 2)),
  reason            text not null default '' check (length(reason) <= 300),
  paper_id          uuid references file,
  state             text not null check (state in ('Asked', 'Granted', 'Rejected', 'Cancelled')),
  -- The second step is the principal's, after the manager.
  step              smallint not null default 1 check (step in (1, 2)),
  asked_by          integer not null references staff,
  asked_at          timestamptz not null,
  decided_by        integer references staff,
  decided_at        timestamptz,
  version           integer not null default 1,
  check (to_day >= from_day),
  check (from_day < to_day or from_half <= to_half),
  check ((decided_by is null) = (decided_at is null)),
  check (state not in ('Granted', 'Rejected') or decided_by is not null)
);
create index on workday_leave (state, from_day, id);
create index on workday_leave (from_day desc, id);
create index on workday_leave (staff_id, from_day);
create index on workday_leave (academic_year_id);
create index on workday_leave (type_id);
create index on workday_leave (paper_id);
create index on workday_leave (asked_by);
create index on workday_leave (decided_by);
create trigger closed_year before insert or update or delete on workday_leave
  for each row execute function academic_refuse_closed_year();

-- A leave lies in its year; one over two years is two rows.
create function workday_leave_in_year() returns trigger language plpgsql as $$
begin
  if not exists (select from academic_year where id = new.academic_year_id
      and new.from_day >= starts_on and new.to_day <= ends_on) then
    raise exception 'the leave is outside its year' using errcode = '23514', constraint = 'workday_leave_year';
  end if;
  return new;
end $$;
create trigger in_year before insert or update of academic_year_id, from_day, to_day on workday_leave
  for each row execute function workday_leave_in_year();

-- What a type is and counts is fixed once leave of it exists.
create function workday_keep_type() returns trigger language plpgsql as $$
begin
  if (old.code, old.counts, old.is_paid) is distinct from (new.code, new.counts, new.is_paid)
      and exists (select from workday_leave where type_id = old.id) then
    raise exception 'leave of this type exists' using errcode = '23514', constraint = 'workday_leave_type_used';
  end if;
  return new;
end $$;
create trigger kept before update on workday_leave_type for each row execute function workday_keep_type();

-- The half days of asked and granted leave. No two leaves of a person have the same half.
create table workday_leave_half (
  staff_id    integer not null references staff,
  day         date not null,
  half        smallint not null check (half in (1, 2)),
  leave_id    integer not null references workday_leave on delete cascade,
  cost        smallint not null default 0 check (cost in (0, 1)),
  -- Outside the days of the leave: days without work between it and another one.
  is_between  boolean not null default false,
  primary key (staff_id, day, half)
);
create index on workday_leave_half (day);
create index on workday_leave_half (leave_id);

create table workday_credit (
  id                integer generated always as identity primary key,
  staff_id          integer not null references staff,
  academic_year_id  integer not null references academic_year,
  type_id           integer not null references workday_leave_type,
  kind              text not null check (kind in ('Opening', 'Carried', 'Worked on a day off', 'Correction', 'Lapsed', 'Encashed')),
  halves            smallint not null check (halves between -800 and 800),
  reason            text not null default '' check (length(reason) <= 300),
  entered_by        integer not null references staff,
  entered_at        timestamptz not null
);
create index on workday_credit (staff_id, academic_year_id, type_id);
create index on workday_credit (academic_year_id);
create index on workday_credit (type_id);
create index on workday_credit (entered_by);
-- Carrying over again replaces what it carried before.
create unique index workday_credit_carried on workday_credit (staff_id, academic_year_id, type_id) where kind = 'Carried';
create trigger closed_year before insert or update or delete on workday_credit
  for each row execute function academic_refuse_closed_year();

create table workday_presence (
  staff_id    integer not null references staff,
  day         date not null,
  kind        text not null check (kind in ('Present', 'Late', 'Half day', 'Absent', 'On duty')),
  -- Of a half day: the half that was worked, where it is known.
  half        smallint check (half in (1, 2)),
  in_at       time,
  out_at      time,
  source      text not null check (source in ('Office', 'Punches', 'Correction')),
  note        text not null default '' check (length(note) <= 200),
  entered_by  integer not null references staff,
  entered_at  timestamptz not null,
  version     integer not null default 1,
  primary key (staff_id, day),
  constraint workday_presence_half check (half is null or kind = 'Half day')
);
create index on workday_presence (day);
create index on workday_presence (entered_by);

grant select, insert, update, delete on workday_shift, workday_shift_person, workday_leave_type, workday_leave_rule to shala_app;
grant select, insert, update (to_day, to_half, paper_id, state, step, decided_by, decided_at, version) on workday_leave to shala_app;
-- Costs are written by workday_weigh alone.
grant select, delete, insert (staff_id, day, half, leave_id) on workday_leave_half to shala_app;
-- A planned year is deleted with what was carried into it.
grant select, insert, delete, update (halves, reason, entered_by, entered_at) on workday_credit to shala_app;
grant select, insert, update, delete on workday_presence to shala_app;

-- Which halves of a day people work: their shift over the school's calendar. A day outside every year, or on which a person
-- is not employed, has no row. Without any shift the school's working days count.
create function workday_on(people integer[], first date, last date)
  returns table (staff_id integer, day date, first_works boolean, second_works boolean, starts text, ends text, kind text, name text)
  language sql stable as $$
  select person.id, days.day, own.work > 0, own.work > 1,
    coalesce(case when own.weekday = 'Saturday' and shift.saturday_starts <> '' then shift.saturday_starts else shift.starts end, ''),
    coalesce(case when own.weekday = 'Saturday' and shift.saturday_starts <> '' then shift.saturday_ends else shift.ends end, ''),
    days.kind, days.name
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

-- The halves of people's days with the leave on them and what it costs, and those of a leave that is only planned: its id is
-- the highest. A stretch without work is not known where it reaches beyond these days.
create function workday_halves(people integer[], first date, last date, plan jsonb)
  returns table (staff_id integer, day date, half integer, works boolean, leave_id integer, type_id integer, cost integer,
    is_between boolean, is_known boolean) language sql stable as $$
  with own as materialized (
    select days.staff_id, days.day, halves.half, case halves.half when 1 then days.first_works else days.second_works end as works,
      case when planned.is_there then 2147483647 else leave.id end as leave_id,
      case when planned.is_there then (plan ->> 'typeId')::integer else leave.type_id end as type_id
    from workday_on($1, $2, $3) as days
    cross join (values (1), (2)) as halves (half)
    cross join lateral (select $4 is not null
      and (days.day, halves.half) >= ((plan ->> 'fromDay')::date, (plan ->> 'fromHalf')::integer)
      and (days.day, halves.half) <= ((plan ->> 'toDay')::date, (plan ->> 'toHalf')::integer) as is_there) as planned
    left join workday_leave_half taken on taken.staff_id = days.staff_id and taken.day = days.day and taken.half = halves.half
      and not taken.is_between
    left join workday_leave leave on leave.id = taken.leave_id),
  typed as materialized (
    select own.*, type.counts,
      count(*) filter (where works) over (partition by own.staff_id order by own.day, own.half) as worked
    from own left join workday_leave_type type on type.id = own.type_id)
  select one.staff_id, one.day, one.half, one.works,
    coalesce(one.leave_id, stretch.leave_id), coalesce(one.type_id, stretch.type_id),
    case when one.leave_id is null then (stretch.leave_id is not null)::integer
      when one.works or one.counts = 'Calendar days' or stretch.leave_id is not null then 1 else 0 end,
    one.leave_id is null and stretch.leave_id is not null,
    one.works or (before.staff_id is not null and after.staff_id is not null)
  from typed one
  left join typed before on not one.works and before.staff_id = one.staff_id and before.works and before.worked = one.worked
  left join typed after on not one.works and after.staff_id = one.staff_id and after.works and after.worked = one.worked + 1
  left join lateral (
    select later.leave_id, later.type_id
    from (values (before.leave_id, before.type_id), (after.leave_id, after.type_id)) as later (leave_id, type_id)
    where before.counts = 'Working days and days between' and after.counts = 'Working days and days between'
    order by later.leave_id desc limit 1) as stretch on true
$$;

-- Writes what the leave of people costs around some days, after a leave or the calendar has changed. Its caller has locked
-- the people. It answers the leaves whose cost is another one now.
create function workday_weigh(people integer[], first date, last date) returns table (leave_id integer, before integer, after integer)
  language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  reach constant integer := 70;
  touched integer[] := array(select distinct half.staff_id from workday_leave_half half
    where half.staff_id = any (people) and half.day between $2 - reach and $3 + reach);
begin
  return query
  with found as materialized (
    select * from workday_halves(touched, $2 - reach, $3 + reach, null) one where one.is_known),
  earlier as materialized (
    select half.staff_id, half.day, half.half, half.leave_id, half.cost, half.is_between from workday_leave_half half
    join found on found.staff_id = half.staff_id and found.day = half.day and found.half = half.half),
  gone as (
    delete from workday_leave_half half using found
    where half.staff_id = found.staff_id and half.day = found.day and half.half = found.half and half.is_between
      and not found.is_between),
  written as (
    insert into workday_leave_half as half (staff_id, day, half, leave_id, cost, is_between)
    select found.staff_id, found.day, found.half, found.leave_id, found.cost, found.is_between from found
    where found.leave_id is not null
    on conflict (staff_id, day, half) do update
      set leave_id = excluded.leave_id, cost = excluded.cost, is_between = excluded.is_between
      where (half.leave_id, half.cost, half.is_between) is distinct from (excluded.leave_id, excluded.cost, excluded.is_between)),
  sums as (
    select coalesce(own.leave_id, was.leave_id) as leave_id, coalesce(was.cost, 0) as before, coalesce(own.cost, 0) as after
    from (select found.leave_id, sum(found.cost)::integer as cost from found where found.leave_id is not null group by 1) own
    full join (select earlier.leave_id, sum(earlier.cost)::integer as cost from earlier group by 1) was on was.leave_id = own.leave_id)
  select sums.leave_id, sums.before, sums.after from sums where sums.before <> sums.after;
end $$;
revoke execute on function workday_weigh(integer[], date, date) from public;
grant execute on function workday_weigh(integer[], date, date) to shala_app;

-- The half days of a type that a person has earned in a year until a day: a twelfth of the rule for each month of the year in
-- which the person is employed on 15 days or more.
create function workday_entitled(person integer, type integer, of_year integer, until date) returns integer
  language sql stable as $$
  with month as (
    select own.first, least(year.ends_on, (year.starts_on + make_interval(months => series.number + 1))::date - 1) as last, own.middle
    from academic_year year
    cross join generate_series(0, 25) as series (number)
    cross join lateral (select (year.starts_on + make_interval(months => series.number))::date as first,
      (year.starts_on + make_interval(months => series.number))::date + 14 as middle) as own
    where year.id = $3 and own.first <= year.ends_on),
  earned as (
    select sum(coalesce(rule.halves, 0)) / 12.0 as halves
    from month
    left join lateral (select post.staff_category_id, post.employment_type_id from staff_post post
      where post.staff_id = $1 and post.effective_from <= month.last and coalesce(post.effective_to, 'infinity') >= month.first
      order by month.middle between post.effective_from and coalesce(post.effective_to, 'infinity') desc, post.effective_from desc
      limit 1) as held on true
    left join lateral (select rule.halves from workday_leave_rule rule
      where rule.academic_year_id = $3 and rule.leave_type_id = $2 and rule.is_active
        and (rule.staff_category_id is null or rule.staff_category_id = held.staff_category_id)
        and (rule.employment_type_id is null or rule.employment_type_id = held.employment_type_id)
      order by rule.staff_category_id is not null desc, rule.employment_type_id is not null desc limit 1) as rule on true
    where (select sum(least(coalesce(spell.last_day, month.last), month.last) - greatest(spell.joined_on, month.first) + 1)
        from staff_employment spell
        where spell.staff_id = $1 and spell.joined_on <= month.last and coalesce(spell.last_day, 'infinity') >= month.first) >= 15
      and (month.first <= $4 or (select accrual from workday_leave_type where id = $2) = 'At once'))
  select coalesce(case (select accrual from workday_leave_type where id = $2) when 'Monthly' then floor(halves) else round(halves) end,
    0)::integer from earned
$$;

-- What is left of a type: credits and what is earned, without the leave that is asked or granted.
create function workday_balance(person integer, type integer, of_year integer, until date) returns integer language sql stable as $$
  select workday_entitled($1, $2, $3, $4)
    + coalesce((select sum(halves) from workday_credit where staff_id = $1 and type_id = $2 and academic_year_id = $3), 0)::integer
    - coalesce((select sum(half.cost) from workday_leave leave join workday_leave_half half on half.leave_id = leave.id
        where leave.staff_id = $1 and leave.type_id = $2 and leave.academic_year_id = $3), 0)::integer
$$;

-- Who is away in which half, and why: asked leave counts at once, so does a mark of absence. A mark of presence comes before leave.
create view workday_away as
  select taken.day, taken.staff_id, taken.half, case leave.state when 'Asked' then 'Asked' else 'Leave' end as why
  from workday_leave_half taken
  join workday_leave leave on leave.id = taken.leave_id
  where not exists (select from workday_presence mark where mark.staff_id = taken.staff_id and mark.day = taken.day
    and mark.kind in ('Present', 'Late', 'On duty'))
  union all
  select mark.day, mark.staff_id, halves.half, 'Absent'
  from workday_presence mark
  join (values (1::smallint), (2::smallint)) as halves (half)
    on mark.kind = 'Absent' or (mark.kind = 'Half day' and mark.half <> halves.half)
  where not exists (select from workday_leave_half taken
    where taken.staff_id = mark.staff_id and taken.day = mark.day and taken.half = halves.half);
grant select on workday_away to shala_app;

alter table approval add column workday_leave_id integer references workday_leave;
create unique index approval_workday_leave on approval (workday_leave_id) where status = 'Pending';
create index on approval (workday_leave_id);
-- The kinds of other features stay as they are.
do $$
declare
  known text;
begin
  select substr(pg_get_constraintdef(oid), 7) into known from pg_constraint
    where conrelid = 'approval'::regclass and conname = 'approval_kind';
  alter table approval drop constraint approval_kind;
  execute 'alter table approval add constraint approval_kind check (' || known
    || $kinds$ or kind = 'workday.leave')$kinds$;
end $$;
alter table approval add constraint approval_subject_workday_leave
  check ((kind = 'workday.leave') = (workday_leave_id is not null));

-- What a leave, or one that is planned, costs within some days: its own half days and those between; how many of them are
-- worked; how many half days away it makes with the leave beside it, of any type and of its own; and how many days are known.
create function workday_sum(person integer, first date, last date, plan jsonb, own integer)
  returns table (cost integer, worked integer, counted integer, in_a_row integer, between_days date[], known_days integer)
  language sql stable as $$
  with one as materialized (select * from workday_halves(array[$1], $2, $3, $4)),
  its as (select min(type_id) as type_id from one where leave_id = $5),
  run as (
    select one.*, count(*) filter (where works and leave_id is null) over way as away,
      count(*) filter (where works and one.type_id is distinct from its.type_id) over way as alike
    from one cross join its window way as (order by day, half))
  select coalesce(sum(run.cost) filter (where leave_id = $5), 0)::integer,
    count(*) filter (where leave_id = $5 and works)::integer,
    count(*) filter (where works and leave_id is not null
      and away in (select away from run where leave_id = $5 and works))::integer,
    coalesce(sum(run.cost) filter (where run.type_id = its.type_id
      and alike in (select alike from run where leave_id = $5 and works)), 0)::integer,
    coalesce(array_agg(distinct day) filter (where leave_id = $5 and not works and run.cost > 0), '{}'),
    (count(*) filter (where day between coalesce((plan ->> 'fromDay')::date, $2) and coalesce((plan ->> 'toDay')::date, $3)) / 2)::integer
  from run cross join its
$$;
