import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { awayHook } from '#features/workday/contract/hooks.ts';
import { english } from '#kit/contract/text.ts';
import { addDays } from '#kit/server/day.ts';
import { ask } from '#kit/server/hook.ts';
import type { Person } from '#testing/browser.ts';
import { setDay } from '#testing/registers.ts';
import { openSchool, type School } from '#testing/school.ts';
import { recordStatements } from '#testing/statements.ts';
import { addBus, addRoute, addTrip, openFleet, plantBranch } from '#testing/transport.ts';
import { todayApi } from '../contract/today.ts';

let school: School;
let keeper: Person;
/** A Wednesday. */
let day: string;
beforeAll(async () => {
  school = await openSchool();
  keeper = await school.person({ name: 'Ramesh', role: 'Staff', sets: ['transportIncharge'] });
  const [row] = await school.sql(`select (school_now() at time zone 'Asia/Kolkata')::date::text as today`);
  const today = String(row?.today);
  day = addDays(today, 21 + ((3 - new Date(`${today}T00:00:00Z`).getUTCDay() + 7) % 7));
  await setDay(school, day, 'Working day');
});
afterAll(() => school.close());
afterEach(() => {
  school.clock.now = undefined;
});

const driverOf = async (trip: number) => {
  const [row] = await school.sql(`select crew.staff_id as id, staff.name from transport_duty duty
    join transport_crew crew on crew.id = duty.driver_id join staff on staff.id = crew.staff_id where duty.trip_id = ${trip}`);
  return { id: Number(row?.id), name: String(row?.name) };
};
const markAbsent = (staffId: number) =>
  school.sql(`insert into workday_presence (staff_id, day, kind, source, entered_by, entered_at)
    values (${staffId}, '${day}', 'Absent', 'Office', ${keeper.staffId}, now())`);
const todos = async (person: Person) =>
  (await person.call(dashboardApi.todo, {})).rows.filter(({ kind }) => kind.startsWith('bus'));

test('the office and the principal read the buses of a day and replace none, and a branch reads its own trips', async () => {
  const { pickup, drop } = await openFleet(school, { seats: 5 });
  for (const set of ['office', 'principal'] as const) {
    const reader = await school.person({ name: set, role: 'Staff', sets: [set] });
    const { trips, may } = await reader.call(todayApi.day, { day });
    expect([trips.some(({ id }) => id === pickup.trip), may.replace]).toEqual([true, false]);
    const paper = await reader.send({ url: `/api/transport/trip/${pickup.trip}/manifest?day=${day}` });
    expect(paper.status).toBe(200);
    expect(
      (await reader.send({ url: `/api/transport/trip/${pickup.trip}/elsewhere?from=${day}&to=${day}` })).status,
    ).toBe(403);
  }
  const branch = await plantBranch(school);
  await school.sql(`update transport_route set branch_id = ${branch} where id = ${drop.route}`);
  const near = await school.person({ name: 'Near', role: 'Staff', sets: ['transportIncharge'], branchIds: [branch] });
  const { trips } = await near.call(todayApi.day, { day });
  expect(trips.map(({ id }) => id)).toEqual([drop.trip]);
});

test('a driver who is marked absent is red on that day and a to-do, and not on the next day', async () => {
  const { pickup } = await openFleet(school, { seats: 5 });
  const driver = await driverOf(pickup.trip);
  school.clock.now = new Date(`${day}T05:00:00+05:30`);
  expect(await todos(keeper)).toEqual([]);
  await markAbsent(driver.id);
  const { trips } = await keeper.call(todayApi.day, { day });
  expect(trips.find(({ id }) => id === pickup.trip)?.driver?.isAway).toBe(true);
  const [todo, ...others] = await todos(keeper);
  expect([others, todo?.when, todo && english(todo.detail), todo?.to]).toEqual([
    [],
    'today',
    `${driver.name} is away.`,
    'transport/?tab=today',
  ]);
  school.clock.now = new Date(`${day}T15:00:00+05:30`);
  expect(await todos(keeper)).toEqual([]);
  school.clock.now = new Date(`${addDays(day, 1)}T05:00:00+05:30`);
  expect(await todos(keeper)).toEqual([]);
});

test('the form of leave lists the trips of that half of the day', async () => {
  const { pickup } = await openFleet(school, { seats: 5 });
  const { id } = await driverOf(pickup.trip);
  const waits = async (halves: { day: string; half: number }[]) => {
    const answers = await school.services.db
      .transaction()
      .execute((db) => ask({ ...school.context(), db } as never, awayHook, { staffId: id, halves }));
    return answers.filter(({ by }) => by === 'transport').flatMap(({ output }) => output.texts.map(english));
  };
  const sunday = addDays(day, 4);
  const both = [1, 2].flatMap((half) => [day, addDays(day, 1), sunday].map((one) => ({ day: one, half })));
  expect(await waits(both)).toEqual([expect.stringMatching(/^Drives Bus \d+, Route \d+ at 06:45: 2 days\.$/)]);
  expect(await waits([{ day, half: 2 }])).toEqual([]);
});

test('a vehicle that comes back from the workshop tomorrow is a to-do', async () => {
  const { spare } = await openFleet(school, { seats: 5 });
  await school.sql(`insert into transport_vehicle_away (vehicle_id, effective_from, effective_to, reason)
    values (${spare}, '${addDays(day, -3)}', '${day}', 'Workshop')`);
  school.clock.now = new Date(`${addDays(day, -1)}T05:00:00+05:30`);
  const { rows } = await keeper.call(dashboardApi.todo, {});
  const back = rows.filter(({ kind }) => kind === 'vehicle-back');
  expect(back.map(({ when, to }) => [when, to])).toEqual([['soon', 'transport/vehicle?tab=vehicle-away']]);
});

test('the day takes at most five statements, however many trips there are', async () => {
  const fleet = await openFleet(school, { seats: 5 });
  const read = () => keeper.call(todayApi.day, { day });
  await read();
  const one = await recordStatements(school, read);
  const [row] = await school.sql(`select branch_id as id from transport_route where id = ${fleet.pickup.route}`);
  for (let more = 0; more < 12; more++) {
    const route = await addRoute(school, { branchId: Number(row?.id), stops: fleet.stops });
    await addTrip(school, route, fleet.pickup.slot, await addBus(school, Number(row?.id), 5));
  }
  const many = await recordStatements(school, read);
  expect(many.result.trips.length).toBeGreaterThanOrEqual(one.result.trips.length + 12);
  expect(many.texts).toEqual(one.texts);
  // Beside the session.
  const own = many.texts.filter((words) => /transport_|academic_|attendance_/.test(words));
  expect(own.length).toBeLessThanOrEqual(5);
});
