import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { demoSize, planOf } from '#database/seed/plan.ts';
import { accountApi } from '#features/account/contract/account.ts';
import { beginSession } from '#features/sign-in/server/session.ts';
import { sealAudit } from '#kit/server/security/audit-seal.ts';
import { type Browser, openAccount, openBrowser, type Person } from '#testing/browser.ts';
import { type EmptySchool, emptySchool } from '#testing/empty-school.ts';
import { examples } from '#testing/examples.ts';
import { type Family, openOwnSchool, type School } from '#testing/school.ts';
import { everyFile, everyRow, holdSnapshots, waitingForLock } from '#testing/stored.ts';
import { seedDemo } from '../demo.ts';
import { backUp } from './backup.ts';
import { endedTables, restore } from './restore.ts';

let school: School;
let admin: Person;
let remembered: Browser;
let folder: string;
let place: EmptySchool;
let made: Awaited<ReturnType<typeof backUp>>;
let restored: Awaited<ReturnType<typeof restore>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shala-whole-'));
  school = await openOwnSchool({}, { url: inject('postgres').url, template: 'template1' });
  await seedDemo(school.app, school.services, { plan: planOf({ ...demoSize, students: 60 }, new Date()) });
  admin = await school.person({ name: 'Hansa Vora', role: 'Admin' });
  remembered = await signInRemembered();
  await fillOtherTables();
});
afterAll(async () => {
  await place?.close();
  await school.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Staff who ticked "Remember me". */
async function signInRemembered(): Promise<Browser> {
  const browser = openBrowser(school);
  const { id } = await openAccount(school, { isAdmin: false, userName: undefined }, 'no password');
  const ctx = school.context();
  const http = { ...ctx.http, setCookie: (name: string, value: string) => void browser.cookies.set(name, value) };
  await beginSession({ ...ctx, http }, { accountId: id, role: 'Staff', method: 'Email', isRemembered: true });
  return browser;
}

/** Adds rows that the demo school lacks: those of the features, and those of the kit. */
async function fillOtherTables() {
  for (const { rows } of Object.values(examples)) await rows?.(school, admin);
  await school.sql(`insert into data_correction (name) values ('202611261855_aadhaar_digits') on conflict do nothing`);
  await school.sql(`insert into upkeep (name, last_ok_at) values ('tidy', now())`);
  await addWhatRulesNowRefuse();
  await sealAudit(school.services);
}

/**
 * Rows that were valid when they were written: those of a year closed since, a tag for other records since, an older
 * name.
 */
async function addWhatRulesNowRefuse() {
  const { sql } = school;
  // From before names of years had to have this form, which the database requires of later ones only.
  const [form] = await sql(`select pg_get_constraintdef(oid) as definition from pg_constraint
    where conname = 'academic_year_name_form'`);
  expect(form?.definition).toContain('NOT VALID');
  await sql('alter table academic_year drop constraint academic_year_name_form');
  // Only an open year can be renamed.
  await sql(`update academic_year set name = 'Session before', status = 'Open' where status = 'Closed'`);
  await sql(`update academic_year set status = 'Closed' where name = 'Session before'`);
  await sql(`alter table academic_year add constraint academic_year_name_form ${form?.definition}`);
  await sql(`update configuration_tag set scopes = array['Admission'] where name = 'Sports'`);
}

test('W3 J6 the whole school has rows in every table', async () => {
  const rows = await everyRow(school.sql);
  const empty = Object.keys(rows).filter((name) => rows[name]?.length === 0);
  const words = empty.map(
    (name) => `${name} is empty. Add a row in seed.ts of its feature, or in rows of its examples.ts.`,
  );
  expect(words).toEqual([]);
});

const keptAt = process.env.KEEP_SCHOOL;

if (keptAt)
  test('the school is kept as an archive that later versions restore', async () => {
    const to = join(keptAt, 'test-keys');
    mkdirSync(to, { recursive: true });
    cpSync(join(school.config.folder, 'keys'), join(to, 'keys'), { recursive: true });
    const tables = Object.entries(await everyRow(school.sql)).map(([name, rows]) => [name, rows.length]);
    await backUp(school.config, join(to, '../school.backup'));
    writeFileSync(join(to, '../kept.json'), `${JSON.stringify({ tables: Object.fromEntries(tables) }, null, 2)}\n`);
  });

type Stored = Record<'documentName' | 'studentAdmissionDocumentsID', unknown>;

/** A family that saves, uploads and removes files, and an Admin who changes an account, until they are stopped. */
function startWork(families: Family[], accountId: number) {
  let isDone = false;
  let answers = 0;
  const refusals: string[] = [];
  const answered = ({ status, text }: { status: number; text: string }) => {
    answers++;
    if (status !== 200) refusals.push(text);
  };
  const ofFamily = async (family: Family) => {
    answered(await family.upload('Aadhar Card'));
    // Fewer uploads than an inquiry's hourly limit.
    for (let turn = 0; turn < 14 && !isDone; turn++) {
      answered(await family.saveBasicInfo());
      const uploaded = await family.upload('Birth Certificate');
      answered(uploaded);
      const stored: Stored[] = uploaded.json.data.resultList;
      const birth = stored.find(({ documentName }) => documentName === 'Birth Certificate');
      answered(await family.remove(`documents/${birth?.studentAdmissionDocumentsID}`));
    }
  };
  const ofAdmin = async () => {
    for (let version = 1; !isDone; version++) {
      const changed = { version, isActive: version % 2 === 0, isStaff: true, sets: ['office'] };
      const url = `/api${accountApi.update.path.replace(':id', String(accountId))}`;
      answered(await admin.send({ method: 'PUT', url, body: changed }));
    }
  };
  const work = Promise.all([...families.map(ofFamily), ofAdmin()]);
  return {
    answers: () => answers,
    refusals,
    stop: async () => {
      isDone = true;
      await work;
    },
  };
}

test('W3 J6 a backup of the whole school, made while families and staff work, is restored table by table and file by file', async () => {
  const families = [await school.inquiry(), await school.inquiry()];
  const account = await openAccount(school, { isAdmin: false, userName: undefined }, 'no password');
  const path = join(folder, 'whole.backup');
  const [rowsBefore, filesBefore] = [await everyRow(school.sql), everyFile(school.config)];

  const work = startWork(families, account.id);
  const held = await holdSnapshots(school);
  const backup = backUp(school.config, path);
  await expect.poll(() => waitingForLock(school, 'ShareLock')).toBe(1);
  // The first files are copied; these changes happen before the tables are.
  const done = work.answers();
  await expect.poll(work.answers).toBeGreaterThan(done + 8);
  await held.letGo();
  made = await backup;
  await work.stop();
  expect(work.refusals).toEqual([]);
  expect(made.lost).toEqual([]);

  place = await emptySchool(school.config);
  restored = await restore(place.config, path);
  expect([restored.tables, restored.files]).toEqual([made.tables, made.files]);

  const [rowsAfter, filesAfter] = [await everyRow(school.sql), everyFile(school.config)];
  const rows = await everyRow(place.sql);
  const isSame = (name: string) => digest(rowsBefore[name]) === digest(rowsAfter[name]);
  const changed = Object.keys(rowsAfter).filter((name) => !isSame(name));
  expect(changed).toEqual(
    expect.arrayContaining(['admission_basic_info', 'admission_document', 'audit', 'file', 'sign_in_account']),
  );
  for (const name of Object.keys(rowsAfter).filter((table) => ![...changed, ...endedTables].includes(table))) {
    expect([name, digest(rows[name])]).toEqual([name, digest(rowsAfter[name])]);
  }
  // Everything audited until then is there, and nothing else but the restore itself.
  const told = (rows.audit ?? []).filter(({ row }) => !String(row).includes('backup.restored'));
  const inSchool = new Set(rowsAfter.audit?.map(({ row }) => row));
  expect(told.length).toBeGreaterThan(rowsBefore.audit?.length ?? 0);
  expect(told.filter(({ row }) => !inSchool.has(row))).toEqual([]);

  const stored = everyFile(place.config);
  const named = await place.sql('select id::text from file order by id');
  expect(Object.keys(stored)).toEqual(named.map(({ id }) => `${String(id).slice(0, 2)}/${id}`));
  for (const [name, bytes] of Object.entries(stored)) {
    const known = filesBefore[name] ?? filesAfter[name];
    if (known) expect([name, bytes === known]).toEqual([name, true]);
  }
});

test('W9 A18 after a restore the cookies of an Admin and of remembered Staff open nothing any more', async () => {
  const cookies = [admin, remembered].map(({ cookies }) => ({
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  }));
  for (const headers of cookies) {
    expect((await school.send({ url: '/api/sign-in/me', headers })).status).toBe(200);
    expect((await place.get('/api/sign-in/me', headers)).status).toBe(401);
  }
});

/** Accounts, their branches and requests for accounts sign nobody in by themselves. */
const keptTables = ['sign_in_account', 'sign_in_account_branch', 'sign_in_request'];

test('W9 a restore empties every table of signing in but accounts and requests for one', async () => {
  const [before, restored] = [await everyRow(school.sql), await everyRow(place.sql)];
  const tables = Object.keys(before).filter((name) => name.startsWith('sign_in_') && !keptTables.includes(name));
  expect(tables.sort()).toEqual([...endedTables].sort());
  for (const name of tables) expect([name, before[name]?.length === 0, restored[name]]).toEqual([name, false, []]);
  for (const name of keptTables) expect([name, restored[name]?.length]).toEqual([name, before[name]?.length]);
  // Messages whose code or link was ended send nothing, and do not block others.
  expect((await place.get('/dev/outbox')).status).toBe(200);
});

test('H4 the restored audit log ends in the seal that the archive names', async () => {
  const [last] = await school.sql(`select number::integer, encode(seal, 'hex') as seal from audit_seal
    order by number desc limit 1`);
  expect(made.audit).toEqual({ sealed: last?.number, head: last?.seal });
  expect(restored.audit).toEqual(made.audit);
});

const digest = (rows: unknown) => createHash('sha256').update(JSON.stringify(rows)).digest('hex');
