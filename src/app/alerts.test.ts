import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Disk } from '#kit/server/files/disk.ts';
import { listOutbox } from '#kit/server/messages/outbox.ts';
import { openSchool, type School } from '#testing/school.ts';
import { lookForAlerts } from './alerts.ts';
import { allMessages } from './features.server.ts';

let school: School;
let minutes = 0;
let disk: Pick<Disk, 'free' | 'total'> = { free: 0, total: 0 };
const roomy = { free: 5e11, total: 1e12 };
const full = { free: 9e10, total: 1e12 };
beforeAll(async () => {
  school = await openSchool();
  await school.person({ role: 'Admin' });
});
afterAll(() => school.close());
beforeEach(async () => {
  minutes = 0;
  disk = roomy;
  await school.sql('delete from alert');
  await school.sql('delete from outbox');
});

const began = Date.parse('2026-11-30T04:00:00Z');
const at = () => new Date(began + minutes * 60_000);
const services = () => ({
  ...school.services,
  now: at,
  readDisks: async () => [{ name: 'files' as const, ...disk }],
});
const look = (alertUrl?: string) => lookForAlerts(services(), { alertUrl });
/** Looks every minute until this one. */
async function until(minute: number, alertUrl?: string) {
  for (; minutes <= minute; minutes++) await look(alertUrl);
}
const mails = async () =>
  (await school.sql(`select template from outbox where template like 'alert-%' order by id`)).map(
    ({ template }) => template,
  );

test('OP5 a disk at 9 % is told after ten minutes, again after a day, and once when there is room again', async () => {
  disk = full;
  await until(9);
  expect(await mails()).toEqual([]);
  await until(60);
  expect(await mails()).toEqual(['alert-began']);
  minutes = 24 * 60 + 9;
  await look();
  expect(await mails()).toEqual(['alert-began']);
  minutes = 24 * 60 + 11;
  await look();
  expect(await mails()).toEqual(['alert-began', 'alert-began']);
  disk = roomy;
  await until(minutes + 9);
  expect(await mails()).toHaveLength(2);
  await until(minutes + 60);
  expect(await mails()).toEqual(['alert-began', 'alert-began', 'alert-ended']);
});

test('OP5 a warning of nine minutes is told to nobody, and one that comes and goes is told once', async () => {
  disk = full;
  await until(8);
  disk = roomy;
  await until(40);
  expect(await mails()).toEqual([]);
  disk = full;
  await until(60);
  for (let turn = 0; turn < 20; turn++) {
    disk = turn % 2 === 0 ? roomy : full;
    await until(minutes + 4);
  }
  expect(await mails()).toEqual(['alert-began']);
});

test('OP5 the mail says what is wrong in words and leads to System; one that waits until it is right again is not sent', async () => {
  disk = full;
  await until(12);
  const [mail] = await listOutbox(services(), allMessages);
  expect(mail?.rendered?.text).toContain('Only 90.0 GB are free where uploaded files are stored.');
  expect(mail?.rendered?.text).toContain('/school-erp/system?tab=work');
  disk = roomy;
  await until(40);
  const rendered = (await listOutbox(services(), allMessages)).map(({ template, rendered }) => [
    template,
    rendered?.subject,
  ]);
  expect(rendered).toEqual([
    ['alert-ended', 'Shala is well again'],
    ['alert-began', undefined],
  ]);
});

test('OP5 while mail hangs the operator’s address gets it, at least once, and again where it was not accepted', async () => {
  const got: { name: string; state: string; words: string; school: string }[] = [];
  let status = 503;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      if (status === 200) got.push(JSON.parse(body));
      response.writeHead(status).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const stuck = `insert into outbox (channel, template, recipient, subject_id, queued_at, last_error)
    values ('email', 'admin-added', 'a@b.example', 1, now() - interval '1 hour', 'ETIMEDOUT')`;
  await school.sql(stuck);
  for (; minutes < 10; minutes++) await look(url);
  await expect(look(url)).rejects.toThrow('ALERT_URL answered 503');
  expect(got).toEqual([]);
  status = 200;
  minutes++;
  await look(url);
  minutes++;
  await look(url);
  expect(got).toEqual([
    expect.objectContaining({ name: 'email-not-sent', state: 'began', words: expect.stringContaining('ETIMEDOUT') }),
  ]);
  await school.sql(`update outbox set last_error = null`);
  await until(minutes + 20, url);
  expect(got.map(({ state }) => state)).toEqual(['began', 'ended']);
  server.close();
});

test('OP5 a backup that is more than two days old is urgent, and so is upkeep that fails for six hours', async () => {
  await school.sql(`insert into upkeep (name, last_ok_at, failed_at, tries, error)
    values ('check files', '${new Date(began - 7 * 3_600_000).toISOString()}', now(), 5, 'EIO')`);
  await until(11);
  expect(await school.sql('select name from alert where told_at is not null')).toEqual([{ name: 'upkeep-fails' }]);
  const { findBackupWarnings } = await import('./backup/daily.ts');
  const later = { ...services(), now: () => new Date(Date.now() + 5 * 24 * 3_600_000) };
  expect(await findBackupWarnings(later)).toMatchObject([{ isUrgent: true }]);
  await school.sql('delete from upkeep');
});
