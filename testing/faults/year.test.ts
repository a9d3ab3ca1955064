import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '#kit/server/day.ts';
import { ask, confirm } from '../year/acting.ts';
import { invariants, nobodyUnexplained } from '../year/invariants.ts';
import { breaches, daysOf, explain, type Journal, liveDay } from '../year/live.ts';
import { breachesOf, plantedFaults } from '../year/planted.ts';
import { openYearSchool, type YearSchool } from '../year/school.ts';
import { openScreens, wrongScreens } from '../year/screens.ts';

let world: YearSchool;
let screens: Awaited<ReturnType<typeof openScreens>>;
const journal: Journal = [];
const seed = 20_450_401;
/** Acts of each of the three clients on a day. */
const perDay = 4;
const before = { from: '2045-03-23', until: '2045-03-31' };
const after = { from: '2045-04-01', until: '2045-04-06' };
const whole = { from: before.from, until: after.until };
beforeAll(async () => {
  world = await openYearSchool();
});
afterAll(() => world.close());

/** What does not hold by now, with the history of each. */
const problems = async (checked = invariants) =>
  (await breaches(world.school.sql, checked, whole)).map((breach) => explain(journal, breach));

async function live(span: typeof before) {
  for (const [at, day] of daysOf(span).entries())
    await liveDay(world, { day, seed: seed + daysOf(whole).indexOf(day), count: perDay + (at % 2), journal });
}

test('U1.20 the last days of a year keep every invariant, and each screen says one place of a child', async () => {
  await live({ ...before, until: addDays(before.until, -1) });
  screens = await openScreens(world);
  expect(await wrongScreens(world, screens, before.until)).toEqual([]);
  await live({ ...before, from: before.until });
  expect(await problems()).toEqual([]);
});

const unexplained = nobodyUnexplained(before.until, after.from);

/** The office decides on the first children of each grade; the others are promoted. */
async function decide() {
  const { school, people, grades, years } = world;
  for (const [at, gradeId] of grades.entries()) {
    const [own] = await school.sql(`select enrollment_id as id from student_on('${before.until}')
      where academic_year_id = ${years.old.id} and grade_id = ${gradeId} order by student_id limit 1`);
    const decision = at === 0 ? 'Detain' : at === 1 ? 'Re-test' : 'Leave';
    const { status } = await ask(people.office, {
      method: 'PUT',
      url: `/api/student/result/${own?.id}`,
      body: { version: 0, decision, reason: 'Below 33 %', conduct: '', progress: '' },
    });
    expect(status).toBe(200);
  }
}

test('U1.20 a turn of all grades, with the server killed in it, keeps every invariant and explains everybody', async () => {
  const { school, app, people, years } = world;
  world.clockAt(before.until, '20:00');
  await decide();
  const start = () => confirm(people.admin, `/year-end/${years.old.id}/turn`, { keeps: 'Same letter', gradeIds: [] });
  const both = await Promise.all([start(), start()]);
  expect(both.filter(({ status, json }) => status === 200 && json.runId)).toHaveLength(1);
  for (const moment of [30, 200]) {
    await pause(moment);
    await app.kill();
    // A server takes the jobs of a killed one after a minute and a half, which the test does not wait for.
    await school.sql(`update graphile_worker._private_jobs set locked_at = now() - interval '1 hour'
      where locked_at is not null`);
    await app.start();
  }
  const open = async () =>
    (await school.sql(`select from run join academic_turn on run_id = run.id where finished_at is null`)).length;
  await expect.poll(open).toBe(0);
  expect(await problems([...invariants, unexplained])).toEqual([]);
});

test('U1.20 the first days of the next year keep them too', async () => {
  await live({ ...after, until: addDays(after.until, -1) });
  expect(await wrongScreens(world, screens, after.until)).toEqual([]);
  expect(await problems()).toEqual([]);
});

test.each([...invariants, unexplained].map(({ name }) => name))(
  'U1.20 a fault planted against “%s” is found',
  async (name) => {
    const fault = plantedFaults[name];
    if (!fault) throw new Error(`Plant a fault for "${name}" in testing/year/planted.ts.`);
    const found = await breachesOf(world.school, fault, [...invariants, unexplained], whole);
    expect(found.map((breach) => breach.name)).toContain(name);
  },
);

test('U1.20 a breach is printed with at most three lines of what was last done to that child', async () => {
  const [name = '', fault = ''] = Object.entries(plantedFaults)[1] ?? [];
  const [breach] = (await breachesOf(world.school, fault, invariants, whole)).filter((one) => one.name === name);
  if (!breach) throw new Error('The planted receipt was not found.');
  const lines = explain(journal, breach).split('\n');
  expect(lines[0]).toContain(`student ${breach.broken.student}`);
  expect(lines.slice(1).every((line) => /^ {2}2045-0[34]-\d\d a /.test(line))).toBe(true);
  expect([lines.length > 1, lines.length <= 4]).toEqual([true, true]);
});
