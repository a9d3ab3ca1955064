import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Config } from '#kit/server/config.ts';
import { migrate, migrationsFolder, readMigrations } from '#kit/server/database/migrations.ts';
import { openLog } from '#kit/server/log.ts';
import { programVersion } from '#kit/server/version.ts';
import { emptySchool } from '#testing/empty-school.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { soak } from '#testing/soak.ts';
import { everyRow } from '#testing/stored.ts';
import { backUp } from './backup/backup.ts';
import { prepareUpgrade } from './backup/before-upgrade.ts';
import { restore } from './backup/restore.ts';
import { openProgram } from './program.ts';
import { buildServer } from './server.ts';
import { openServices } from './services.ts';

let school: School;
let folder: string;
let archives: string;
let count = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shala-upgrade-'));
});
beforeEach(async () => {
  school = await openOwnSchool();
  await (await school.inquiry()).saveBasicInfo();
  archives = join(folder, `archives${count++}`);
  return () => school.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The migrations of a later version: those of this one, and files by name. */
function later(files: Record<string, string>): string {
  const copy = join(folder, `migrations${count++}`);
  cpSync(migrationsFolder, copy, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(copy, name), text);
  return copy;
}

const inProduction = (config: Config, backup = {}): Config => ({
  ...config,
  production: true,
  backup: { ...config.backup, folder: archives, ...backup },
});

/** A start of version 0.3.0 with these files, and the lines of its log. */
async function upgrade(files: Record<string, string>, config = inProduction(school.config)) {
  const said: string[] = [];
  const log = openLog('warn', { write: (line) => said.push(JSON.parse(line).msg) });
  const options = { folder: later(files), version: '0.3.0' };
  const applied = await migrate(config.databaseOwnerUrl, {
    ...options,
    prepare: (waiting) => prepareUpgrade(config, log, waiting),
  });
  return { applied, said };
}

const first = '209901010101_first.sql';
const second = '209901010102_second.sql';
const adds = 'alter table academic_school add column motto text; update academic_school set motto = name;';
const madeArchives = () => readdirSync(archives);
/** Without what a backup itself writes. */
const rowsOf = async () => {
  const { audit, ...rows } = await everyRow(school.sql);
  return { ...rows, audit: audit?.filter(({ row }) => !String(row).includes('backup.made')) };
};

test('UP2 when the second of two new migrations fails on the data, nothing has changed, the archive is named, and the earlier program serves', async () => {
  const before = await rowsOf();
  const fails = `alter table admission_inquiry add constraint planted check (id < 0)`;
  const failed = await upgrade({ [first]: adds, [second]: fails }).catch((error: Error) => error.message);
  expect(failed).toBe(
    `Migration ${second} failed: check constraint "planted" of relation "admission_inquiry" is violated by some row. ` +
      `Nothing was changed: version ${programVersion()} can be started again.`,
  );
  expect(await rowsOf()).toEqual(before);
  expect(madeArchives()).toEqual([expect.stringMatching(/^shala-before-0\.3\.0-\d{4}-\d\d-\d\dT\d{6}\.backup$/)]);

  const earlier = await openServices(school.config, openLog('silent'));
  await earlier.close();
  expect((await (await school.inquiry()).saveBasicInfo()).status).toBe(200);

  const corrected = await upgrade({ [first]: adds, [second]: 'create table more (id integer)' });
  expect(corrected.applied).toBe(2);
  expect(corrected.said).toEqual([
    expect.stringMatching(
      `^Backed up to ${archives}/shala-before-0.3.0-.*.backup before the upgrade to 0.3.0. To go back, name an empty ` +
        `database and folder and run version ${programVersion()}: npm run restore -- ${archives}/shala-before-0.3.0-`,
    ),
  ]);
  expect(
    await school.sql(`select from_version, to_version, migrations, backup from upgrade order by id desc limit 1`),
  ).toEqual([
    {
      from_version: programVersion(),
      to_version: '0.3.0',
      migrations: 2,
      backup: expect.stringContaining('shala-before-0.3.0'),
    },
  ]);
});

test('UP2 the archive made before an upgrade brings the school back under the earlier program', async () => {
  const before = await rowsOf();
  await upgrade({ [first]: adds });
  const [archive = ''] = madeArchives();
  const place = await emptySchool(school.config);
  await restore(place.config, join(archives, archive));
  const restored = await everyRow(place.sql);
  for (const name of Object.keys(before).filter((table) => !['audit', 'sign_in_session'].includes(table)))
    expect([name, restored[name]]).toEqual([name, before[name as keyof typeof before]]);
  await place.close();
});

test('UP3 a deferred trigger of one migration has fired before the next alters its table; what it refuses has the name of its file', async () => {
  await school.sql(
    `create table pair (id integer primary key, other integer references pair deferrable initially deferred)`,
  );
  const own = `insert into pair values (1, 1)`;
  const alters = `alter table pair add column note text`;
  expect((await upgrade({ [first]: own, [second]: alters })).applied).toBe(2);
  const broken = '209901010103_third.sql';
  const files = {
    [first]: own,
    [second]: alters,
    [broken]: 'insert into pair values (2, 9)',
    '209901010104_x.sql': '',
  };
  await expect(upgrade(files)).rejects.toThrow(
    `Migration ${broken} failed: insert or update on table "pair" violates foreign key constraint`,
  );
});

test('UP6 of two starts at once one makes the backup and the upgrade, and both go on', async () => {
  const [one, other] = await Promise.all([upgrade({ [first]: adds }), upgrade({ [first]: adds })]);
  expect([one.applied, other.applied].sort()).toEqual([0, 1]);
  expect(madeArchives()).toHaveLength(1);
  expect(await school.sql(`select from upgrade where to_version = '0.3.0'`)).toHaveLength(1);
});

test('UP7 without room for the backup nothing is migrated, and the message names the remedy', async () => {
  writeFileSync(archives, '');
  await expect(upgrade({ [first]: adds })).rejects.toThrow(
    `The school was not upgraded to 0.3.0, because no backup could be made: No archive can be written into ${archives} ` +
      `(EEXIST). Check the folder, or name another one. Version ${programVersion()} can be started again.`,
  );
  expect(await school.sql(`select name from migration where name = '${first}'`)).toEqual([]);
});

test('UP7 a start after one that was cut off uses its archive, but no other one; BACKUP_BEFORE_UPGRADE=off makes none', async () => {
  mkdirSync(archives);
  const daily = 'shala-daily-2026-11-29T0200.backup';
  await backUp(school.config, join(archives, daily));
  const fails = { [first]: 'select 1/0' };
  await expect(upgrade(fails)).rejects.toThrow('division by zero');
  expect(madeArchives().sort()).toEqual([expect.stringContaining('shala-before-0.3.0'), daily]);
  await expect(upgrade(fails)).rejects.toThrow('division by zero');
  expect(madeArchives()).toHaveLength(2);
  // A draft, for example, has no row in the audit log.
  await school.sql(`alter table audit disable trigger user`);
  await school.sql(`update audit set at = at - interval '11 minutes' where action = 'backup.made'`);
  await school.sql(`alter table audit enable trigger user`);
  await expect(upgrade(fails)).rejects.toThrow('division by zero');
  expect(madeArchives()).toHaveLength(3);
  const off = inProduction(school.config, { beforeUpgrade: false });
  await school.inquiry();
  expect((await upgrade({ [first]: adds, [second]: '' }, off)).said).toEqual([]);
  expect(madeArchives()).toHaveLength(3);
});

test('UP7 the fourth archive before an upgrade removes the oldest, whichever version they name, and no other file', async () => {
  mkdirSync(archives);
  const old = ['0.9.0-2026-01-01T020000', '0.9.1-2026-01-02T020000', '0.10.0-2026-01-03T020000'];
  const names = old.map((name) => `shala-before-${name}.backup`);
  const others = ['shala-daily-2026-01-01T0200.backup', 'monday.backup'];
  for (const name of [...names, ...others]) writeFileSync(join(archives, name), 'x');
  writeFileSync(join(archives, 'shala-before-0.2.5-2026-01-04T020000.backup.part'), 'x');
  await upgrade({ [first]: adds });
  const made = madeArchives().filter((name) => ![...names, ...others].includes(name));
  expect(made).toEqual([expect.stringContaining('shala-before-0.3.0')]);
  expect(madeArchives().sort()).toEqual([...names.slice(1), ...others, ...made].sort());
});

/** Runs a start of version 0.3.0 in a process of its own, and kills it so many milliseconds after it began to work. */
async function killedAfter(ms: number | undefined, migrations: string): Promise<number | null> {
  const child = spawn(process.execPath, ['testing/upgrade-process.ts'], {
    env: { ...process.env, UPGRADE: JSON.stringify({ config: inProduction(school.config), folder: migrations }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const late = ms === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), ms);
  const [code] = await once(child, 'close');
  clearTimeout(late);
  return code;
}

soak(
  'UP4 a start that is killed at ten moments of backup and migration leaves the school as it was or upgraded, and one archive',
  async () => {
    const slow = 'select pg_sleep(0.3);';
    const migrations = later({ [first]: `${slow}${adds}`, [second]: `${slow}create table more (id integer);` });
    const rows = await rowsOf();
    for (let moment = 0; moment < 10; moment++) {
      await killedAfter(100 + 150 * moment, migrations);
      const [{ names }] = (await school.sql(
        `select count(*)::integer as names from migration where name in ('${first}', '${second}')`,
      )) as [{ names: number }];
      expect([0, 2]).toContain(names);
      if (names === 0) expect(await rowsOf()).toEqual(rows);
    }
    expect(await killedAfter(undefined, migrations)).toBe(0);
    expect(madeArchives()).toEqual([expect.stringMatching(/\.backup$/)]);
    expect(await school.sql(`select from upgrade where to_version = '0.3.0'`)).toHaveLength(1);
  },
);

test('UP5 a program that meets a migration it does not know answers 503 and says why, within one look', async () => {
  const said: string[] = [];
  const log = openLog('error', { write: (line) => said.push(JSON.parse(line).msg) });
  const program = openProgram(school.services, log);
  const app = await buildServer(school.services, school.config, log, { program });
  const ask = async (url: string) => {
    const { statusCode, body } = await app.inject({ url });
    return [statusCode, body] as const;
  };
  await program.look();
  expect((await ask('/readyz'))[0]).toBe(200);

  await upgrade({ [first]: adds });
  await program.look();
  await program.look();
  expect(await ask('/readyz')).toEqual([503, expect.stringContaining('"program":"old"')]);
  expect((await ask('/healthz'))[0]).toBe(200);
  for (const url of ['/api/sign-in/me', '/login', '/admission'])
    expect(await ask(url)).toEqual([503, expect.stringContaining('Shala was upgraded. Reload the page in a minute.')]);
  expect(said).toEqual([
    `The database was upgraded to 0.3.0; this program is ${programVersion()}. Start 0.3.0 instead.`,
  ]);
  await app.close();
});

test('UP5 an earlier program that is started on an upgraded database names version, day and archive', async () => {
  await upgrade({ [first]: adds });
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(new Date());
  await expect(openServices(school.config, openLog('silent'))).rejects.toThrow(
    `The database is newer than this program: it has ${first}. It was upgraded to 0.3.0 on ${day}; this program is ` +
      `${programVersion()}. Start 0.3.0 or later, or restore the archive made before: ${archives}/shala-before-0.3.0-`,
  );
});

test('UP11 in production an empty database beside stored files is refused, and no file is touched', async () => {
  const place = await emptySchool();
  const config = inProduction(place.config);
  mkdirSync(join(config.folder, 'files/0a'), { recursive: true });
  const stored = join(config.folder, 'files/0a/0a000000-0000-0000-0000-000000000000');
  writeFileSync(stored, 'sealed');
  await expect(upgrade({}, config)).rejects.toThrow(
    `The database is empty, but ${config.folder}/files holds 1 files. Is DATABASE_URL right? To begin a new school, name ` +
      'an empty SHALA_FOLDER. Nothing was changed.',
  );
  expect(readFileSync(stored, 'utf8')).toBe('sealed');
  expect(await place.sql(`select relname from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([]);
  await place.close();
});

test('UP1 the migrations of this version are recorded with its number', async () => {
  expect(await school.sql(`select to_version, migrations from upgrade`)).toEqual([
    { to_version: programVersion(), migrations: readMigrations().length },
  ]);
});
