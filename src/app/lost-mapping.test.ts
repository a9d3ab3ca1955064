import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { planOf } from '#database/seed/plan.ts';
import { admissionForm } from '#features/admission-form/server/feature.ts';
import { beginSession } from '#features/sign-in/server/session.ts';
import { type Endpoint, mayCall } from '#kit/contract/endpoint.ts';
import { announce, people } from '#testing/announcements.ts';
import { type Browser, openBrowser } from '#testing/browser.ts';
import { requestOf, sampleOf } from '#testing/inputs.ts';
import { matrix } from '#testing/matrix.ts';
import { openOwnSchool, photo, type School } from '#testing/school.ts';
import { seedDemo } from './demo.ts';
import { features } from './features.server.ts';
import { allRoutes } from './server.ts';

// A class teacher of the demo school loses the section. Every operation that a class teacher may call is asked before and
// after, with every id that its answers had, so that the next operation and the next kind of record are asked by themselves.

const now = new Date('2027-02-10T06:00:00Z');
const plan = planOf({ students: 40, staff: 16, sections: 10, years: 1, seed: 3 }, now);
/** The ids of each table begin at another multiple of this, so that an id says of what it is. */
const block = 100_000;

let school: School;
let teacher: Browser;
let section: number;
let staffId: number;
/** Names that only the people of the section have. */
let names: string[];
beforeAll(async () => {
  school = await openOwnSchool({}, { url: inject('postgres').url, template: 'template1' });
  school.clock.now = now;
  await school.sql(`select setval(format('%I.%I', schemaname, sequencename)::regclass, place * ${block})
    from (select *, row_number() over (order by sequencename) as place from pg_sequences
      where schemaname = 'public' and max_value > 1000 * ${block}::bigint) as own`);
  await seedDemo(school.app, school.services, { plan, parts: features.filter((feature) => feature !== admissionForm) });
  const [led] = await school.sql(`
    select own.section_id, own.staff_id, account.id as account from academic_section_teacher own
    join sign_in_account account on account.staff_id = own.staff_id
    where own.role = 'Class teacher' and '2027-02-10' between own.effective_from and coalesce(own.effective_to, 'infinity')
    order by own.id`);
  section = Number(led?.section_id);
  staffId = Number(led?.staff_id);
  // A member of staff always reads what they have asked for, so this one takes it back.
  await school.sql(`update approval set status = 'Withdrawn', decided_at = now(), decided_by = requested_by
    where requested_by = ${staffId} and student_id is not null and status = 'Pending'`);
  teacher = openBrowser(school);
  const ctx = school.context();
  const http = { ...ctx.http, setCookie: (name: string, value: string) => void teacher.cookies.set(name, value) };
  await beginSession(
    { ...ctx, http },
    { accountId: Number(led?.account), role: 'Staff', method: 'Email', isRemembered: false },
  );
  await school.sql(`insert into setting (key, value) values ('announcement.teacher-approval', 'false')
    on conflict (key) do update set value = excluded.value`);
  await announce(school, teacher, [people('Section', section)], { sendsEmail: false });
  const rows = await school.sql(`
    with own as (select student_id from student_section where section_id = ${section}),
    named as (select student.name, student.id in (select student_id from own) as is_own from student
      union all select guardian.name, link.student_id in (select student_id from own) from guardian
      join student_guardian link on link.guardian_id = guardian.id)
    select name from named group by name having bool_and(is_own)`);
  names = rows.map(({ name }) => String(name));
}, 600_000);
afterAll(() => school.close());

const caller = { user: { role: 'Staff', sets: ['classTeacher', 'subjectTeacher'] } };
const operations = allRoutes
  .map(({ endpoint }) => endpoint)
  .filter(({ access }) => access !== 'public' && mayCall(access, caller));
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
/** What an operation is about, as `homework`. */
const areaOf = ({ path }: Endpoint) => path.split('/')[1] ?? '';
const hasId = ({ path }: Endpoint) => path.includes('/:');
const reads = operations.filter(({ method }) => method === 'GET');

/** Ids by what they are of: the area of the answer and the table. */
type Ids = Map<string, Set<number>>;
const tableOf = (id: number) => Math.floor(id / block);

/** Calls `found` with each id in an answer and the name that it has there. */
function walk(value: unknown, found: (id: number, name: string) => void, name = '') {
  if (typeof value === 'number' && Number.isInteger(value) && value > block && value < 2 ** 31) found(value, name);
  else if (Array.isArray(value)) for (const each of value) walk(each, found, name.replace(/s$/, ''));
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) walk(each, found, key);
}

let asked = 0;
async function ask(endpoint: Endpoint, input: Record<string, unknown>) {
  // Neither limits of rate nor the age of the proof are what refuses.
  if (asked++ % 10 === 0) await school.sql('delete from attempt; update sign_in_session set confirmed_at = now()');
  const request = requestOf(endpoint, input);
  if (request.body instanceof FormData)
    for (const name of Object.keys(endpoint.files ?? {})) request.body.append(name, await photo());
  return teacher.send(request);
}

