import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Services } from '#kit/server/context.ts';
import { waitForDatabase } from '#kit/server/database/wait.ts';
import type { ServerFeature } from '#kit/server/feature.ts';
import { openLog } from '#kit/server/log.ts';
import { type EmptySchool, emptySchool } from '#testing/empty-school.ts';
import { openOwnSchool } from '#testing/school.ts';
import { isSoak, soak } from '#testing/soak.ts';
import { freePort } from '../../scripts/embedded-postgres.ts';
import { seedDemo } from './demo.ts';
import { needsDemo, withEmptySchool } from './make-demo.ts';
import { run } from './run.ts';
import { explainSlow, openServices } from './services.ts';

let place: EmptySchool;
let said: string[];
beforeEach(async () => {
  place = await emptySchool();
  said = [];
});
afterEach(() => place.close());

const say = (words: string) => void said.push(words);
const silent = openLog('silent');

/** A part of a demo that adds some branches, or is cut off after one. */
const branches = (isCutOff: boolean) =>
  ({
    seed: async () => ({
      seed: async ({ db }: Services) => {
        for (const code of ['EAST', 'WEST']) {
          await db
            .insertInto('academic_branch')
            .values({ name: `Campus ${code}`, code })
            .execute();
          if (isCutOff) throw new Error('cut off');
        }
      },
    }),
  }) as unknown as ServerFeature;

const make = (isCutOff = false) =>
  withEmptySchool({ config: place.config, log: silent, say }, async (app, services) => {
    await seedDemo(app, services, { parts: [branches(isCutOff)], say });
  });
const codes = async () => (await place.sql('select code from academic_branch order by code')).map(({ code }) => code);

test('UP8 a demo school that was cut off is refused by a start, and made again in full, with its tables and files removed first', async () => {
  expect(await needsDemo(place.config, say)).toBe(true);
  await expect(make(true)).rejects.toThrow('cut off');
  expect(await codes()).toEqual(['EAST', 'MAIN']);
  const stored = join(place.config.folder, 'files/0a/0a000000-0000-0000-0000-000000000000');
  mkdirSync(join(stored, '..'), { recursive: true });
  writeFileSync(stored, 'half');

  await expect(run({ ...place.config, port: 0, logLevel: 'silent' })).rejects.toThrow(
    'The database holds a demo school that was not finished. To begin a new school, name an empty database',
  );
  expect(existsSync(stored)).toBe(true);

  expect(await needsDemo(place.config, say)).toBe(true);
  await make();
  expect(said).toEqual([
    'Making the demo school: 1 of 1',
    'The demo school was not finished; making it again',
    'Making the demo school: 1 of 1',
  ]);
  expect([await codes(), existsSync(stored)]).toEqual([['EAST', 'MAIN', 'WEST'], false]);
  expect(await needsDemo(place.config, say)).toBe(false);
  const { services, close } = await openServices(place.config, silent);
  expect(await services.db.selectFrom('demo').select('finished_at').execute()).toEqual([
    { finished_at: expect.any(Date) },
  ]);
  await close();
});

test('UP8 of two starts at once one makes the demo school, and the other waits and finds it made', async () => {
  const held = Promise.withResolvers<void>();
  const waits = { seed: async () => ({ seed: () => held.promise }) } as unknown as ServerFeature;
  const first = withEmptySchool({ config: place.config, log: silent, say }, async (app, services) => {
    await seedDemo(app, services, { parts: [waits, branches(false)], say });
  });
  await expect.poll(() => said).toEqual(['Making the demo school: 1 of 2']);
  const other = make();
  const waiting = `select from pg_locks join pg_database d on d.oid = database
    where locktype = 'advisory' and not granted and datname = current_database()`;
  await expect.poll(() => place.sql(waiting)).toHaveLength(1);
  held.resolve();
  await Promise.all([first, other]);
  expect(said).toEqual(['Making the demo school: 1 of 2', 'Making the demo school: 2 of 2']);
  expect(await codes()).toEqual(['EAST', 'MAIN', 'WEST']);
});

test('UP8 a school without a row in demo is never touched', async () => {
  const school = await openOwnSchool();
  await school.inquiry();
  const before = await school.sql('select id from admission_inquiry');
  expect(await needsDemo(school.config, say)).toBe(false);
  await withEmptySchool({ config: school.config, log: silent, say }, async (app, services) => {
    expect(await seedDemo(app, services, { parts: [branches(true)] })).toBe(false);
  });
  expect(await school.sql('select id from admission_inquiry')).toEqual(before);
  expect(said).toEqual([]);
  await school.close();
});

