import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openDatabase } from '#kit/server/database/database.ts';
import { weakSettings } from '#kit/server/database/durability.ts';
import { migrate, migrationsFolder, readMigrations } from '#kit/server/database/migrations.ts';
import { openKeys } from '#kit/server/security/keys.ts';
import { open, seal } from '#kit/server/security/sealed.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { soak } from '#testing/soak.ts';
import { startEmbeddedPostgres } from '../../../scripts/embedded-postgres.ts';
import { testPatience } from '../../../testing/patience.ts';
import { execute, urlOf } from '../../../testing/postgres.ts';

let folder: string;
let count = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shala-startup-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function emptyDatabase() {
  const { url } = inject('postgres');
  const name = `shala_start_${process.pid}_${count++}`;
  await execute(url, `create database ${name}`);
  return { url: urlOf(url, name), drop: () => execute(url, `drop database ${name} with (force)`) };
}

/** A copy of the migrations that a test may change. */
function copiedMigrations(): string {
  const copy = join(folder, `migrations${count++}`);
  cpSync(migrationsFolder, copy, { recursive: true });
  return copy;
}

describe('migrations', () => {
  soak('J5 three starters at once apply each file once', async () => {
    const { url, drop } = await emptyDatabase();
    const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(applied.sort()).toEqual([0, 0, readMigrations().length]);
    await drop();
  });

  test('J5 a closed year keeps when and by whom, and one that was closed before its last day is open again', async () => {
    const { url, drop } = await emptyDatabase();
    const copy = copiedMigrations();
    const later = readMigrations(copy).filter(({ name }) => name >= '202612011210');
    for (const { name } of later) rmSync(join(copy, name));
    await migrate(url, { folder: copy });
    await execute(
      url,
      `insert into academic_year (name, starts_on, ends_on, age_cutoff_on, status) values
         ('2021-22', '2021-06-01', '2022-05-31', '2021-06-01', 'Closed'),
         ('2022-23', '2022-06-01', '2023-05-31', '2022-06-01', 'Closed'),
         ('2023-24', current_date - 300, current_date + 1, current_date - 300, 'Closed'),
         ('2031-32', current_date + 2, current_date + 300, current_date + 2, 'Current'),
         ('2032-33', current_date + 301, current_date + 600, current_date + 301, 'Planned');
       insert into audit (at, actor, action, entity, entity_id, request_id, address, details)
         select '2022-06-03T10:00:00Z', 'Asha', 'academic-year.changed', 'academic_year', id, 'test', '127.0.0.1',
           '{"Status": "Current → Closed"}' from academic_year where name = '2021-22'`,
    );
    await migrate(url);
    expect(
      await execute(
        url,
        `select name, year.phase, (closed_at at time zone 'Asia/Kolkata')::date::text as on, closed_by as by,
           array(select kind from year_event where academic_year_id = year.id order by id) as events
         from academic_year year order by starts_on`,
      ),
    ).toEqual([
      { name: '2021-22', phase: 'Closed', on: '2022-06-03', by: 'Asha', events: ['Closed'] },
      { name: '2022-23', phase: 'Closed', on: '2023-05-31', by: null, events: ['Closed'] },
      { name: '2023-24', phase: 'Current', on: null, by: null, events: ['Reopened'] },
      { name: '2031-32', phase: 'Planned', on: null, by: null, events: [] },
      { name: '2032-33', phase: 'Planned', on: null, by: null, events: [] },
    ]);
    await drop();
  });

  /** The time at which a further migration would have been written. */
  const nextTime = '209912312359';

  test('J5 one that fails on an empty database leaves it empty, and all run once it is corrected', async () => {
    const { url, drop } = await emptyDatabase();
    const copy = copiedMigrations();
    const next = join(copy, `${nextTime}_broken.sql`);
    writeFileSync(next, 'create table half (id integer); select 1 / 0;');
    await expect(migrate(url, { folder: copy })).rejects.toThrow(
      `Migration ${nextTime}_broken.sql failed: division by zero. Nothing was changed.`,
    );
    expect(await execute(url, `select relname from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([]);
    writeFileSync(next, 'create table half (id integer);');
    expect(await migrate(url, { folder: copy })).toBe(readMigrations().length + 1);
    await drop();
  });

  test('J5 a school’s data that an older version took is taken over', async () => {
    const { url, drop } = await emptyDatabase();
    const copy = copiedMigrations();
    const later = readMigrations(copy).filter(({ name }) => name >= '0010');
    for (const { name } of later) rmSync(join(copy, name));
    await migrate(url, { folder: copy });
    await execute(
      url,
      `insert into academic_school (name, city, phone, email, hours, hospital_text, age_counts_on)
         values ('S', '', '', '', '', '', '02-30');
       insert into academic_year (name, starts_on, ends_on, is_current) values
         ('2024/25', '2024-06-01', '2025-05-31', false), ('2025-26', '2025-06-01', '2026-05-31', true),
         ('2026-27', '2026-06-01', '2027-05-31', false);
       insert into academic_program (name) values ('Regular'), ('REGULAR');
       insert into academic_grade (name, position, age_years) values ('LKG', 1, 4), ('Lkg', 2, 4), ('Zero-and-a-half', 123456, null);
       insert into academic_career (name) values ('Law'), ('LAW'), (repeat('x', 70))`,
    );
    await migrate(url);
    expect(
      await execute(url, 'select name, status, age_cutoff_on::text as on from academic_year order by name'),
    ).toEqual([
      { name: '2024/25', status: 'Closed', on: '2024-02-29' },
      { name: '2025-26', status: 'Open', on: '2025-02-28' },
      { name: '2026-27', status: 'Open', on: '2026-02-28' },
    ]);
    expect(await execute(url, 'select name, code, min_age_months as months from academic_grade order by id')).toEqual([
      { name: 'LKG', code: 'LKG', months: 48 },
      { name: 'Lkg (2)', code: 'P2', months: 48 },
      { name: 'Zero-and-a-half', code: 'P3', months: null },
    ]);
    const names = await execute(
      url,
      `select name from academic_program union all select left(name, 8) from academic_career`,
    );
    expect(names.map(({ name }) => name).sort()).toEqual(['LAW (2)', 'Law', 'REGULAR (2)', 'Regular', 'xxxxxxxx']);
    expect(await execute(url, 'select name from academic_board')).toEqual([{ name: 'Board' }]);
    await drop();
  });

  test('J5 the settings of an older version become rows, where they differ from the defaults', async () => {
    const { url, drop } = await emptyDatabase();
    const copy = copiedMigrations();
    for (const { name } of readMigrations(copy)) if (name >= '202611260130') rmSync(join(copy, name));
    await migrate(url, { folder: copy });
    await execute(
      url,
      `insert into academic_school (name, city, phone, email, hours, hospital_text, link_days, asks_admin_code, reminder_days)
         values ('S', '', '', '', '', '', 30, false, '{7,3,7}')`,
    );
    await migrate(url);
    expect(await execute(url, 'select key, value, version, updated_by from setting order by key')).toEqual([
      { key: 'admission.link-days', value: 30, version: 1, updated_by: null },
      { key: 'admission.reminder-days', value: [3, 7], version: 1, updated_by: null },
      { key: 'sign-in.asks-admin-code', value: false, version: 1, updated_by: null },
    ]);
    await drop();
  });

  test('J5 a file that was changed after it was applied, and a database that is newer, are refused', async () => {
    const { url, drop } = await emptyDatabase();
    const copy = copiedMigrations();
    writeFileSync(join(copy, `${nextTime}_more.sql`), 'create table more (id integer);');
    await migrate(url, { folder: copy });
    await expect(migrate(url)).rejects.toThrow(`The database is newer than this program: it has ${nextTime}_more.sql`);
    writeFileSync(join(copy, `${nextTime}_more.sql`), 'create table more (id bigint);');
    await expect(migrate(url, { folder: copy })).rejects.toThrow(
      `Migration ${nextTime}_more.sql was changed after it was applied`,
    );
    writeFileSync(join(copy, 'club.sql'), '');
    expect(() => readMigrations(copy)).toThrow('Migration club.sql needs a name such as 202611230900_club.sql');
    await drop();
  });

  soak('J5 one that was written earlier but came later runs too, once', async () => {
    const { url, drop } = await emptyDatabase();
    const copy = copiedMigrations();
    writeFileSync(join(copy, `${nextTime}_more.sql`), 'create table more (id integer);');
    await migrate(url, { folder: copy });
    writeFileSync(join(copy, '209912312358_earlier.sql'), 'create table earlier (id integer);');
    expect([await migrate(url, { folder: copy }), await migrate(url, { folder: copy })]).toEqual([1, 0]);
    expect(await execute(url, `select to_regclass('earlier') is not null as is_there`)).toEqual([{ is_there: true }]);
    await drop();
  });

  soak('J5 the connection of one that was killed gives its lock and its half work back', async () => {
    const { url, drop } = await emptyDatabase();
    const copy = copiedMigrations();
    writeFileSync(join(copy, `${nextTime}_slow.sql`), 'create table slow (id integer); select pg_sleep(30);');
    const running = migrate(url, { folder: copy }).catch((error: Error) => error.message);
    const kill = `select pg_terminate_backend(pid) as killed from pg_stat_activity where datname = current_database() and query like '%pg_sleep(30)%' and pid <> pg_backend_pid()`;
    await expect.poll(() => execute(url, kill)).toEqual([{ killed: true }]);
    expect(await running).toContain('failed');
    writeFileSync(join(copy, `${nextTime}_slow.sql`), 'create table slow (id integer);');
    expect(await migrate(url, { folder: copy })).toBe(readMigrations().length + 1);
    await drop();
  });
});

describe('keys', () => {
  let school: School;
  beforeAll(async () => {
    school = await openOwnSchool();
  });
  afterAll(() => school.close());
  const keyFile = (name: string) => join(school.config.folder, 'keys', name);
  const opened = (keys = {}, place = school.config.folder) => openKeys(school.services.db, { folder: place, keys });

  test('I5 C1 are made once, lie outside the database, and are the same at the next start', async () => {
    const again = await opened();
    for (const name of ['link', 'data', 'code'] as const)
      expect(again[name].current.key.equals(school.services.keys[name].current.key)).toBe(true);
    const rows = JSON.stringify(await school.sql('select name, key_id, proof::text from key_check'));
    for (const name of ['link', 'data', 'code'] as const) {
      const { key } = school.services.keys[name].current;
      expect(rows).not.toContain(key.toString('hex'));
      expect(readFileSync(keyFile(name), 'utf8')).toContain(key.toString('base64'));
    }
  });

  test('I5 a missing or wrong key stops the start with a plain sentence', async () => {
    const elsewhere = join(folder, 'no-keys');
    mkdirSync(elsewhere);
    await expect(opened({}, elsewhere)).rejects.toThrow('The link key is missing. Put it back');
    const wrong = `data1:${Buffer.alloc(32, 7).toString('base64')}`;
    await expect(opened({ data: wrong })).rejects.toThrow(
      'The data key "data1" is not the one this database was written with',
    );
    await expect(opened({ data: `data2:${Buffer.alloc(32, 7).toString('base64')}` })).rejects.toThrow(
      'The data key "data1" is missing',
    );
    await expect(opened({ data: 'short' })).rejects.toThrow('The data key must read id:base64');
  });

  test('I4 what is sealed opens in its own place alone, and not when a bit was changed', () => {
    const { data } = school.services.keys;
    const sealed = seal(data, 'table.column:1', 'secret');
    expect(open(data, 'table.column:1', sealed).toString()).toBe('secret');
    expect(() => open(data, 'table.column:2', sealed)).toThrow();
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(changed.length - 20) ^ 1, changed.length - 20);
    expect(() => open(data, 'table.column:1', changed)).toThrow();
    expect(seal(data, 'table.column:1', 'secret').equals(sealed)).toBe(false);
  });

  test('I4 two families’ sealed answers cannot be exchanged in the database', async () => {
    const [first, second] = [await school.inquiry(), await school.inquiry()];
    await first.saveHealth({});
    await second.saveHealth({});
    await school.sql(
      `update admission_health set answers = (select answers from admission_health where inquiry_id = ${first.id}) where inquiry_id = ${second.id}`,
    );
    expect((await first.get('health')).status).toBe(200);
    expect((await second.get('health')).status).toBe(500);
  });

  test('I4 nothing a family entered in confidence can be read in a copy of the database', async () => {
    const family = await school.inquiry();
    await family.saveBasicInfo({ aadharCardNo: '198765432198' });
    await family.saveHealth({ isSpecialNeeds: 'true', specialNeedsDescription: 'Confidential-marker' });
    const tables = await school.sql(`select tablename from pg_tables where schemaname = 'public'`);
    expect(tables.length).toBeGreaterThan(15);
    for (const { tablename } of tables) {
      const text = JSON.stringify(
        await school.sql(`select t::text, encode(t::text::bytea, 'escape') from ${tablename} t`),
      );
      for (const marker of [
        '198765432198',
        'Confidential-marker',
        Buffer.from('Confidential-marker').toString('hex'),
        Buffer.from('198765432198').toString('hex'),
      ]) {
        expect([tablename, text.includes(marker)]).toEqual([tablename, false]);
      }
    }
  });
});

test('Y17 J1 the embedded database is started again when it is killed, and keeps what it acknowledged', async () => {
  const cluster = join(folder, 'killed');
  const postgres = await startEmbeddedPostgres({ folder: cluster, restarts: true });
  try {
    await execute(postgres.url, 'create table kept as select 1 as number');
    process.kill(Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
    const count = () =>
      execute(postgres.url, 'insert into kept values (2)').then(
        () => 'kept',
        () => 'away',
      );
    await expect.poll(count, { timeout: 30_000 }).toBe('kept');
    expect(await execute(postgres.url, 'select distinct number from kept order by 1')).toEqual([
      { number: 1 },
      { number: 2 },
    ]);
  } finally {
    await postgres.stop();
  }
});

test('UP1 an embedded database of another major version is refused before its server starts, with the remedy', async () => {
  const cluster = join(folder, 'older');
  mkdirSync(cluster);
  writeFileSync(join(cluster, 'PG_VERSION'), '17\n');
  await expect(startEmbeddedPostgres({ folder: cluster })).rejects.toThrow(
    `${cluster} was made by PostgreSQL 17; this version of Shala brings 18. Start the earlier version, run npm run backup`,
  );
});

test('J1 the embedded database keeps what it acknowledged; one that would not is named', async () => {
  const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres') });
  try {
    await migrate(postgres.url);
    const db = openDatabase({ url: postgres.url, named: true, patience: testPatience, onLost: () => undefined });
    expect(await weakSettings(db)).toEqual([]);
    await db.destroy();
    await execute(postgres.url, 'alter system set synchronous_commit = off');
    await execute(postgres.url, 'select pg_reload_conf()');
    const weaker = openDatabase({ url: postgres.url, named: true, patience: testPatience, onLost: () => undefined });
    await expect.poll(() => weakSettings(weaker)).toEqual(['synchronous_commit']);
    await weaker.destroy();
  } finally {
    await postgres.stop();
  }
});
