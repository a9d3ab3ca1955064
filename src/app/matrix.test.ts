import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { derivedSets, grantedSets, type PermissionSet, permissionSets } from '#features/account/contract/access.ts';
import { type Browser, openBrowser, type Person } from '#testing/browser.ts';
import { matrix, matrixOf } from '#testing/matrix.ts';
import { type Family, openSchool, type School } from '#testing/school.ts';
import { teach } from '#testing/teachers.ts';
import { allRoutes } from './server.ts';

let school: School;
let family: Family;
beforeAll(async () => {
  school = await openSchool();
  family = await school.inquiry();
  // The account and the session with id 1 in the tests' paths; no caller of the tests uses them.
  await school.person();
});
afterAll(() => school.close());

const callers = [
  'anonymous',
  'link holder',
  'Staff without the set',
  'Staff with it',
  'Staff who teaches today',
  'Staff who taught until yesterday',
  'Staff of the office of one branch',
  'Admin',
  'deactivated',
  'relieved yesterday',
] as const;
type Caller = (typeof callers)[number];

const name = ({ endpoint: { method, path } }: (typeof allRoutes)[number]) => `${method} ${path}`;

test('B2 the matrix names every operation of the product, and no other', () => {
  expect(allRoutes.map(name).sort()).toEqual(Object.keys(matrix).sort());
});

test('an operation has its row in one feature alone', async () => {
  const folders = readdirSync(join(import.meta.dirname, '../features'));
  const named = await Promise.all(folders.map(async (folder) => Object.keys(await matrixOf(folder))));
  expect(named.flat().sort()).toEqual(Object.keys(matrix).sort());
});

// `npm test -- <feature>` checks only that feature's rows.
const feature = process.env.TEST_FEATURE;
const rows = feature ? await matrixOf(feature) : matrix;
const walked = allRoutes.filter((route) => name(route) in rows);

/** The refusals of a caller who is not signed in, and of one without permission. */
const refusals = ['signed_out', 'forbidden', 'cross_site'];

test.each(walked.map((route) => [name(route), route] as const))('B1 B3 %s', async (operation, { endpoint }) => {
  const { method, path } = endpoint;
  const row = matrix[operation] ?? {};
  const allowed: Record<Caller, boolean> = {
    anonymous: Boolean(row.anyone),
    'link holder': Boolean(row.linkHolder),
    'Staff without the set': row.staff === 'all',
    'Staff with it': row.staff !== undefined,
    'Staff who teaches today': row.staff === 'all' || Boolean(row.staff?.some((set) => teacherSets.includes(set))),
    'Staff who taught until yesterday': row.staff === 'all',
    'Staff of the office of one branch': row.staff === 'all' || Boolean(row.staff?.includes('office')),
    Admin: Boolean(row.admin),
    deactivated: Boolean(row.anyone),
    'relieved yesterday': Boolean(row.anyone),
  };

  await school.sql('delete from attempt');
  for (const caller of callers) {
    const link = caller === 'link holder' ? `?inquiryNo=${family.link}` : '';
    const url = `/api${path.replace(/:\w+/g, '1')}${link}`;
    for (const sets of setsOf(caller, row)) {
      const browser = await browserOf(caller, sets);
      const { status, json } = await browser.send({ method, url, ...(method !== 'GET' && { body: {} }) });
      const code = json?.error?.code ?? json?.code;
      const who = [caller, ...sets].join(' ');
      if (!allowed[caller]) {
        // A caller without a link learns nothing about the operations behind one.
        const expected = row.linkHolder ? 404 : caller.startsWith('Staff') || caller === 'Admin' ? 403 : 401;
        expect([who, status]).toEqual([who, expected]);
      } else {
        // Access was given; whether the record exists or the input is complete does not matter here.
        expect([who, refusals.includes(code)]).toEqual([who, false]);
        if (row.linkHolder && !row.anyone && !path.includes(':')) expect([who, status === 404]).toEqual([who, false]);
      }
    }
  }
});

