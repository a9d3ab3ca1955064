import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, confirm } from '../year/acts.ts';
import { invariants, nobodyUnexplained } from '../year/invariants.ts';
import { breaches, daysOf, explain, type Journal, liveDay } from '../year/live.ts';
import { breachesOf, plantedFaults } from '../year/planted.ts';
import { openYearSchool, type YearSchool } from '../year/school.ts';

let world: YearSchool;
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

test('U1.20 the last days of a year keep every invariant', async () => {
  await live(before);
  expect(await problems()).toEqual([]);
}, 60_000);

test('U1.20 a fault that is planted for an invariant is found, with what was last done to the child', async () => {
  const unexplained = nobodyUnexplained(before.until, after.from);
  const checked = [...invariants];
  const found: Record<string, string[]> = {};
  for (const { name } of checked) {
    const fault = plantedFaults[name];
    if (!fault) throw new Error(`Plant a fault for "${name}" in testing/year/planted.ts.`);
    found[name] = (await breachesOf(world.school, fault, checked, whole)).map((breach) => breach.name);
  }
  expect(Object.entries(found).filter(([name, names]) => !names.includes(name))).toEqual([]);
}, 60_000);
