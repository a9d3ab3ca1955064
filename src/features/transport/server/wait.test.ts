import { afterAll, beforeAll, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { approvalApi } from '#features/approval/contract/approval.ts';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { leavingApi } from '#features/student/contract/leaving.ts';
import { showDate } from '#kit/contract/day.ts';
import { addDays } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { addRiders, firstDay, openFleet, plantBranch } from '#testing/transport.ts';
import { riderApi } from '../contract/rider.ts';
import { rideApi, stopChanges } from '../contract/stop-change.ts';
import { waitApi, waitList } from '../contract/wait.ts';
import { mergeWaits } from './merge.ts';

let school: School;
let keeper: Person;
let office: Person;
let section: number;
/** A day in the middle of the year. */
let today: string;
beforeAll(async () => {
  school = await openSchool();
  keeper = await school.person({ name: 'Ramesh', role: 'Staff', sets: ['transportIncharge'] });
  office = await school.person({ name: 'Meena', role: 'Staff', sets: ['office'] });
  const [year] = await school.sql(`select id, starts_on from academic_year where id = academic_year_on()`);
  today = `${String(year?.starts_on).slice(0, 4)}-11-18`;
  school.clock.now = new Date(`${today}T06:00:00Z`);
  section = (await plant(school, sectionMaster, { academicYearId: Number(year?.id), capacity: 80 })).id;
});
afterAll(() => school.close());

type Fleet = Awaited<ReturnType<typeof openFleet>>;

const wait = (fleet: Fleet, studentId: number, askedDaysAgo: number, over: object = {}) =>
  office.call(waitApi.add, {
    studentId,
    stopId: fleet.stops[0] ?? 0,
    ways: 'Both',
    wantedFrom: today,
    askedOn: addDays(today, -askedDaysAgo),
    note: '',
    ...over,
  });
/** Children of whom the first one rides until a day, and the others ask for the seat one after the other. */
async function openLine(count: number, lastDay: string | null) {
  const fleet = await openFleet(school, { seats: 1 });
  const [rider = 0, ...children] = await addRiders(school, section, count + 1);
  if (lastDay)
    await school.sql(`insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, drop_trip_id, drop_stop_id,
      effective_from, effective_to, billed_from, fee) values (${rider}, ${fleet.pickup.trip}, ${fleet.stops[0]},
      ${fleet.drop.trip}, ${fleet.stops[0]}, '${firstDay}', '${lastDay}', '${firstDay}', 'Free')`);
  const waits: number[] = [];
  for (const [place, child] of children.entries()) waits.push((await wait(fleet, child, 9 - place)).id);
  return { fleet, rider, children, waits };
}
const read = async ({ fleet }: { fleet: Fleet }, tab: 'waiting' | 'done' = 'waiting') =>
  (await office.call(waitList.api.list, { search: '', tab, stopId: String(fleet.stops[0]) })).rows;
const problemOf = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    ({ code, fields, text }) => [code, Object.keys(fields).join() || text.id],
  );
async function give(id = 0, effectiveFrom = today, reason = '') {
  const { confirmToken } = await keeper.call(waitApi.give, { id, effectiveFrom, reason });
  return keeper.call(waitApi.give, { id, effectiveFrom, reason, confirmToken: confirmToken ?? '' });
}
const seatTodos = async () => (await keeper.call(dashboardApi.todo, {})).rows.filter(({ kind }) => kind === 'seat');

test('F7.1 the child who asked first is a to-do from the day on which a seat is free, and gets it in one act', async () => {
  const line = await openLine(2, addDays(today, 5));
  const free = addDays(today, 6);
  const [first, second] = await read(line);
  expect([first, second]).toMatchObject([
    { studentId: line.children[0], number: 1, freeFrom: free },
    { studentId: line.children[1], number: 2, freeFrom: '' },
  ]);
  const todos = await seatTodos();
  expect(todos.filter(({ title }) => title === first?.name || title === second?.name)).toMatchObject([
    { title: first?.name, when: 'soon', detail: { values: { day: showDate(free) } } },
  ]);
  expect(await problemOf(give(line.waits[0], today))).toEqual(['invalid', 'effectiveFrom']);
  const { rows } = await give(line.waits[0], free);
  expect(rows).toMatchObject([{ name: first?.name, amount: 150_000 }]);
  expect(await read(line, 'done')).toMatchObject([{ studentId: line.children[0], state: 'Seated' }]);
  expect(await read(line)).toMatchObject([{ studentId: line.children[1], number: 1, freeFrom: '' }]);
  expect(await seatTodos()).toEqual([]);
});

