import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { admin, derivedSets, grantedSets, type PermissionSet, permissionSets, staff } from '#access/contract/grants.ts';
import { mayOpen } from '#access/contract/may-open.ts';
import { sessionApi } from '#features/sign-in/contract/session.ts';
import type { Access } from '#kit/contract/endpoint.ts';
import { openHttp } from '#kit/server/http/http.ts';
import { serve } from '#kit/server/http/routes.ts';
import { openLog } from '#kit/server/log.ts';
import {
  type Caller,
  callers,
  contradictions,
  isLetIn,
  nameOf,
  type Sets,
  setsOf,
  teacherSets,
  unguarded,
  withRoutes,
} from '#testing/access.ts';
import { type Browser, openBrowser, type Person } from '#testing/browser.ts';
import { linkHolder, onlyAdmin, type Row, signedIn } from '#testing/callers.ts';
import { feedValueOf, openFamilyPage, prove } from '#testing/family.ts';
import { requestOf, sampleOf } from '#testing/inputs.ts';
import { matrix, matrixOf, workOf } from '#testing/matrix.ts';
import { type Family, form, openOwnSchool, photo, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { oneOfEach } from '#testing/soak.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { features } from './features.server.ts';
import { allRoutes } from './server.ts';

let school: School;
let family: Family;
/** The queries of those who have a link. */
let linkOfCaller: Partial<Record<Caller, string>>;
/** The guardian of the link that is proven, and the browser that has proved it. */
let proven: Awaited<ReturnType<typeof openFamilyPage>>;
let provenPhone: Browser | undefined;
/** A person who works in another branch than the callers of one branch, and one who has left there. */
let elsewhere: { works: Record<string, number>; left: Record<string, number> };
/** A child of another branch than the callers of one branch, and one of that branch whom no teacher here teaches. */
let children: { away: number; nextDoor: number };
/** What the server has registered below /api: of one that this file builds, since another file may have built the shared one. */
let served: Awaited<ReturnType<typeof withRoutes>>['routes'];
beforeAll(async () => {
  ({ built: school, routes: served } = await withRoutes(() => openOwnSchool()));
  family = await school.inquiry();
  proven = await openFamilyPage(school);
  linkOfCaller = {
    'link holder': `?inquiryNo=${family.link}`,
    'family link holder': `?family=${(await openFamilyPage(school)).link}`,
    'proven family link holder': `?family=${proven.link}`,
    'feed link holder': `?feed=${await feedValueOf(school, (await openFamilyPage(school)).guardianId)}`,
  };
  elsewhere = { works: await hireElsewhere(), left: await hireElsewhere() };
  const [away] = await school.sql(`insert into academic_branch (name, code) values ('Away', 'AW') returning id`);
  children = {
    away: await seat(school, await openSection(school, { branchId: Number(away?.id) }), 'Away'),
    nextDoor: await seat(school, await openSection(school), 'Next'),
  };
  await school.sql(`update staff_employment set joined_on = current_date - 9, last_day = current_date - 1
    where staff_id = ${elsewhere.left.id}`);
  // The account and the session with id 1 in the tests' paths; no caller of the tests uses them.
  await school.person();
});
afterAll(() => school.close());

const name = ({ endpoint: { method, path } }: (typeof allRoutes)[number]) => `${method} ${path}`;

const hasId = ({ endpoint }: (typeof allRoutes)[number]) => endpoint.path.includes(':');

const rowOf = (route: (typeof allRoutes)[number]): Row => matrix[name(route)] ?? {};

test('B2 the matrix names every operation that the server serves, and no other', () => {
  const names = served.map(({ method, url }) => `${method} ${url.replace('/api', '')}`);
  expect(names.sort()).toEqual(Object.keys(matrix).sort());
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

test('B1 B3 every operation is open to exactly the callers of its row', () => {
  const wrong = walked.flatMap((route) =>
    contradictions(route.endpoint.access, rowOf(route)).map((what) => `${name(route)}: ${what}`),
  );
  expect(wrong).toEqual([]);
});

test('B1 B3 every operation that is not public refuses a caller with neither a session nor a link', async () => {
  expect(await unguarded(school.app, served)).toEqual([]);
});

describe('of planted faults', () => {
  const access = [admin(), staff('office', 'hr')];
  test.each<[wrong: string, access: Access, row: Row, found: string[]]>([
    ['nothing', access, { admin: true, staff: ['office', 'hr'] }, []],
    ['a set that the row lacks', access, { admin: true, staff: ['office'] }, ['Staff with it hr may call']],
    [
      'a set that only the row has',
      access,
      { admin: true, staff: ['office', 'hr', 'nurse'] },
      ['Staff with it nurse may not call'],
    ],
    ['the Admins', access, { staff: ['office', 'hr'] }, ['Admin']],
    ['all Staff', access, signedIn, ['Staff without the set may not call']],
    ['anyone', 'public', onlyAdmin, ['anonymous may call', 'deactivated', 'relieved yesterday']],
    ['the kind of link', { link: 'family' }, linkHolder, ['link holder may not call', 'family link holder may call']],
  ])('an operation is found that differs from its row in %s', (_wrong, access, row, found) => {
    const all = contradictions(access, row);
    for (const one of found) expect(all).toContainEqual(expect.stringContaining(one));
    expect(all.length > 0).toBe(found.length > 0);
  });

  test('a route is found that answers without checking its caller', async () => {
    const guarded = { endpoint: { ...sessionApi.list, path: '/guarded' }, handle: () => ({}) };
    const { built: app, routes } = await withRoutes(async () => {
      const app = await openHttp({ log: openLog('silent'), trustedProxies: [], isSecure: false });
      serve(app, school.services, [guarded]);
      app.get('/api/forgetful', { config: { access } }, async () => 'open to all');
      return app;
    });
    expect(routes.map(({ url }) => url)).toEqual(['/api/guarded', '/api/forgetful']);
    expect(await unguarded(app, routes)).toEqual(['GET /api/forgetful answers 200']);
    await app.close();
  });
});

/** The refusals of a caller who is not signed in, and of one without permission. */
const refusals = ['signed_out', 'forbidden', 'cross_site'];

/** Over HTTP one operation of each kind, if possible one without an id in its path; soak calls all of them. */
const called = oneOfEach(
  walked.toSorted((one, other) => Number(hasId(one)) - Number(hasId(other))),
  ({ endpoint: { method, access, files, table } }) => [method, access, Boolean(files), Boolean(table)],
);

test.each(called.map((route) => [name(route), route] as const))('B1 B3 over HTTP: %s', async (_, route) => {
  const { method, path } = route.endpoint;
  const row = rowOf(route);
  await school.sql('delete from attempt');
  // An operation before may have ended the link.
  if (row.linkHolder) linkOfCaller['link holder'] = `?inquiryNo=${(await school.inquiry()).link}`;
  for (const caller of callers) {
    const link = linkOfCaller[caller] ?? '';
    const url = `/api${path.replace(/:\w+/g, '1')}${link}`;
    for (const sets of setsOf(caller, row)) {
      const browser = await browserOf(caller, sets);
      const { status, json } = await browser.send({ method, url, ...(method !== 'GET' && { body: {} }) });
      const code = json?.error?.code ?? json?.code;
      const who = nameOf(caller, sets);
      if (!isLetIn(row, caller, sets)) {
        // A caller without a link learns nothing about the operations behind one.
        const expected =
          row.linkHolder || row.familyHolder || row.provenHolder || row.feedHolder
            ? row.provenHolder && caller === 'family link holder'
              ? 403
              : 404
            : caller.startsWith('Staff') || caller === 'Admin'
              ? 403
              : 401;
        expect([who, status]).toEqual([who, expected]);
      } else {
        // Access was given; whether the record exists or the input is complete does not matter here.
        expect([who, refusals.includes(code)]).toEqual([who, false]);
        if ((row.linkHolder || row.familyHolder || row.feedHolder) && !row.anyone && !hasId(route))
          expect([who, status === 404]).toEqual([who, false]);
      }
    }
  }
});

const shellPages = features.flatMap(({ pages }) => pages).filter(({ path }) => !path.startsWith('/'));

// Of the whole product: a feature alone has neither all the pages nor all the sets.
if (!feature) {
  test('R.2 a page is open to exactly those who may read what it shows', () => {
    for (const page of shellPages) {
      // The guide reads nothing of the school, and is open to all who have signed in.
      const row = page.path === 'help' ? { admin: true, staff: 'all' as const } : matrix[page.reads ?? ''];
      expect([page.path, page.reads, row !== undefined]).toEqual([page.path, page.reads, true]);
      const { staff, admin } = row ?? {};
      expect([page.path, 'Admin', mayOpen(page, { role: 'Admin', sets: [] })]).toEqual([
        page.path,
        'Admin',
        Boolean(admin),
      ]);
      for (const set of permissionSets) {
        const isReader = staff === 'all' || Boolean(staff?.includes(set));
        expect([page.path, set, mayOpen(page, { role: 'Staff', sets: [set] })]).toEqual([page.path, set, isReader]);
      }
    }
  });

  test('R.1 each permission set opens the pages and changes the records of its work, and no other', async () => {
    const rowsOf = await Promise.all(
      readdirSync(join(import.meta.dirname, '../features')).map(
        async (folder) => [folder, await matrixOf(folder)] as const,
      ),
    );
    const openedBy = (set: PermissionSet) => ({
      pages: shellPages.filter(({ sets }) => (sets as Sets | undefined)?.includes(set)).map(({ path }) => path),
      changes: rowsOf.flatMap(([folder, rows]) =>
        Object.entries(rows).some(([operation, { staff }]) => /^PUT/.test(operation) && staff?.includes(set))
          ? [folder]
          : [],
      ),
    });
    const works = await Promise.all(rowsOf.map(async ([folder]) => [folder, await workOf(folder)] as const));
    for (const set of permissionSets) {
      const work = works.flatMap(([folder, of]) => (of[set] ? [{ folder, ...of[set] }] : []));
      const { pages, changes } = openedBy(set);
      expect([set, [...pages].sort(), changes.sort()]).toEqual([
        set,
        work.flatMap((one) => one.pages).sort(),
        work.flatMap(({ folder, isChanging }) => (isChanging ? [folder] : [])).sort(),
      ]);
    }
  });
}

const isOfPerson = ({ ids }: Row) => ids === 'person' || ids === 'card';

// Walks all: each handler looks its person up by itself.
test.each(walked.filter((route) => isOfPerson(rowOf(route))).map((route) => [name(route), route] as const))(
  'B4 of a person outside the scope of the caller, and of nobody, %s answers the same',
  async (_, route) => {
    const { endpoint } = route;
    const { staff, ids } = rowOf(route);
    const sample = sampleOf(endpoint.input) as Record<string, unknown>;
    const ask = (browser: Browser, person: Record<string, number>) =>
      browser.send(requestOf(endpoint, { ...sample, ...person }));
    const outsiders =
      staff === 'all'
        ? [
            await browserOf('Staff without the set', []),
            await browserOf('Staff who teaches today', teacherSets),
            await browserOf('Staff of one branch', grantedSets),
          ]
        : await Promise.all((staff ?? []).map((set) => browserOf('Staff of one branch', [set])));
    const { works, left } = elsewhere;
    for (const browser of outsiders) {
      const nobody = await ask(browser, { id: 999_999 });
      expect([nobody.status, nobody.json.error.code]).toEqual([404, 'not_found']);
      for (const person of ids === 'card' ? [left] : [works, left]) {
        const { status, text } = await ask(browser, person);
        expect([person, status, text]).toEqual([person, 404, nobody.text]);
      }
    }
    // In scope the same request finds the person, unless it names another record of theirs as well.
    const { status } = await ask(await browserOf('Staff with it', ['hr']), { id: works.id ?? 0 });
    expect(status === 403 || (status === 404 && !/:id.*:/.test(endpoint.path))).toBe(false);
  },
);

// Walks all: each handler looks its student up by itself.
test.each(walked.filter((route) => rowOf(route).ids === 'student').map((route) => [name(route), route] as const))(
  'B4 L1.12 of a student outside the scope of the caller, and of nobody, %s answers the same',
  async (_, route) => {
    const { endpoint } = route;
    const sample = sampleOf(endpoint.input) as Record<string, unknown>;
    const { staff = [] } = rowOf(route);
    for (const set of staff === 'all' ? [] : staff) {
      await school.sql('delete from attempt');
      const browser = await browserOf('Staff of one branch', [set]);
      const ask = async (id: number) => {
        const request = requestOf(endpoint, { ...sample, id });
        const isFileAlone = request.body instanceof FormData && [...request.body].length === 0;
        return browser.send(isFileAlone ? { ...request, body: form({}, { photo: await photo() }) } : request);
      };
      const nobody = await ask(999_999);
      expect([set, nobody.status, nobody.json.error.code]).toEqual([set, 404, 'not_found']);
      const away = await ask(children.away);
      expect([set, 'away', away.status, away.text]).toEqual([set, 'away', 404, nobody.text]);
      const { status, text } = await ask(children.nextDoor);
      if (teacherSets.includes(set))
        expect([set, 'next door', status, text]).toEqual([set, 'next door', 404, nobody.text]);
      // Here the same request finds the child, unless it asks for something that this child does not have.
      else if (!/:id.*:|\/(reveal)$/.test(endpoint.path))
        expect([set, 'next door', status === 404]).toEqual([set, 'next door', false]);
    }
  },
);

test('an operation of Staff with an id in its path says what the id is of', () => {
  const unsaid = allRoutes.filter((route) => rowOf(route).staff && !rowOf(route).ids && /:/.test(route.endpoint.path));
  expect(unsaid.map(name)).toEqual([]);
});

test('whoever was deactivated is still signed in, so that it was this that kept them out', async () => {
  await school.sql('update sign_in_account set is_active = true');
  const deactivated = [...people].filter(([who]) => who.startsWith('deactivated'));
  expect(deactivated.length).toBeGreaterThan(0);
  for (const [who, person] of deactivated)
    expect([who, (await person.send({ url: '/api/sign-in/me' })).status]).toEqual([who, 200]);
});

test('a person relieved yesterday still has a session, so the last day is what refused them', async () => {
  const relieved = [...people].filter(([who]) => who.startsWith('relieved'));
  expect(relieved.length).toBeGreaterThan(0);
  await school.sql('update sign_in_account set ends_on = null');
  for (const [who, person] of relieved)
    expect([who, (await person.send({ url: '/api/sign-in/me' })).status]).toEqual([who, 200]);
});

/** A caller for each column of the matrix with their permissions, replaced when an operation signs them out. */
const people = new Map<string, Person>();

async function browserOf(caller: Caller | 'Staff of one branch', sets: Sets): Promise<Browser> {
  if (caller === 'proven family link holder') {
    // An operation before may have signed the phone out.
    if (!provenPhone?.cookies.has('__Host-family')) provenPhone = await prove(school, proven);
    return provenPhone;
  }
  if (caller === 'anonymous' || caller.endsWith('link holder')) return openBrowser(school);
  const who = [caller, ...sets].join(' ');
  const standing = people.get(who);
  if (standing?.cookies.has('__Host-session')) return standing;
  const person = await school.person({
    role: caller === 'Admin' ? 'Admin' : 'Staff',
    sets: grantedSets.filter((set) => sets.includes(set)),
    branchIds: caller.endsWith('of one branch') ? [1] : [],
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
  if (sets.includes('assessor')) await assess(person);
  if (sets.includes('substitute')) await cover(person);
}

/** Gives a person the register of a new section today. */
const cover = async ({ staffId }: Person) => {
  const section = await openSection(school);
  await school.sql(`insert into cover (academic_year_id, day, section_id, from_half, to_half, absent_id, staff_id, given_by, given_at)
    select academic_year_id, current_date, id, 1, 2, (select min(id) from staff where id <> ${staffId}), ${staffId}, ${staffId}, now()
    from academic_section where id = ${section}`);
};

/** Makes a person an assessor of a slot of yesterday. */
const assess = ({ staffId }: Person) =>
  school.sql(`with slot as (
      insert into admission_slot (branch_id, academic_year_id, kind, starts_at, ends_at, place, capacity)
      select (select min(id) from academic_branch), (select min(id) from academic_year), 'Interaction',
        now() - interval '1 day', now() - interval '23 hours', 'Office', 1 returning *)
    insert into admission_slot_assessor (slot_id, starts_at, ends_at, staff_id)
    select id, starts_at, ends_at, ${staffId} from slot`);

test('a caller of the matrix has the sets of its column', async () => {
  for (const sets of [derivedSets, permissionSets]) {
    const person = await browserOf('Staff with it', sets);
    expect((await person.send({ url: '/api/sign-in/me' })).json.sets.sort()).toEqual([...sets].sort());
  }
});
/** As a relieved person is the day after: the last day of work and of access is yesterday, and the session is there. */
const relieve = ({ id, staffId }: Person) =>
  school.sql(`update staff_employment set joined_on = current_date - 9, last_day = current_date - 1
    where staff_id = ${staffId}; update sign_in_account set ends_on = current_date - 1 where id = ${id}`);

/** A member of staff with a post in a new branch; the ids by the names that paths have for them. */
async function hireElsewhere(): Promise<Record<string, number>> {
  const { staffId: id } = await school.person();
  const [row] = await school.sql(`
    with branch as (insert into academic_branch (name, code) values ('Branch ${id}', 'B${id}') returning id),
      designation as (insert into academic_designation (name) values ('Designation ${id}') returning id),
      department as (insert into academic_department (name) values ('Sports ${id}') returning id),
      post as (insert into staff_post (staff_id, effective_from, branch_id, designation_id, department_id)
        select ${id}, current_date - 9, branch.id, designation.id, department.id from branch, designation, department),
      file as (insert into file (id, owner, owner_id, media_type, name, bytes, sha256)
        values (gen_random_uuid(), 'staff', ${id}, 'image/jpeg', 'a.jpg', 1, sha256('a')) returning id),
      document as (insert into staff_document (staff_id, document_type_id, file_id)
        select ${id}, (select min(id) from hris_document_type), id from file returning id),
      qualification as (insert into staff_qualification (staff_id, qualification_id)
        select ${id}, min(id) from hris_qualification returning id),
      experience as (insert into staff_experience (staff_id, employer, job_title, from_day)
        values (${id}, 'School', 'Teacher', '2010-06-01') returning id)
    select document.id as document, qualification.id as qualification, experience.id as experience
    from document, qualification, experience`);
  return { id, ...(row as Record<string, number>) };
}
