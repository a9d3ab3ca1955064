-- Riders on another bus, or on none, on some days. The ride itself, its stops and its fees do not change.
create table transport_day_ride (
  id              integer generated always as identity primary key,
  assignment_id   integer not null references transport_assignment on delete cascade,
  way             text not null check (way in ('Pickup', 'Drop')),
  -- Null: the rider has no bus on these days.
  trip_id         integer,
  stop_id         integer references transport_stop,
  effective_from  date not null,
  effective_to    date not null,
  reason          text not null default '' check (length(reason) <= 200),
  -- Those of one act are undone together, with its stand-ins.
  act             uuid not null,
  is_told         boolean not null default false,
  entered_by      integer not null references staff,
  entered_at      timestamptz not null,
  constraint transport_day_ride_days check (effective_to between effective_from and effective_from + 60),
  constraint transport_day_ride_stop check ((trip_id is null) = (stop_id is null)),
  foreign key (trip_id, way) references transport_trip (id, direction)
);
create index on transport_day_ride (assignment_id);
create index on transport_day_ride (trip_id);
create index on transport_day_ride (stop_id);
create index on transport_day_ride (act);
create index on transport_day_ride (entered_by);
create index on transport_day_ride (effective_to);
grant select, insert, update, delete on transport_day_ride to shala_app;

-- A trip that does not run on some days.
alter table transport_stand_in drop constraint transport_stand_in_role_check;
alter table transport_stand_in add constraint transport_stand_in_role_check
  check (role in ('Vehicle', 'Driver', 'Attendant', 'Not running'));
alter table transport_stand_in drop constraint transport_stand_in_one;
alter table transport_stand_in add constraint transport_stand_in_one check ((role = 'Vehicle') = (vehicle_id is not null)
  and (role in ('Driver', 'Attendant')) = (crew_id is not null));

-- How people ride on a day: the one source of it. Of two other rides for a day the later one counts; whose trip does not run
-- has no bus. The ways are apart, so that each is read by its index.
create function transport_rides_on(day date) returns table (
  assignment_id integer, student_id integer, staff_id integer, way text, trip_id integer, stop_id integer,
  usual_trip_id integer, is_other boolean) language sql stable as $$
  select own.id, own.student_id, own.staff_id, 'Pickup', own.pickup_trip_id, own.pickup_stop_id, own.pickup_trip_id, false
  from transport_assignment own
  where own.pickup_trip_id is not null and $1 between own.effective_from and coalesce(own.effective_to, 'infinity')
    and not exists (select from transport_day_ride other where other.assignment_id = own.id and other.way = 'Pickup'
      and $1 between other.effective_from and other.effective_to)
    and not exists (select from transport_stand_in stopped where stopped.trip_id = own.pickup_trip_id
      and stopped.role = 'Not running' and $1 between stopped.effective_from and stopped.effective_to)
  union all
  select own.id, own.student_id, own.staff_id, 'Drop', own.drop_trip_id, own.drop_stop_id, own.drop_trip_id, false
  from transport_assignment own
  where own.drop_trip_id is not null and $1 between own.effective_from and coalesce(own.effective_to, 'infinity')
    and not exists (select from transport_day_ride other where other.assignment_id = own.id and other.way = 'Drop'
      and $1 between other.effective_from and other.effective_to)
    and not exists (select from transport_stand_in stopped where stopped.trip_id = own.drop_trip_id
      and stopped.role = 'Not running' and $1 between stopped.effective_from and stopped.effective_to)
  union all
  select own.id, own.student_id, own.staff_id, 'Pickup', null, null, own.pickup_trip_id, true
  from transport_assignment own
  where $1 between own.effective_from and coalesce(own.effective_to, 'infinity')
    and own.pickup_trip_id in (select stopped.trip_id from transport_stand_in stopped
      where stopped.role = 'Not running' and $1 between stopped.effective_from and stopped.effective_to)
    and not exists (select from transport_day_ride other where other.assignment_id = own.id and other.way = 'Pickup'
      and $1 between other.effective_from and other.effective_to)
  union all
  select own.id, own.student_id, own.staff_id, 'Drop', null, null, own.drop_trip_id, true
  from transport_assignment own
  where $1 between own.effective_from and coalesce(own.effective_to, 'infinity')
    and own.drop_trip_id in (select stopped.trip_id from transport_stand_in stopped
      where stopped.role = 'Not running' and $1 between stopped.effective_from and stopped.effective_to)
    and not exists (select from transport_day_ride other where other.assignment_id = own.id and other.way = 'Drop'
      and $1 between other.effective_from and other.effective_to)
  union all
  select own.id, own.student_id, own.staff_id, other.way, other.trip_id, other.stop_id,
    case other.way when 'Pickup' then own.pickup_trip_id else own.drop_trip_id end, true
  from transport_day_ride other join transport_assignment own on own.id = other.assignment_id
  where $1 between own.effective_from and coalesce(own.effective_to, 'infinity')
    and $1 between other.effective_from and other.effective_to
    and case other.way when 'Pickup' then own.pickup_trip_id else own.drop_trip_id end is not null
    and not exists (select from transport_day_ride later where later.assignment_id = own.id and later.way = other.way
      and later.id > other.id and $1 between later.effective_from and later.effective_to)
