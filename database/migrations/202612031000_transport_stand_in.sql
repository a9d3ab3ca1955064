-- Who drives, attends and carries a trip until further notice, who stands in for some days, and the duties that follow from
-- both: they are laid by transport_lay, never written by the application.

-- Until further notice: one row for each role, so that a new bus leaves the driver as he is.
create table transport_standing (
  id              integer generated always as identity primary key,
  trip_id         integer not null references transport_trip,
  role            text not null check (role in ('Vehicle', 'Driver', 'Attendant')),
  vehicle_id      integer references transport_vehicle,
  crew_id         integer references transport_crew,
  effective_from  date not null,
  effective_to    date,
  version         integer not null default 1,
  constraint transport_standing_days check (effective_to >= effective_from),
  constraint transport_standing_one check ((role = 'Vehicle') = (vehicle_id is not null)
    and (role <> 'Vehicle') = (crew_id is not null)),
  constraint transport_standing_once exclude using gist
    (trip_id with =, role with =, daterange(effective_from, effective_to, '[]') with &&) deferrable initially immediate
);
create index on transport_standing (trip_id);
create index on transport_standing (vehicle_id);
create index on transport_standing (crew_id);

-- For some days, over what stands. Of two for one day the later one counts, and the earlier one again once that is undone.
create table transport_stand_in (
  id              integer generated always as identity primary key,
  trip_id         integer not null references transport_trip,
  role            text not null check (role in ('Vehicle', 'Driver', 'Attendant')),
  vehicle_id      integer references transport_vehicle,
  crew_id         integer references transport_crew,
  effective_from  date not null,
  effective_to    date not null,
  reason          text not null default '' check (length(reason) <= 200),
  -- Those of one act are undone together.
  act             uuid not null,
  entered_by      integer not null references staff,
  entered_at      timestamptz not null,
  constraint transport_stand_in_days check (effective_to between effective_from and effective_from + 60),
  constraint transport_stand_in_one check ((role = 'Vehicle') = (vehicle_id is not null)
    and (role <> 'Vehicle') = (crew_id is not null))
);
create index on transport_stand_in (trip_id);
create index on transport_stand_in (vehicle_id);
create index on transport_stand_in (crew_id);
create index on transport_stand_in (act);
create index on transport_stand_in (entered_by);
create index on transport_stand_in (effective_from);

-- The days on which a vehicle carries nobody.
create table transport_vehicle_away (
  id              integer generated always as identity primary key,
  vehicle_id      integer not null references transport_vehicle,
  effective_from  date not null,
  effective_to    date,
  reason          text not null check (reason in ('Workshop', 'Fitness', 'Accident', 'Other')),
  note            text not null default '' check (length(note) <= 200),
  is_active       boolean not null default true,
  version         integer not null default 1,
  constraint transport_vehicle_away_days check (effective_to >= effective_from),
  constraint transport_vehicle_away_once exclude using gist
    (vehicle_id with =, daterange(effective_from, effective_to, '[]') with &&) where (is_active)
);
create unique index transport_vehicle_away_effective_from_unique on transport_vehicle_away (vehicle_id, effective_from);

-- The duties of before become standing rows: for each role a stretch of days with the same vehicle or person.
insert into transport_standing (trip_id, role, vehicle_id, crew_id, effective_from, effective_to)
  select trip_id, role, case when role = 'Vehicle' then own end, case when role <> 'Vehicle' then own end,
    min(effective_from), nullif(max(coalesce(effective_to, 'infinity')), 'infinity')
  from (
    select *, sum(begins) over (partition by trip_id, role order by effective_from) as stretch
    from (
      select duty.trip_id, part.role, part.own, duty.effective_from, duty.effective_to,
        case when lag(part.own) over earlier = part.own and lag(duty.effective_to) over earlier = duty.effective_from - 1
          then 0 else 1 end as begins
      from transport_duty duty
      cross join lateral (values ('Vehicle', duty.vehicle_id), ('Driver', duty.driver_id), ('Attendant', duty.attendant_id))
        as part (role, own)
      window earlier as (partition by duty.trip_id, part.role order by duty.effective_from)) as marked) as stretches
  group by trip_id, role, own, stretch;

