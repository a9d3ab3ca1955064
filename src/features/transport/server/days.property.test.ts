import { afterAll, beforeAll, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { addDays } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { isSoak } from '#testing/soak.ts';
import { addBus, addCrew, addRiders, addRoute, addSlot, addStops, addTrip, firstDay } from '#testing/transport.ts';

const [acts, seeds] = isSoak ? [400, [1, 2, 3, 4, 5, 6]] : [36, [7]];
const span = 400;

type Role = 'Vehicle' | 'Driver' | 'Attendant';
const roles = ['Vehicle', 'Driver', 'Attendant'] as const;

/** The standing rows of a day; a new one begins with each change, also one to the same vehicle or person. */
interface Standing {
  own: number;
  row: number;
}
interface Trip {
  id: number;
  route: number;
  standing: Record<Role, Standing[]>;
}
interface Ride {
  id: number;
  child: number;
  trip: number;
  from: number;
  to: number;
}
/** Days of an act, as offsets: who stands in, that the trip does not run, or where a rider is. */
type Layer = { act: string; from: number; to: number } & (
  | { trip: number; role: Role; own: number }
  | { trip: number; role: 'Not running' }
  | { ride: Ride; other: number | null }
);

let school: School;
let keeper: Person;
let start: string;
let slot: number;
let stop: number;
const seats = new Map<number, number>();
const buses: number[] = [];
const crew: number[] = [];
const trips: Trip[] = [];
const rides: Ride[] = [];
let layers: Layer[] = [];
let children: number[] = [];
let rows = 0;
let today = 0;

const dayAt = (offset: number) => addDays(start, offset);

beforeAll(async () => {
  school = await openSchool();
  keeper = await school.person({ name: 'Ramesh', role: 'Staff', sets: ['transportIncharge'] });
  const [year] =
    await school.sql(`select id, starts_on::text, (school_now() at time zone 'Asia/Kolkata')::date::text as today,
      (select min(id) from academic_branch) as branch from academic_year where id = academic_year_on()`);
  start = String(year?.today);
  const branchId = Number(year?.branch);
  const section = (await plant(school, sectionMaster, { academicYearId: Number(year?.id), capacity: 80 })).id;
  const stops = await addStops(school, branchId, 2);
  stop = stops[0] ?? 0;
  slot = await addSlot(school);
  for (const count of [3, 3, 4, 2, 5, 3]) {
    const bus = await addBus(school, branchId, count);
    seats.set(bus, count);
    buses.push(bus);
  }
  for (const bus of buses.slice(0, 4)) {
    const route = await addRoute(school, { branchId, stops });
    const id = await addTrip(school, route, slot, bus);
    const [duty] = await school.sql(`select driver_id, attendant_id from transport_duty where trip_id = ${id}`);
    const all = (own: unknown) => Array.from({ length: span }, () => ({ own: Number(own), row: 0 }));
    trips.push({
      id,
      route,
      standing: { Vehicle: all(bus), Driver: all(duty?.driver_id), Attendant: all(duty?.attendant_id) },
    });
    crew.push(Number(duty?.driver_id), Number(duty?.attendant_id));
  }
  for (let more = 0; more < 3; more++) crew.push(await addCrew(school));
  children = await addRiders(school, section, 12);
  for (const [place, child] of children.slice(0, 8).entries()) {
    const trip = trips[place % 4]?.id ?? 0;
    const [row] = await school.sql(`insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id,
      effective_from, billed_from, fee) values (${child}, ${trip}, ${stop}, '${firstDay}', '${firstDay}', 'By stop') returning id`);
    rides.push({ id: Number(row?.id), child, trip, from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY });
  }
});
afterAll(() => school.close());

/** The plain array: of a day each trip’s vehicle, driver, attendant and children. */
function planOf(day: number) {
  const on = layers.filter(({ from, to }) => day >= from && day <= to);
  const placeOf = (ride: Ride) => {
    const other = on.findLast((layer) => 'ride' in layer && layer.ride === ride);
    return other && 'ride' in other ? other.other : ride.trip;
  };
  const riding = rides.filter(({ from, to }) => day >= from && day <= to);
  return trips.map(({ id, standing }) => {
    const of = (role: Role) => {
      const layer = on.findLast((one) => 'role' in one && one.trip === id && one.role === role);
      return layer && 'own' in layer ? layer.own : (standing[role][day]?.own ?? 0);
    };
    const isOff = on.some((one) => 'role' in one && one.trip === id && one.role === 'Not running');
    const own = isOff ? [null, null, null] : roles.map(of);
    const riders = riding.filter((ride) => placeOf(ride) === id).map(({ child }) => child);
    return { trip: id, own, riders: riders.toSorted((one, other) => one - other) };
  });
}

async function storedPlan() {
  const found = await school.sql(`
    with riding as materialized (
      select days.day::date as day, ride.trip_id, array_agg(ride.student_id order by ride.student_id) as riders
      from generate_series('${start}'::date, '${dayAt(span - 1)}'::date, '1 day') as days (day)
      cross join lateral transport_rides_on(days.day::date) ride where ride.trip_id is not null group by 1, 2)
    select (days.day::date - '${start}'::date) as day, trip.id as trip, duty.vehicle_id, duty.driver_id, duty.attendant_id,
      coalesce(riding.riders, '{}') as riders
    from generate_series('${start}'::date, '${dayAt(span - 1)}'::date, '1 day') as days (day)
    join transport_trip trip on trip.id in (${trips.map(({ id }) => id).join(', ')})
    left join transport_duty duty on duty.trip_id = trip.id
      and days.day between duty.effective_from and coalesce(duty.effective_to, 'infinity')
    left join riding on riding.day = days.day and riding.trip_id = trip.id
    order by days.day, trip.id`);
  const stored: ReturnType<typeof planOf>[] = Array.from({ length: span }, () => []);
  for (const { day, trip, vehicle_id, driver_id, attendant_id, riders } of found)
    stored[Number(day)]?.push({
      trip: Number(trip),
      own: [vehicle_id, driver_id, attendant_id] as number[],
      riders: riders as number[],
    });
  return stored;
}

async function compare(words: string) {
  const stored = await storedPlan();
  for (let day = 0; day < span; day++) {
    const plan = planOf(day);
    if (JSON.stringify(stored[day]) !== JSON.stringify(plan))
      expect([words, day, stored[day]]).toEqual([words, day, plan]);
    for (const { own, riders } of plan)
      if (riders.length > (seats.get(own[0] ?? 0) ?? 0))
        throw new Error(`${words}: more riders than seats on day ${day}`);
  }
}

/** A number of a seed after the other, the same in every run. */
function randomOf(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (most: number) => Math.floor(next() * most);
  const one = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  return { below, one };
}
type Random = ReturnType<typeof randomOf>;

const post = (url: string, body: object) => keeper.send({ method: 'POST', url: `/api/transport/${url}`, body });
/** Applies an act after its preview; undefined where it is refused. */
async function apply(url: string, body: object) {
  const shown = await post(url, body);
  if (shown.status >= 500) throw new Error(`${url}: ${JSON.stringify(shown.json)}`);
  if (shown.status !== 200 || shown.json.confirmToken === null) return undefined;
  const done = await post(url, { ...body, confirmToken: shown.json.confirmToken });
  if (done.status >= 500) throw new Error(`${url}: ${JSON.stringify(done.json)}`);
  return done.status === 200 ? done.json : undefined;
}

function someDays({ below }: Random) {
  const from = today + below(Math.min(120, span - today - 1));
  return { from, to: Math.min(from + below(8), span - 1) };
}
const daysOf = ({ from, to }: { from: number; to: number }) => ({ effectiveFrom: dayAt(from), effectiveTo: dayAt(to) });
/** Whom a trip has on some of these days by the plain array. */
function ridersIn(trip: number, { from, to }: { from: number; to: number }) {
  const found = new Set<number>();
  for (let day = from; day <= to; day++)
    for (const one of planOf(day)) if (one.trip === trip) for (const child of one.riders) found.add(child);
  return rides.filter((ride) => found.has(ride.child) && ride.from <= to && ride.to >= from);
}
const moveOf = (ride: Ride, other: number | null) => ({
  rideId: ride.id,
  way: 'Pickup',
  tripId: other,
  stopId: other === null ? null : stop,
});

const kinds: Record<string, (random: Random) => Promise<boolean>> = {
  'a change for good': async ({ below, one }) => {
    const trip = one(trips);
    const from = today + below(200);
    const dropsPlanned = below(4) === 0;
    const own = Object.fromEntries(
      roles.map((role) => [
        role,
        below(2) === 0 ? (trip.standing[role][from]?.own ?? 0) : one(role === 'Vehicle' ? buses : crew),
      ]),
    ) as Record<Role, number>;
    const answer = await apply(`route/${trip.route}/duty`, {
      timeSlotId: slot,
      vehicleId: own.Vehicle,
      driverId: own.Driver,
      attendantId: own.Attendant,
      effectiveFrom: dayAt(from),
      dropsPlanned,
    });
    if (!answer) return false;
    for (const role of roles) {
      const standing = trip.standing[role];
      const before = standing[from];
      const next = standing.findIndex(({ row }, day) => day > from && row !== before?.row);
      if (before?.own === own[role] && !(dropsPlanned && next >= 0)) continue;
      rows += 1;
      const end = next >= 0 && !dropsPlanned ? next : span;
      // A change on the first day of a standing row replaces it; a row that is kept keeps its first day.
      for (let day = from; day < end; day++) standing[day] = { own: own[role], row: rows };
    }
    return true;
  },
  'a stand-in': async (random) => {
    const { below, one } = random;
    const trip = one(trips);
    const days = someDays(random);
    const role = one(roles);
    const plan = planOf(days.from).find((own) => own.trip === trip.id);
    const replacedId = ownIn(trip.id, role, days.from);
    const ownId = one(role === 'Vehicle' ? buses : crew);
    const riders = ridersIn(trip.id, days);
    const excess = role === 'Vehicle' ? Math.max(0, riders.length - (seats.get(ownId) ?? 0)) : 0;
    const others = trips.filter(({ id }) => id !== trip.id);
    const moved = riders.slice(0, excess).map((ride) => ({ ride, other: below(5) === 0 ? null : one(others).id }));
    const answer = await apply('stand-in', {
      tripId: trip.id,
      role,
      replacedId,
      ownId,
      isAll: false,
      isAway: role === 'Vehicle' && plan?.own[0] !== null && below(5) === 0,
      isTold: false,
      moves: moved.map(({ ride, other }) => moveOf(ride, other)),
      reason: '',
      ...daysOf(days),
    });
    if (!answer) return false;
    layers.push({ act: answer.act, ...days, trip: trip.id, role, own: ownId });
    for (const { ride, other } of moved) layers.push({ act: answer.act, ...days, ride, other });
    return true;
  },
  'other rides': async (random) => {
    const trip = random.one(trips);
    const days = someDays(random);
    const isNotRunning = random.below(3) === 0;
    const riders = ridersIn(trip.id, days);
    const moved = (isNotRunning ? riders : riders.slice(0, 1 + random.below(2))).map((ride) => ({
      ride,
      other: random.below(3) === 0 ? null : random.one(trips.filter(({ id }) => id !== trip.id)).id,
    }));
    const moves = moved.map(({ ride, other }) => moveOf(ride, other));
    const answer = await apply(`trip/${trip.id}/day-ride`, {
      isNotRunning,
      isTold: false,
      moves,
      reason: '',
      ...daysOf(days),
    });
    if (!answer) return false;
    if (isNotRunning) layers.push({ act: answer.act, ...days, trip: trip.id, role: 'Not running' });
    for (const { ride, other } of moved) layers.push({ act: answer.act, ...days, ride, other });
    return true;
  },
  'an undo': async ({ one }) => {
    const open = layers.filter(({ to }) => to >= today);
    if (open.length === 0) return false;
    const { act } = one(open);
    const { status, json } = await post(`stand-in/${act}/undo`, {});
    if (status >= 500) throw new Error(JSON.stringify(json));
    if (status !== 200) return false;
    layers = layers.flatMap((layer) => {
      if (layer.act !== act || layer.to < today) return [layer];
      return layer.from >= today ? [] : [{ ...layer, to: today - 1 }];
    });
    return true;
  },
  'a leaving': async ({ below, one }) => {
    const ride = one(rides.filter(({ to }) => to >= today));
    const to = today + below(150);
    if (ride === undefined || to < ride.from || to >= ride.to) return false;
    const answer = await apply('rider/end', { selection: { ids: [ride.id] }, lastDay: dayAt(to), reason: '' });
    if (!answer) return false;
    ride.to = to;
    return true;
  },
  'a new rider': async ({ below, one }) => {
    const from = today + below(150);
    const child = one(children.filter((own) => !rides.some((ride) => ride.child === own && ride.to >= from)));
    if (child === undefined) return false;
    const trip = one(trips).id;
    const answer = await apply('rider/assign', {
      riders: [
        {
          studentId: child,
          staffId: null,
          pickupTripId: trip,
          pickupStopId: stop,
          dropTripId: null,
          dropStopId: null,
          fee: 'By stop',
        },
      ],
      effectiveFrom: dayAt(from),
      billedFrom: '',
    });
    if (!answer) return false;
    const [row] = await school.sql(`select max(id) as id from transport_assignment where student_id = ${child}`);
    rides.push({ id: Number(row?.id), child, trip, from, to: Number.POSITIVE_INFINITY });
    return true;
  },
  'new times': async ({ below }) => {
    const minute = String(10 + below(40));
    await school
      .sql(
        `update transport_time_slot set starts = '06:${minute}', valid_from = '${dayAt(today + 1 + below(60))}' where id = ${slot}`,
      )
      .catch((error: Error) => {
        if (!error.message.includes('use these times')) throw error;
      });
    return true;
  },
  'days that pass': async ({ below }) => {
    today = Math.min(today + below(4), span - 130);
    school.clock.now = new Date(`${dayAt(today)}T05:00:00+05:30`);
    return true;
  },
};
/** Who counts in a role on a day, whether the trip runs or not. */
function ownIn(trip: number, role: Role, day: number) {
  const layer = layers.findLast(
    (one) => 'role' in one && one.trip === trip && one.role === role && day >= one.from && day <= one.to,
  );
  return layer && 'own' in layer ? layer.own : trips.find(({ id }) => id === trip)?.standing[role][day]?.own;
}

test(`TB7 ${acts} random acts on buses: every one of 400 days is as a plain array has it, and no trip has more riders than seats`, async () => {
  const words = Object.keys(kinds);
  const applied = new Map<string, number>();
  for (const seed of seeds) {
    const random = randomOf(seed);
    for (let place = 0; place < acts; place++) {
      const kind = words[place % words.length] ?? '';
      const isApplied = await kinds[kind]?.(random);
      if (isApplied) applied.set(kind, (applied.get(kind) ?? 0) + 1);
      await compare(`seed ${seed}, act ${place + 1}, ${kind}, ${isApplied ? 'applied' : 'refused'}`);
    }
  }
  school.clock.now = undefined;
  expect([...applied.keys()].toSorted()).toEqual(words.toSorted());
});
