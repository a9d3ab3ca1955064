import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { showDate } from '#kit/contract/day.ts';
import { addDays } from '#kit/server/day.ts';
import { render } from '#kit/server/messages/outbox.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise } from '#testing/seated.ts';
import {
  addBus,
  addCrew,
  addRiders,
  addRoute,
  addSlot,
  addTrip,
  firstDay,
  openFleet,
  plantBranch,
} from '#testing/transport.ts';
import { routeApi } from '../contract/route.ts';
import type { DayTrip } from '../contract/today.ts';
import { todayApi } from '../contract/today.ts';
import { busMessages } from './bus-messages.ts';
import { dailyTelling } from './tell-families.ts';

let school: School;
let keeper: Person;
let section: number;
let today: string;
beforeAll(async () => {
  school = await openSchool();
  keeper = await school.person({ name: 'Ramesh', role: 'Staff', sets: ['transportIncharge'] });
  const [year] = await school.sql(`select id, (school_now() at time zone 'Asia/Kolkata')::date::text as today
    from academic_year where id = academic_year_on()`);
  today = String(year?.today);
  section = (await plant(school, sectionMaster, { academicYearId: Number(year?.id), capacity: 80 })).id;
});
afterAll(() => school.close());
afterEach(() => {
  school.clock.now = undefined;
});

/** A Wednesday some weeks after today. */
const coming = (by = 0) => {
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  return addDays(today, 21 + ((3 - weekday + 7) % 7) + by);
};

const body = (trip: DayTrip, role: 'Vehicle' | 'Driver' | 'Attendant', ownId: number, over: object = {}) => ({
  tripId: trip.id,
  role,
  replacedId: { Vehicle: trip.vehicle, Driver: trip.driver, Attendant: trip.attendant }[role]?.id ?? null,
  ownId,
  isAll: false,
  isAway: false,
  isTold: false,
  moves: [],
  effectiveFrom: coming(),
  effectiveTo: coming(),
  reason: '',
  ...over,
});
const post = (url: string, input: object) => keeper.send({ method: 'POST', url: `/api/transport/${url}`, body: input });
/** Replaces one in a trip, or answers what refuses it. */
async function replace(input: object) {
  const shown = await post('stand-in', input);
  return shown.status === 200 ? post('stand-in', { ...input, confirmToken: shown.json.confirmToken }) : shown;
}
async function tripOn(id: number, day: string): Promise<DayTrip> {
  const { trips } = await keeper.call(todayApi.day, { day });
  const found = trips.find((trip) => trip.id === id);
  if (!found) throw new Error(`Trip ${id} does not run on ${day}.`);
  return found;
}
const driverOn = async (id: number, day: string) => (await tripOn(id, day)).driver?.id;
/** Every day of the trip with its vehicle, driver and attendant. */
const daysOf = async (trip: number) => {
  const rows = await school.sql(`select day::date::text as day, vehicle_id, driver_id, attendant_id
    from generate_series('${firstDay}'::date, '${firstDay}'::date + 400, '1 day') as days (day)
    join transport_duty duty on duty.trip_id = ${trip}
      and day between duty.effective_from and coalesce(duty.effective_to, 'infinity') order by day`);
  return new Map(rows.map((row) => [row.day, [row.vehicle_id, row.driver_id, row.attendant_id]]));
};
async function ride(trip: number, stop: number, count: number) {
  const children = await addRiders(school, section, count);
  for (const child of children)
    await school.sql(`insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, effective_from,
      billed_from, fee) values (${child}, ${trip}, ${stop}, '${firstDay}', '${firstDay}', 'By stop')`);
  return children;
}
const duty = (over: object) => ({ dropsPlanned: false, ...over });
async function give(route: number, input: object) {
  const shown = await post(`route/${route}/duty`, input);
  return shown.status === 200
    ? post(`route/${route}/duty`, { ...input, confirmToken: shown.json.confirmToken })
    : shown;
}

