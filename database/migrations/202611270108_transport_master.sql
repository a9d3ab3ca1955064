-- Transport: fee slabs and their prices by year, stops, time slots, vehicles with their papers, drivers and attendants
-- (docs/decisions/0156-transport-by-day.md).

create table transport_fee_slab (
  id         integer generated always as identity primary key,
  name       text not null check (length(name) between 1 and 40),
  from_km    smallint check (from_km between 0 and 200),
  to_km      smallint check (to_km between 0 and 200),
  is_active  boolean not null default true,
  version    integer not null default 1,
  constraint transport_fee_slab_rising check (to_km > from_km)
);
create unique index transport_fee_slab_name_unique on transport_fee_slab (lower(name));

-- What a month costs both ways; one way costs a share of it.
create table transport_slab_price (
  id                integer generated always as identity primary key,
  academic_year_id  integer not null references academic_year,
  slab_id           integer not null references transport_fee_slab,
  month_amount      bigint not null check (month_amount between 100 and 90000000000000),
  one_way_share     integer not null check (one_way_share between 100 and 10000),
  months            text[] not null check (cardinality(months) > 0 and months <@ array['January', 'February', 'March', 'April',
                      'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']),
  is_active         boolean not null default true,
  version           integer not null default 1
);
create unique index transport_slab_price_slab_id_unique on transport_slab_price (academic_year_id, slab_id);
create index on transport_slab_price (slab_id);
create trigger closed_year after insert on transport_slab_price referencing new table as changed
  for each statement execute function academic_refuse_closed_years();
create trigger closed_year_still after update on transport_slab_price
  referencing old table as before new table as changed for each statement execute function academic_refuse_closed_years();
create trigger closed_year_gone after delete on transport_slab_price referencing old table as before
  for each statement execute function academic_refuse_closed_years();

create table transport_stop (
  id         integer generated always as identity primary key,
  branch_id  integer not null references academic_branch,
  name       text not null check (length(name) between 1 and 80),
  slab_id    integer not null references transport_fee_slab,
  landmark   text not null default '' check (length(landmark) <= 120),
  area       text not null default '' check (length(area) <= 80),
  pin_code   text not null default '' check (pin_code ~ '^([1-9][0-9]{5})?$'),
  is_active  boolean not null default true,
  version    integer not null default 1
);
create unique index transport_stop_name_unique on transport_stop (branch_id, lower(name));
create index on transport_stop (slab_id);