insert into transport_vehicle_away (vehicle_id, effective_from, reason)
  select id, (school_now() at time zone 'Asia/Kolkata')::date, 'Workshop' from transport_vehicle where is_under_repair;

drop trigger used on transport_vehicle;
alter table transport_vehicle drop column is_under_repair;
create trigger used after update on transport_vehicle for each row
  when (old.is_active and not new.is_active) execute function transport_keep_used();

-- The stand-ins that made the duty what it is.
alter table transport_duty add column stand_in_ids integer[] not null default '{}';

-- Lays the duties of trips: a piece of days for each stretch on which vehicle, driver, attendant and times are the same. A
-- trip that lacks one of them has none. Everything that differs is written in one statement, so that the constraints of
-- duties compare what is there afterwards.
create function transport_lay(trips integer[]) returns void language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  perform 1 from transport_trip where id = any (trips) order by id for no key update;
  with part as materialized (
    select trip_id, role, vehicle_id, crew_id, effective_from, effective_to, 0 as place
    from transport_standing where trip_id = any (trips)
    union all
    select trip_id, role, vehicle_id, crew_id, effective_from, effective_to, id
    from transport_stand_in where trip_id = any (trips)
  ), times as materialized (
    select trip.id as trip_id, trip.time_slot_id, plan.id as plan_id, plan.minutes, plan.effective_from, plan.effective_to
    from transport_trip trip join transport_slot_plan plan on plan.time_slot_id = trip.time_slot_id
    where trip.id = any (trips)
  ), edge as (
    select trip_id, effective_from as day from part
    union select trip_id, effective_to + 1 from part where effective_to is not null
    union select trip_id, effective_from from times
    union select trip_id, effective_to + 1 from times where effective_to is not null
  ), piece as (
    select trip_id, day as first, lead(day) over (partition by trip_id order by day) - 1 as last from edge
  ), filled as (
    select piece.trip_id, piece.first, piece.last, times.time_slot_id, times.plan_id, times.minutes, vehicle.vehicle_id,
      driver.crew_id as driver_id, attendant.crew_id as attendant_id,
      array_remove(array[vehicle.place, driver.place, attendant.place], 0) as stand_in_ids
    from piece
    join times on times.trip_id = piece.trip_id
      and piece.first between times.effective_from and coalesce(times.effective_to, 'infinity')
    join lateral (select own.vehicle_id, own.place from part own where own.trip_id = piece.trip_id and own.role = 'Vehicle'
      and piece.first between own.effective_from and coalesce(own.effective_to, 'infinity')
      order by own.place desc limit 1) as vehicle on true
    join lateral (select own.crew_id, own.place from part own where own.trip_id = piece.trip_id and own.role = 'Driver'
      and piece.first between own.effective_from and coalesce(own.effective_to, 'infinity')
      order by own.place desc limit 1) as driver on true
    join lateral (select own.crew_id, own.place from part own where own.trip_id = piece.trip_id and own.role = 'Attendant'
      and piece.first between own.effective_from and coalesce(own.effective_to, 'infinity')
      order by own.place desc limit 1) as attendant on true
  ), marked as (
    select *, case when lag((plan_id, vehicle_id, driver_id, attendant_id, stand_in_ids)::text) over earlier
        = (plan_id, vehicle_id, driver_id, attendant_id, stand_in_ids)::text and lag(last) over earlier = first - 1
      then 0 else 1 end as begins
    from filled window earlier as (partition by trip_id order by first)
  ), stretch as (
    select *, sum(begins) over (partition by trip_id order by first) as number from marked
  ), laid as materialized (
    select trip_id, time_slot_id, plan_id, minutes, vehicle_id, driver_id, attendant_id, stand_in_ids, min(first) as first,
      nullif(max(coalesce(last, 'infinity')), 'infinity') as last
    from stretch
    group by trip_id, number, time_slot_id, plan_id, minutes, vehicle_id, driver_id, attendant_id, stand_in_ids
  ), gone as (
    delete from transport_duty own where own.trip_id = any (trips)
      and not exists (select from laid where laid.trip_id = own.trip_id and laid.first = own.effective_from)
    returning own.id
  ), changed as (
    update transport_duty own set slot_plan_id = laid.plan_id, minutes = laid.minutes, vehicle_id = laid.vehicle_id,
      seats = vehicle.seats, driver_id = laid.driver_id, attendant_id = laid.attendant_id, effective_to = laid.last,
      stand_in_ids = laid.stand_in_ids, version = own.version + 1
    from laid join transport_vehicle vehicle on vehicle.id = laid.vehicle_id
    where laid.trip_id = own.trip_id and laid.first = own.effective_from
      and (own.slot_plan_id, own.minutes, own.vehicle_id, own.driver_id, own.attendant_id, own.effective_to, own.stand_in_ids)
        is distinct from (laid.plan_id, laid.minutes, laid.vehicle_id, laid.driver_id, laid.attendant_id, laid.last,
          laid.stand_in_ids)
    returning own.id
  )
  insert into transport_duty (trip_id, time_slot_id, slot_plan_id, minutes, vehicle_id, seats, driver_id, attendant_id,
      effective_from, effective_to, stand_in_ids)
    select laid.trip_id, laid.time_slot_id, laid.plan_id, laid.minutes, laid.vehicle_id, vehicle.seats, laid.driver_id,
      laid.attendant_id, laid.first, laid.last, laid.stand_in_ids
    from laid join transport_vehicle vehicle on vehicle.id = laid.vehicle_id
    where not exists (select from transport_duty own where own.trip_id = laid.trip_id and own.effective_from = laid.first);