test('TB1 a driver who is ill is replaced for that day, with every seat taken, and no other day changes', async () => {
  const { pickup, stops } = await openFleet(school, { seats: 5 });
  await ride(pickup.trip, stops[0] ?? 0, 5);
  const before = await daysOf(pickup.trip);
  const other = await addCrew(school);
  const trip = await tripOn(pickup.trip, coming());
  const { status, json } = await replace(body(trip, 'Driver', other));
  expect([status, json.isApplied, json.count, json.trips]).toEqual([200, true, 0, 1]);
  const after = await daysOf(pickup.trip);
  const changed = [...after].filter(([day, own]) => String(own) !== String(before.get(day)));
  expect(changed).toEqual([[coming(), [before.get(coming())?.[0], other, before.get(coming())?.[2]]]]);
  expect(after.size).toBe(before.size);
  const shown = await tripOn(pickup.trip, coming());
  expect(shown.driver).toMatchObject({ id: other, insteadOf: trip.driver?.name, until: coming() });
});

test('TB1 an act is undone as a whole, and undoing the stand-in of a stand-in brings the first one back', async () => {
  const { pickup } = await openFleet(school, { seats: 5 });
  const before = await daysOf(pickup.trip);
  const [second, third] = [await addCrew(school), await addCrew(school)];
  const days = { effectiveFrom: coming(), effectiveTo: coming(5) };
  const first = await replace(body(await tripOn(pickup.trip, coming()), 'Driver', second, days));
  const day = coming(1);
  const one = { effectiveFrom: day, effectiveTo: day };
  const inner = await replace(body(await tripOn(pickup.trip, day), 'Driver', third, one));
  expect([inner.status, await driverOn(pickup.trip, coming()), await driverOn(pickup.trip, day)]).toEqual([
    200,
    second,
    third,
  ]);
  expect((await post(`stand-in/${inner.json.act}/undo`, {})).status).toBe(200);
  expect(await driverOn(pickup.trip, day)).toBe(second);
  expect((await post(`stand-in/${inner.json.act}/undo`, {})).status).toBe(404);
  expect((await post(`stand-in/${first.json.act}/undo`, {})).status).toBe(200);
  expect(await daysOf(pickup.trip)).toEqual(before);
});

test('TB2 a driver from an earlier day fills the days until the next one, whose day is kept and named', async () => {
  const { pickup } = await openFleet(school, { seats: 5 });
  const [a, b, c, e, spare] = [
    await addCrew(school),
    await addCrew(school),
    await addCrew(school),
    await addCrew(school),
    await addCrew(school),
  ];
  await school.sql(`delete from transport_duty where trip_id = ${pickup.trip}`);
  await school.sql(`update transport_standing set effective_from = '2026-09-24', crew_id = ${a}
    where trip_id = ${pickup.trip} and role = 'Driver'`);
  await school.sql(`select transport_lay(array[${pickup.trip}])`);
  const { trips } = await school
    .sql(`select json_agg(duty) as trips from transport_duty duty
    where trip_id = ${pickup.trip}`)
    .then(([row]) => row as { trips: { vehicle_id: number; attendant_id: number }[] });
  const same = { timeSlotId: pickup.slot, vehicleId: trips[0]?.vehicle_id, attendantId: trips[0]?.attendant_id };
  const change = (driverId: number, effectiveFrom: string) =>
    give(pickup.route, duty({ ...same, driverId, effectiveFrom }));
  const [planned, day] = ['2027-03-01', coming()];
  expect((await change(e, planned)).status).toBe(200);
  const gap = await change(b, '2026-09-01');
  expect([gap.status, gap.json.planned.map(({ from }: { from: string }) => from)]).toEqual([
    200,
    ['2026-09-24', planned],
  ]);
  const middle = await change(c, '2026-10-10');
  expect(middle.json.planned).toMatchObject([{ role: 'Driver', from: planned, isDropped: false }]);
  expect((await replace(body(await tripOn(pickup.trip, day), 'Driver', spare))).status).toBe(200);
  const before = await daysOf(pickup.trip);
  expect(
    ['2026-09-10', '2026-09-23', '2026-09-24', '2026-10-09', '2026-10-10', day, addDays(day, 1), planned].map(
      (on) => before.get(on)?.[1],
    ),
  ).toEqual([b, b, a, a, c, spare, c, e]);
  const other = await addBus(school, 1, 5);
  expect(
    (await give(pickup.route, duty({ ...same, vehicleId: other, driverId: c, effectiveFrom: addDays(day, -2) })))
      .status,
  ).toBe(200);
  const after = await daysOf(pickup.trip);
  expect([after.get(day), after.get(planned)].map((own) => own?.slice(0, 2))).toEqual([
    [other, spare],
    [other, e],
  ]);
  const dropped = await give(pickup.route, {
    ...same,
    vehicleId: other,
    driverId: c,
    effectiveFrom: addDays(day, 1),
    dropsPlanned: true,
  });
  expect(dropped.json.planned).toMatchObject([{ from: planned, isDropped: true }]);
  expect((await daysOf(pickup.trip)).get(planned)?.[1]).toBe(c);
});