create table transport_time_slot (
  id               integer generated always as identity primary key,
  name             text not null check (length(name) between 1 and 40),
  direction        text not null check (direction in ('Pickup', 'Drop')),
  weekdays         text[] not null check (cardinality(weekdays) > 0 and weekdays <@ array['Monday', 'Tuesday', 'Wednesday',
                     'Thursday', 'Friday', 'Saturday']),
  starts           text not null check (starts ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  ends             text not null check (ends ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  saturday_starts  text not null default '' check (saturday_starts ~ '^(([01][0-9]|2[0-3]):[0-5][0-9])?$'),
  saturday_ends    text not null default '' check (saturday_ends ~ '^(([01][0-9]|2[0-3]):[0-5][0-9])?$'),
  valid_from       date not null,
  from_grade_id    integer references academic_grade,
  to_grade_id      integer references academic_grade,
  is_active        boolean not null default true,
  version          integer not null default 1,
  constraint transport_time_slot_ends check (ends > starts),
  constraint transport_time_slot_saturday check ((saturday_starts = '') = (saturday_ends = '')
    and (saturday_ends = '' or saturday_ends > saturday_starts)),
  unique (id, direction)
);
create unique index transport_time_slot_name_unique on transport_time_slot (lower(name));
create index on transport_time_slot (from_grade_id);
create index on transport_time_slot (to_grade_id);

-- The minutes of the week that a slot takes, so that two slots of one vehicle can be compared: Monday 06:45 is minute 405.
create function transport_minutes(weekdays text[], starts text, ends text, saturday_starts text, saturday_ends text)
returns int4multirange language sql immutable as $$
  select range_agg(int4range(
    (day.place - 1)::integer * 1440 + substr(day.starts, 1, 2)::integer * 60 + substr(day.starts, 4, 2)::integer,
    (day.place - 1)::integer * 1440 + substr(day.ends, 1, 2)::integer * 60 + substr(day.ends, 4, 2)::integer))
  from (
    select place,
      case when name = 'Saturday' and $4 <> '' then $4 else $2 end as starts,
      case when name = 'Saturday' and $4 <> '' then $5 else $3 end as ends
    from unnest(array['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']) with ordinality as all_days (name, place)
    where name = any ($1)) as day
$$;

-- The times of a slot by day. The slot itself has the latest.
create table transport_slot_plan (
  id               integer generated always as identity primary key,
  time_slot_id     integer not null references transport_time_slot on delete cascade,
  effective_from   date not null,
  effective_to     date,
  weekdays         text[] not null,
  starts           text not null,
  ends             text not null,
  saturday_starts  text not null,
  saturday_ends    text not null,
  minutes          int4multirange not null
                     generated always as (transport_minutes(weekdays, starts, ends, saturday_starts, saturday_ends)) stored,
  constraint transport_slot_plan_days check (effective_to >= effective_from),
  constraint transport_slot_plan_overlap exclude using gist
    (time_slot_id with =, daterange(effective_from, effective_to, '[]') with &&),
  unique (id, time_slot_id, minutes)
);
create index on transport_slot_plan (time_slot_id, effective_from);

create table transport_vehicle (
  id                integer generated always as identity primary key,
  branch_id         integer not null references academic_branch,
  fleet_no          text not null check (length(fleet_no) between 1 and 10),
  registration_no   text not null
                      check (registration_no ~ '^([A-Z]{2}[0-9]{1,2}[A-Z]{0,3}[0-9]{4}|[0-9]{2}BH[0-9]{4}[A-Z]{1,2})$'),
  kind              text not null check (kind in ('Bus', 'Mini bus', 'Van', 'Car', 'Electric')),
  ownership         text not null check (ownership in ('Owned', 'Hired', 'Contract')),
  seat_capacity     smallint not null check (seat_capacity between 1 and 80),
  reserved_seats    smallint not null check (reserved_seats between 0 and 10),
  vendor            text not null default '' check (length(vendor) <= 80),
  make              text not null default '' check (length(make) <= 40),
  model             text not null default '' check (length(model) <= 40),
  made_year         smallint check (made_year between 1990 and 2100),
  fuel              text not null default '' check (fuel in ('', 'Diesel', 'CNG', 'Petrol', 'Electric')),
  chassis_no        text not null default '' check (length(chassis_no) <= 30),
  engine_no         text not null default '' check (length(engine_no) <= 30),
  gps_device        text not null default '' check (length(gps_device) <= 30),
  has_camera        boolean not null default false,
  is_under_repair   boolean not null default false,
  is_active         boolean not null default true,
  version           integer not null default 1,
  -- For riders.
  seats             smallint not null generated always as (seat_capacity - reserved_seats) stored,
  constraint transport_vehicle_reserved check (reserved_seats < seat_capacity),
  constraint transport_vehicle_seats unique (id, seats)
);
create unique index transport_vehicle_fleet_no_unique on transport_vehicle (lower(fleet_no));
create unique index transport_vehicle_registration_no_unique on transport_vehicle (lower(registration_no));
create index on transport_vehicle (branch_id);

-- "gj-05 ab 1234" and "GJ05AB1234" are one number.
create function transport_plain_registration() returns trigger language plpgsql as $$
begin
  new.registration_no := upper(regexp_replace(new.registration_no, '[\s-]', '', 'g'));
  return new;
end $$;
create trigger plain before insert or update on transport_vehicle
  for each row execute function transport_plain_registration();

create table transport_vehicle_document (
  id          integer generated always as identity primary key,
  vehicle_id  integer not null references transport_vehicle,
  kind        text not null check (kind in ('RC', 'Fitness', 'Insurance', 'Permit', 'PUC', 'Speed governor', 'Road tax',
                'Fire extinguisher', 'First aid', 'GPS')),
  number      text not null default '' check (length(number) <= 40),
  issued_on   date,
  expires_on  date not null,
  is_active   boolean not null default true,
  version     integer not null default 1,
  constraint transport_vehicle_document_days check (expires_on >= issued_on)
);
create unique index transport_vehicle_document_expires_on_unique on transport_vehicle_document (vehicle_id, kind, expires_on);
create index on transport_vehicle_document (expires_on);

create table transport_crew (
  id                  integer generated always as identity primary key,
  staff_id            integer not null references staff,
  is_driver           boolean not null default false,
  is_attendant        boolean not null default false,
  licence_no          text not null default '' check (length(licence_no) <= 20),
  licence_class       text not null default '' check (licence_class in ('', 'LMV', 'LMV transport', 'HMV', 'HPMV')),
  licence_expires_on  date,
  badge_no            text not null default '' check (length(badge_no) <= 20),
  police_verified_on  date,
  medical_expires_on  date,
  trained_on          date,
  is_active           boolean not null default true,
  version             integer not null default 1
);
create unique index transport_crew_staff_id_unique on transport_crew (staff_id);

-- Reminders of papers that expire, each once: a renewed paper has another last day.
create table transport_reminded (
  what        text not null check (what in ('document', 'licence', 'medical')),
  subject_id  integer not null,
  days        smallint not null,
  expires_on  date not null,
  primary key (what, subject_id, days, expires_on)
);

grant select, insert, update, delete on transport_fee_slab, transport_slab_price, transport_stop, transport_time_slot,
  transport_slot_plan, transport_vehicle, transport_vehicle_document, transport_crew to shala_app;
grant select, insert on transport_reminded to shala_app;