test('F7.2 of two who give one seat to two children at once one does, and a second press gives none', async () => {
  const line = await openLine(2, null);
  const [first, second] = line.waits;
  const gives = [
    { id: first ?? 0, effectiveFrom: today, reason: '' },
    { id: second ?? 0, effectiveFrom: today, reason: 'Lives far away' },
  ];
  const tokens: string[] = [];
  for (const input of gives) tokens.push((await keeper.call(waitApi.give, input)).confirmToken ?? '');
  const answers = await Promise.all(
    [0, 1, 0, 1].map((place) =>
      problemOf(keeper.call(waitApi.give, { ...gives[place], confirmToken: tokens[place] } as never)),
    ),
  );
  expect(answers.filter((answer) => answer === 'done')).toHaveLength(1);
  expect([(await read(line)).length, (await read(line, 'done')).length]).toEqual([1, 1]);
  const [riders] = await school.sql(`select transport_riders(${line.fleet.pickup.trip}, '${today}') as count`);
  expect(riders?.count).toBe(1);
});

test('F7.3 a seat for which a child waits goes to another one only with a reason, and freely where all who wait have one', async () => {
  const line = await openLine(2, null);
  expect(await problemOf(give(line.waits[1]))).toEqual(['invalid', 'reason']);
  const seat = {
    studentId: line.rider,
    staffId: null,
    pickupTripId: line.fleet.pickup.trip,
    pickupStopId: line.fleet.stops[1] ?? 0,
    dropTripId: null,
    dropStopId: null,
    fee: 'By stop' as const,
  };
  const assign = (reason: string) =>
    keeper.call(riderApi.assign, { riders: [seat], effectiveFrom: today, billedFrom: '', reason });
  expect(await problemOf(assign(''))).toEqual(['invalid', 'reason']);
  expect(await problemOf(assign('Teacher’s child'))).toBe('done');
  await school.sql(`update transport_vehicle set seat_capacity = 5 where id = ${line.fleet.pickup.bus}`);
  expect(await problemOf(assign(''))).toBe('done');
});

test('F7.4 a child waits once and without a seat; one who has left is not in the line until the leaving is undone', async () => {
  const line = await openLine(2, addDays(today, 5));
  const [first = 0] = line.children;
  expect(await problemOf(wait(line.fleet, first, 1))).toEqual(['invalid', 'studentId']);
  expect(await problemOf(wait(line.fleet, line.rider, 1))).toEqual(['invalid', 'studentId']);
  expect(await problemOf(wait(line.fleet, line.rider, 1, { wantedFrom: addDays(today, 6) }))).toBe('done');
  await school.sql(`update transport_wait set wanted_from = '${addDays(today, 1)}' where id = ${line.waits[0]}`);
  const [reason] = await school.sql(`select min(id) as id from academic_lookup where kind = 'Leaving reason'`);
  const leaving = {
    id: first,
    lastDay: today,
    reasonId: Number(reason?.id),
    conduct: 'Good',
    progress: 'Satisfactory',
  };
  const left = { ...leaving, nextSchool: '', remark: '' };
  const { confirmToken } = await office.call(leavingApi.leave, left);
  await office.call(leavingApi.leave, { ...left, confirmToken: confirmToken ?? undefined });
  expect((await read(line)).map(({ number }) => number)).toEqual([null, 1, 2]);
  const undo = { id: first, reason: 'Wrong child' };
  const preview = await office.call(leavingApi.undo, undo);
  await office.call(leavingApi.undo, { ...undo, confirmToken: preview.confirmToken ?? undefined });
  expect((await read(line)).map(({ number }) => number)).toEqual([1, 2, 3]);
  await office.call(waitApi.withdraw, { id: line.waits[0] ?? 0 });
  expect(await problemOf(office.call(waitApi.withdraw, { id: line.waits[0] ?? 0 }))).toEqual([
    'conflict',
    '{name} no longer waits for a seat.',
  ]);
  expect((await read(line)).map(({ number }) => number)).toEqual([1, 2]);
});

const rideOf = async ({ fleet }: { fleet: Fleet }, child = 0, from = today, to: string | null = null) =>
  Number(
    (
      await school.sql(`insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, effective_from,
        effective_to, billed_from, fee) values (${child}, ${fleet.pickup.trip}, ${fleet.stops[0]}, '${from}',
        ${to === null ? 'null' : `'${to}'`}, '${from}', 'Free') returning id`)
    )[0]?.id,
  );
const roomFor = ({ fleet }: { fleet: Fleet }, seats: number) =>
  school.sql(
    `update transport_vehicle set seat_capacity = ${seats + 2} where id in (${fleet.pickup.bus}, ${fleet.drop.bus})`,
  );
const lineOf = async (line: { fleet: Fleet }) => (await read(line)).map(({ studentId, number }) => [studentId, number]);