$$;

create or replace function transport_riders(trip integer, day date) returns integer language sql stable as $$
  select count(*)::integer from transport_rides_on($2) ride where ride.trip_id = $1
$$;

-- Null on a day on which the trip does not run: nobody needs a seat then.
create or replace function transport_free(trip integer, day date, student integer, staff integer) returns integer
language sql stable as $$
  select case when not exists (select from transport_stand_in stopped where stopped.trip_id = $1
      and stopped.role = 'Not running' and $2 between stopped.effective_from and stopped.effective_to) then coalesce((select seats from transport_duty where trip_id = $1
      and $2 between effective_from and coalesce(effective_to, 'infinity')), 0)
    - (select count(*) from transport_rides_on($2) ride where ride.trip_id = $1
      and ride.student_id is distinct from coalesce($3, 0) and ride.staff_id is distinct from coalesce($4, 0))::integer end
$$;

-- The days on which the riders or the seats of a trip change.
create function transport_changing_days(trip integer) returns setof date language sql stable as $$
  with own as materialized (
    select id, effective_from, effective_to from transport_assignment where pickup_trip_id = $1 or drop_trip_id = $1
    union
    select own.id, own.effective_from, own.effective_to from transport_day_ride other
    join transport_assignment own on own.id = other.assignment_id where other.trip_id = $1
  )
  select effective_from from own
  union select effective_to + 1 from own where effective_to is not null
  union select other.effective_from from transport_day_ride other join own on own.id = other.assignment_id
  union select other.effective_to + 1 from transport_day_ride other join own on own.id = other.assignment_id
  union select effective_from from transport_duty where trip_id = $1
  union select effective_to + 1 from transport_duty where trip_id = $1 and effective_to is not null
$$;

-- The first day, from a day on, from which a trip always has so many seats free; null for none.
create function transport_first_free(trip integer, day date, needed integer, student integer, staff integer) returns date
language sql stable as $$
  with days as materialized (
    select days.day, transport_free($1, days.day, $4, $5) as free
    from (select $2 as day union select own from transport_changing_days($1) own where own > $2) as days
  )
  select min(days.day) from days
  where days.day > coalesce((select max(lacks.day) from days lacks where lacks.free < $3), '-infinity')
$$;

create or replace function transport_require_seats(touched integer[]) returns void language plpgsql as $$
declare
  over record;
begin
  perform 1 from transport_trip where id = any (touched) order by id for no key update;
  select trip.id as trip_id, days.day, counted.riders, coalesce(duty.seats, 0) as seats into over
  from unnest(touched) as trip (id)
  cross join lateral (select own as day from transport_changing_days(trip.id) own) as days
  left join transport_duty duty on duty.trip_id = trip.id
    and days.day between duty.effective_from and coalesce(duty.effective_to, 'infinity')
  cross join lateral (select transport_riders(trip.id, days.day) as riders) as counted
  where counted.riders > coalesce(duty.seats, 0)
  order by days.day, trip.id limit 1;
  if found then
    raise exception 'more riders than seats' using errcode = '23514', constraint = 'transport_trip_seats',
      detail = (
        select json_build_object('trip', route.name || ', ' || slot.name, 'day', over.day, 'riders', over.riders,
          'seats', over.seats, 'enough', transport_first_free(over.trip_id, over.day, 0, null, null))
        from transport_trip trip join transport_route route on route.id = trip.route_id
        join transport_time_slot slot on slot.id = trip.time_slot_id where trip.id = over.trip_id);
  end if;
end $$;