test('TB3 a driver whose licence has ended returns after a stand-in, in red, and gets no new trip', async () => {
  const { pickup } = await openFleet(school, { seats: 5 });
  const [day, next] = [coming(), coming(1)];
  const trip = await tripOn(pickup.trip, day);
  await school.sql(
    `update transport_crew set licence_expires_on = '${addDays(day, -2)}' where id = ${trip.driver?.id}`,
  );
  expect((await replace(body(trip, 'Driver', await addCrew(school)))).status).toBe(200);
  expect((await tripOn(pickup.trip, next)).driver).toMatchObject({ id: trip.driver?.id, lacking: ['Licence'] });
  const slot = await addSlot(school, { starts: '11:00', ends: '12:00' });
  const { drop } = await openFleet(school, { seats: 5 });
  const refused = await give(
    pickup.route,
    duty({
      timeSlotId: slot,
      vehicleId: drop.bus,
      driverId: trip.driver?.id,
      attendantId: await addCrew(school),
      effectiveFrom: next,
    }),
  );
  expect([refused.status, refused.json.error.message]).toEqual([409, expect.stringContaining('licence')]);
  const lent = await replace(
    body(await tripOn(drop.trip, next), 'Driver', trip.driver?.id ?? 0, { effectiveFrom: next, effectiveTo: next }),
  );
  expect([lent.status, lent.json.error.message]).toEqual([409, expect.stringContaining('licence')]);
});

test('all trips of a driver are replaced in one act, and who drives elsewhere then is neither offered nor taken', async () => {
  const { pickup, drop, stops } = await openFleet(school, { seats: 5 });
  const [row] = await school.sql(`select min(branch_id) as id from transport_route where id = ${pickup.route}`);
  const third = await addSlot(school, { direction: 'Drop', starts: '16:00', ends: '17:00' });
  const route = await addRoute(school, { branchId: Number(row?.id), stops, direction: 'Drop' });
  const late = await addTrip(school, route, third, drop.bus);
  const day = coming();
  const one = (await tripOn(pickup.trip, day)).driver?.id ?? 0;
  await school.sql(
    `update transport_standing set crew_id = ${one} where trip_id in (${drop.trip}, ${late}) and role = 'Driver'`,
  );
  await school.sql(`select transport_lay(array[${drop.trip}, ${late}])`);
  const { slot } = pickup;
  const elsewhere = await addTrip(
    school,
    await addRoute(school, { branchId: Number(row?.id), stops }),
    slot,
    await addBus(school, 1, 5),
  );
  const busy = (await tripOn(elsewhere, day)).driver?.id ?? 0;
  const spare = await addCrew(school);
  const trip = await tripOn(pickup.trip, day);
  const asked = { id: pickup.trip, role: 'Driver' as const, isAll: 'true', from: day, to: day };
  const offered = await keeper.call(todayApi.free, asked);
  const ids = offered.rows.map(({ id }) => id);
  expect([offered.trips, ids.includes(spare), ids.includes(busy), ids.includes(one)]).toEqual([3, true, false, false]);
  const refused = await replace(body(trip, 'Driver', busy, { isAll: true }));
  expect([refused.status, Object.keys(refused.json.error.fields)]).toEqual([422, ['ownId']]);
  const { json } = await replace(body(trip, 'Driver', spare, { isAll: true }));
  expect([json.isApplied, json.trips]).toEqual([true, 3]);
  for (const id of [pickup.trip, drop.trip, late]) expect(await driverOn(id, day)).toBe(spare);
  const again = await keeper.call(todayApi.free, { ...asked, id: elsewhere, isAll: 'false' });
  expect(again.rows.map(({ id }) => id)).toContain(one);
});

