import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#testing/school.ts';
import { openUpkeep } from './upkeep.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

test('UP12 a piece that fails is tried again after 1, 2 and 4 minutes, while the others are done at once and every hour', async () => {
  const start = Date.now();
  let at = 0;
  const done: [name: string, minute: number][] = [];
  const said: string[] = [];
  let failures = 3;
  const { look, stop } = openUpkeep(
    { db: school.services.db, now: () => new Date(start + at * 60_000) },
    { warn: (_facts: unknown, words?: string) => void said.push(String(words)) },
    [
      { name: 'correct first', act: async () => done.push(['correct first', at]) },
      {
        name: 'tidy',
        act: async () => {
          if (failures-- > 0) throw new Error('timeout exceeded when trying to connect');
          done.push(['tidy', at]);
        },
      },
      { name: 'check files', act: async () => done.push(['check files', at]) },
    ],
  );
  const stateOf = async () =>
    (await school.sql(`select tries, error, last_ok_at is not null as is_ok from upkeep where name = 'tidy'`))[0];
  await look();
  expect(await stateOf()).toEqual({ tries: 1, error: 'timeout exceeded when trying to connect', is_ok: false });
  for (at = 1; at <= 61; at++) await look();
  expect(done).toEqual([
    ['correct first', 0],
    ['check files', 0],
    ['tidy', 7],
    ['correct first', 60],
    ['check files', 60],
  ]);
  expect(await stateOf()).toEqual({ tries: 0, error: '', is_ok: true });
  expect(said).toEqual([1, 2, 4].map((minutes) => `Upkeep "tidy" failed; it is tried again in ${minutes} minutes`));
  await stop();
  at = 200;
  await look();
  expect(done).toHaveLength(5);
});

test('UP12 pieces are done one after another, and a second look waits for the first', async () => {
  let [running, most] = [0, 0];
  const act = async () => {
    most = Math.max(most, ++running);
    await school.sql('select 1');
    running--;
  };
  const pieces = ['one', 'two', 'three'].map((name) => ({ name, act }));
  const { look } = openUpkeep(school.services, { warn: () => undefined }, pieces);
  await Promise.all([look(), look()]);
  expect(most).toBe(1);
});
