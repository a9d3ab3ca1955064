import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { english, verbatim } from '#kit/contract/text.ts';
import { openLog } from '#kit/server/log.ts';
import { announceProcess, listProcesses, mostConnections, waitForEarlier } from '#kit/server/server-process.ts';
import { programVersion } from '#kit/server/version.ts';
import { openSchool, type School } from '#testing/school.ts';
import { readConnections, tooManyFor } from './connections.ts';
import { system } from './feature.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

const add = (pid: number, version: string, secondsAgo: number) =>
  school.sql(`insert into server_process (id, version, host, pid, started_at, seen_at) values
    (gen_random_uuid(), '${version}', 'app1', ${pid}, now(), now() - make_interval(secs => ${secondsAgo}))`);
const pids = async () => (await listProcesses(school.services)).map(({ pid }) => pid);

test('SY1 an Admin reads versions, the last migration, processes and upgrades', async () => {
  await add(4711, '0.2.0', 0);
  const { status, json } = await (await school.person({ role: 'Admin' })).send({ url: '/api/system/version' });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    version: programVersion(),
    node: process.versions.node,
    postgres: expect.stringMatching(/^\d+\.\d+$/),
    migration: expect.stringMatching(/^\d{12}_.*\.sql$/),
    processes: [{ pid: 4711, version: '0.2.0', host: 'app1' }],
    upgrades: [{ from: '', to: programVersion(), backup: '' }],
  });
  await school.sql('delete from server_process');
});

test('SY2 a process is listed until it stops; one that was not seen for 30 seconds is not, and is deleted after a day', async () => {
  await add(1, '0.2.0', 29);
  await add(2, '0.2.0', 31);
  await add(3, '0.2.0', 90_000);
  const { stop } = await announceProcess(school.services, openLog('silent'), { pool: 10, doesJobs: true });
  expect(await pids()).toEqual([1, process.pid]);
  expect(await school.sql('select pid from server_process where pid = 3')).toEqual([]);
  await stop();
  expect(await pids()).toEqual([1]);
  await school.sql('delete from server_process');
});

test('SY3 Admins are warned while processes serve and none does the work of the background', async () => {
  const warned = async () => ((await system.findWarnings?.(school.services)) ?? []).map(({ name }) => name);
  expect(await warned()).not.toContain('no-jobs');
  const { stop } = await announceProcess(school.services, openLog('silent'), { pool: 10, doesJobs: false });
  expect(await warned()).toContain('no-jobs');
  await add(4711, '0.2.0', 0);
  expect(await warned()).not.toContain('no-jobs');
  await stop();
  await school.sql('delete from server_process');
});

test('OP3 ten processes with a pool of 4 are counted as 70 connections; with three usual processes more Admins are warned, with the remedy', async () => {
  const warning = async () =>
    ((await system.findWarnings?.(school.services)) ?? []).find(({ name }) => name === 'connections');
  const most = 97;
  const found = await readConnections(school.services);
  expect(found.most).toBeGreaterThan(10);
  expect([mostConnections({ pool: 4, doesJobs: true }), mostConnections({ pool: 10, doesJobs: true })]).toEqual([
    7, 15,
  ]);
  expect(mostConnections({ pool: 10, doesJobs: false })).toBe(10);
  const addMany = (count: number, connections: number) =>
    school.sql(`insert into server_process (id, version, host, pid, started_at, seen_at, connections)
      select gen_random_uuid(), '0.2.0', 'app1', pid, now(), now(), ${connections} from generate_series(1, ${count}) as pid`);
  await addMany(10, 7);
  expect(await readConnections(school.services)).toEqual({ processes: 10, taken: 70, most: found.most });
  expect(tooManyFor({ processes: 10, taken: 70, most })).toBe(false);
  await addMany(3, 15);
  expect(tooManyFor({ processes: 13, taken: 115, most })).toBe(true);
  await addMany(Math.ceil(found.most / 15), 15);
  expect(english((await warning())?.text ?? verbatim(''))).toMatch(
    /^\d+ processes take up to \d+ of \d+ connections to the database\. .*DATABASE_POOL.*max_connections/,
  );
  await school.sql('delete from server_process');
  expect(await warning()).toBeUndefined();
});

test('UP5 an upgrade waits until a process of the version before has stopped, and names it; after its time it is refused', async () => {
  const said: string[] = [];
  const wait = (patience: number) =>
    waitForEarlier(school.config.databaseOwnerUrl, { to: '0.3.0', patience, say: (words) => said.push(words) });
  await add(4711, '0.3.0', 0);
  await wait(1);
  expect(said).toEqual([]);
  await add(4712, '0.2.0', 0);
  await expect(wait(0)).rejects.toThrow(
    'Process 4712 of version 0.2.0 on app1 still serves. Stop it, and start 0.3.0 again. Nothing was changed.',
  );
  const waiting = wait(1);
  await expect.poll(() => said).toEqual(['Waiting for process 4712 of version 0.2.0 on app1 to stop']);
  await pause(100);
  // As if it had been killed half a minute ago.
  await school.sql(`update server_process set seen_at = now() - interval '31 seconds' where pid = 4712`);
  await waiting;
});
