import { afterAll, beforeAll, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { crewMaster } from '#features/transport/contract/masters.ts';
import { showDate } from '#kit/contract/day.ts';
import { english } from '#kit/contract/text.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { form, openSchool, paper, type School } from '#testing/school.ts';
import { addBus, addCrew, addRiders, openFleet } from '#testing/transport.ts';
import { fleetApi } from '../contract/fleet.ts';
import { paperFields, paperList } from '../contract/papers.ts';
import { riderApi } from '../contract/rider.ts';

let school: School;
let keeper: Person;
let section: number;
beforeAll(async () => {
  school = await openSchool();
  keeper = await school.person({ name: 'Ramesh', role: 'Staff', sets: ['transportIncharge'] });
  const [year] = await school.sql(`select id from academic_year where id = academic_year_on()`);
  section = (await plant(school, sectionMaster, { academicYearId: Number(year?.id), capacity: 80 })).id;
});
afterAll(() => school.close());

type Fleet = Awaited<ReturnType<typeof openFleet>>;
const from = '2026-12-01';
async function assign({ pickup, drop, stops }: Fleet, count: number) {
  const children = await addRiders(school, section, count);
  const input = {
    riders: children.map((studentId) => ({
      studentId,
      staffId: null,
      pickupTripId: pickup.trip,
      pickupStopId: stops[0] ?? 0,
      dropTripId: drop.trip,
      dropStopId: stops[0] ?? 0,
      fee: 'By stop' as const,
    })),
    effectiveFrom: from,
    billedFrom: '',
  };
  const { confirmToken } = await keeper.call(riderApi.assign, input);
  await keeper.call(riderApi.assign, { ...input, confirmToken: confirmToken ?? '' });
  return children;
}
/** The preview, or what refuses it. */
const preview = (id: number, body: object) =>
  keeper.send({
    method: 'POST',
    url: `/api/transport/vehicle/${id}/move`,
    body: { effectiveFrom: from, isSwap: false, isUnderRepair: false, ...body },
  });
async function move(id: number, body: object) {
  const shown = await preview(id, body);
  return shown.status === 200 ? preview(id, { ...body, confirmToken: shown.json.confirmToken }) : shown;
}
const fleetNo = async (bus: number) =>
  (await school.sql(`select fleet_no from transport_vehicle where id = ${bus}`))[0]?.fleet_no;
const busesOn = async (trips: readonly number[], day: string) => {
  const rows = await school.sql(`select vehicle_id as bus from transport_duty where trip_id in (${trips.join(', ')})
    and '${day}' between effective_from and coalesce(effective_to, 'infinity') order by trip_id`);
  return rows.map(({ bus }) => bus);
};

test('F4.5 two vehicles swap their trips from a day on, in one act, and the riders keep their trips', async () => {
  const fleet = await openFleet(school, { seats: 3 });
  const { pickup, drop } = fleet;
  await assign(fleet, 3);
  const trips = [pickup.trip, drop.trip];
  const { json: shown } = await preview(pickup.bus, { vehicleId: drop.bus, isSwap: true });
  expect([shown.trips, shown.count, shown.riders.length]).toEqual([2, 6, 6]);
  const [before, after] = await Promise.all([pickup.bus, drop.bus].map(fleetNo));
  expect(
    new Set(shown.riders.map((rider: { before: string; after: string }) => `${rider.before} ${rider.after}`)),
  ).toEqual(new Set([`${before} ${after}`, `${after} ${before}`]));
  expect(await busesOn(trips, from)).toEqual([pickup.bus, drop.bus]);
  const { status, json } = await move(pickup.bus, { vehicleId: drop.bus, isSwap: true });
  expect([status, json.isApplied]).toEqual([200, true]);
  expect(await busesOn(trips, '2026-11-30')).toEqual([pickup.bus, drop.bus]);
  expect(await busesOn(trips, from)).toEqual([drop.bus, pickup.bus]);
  const [row] = await school.sql(`select transport_riders(${pickup.trip}, '${from}') as riders`);
  expect(row?.riders).toBe(3);
});

test('F4.5 a swap is refused where a ride has ended since the preview', async () => {
  const fleet = await openFleet(school, { seats: 3 });
  const [child] = await assign(fleet, 2);
  const body = { vehicleId: fleet.spare };
  const { json: shown } = await preview(fleet.pickup.bus, body);
  expect(shown.riders.map(({ stop }: { stop: string }) => stop.split(', ').length)).toEqual([2, 2]);
  await school.sql(`update transport_assignment set effective_to = effective_from where student_id = ${child}`);
  await school.sql(`delete from transport_assignment where student_id = ${child}`);
  const late = await preview(fleet.pickup.bus, { ...body, confirmToken: shown.confirmToken });
  expect([late.status, late.json.error.code]).toEqual([409, 'stale']);
  expect(await busesOn([fleet.pickup.trip], from)).toEqual([fleet.pickup.bus]);
});

test('F4.5 a trip whose slot gets other times later keeps a vehicle on every day after it has moved', async () => {
  const fleet = await openFleet(school, { seats: 3 });
  const { pickup, spare } = fleet;
  await assign(fleet, 2);
  await school.sql(
    `update transport_time_slot set starts = '07:00', valid_from = '2027-01-01' where id = ${pickup.slot}`,
  );
  expect((await move(pickup.bus, { vehicleId: spare })).json.error).toBeUndefined();
  for (const day of [from, '2026-12-31', '2027-01-01', '2027-06-01'])
    expect(await busesOn([pickup.trip], day)).toEqual([spare]);
});

test('F4.5 no trip is swapped where a trip would have more riders than seats', async () => {
  const fleet = await openFleet(school, { seats: 3 });
  const { pickup, drop } = fleet;
  await assign(fleet, 3);
  await school.sql(`update transport_vehicle set seat_capacity = 5 where id = ${drop.bus}`);
  const small = await addBus(school, 1, 2);
  const { status, json } = await move(pickup.bus, { vehicleId: small });
  expect([status, json.error.message]).toEqual([409, expect.stringContaining('2 seats for 3 riders on 1 Dec 2026')]);
  expect(await busesOn([pickup.trip], from)).toEqual([pickup.bus]);
});

test('F3.5 a vehicle goes under repair in the act that moves its trips, and gets none until it is back', async () => {
  const { pickup, spare, drop } = await openFleet(school, { seats: 3 });
  const away = { vehicleId: pickup.bus, effectiveFrom: from, effectiveTo: '', reason: 'Workshop', note: '' };
  const early = await keeper.send({ method: 'POST', url: '/api/transport/vehicle-away', body: away });
  expect([early.status, Object.keys(early.json.error.fields)]).toEqual([422, ['vehicleId']]);
  const { status } = await move(pickup.bus, { vehicleId: spare, isUnderRepair: true });
  expect(status).toBe(200);
  expect(await busesOn([pickup.trip], from)).toEqual([spare]);
  const [row] =
    await school.sql(`select id, version, effective_from as from, effective_to as to from transport_vehicle_away
    where vehicle_id = ${pickup.bus}`);
  expect(row).toMatchObject({ from, to: null });
  const back = await move(spare, { vehicleId: pickup.bus });
  expect([back.status, back.json.error.message]).toEqual([409, expect.stringContaining('is away on')]);
  await school.sql(`update transport_vehicle_away set effective_to = '2026-12-31' where id = ${row?.id}`);
  expect((await move(spare, { vehicleId: pickup.bus, effectiveFrom: '2027-01-01' })).status).toBe(200);
  expect(await busesOn([pickup.trip], '2026-12-31')).toEqual([spare]);
  expect(await busesOn([drop.trip], from)).toEqual([drop.bus]);
});

test('F3.6 the five papers of a vehicle are added at once, all or none, and not twice', async () => {
  const { spare } = await openFleet(school, { seats: 3 });
  await school.sql(`delete from transport_vehicle_document where vehicle_id = ${spare}`);
  const papers = () =>
    school.sql(`select kind, number, expires_on::text as day from transport_vehicle_document
      where vehicle_id = ${spare} order by kind`);
  const empty = Object.fromEntries(Object.keys(paperFields).map((name) => [name, '']));
  const add = async (over: object) => {
    const body = { ...empty, ...over };
    const { status, json } = await keeper.send({
      method: 'POST',
      url: `/api/transport/vehicle/${spare}/papers`,
      body,
    });
    return status === 200 ? json.added : Object.keys(json.error.fields);
  };
  expect(await add({})).toEqual(['rcExpiresOn']);
  expect(await add({ pucNumber: 'P 1' })).toEqual(['pucExpiresOn']);
  expect(await add({ rcNumber: 'GJ 1', rcExpiresOn: '2031-03-31' })).toBe(1);
  const day = '2027-03-31';
  const others = { fitnessExpiresOn: day, insuranceExpiresOn: day, permitExpiresOn: day, pucExpiresOn: day };
  expect(await add({ ...others, rcExpiresOn: '2031-03-31' })).toEqual(['rcExpiresOn']);
  expect(await papers()).toEqual([{ kind: 'RC', number: 'GJ 1', day: '2031-03-31' }]);
  expect(await add(others)).toBe(4);
  expect((await papers()).map(({ kind }) => kind)).toEqual(['Fitness', 'Insurance', 'PUC', 'Permit', 'RC']);
});

test('the file of a paper is attached, replaced and opened with an audit row, and goes with its paper', async () => {
  const { spare } = await openFleet(school, { seats: 3 });
  const [own] = await school.sql(`select id from transport_vehicle_document where vehicle_id = ${spare} limit 1`);
  const url = `/api/transport/vehicle-document/${own?.id}/paper`;
  expect((await keeper.send({ url: `${url}/file` })).status).toBe(404);
  for (const name of ['Old', 'New']) {
    const body = form({}, { file: await paper(name) });
    expect((await keeper.send({ method: 'POST', url, body })).status).toBe(200);
  }
  expect((await keeper.send({ url: `${url}/file` })).status).toBe(200);
  const files = () => school.sql(`select id from file where owner = 'transport_vehicle' and owner_id = ${spare}`);
  expect(await files()).toHaveLength(1);
  const audited = await school.sql(`select action from audit where entity = 'transport_vehicle_document'
    and entity_id = ${own?.id} and action like 'transport-paper%' order by id`);
  expect(audited.map(({ action }) => action)).toEqual([
    'transport-paper.attached',
    'transport-paper.attached',
    'transport-paper.viewed',
  ]);
  await school.sql(`delete from transport_vehicle_document where id = ${own?.id}`);
  expect(await files()).toEqual([]);
});

test('F1.5 a driver’s licence that expired yesterday is in the figures of the day, and in the list of papers', async () => {
  await openFleet(school, { seats: 3 });
  const count = async () => {
    const { figures } = await keeper.call(fleetApi.summary, {});
    return figures.find(({ to }) => to === 'transport/paper')?.value ?? 0;
  };
  const before = await count();
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const crew = await addCrew(school);
  await school.sql(`update ${crewMaster.table} set licence_expires_on = '${yesterday}' where id = ${crew}`);
  expect(await count()).toBe(before + 1);
  const { total } = await keeper.call(paperList.api.list, { search: '' });
  expect(total).toBe(before + 1);
});

test('F3.7 papers of vehicles, drivers and attendants are one list by their last day, with the bus and the driver', async () => {
  const { pickup } = await openFleet(school, { seats: 3 });
  const day = (days: number) => addDays(toLocalDate(new Date()), days);
  const helper = await addCrew(school);
  const [duty] = await school.sql(`select duty.driver_id, driver.name, fleet_no as bus
    from transport_duty duty join transport_vehicle vehicle on vehicle.id = duty.vehicle_id
    join transport_crew crew on crew.id = duty.driver_id join staff driver on driver.id = crew.staff_id
    where duty.trip_id = ${pickup.trip} limit 1`);
  await school.sql(`update transport_crew set licence_expires_on = '${day(-1)}' where id = ${duty?.driver_id};
    update transport_crew set medical_expires_on = '${day(9)}', is_driver = false where id = ${helper};
    update transport_vehicle_document set expires_on = '${day(5)}' where vehicle_id = ${pickup.bus} and kind = 'PUC';
    insert into transport_vehicle_document (vehicle_id, kind, expires_on) values (${pickup.bus}, 'Permit', '${day(3)}');
    delete from transport_vehicle_document where vehicle_id = ${pickup.bus} and kind = 'RC'`);
  const [{ name: attendant } = {}] = await school.sql(`select staff.name from transport_crew crew
    join staff on staff.id = crew.staff_id where crew.id = ${helper}`);
  const read = async (tab: 'expired' | 'soon' | 'all', search: string) => {
    const { rows } = await keeper.call(paperList.api.list, { tab, search });
    return rows.map(({ name, owner, paper, expiresOn, partner }) => [name, owner, paper, expiresOn, partner]);
  };
  const bus = String(duty?.bus);
  expect(await read('expired', bus)).toEqual([[bus, 'Vehicle', 'RC', '', duty?.name]]);
  // An earlier permit does not count beside one that lasts longer.
  expect(await read('soon', bus)).toEqual([[bus, 'Vehicle', 'PUC', day(5), duty?.name]]);
  expect(await read('expired', String(duty?.name))).toEqual([[duty?.name, 'Driver', 'Licence', day(-1), bus]]);
  expect(await read('soon', String(attendant))).toEqual([[attendant, 'Attendant', 'Medical check', day(9), '']]);
  expect((await read('all', bus)).length).toBe(5);
});

test('a driver whose licence has expired is a to-do that opens the list of papers', async () => {
  const crew = await addCrew(school);
  await school.sql(`update transport_crew set licence_expires_on = '2020-01-01' where id = ${crew}`);
  const [{ name } = {}] = await school.sql(
    `select staff.name from transport_crew crew join staff on staff.id = crew.staff_id where crew.id = ${crew}`,
  );
  const { rows } = await keeper.call(dashboardApi.todo, {});
  const [todo] = rows.filter(({ kind, title }) => kind === 'paper' && title === name);
  expect(todo).toMatchObject({ when: 'late', to: `transport/paper?search=${encodeURIComponent(String(name))}` });
  expect(todo && english(todo.detail)).toBe(`Licence expired on ${showDate('2020-01-01')}.`);
});