test('two drivers swap for a day once one of them is free, and the database refuses two trips for one driver', async () => {
  const { pickup, stops } = await openFleet(school, { seats: 5 });
  const [row] = await school.sql(`select min(branch_id) as id from transport_route where id = ${pickup.route}`);
  const other = await addTrip(
    school,
    await addRoute(school, { branchId: Number(row?.id), stops }),
    pickup.slot,
    await addBus(school, 1, 5),
  );
  const day = coming();
  const [first, second] = [await tripOn(pickup.trip, day), await tripOn(other, day)];
  const spare = await addCrew(school);
  expect((await replace(body(first, 'Driver', second.driver?.id ?? 0))).status).toBe(422);
  expect((await replace(body(second, 'Driver', spare))).status).toBe(200);
  const taken = await replace(body(first, 'Driver', second.driver?.id ?? 0));
  expect([taken.status, taken.json.error]).toEqual([200, undefined]);
  expect((await replace(body(await tripOn(other, day), 'Driver', first.driver?.id ?? 0))).status).toBe(200);
  const back = await post(`stand-in/${taken.json.act}/undo`, {});
  expect([back.status, back.json.error.message]).toEqual([
    409,
    expect.stringContaining('Undo the later stand-in first'),
  ]);
});

test('of two people who replace the same driver at once the later one gets an error with the new driver', async () => {
  const { pickup } = await openFleet(school, { seats: 5 });
  const trip = await tripOn(pickup.trip, coming());
  const inputs = [body(trip, 'Driver', await addCrew(school)), body(trip, 'Driver', await addCrew(school))];
  const tokens: string[] = [];
  for (const input of inputs) tokens.push((await post('stand-in', input)).json.confirmToken);
  const answers = await Promise.all(
    inputs.map((input, place) => post('stand-in', { ...input, confirmToken: tokens[place] })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const [row] = await school.sql(
    `select count(*)::integer as count from transport_stand_in where trip_id = ${pickup.trip}`,
  );
  expect(row?.count).toBe(1);
});

test('a smaller vehicle is refused with the first day that lacks seats, and one that is away is not offered', async () => {
  const { pickup, spare, stops } = await openFleet(school, { seats: 5 });
  await ride(pickup.trip, stops[0] ?? 0, 5);
  const day = coming();
  const trip = await tripOn(pickup.trip, day);
  const small = await addBus(school, 1, 3);
  const refused = await replace(body(trip, 'Vehicle', small));
  expect([refused.status, refused.json.error.message]).toEqual([409, expect.stringMatching(/3 seats for 5 riders/)]);
  const swapped = await replace(body(trip, 'Vehicle', spare, { isAway: true, effectiveTo: addDays(day, 2) }));
  expect([swapped.json.isApplied, swapped.json.count]).toEqual([true, 5]);
  const offered = await keeper.call(todayApi.free, {
    id: pickup.trip,
    role: 'Vehicle',
    isAll: '',
    from: addDays(day, 2),
    to: addDays(day, 2),
  });
  expect(offered.rows.map(({ id }) => id)).not.toContain(pickup.bus);
  const early = { effectiveFrom: addDays(day, 2), effectiveTo: addDays(day, 2) };
  const back = await replace(body(await tripOn(pickup.trip, addDays(day, 2)), 'Vehicle', pickup.bus, early));
  expect([back.status, back.json.error.message]).toEqual([409, expect.stringContaining('is away on')]);
  expect((await post(`stand-in/${swapped.json.act}/undo`, {})).status).toBe(200);
  expect((await tripOn(pickup.trip, day)).vehicle?.id).toBe(pickup.bus);
  const [row] = await school.sql(
    `select count(*)::integer as count from transport_vehicle_away where vehicle_id = ${pickup.bus}`,
  );
  expect(row?.count).toBe(0);
});

test('a stand-in ends on or after its first day, lasts 60 days at most, and is not the one who is replaced', async () => {
  const { pickup } = await openFleet(school, { seats: 5 });
  const trip = await tripOn(pickup.trip, coming());
  const own = trip.driver?.id ?? 0;
  const other = await addCrew(school);
  const fields = async (input: object) => Object.keys((await replace(input)).json.error.fields);
  expect(await fields(body(trip, 'Driver', other, { effectiveTo: coming(-1) }))).toEqual(['effectiveTo']);
  expect(await fields(body(trip, 'Driver', other, { effectiveTo: coming(61) }))).toEqual(['effectiveTo']);
  expect(await fields(body(trip, 'Driver', own))).toEqual(['ownId']);
  await school.sql(`update transport_crew set is_active = false where id = ${other}`);
  expect(await fields(body(trip, 'Driver', other))).toEqual(['ownId']);
});

/** Gives children one mother, who receives messages. */
async function plantMother(children: readonly number[]) {
  const mobile = `98250${String(10_000 + (children[0] ?? 0)).slice(-5)}`;
  await school.sql(`update student_guardian set is_primary = false where student_id in (${children.join(', ')})`);
  const mother = await raise(school, children, { firstName: 'Meena', mobile }, { relation: 'Mother' });
  await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${mother}`);
  return mother;
}
const queued = (guardian: number) =>
  school.sql(`select told.id, sent.keeps_quiet as quiet, sent.not_before > sent.queued_at as waits from transport_told told
    join outbox sent on sent.template = 'transport.changed' and sent.subject_id = told.id where told.guardian_id = ${guardian}`);
const wordsOf = async (id: unknown) => {
  const rendered = await render(school.services, busMessages['transport.changed'], Number(id), 'email', null);
  return rendered?.text;
};

test('a family gets one message with its children about a day that differs, and none once it is undone', async () => {
  const { pickup, spare, stops } = await openFleet(school, { seats: 5 });
  const children = await ride(pickup.trip, stops[0] ?? 0, 2);
  const mother = await plantMother(children);
  const trip = await tripOn(pickup.trip, coming());
  const day = coming();
  school.clock.now = new Date(`${day}T06:00:00+05:30`);
  const days = { effectiveFrom: day, effectiveTo: day, isTold: true };
  const { json } = await replace(body(trip, 'Vehicle', spare, days));
  expect([json.isApplied, json.families]).toEqual([true, 1]);
  const sent = await queued(mother);
  expect(sent).toMatchObject([{ quiet: false }]);
  const [bus] = await school.sql(
    `select fleet_no as name, registration_no as plate from transport_vehicle where id = ${spare}`,
  );
  const names = await school.sql(`select first_name as name from student where id in (${children.join(', ')})`);
  const words = await wordsOf(sent[0]?.id);
  for (const part of [bus?.name, bus?.plate, trip.route, ...names.map(({ name }) => name)])
    expect(words).toContain(part);
  await replace(body(trip, 'Vehicle', spare, { ...days, replacedId: spare, ownId: pickup.bus }));
  expect(await wordsOf(sent[0]?.id)).toBeUndefined();
  const [last] = await school.sql(
    `select act from transport_stand_in where trip_id = ${pickup.trip} order by id desc limit 1`,
  );
  expect((await post(`stand-in/${last?.act}/undo`, {})).status).toBe(200);
  expect(await wordsOf(sent[0]?.id)).toContain(bus?.plate);
  school.clock.now = new Date(`${day}T08:01:00+05:30`);
  expect(await wordsOf(sent[0]?.id)).toBeUndefined();
  expect((await post(`stand-in/${json.act}/undo`, {})).status).toBe(200);
  expect(await wordsOf(sent[0]?.id)).toBeUndefined();
});

test('the message about a later day is sent on the evening before, once, and only where the office asked for it', async () => {
  const { pickup, drop, stops } = await openFleet(school, { seats: 5 });
  const mother = await plantMother(await ride(pickup.trip, stops[0] ?? 0, 1));
  const day = coming();
  const driver = await addCrew(school);
  const { json } = await replace(body(await tripOn(pickup.trip, day), 'Driver', driver, { isTold: true }));
  expect([json.families, await queued(mother)]).toEqual([1, []]);
  await replace(body(await tripOn(drop.trip, day), 'Driver', driver));
  const on = async (evening: string) => {
    const now = () => new Date(`${evening}T18:05:00+05:30`);
    await school.services.db
      .transaction()
      .execute((db) => dailyTelling.act({ ...school.services, db, now } as never, now()));
  };
  await on(addDays(day, -2));
  expect(await queued(mother)).toEqual([]);
  await on(addDays(day, -1));
  await on(addDays(day, -1));
  expect(await queued(mother)).toMatchObject([{ quiet: true }]);
  const [count] = await school.sql(`select count(*)::integer as told from transport_told told
    join transport_stand_in own on own.act = told.act where own.trip_id = ${drop.trip}`);
  expect(count?.told).toBe(0);
});

test('the application may not write duties, which follow from standing rows and stand-ins', async () => {
  const [row] = await school.sql(`select has_table_privilege('shala_app', 'transport_duty', 'insert')
    or has_table_privilege('shala_app', 'transport_duty', 'update')
    or has_table_privilege('shala_app', 'transport_duty', 'delete') as may`);
  expect(row?.may).toBe(false);
});

test('two changes of one evening are one message with both children', async () => {
  const { pickup, drop, stops } = await openFleet(school, { seats: 5 });
  const [first] = await ride(pickup.trip, stops[0] ?? 0, 1);
  const [second] = await addRiders(school, section, 1);
  await school.sql(`insert into transport_assignment (student_id, drop_trip_id, drop_stop_id, effective_from,
    billed_from, fee) values (${second}, ${drop.trip}, ${stops[0]}, '${firstDay}', '${firstDay}', 'By stop')`);
  const mother = await plantMother([first ?? 0, second ?? 0]);
  const day = coming();
  const told = { isTold: true };
  await replace(body(await tripOn(pickup.trip, day), 'Driver', await addCrew(school), told));
  await replace(body(await tripOn(drop.trip, day), 'Driver', await addCrew(school), told));
  const now = new Date(`${addDays(day, -1)}T18:05:00+05:30`);
  school.clock.now = now;
  await school.services.db.transaction().execute((db) => dailyTelling.act({ ...school.services, db } as never, now));
  const sent = await queued(mother);
  expect(sent).toHaveLength(2);
  const names = await school.sql(`select first_name as name from student where id in (${first}, ${second})`);
  const words = (await Promise.all(sent.map(({ id }) => wordsOf(id)))).filter((one) => one !== undefined);
  expect(words).toHaveLength(1);
  for (const { name } of names) expect(words[0]).toContain(name);
});

test('a change entered at night is sent at half past five, with its attendant, and names its last day', async () => {
  const { pickup, stops } = await openFleet(school, { seats: 5 });
  const mother = await plantMother(await ride(pickup.trip, stops[0] ?? 0, 1));
  const day = coming();
  school.clock.now = new Date(`${addDays(day, -1)}T22:30:00+05:30`);
  const attendant = await addCrew(school);
  await replace(body(await tripOn(pickup.trip, day), 'Attendant', attendant, { isTold: true, effectiveTo: coming(1) }));
  const [row] = await school.sql(`select sent.keeps_quiet as quiet, sent.not_before as at, told.id
    from transport_told told join outbox sent on sent.template = 'transport.changed' and sent.subject_id = told.id
    where told.guardian_id = ${mother}`);
  expect([row?.quiet, new Date(String(row?.at))]).toEqual([false, new Date(`${day}T05:30:00+05:30`)]);
  const [own] = await school.sql(`select staff.name from transport_crew crew join staff on staff.id = crew.staff_id
    where crew.id = ${attendant}`);
  const words = await wordsOf(row?.id);
  for (const part of [own?.name, showDate(day), showDate(coming(1))]) expect(words).toContain(part);
});

test('a stand-in from a Sunday is about the Monday', async () => {
  const { pickup, stops } = await openFleet(school, { seats: 5 });
  const mother = await plantMother(await ride(pickup.trip, stops[0] ?? 0, 1));
  const [sunday, monday] = [coming(4), coming(5)];
  const days = { effectiveFrom: sunday, effectiveTo: monday, isTold: true };
  await replace(body(await tripOn(pickup.trip, monday), 'Driver', await addCrew(school), days));
  const now = new Date(`${sunday}T18:05:00+05:30`);
  school.clock.now = now;
  await school.services.db.transaction().execute((db) => dailyTelling.act({ ...school.services, db } as never, now));
  const [sent] = await queued(mother);
  const words = await wordsOf(sent?.id);
  expect(words).toContain(showDate(monday));
  expect(words).not.toContain(showDate(sunday));
});

test('a stand-in at noon leaves out the trips that have run, and none begins before today', async () => {
  const { pickup, drop } = await openFleet(school, { seats: 5 });
  const day = coming();
  const own = (await tripOn(drop.trip, day)).driver?.id ?? 0;
  await school.sql(`update transport_standing set crew_id = ${own} where trip_id = ${pickup.trip} and role = 'Driver'`);
  await school.sql(`select transport_lay(array[${pickup.trip}])`);
  school.clock.now = new Date(`${day}T12:00:00+05:30`);
  const spare = await addCrew(school);
  const input = body(await tripOn(drop.trip, day), 'Driver', spare, { isAll: true });
  const { json } = await replace({ ...input, effectiveTo: coming(1) });
  expect([json.trips, await driverOn(pickup.trip, day), await driverOn(pickup.trip, coming(1))]).toEqual([
    2,
    own,
    spare,
  ]);
  expect(await driverOn(drop.trip, day)).toBe(spare);
  school.clock.now = new Date(`${addDays(day, 1)}T05:00:00+05:30`);
  expect(Object.keys((await replace(input)).json.error.fields)).toEqual(['effectiveFrom']);
});

test('the form of Change offers the standing vehicle and crew, not the stand-in', async () => {
  const { pickup } = await openFleet(school, { seats: 5 });
  const spare = await addBus(school, 1, 5);
  await replace(body(await tripOn(pickup.trip, coming()), 'Vehicle', spare, { effectiveTo: coming(4) }));
  const { trips } = await keeper.call(routeApi.read, { id: pickup.route });
  const lent = trips[0]?.duties.find(({ vehicleId }) => vehicleId === spare);
  expect(lent?.standing.vehicleId).toBe(pickup.bus);
  const attendantId = await addCrew(school);
  const { vehicleId, driverId } = lent?.standing ?? {};
  const same = { timeSlotId: pickup.slot, vehicleId, driverId };
  expect((await give(pickup.route, duty({ ...same, attendantId, effectiveFrom: coming(1) }))).status).toBe(200);
  const days = await daysOf(pickup.trip);
  expect([days.get(coming(1))?.[0], days.get(coming(5))?.[0], days.get(coming(5))?.[2]]).toEqual([
    spare,
    pickup.bus,
    attendantId,
  ]);
});

test('an act with a trip of another branch is undone only where all its trips are in reach', async () => {
  const { pickup, drop, stops } = await openFleet(school, { seats: 5 });
  const day = coming();
  const own = (await tripOn(drop.trip, day)).driver?.id ?? 0;
  await school.sql(`update transport_standing set crew_id = ${own} where trip_id = ${pickup.trip} and role = 'Driver'`);
  await school.sql(`select transport_lay(array[${pickup.trip}])`);
  const { json } = await replace(body(await tripOn(drop.trip, day), 'Driver', await addCrew(school), { isAll: true }));
  expect([json.trips, stops.length]).toEqual([2, 3]);
  const branch = await plantBranch(school);
  const near = await school.person({ name: 'Near', role: 'Staff', sets: ['transportIncharge'], branchIds: [branch] });
  await school.sql(`update transport_route set branch_id = ${branch} where id = ${drop.route}`);
  const undone = await near.send({ method: 'POST', url: `/api/transport/stand-in/${json.act}/undo`, body: {} });
  expect(undone.status).toBe(404);
  const [left] = await school.sql(
    `select count(*)::integer as count from transport_stand_in where act = '${json.act}'`,
  );
  expect(left?.count).toBe(2);
});
