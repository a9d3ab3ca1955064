import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkFiles } from '#kit/server/files/file-check.ts';
import { startS3 } from '../s3.ts';
import { openFamily, openOwnSchool } from '../school.ts';
import { soak } from '../soak.ts';
import { startApp } from './app.ts';
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

soak(
  'BK7 two machines serve each other’s files from a bucket; one killed while it stores a file loses none',
  async () => {
    const s3 = await startS3();
    const school = await openOwnSchool(s3.settings);
    const folder = mkdtempSync(join(tmpdir(), 'shala-machine-'));
    cpSync(join(school.config.folder, 'keys'), join(folder, 'keys'), { recursive: true });
    const environment = { ...s3.settings, SHALA_PATIENCE: '10' };
    const one = await startApp(school, { environment });
    const other = await startApp({ ...school, config: { ...school.config, folder } }, { environment });
    try {
      const { id, inquiryNo, link: value } = await school.inquiry();
      const [here, there] = [one, other].map(({ send }) =>
        openFamily({ send, sql: school.sql }, { id, inquiryNo, value }),
      );
      const stored = await here?.upload('Birth Certificate');
      expect(stored?.status).toBe(200);
      const [{ documentFilePath }] = (await there?.get('documents'))?.json.data.resultList ?? [{}];
      expect((await there?.get(`files/${documentFilePath}`))?.status).toBe(200);

      s3.asked.length = 0;
      s3.fault = ({ method, url }) => (method === 'PUT' && url.includes('/files/') ? 'slow' : undefined);
      const cut = here?.upload('Aadhar Card').catch(() => undefined);
      await expect.poll(() => s3.asked.filter(({ method }) => method === 'PUT').length).toBeGreaterThan(0);
      await one.kill();
      await cut;
      expect((await there?.upload('Aadhar Card'))?.status).toBe(200);
      await one.start();

      school.clock.now = new Date(Date.now() + 11 * 60_000);
      const found = await checkFiles({ ...school.services, log: { info: () => undefined, error: () => undefined } });
      expect([found?.missing, found?.whole]).toEqual([[], 2]);
      const { resultList } = (await here?.get('documents'))?.json.data ?? {};
      for (const { documentFilePath: path } of resultList) expect((await here?.get(`files/${path}`))?.status).toBe(200);
      expect(s3.names('files')).toHaveLength(2);
    } finally {
      await one.kill();
      await other.kill();
      await school.close();
      await s3.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
