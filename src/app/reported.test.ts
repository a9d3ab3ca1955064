import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { gradeMaster, houseMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { messages } from '#features/sign-in/server/messages.ts';
import { reportedActs } from '#features/sign-in/server/reported-act.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { refsOf } from '#kit/contract/field.ts';
import type { Master } from '#kit/contract/master.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { english } from '#kit/contract/text.ts';
import { render } from '#kit/server/messages/outbox.ts';
import { mostTaken, mostUnproved } from '#kit/server/security/taken-names.ts';
import type { Person } from '#testing/browser.ts';
import { allExamples, type ExportCall, type Stage } from '#testing/examples.ts';
import { contentsOf } from '#testing/failing.ts';
import { create, plant } from '#testing/masters.ts';
import { matrix } from '#testing/matrix.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { type EnrolmentPlace, enroll } from '#testing/students.ts';
import { openSection } from '#testing/teachers.ts';
import { allMasters } from './features.server.ts';
import { allRoutes } from './server.ts';

let school: School;
let admin: Person;
let other: Person;
let office: Person;
let incharge: Person;
let principal: Person;
let stage: Stage;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin', name: 'Asha' });
  other = await school.person({ role: 'Admin', name: 'Bela' });
  office = await school.person({ name: 'Meena', sets: ['office'] });
  incharge = await school.person({ name: 'Ramesh', sets: ['transportIncharge'] });
  principal = await school.person({ name: 'Mina', sets: ['principal'] });
  const [chhaya] = await school.sql(`insert into staff (name, employee_number) values ('Chhaya', 'C1') returning id`);
  const { id, academicYearId, branchId, programId, gradeId } = (await create(
    admin,
    sectionMaster,
  )) as unknown as EnrolmentPlace & { id: number };
  const next = await plant(school, gradeMaster);
  await school.sql(`update academic_grade set next_grade_id = ${next.id} where id = ${gradeId}`);
  const here = {
    academicYearId,
    branchId,
    programId,
    gradeId,
    sectionId: id,
    toYearId: (await plant(school, yearMaster)).id,
  };
  const enrollmentId = await enroll(school, here, 'Diya');
  await school.sql(`insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id,
      grade_id, section_id, roll_no, effective_from)
    select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${id}, 7, joined_on
    from student_enrollment where id = ${enrollmentId}`);
  const people = { admin, office, incharge, principal, staffId: Number(chhaya?.id) };
  stage = { school, ...people, here, enrollmentId, openThisYear, pupil };
});
/** Reported acts close this year. */
const openThisYear = () =>
  school.sql(`update academic_year set status = 'Open' where status = 'Closed' and ends_on >= current_date`);
/** Seats a pupil in a new section, and returns the section. */
async function pupil() {
  await openThisYear();
  const section = await openSection(school);
  await seat(school, section, 'Nisha');
  return section;
}
beforeEach(() =>
  school.sql('delete from attempt; delete from outbox; update sign_in_session set confirmed_at = now()'),
);
afterAll(() => school.close());

const age = (seconds: number) =>
  school.sql(`update sign_in_session set confirmed_at = now() - interval '${seconds} seconds'`);
/** The waiting messages, rendered. */
async function told() {
  const rows = await school.sql(
    `select template, recipient, subject_id from outbox where status = 'queued' order by id`,
  );
  return Promise.all(
    rows.map(async ({ template, recipient, subject_id }) => {
      const made = messages[String(template)];
      return { recipient, ...(made && (await render(school.services, made, Number(subject_id)))) };
    }),
  );
}

/** Each act that is reported to the other Admins. */
const acts = allExamples('reported');

const reported = allRoutes.map(({ endpoint }) => endpoint).filter(({ isReported }) => isReported);

test('W11 A24 the acts of which the other Admins are told are these, and each needs a fresh proof', () => {
  const names = reported.map(({ method, path }) => `${method} ${path}`);
  const without = names.filter((name) => !(name in acts));
  expect(without.map((name) => `${name} needs an example in reported of its feature’s examples.ts.`)).toEqual([]);
  expect(Object.keys(acts).filter((name) => !names.includes(name))).toEqual([]);
  // A reported act is reported in its own transaction.
  for (const { method, isConfirmed, ownTransactions } of reported)
    expect([isConfirmed, method === 'GET', ownTransactions]).toEqual([true, false, undefined]);
});

