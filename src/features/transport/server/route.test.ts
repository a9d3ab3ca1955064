import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { addBus, addCrew, addRoute, addSlot, addStops, addTrip, firstDay, plantBranch } from '#testing/transport.ts';
import { timeSlotMaster } from '../contract/masters.ts';
import { routeApi, routeList } from '../contract/route.ts';

let school: School;
let keeper: Person;
let branchId: number;
let stops: number[];
beforeAll(async () => {
  school = await openSchool();
  keeper = await school.person({ name: 'Ramesh', role: 'Staff', sets: ['transportIncharge'] });
  branchId = await plantBranch(school);
  stops = await addStops(school, branchId, 4);
});
afterAll(() => school.close());

const post = (url: string, body: object) => keeper.send({ method: 'POST', url: `/api/transport${url}`, body });
/** Gives a trip its vehicle and crew, or answers what refuses it. */
async function give(route: number, duty: object) {
  const shown = await post(`/route/${route}/duty`, duty);
  if (shown.status !== 200) return shown;
  return post(`/route/${route}/duty`, { ...duty, confirmToken: shown.json.confirmToken });
}
const put = (url: string, body: object) => keeper.send({ method: 'PUT', url: `/api/transport${url}`, body });
const refused = ({ status, json }: Awaited<ReturnType<typeof post>>) => [status, Object.keys(json.error?.fields ?? {})];
const crew = async () => ({ driverId: await addCrew(school), attendantId: await addCrew(school) });
const dutiesOf = (route: number) =>
  school.sql(`select duty.effective_from as from, duty.effective_to as to, lower(duty.minutes) as minute
    from transport_duty duty join transport_trip trip on trip.id = duty.trip_id where trip.route_id = ${route}
    order by duty.effective_from`);

const slot = (over: object = {}) => ({
  name: 'Morning',
  direction: 'Pickup',
  starts: '6:45',
  ends: '08.00',
  weekdays: 'Monday,Tuesday',
  validFrom: firstDay,
  ...over,
});

test('F2.1 a time slot that ends before it starts is refused, and typed times are read', async () => {
  expect(refused(await post('/time-slot', slot({ ends: '06:30' })))).toEqual([422, ['ends']]);
  expect(refused(await post('/time-slot', slot({ starts: '25:00' })))).toEqual([422, ['starts']]);
  const { status, json } = await post('/time-slot', slot({ name: 'Early' }));
  expect(status).toBe(200);
  const [made] = await school.sql(`select starts, ends from transport_time_slot where id = ${json.id}`);
  expect(made).toEqual({ starts: '06:45', ends: '08:00' });
});

test('F2.2 times that trips use change only from a later day, and the duties are divided there', async () => {
  const id = await addSlot(school);
  const route = await addRoute(school, { branchId, stops });
  await addTrip(school, route, id, await addBus(school, branchId, 40));
  const { rows } = await keeper.call(timeSlotMaster.api.list, { search: '' });
  const found = rows.find((row) => row.id === id);
  const names = [...Object.keys(timeSlotMaster.fields), 'isActive', 'version'];
  const changed = { ...Object.fromEntries(names.map((name) => [name, found?.[name]])), starts: '07:00' };
  expect(refused(await put(`/time-slot/${id}`, changed))).toEqual([422, ['validFrom']]);
  expect((await put(`/time-slot/${id}`, { ...changed, validFrom: '2027-01-01' })).status).toBe(200);
  expect(await dutiesOf(route)).toEqual([
    { from: firstDay, to: '2026-12-31', minute: 405 },
    { from: '2027-01-01', to: null, minute: 420 },
  ]);
});

test('F3.1 a registration number that differs only by spaces, hyphens and case is refused', async () => {
  const bus = (registrationNo: string, fleetNo: string) => ({
    fleetNo,
    registrationNo,
    branchId,
    kind: 'Bus',
    ownership: 'Owned',
    seatCapacity: 42,
    reservedSeats: 2,
  });
  const { json: made } = await post('/vehicle', bus('GJ05AB1234', 'A'));
  expect(refused(await post('/vehicle', bus('gj-05 ab 1234', 'B')))).toEqual([422, ['registrationNo']]);
  const [row] = await school.sql(`select registration_no, seats from transport_vehicle where id = ${made.id}`);
  expect(row).toEqual({ registration_no: 'GJ05AB1234', seats: 40 });
});

