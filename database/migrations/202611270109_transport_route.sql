-- Routes with the order of their stops by day, trips (a route in a time slot), and their duties: vehicle, driver and
-- attendant by day.

create table transport_route (
  id          integer generated always as identity primary key,
  branch_id   integer not null references academic_branch,
  code        text not null check (length(code) between 1 and 10),
  name        text not null check (length(name) between 1 and 80),
  direction   text not null check (direction in ('Pickup', 'Drop')),
  -- The route of the other direction that was made from this one.
  partner_id  integer references transport_route,
  is_active   boolean not null default true,
  version     integer not null default 1,
  unique (id, direction)
);
create unique index transport_route_code_unique on transport_route (lower(code));
create index on transport_route (branch_id);
create index on transport_route (partner_id);

create table transport_route_plan (
  id              integer generated always as identity primary key,
  route_id        integer not null references transport_route,
  effective_from  date not null,
  effective_to    date,
  constraint transport_route_plan_days check (effective_to >= effective_from),
  constraint transport_route_plan_overlap exclude using gist
    (route_id with =, daterange(effective_from, effective_to, '[]') with &&)
);
create index on transport_route_plan (route_id, effective_from);

create table transport_route_stop (
  plan_id     integer not null references transport_route_plan on delete cascade,
  seq         smallint not null check (seq between 1 and 60),
  stop_id     integer not null references transport_stop,
  -- Minutes after the slot begins.
  offset_min  smallint not null check (offset_min between 0 and 240),
  primary key (plan_id, seq),
  constraint transport_route_stop_once unique (plan_id, stop_id)
);
create index on transport_route_stop (stop_id);

create table transport_trip (
  id            integer generated always as identity primary key,
  route_id      integer not null,
  time_slot_id  integer not null,
  direction     text not null,
  constraint transport_trip_route foreign key (route_id, direction) references transport_route (id, direction),
  constraint transport_trip_slot foreign key (time_slot_id, direction) references transport_time_slot (id, direction),
  constraint transport_trip_once unique (route_id, time_slot_id),
  unique (id, direction),
  unique (id, time_slot_id)
);
create index on transport_trip (time_slot_id);

create table transport_duty (
  id              integer generated always as identity primary key,
  trip_id         integer not null,
  time_slot_id    integer not null,
  slot_plan_id    integer not null,
  minutes         int4multirange not null,
  vehicle_id      integer not null,
  seats           smallint not null,
  driver_id       integer not null references transport_crew,
  attendant_id    integer not null references transport_crew,
  effective_from  date not null,
  effective_to    date,
  version         integer not null default 1,
  constraint transport_duty_days check (effective_to >= effective_from),
  constraint transport_duty_two_people check (driver_id <> attendant_id),
  foreign key (trip_id, time_slot_id) references transport_trip (id, time_slot_id),
  foreign key (slot_plan_id, time_slot_id, minutes) references transport_slot_plan (id, time_slot_id, minutes),
  foreign key (vehicle_id, seats) references transport_vehicle (id, seats) on update cascade,
  -- Checked at the end of a statement, so that two trips may swap.
  constraint transport_duty_once exclude using gist
    (trip_id with =, daterange(effective_from, effective_to, '[]') with &&) deferrable initially immediate,
  constraint transport_duty_vehicle exclude using gist
    (vehicle_id with =, daterange(effective_from, effective_to, '[]') with &&, minutes with &&) deferrable initially immediate,
  constraint transport_duty_driver exclude using gist
    (driver_id with =, daterange(effective_from, effective_to, '[]') with &&, minutes with &&) deferrable initially immediate,
  constraint transport_duty_attendant exclude using gist
    (attendant_id with =, daterange(effective_from, effective_to, '[]') with &&, minutes with &&) deferrable initially immediate
);
create index on transport_duty (trip_id, effective_from);
create index on transport_duty (time_slot_id);
create index on transport_duty (slot_plan_id);
create index on transport_duty (vehicle_id);
create index on transport_duty (driver_id);
create index on transport_duty (attendant_id);

-- A new duty needs valid papers of the vehicle and of the driver; one that continues the day before does not, so that new
-- times never stop a running bus.
create function transport_require_papers() returns trigger language plpgsql as $$
declare
  lacking text;
begin
  select string_agg(distinct what, ', ') into lacking
  from changed duty
  join transport_vehicle vehicle on vehicle.id = duty.vehicle_id
  cross join lateral (
    select greatest(duty.effective_from, (now() at time zone 'Asia/Kolkata')::date) as day) as needed
  cross join lateral (
    select vehicle.fleet_no || ' ' || kind as what
    from unnest(array['RC', 'Fitness', 'Insurance', 'Permit', 'PUC']) as kind
    where not exists (select from transport_duty earlier where earlier.trip_id = duty.trip_id
        and earlier.vehicle_id = duty.vehicle_id and earlier.effective_to = duty.effective_from - 1)
      and not exists (select from transport_vehicle_document paper where paper.vehicle_id = vehicle.id
        and paper.kind = kind.kind and paper.is_active and paper.expires_on >= needed.day)
    union all
    select staff.name || ' ' || papers.name
    from transport_crew crew join staff on staff.id = crew.staff_id
    cross join lateral (values ('licence', crew.licence_expires_on), ('medical check', crew.medical_expires_on))
      as papers (name, expires_on)
    where crew.id = duty.driver_id and coalesce(papers.expires_on, '-infinity') < needed.day
      and not exists (select from transport_duty earlier where earlier.trip_id = duty.trip_id
        and earlier.driver_id = duty.driver_id and earlier.effective_to = duty.effective_from - 1)) as papers;
  if lacking is not null then
    raise exception 'papers of a new duty are missing or have expired' using errcode = '23514',
      constraint = 'transport_duty_papers', detail = lacking;
  end if;
  if exists (
      select from changed duty join transport_slot_plan plan on plan.id = duty.slot_plan_id
      where duty.effective_from < plan.effective_from
        or coalesce(duty.effective_to, 'infinity') > coalesce(plan.effective_to, 'infinity')) then
    raise exception 'a duty lies within the times of its slot' using errcode = '23514', constraint = 'transport_duty_inside';
  end if;
  if exists (
      select from changed duty
      join transport_crew driver on driver.id = duty.driver_id
      join transport_crew attendant on attendant.id = duty.attendant_id
      where not driver.is_driver or not attendant.is_attendant) then
    raise exception 'the driver drives and the attendant attends' using errcode = '23514', constraint = 'transport_duty_crew';
  end if;
  return null;