/** A whole input with ids by their names: those of `ids`, or else samples. */
function inputOf(
  endpoint: Endpoint,
  ids: ReadonlyMap<string, number>,
): { input: Record<string, unknown>; isFilled: boolean } {
  let isFilled = false;
  const fill = (value: unknown, name = ''): unknown => {
    const id = ids.get(name.replace(/Ids$/, 'Id').replace(/^(student|section|child)s$/, '$1Id'));
    if (id !== undefined && !Array.isArray(value)) {
      isFilled = true;
      return id;
    }
    if (Array.isArray(value)) return value.map((each) => fill(each, name));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, key)]));
    return value;
  };
  const sample = { ...(sampleOf(endpoint.input) as object), ...matrix[nameOf(endpoint)]?.example };
  return { input: fill(sample) as Record<string, unknown>, isFilled };
}

/** Every answer of the reads without an id in their path, and the ids in them. */
async function readLists(filled: ReadonlyMap<string, number>) {
  const ids: Ids = new Map();
  const byName = new Map<string, number>();
  const answers: [string, string][] = [];
  // Walks all: each handler looks its record up by itself.
  for (const endpoint of reads.filter((one) => !hasId(one))) {
    for (const input of [{}, inputOf(endpoint, filled).input]) {
      const { status, text, json } = await ask(endpoint, input);
      if (status !== 200) continue;
      answers.push([nameOf(endpoint), text]);
      walk(json, (id, name) => {
        const kind = `${areaOf(endpoint)} ${tableOf(id)}`;
        ids.set(kind, (ids.get(kind) ?? new Set()).add(id));
        if (!byName.has(name)) byName.set(name, id);
      });
    }
  }
  return { ids, byName, answers };
}

/** Some of the ids of each kind in an area, the newest. */
const newest = (all: Ids, area: string, most: number) =>
  [...all].flatMap(([kind, ids]) =>
    kind.startsWith(`${area} `) ? [...ids].toSorted((one, other) => other - one).slice(0, most) : [],
  );

const isNamed = (text: string) => names.some((name) => text.includes(name));

/** Ends what the teacher does in the section, and makes them co-class teacher of another one. */
const endMapping = () =>
  school.sql(`
    with ended as (
      update academic_section_teacher set effective_to = '2027-02-09'
      where section_id = ${section} and staff_id = ${staffId} returning academic_year_id)
    insert into academic_section_teacher (academic_year_id, branch_id, program_id, grade_id, section_id, staff_id, role,
      effective_from)
    select academic_year_id, branch_id, program_id, grade_id, id, ${staffId}, 'Co-class teacher', '2027-02-10'
    from academic_section where id <> ${section} and academic_year_id in (select academic_year_id from ended)
    order by id desc limit 1`);

test('Z6 who no longer leads a section reads nothing of its people and does nothing about them, by any operation', async () => {
  const [child] = await school.sql(
    `select student_id, enrollment_id from student_section where section_id = ${section}`,
  );
  const own = new Map([
    ['sectionId', section],
    ['studentId', Number(child?.student_id)],
    ['enrollmentId', Number(child?.enrollment_id)],
  ]);
  const before = await readLists(own);
  const namedBefore = before.answers.filter(([, text]) => isNamed(text)).map(([name]) => name);
  expect(namedBefore).toEqual(
    expect.arrayContaining(['GET /student', 'GET /attendance/register', 'GET /report/student']),
  );

  await endMapping();
  const after = await readLists(own);
  const found = after.answers.filter(([, text]) => isNamed(text)).map(([name]) => `${name} names them`);
  const lost: Ids = new Map(
    [...before.ids].map(([kind, ids]) => [kind, new Set([...ids].filter((id) => !after.ids.get(kind)?.has(id)))]),
  );
  expect([...lost].filter(([, { size }]) => size > 0).length).toBeGreaterThan(5);
  // Walks all: each handler looks its record up by itself.
  for (const endpoint of operations.filter(hasId)) {
    const { input } = inputOf(endpoint, own);
    const [, parameter = 'id'] = /:(\w+)/.exec(endpoint.path) ?? [];
    for (const id of newest(lost, areaOf(endpoint), 1)) {
      const { status, json } = await ask(endpoint, { ...input, [parameter]: id });
      if (status !== 404 && status !== 403)
        found.push(`${nameOf(endpoint)} answers ${status} ${json?.error?.code ?? ''} for ${id}, which is lost`);
    }
    if (endpoint.method === 'GET')
      for (const id of newest(after.ids, areaOf(endpoint), 3)) {
        // The whole answer: without what the sample would leave out.
        const least = { ...matrix[nameOf(endpoint)]?.example, [parameter]: id };
        if (isNamed((await ask(endpoint, least)).text)) found.push(`${nameOf(endpoint)} names them for ${id}`);
      }
  }
  // Walks all: each handler looks its record up by itself.
  for (const endpoint of operations.filter((one) => !hasId(one) && one.method !== 'GET')) {
    const { input, isFilled } = inputOf(endpoint, own);
    const { status, text } = isFilled ? await ask(endpoint, input) : { status: 0, text: '' };
    if (status === 200) found.push(`${nameOf(endpoint)} is done: ${text.slice(0, 200)}`);
  }
  expect(found).toEqual([]);
}, 600_000);
