-- The papers of vehicles, drivers and attendants that count: of each kind the one that lasts longest, and a row without a day
-- for one that a vehicle or driver lacks. The branch is that of the vehicle; a person’s follows from the day. The ids of the rows of different tables never meet.
create view transport_paper as
  select own.id * 20 as id, 'Vehicle' as owner, vehicle.id as vehicle_id, null::integer as crew_id, vehicle.branch_id,
    own.kind as paper, own.number, own.expires_on
  from transport_vehicle_document own
  join transport_vehicle vehicle on vehicle.id = own.vehicle_id and vehicle.is_active
  where own.is_active and not exists (select from transport_vehicle_document later
    where later.vehicle_id = own.vehicle_id and later.kind = own.kind and later.is_active
      and (later.expires_on, later.id) > (own.expires_on, own.id))
  union all
  select vehicle.id * 20 + needed.place, 'Vehicle', vehicle.id, null, vehicle.branch_id, needed.kind, '', null
  from transport_vehicle vehicle
  cross join (values (1, 'RC'), (2, 'Fitness'), (3, 'Insurance'), (4, 'Permit'), (5, 'PUC')) as needed (place, kind)
  where vehicle.is_active and not exists (select from transport_vehicle_document own
    where own.vehicle_id = vehicle.id and own.kind = needed.kind and own.is_active)
  union all
  select crew.id * 20 + dated.place, case when crew.is_driver then 'Driver' else 'Attendant' end, null, crew.id,
    null, dated.paper, dated.number, dated.expires_on
  from transport_crew crew
  cross join lateral (values (6, 'Licence', crew.licence_no, crew.licence_expires_on),
    (7, 'Medical check', '', crew.medical_expires_on)) as dated (place, paper, number, expires_on)
  where crew.is_active and (crew.is_driver or dated.expires_on is not null);
grant select on transport_paper to shala_app;
