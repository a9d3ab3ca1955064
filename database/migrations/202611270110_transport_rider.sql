-- Riders: the trips and stops of a student or of a member of staff by day. On no day has a trip more riders than its
-- vehicle has seats, and the stop of a rider is on the route.

create table transport_assignment (
  id              integer generated always as identity primary key,
  student_id      integer references student,
  staff_id        integer references staff,
  pickup_trip_id  integer,
  pickup_stop_id  integer references transport_stop,
  drop_trip_id    integer,
  drop_stop_id    integer references transport_stop,
  pickup          text not null generated always as ('Pickup') stored,
  "drop"          text not null generated always as ('Drop') stored,
  effective_from  date not null,
  effective_to    date,
  -- Fees are charged from this day.
  billed_from     date not null,
  fee             text not null check (fee in ('By stop', 'Free', 'Payroll')),
  reason          text not null default '' check (length(reason) <= 200),
  version         integer not null default 1,
  constraint transport_assignment_rider check (num_nonnulls(student_id, staff_id) = 1),
  constraint transport_assignment_days check (effective_to >= effective_from),
  constraint transport_assignment_some check (num_nonnulls(pickup_trip_id, drop_trip_id) > 0),
  constraint transport_assignment_pickup_stop check ((pickup_trip_id is null) = (pickup_stop_id is null)),
  constraint transport_assignment_drop_stop check ((drop_trip_id is null) = (drop_stop_id is null)),
  constraint transport_assignment_payroll check (fee <> 'Payroll' or staff_id is not null),
  foreign key (pickup_trip_id, pickup) references transport_trip (id, direction),
  foreign key (drop_trip_id, "drop") references transport_trip (id, direction),
  constraint transport_assignment_student exclude using gist
    (student_id with =, daterange(effective_from, effective_to, '[]') with &&),
  constraint transport_assignment_staff exclude using gist
    (staff_id with =, daterange(effective_from, effective_to, '[]') with &&)
);
create index on transport_assignment (pickup_trip_id);
create index on transport_assignment (drop_trip_id);
create index on transport_assignment (student_id);
create index on transport_assignment (staff_id);
create index on transport_assignment (pickup_stop_id);
create index on transport_assignment (drop_stop_id);
create index on transport_assignment (effective_to);

create function transport_riders(trip integer, day date) returns integer language sql stable as $$
  select count(*)::integer from transport_assignment own
  where (own.pickup_trip_id = $1 or own.drop_trip_id = $1)
    and $2 between own.effective_from and coalesce(own.effective_to, 'infinity')
$$;

-- Counts the riders of these trips on each day on which their number or the seats change, under the lock of the trips: of
-- two changes the later one is counted with the rows of the earlier one.
create function transport_require_seats(touched integer[]) returns void language plpgsql as $$
declare
  over record;
begin
  perform 1 from transport_trip where id = any (touched) order by id for no key update;
  select trip.id as trip_id, days.day, counted.riders, coalesce(duty.seats, 0) as seats into over
  from unnest(touched) as trip (id)
  cross join lateral (
    select effective_from as day from transport_assignment where pickup_trip_id = trip.id
    union select effective_from from transport_assignment where drop_trip_id = trip.id
    union select effective_from from transport_duty where trip_id = trip.id
    union select effective_to + 1 from transport_duty where trip_id = trip.id and effective_to is not null) as days
  left join transport_duty duty on duty.trip_id = trip.id
    and days.day between duty.effective_from and coalesce(duty.effective_to, 'infinity')
  cross join lateral (select transport_riders(trip.id, days.day) as riders) as counted
  where counted.riders > coalesce(duty.seats, 0)
  order by days.day, trip.id limit 1;
  if found then
    raise exception 'more riders than seats' using errcode = '23514', constraint = 'transport_trip_seats',
      detail = (
        select json_build_object('trip', route.name || ', ' || slot.name, 'day', over.day, 'riders', over.riders,
          'seats', over.seats)
        from transport_trip trip join transport_route route on route.id = trip.route_id
        join transport_time_slot slot on slot.id = trip.time_slot_id where trip.id = over.trip_id);
  end if;
end $$;