test('a ride that ends before the wanted day leaves its child in the line until it is lengthened to that day', async () => {
  const line = await openLine(2, null);
  await roomFor(line, 5);
  const [first, second] = line.children;
  await school.sql(`update transport_wait set wanted_from = '${addDays(today, 9)}' where id = ${line.waits[0]}`);
  const ride = await rideOf(line, first, today, addDays(today, 3));
  expect(await lineOf(line)).toEqual([
    [first, 1],
    [second, 2],
  ]);
  // The child has a seat on the day of the form, which has a field for the day and none for riders.
  expect(await problemOf(give(line.waits[0]))).toEqual(['invalid', 'effectiveFrom']);
  await school.sql(`update transport_assignment set effective_to = '${addDays(today, 20)}' where id = ${ride}`);
  expect(await lineOf(line)).toEqual([[second, 1]]);
});

test('a child whose ride is deleted or ends before the wanted day waits again in its place', async () => {
  const line = await openLine(2, null);
  await roomFor(line, 5);
  const [first, second] = line.children;
  const both = [
    [first, 1],
    [second, 2],
  ];
  await give(line.waits[0], addDays(today, 2));
  expect(await lineOf(line)).toEqual([[second, 1]]);
  await school.sql(`delete from transport_assignment where student_id = ${first}`);
  expect(await lineOf(line)).toEqual(both);
  await school.sql(`update transport_wait set wanted_from = '${addDays(today, 9)}' where id = ${line.waits[0]}`);
  const ride = await rideOf(line, first);
  expect(await lineOf(line)).toEqual([[second, 1]]);
  await school.sql(`update transport_assignment set effective_to = '${addDays(today, 8)}' where id = ${ride}`);
  expect(await lineOf(line)).toEqual(both);
});

test('a stop change names the child whom it passes over to the asker and to the approver', async () => {
  const line = await openLine(1, null);
  const [waiting] = await read(line);
  const day = addDays(today, 4);
  const stop = line.fleet.stops[1] ?? 0;
  const ride = { pickupTripId: line.fleet.pickup.trip, pickupStopId: stop, dropTripId: null, dropStopId: null };
  const shown = () =>
    office.call(rideApi.ride, {
      ...{ studentId: line.rider, day, pickupTripId: ride.pickupTripId, pickupStopId: stop },
    });
  expect((await shown()).passed).toBe(waiting?.name);
  const { id } = await office.call(stopChanges.Student.api.request, {
    ...{ ...ride, studentId: line.rider, staffId: null },
    ...{ action: 'Start', effectiveFrom: day, reason: 'Teacher’s child' },
  });
  const [asked] = await school.sql(`select id from approval where transport_stop_change_id = ${id}`);
  const effects = async () => (await keeper.call(approvalApi.read, { id: Number(asked?.id) })).effect;
  expect(JSON.stringify(await effects())).toContain(String(waiting?.name));
  await roomFor(line, 5);
  expect([(await shown()).passed, JSON.stringify(await effects()).includes(String(waiting?.name))]).toEqual([
    null,
    false,
  ]);
});

test('the person in charge of one branch is offered no seat on a trip of another', async () => {
  const line = await openLine(1, null);
  const [row] = await school.sql(`select branch_id as id from student where id = ${line.children[0]}`);
  const near = await school.person({
    name: 'Near',
    role: 'Staff',
    sets: ['transportIncharge'],
    branchIds: [Number(row?.id)],
  });
  const freeFrom = async () =>
    (await near.call(waitList.api.list, { search: '', tab: 'waiting', stopId: String(line.fleet.stops[0]) })).rows[0]
      ?.freeFrom;
  const seats = async () => (await near.call(dashboardApi.todo, {})).rows.filter(({ kind }) => kind === 'seat').length;
  const routes = `${line.fleet.pickup.route}, ${line.fleet.drop.route}`;
  await school.sql(`update transport_route set branch_id = ${row?.id} where id in (${routes})`);
  expect([await freeFrom(), await seats()]).toEqual([today, 1]);
  const far = await plantBranch(school);
  await school.sql(`update transport_route set branch_id = ${far} where id in (${routes})`);
  expect([await freeFrom(), await seats()]).toEqual(['', 0]);
  const input = { id: line.waits[0] ?? 0, effectiveFrom: today, reason: '' };
  expect(await problemOf(near.call(waitApi.give, input))).toEqual(['invalid', 'effectiveFrom']);
});

test('the place in the line goes to the kept record of a child, unless that one waits', async () => {
  const line = await openLine(2, null);
  const [first = 0, second = 0] = line.children;
  const merge = async (keptId: number, retiredId: number) => {
    await school.sql(`insert into student_merge (kept_id, retired_id, status, choices, reason, asked_by, asked_at, done_at)
      values (${keptId}, ${retiredId}, 'Done', '{}', 'Entered twice', ${office.staffId}, now(), now())`);
    await mergeWaits.act(school.context() as never, { keptId, retiredId } as never);
  };
  await merge(line.rider, first);
  await merge(line.rider, second);
  expect(await lineOf(line)).toEqual([
    [line.rider, 1],
    [second, 2],
  ]);
});
