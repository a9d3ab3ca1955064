-- Every vehicle is locked, also one whose absence another act has not yet saved: of a trip and an absence given at the same
-- moment the later one sees the earlier.
create or replace function transport_refuse_away() returns trigger language plpgsql as $$
declare
  today date := (school_now() at time zone 'Asia/Kolkata')::date;
  touched integer[] := array(select distinct vehicle_id from changed);
  clash record;
begin
  perform 1 from transport_vehicle where id = any (touched) order by id for no key update;
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
