import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { backupMessages, dashboardApi } from '#features/dashboard/contract.ts';
import { type Config, readConfig } from '#kit/server/config.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { soak } from '#testing/soak.ts';
import { holdSnapshots, waitingForLock } from '#testing/stored.ts';
import { backupState, isBackupDue, makeDailyBackup } from './daily.ts';
import { startDailyBackups } from './schedule.ts';
import { dumpTable, listTables } from './tables.ts';

let school: School;
let folder: string;
beforeAll(async () => {
  school = await openOwnSchool();
  await school.inquiry();
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shala-daily-'));
  school.clock.now = undefined;
  await school.sql(`delete from audit where action = 'backup.made'`);
  await setBegun('3 days');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => school.close());

/** Sets the age of the school. */
const setBegun = (age: string) => school.sql(`update audit set at = now() - interval '${age}'`);
const madeBackup = (age: string, by: string) =>
  school.sql(`insert into audit (at, actor, action, entity, entity_id, request_id)
    values (now() - interval '${age}', 'Owner', 'backup.made', 'database', 0, '${by}')`);
const configTo = (at: string): Config => ({
  ...school.config,
  backup: { ...school.config.backup, folder: at, hour: new Date().getHours() },
});
const backedUp = () => school.sql(`select request_id from audit where action = 'backup.made'`);

/** The server's part of the backup, and the errors it logs. */
function daily(at = folder) {
  const errors: string[] = [];
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (...said: unknown[]) => errors.push(String(said)),
  };
  return { errors, ...startDailyBackups(school.services, configTo(at), log as never) };
}

const at = (words: string) => new Date(`2026-11-${words}:00`);
test.each([
  ['made since the hour came', '22T02:10', '22T14:00', false],
  ['made before it came', '21T23:50', '22T02:01', true],
  ['made yesterday, before the hour comes', '21T02:10', '22T01:59', false],
  ['missed while the server was off', '20T02:10', '22T09:00', true],
  ['missed, and the hour of today is still to come', '20T02:10', '22T00:30', true],
])('J6 with the last one %s, whether a backup is due follows from it', (_words, last, now, due) => {
  const dates = { made: null, daily: at(last), begun: at('01T09:00') };
  expect(isBackupDue(dates, 2, at(now))).toBe(due);
});

test('J6 a school without a daily backup gets its first one at the next such hour, and none while nothing was done there', () => {
  const begun = at('22T09:00');
  expect(isBackupDue({ made: begun, daily: null, begun }, 2, at('22T10:00'))).toBe(false);
  expect(isBackupDue({ made: begun, daily: null, begun }, 2, at('23T02:00'))).toBe(true);
  expect(isBackupDue({ made: null, daily: null, begun: null }, 2, at('23T02:00'))).toBe(false);
  expect(backupState({ made: null, daily: null, begun: null }, at('23T02:00'))).toBe('ok');
});

test('J6 BACKUP_HOUR is an hour or off, and archives lie in BACKUP_FOLDER', () => {
  const read = (overrides: object) =>
    readConfig({ DATABASE_URL: 'postgres://x/y', SHALA_FOLDER: '/srv/s', ...overrides }).backup;
  expect(read({})).toEqual({ folder: '/srv/s/backups', hour: 2, beforeUpgrade: true });
  expect(read({ BACKUP_HOUR: '23', BACKUP_FOLDER: '/media/disk', BACKUP_BEFORE_UPGRADE: 'off' })).toEqual({
    folder: '/media/disk',
    hour: 23,
    beforeUpgrade: false,
  });
  expect(read({ BACKUP_HOUR: 'off' }).hour).toBeUndefined();
  // Empty is not given.
  expect(read({ BACKUP_HOUR: '' }).hour).toBe(2);
  for (const wrong of ['24', '-1', '2.5', 'night']) {
    expect(() => read({ BACKUP_HOUR: wrong })).toThrow('BACKUP_HOUR must be an hour from 0 to 23, or off.');
  }
});

test('J6 of two servers that look at once one makes the daily backup, and none makes another until the hour comes again', async () => {
  const [first, second] = [daily(), daily()];
  await Promise.all([first.look(), second.look()]);
  await first.look();
  await Promise.all([first.stop(), second.stop()]);
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^shala-daily-.*\.backup$/)]);
  expect(await backedUp()).toEqual([{ request_id: 'daily backup' }]);
  expect([...first.errors, ...second.errors]).toEqual([]);
});

soak('J6 a server that looked before another one was done makes no second backup', async () => {
  await madeBackup('0 minutes', 'daily backup');
  expect(await makeDailyBackup(configTo(folder), new Date())).toBeUndefined();
  expect(readdirSync(folder)).toEqual([]);
});

soak('J6 a backup that people made does not stand for the daily one', async () => {
  await madeBackup('1 minute', 'npm run backup');
  const { look, stop } = daily();
  await look();
  await stop();
  expect(await backedUp()).toHaveLength(2);
});

