import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { openSchool } from '#testing/school.ts';
import { levelOf, openLog } from './log.ts';
import { programVersion } from './version.ts';

const quick = { status: 200, ms: 12.5, isBackground: false };

test.each([
  ['a script', { method: 'GET', url: '/assets/start-1.js' }, quick, 'debug'],
  ['a page', { method: 'GET', url: '/school-erp/dashboard' }, quick, 'debug'],
  [
    'what a page asks for by itself',
    { method: 'GET', url: '/api/notification' },
    { ...quick, isBackground: true },
    'debug',
  ],
  ['what a person reads', { method: 'GET', url: '/api/student' }, quick, 'info'],
  ['an act', { method: 'POST', url: '/api/student' }, quick, 'info'],
  ['a script that is missing', { method: 'GET', url: '/assets/old.js' }, { ...quick, status: 404 }, 'info'],
  ['a slow page', { method: 'GET', url: '/school-erp/dashboard' }, { ...quick, ms: 1400 }, 'info'],
])('SY6 the line of %s has its level', (_, request, answered, level) => {
  expect(levelOf(request, answered)).toBe(level);
});

test('SY6 each line has process and version, and that of a request the number of the account', async () => {
  const lines: string[] = [];
  const destination = new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) });
  openLog('info', destination).info('begun');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ pid: process.pid, release: programVersion(), msg: 'begun' });
  const school = await openSchool();
  const admin = await school.person({ role: 'Admin' });
  await admin.send({ url: '/api/system/version' });
  await school.send({ url: '/login' });
  const told = school
    .log()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(told).toContainEqual(
    expect.objectContaining({ path: '/api/system/version', account: admin.id, status: 200, ms: expect.any(Number) }),
  );
  expect(told).not.toContainEqual(expect.objectContaining({ path: '/login' }));
  await school.close();
});

test('SY6 the secret of a gateway’s reports is in no line', async () => {
  const school = await openSchool();
  const secret = 'k3v9sXq2pLwZ7tRb5mNc8dYf';
  school.services.reportSecret = secret;
  const reports = [{ id: 1, state: 'Delivered' }];
  await school.send({ method: 'POST', url: `/api/message/report/${secret}`, body: { reports } });
  await school.send({ method: 'POST', url: `/api/message/report/${secret}?again=1`, body: { reports: 'none' } });
  await school.send({ url: `/api/message/report/${secret}` });
  expect(school.log()).toContain('/api/message/report/[secret]');
  expect(school.log()).not.toContain(secret);
  await school.close();
});