test('F3.1 number plates are taken as plates and papers have them, and another grouping is the same number', async () => {
  const bus = (registrationNo: string) => ({
    fleetNo: `P${registrationNo.replace(/[^0-9]/g, '').slice(-7)}`,
    registrationNo,
    branchId,
    kind: 'Bus',
    ownership: 'Owned',
    seatCapacity: 42,
    reservedSeats: 2,
  });
  const kept: Record<string, string> = {
    'DL 3C AB 1234': 'DL3CAB1234',
    'DL 1P C 1235': 'DL1PC1235',
    'GJ 5 AB 12': 'GJ5AB12',
    'GJ 05 V 1': 'GJ05V1',
    'GJ/05/AB/1238': 'GJ05AB1238',
    'GJ.05.AB.1241': 'GJ05AB1241',
    'T 0826 GJ 1234 A': 'T0826GJ1234A',
    'GJ 05 AC 1234': 'GJ05AC1234',
    gj05ac1236: 'GJ05AC1236',
    'DL 1PC 1234': 'DL1PC1234',
    '22 BH 1234 AA': '22BH1234AA',
  };
  for (const [typed, plain] of Object.entries(kept)) {
    const { status, json } = await post('/vehicle', bus(typed));
    expect([typed, status]).toEqual([typed, 200]);
    const [row] = await school.sql(`select registration_no from transport_vehicle where id = ${json.id}`);
    expect(row?.registration_no).toBe(plain);
  }
  for (const again of [
    'DL-3-C-AB-1234',
    'DL 03 CAB 1234',
    'GJ 05 AB 0012',
    'gj 05 ab 1238',
    't0826 gj1234a',
    '22BH/1234/AA',
  ])
    expect([again, refused(await post('/vehicle', { ...bus(again), fleetNo: 'Again' }))]).toEqual([
      again,
      [422, ['registrationNo']],
    ]);
  for (const wrong of ['GJ 05 AB', '1234', 'GJ 05 AB 12345', 'G 05 AB 1234', 'T 0826 GJ 1234'])
    expect([wrong, refused(await post('/vehicle', { ...bus(wrong), fleetNo: 'Wrong' }))]).toEqual([
      wrong,
      [422, ['registrationNo']],
    ]);
});

test('V4 F3.3 expired fitness blocks a new trip and a licence too, but not a running trip', async () => {
  const timeSlotId = await addSlot(school, { starts: '09:00', ends: '10:00' });
  const bus = await addBus(school, branchId, 40);
  const running = await addRoute(school, { branchId, stops });
  await addTrip(school, running, timeSlotId, bus);
  await school.sql(`update transport_vehicle_document set expires_on = '2026-07-01', issued_on = null
    where vehicle_id = ${bus} and kind = 'Fitness'`);
  const other = await addRoute(school, { branchId, stops });
  const later = await addSlot(school, { starts: '11:00', ends: '12:00' });
  const duty = { timeSlotId: later, vehicleId: bus, ...(await crew()), effectiveFrom: firstDay, dropsPlanned: false };
  const answer = await give(other, duty);
  expect([answer.status, answer.json.error.message]).toEqual([409, expect.stringContaining('Fitness')]);
  const unlicensed = { ...duty, vehicleId: await addBus(school, branchId, 40) };
  const expired = await give(other, {
    ...unlicensed,
    driverId: await addCrew(school, '2026-07-01'),
  });
  expect([expired.status, expired.json.error.message]).toEqual([409, expect.stringContaining('licence')]);
  expect((await give(other, unlicensed)).status).toBe(200);

  const { trips } = await keeper.call(routeApi.read, { id: running });
  expect(trips[0]?.duties[0]?.lacking).toEqual(['Fitness']);
  const changed = {
    timeSlotId,
    vehicleId: bus,
    driverId: trips[0]?.duties[0]?.driverId,
    attendantId: await addCrew(school),
    effectiveFrom: '2027-01-01',
    dropsPlanned: false,
  };
  expect((await give(running, changed)).status).toBe(200);
});

test('a trip before the times of its slot is refused, and the first day of these times is named', async () => {
  const timeSlotId = await addSlot(school, { starts: '12:10', ends: '12:50' });
  await school.sql(`update transport_slot_plan set effective_from = '2026-09-07' where time_slot_id = ${timeSlotId}`);
  const vehicleId = await addBus(school, branchId, 40);
  const duty = { timeSlotId, vehicleId, ...(await crew()), effectiveFrom: firstDay, dropsPlanned: false };
  const { status, json } = await give(await addRoute(school, { branchId, stops }), duty);
  expect([status, json.error.fields]).toEqual([422, { effectiveFrom: expect.stringContaining('7 Sep 2026') }]);
});

test('V5 a trip has a driver and an attendant, who are two people', async () => {
  const route = await addRoute(school, { branchId, stops });
  const slot = await addSlot(school, { starts: '13:00', ends: '14:00' });
  const people = await crew();
  const duty = {
    timeSlotId: slot,
    vehicleId: await addBus(school, branchId, 40),
    ...people,
    effectiveFrom: firstDay,
    dropsPlanned: false,
  };
  for (const [field, value] of [
    ['driverId', null],
    ['attendantId', null],
    ['attendantId', people.driverId],
  ] as const) {
    const refused = await give(route, { ...duty, [field]: value });
    expect([refused.status, Object.keys(refused.json.error.fields)]).toEqual([422, [field]]);
  }
  expect((await give(route, duty)).status).toBe(200);
});