test('J6 with BACKUP_HOUR off none is made', async () => {
  const off = { ...school.config, backup: { folder, beforeUpgrade: false } };
  const { look, stop } = startDailyBackups(school.services, off, {} as never);
  await look();
  await stop();
  expect(readdirSync(folder)).toEqual([]);
});

test('J6 the eighth daily backup removes the oldest, and never an archive with another name', async () => {
  const old = Array.from({ length: 7 }, (_, day) => `shala-daily-2026-01-0${day + 1}T0200.backup`);
  const others = ['shala-2026-01-01T0900.backup', 'monday.backup', 'shala-daily-2026-01-01.backup', 'a.part'];
  const halfDone = 'shala-daily-2026-01-08T0200.backup.part';
  for (const name of [...old, ...others, halfDone]) writeFileSync(join(folder, name), 'x');
  const { look, stop } = daily();
  await look();
  await stop();
  const left = readdirSync(folder);
  const made = left.filter((name) => ![...old, ...others].includes(name));
  expect(made).toHaveLength(1);
  expect(left.sort()).toEqual([...old.slice(1), ...others, ...made].sort());
});

test('J6 one that fails is logged in plain words, removes no older one, and is tried again an hour later', async () => {
  const blocked = join(folder, 'blocked');
  writeFileSync(blocked, '');
  const { look, stop, errors } = daily(blocked);
  await look();
  expect(errors).toEqual([
    `The daily backup was not made: No archive can be written into ${blocked} (EEXIST). Check the folder, or name another one. It is tried again in an hour.`,
  ]);
  rmSync(blocked);
  mkdirSync(blocked);
  await look();
  expect(readdirSync(blocked)).toEqual([]);
  school.clock.now = new Date(Date.now() + 61 * 60_000);
  await look();
  await stop();
  expect(readdirSync(blocked)).toHaveLength(1);
  expect(errors).toHaveLength(1);
});

const program = join(import.meta.dirname, 'daily-process.ts');
const work = () => `${JSON.stringify({ config: configTo(folder), now: new Date() })}\n`;

test('J6 J8 on a full disk a daily backup says so and leaves no half archive', async () => {
  const inside = ['--user', '--map-root-user', '--mount', 'sh', '-c'];
  const mounted = 'mount -t tmpfs -o size=8k none "$1" && "$2" "$3"; echo "left: $(ls -A "$1")"';
  const child = spawn('unshare', [...inside, mounted, 'sh', folder, process.execPath, program]);
  child.stdin.write(work());
  const said = await text(child.stdout);
  const [answer = '', left] = said.split('\n');
  expect(JSON.parse(answer).failed).toMatch(/^The disk is full: .* Free some, or name another folder\.$/);
  expect(left).toBe('left: ');
  expect(await backedUp()).toEqual([]);
});

test.each(['ends', 'is told to stop'])(
  'J13 when the server %s in the middle of a daily backup, nothing of it is left',
  async (how) => {
    const held = await holdSnapshots(school);
    const child = spawn(process.execPath, [program]);
    try {
      child.stdin.write(work());
      await expect.poll(() => waitingForLock(school, 'ShareLock')).toBe(1);
      expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.part$/)]);
      if (how === 'ends') child.stdin.end();
      else child.kill('SIGTERM');
      const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);
      expect(JSON.parse(said)).toEqual({ failed: 'The server was stopped.' });
      expect(readdirSync(folder)).toEqual([]);
      expect(await backedUp()).toEqual([]);
    } finally {
      child.kill('SIGKILL');
      await held.letGo();
    }
  },
);

test('J13 a backup whose connection ends just before it reads a table ends too', async () => {
  const client = new pg.Client(school.config.databaseOwnerUrl);
  client.on('error', () => undefined);
  await client.connect();
  const [table] = await listTables(client);
  if (!table) throw new Error('The school has no tables.');
  const rows = dumpTable(client, table);
  await client.end();
  await expect(text(rows)).rejects.toThrow('Connection terminated');
});

test('J6 an old or missing backup is a warning for Admins and a word in /readyz, which answers 200 all the same', async () => {
  const admin = await school.person({ role: 'Admin' });
  const ofBackup = Object.values(backupMessages).map(({ id }) => id);
  const seen = async () => {
    const { status, json } = await school.send({ url: '/readyz' });
    const { warnings } = await admin.call(dashboardApi.read, {});
    return [status, json.backup, warnings.map(({ text }) => text.id).filter((id) => ofBackup.includes(id))];
  };
  await setBegun('47 hours');
  expect(await seen()).toEqual([200, 'ok', []]);
  await setBegun('49 hours');
  expect(await seen()).toEqual([200, 'none', [backupMessages.none.id]]);
  await madeBackup('49 hours', 'daily backup');
  expect(await seen()).toEqual([200, 'old', [backupMessages.old.id]]);
  await madeBackup('47 hours', 'npm run backup');
  expect(await seen()).toEqual([200, 'ok', []]);
});