end $$;

-- A vehicle or driver that is given to a trip has valid papers on the first day of it, or today where that is earlier. What
-- returns after a stand-in, or gets new times, is not given again: papers never stop a running bus.
drop trigger papers on transport_duty;
create or replace function transport_require_papers() returns trigger language plpgsql as $$
declare
  today date := (school_now() at time zone 'Asia/Kolkata')::date;
  given integer[];
  lacking text;
begin
  if tg_op = 'INSERT' then
    given := array(select id from changed);
  else
    given := array(select later.id from changed later join before earlier on earlier.id = later.id
      where later.effective_from < earlier.effective_from
        or (later.vehicle_id, later.crew_id) is distinct from (earlier.vehicle_id, earlier.crew_id));
  end if;
  select string_agg(distinct what, ', ') into lacking
  from changed own
  cross join lateral (
    select vehicle.fleet_no || ' ' || needed.kind as what
    from transport_vehicle vehicle
    cross join unnest(array['RC', 'Fitness', 'Insurance', 'Permit', 'PUC']) as needed (kind)
    where vehicle.id = own.vehicle_id and not exists (select from transport_vehicle_document paper
      where paper.vehicle_id = vehicle.id and paper.kind = needed.kind and paper.is_active
        and paper.expires_on >= greatest(own.effective_from, today))
    union all
    select staff.name || ' ' || papers.name
    from transport_crew crew join staff on staff.id = crew.staff_id
    cross join lateral (values ('licence', crew.licence_expires_on), ('medical check', crew.medical_expires_on))
      as papers (name, expires_on)
    where own.role = 'Driver' and crew.id = own.crew_id
      and coalesce(papers.expires_on, '-infinity') < greatest(own.effective_from, today)) as papers
  where own.id = any (given) and coalesce(own.effective_to, 'infinity') >= today;
  if lacking is not null then
    raise exception 'papers of a new duty are missing or have expired' using errcode = '23514',
      constraint = 'transport_duty_papers', detail = lacking;
  end if;
  if exists (
      select from changed own join transport_crew crew on crew.id = own.crew_id
      where own.id = any (given) and not case own.role when 'Driver' then crew.is_driver else crew.is_attendant end) then
    raise exception 'the driver drives and the attendant attends' using errcode = '23514', constraint = 'transport_duty_crew';
  end if;
  return null;
end $$;
create trigger papers after insert on transport_standing referencing new table as changed
  for each statement execute function transport_require_papers();