test('whoever was deactivated is still signed in, so that it was this that kept them out', async () => {
  await school.sql('update sign_in_account set is_active = true');
  const deactivated = [...people].filter(([who]) => who.startsWith('deactivated'));
  for (const [who, person] of deactivated)
    expect([who, (await person.send({ url: '/api/sign-in/me' })).status]).toEqual([who, 200]);
});

test('a person relieved yesterday still has a session, so the last day is what refused them', async () => {
  const relieved = [...people].filter(([who]) => who.startsWith('relieved'));
  await school.sql('update sign_in_account set ends_on = null');
  for (const [who, person] of relieved)
    expect([who, (await person.send({ url: '/api/sign-in/me' })).status]).toEqual([who, 200]);
});

type Sets = readonly PermissionSet[];

/** The sets that follow from teaching. */
const teacherSets: Sets = ['classTeacher', 'subjectTeacher'];

/** Nobody has a set without a source. */
const isHeld = (set: PermissionSet) => set !== 'assessor';

/** The permission sets of the callers of a kind, in turn: each permitted set alone; none of them, and all others. */
function setsOf(caller: Caller, { staff }: (typeof matrix)[string]): Sets[] {
  if (caller === 'Staff who teaches today') return [teacherSets];
  if (caller === 'Staff who taught until yesterday') return [[]];
  if (caller === 'Staff of the office of one branch') return [['office']];
  if (staff === 'all') return caller === 'Staff without the set' ? [[]] : [permissionSets.filter(isHeld)];
  if (caller === 'Staff with it' && staff) return staff.filter(isHeld).map((set) => [set]);
  return [permissionSets.filter((set) => isHeld(set) && !staff?.includes(set))];
}

/** A caller for each column of the matrix with their permissions, replaced when an operation signs them out. */
const people = new Map<string, Person>();

async function browserOf(caller: Caller, sets: Sets): Promise<Browser> {
  if (caller === 'anonymous' || caller === 'link holder') return openBrowser(school);
  const who = [caller, ...sets].join(' ');
  const standing = people.get(who);
  if (standing?.cookies.has('__Host-session')) return standing;
  const person = await school.person({
    role: caller === 'Admin' ? 'Admin' : 'Staff',
    sets: grantedSets.filter((set) => sets.includes(set)),
    branchIds: caller === 'Staff of the office of one branch' ? [1] : [],
  });
  await derive(person, sets);
  if (caller === 'Staff who taught until yesterday')
    for (const role of ['Class teacher', 'Subject teacher'] as const)
      await teach(school, person, { role, until: 'current_date - 1' });
  if (caller === 'deactivated')
    await school.sql(`update sign_in_account set is_active = false where id = ${person.id}`);
  if (caller === 'relieved yesterday') await relieve(person);
  people.set(who, person);
  return person;
}

/** Gives the sets that follow from the work of the day. */
async function derive(person: Person, sets: Sets) {
  if (sets.includes('classTeacher')) await teach(school, person);
  if (sets.includes('subjectTeacher')) await teach(school, person, { role: 'Subject teacher' });
  if (sets.includes('headOfDepartment'))
    await school.sql(
      `insert into academic_department (name, staff_id) values ('Department ${person.id}', ${person.staffId})`,
    );
}

test('a caller of the matrix has the sets of its column', async () => {
  for (const sets of [derivedSets.filter(isHeld), permissionSets.filter(isHeld)]) {
    const person = await browserOf('Staff with it', sets);
    expect((await person.send({ url: '/api/sign-in/me' })).json.sets.sort()).toEqual([...sets].sort());
  }
});
/** As a relieved person is the day after: the last day of work and of access is yesterday, and the session is there. */
const relieve = ({ id, staffId }: Person) =>
  school.sql(`update staff_employment set joined_on = current_date - 9, last_day = current_date - 1
    where staff_id = ${staffId}; update sign_in_account set ends_on = current_date - 1 where id = ${id}`);
