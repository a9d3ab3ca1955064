-- Families that are told of a change of some days, once for each act. The message itself is read when it is sent.
create table transport_told (
  id           integer generated always as identity primary key,
  act          uuid not null,
  guardian_id  integer not null references guardian,
  constraint transport_told_once unique (act, guardian_id)
);
create index on transport_told (guardian_id);
grant select, insert on transport_told to shala_app;

-- Absences of a vehicle that were entered with its stand-in are undone with it.
alter table transport_vehicle_away add column act uuid;
create index on transport_vehicle_away (act);

-- Whether the families are told, on the evening before the first day where it is a later one.
alter table transport_stand_in add column is_told boolean not null default false;