test('F4.1 a route has each stop once, in rising minutes', async () => {
  const { id } = await keeper.call(routeApi.create, { code: 'P1', name: 'Adajan', direction: 'Pickup', branchId });
  const [first = 0, second = 0] = stops;
  const plan = (rows: [number, number][]) => ({
    version: 1,
    effectiveFrom: firstDay,
    stops: rows.map(([stopId, offsetMin]) => ({ stopId, offsetMin })),
  });
  const twice = await post(
    `/route/${id}/plan`,
    plan([
      [first, 0],
      [second, 5],
      [first, 9],
    ]),
  );
  expect(refused(twice)).toEqual([422, ['stops.2.stopId']]);
  const falling = await post(
    `/route/${id}/plan`,
    plan([
      [first, 5],
      [second, 0],
    ]),
  );
  expect(refused(falling)).toEqual([422, ['stops.1.offsetMin']]);
  const twiceInSql = school.sql(`with plan as (insert into transport_route_plan (route_id, effective_from)
      values (${id}, '${firstDay}') returning id)
    insert into transport_route_stop select id, seq, ${first}, 0 from plan, generate_series(1, 2) as seq`);
  await expect(twiceInSql).rejects.toMatchObject({ constraint: 'transport_route_stop_once' });
});

test('F4.2 a driver or vehicle has one trip at a time, also where two slots overlap in part', async () => {
  const bus = await addBus(school, branchId, 40);
  const people = await crew();
  const early = await addSlot(school, { starts: '06:45', ends: '08:00' });
  const first = await addRoute(school, { branchId, stops });
  const duty = { vehicleId: bus, ...people, effectiveFrom: firstDay, dropsPlanned: false };
  expect((await give(first, { ...duty, timeSlotId: early })).status).toBe(200);

  const giveAt = async (times: object, over: object) => {
    const route = await addRoute(school, { branchId, stops });
    return refused(await give(route, { ...duty, timeSlotId: await addSlot(school, times), ...over }));
  };
  const overlapping = { starts: '07:59', ends: '09:00' };
  expect(await giveAt(overlapping, await crew())).toEqual([422, ['vehicleId']]);
  const otherBus = { vehicleId: await addBus(school, branchId, 40) };
  expect(await giveAt(overlapping, { ...otherBus, attendantId: await addCrew(school) })).toEqual([422, ['driverId']]);
  expect(await giveAt(overlapping, { ...otherBus, driverId: await addCrew(school) })).toEqual([422, ['attendantId']]);
  expect(await giveAt({ starts: '08:00', ends: '09:00' }, {})).toEqual([200, []]);
});

test('a slot of Monday to Friday and one of Saturday do not clash', async () => {
  const duty = { vehicleId: await addBus(school, branchId, 40), ...(await crew()), effectiveFrom: firstDay };
  const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];
  for (const days of [weekdays, ['Saturday']]) {
    const route = await addRoute(school, { branchId, stops });
    const timeSlotId = await addSlot(school, { weekdays: days });
    expect((await give(route, { ...duty, timeSlotId, dropsPlanned: false })).status).toBe(200);
  }
});

test('F4.3 reverse makes the route of the other direction with the stops in reverse order', async () => {
  const { id } = await keeper.call(routeApi.create, { code: 'P2', name: 'Vesu', direction: 'Pickup', branchId });
  const planned = stops.slice(0, 3).map((stopId, place) => ({ stopId, offsetMin: [0, 10, 25][place] ?? 0 }));
  const input = { id, version: 1, effectiveFrom: firstDay, stops: planned };
  const { confirmToken } = await keeper.call(routeApi.plan, input);
  await keeper.call(routeApi.plan, { ...input, confirmToken: confirmToken ?? '' });
  const made = await keeper.call(routeApi.reverse, { id, version: 2, effectiveFrom: firstDay });
  const partner = await keeper.call(routeApi.read, { id: made.id });
  expect([partner.direction, partner.partnerId]).toEqual(['Drop', id]);
  expect(partner.plans[0]?.stops.map(({ stopId, offsetMin }) => [stopId, offsetMin])).toEqual([
    [stops[2], 0],
    [stops[1], 15],
    [stops[0], 25],
  ]);
});

test('the vehicle of all trips changes from a day, and the list shows what each route uses', async () => {
  const route = await addRoute(school, { branchId, stops });
  const slot = await addSlot(school, { starts: '13:00', ends: '14:00' });
  await addTrip(school, route, slot, await addBus(school, branchId, 40));
  const bus = await addBus(school, branchId, 20);
  const change = { id: route, vehicleId: bus, effectiveFrom: '2027-01-01' };
  const { confirmToken, ...shown } = await keeper.call(routeApi.vehicle, change);
  expect(shown).toEqual({ trips: 1, riders: [], count: 0, isApplied: false });
  await keeper.call(routeApi.vehicle, { ...change, confirmToken: confirmToken ?? '' });
  const { trips } = await keeper.call(routeApi.read, { id: route });
  expect(trips[0]?.duties.map(({ seats, effectiveFrom }) => [effectiveFrom, seats])).toEqual([
    [firstDay, 40],
    ['2027-01-01', 20],
  ]);
  const { rows } = await keeper.call(routeList.api.list, { search: '', stopId: String(stops[0]) });
  expect(rows.find(({ id }) => id === route)).toMatchObject({ stops: 4, trips: 1, riders: 0, used: 0 });
});
