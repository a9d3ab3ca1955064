import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOwnSchool } from '../school.ts';
import { type Cluster, openCluster } from './cluster.ts';
import { killApp, killPostgres } from './crash.ts';
import { breachesOf } from './outcome.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openCluster();
});
afterAll(() => cluster.close());

test('J2 D10 a server killed under saves and uploads has lost nothing it acknowledged and done nothing twice', async () => {
  const outcome = await killApp(cluster, 1);
  expect(breachesOf(outcome)).toEqual([]);
  expect([outcome.runs, outcome.acknowledged > 0]).toEqual([1, true]);
});

test('J3 J9 D10 W20 a database killed under saves and uploads has lost nothing either, all heals by itself, and a limit that was reached still holds', async () => {
  const school = await openOwnSchool({}, cluster.postgres);
  const guess = (index: number) =>
    school.send({ url: `/api/admission/inquiry?inquiryNo=${String(index).padStart(32, '0')}` });
  const statusesOf = async (count: number) => {
    const statuses = [];
    for (let index = 0; index < count; index++) statuses.push((await guess(index)).status);
    return statuses;
  };
  expect(await statusesOf(31)).toEqual([...Array(30).fill(404), 429]);
  // Counts reach the disk within a second, or with the next save.
  await school.sql('update academic_school set name = name');

  const outcome = await killPostgres(cluster, 1);
  expect(breachesOf(outcome)).toEqual([]);
  expect([outcome.runs, outcome.acknowledged > 0]).toEqual([1, true]);

  await expect.poll(async () => (await school.send({ url: '/readyz' })).status).toBe(200);
  expect(await statusesOf(2)).toEqual([429, 429]);
  expect(await school.sql(`select hits from attempt where kind = 'unknown-link'`)).toEqual([{ hits: 33 }]);
  await school.close();
});
