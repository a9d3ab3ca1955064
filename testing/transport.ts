import { nextNumber } from './numbers.ts';
import type { School } from './school.ts';
import { seat } from './seated.ts';

/** The first day of every plan and duty that a test makes. */
export const firstDay = '2026-06-01';

type Sql = Pick<School, 'sql'>;

const idOf = async ({ sql }: Sql, statement: string) => Number((await sql(`${statement} returning id`))[0]?.id);

export function plantBranch(school: Sql) {
  const number = nextNumber();
  return idOf(school, `insert into academic_branch (name, code) values ('Branch ${number}', 'B${number}')`);
}

/** Stops in a branch, all in one slab. */
export async function addStops(school: Sql, branchId: number, count: number): Promise<number[]> {
  const slab = await idOf(school, `insert into transport_fee_slab (name) values ('Slab ${nextNumber()}')`);
  const stops: number[] = [];
  for (let stop = 0; stop < count; stop++)
    stops.push(
      await idOf(
        school,
        `insert into transport_stop (branch_id, name, slab_id) values (${branchId}, 'Stop ${nextNumber()}', ${slab})`,
      ),
    );
  return stops;
}

interface Times {
  direction?: 'Pickup' | 'Drop';
  starts?: string;
  ends?: string;
  weekdays?: readonly string[];
}

const schoolDays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export const addSlot = (
  school: Sql,
  { direction = 'Pickup', starts = '06:45', ends = '08:00', weekdays = schoolDays }: Times = {},
) =>
  idOf(
    school,
    `insert into transport_time_slot (name, direction, weekdays, starts, ends, valid_from)
      values ('Slot ${nextNumber()}', '${direction}', '{${weekdays.join(',')}}', '${starts}', '${ends}', '${firstDay}')`,
  );

/** A bus with so many seats for riders, and papers that don’t expire soon. */
export async function addBus(school: Sql, branchId: number, seats: number): Promise<number> {
  const number = nextNumber();
  const bus = await idOf(
    school,
    `insert into transport_vehicle (branch_id, fleet_no, registration_no, kind, ownership, seat_capacity, reserved_seats)
      values (${branchId}, 'Bus ${number}', 'GJ05BX${1000 + (number % 9000)}', 'Bus', 'Owned', ${seats + 2}, 2)`,
  );
  await school.sql(`insert into transport_vehicle_document (vehicle_id, kind, expires_on)
    select ${bus}, kind, '2099-12-31' from unnest(array['RC', 'Fitness', 'Insurance', 'Permit', 'PUC']) as kind`);
  return bus;
}

/** A person who may drive and attend, with a valid licence and medical check. */
export const addCrew = (school: Sql, expiresOn = '2099-12-31') =>
  idOf(
    school,
    `with person as (insert into staff (name, employee_number) values ('Crew ${nextNumber()}', 'D${nextNumber()}')
      returning id)
    insert into transport_crew (staff_id, is_driver, is_attendant, licence_expires_on, medical_expires_on)
      select id, true, true, '${expiresOn}', '${expiresOn}' from person`,
  );

interface RouteParts {
  branchId: number;
  stops: readonly number[];
  direction?: 'Pickup' | 'Drop';
}

/** A route whose stops are five minutes apart. */
export async function addRoute(school: Sql, { branchId, stops, direction = 'Pickup' }: RouteParts): Promise<number> {
  const number = nextNumber();
  const route = await idOf(
    school,
    `insert into transport_route (branch_id, code, name, direction)
      values (${branchId}, 'R${number}', 'Route ${number}', '${direction}')`,
  );
  await school.sql(`with plan as (insert into transport_route_plan (route_id, effective_from)
      values (${route}, '${firstDay}') returning id)
    insert into transport_route_stop (plan_id, seq, stop_id, offset_min)
      select plan.id, place, stop_id, 5 * (place - 1) from plan,
        unnest(array[${stops.join(', ')}]) with ordinality as stop (stop_id, place)`);
  return route;
}

/** A trip of the route with a bus of so many seats and people of its own. */
export async function addTrip(school: Sql, route: number, slot: number, bus: number): Promise<number> {
  const driver = await addCrew(school);
  const attendant = await addCrew(school);
  const trip = await idOf(
    school,
    `insert into transport_trip (route_id, time_slot_id, direction)
      select ${route}, id, direction from transport_time_slot where id = ${slot}`,
  );
  await school.sql(`insert into transport_standing (trip_id, role, vehicle_id, crew_id, effective_from) values
    (${trip}, 'Vehicle', ${bus}, null, '${firstDay}'), (${trip}, 'Driver', null, ${driver}, '${firstDay}'),
    (${trip}, 'Attendant', null, ${attendant}, '${firstDay}')`);
  await school.sql(`select transport_lay(array[${trip}])`);
  return trip;
}

/** Routes of both directions with a trip each, on stops that cost ₹1,500 a month, and a bus without a trip. */
export async function openFleet(school: School, { seats }: { seats: number }) {
  const [branch] = await school.sql('select min(id) as id from academic_branch');
  const branchId = Number(branch?.id);
  const stops = await addStops(school, branchId, 3);
  // A school that has taken money asks a second person about the first price of a slab.
  await school.sql('alter table transport_slab_price disable trigger lowered');
  await school.sql(`insert into transport_slab_price (academic_year_id, slab_id, month_amount, one_way_share, months)
    select year.id, stop.slab_id, 150000, 6000, '{June,July,August,September,October,November,December,January}'
    from academic_year year, transport_stop stop where year.id = academic_year_on() and stop.id = ${stops[0]}`);
  await school.sql('alter table transport_slab_price enable trigger lowered');
  const way = async (direction: 'Pickup' | 'Drop', starts: string, ends: string) => {
    const slot = await addSlot(school, { direction, starts, ends });
    const route = await addRoute(school, { branchId, stops, direction });
    const bus = await addBus(school, branchId, seats);
    return { slot, route, bus, trip: await addTrip(school, route, slot, bus) };
  };
  return {
    stops,
    pickup: await way('Pickup', '06:45', '08:00'),
    drop: await way('Drop', '14:00', '15:30'),
    spare: await addBus(school, branchId, seats),
  };
}

/** Children who sit in a section from the first day of its year. */
export async function addRiders(school: School, section: number, count: number): Promise<number[]> {
  const children: number[] = [];
  for (let child = 0; child < count; child++) children.push(await seat(school, section, `Child${nextNumber()}`));
  return children;
}
