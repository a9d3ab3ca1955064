-- Children who wait for a seat, in the order in which they asked.
create table transport_wait (
  id             integer generated always as identity primary key,
  student_id     integer not null references student,
  stop_id        integer not null references transport_stop,
  ways           text not null check (ways in ('Both', 'Pickup', 'Drop')),
  wanted_from    date not null,
  asked_on       date not null,
  note           text not null default '' check (length(note) <= 200),
  state          text not null default 'Waiting' check (state in ('Waiting', 'Seated', 'Withdrawn')),
  -- The ride that gave the seat.
  assignment_id  integer references transport_assignment deferrable initially deferred,
  entered_by     integer not null references staff,
  entered_at     timestamptz not null,
  version        integer not null default 1,
  check ((state = 'Seated') = (assignment_id is not null))
);
create unique index transport_wait_once on transport_wait (student_id) where state = 'Waiting';
create index on transport_wait (student_id);
create index on transport_wait (stop_id);
create index on transport_wait (assignment_id);
create index on transport_wait (entered_by);
create index on transport_wait (state, asked_on, id);
grant select, insert, update on transport_wait to shala_app;

create trigger only_by_merge before update of student_id on transport_wait for each row
  when (old.student_id is distinct from new.student_id) execute function student_only_by_merge('student_id');

-- A child whose ride reaches the day from which it wants the seat does not wait, whichever act gave or lengthened the ride.
-- Where that ride is deleted or ends before that day, the child waits again in its place, unless it has asked again since.
create function transport_keep_waits() returns trigger language plpgsql as $$
declare
  children integer[];
begin
  if tg_op = 'INSERT' then children := array(select changed.student_id from changed);
  elsif tg_op = 'DELETE' then children := array(select before.student_id from before);
  else children := array(select changed.student_id from changed union select before.student_id from before);
  end if;
  update transport_wait own set assignment_id = null, version = own.version + 1,
    state = case when exists (select from transport_wait later where later.student_id = own.student_id and later.id > own.id
      and later.state <> 'Withdrawn') then 'Withdrawn' else 'Waiting' end
  where own.student_id = any (children) and own.state = 'Seated'
    and not exists (select from transport_assignment ride where ride.id = own.assignment_id
      and coalesce(ride.effective_to, 'infinity') >= own.wanted_from);
  update transport_wait own set state = 'Seated', assignment_id = ride.id, version = own.version + 1
  from (
    select distinct on (waiting.id) waiting.id as wait_id, ride.id from transport_wait waiting
    join transport_assignment ride on ride.student_id = waiting.student_id
      and coalesce(ride.effective_to, 'infinity') >= waiting.wanted_from
    where waiting.student_id = any (children) and waiting.state = 'Waiting'
    order by waiting.id, ride.effective_from) as ride
  where own.id = ride.wait_id;
  return null;
end $$;
create trigger waits after insert on transport_assignment referencing new table as changed
  for each statement execute function transport_keep_waits();
create trigger waits_still after update on transport_assignment referencing old table as before new table as changed
  for each statement execute function transport_keep_waits();
create trigger waits_again after delete on transport_assignment referencing old table as before
  for each statement execute function transport_keep_waits();

-- The children who wait and are at the school on the day from which they want the seat, each with the trips that stop there
-- and take the grade, and the place in the line: after those who asked before and whom one of the same trips would take.
create function transport_line(today date) returns table (
  wait_id integer, student_id integer, pickup_trips integer[], drop_trips integer[], place integer)
language sql stable as $$
  with waiting as materialized (
    select own.id, own.student_id, own.asked_on, own.ways, own.stop_id, greatest(own.wanted_from, $1) as day
    from transport_wait own where own.state = 'Waiting'
  ), served as materialized (
    select waiting.id, waiting.student_id, waiting.asked_on, taking.pickup_trips, taking.drop_trips
    from waiting
    join lateral student_place(waiting.student_id, waiting.day) there on there.tense = 'now'
    join academic_grade grade on grade.id = there.grade_id
    cross join lateral (
      select coalesce(array_agg(trip.id) filter (where trip.direction = 'Pickup' and waiting.ways <> 'Drop'), '{}') as pickup_trips,
        coalesce(array_agg(trip.id) filter (where trip.direction = 'Drop' and waiting.ways <> 'Pickup'), '{}') as drop_trips
      from transport_route_stop stop
      join transport_route_plan plan on plan.id = stop.plan_id
        and waiting.day between plan.effective_from and coalesce(plan.effective_to, 'infinity')
      join transport_route route on route.id = plan.route_id and route.is_active
      join transport_trip trip on trip.route_id = route.id
      join transport_time_slot slot on slot.id = trip.time_slot_id
      left join academic_grade least on least.id = slot.from_grade_id
      left join academic_grade most on most.id = slot.to_grade_id
      where stop.stop_id = waiting.stop_id
        and grade.position between coalesce(least.position, grade.position) and coalesce(most.position, grade.position)
    ) as taking
  )
  select own.id, own.student_id, own.pickup_trips, own.drop_trips,
    1 + (select count(*) from served earlier where (earlier.asked_on, earlier.id) < (own.asked_on, own.id)
      and (earlier.pickup_trips && own.pickup_trips or earlier.drop_trips && own.drop_trips))::integer
  from served own
$$;

-- The line with only these trips, and the first day from which each way of a child always has a seat for it and for those
-- before; null for none. The seats of a trip are counted once for all who wait for it.
create function transport_line_seats(today date, reached integer[]) returns table (
  wait_id integer, pickup_trips integer[], drop_trips integer[], place integer, free_from date)
language sql stable as $$
  with line as materialized (
    select line.*, own.ways, greatest(own.wanted_from, $1) as day
    from transport_line($1) line join transport_wait own on own.id = line.wait_id
  ), step as materialized (
    select trip.id, days.day, lead(days.day) over (partition by trip.id order by days.day) as next,
      transport_free(trip.id, days.day, null, null) as free
    from (select distinct unnest(line.pickup_trips || line.drop_trips) as id from line) as trip
    cross join lateral (
      select $1 as day union select own from transport_changing_days(trip.id) own where own > $1) as days
    where trip.id = any ($2)
  ), first as materialized (
    select line.wait_id, way.name, min(case when lack.day is null then line.day
      else (select min(later.day) from step later where later.id = trip.id and later.day > lack.day) end) as day
    from line
    cross join lateral (values ('Pickup', line.pickup_trips), ('Drop', line.drop_trips)) as way (name, trips)
    cross join lateral unnest(way.trips) as trip (id)
    cross join lateral (
      select max(step.day) as day from step
      where step.id = trip.id and coalesce(step.next, 'infinity') > line.day and step.free < line.place) as lack
    where trip.id = any ($2)
    group by line.wait_id, way.name
  )
  select line.wait_id, array(select unnest(line.pickup_trips) intersect select unnest($2)),
    array(select unnest(line.drop_trips) intersect select unnest($2)), line.place,
    case when (line.ways <> 'Drop' and pickup.day is null) or (line.ways <> 'Pickup' and home.day is null) then null
      else greatest(pickup.day, home.day) end
  from line
  left join first pickup on pickup.wait_id = line.wait_id and pickup.name = 'Pickup'
  left join first home on home.wait_id = line.wait_id and home.name = 'Drop'
$$;