-- The stop of each rider of these trips is on the plan of the route, on the first day and whenever the plan changes.
create function transport_require_stops(touched integer[]) returns void language plpgsql as $$
begin
  perform 1 from transport_trip where id = any (touched) order by id for no key update;
  if exists (
      select from transport_trip trip
      join transport_assignment ride on trip.id in (ride.pickup_trip_id, ride.drop_trip_id)
      cross join lateral (
        select ride.effective_from as day
        union select effective_from from transport_route_plan where route_id = trip.route_id
        union select effective_to + 1 from transport_route_plan where route_id = trip.route_id and effective_to is not null)
        as days
      where trip.id = any (touched) and days.day between ride.effective_from and coalesce(ride.effective_to, 'infinity')
        and not exists (
          select from transport_route_plan plan join transport_route_stop stop on stop.plan_id = plan.id
          where plan.route_id = trip.route_id
            and days.day between plan.effective_from and coalesce(plan.effective_to, 'infinity')
            and stop.stop_id = case when ride.pickup_trip_id = trip.id then ride.pickup_stop_id else ride.drop_stop_id end)) then
    raise exception 'the stop of a rider is on the route' using errcode = '23514', constraint = 'transport_rider_stop';
  end if;
end $$;

create function transport_keep_riders() returns trigger language plpgsql as $$
declare
  touched integer[];
begin
  if tg_op = 'INSERT' then
    touched := array(select pickup_trip_id from changed union select drop_trip_id from changed);
  elsif tg_op = 'DELETE' then
    touched := array(select pickup_trip_id from before union select drop_trip_id from before);
  else
    touched := array(select pickup_trip_id from changed union select drop_trip_id from changed
      union select pickup_trip_id from before union select drop_trip_id from before);
  end if;
  touched := array_remove(touched, null);
  perform transport_require_seats(touched);
  if tg_op <> 'DELETE' then perform transport_require_stops(touched); end if;
  return null;
end $$;
create trigger seats after insert on transport_assignment referencing new table as changed
  for each statement execute function transport_keep_riders();
create trigger seats_still after update on transport_assignment referencing old table as before new table as changed
  for each statement execute function transport_keep_riders();

create function transport_keep_duty_seats() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform transport_require_seats(array(select distinct trip_id from changed));
  elsif tg_op = 'DELETE' then
    perform transport_require_seats(array(select distinct trip_id from before));
  else
    perform transport_require_seats(array(select trip_id from changed union select trip_id from before));
  end if;
  return null;
end $$;
create trigger seats after insert on transport_duty referencing new table as changed
  for each statement execute function transport_keep_duty_seats();
create trigger seats_still after update on transport_duty referencing old table as before new table as changed
  for each statement execute function transport_keep_duty_seats();
create trigger seats_gone after delete on transport_duty referencing old table as before
  for each statement execute function transport_keep_duty_seats();

-- Deferred: a plan is written before its stops.
create function transport_keep_route_stops() returns trigger language plpgsql as $$
declare
  route integer;
begin
  if tg_table_name = 'transport_route_plan' then
    route := coalesce(new.route_id, old.route_id);
  else
    select route_id into route from transport_route_plan where id = coalesce(new.plan_id, old.plan_id);
  end if;
  perform transport_require_stops(array(select id from transport_trip where route_id = route));
  return null;
end $$;
create constraint trigger stops after insert or update or delete on transport_route_plan
  deferrable initially deferred for each row execute function transport_keep_route_stops();
create constraint trigger stops after update or delete on transport_route_stop
  deferrable initially deferred for each row execute function transport_keep_route_stops();

-- A change that alters days of a closed year is refused: assignments belong to no year.
create function transport_refuse_closed() returns trigger language plpgsql as $$
declare
  closed_until date := (select max(ends_on) from academic_year where status = 'Closed');
  first_day date;
begin
  if tg_op = 'INSERT' then
    select min(effective_from) into first_day from changed;
  elsif tg_op = 'DELETE' then
    select min(effective_from) into first_day from before;
  else
    select min(case
      when (later.pickup_trip_id, later.pickup_stop_id, later.drop_trip_id, later.drop_stop_id, later.effective_from)
        is distinct from
        (earlier.pickup_trip_id, earlier.pickup_stop_id, earlier.drop_trip_id, earlier.drop_stop_id, earlier.effective_from)
        then least(later.effective_from, earlier.effective_from)
      when later.effective_to is distinct from earlier.effective_to
        then least(later.effective_to, earlier.effective_to) + 1 end) into first_day
    from changed later join before earlier on earlier.id = later.id;
  end if;
  if first_day <= closed_until then
    raise exception 'the academic year is closed' using errcode = '23514', constraint = 'academic_year_is_closed';
  end if;
  return null;
end $$;
create trigger closed_year after insert on transport_assignment referencing new table as changed
  for each statement execute function transport_refuse_closed();
create trigger closed_year_still after update on transport_assignment referencing old table as before new table as changed
  for each statement execute function transport_refuse_closed();
create trigger closed_year_gone after delete on transport_assignment referencing old table as before
  for each statement execute function transport_refuse_closed();

grant select, insert, update, delete on transport_assignment to shala_app;