end $$;
create trigger papers after insert on transport_duty referencing new table as changed
  for each statement execute function transport_require_papers();

-- The times of a slot are stored by day. Once trips use them, new times begin later than those before, and the duties are
-- divided there; the clash of a vehicle or of its crew is found by their constraints.
create function transport_keep_slot_plan() returns trigger language plpgsql as $$
declare
  latest transport_slot_plan;
  added integer;
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
      latest := null;
    elsif new.valid_from <= latest.effective_from then
      raise exception 'trips use these times' using errcode = '23514', constraint = 'transport_time_slot_used';
    else
      update transport_slot_plan set effective_to = new.valid_from - 1 where id = latest.id;
    end if;
  end if;
  insert into transport_slot_plan (time_slot_id, effective_from, weekdays, starts, ends, saturday_starts, saturday_ends)
    values (new.id, new.valid_from, new.weekdays, new.starts, new.ends, new.saturday_starts, new.saturday_ends)
    returning id into added;
  if latest.id is null then return null; end if;
  with going_on as (
    select * from transport_duty where slot_plan_id = latest.id and coalesce(effective_to, 'infinity') >= new.valid_from
  ), ended as (
    update transport_duty duty set effective_to = new.valid_from - 1 from going_on
    where duty.id = going_on.id and going_on.effective_from < new.valid_from
    returning duty.id
  ), moved as (
    update transport_duty duty set slot_plan_id = plan.id, minutes = plan.minutes
    from going_on, transport_slot_plan plan
    where duty.id = going_on.id and going_on.effective_from >= new.valid_from and plan.id = added
    returning duty.id
  )
  insert into transport_duty (trip_id, time_slot_id, slot_plan_id, minutes, vehicle_id, seats, driver_id, attendant_id,
      effective_from, effective_to)
    select trip_id, new.id, plan.id, plan.minutes, vehicle_id, seats, driver_id, attendant_id, new.valid_from,
      going_on.effective_to
    from going_on join ended on ended.id = going_on.id join transport_slot_plan plan on plan.id = added;
  return null;
end $$;
create trigger plan after insert or update on transport_time_slot
  for each row execute function transport_keep_slot_plan();

-- What trips use from today on is not deactivated.
create function transport_keep_used() returns trigger language plpgsql as $$
declare
  today date := (now() at time zone 'Asia/Kolkata')::date;
  is_used boolean;
begin
  is_used := case tg_table_name
    when 'transport_vehicle' then exists (
      select from transport_duty where vehicle_id = new.id and coalesce(effective_to, 'infinity') >= today)
    when 'transport_crew' then exists (
      select from transport_duty where new.id in (driver_id, attendant_id) and coalesce(effective_to, 'infinity') >= today)
    when 'transport_time_slot' then exists (
      select from transport_duty where time_slot_id = new.id and coalesce(effective_to, 'infinity') >= today)
    when 'transport_stop' then exists (
      select from transport_route_stop stop join transport_route_plan plan on plan.id = stop.plan_id
      where stop.stop_id = new.id and coalesce(plan.effective_to, 'infinity') >= today)
    when 'transport_route' then exists (
      select from transport_trip trip join transport_duty duty on duty.trip_id = trip.id
      where trip.route_id = new.id and coalesce(duty.effective_to, 'infinity') >= today)
  end;
  if is_used then
    raise exception 'trips use this' using errcode = '23514', constraint = 'transport_used';
  end if;
  return null;
end $$;
create trigger used after update on transport_vehicle for each row
  when ((old.is_active and not new.is_active) or (new.is_under_repair and not old.is_under_repair))
  execute function transport_keep_used();
create trigger used after update on transport_crew for each row
  when ((old.is_active and not new.is_active) or (old.is_driver and not new.is_driver)
    or (old.is_attendant and not new.is_attendant))
  execute function transport_keep_used();
create trigger used after update on transport_time_slot for each row
  when (old.is_active and not new.is_active) execute function transport_keep_used();
create trigger used after update on transport_stop for each row
  when (old.is_active and not new.is_active) execute function transport_keep_used();
create trigger used after update on transport_route for each row
  when (old.is_active and not new.is_active) execute function transport_keep_used();

grant select, insert, update, delete on transport_route, transport_route_plan, transport_route_stop, transport_trip,
  transport_duty to shala_app;