/** Seconds that a statement of the demo is slowed by; a request may take 4.5. */
const slowedBy = isSoak ? 6 : 5;
/** In soak each statement on this table, else one of the demo and one of a request. */
const slowed = isSoak ? 'true' : `new.code in ('EAST', 'NORTH')`;

test('UP9 a demo whose statements take longer than those of a request may is made; a request ends after 4.5 s', async () => {
  await withEmptySchool({ config: place.config, log: silent, say }, async (app, services) => {
    await place.sql(`create function slow() returns trigger language plpgsql
      as $$ begin perform pg_sleep(${slowedBy}); return new; end $$`);
    await place.sql(`create trigger slow before insert on academic_branch for each row when (${slowed})
      execute function slow()`);
    expect(await seedDemo(app, services, { parts: [branches(false)], say })).toBe(true);
  });
  expect(await codes()).toEqual(['EAST', 'MAIN', 'WEST']);

  const { services, close } = await openServices(place.config, silent);
  expect((await sql`show statement_timeout`.execute(services.db)).rows).toEqual([{ statement_timeout: '4500ms' }]);
  await expect(
    services.db.insertInto('academic_branch').values({ name: 'Campus NORTH', code: 'NORTH' }).execute(),
  ).rejects.toThrow('canceling statement due to statement timeout');
  await close();
});

test('UP9 a time limit met before the server listens names the setting that ends it', () => {
  for (const message of ['canceling statement due to statement timeout', 'Query read timeout'])
    expect(explainSlow(new Error(message), { patience: 1 })).toEqual(
      new Error(
        'The database took longer than 4.5 s for one statement. The machine is busy: start again with SHALA_PATIENCE=5.',
      ),
    );
  expect(explainSlow(new Error('another'), { patience: 1 })).toEqual(new Error('another'));
});

test('UP9 a start waits for a database that comes later, and says so once; a wrong name fails at once', async () => {
  const address = new URL(place.config.databaseOwnerUrl);
  const { hostname, port } = address;
  const later = await freePort();
  const gate = createServer((socket) => {
    const to = connect(Number(port), hostname);
    for (const end of [socket, to]) end.on('error', () => undefined);
    socket.pipe(to).pipe(socket);
  });
  address.port = String(later);
  const waiting = waitForDatabase(address.href, 1, say);
  await pause(1500);
  gate.listen(later, hostname);
  await waiting;
  expect(said).toEqual([`Waiting for PostgreSQL at ${hostname}:${later}`]);
  gate.close();
  const wrong = new URL(place.config.databaseOwnerUrl);
  wrong.pathname = '/no_such_database';
  await expect(waitForDatabase(wrong.href, 1, say)).rejects.toThrow('does not exist');
  expect(said).toHaveLength(1);
});

/** Makes a whole demo in a separate process; kills it once it has printed `until`. */
async function makeApart(until?: string): Promise<string> {
  const { databaseUrl, databaseOwnerUrl, folder } = place.config;
  const child: ChildProcess = spawn(process.execPath, ['testing/demo-process.ts'], {
    env: { ...process.env, DATABASE_URL: databaseUrl, DATABASE_OWNER_URL: databaseOwnerUrl, SHALA_FOLDER: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout?.on('data', (text) => {
    printed += text;
    if (until && printed.includes(until)) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return printed;
}

const counts = () =>
  place.sql(`select (select count(*)::int from student) as students, (select count(*)::int from fee_payment) as payments,
    (select count(*)::int from homework) as homework, (select count(*)::int from file) as files`);

soak(
  'UP8 a demo killed in its third, twelfth and last part is made again with the counts of an undisturbed one',
  async () => {
    await makeApart();
    const whole = await counts();
    expect(whole[0]?.students).toBeGreaterThan(80);
    await place.close();
    place = await emptySchool();
    await makeApart(': 3 of');
    expect(await makeApart(': 12 of')).toContain('The demo school was not finished; making it again');
    await makeApart(': 20 of');
    expect(await makeApart()).toContain('Made the demo school');
    expect(await counts()).toEqual(whole);
  },
);