describe.each(Object.entries(acts))('W11 A24 %s', (_name, begin) => {
  test('is refused ten minutes after the last proof, and after a new one it is done and told to the other Admins', async () => {
    const act = await begin(stage);
    await school.sql('delete from outbox');
    await age(601);
    const { sign_in_session: _, attempt: __, ...before } = await contentsOf(school);
    const refused = await act();
    expect([refused.status, refused.json.error.code]).toEqual([403, 'confirm_required']);
    expect(await contentsOf(school)).toMatchObject(before);
    expect(await told()).toEqual([]);

    await age(0);
    const [last] = await school.sql('select max(id) as id from audit');
    expect((await act()).status).toBe(200);
    const [row] = await school.sql(`select id, action from audit where id > ${last?.id} order by id limit 1`);
    const what = reportedActs[String(row?.action)];
    if (!what) throw new Error(`No words for ${row?.action}.`);
    expect(await told()).toEqual([
      {
        recipient: other.email,
        language: 'en',
        subject: `Asha: ${english(what)}`,
        text: expect.stringContaining(`Audit log entry: ${row?.id}`),
      },
    ]);
  });
});

test('W11 a report says who did what, to how many and when, and names no child', async () => {
  const begin = acts['POST /academic/section-student/promotion'];
  expect((await (await begin?.(stage))?.())?.status).toBe(200);
  const [message] = await told();
  expect(message?.text).toMatch(
    /^User: Asha \(Admin\)\n\nAction: Recorded the year-end decision\n\nRecords: 2\n\nTime: \d+ \w{3} \d{4}, \d+:\d\d [ap]m\n\nAudit log entry: \d+\n/,
  );
  expect(message?.text).not.toMatch(/Esha|Farah/);
});

test('W11 a trial of a roll-over, and an act that changes nothing, are not reported', async () => {
  await acts['POST /academic/year/:id/roll-over']?.(stage);
  expect(await told()).toEqual([]);
  const { json } = await admin.send({ url: '/api/academic/school' });
  expect((await admin.send({ method: 'PUT', url: '/api/academic/school', body: json })).status).toBe(200);
  expect(await told()).toEqual([]);
});

/** Files that hold one record's own picture or document, not a list. */
const single =
  /picture|\/student\/photo\/|signature|logo|\/admission\/files|\/document\/:document\/file|\/correction\/:correction\/file|own-data|\/(?:review|ticket|homework|observation-note)\/:id\/file|\/observation-visit\/:id\/paper$|\/(?:fee|family)\/(?:receipt|certificate|statement|student\/:id\/statement)(?:\/:id)?\/file$|\/bank\/deposit\/:id\/paper$|\/slip$|\/admission\/print|\/report\/\w+\/:id\/paper$|\/process\/:id\/letter$|\/admission-news\/letter$/;
/** The fields of a master that name people. */
const peopleIn = (master: Master) => refsOf(master).filter(([, { to }]) => to !== 'self' && to.isPeople);

/** Each export that names people: those of the features, and of masters with people. */
const exportsOfNames: Record<string, (stage: Stage) => Promise<ExportCall>> = {
  ...Object.fromEntries(
    allMasters
      .filter((master) => peopleIn(master).length > 0)
      .map((master) => [
        `GET ${master.path}/export`,
        async ({ staffId, admin, incharge }: Stage) => {
          await plant(school, master, Object.fromEntries(peopleIn(master).map(([name]) => [name, staffId])));
          const by = isGranted(master.access, { role: 'Admin', sets: [] }) ? admin : incharge;
          return { url: `${master.path}/export?as=csv`, by };
        },
      ]),
  ),
  ...allExamples('exports'),
};

const exported = allRoutes
  .map(({ endpoint }) => endpoint)
  // The files of an import hold what the user sent, or nothing.
  .filter(({ output, path }) => output === servedFile && !single.test(path) && !path.includes('/import/'))
  .map(({ method, path }) => `${method} ${path}`);
const withoutNames = exported.filter((name) => !(name in exportsOfNames));