create or replace function transport_require_stops(touched integer[]) returns void language plpgsql as $$
begin
  perform 1 from transport_trip where id = any (touched) order by id for no key update;
  if exists (
      select from transport_trip trip
      cross join lateral (
        select pickup_stop_id as stop_id, effective_from as first, coalesce(effective_to, 'infinity') as last
        from transport_assignment where pickup_trip_id = trip.id
        union all select drop_stop_id, effective_from, coalesce(effective_to, 'infinity')
        from transport_assignment where drop_trip_id = trip.id
        union all select stop_id, effective_from, effective_to from transport_day_ride where trip_id = trip.id) as ride
      cross join lateral (
        select ride.first as day
        union select effective_from from transport_route_plan where route_id = trip.route_id
        union select effective_to + 1 from transport_route_plan where route_id = trip.route_id and effective_to is not null)
        as days
      where trip.id = any (touched) and days.day between ride.first and ride.last
        and not exists (
          select from transport_route_plan plan join transport_route_stop stop on stop.plan_id = plan.id
          where plan.route_id = trip.route_id
            and days.day between plan.effective_from and coalesce(plan.effective_to, 'infinity')
            and stop.stop_id = ride.stop_id)) then
    raise exception 'the stop of a rider is on the route' using errcode = '23514', constraint = 'transport_rider_stop';
  end if;
end $$;

-- A ride that changes its days changes the riders of the other trips that it has on some of them.
create or replace function transport_keep_riders() returns trigger language plpgsql as $$
declare
  touched integer[];
begin
  if tg_op = 'INSERT' then
    touched := array(select pickup_trip_id from changed union select drop_trip_id from changed);
  elsif tg_op = 'DELETE' then
    touched := array(select pickup_trip_id from before union select drop_trip_id from before);
  else
    touched := array(select pickup_trip_id from changed union select drop_trip_id from changed
      union select pickup_trip_id from before union select drop_trip_id from before
      union select other.trip_id from transport_day_ride other join changed on changed.id = other.assignment_id);
  end if;
  touched := array_remove(touched, null);
  perform transport_require_seats(touched);
  if tg_op <> 'DELETE' then perform transport_require_stops(touched); end if;
  return null;
end $$;

create function transport_keep_day_riders() returns trigger language plpgsql as $$
declare
  touched integer[];
begin
  if tg_op = 'INSERT' then
    touched := array(select trip_id from changed union
      select case changed.way when 'Pickup' then own.pickup_trip_id else own.drop_trip_id end
      from changed join transport_assignment own on own.id = changed.assignment_id);
  elsif tg_op = 'DELETE' then
    touched := array(select case before.way when 'Pickup' then own.pickup_trip_id else own.drop_trip_id end
      from before join transport_assignment own on own.id = before.assignment_id
      union select other.trip_id from before
      join transport_day_ride other on other.assignment_id = before.assignment_id and other.way = before.way);
  else
    touched := array(select trip_id from changed union select trip_id from before
      union select case changed.way when 'Pickup' then own.pickup_trip_id else own.drop_trip_id end
      from changed join transport_assignment own on own.id = changed.assignment_id
      union select other.trip_id from changed
      join transport_day_ride other on other.assignment_id = changed.assignment_id and other.way = changed.way);
  end if;
  touched := array_remove(touched, null);
  perform transport_require_seats(touched);
  if tg_op <> 'DELETE' then perform transport_require_stops(touched); end if;
  return null;
end $$;
create trigger seats after insert on transport_day_ride referencing new table as changed
  for each statement execute function transport_keep_day_riders();
create trigger seats_still after update on transport_day_ride referencing old table as before new table as changed
  for each statement execute function transport_keep_day_riders();
create trigger seats_gone after delete on transport_day_ride referencing old table as before
  for each statement execute function transport_keep_day_riders();

-- Of a message that an undo asked for: the first day that is as usual, and the trips and children that it is about.
alter table transport_told add column back_on date, add column trip_ids integer[], add column student_ids integer[],
  add constraint transport_told_back check (num_nonnulls(back_on, trip_ids, student_ids) in (0, 3));

-- Lays the duties of trips as before, and none on days on which a trip does not run.
create or replace function transport_lay(trips integer[]) returns void language plpgsql security definer
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
    where not exists (select from part own where own.trip_id = piece.trip_id and own.role = 'Not running'
      and piece.first between own.effective_from and coalesce(own.effective_to, 'infinity'))
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