create trigger papers_still after update on transport_standing referencing old table as before new table as changed
  for each statement execute function transport_require_papers();
create trigger papers after insert on transport_stand_in referencing new table as changed
  for each statement execute function transport_require_papers();
create trigger papers_still after update on transport_stand_in referencing old table as before new table as changed
  for each statement execute function transport_require_papers();

-- A vehicle has no trip on a day on which it is away. The vehicle is locked, so that of a trip and an absence given at the
-- same moment the later one sees the earlier.
create function transport_refuse_away() returns trigger language plpgsql as $$
declare
  today date := (school_now() at time zone 'Asia/Kolkata')::date;
  touched integer[] := array(select distinct vehicle_id from changed);
  clash record;
begin
  perform 1 from transport_vehicle where id = any (touched)
    and exists (select from transport_vehicle_away away where away.vehicle_id = transport_vehicle.id)
    order by id for no key update;
  select vehicle.fleet_no, route.name || ', ' || slot.name as trip,
    greatest(duty.effective_from, away.effective_from, today) as day into clash
  from transport_vehicle_away away
  join transport_duty duty on duty.vehicle_id = away.vehicle_id
    and daterange(duty.effective_from, duty.effective_to, '[]') && daterange(away.effective_from, away.effective_to, '[]')
  join transport_vehicle vehicle on vehicle.id = away.vehicle_id
  join transport_trip trip on trip.id = duty.trip_id
  join transport_route route on route.id = trip.route_id
  join transport_time_slot slot on slot.id = trip.time_slot_id
  where away.vehicle_id = any (touched) and away.is_active and least(duty.effective_to, away.effective_to, 'infinity') >= today
  order by day, duty.trip_id limit 1;
  if found then
    raise exception 'the vehicle is away' using errcode = '23514', constraint = 'transport_vehicle_away',
      detail = json_build_object('vehicle', clash.fleet_no, 'trip', clash.trip, 'day', clash.day);
  end if;
  return null;
end $$;
create trigger away after insert on transport_duty referencing new table as changed
  for each statement execute function transport_refuse_away();
create trigger away_still after update on transport_duty referencing new table as changed
  for each statement execute function transport_refuse_away();
create trigger away after insert on transport_vehicle_away referencing new table as changed
  for each statement execute function transport_refuse_away();
create trigger away_still after update on transport_vehicle_away referencing new table as changed
  for each statement execute function transport_refuse_away();

-- New times divide the duties of the slot.
create or replace function transport_keep_slot_plan() returns trigger language plpgsql as $$
declare
  latest transport_slot_plan;
begin
  if tg_op = 'UPDATE' then
    if (new.weekdays, new.starts, new.ends, new.saturday_starts, new.saturday_ends, new.valid_from)
        is not distinct from (old.weekdays, old.starts, old.ends, old.saturday_starts, old.saturday_ends, old.valid_from) then
      return null;
    end if;
    perform 1 from transport_trip where time_slot_id = new.id order by id for no key update;
    select * into latest from transport_slot_plan where time_slot_id = new.id order by effective_from desc limit 1;
    if not exists (select from transport_duty where time_slot_id = new.id) then
      delete from transport_slot_plan where time_slot_id = new.id;
    elsif new.valid_from <= latest.effective_from then
      raise exception 'trips use these times' using errcode = '23514', constraint = 'transport_time_slot_used';
    else
      update transport_slot_plan set effective_to = new.valid_from - 1 where id = latest.id;
    end if;
  end if;
  insert into transport_slot_plan (time_slot_id, effective_from, weekdays, starts, ends, saturday_starts, saturday_ends)
    values (new.id, new.valid_from, new.weekdays, new.starts, new.ends, new.saturday_starts, new.saturday_ends);
  perform transport_lay(array(select id from transport_trip where time_slot_id = new.id));
  return null;
end $$;

select transport_lay(array(select id from transport_trip));

revoke insert, update, delete on transport_duty from shala_app;
grant select, insert, update, delete on transport_standing, transport_stand_in, transport_vehicle_away to shala_app;