test('W11 G3 each export either names people and is counted below, or is that of records without people', () => {
  expect(Object.keys(exportsOfNames).filter((name) => !exported.includes(name))).toEqual([]);
  const others = allMasters
    .filter((master) => peopleIn(master).length === 0)
    .map(({ path }) => `GET ${path}/export`)
    .concat(Object.keys(matrix).filter((name) => matrix[name]?.isNameless));
  const unknown = withoutNames.filter((name) => !others.includes(name));
  const words = unknown.map(
    (name) => `${name} needs isNameless in its matrix.ts, or an example in exports of its feature’s examples.ts.`,
  );
  expect(words).toEqual([]);
  expect(withoutNames.sort()).toEqual(others.sort());
});

const count = async (who = admin) =>
  Number(
    (await school.sql(`select hits from attempt where kind = 'taken-names' and subject = '${who.id}'`))[0]?.hits ?? 0,
  );
const setCount = (hits: number, who = admin) =>
  school.sql(`insert into attempt (kind, subject, hits, window_ends) values ('taken-names', '${who.id}', ${hits}, now() + interval '1 hour')
    on conflict (kind, subject) do update set hits = excluded.hits, window_ends = excluded.window_ends`);

describe.each(Object.entries(exportsOfNames))('W11 A24 G3 %s', (name, begin) => {
  test('needs no proof below 500 names an hour, and above asks for one and tells the other Admins', async () => {
    const { url: path, body = {}, by: who = admin } = await begin(stage);
    const url = `/api${path}`;
    await school.sql('delete from outbox');
    const get = () => (name.startsWith('POST') ? who.send({ method: 'POST', url, body }) : who.send({ url }));
    const isConfirmed = name === 'GET /audit/export';
    if (!isConfirmed) await age(601);
    expect((await get()).status).toBe(200);
    const names = await count(who);
    expect(names).toBeGreaterThan(0);
    expect(await told()).toEqual([]);

    await setCount(mostUnproved - names, who);
    expect((await get()).status).toBe(200);
    expect([await count(who), await told()]).toEqual([mostUnproved, []]);

    await age(601);
    const [last] = await school.sql('select max(id) as id from audit');
    const refused = await get();
    expect([refused.status, refused.json.error.code]).toEqual([
      403,
      who === admin ? 'confirm_required' : 'sign_in_again',
    ]);
    expect([await count(who), await told()]).toEqual([mostUnproved, []]);
    expect(await school.sql(`select 1 from audit where id > ${last?.id}`)).toEqual([]);

    await age(0);
    expect((await get()).status).toBe(200);
    const messages = await told();
    const others = [admin, other].filter((one) => one !== who).map(({ email }) => email);
    expect(messages.map(({ recipient }) => recipient).sort()).toEqual(others.sort());
    const [message] = messages;
    expect(message?.subject).toMatch(/^(Asha|Meena|Ramesh|Mina): (Exported|Printed) /);
    expect(message?.text).toMatch(/\nRecords: [\d,]+\n/);
    // Until the next 500 nobody is notified again.
    expect((await get()).status).toBe(200);
    expect(await told()).toHaveLength(others.length);

    await setCount(mostTaken, who);
    const stopped = await get();
    expect([stopped.status, stopped.json.error.code]).toEqual([429, 'too_many_tries']);
    expect(Number(stopped.headers['retry-after'])).toBeGreaterThan(3500);
  });
});

const listUrl = async () => `/api${(await exportsOfNames['GET /academic/section-student/export']?.(stage))?.url}`;

test('W11 G3 of ten exports at the same moment none passes the 500 together', async () => {
  const url = await listUrl();
  expect((await admin.send({ url })).status).toBe(200);
  const names = await count();
  await setCount(mostUnproved - 3 * names);
  await age(601);
  const answers = await Promise.all(Array.from({ length: 10 }, () => admin.send({ url })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, ...Array(7).fill(403)]);
  expect(await count()).toBe(mostUnproved);
});

test('W11 G3 one export of more than 500 names asks for a fresh proof, and an hour later counting begins again', async () => {
  await school.sql(`insert into academic_house (name, colour, staff_id)
    select 'House ' || n, 'Red', ${stage.staffId} from generate_series(1, 501) n`);
  const get = (as: string) => admin.send({ url: `/api${houseMaster.path}/export?as=${as}&search=House` });
  await age(601);
  expect((await get('xlsx')).json.error.code).toBe('confirm_required');
  await age(0);
  expect((await get('xlsx')).status).toBe(200);
  await school.sql(`update attempt set window_ends = now() - interval '1 second'`);
  await age(601);
  expect((await admin.send({ url: await listUrl() })).status).toBe(200);
});
