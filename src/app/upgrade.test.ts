import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { paymentApi } from '#features/fee-money/contract/payment.ts';
import type { Config } from '#kit/server/config.ts';
import { contextOutside } from '#kit/server/context.ts';
import { migrate, migrationsFolder, readMigrations } from '#kit/server/database/migrations.ts';
import { openLog } from '#kit/server/log.ts';
import { programVersion } from '#kit/server/version.ts';
import { openPerson } from '#testing/browser.ts';
import { emptySchool } from '#testing/empty-school.ts';
import type { Answer } from '#testing/exchange.ts';
import { startApp } from '#testing/faults/app.ts';
import { joinFamily, plannedChild } from '#testing/paying-family.ts';
import { openPrices } from '#testing/prices.ts';
import { jsonOf, openOwnSchool, payloadOf, type School } from '#testing/school.ts';
import { soak } from '#testing/soak.ts';
import { everyRow } from '#testing/stored.ts';
import { backUp } from './backup/backup.ts';
import { prepareUpgrade } from './backup/before-upgrade.ts';
import { restore } from './backup/restore.ts';
import { openProgram } from './program.ts';
import { buildServer } from './server.ts';
import { openServices } from './services.ts';
import { startUpkeep } from './upkeep.ts';

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

/** Another start on the school's database, which takes requests. */
async function start(config = school.config) {
  const opened = await openServices(config, openLog('silent'));
  const services = { ...opened.services, now: school.services.now };
  const app = await buildServer(services, config, openLog('silent'), { hasPages: false });
  const send: School['send'] = async ({ method = 'GET', url, body, headers = {} }) => {
    const { payload, type } = await payloadOf(body);
    const answer = await app.inject({
      method,
      url,
      headers: { ...(type && { 'content-type': type }), ...headers },
      ...(payload && { payload }),
    });
    const { statusCode: status, body: text, rawPayload: bytes } = answer;
    return { status, headers: answer.headers as Answer['headers'], text, bytes, json: jsonOf(text) };
  };
  const close = async () => {
    await app.close();
    await opened.close();
  };
  return { send, context: () => contextOutside(services, 'test'), close };
}

/** A child with fees, a father who pays, and so many other students. */
async function payingSchool(others: number) {
  await school.person({ sets: ['accountant'] });
  const prices = await openPrices(school);
  school.clock.now = new Date(`${prices.year}-04-12T06:00:00Z`);
  const student = await plannedChild(school, prices, 'Kavya');
  const father = await joinFamily(school, 'Ravi', '9876510001', [student]);
  await school.sql(`insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
    select ${prices.place.branchId}, 'UP' || number, 'Child ' || number, 'Shah', 'F', '2019-01-01'
    from generate_series(1, ${others}) as number`);
  return { student, father };
}

/** The answer to a cashier's payment of one rupee at this server. */
async function pay(
  server: Awaited<ReturnType<typeof start>>,
  { student, father }: { student: number; father: number },
) {
  const cashier = await openPerson(server, { sets: ['accountant'] });
  const { today, children } = await cashier.call(paymentApi.dues, { studentId: student, on: '' });
  const line = children[0]?.lines.find(({ owed }) => owed > 0);
  const body = {
    payerGuardianId: father,
    mode: 'Cash',
    amount: 100,
    paidOn: today,
    children: [{ studentId: student, version: children[0]?.version, lines: [{ key: line?.key, amount: 100 }] }],
  };
  return cashier.send({ method: 'POST', url: '/api/fee/payment', body });
}

