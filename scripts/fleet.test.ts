import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { migrationsFolder, readMigrations } from '#kit/server/database/migrations.ts';
import { programVersion } from '#kit/server/version.ts';
import { copyDatabase, databaseOf, execute, newDatabaseName } from '#testing/postgres.ts';
import { openOwnSchool } from '#testing/school.ts';
import { isSoak, soak } from '#testing/soak.ts';
import { freePort } from './embedded-postgres.ts';
import { checkSchool } from './fleet-check.ts';
import { databaseAt, readFleet } from './fleet-schools.ts';

let home: string;
let folder: string;
let count = 0;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'shala-fleet-'));
});
beforeEach(() => {
  folder = mkdtempSync(join(home, `trust${count++}-`));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const write = (name: string, settings: Record<string, string>) =>
  writeFileSync(
    join(folder, `${name}.env`),
    Object.entries(settings)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  );

/** Settings of a school that shares nothing with another. */
const settings = (name: string, port: number) => ({
  DATABASE_URL: `postgres://app@db.example/${name}`,
  DATABASE_OWNER_URL: `postgres://owner@db.example/${name}`,
  SHALA_FOLDER: `/srv/${name}`,
  PORT: String(port),
});

test('UP14 two schools with one database, folder or port are refused by name, whoever signs in there', () => {
  const refusals: [Record<string, string>, string][] = [
    [
      { DATABASE_OWNER_URL: 'postgres://another@DB.example:5432/north' },
      'the same database, db.example:5432/north. Give',
    ],
    [{ SHALA_FOLDER: '/srv/../srv/north/' }, 'the same SHALA_FOLDER, /srv/north. Give'],
    [{ BACKUP_FOLDER: '/srv/north/backups' }, 'the same BACKUP_FOLDER, /srv/north/backups. Give'],
    [{ PORT: '3001' }, 'the same PORT, 3001. Give'],
  ];
  write('north', settings('north', 3001));
  for (const [shared, words] of refusals) {
    write('south', { ...settings('south', 3002), ...shared });
    expect(() => readFleet(folder)).toThrow(`north.env and south.env have ${words} each its own.`);
  }
  write('south', settings('south', 3002));
  expect(readFleet(folder).map(({ name, config }) => [name, config.production])).toEqual([
    ['north', true],
    ['south', true],
  ]);
});

test('UP14 a file that is no school, and a folder without one, are named before anything is done', () => {
  expect(() => readFleet(join(folder, 'no'))).toThrow('is no folder');
  expect(() => readFleet(folder)).toThrow('has no file such as north.env');
  write('east', { ...settings('east', 3003), SHALA_PATINCE: '5' });
  expect(() => readFleet(folder)).toThrow('east.env: SHALA_PATINCE');
  write('east', { PORT: '3003' });
  expect(() => readFleet(folder)).toThrow('east.env names no DATABASE_URL. Each school needs a database of its own.');
  write('east', { ...settings('east', 3003), NODE_ENV: 'development' });
  expect(() => readFleet(folder)).toThrow('east.env: NODE_ENV must be production');
});

test('UP14 an address with a socket, or another name of this machine, is the database that it leads to', () => {
  expect(databaseAt('postgres://a:b@127.0.0.1/shala')).toBe(databaseAt('postgresql://c@localhost:5432/shala?x=1'));
  expect(databaseAt('postgres:///shala?host=/run/postgresql')).toBe('/run/postgresql:5432/shala');
});

async function fleet(...words: string[]) {
  const child = spawn(process.execPath, ['scripts/fleet.ts', folder, ...words], { env: { PATH: process.env.PATH } });
  const [said, complained, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { said: said + complained, code };
}

/** A database with the tables of this version, or without any. */
async function place(name: string, { isEmpty = false } = {}) {
  const { url, template } = inject('postgres');
  const database = newDatabaseName(template);
  if (isEmpty) await execute(url, `create database ${database}`);
  else await copyDatabase(url, database, template);
  const addresses = databaseOf(url, database);
  write(name, { ...addresses, SHALA_FOLDER: join(folder, name), PORT: String(await freePort()) });
  return { sql: (statement: string) => execute(addresses.DATABASE_OWNER_URL, statement) };
}

test('UP14 schools are upgraded in the order of their names up to the first that fails, and the rest from there on', async () => {
  const small = await place('00-small', { isEmpty: isSoak });
  const north = await place('north');
  await place('south');
  await north.sql(`insert into migration (name, checksum) values ('209901010101_later.sql', '')`);

  const upgraded = isSoak
    ? `Upgraded to ${programVersion()} with ${readMigrations().length} migrations.`
    : `The database fits version ${programVersion()} already.`;
  const stopped = await fleet('upgrade');
  expect([stopped.code, stopped.said]).toEqual([
    1,
    expect.stringMatching(
      `shala: 00-small: ${upgraded}\n` +
        '(.*\n)*shala: north: The school was not upgraded: The database is newer than this program: it has ' +
        '209901010101_later.sql.*\nshala: north was not upgraded. Upgraded before it: 00-small\n' +
        `shala: To go on: npm run fleet -- ${folder} upgrade --from north\n$`,
    ),
  ]);
  expect(await small.sql('select name from migration')).toHaveLength(readMigrations().length);

  await north.sql(`delete from migration where name = '209901010101_later.sql'`);
  const rest = await fleet('upgrade', '--from', 'north');
  expect([rest.code, rest.said]).toEqual([0, expect.stringContaining('shala: Upgraded: north, south\n')]);
  expect(rest.said).not.toContain('00-small');
});

test('UP14 a school is well when it serves this version and nothing waits; what it lacks is said of it', async () => {
  const school = await openOwnSchool();
  await school.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = school.app.server.address() as AddressInfo;
  const served = { name: 'north', environment: {}, config: { ...school.config, host: '127.0.0.1', port } };
  expect(await checkSchool(served)).toEqual({
    isWell: true,
    words: `ready, ${programVersion()}, backup ok`,
    server: { name: expect.stringMatching(/^localhost:\d+$/), used: expect.any(Number), most: expect.any(Number) },
  });

  const later = join(folder, 'migrations');
  cpSync(migrationsFolder, later, { recursive: true });
  writeFileSync(join(later, '209901010101_later.sql'), '');
  const away = { ...served, config: { ...served.config, port: await freePort() } };
  expect(await checkSchool(away, later)).toMatchObject({
    isWell: false,
    words: `no answer on http://127.0.0.1:${away.config.port}, 1 migrations wait`,
  });
  const lost = { ...served, config: { ...served.config, databaseOwnerUrl: `${school.config.databaseOwnerUrl}_no` } };
  expect(await checkSchool(lost)).toMatchObject({
    isWell: false,
    words: expect.stringMatching(/^ready, .*, its database did not answer: database ".*_no" does not exist$/),
  });
  await school.close();
});

soak('UP14 fleet check and backup look at every school, and fail when one is not well', async () => {
  await place('north');
  const south = await place('south');
  const checked = await fleet('check');
  expect([checked.code, checked.said]).toEqual([1, expect.stringContaining('Look at north, south')]);
  expect(checked.said).toMatch(/localhost:\d+ has \d+ of \d+ connections in use/);
  // A school that was never started has no keys, and so nothing to back up with.
  await south.sql('drop table key_check cascade');
  const backed = await fleet('backup');
  expect([backed.code, backed.said]).toEqual([
    1,
    expect.stringMatching(/north: The archive: (.*\n)*.*Not backed up: south/),
  ]);
  expect(readdirSync(join(folder, 'north/backups'))).toHaveLength(1);
});
