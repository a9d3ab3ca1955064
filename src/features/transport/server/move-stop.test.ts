import { afterAll, beforeAll, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { addDays } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { addBus, addRiders, addRoute, addTrip, firstDay, openFleet } from '#testing/transport.ts';
import { riderList } from '../contract/rider.ts';

let school: School;
let keeper: Person;
let section: number;
let day: string;
beforeAll(async () => {
  school = await openSchool();
  keeper = await school.person({ name: 'Ramesh', role: 'Staff', sets: ['transportIncharge'] });
  const [year] = await school.sql(`select id, (school_now() at time zone 'Asia/Kolkata')::date::text as today
    from academic_year where id = academic_year_on()`);
  day = addDays(String(year?.today), 20);
  section = (await plant(school, sectionMaster, { academicYearId: Number(year?.id), capacity: 80 })).id;
});
afterAll(() => school.close());

const move = (stop: number | undefined, input: object) =>
  keeper.send({ method: 'POST', url: `/api/transport/stop/${stop}/move`, body: input });
/** What the riders of both trips have on each of some days. */
const ridesOf = (children: readonly number[]) =>
  school.sql(`select days.day::date::text as day, count(*)::integer as rides, count(ride.trip_id)::integer as trips
    from generate_series('${firstDay}'::date, '${firstDay}'::date + 400, '1 day') as days (day)
    join transport_rides_on(days.day::date) ride on ride.student_id in (${children.join(', ')})
    group by days.day having count(*) <> ${children.length} or count(ride.trip_id) <> ${children.length}`);

test('TB6 of twelve riders of a stop ten get its ten seats, two are named, and a second run moves none', async () => {
  const fleet = await openFleet(school, { seats: 20 });
  const { pickup, stops } = fleet;
  const children = await addRiders(school, section, 13);
  for (const child of children)
    await school.sql(`insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, effective_from,
      billed_from, fee) values (${child}, ${pickup.trip}, ${stops[0]}, '${firstDay}', '${firstDay}', 'By stop')`);
  const [row] = await school.sql(`select branch_id as id from transport_route where id = ${pickup.route}`);
  const route = await addRoute(school, { branchId: Number(row?.id), stops: stops.slice(1) });
  const trip = await addTrip(school, route, pickup.slot, await addBus(school, Number(row?.id), 10));
  const asking = children.at(-1);
  await school.sql(`insert into transport_stop_change (request_no, student_id, action, effective_from, reason, requested_by,
    requested_at) values ('SC-M', ${asking}, 'Stop', '${addDays(day, 9)}', 'Moved', ${keeper.staffId}, now())`);
  const input = {
    effectiveFrom: day,
    pickupTripId: trip,
    pickupStopId: stops[1],
    dropTripId: null,
    dropStopId: null,
  };
  const wrong = await move(stops[0], { ...input, pickupStopId: stops[0] });
  expect([wrong.status, Object.keys(wrong.json.error.fields)]).toEqual([422, ['pickupTripId']]);
  const shown = await move(stops[0], input);
  expect([shown.json.changed, shown.json.skippedCount, shown.json.isApplied]).toEqual([10, 3, false]);
  const done = await move(stops[0], { ...input, confirmToken: shown.json.confirmToken });
  expect([done.json.isApplied, done.json.changed]).toEqual([true, 10]);
  const reasons = done.json.skipped.map(({ reason }: { reason: { message?: string; id?: string } }) =>
    JSON.stringify(reason),
  );
  expect(reasons.filter((reason: string) => reason.includes('no free seat'))).toHaveLength(2);
  expect(reasons.filter((reason: string) => reason.includes('stop change'))).toHaveLength(1);
  expect(new Set(done.json.skipped.map(({ name }: { name: string }) => name)).size).toBe(3);
  const count = async (own: number, on: string) =>
    Number((await school.sql(`select transport_riders(${own}, '${on}') as riders`))[0]?.riders);
  expect([await count(pickup.trip, addDays(day, -1)), await count(trip, addDays(day, -1))]).toEqual([13, 0]);
  expect([await count(pickup.trip, day), await count(trip, day)]).toEqual([3, 10]);
  expect(await ridesOf(children)).toEqual([]);
  const again = await move(stops[0], input);
  expect([again.json.changed, again.json.skippedCount, again.json.confirmToken]).toEqual([0, 3, null]);
});

test('TB6 riders who keep their trip need no new seat, and one who rides both ways gets both stops', async () => {
  const { pickup, drop, stops } = await openFleet(school, { seats: 2 });
  const children = await addRiders(school, section, 2);
  for (const child of children)
    await school.sql(`insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, drop_trip_id,
      drop_stop_id, effective_from, billed_from, fee) values (${child}, ${pickup.trip}, ${stops[0]}, ${drop.trip},
      ${stops[0]}, '${firstDay}', '${firstDay}', 'By stop')`);
  const input = {
    effectiveFrom: day,
    pickupTripId: pickup.trip,
    pickupStopId: stops[1],
    dropTripId: drop.trip,
    dropStopId: stops[2],
  };
  const { json } = await move(stops[0], input);
  const done = await move(stops[0], { ...input, confirmToken: json.confirmToken });
  expect([done.json.changed, done.json.skippedCount]).toEqual([2, 0]);
  const rows = await school.sql(`select pickup_stop_id, drop_stop_id from transport_assignment
    where student_id in (${children.join(', ')}) and effective_from = '${day}'`);
  expect(rows).toEqual([
    { pickup_stop_id: stops[1], drop_stop_id: stops[2] },
    { pickup_stop_id: stops[1], drop_stop_id: stops[2] },
  ]);
  const again = await move(stops[0], input);
  expect([again.json.changed, again.json.skippedCount]).toEqual([0, 0]);
});

test('children who wait at a stop move with its riders, and a rider passes a child who waits only with a reason', async () => {
  const { pickup, stops } = await openFleet(school, { seats: 2 });
  const [rider, waiting, ahead, both] = await addRiders(school, section, 4);
  await school.sql(`insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, effective_from,
    billed_from, fee) values (${rider}, ${pickup.trip}, ${stops[0]}, '${firstDay}', '${firstDay}', 'By stop')`);
  const [row] = await school.sql(`select branch_id as id from transport_route where id = ${pickup.route}`);
  const route = await addRoute(school, { branchId: Number(row?.id), stops: stops.slice(1) });
  const trip = await addTrip(school, route, pickup.slot, await addBus(school, Number(row?.id), 1));
  const wait = (child: number | undefined, stop: number | undefined, ways: string) =>
    school.sql(`insert into transport_wait (student_id, stop_id, ways, wanted_from, asked_on, entered_by, entered_at)
      values (${child}, ${stop}, '${ways}', '${day}', '${day}', ${keeper.staffId}, now())`);
  await wait(ahead, stops[2], 'Pickup');
  await wait(waiting, stops[0], 'Pickup');
  await wait(both, stops[0], 'Both');
  await school.sql(`delete from transport_route_stop own using transport_route_plan plan
    where plan.id = own.plan_id and plan.route_id = ${pickup.route} and own.stop_id = ${stops[2]}`);
  const input = {
    effectiveFrom: day,
    pickupTripId: trip,
    pickupStopId: stops[1],
    dropTripId: null,
    dropStopId: null,
  };
  const refused = await move(stops[0], input);
  expect([refused.status, Object.keys(refused.json.error.fields)]).toEqual([422, ['reason']]);
  const reasoned = { ...input, reason: 'The stop closes' };
  const shown = await move(stops[0], reasoned);
  expect([shown.json.changed, shown.json.waiting.length, shown.json.waitingStill.length]).toEqual([1, 1, 1]);
  await move(stops[0], { ...reasoned, confirmToken: shown.json.confirmToken });
  const stopsOf = await school.sql(`select student_id, stop_id from transport_wait
    where student_id in (${waiting}, ${both}) order by id`);
  expect(stopsOf.map(({ stop_id }) => stop_id)).toEqual([stops[1], stops[0]]);
});

test('a child without a bus on some afternoons still has none when the morning stop moves', async () => {
  const { pickup, drop, stops } = await openFleet(school, { seats: 1 });
  const [child, guest] = await addRiders(school, section, 2);
  const rider = (student: number | undefined, from: string, to: string) =>
    school.sql(`insert into transport_assignment (student_id, drop_trip_id, drop_stop_id, effective_from, effective_to,
      billed_from, fee) values (${student}, ${drop.trip}, ${stops[0]}, '${from}', '${to}', '${from}', 'By stop')`);
  const [row] =
    await school.sql(`insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, drop_trip_id,
      drop_stop_id, effective_from, billed_from, fee) values (${child}, ${pickup.trip}, ${stops[0]}, ${drop.trip},
      ${stops[2]}, '${firstDay}', '${firstDay}', 'By stop') returning id`);
  const [before, after] = [addDays(day, -3), addDays(day, 3)];
  await school.sql(`insert into transport_day_ride (assignment_id, way, effective_from, effective_to, act, entered_by,
      entered_at) values (${row?.id}, 'Drop', '${before}', '${after}', gen_random_uuid(), ${keeper.staffId}, now())`);
  await rider(guest, before, after);
  const input = {
    effectiveFrom: day,
    pickupTripId: pickup.trip,
    pickupStopId: stops[1],
    dropTripId: null,
    dropStopId: null,
  };
  const shown = await move(stops[0], input);
  const done = await move(stops[0], { ...input, confirmToken: shown.json.confirmToken });
  expect([shown.status, done.json.changed]).toEqual([200, 1]);
  const rides = await school.sql(`select days.day::date::text as day, ride.trip_id from
      unnest('{${before},${day},${after},${addDays(after, 1)}}'::date[]) as days (day)
    join transport_rides_on(days.day) ride on ride.student_id = ${child} and ride.way = 'Drop' order by 1`);
  expect(rides.map(({ trip_id }) => trip_id)).toEqual([null, null, null, drop.trip]);
  // The ride of the first day has its bus in the list of those to come.
  const ofBus = { search: '', tab: 'later', vehicleId: String(pickup.bus), sort: 'name' };
  const { rows } = await keeper.call(riderList.api.list, ofBus);
  expect(rows.map(({ personId }) => personId)).toEqual([child]);
});