test('UP2 when the second of two new migrations fails on row 700 of a thousand students, nothing has changed, the archive is named, and the earlier program starts and takes a payment; corrected, both are applied', async () => {
  const family = await payingSchool(1004);
  const [row700] = await school.sql('select id from student order by id offset 699 limit 1');
  const before = await rowsOf();
  expect(await school.sql('select count(*)::integer as students from student')).toEqual([{ students: 1005 }]);
  const fails = `alter table student add constraint planted check (id <> ${row700?.id})`;
  const failed = await upgrade({ [first]: adds, [second]: fails }).catch((error: Error) => error.message);
  expect(failed).toBe(
    `Migration ${second} failed: check constraint "planted" of relation "student" is violated by some row. ` +
      `Nothing was changed: version ${programVersion()} can be started again.`,
  );
  expect(await rowsOf()).toEqual(before);
  expect(madeArchives()).toEqual([expect.stringMatching(/^shala-before-0\.3\.0-\d{4}-\d\d-\d\dT\d{6}\.backup$/)]);

  const earlier = await start();
  expect((await pay(earlier, family)).status).toBe(200);
  await earlier.close();

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
  const [kept] = await school.sql(
    'select count(*)::integer as payments, sum(amount)::integer as paise from fee_payment',
  );
  expect(kept).toEqual({ payments: 1, paise: 100 });
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

test('UP3 a school with families and signs for last names is upgraded: each adult gets a place of its own in the order of calling', async () => {
  const place = await emptySchool();
  const earlier = join(folder, `migrations${count++}`);
  mkdirSync(earlier);
  for (const { name, text } of readMigrations()) if (name < '202612041600') writeFileSync(join(earlier, name), text);
  await migrate(place.config.databaseOwnerUrl, { folder: earlier });
  const [branch] = await place.sql(`insert into academic_branch (name, code) values ('North', 'N') returning id`);
  await place.sql(`with child as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
      values (${branch?.id}, 'UP1', 'Kavya', '.', 'F', '2019-01-01') returning id),
    adult as (insert into guardian (first_name, last_name, mobile) values ('Meena', 'Shah', '9825012345'),
      ('Nikhil', 'Shah', '9825012346') returning id, first_name)
    insert into student_guardian (student_id, guardian_id, relation_id, role, is_primary, contact_order)
    select child.id, adult.id, (select min(id) from academic_lookup where kind = 'Relation'), 'Parent', first_name = 'Nikhil', 1
    from child, adult`);
  await migrate(place.config.databaseOwnerUrl);
  expect(
    await place.sql(`select student.name, adult.first_name, contact_order from student_guardian
      join student on student.id = student_id join guardian adult on adult.id = guardian_id order by contact_order`),
  ).toEqual([
    { name: 'Kavya', first_name: 'Nikhil', contact_order: 1 },
    { name: 'Kavya', first_name: 'Meena', contact_order: 2 },
  ]);
  await place.close();
});

test('UP3 prices that wait for a second person are upgraded to their new word, and do not change meanwhile', async () => {
  const place = await emptySchool();
  const earlier = join(folder, `migrations${count++}`);
  mkdirSync(earlier);
  for (const { name, text } of readMigrations()) if (name < '202612051400') writeFileSync(join(earlier, name), text);
  await migrate(place.config.databaseOwnerUrl, { folder: earlier });
  await place.sql(`with year as (insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
      values ('2041-42', '2041-06-01', '2042-04-30', '2041-06-01') returning id),
    branch as (insert into academic_branch (name, code) values ('North', 'N') returning id),
    board as (insert into academic_board (name) values ('State board of tests') returning id),
    program as (insert into academic_program (name, board_id) select 'Primary of tests', id from board returning id),
    clerk as (insert into staff (name, employee_number) values ('Farida Shaikh', 'UP1') returning id)
    insert into fee_structure (name, academic_year_id, branch_id, program_id, admission_type, edited_by)
    select 'Prices', year.id, branch.id, program.id, 'All students', clerk.id from year, branch, program, clerk`);
  await place.sql(`with grade as (insert into academic_grade (name, code, position) values ('Grade of tests', 'GT', 99) returning id)
    insert into fee_structure_grade (structure_id, grade_id, academic_year_id, branch_id, program_id, category_key,
      admission_type, status)
    select own.id, grade.id, own.academic_year_id, own.branch_id, own.program_id, own.category_key, own.admission_type, own.status
    from fee_structure own, grade`);
  await place.sql(`update fee_structure set status = 'Asked'`);
  await migrate(place.config.databaseOwnerUrl);
  expect(await place.sql('select name, status from fee_structure')).toEqual([
    { name: 'Prices', status: 'Waiting for approval' },
  ]);
  expect(await place.sql('select status from fee_structure_grade')).toEqual([{ status: 'Waiting for approval' }]);
  await expect(place.sql(`update fee_structure set name = 'Others'`)).rejects.toMatchObject({
    constraint: 'fee_structure_published',
  });
  await place.sql(`update fee_structure set status = 'Draft'`);
  await place.close();
});

/** Makes the school one of version 0.1.9, for which a migration of this program waits; one that can be applied again. */
async function makeEarlier() {
  const again = readMigrations().findLast(({ text }) =>
    text
      .split(/^(?=\S)/m)
      .filter((part) => /^[a-z]/i.test(part))
      .every((part) =>
        /^(create or replace function|\$\$|as |begin|declare|language|returns|security|set |end)/i.test(part),
      ),
  );
  await school.sql(`delete from migration where name = '${again?.name}'`);
  await school.sql(`update upgrade set to_version = '0.1.9'`);
}
const upgradesToThis = () =>
  school.sql(`select from_version, migrations from upgrade where to_version = '${programVersion()}'`);

test('UP6 two new programs that start at once make one backup and one upgrade, and both serve', async () => {
  await makeEarlier();
  const config = inProduction(school.config);
  const servers = await Promise.all([start(config), start(config)]);
  for (const { send } of servers) expect((await send({ url: '/readyz' })).json).toMatchObject({ status: 'ready' });
  expect(madeArchives()).toHaveLength(1);
  expect(await upgradesToThis()).toEqual([{ from_version: '0.1.9', migrations: 1 }]);
  for (const { close } of servers) await close();
});

soak('UP6 two processes that are started at once do so too', async () => {
  await makeEarlier();
  const environment = { NODE_ENV: 'production', BACKUP_FOLDER: archives };
  const servers = await Promise.all([startApp(school, { environment }), startApp(school, { environment })]);
  for (const { send } of servers) expect((await send({ url: '/readyz' })).json).toMatchObject({ status: 'ready' });
  expect(madeArchives()).toHaveLength(1);
  expect(await upgradesToThis()).toEqual([{ from_version: '0.1.9', migrations: 1 }]);
  for (const { kill } of servers) await kill();
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
  // Archives are named by the second, and this one was made a moment ago.
  const made = madeArchives().find((name) => name !== daily) ?? '';
  renameSync(join(archives, made), join(archives, 'shala-before-0.3.0-2026-11-29T020000.backup'));
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

/** Stores so many files that no row names, as those of another school are. */
function plantFiles(config: Config, count: number) {
  const names = Array.from({ length: count }, () => randomUUID());
  for (const name of names) {
    mkdirSync(join(config.folder, 'files', name.slice(0, 2)), { recursive: true });
    writeFileSync(join(config.folder, 'files', name.slice(0, 2), name), 'sealed');
  }
  return () => names.filter((name) => existsSync(join(config.folder, 'files', name.slice(0, 2), name)));
}

test('UP11 in production an empty database beside 40 files is refused, and no file is touched', async () => {
  const place = await emptySchool();
  const config = inProduction(place.config);
  const lying = plantFiles(config, 40);
  await expect(upgrade({}, config)).rejects.toThrow(
    `The database is empty, but ${config.folder}/files holds 40 files. Is DATABASE_URL right? To begin a new school, name ` +
      'an empty SHALA_FOLDER. Nothing was changed.',
  );
  expect(lying()).toHaveLength(40);
  expect(await place.sql(`select relname from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([]);
  await place.close();
});

test('UP11 where the start is past that check, the upkeep twenty minutes later removes none of the 40 files', async () => {
  const young = await openOwnSchool();
  const lying = plantFiles(young.config, 40);
  const said: string[] = [];
  const log = openLog('error', { write: (line) => said.push(JSON.parse(line).msg) });
  const later = () => new Date(Date.now() + 20 * 60_000);
  const upkeep = startUpkeep({ ...young.services, now: later }, log);
  await expect.poll(() => young.sql(`select error from upkeep where name = 'check files'`)).toEqual([{ error: '' }]);
  await upkeep.stop();
  expect(lying()).toHaveLength(40);
  expect(said).toEqual(['Most files have no row: is this their database? None was removed']);
  await young.close();
});

test('UP1 the migrations of this version are recorded with its number', async () => {
  expect(await school.sql(`select to_version, migrations from upgrade`)).toEqual([
    { to_version: programVersion(), migrations: readMigrations().length },
  ]);
});
