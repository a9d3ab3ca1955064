-- What a trip is on a day: the clock time at a stop, its vehicle, its free seats, and what a stop costs a month.

create function transport_time(trip integer, stop integer, day date) returns text language sql stable as $$
  select to_char(case when extract(isodow from $3) = 6 and times.saturday_starts <> '' then times.saturday_starts
    else times.starts end::time + make_interval(mins => own.offset_min), 'HH24:MI')
  from transport_trip
  join transport_slot_plan times on times.time_slot_id = transport_trip.time_slot_id
    and $3 between times.effective_from and coalesce(times.effective_to, 'infinity')
  join transport_route_plan plan on plan.route_id = transport_trip.route_id
    and $3 between plan.effective_from and coalesce(plan.effective_to, 'infinity')
  join transport_route_stop own on own.plan_id = plan.id and own.stop_id = $2
  where transport_trip.id = $1
$$;

create function transport_bus(trip integer, day date) returns text language sql stable as $$
  select vehicle.fleet_no from transport_duty duty join transport_vehicle vehicle on vehicle.id = duty.vehicle_id
  where duty.trip_id = $1 and $2 between duty.effective_from and coalesce(duty.effective_to, 'infinity')
$$;

create function transport_price(stop integer, day date) returns jsonb language sql stable as $$
  select jsonb_build_object('monthAmount', price.month_amount, 'oneWayShare', price.one_way_share, 'months', price.months)
  from transport_stop
  join academic_year year on $2 between year.starts_on and year.ends_on
  join transport_slab_price price on price.slab_id = transport_stop.slab_id and price.academic_year_id = year.id
    and price.is_active
  where transport_stop.id = $1
$$;

-- The seat of the rider who asks is free for a change of the same rider.
create function transport_free(trip integer, day date, student integer, staff integer) returns integer
language sql stable as $$
  select coalesce((select seats from transport_duty where trip_id = $1
      and $2 between effective_from and coalesce(effective_to, 'infinity')), 0)
    - (select count(*) from transport_assignment own where (own.pickup_trip_id = $1 or own.drop_trip_id = $1)
      and $2 between own.effective_from and coalesce(own.effective_to, 'infinity')
      and own.student_id is distinct from coalesce($3, 0) and own.staff_id is distinct from coalesce($4, 0))::integer
$$;
