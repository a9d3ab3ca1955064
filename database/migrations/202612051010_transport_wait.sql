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
  entered_by     integer not null references staff,
  entered_at     timestamptz not null,
  version        integer not null default 1
);
create unique index transport_wait_once on transport_wait (student_id) where state = 'Waiting';
create index on transport_wait (student_id);
create index on transport_wait (stop_id);
create index on transport_wait (entered_by);
create index on transport_wait (state, asked_on, id);
grant select, insert, update on transport_wait to shala_app;

-- A child with a seat does not wait, whichever act gave the seat.
create function transport_end_wait() returns trigger language plpgsql as $$
begin
  update transport_wait own set state = 'Seated', version = own.version + 1
  from changed where own.student_id = changed.student_id and own.state = 'Waiting';
  return null;
end $$;
create trigger wait_ends after insert on transport_assignment referencing new table as changed
  for each statement execute function transport_end_wait();

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

-- The first day, from a day on, from which one of these trips always has so many seats; null for none.
create function transport_first_seat(trips integer[], day date, needed integer) returns date language sql stable as $$
  select min(transport_first_free(trip, $2, $3, null, null)) from unnest($1) as trip
$$;
