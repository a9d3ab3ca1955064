import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { admin, staff } from '#access/contract/grants.ts';
import { english, text, verbatim } from '#kit/contract/text.ts';
import type { ServedCard } from '#kit/server/context.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { studentCard } from '../../contract/cards.ts';
import { studentRecordApi } from '../../contract/record.ts';

let school: School;
let section: number;
let nisha: number;
/** Two cards that another feature's manifest would list: one of its sets, and one that cannot be read. */
const dues = vi.fn();
const planted: ServedCard[] = [
  {
    card: studentCard('dues', 'now', 60, text`Today`, [admin(), staff('accountant')]),
    read: async (_, id, period) => dues(id, period),
    today: async () => ({ label: text`Dues`, value: verbatim('1 200'), detail: verbatim('3 days late'), isLate: true }),
    next: async () => [
      { title: verbatim('Slip'), about: verbatim('to print'), detail: verbatim('Today'), isLate: false, to: '/slip' },
      {
        title: verbatim('Promise'),
        about: verbatim('missed'),
        detail: verbatim('20 Nov'),
        isLate: true,
        to: '/promise',
      },
    ],
  },
  {
    card: studentCard('broken', 'now', 70, text`Today`, [admin(), staff('accountant')]),
    read: () => Promise.reject(new Error('No such table.')),
  },
];
beforeAll(async () => {
  school = await openSchool();
  school.services.recordCards = [...school.services.recordCards, ...planted];
  section = await openSection(school);
  nisha = await seat(school, section, 'Nisha');
  const facts = [{ label: text`Today`, value: verbatim('1 200') }];
  dues.mockImplementation(() => ({ asOf: '2026-11-26', facts, table: null, to: 'fee', empty: text`Today` }));
});
afterAll(() => school.close());

const keysOf = async (person: Person, id = nisha) =>
  (await person.call(studentRecordApi.read, { id })).cards.map(({ key }) => key);
const card = (person: Person, key: string, id = nisha) =>
  person.send({ method: 'GET', url: `/api/student/${id}/card/${key}` });

test('L1.11 a card of another feature is in the head of those with its sets, and absent for all others', async () => {
  const accountant = await school.person({ sets: ['accountant'] });
  const nurse = await school.person({ sets: ['nurse'] });
  expect(await keysOf(accountant)).toContain('dues');
  expect(await keysOf(nurse)).not.toContain('dues');
  const { status, json } = await card(accountant, 'dues');
  expect([status, json.facts[0].value]).toEqual([200, verbatim('1 200')]);
  expect(dues).toHaveBeenCalledWith(nisha, { from: '', to: '' });
  expect((await card(nurse, 'dues')).status).toBe(404);
  expect((await card(accountant, 'unknown')).status).toBe(404);
});

test('L1.11 a card that fails leaves the head and the other cards', async () => {
  const accountant = await school.person({ sets: ['accountant'] });
  expect((await card(accountant, 'broken')).status).toBe(500);
  expect(await keysOf(accountant)).toEqual(expect.arrayContaining(['dues', 'broken', 'family']));
  expect((await card(accountant, 'dues')).status).toBe(200);
});

test('L1.11 a card of a student outside the scope is not found', async () => {
  const [south] = await school.sql(`insert into academic_branch (name, code) values ('South', 'S') returning id`);
  const person = await school.person({ sets: ['accountant'], branchIds: [Number(south?.id)] });
  expect((await card(person, 'dues')).status).toBe(404);
});

test.each([
  [
    'office',
    ['today', 'personal', 'family', 'address', 'tags', 'enrollment', 'schooling', 'identity', 'health', 'history'],
  ],
  [
    'principal',
    ['today', 'personal', 'family', 'address', 'tags', 'enrollment', 'schooling', 'identity', 'health', 'history'],
  ],
  ['accountant', ['today', 'family', 'address', 'tags', 'enrollment']],
  ['transportIncharge', ['today', 'family', 'address', 'tags', 'enrollment']],
  ['nurse', ['today', 'personal', 'family', 'tags', 'enrollment', 'health']],
  ['counsellor', ['today', 'personal', 'family', 'tags', 'enrollment', 'health']],
] as const)('L1.12 the %s has the cards of the own sets', async (set, own) => {
  const person = await school.person({ sets: [set] });
  const found = await keysOf(person);
  for (const key of own) expect(found).toContain(key);
  const all = ['personal', 'family', 'address', 'schooling', 'identity', 'health', 'history'];
  for (const key of all.filter((one) => !(own as readonly string[]).includes(one))) expect(found).not.toContain(key);
});

test('L1.12 a class teacher has the cards of the own section; a subject teacher no family, address and health', async () => {
  const led = await school.person();
  await teach(school, led, { sectionId: section });
  expect(await keysOf(led)).toEqual(expect.arrayContaining(['personal', 'family', 'address', 'identity', 'schooling']));
  for (const key of ['health', 'history']) expect(await keysOf(led)).not.toContain(key);
  const taught = await school.person();
  await teach(school, taught, { role: 'Subject teacher', sectionId: section });
  expect(await keysOf(taught)).toEqual(expect.arrayContaining(['today', 'tags', 'enrollment']));
  for (const key of ['personal', 'family', 'address', 'identity', 'health', 'history'])
    expect(await keysOf(taught)).not.toContain(key);
});

test('the electives of a student are a card of their feature', async () => {
  const office = await school.person({ sets: ['office'] });
  expect(await keysOf(office)).toContain('elective');
  expect((await card(office, 'elective')).json).toMatchObject({ table: null, empty: { id: 'No electives yet.' } });
});

const todayOf = async (person: Person, id = nisha) =>
  (await person.call(studentRecordApi.today, { id })).map(({ label, value }) => [label.id, value.id]);

test('what is so today comes from the cards that the reader has, the first part of the record first', async () => {
  const accountant = await school.person({ sets: ['accountant'] });
  expect(await todayOf(accountant)).toEqual([['Dues', '{words}']]);
  const office = await school.person({ sets: ['office'] });
  expect(await todayOf(office)).toEqual([['Today', 'Not taken yet']]);
  const nurse = await school.person({ sets: ['nurse'] });
  expect(await todayOf(nurse)).toEqual([]);
  const [branch] = await school.sql(`insert into academic_branch (name, code) values ('North', 'N') returning id`);
  const elsewhere = await school.person({ sets: ['accountant'], branchIds: [Number(branch?.id)] });
  const { status } = await elsewhere.send({ method: 'GET', url: `/api/student/${nisha}/today` });
  expect(status).toBe(404);
  const taught = await school.person();
  await teach(school, taught, { role: 'Subject teacher', sectionId: section });
  expect(await todayOf(taught)).toEqual([['Today', 'Not taken yet']]);
  const other = await school.person();
  await teach(school, other, { role: 'Subject teacher', sectionId: await openSection(school) });
  expect((await other.send({ method: 'GET', url: `/api/student/${nisha}/today` })).status).toBe(404);
});

const nextOf = async (person: Person, id = nisha) =>
  (await person.call(studentRecordApi.next, { id })).map(({ title, about, detail, to }) =>
    [title, about, detail].map(english).concat(to),
  );

test('what is to be done next comes from the cards that the reader has, late first, each with its page', async () => {
  const accountant = await school.person({ sets: ['accountant'] });
  expect(await nextOf(accountant)).toEqual([
    ['Promise', 'missed', '20 Nov', '/promise'],
    ['Slip', 'to print', 'Today', '/slip'],
  ]);
  const office = await school.person({ sets: ['office'] });
  expect(await nextOf(office)).toEqual([]);
  await school.sql(`with sent as (insert into file (id, owner, owner_id, media_type, name, bytes, sha256, stored_at)
      select md5(kind || '${nisha}')::uuid, 'student_document', ${nisha}, 'application/pdf', kind, 1, sha256('a'), '2026-11-24T20:00:00Z'
      from unnest(array['sent', 'old', 'read']) kind returning id, name)
    insert into student_document (student_id, document_id, file_id, status, expires_on, decided_by, decided_at)
    select ${nisha}, type.id, sent.id, case name when 'sent' then 'Waiting' else 'Verified' end,
      case name when 'old' then '2020-01-31'::date when 'read' then '2199-01-31'::date end,
      case when name <> 'sent' then ${office.staffId} end, case when name <> 'sent' then now() end
    from sent join (select id, row_number() over (order by id) as place from academic_lookup where kind = 'Document') type
      on type.place = case name when 'sent' then 1 when 'old' then 2 else 3 end`);
  const documents = (await nextOf(office)).map(([, about, detail, to]) => [about, detail, to]);
  expect(documents).toEqual([
    ['expired', 'Expired on 31 Jan 2020. Ask for a new one.', `/school-erp/student/student-list/${nisha}?part=papers`],
    ['to verify', 'Received on 25 Nov 2026', `/school-erp/student/student-list/${nisha}?part=papers`],
  ]);
  // A newer one that is valid takes the place of the expired one.
  await school.sql(`with sent as (insert into file (id, owner, owner_id, media_type, name, bytes, sha256)
      values (md5('new ${nisha}')::uuid, 'student_document', ${nisha}, 'application/pdf', 'new', 1, sha256('a')) returning id)
    insert into student_document (student_id, document_id, file_id, status, expires_on, decided_by, decided_at)
    select ${nisha}, old.document_id, sent.id, 'Verified', '2199-01-31', old.decided_by, now()
    from sent, student_document old where old.student_id = ${nisha} and old.expires_on = '2020-01-31'`);
  expect((await nextOf(office)).map(([, about]) => about)).toEqual(['to verify']);
  // The documents of a child are the office's and the principal's.
  const taught = await school.person();
  await teach(school, taught, { role: 'Subject teacher', sectionId: section });
  expect(await nextOf(taught)).toEqual([]);
  const [branch] = await school.sql(`insert into academic_branch (name, code) values ('West', 'W') returning id`);
  const elsewhere = await school.person({ sets: ['office'], branchIds: [Number(branch?.id)] });
  expect((await elsewhere.send({ url: `/api/student/${nisha}/next` })).status).toBe(404);
});

test('an expired document of a child who has left is not asked for again', async () => {
  const mira = await seat(school, await openSection(school, { day: "'2026-07-06'" }), 'Mira', {
    joinedOn: '2026-06-10',
  });
  const office = await school.person({ sets: ['office'] });
  await school.sql(`with sent as (insert into file (id, owner, owner_id, media_type, name, bytes, sha256)
      values (md5('old ${mira}')::uuid, 'student_document', ${mira}, 'application/pdf', 'old', 1, sha256('a')) returning id)
    insert into student_document (student_id, document_id, file_id, status, expires_on, decided_by, decided_at)
    select ${mira}, (select min(id) from academic_lookup where kind = 'Document'), id, 'Verified', '2020-01-31',
      ${office.staffId}, now() from sent`);
  expect((await nextOf(office, mira)).map(([, about]) => about)).toEqual(['expired']);
  await school.sql(`insert into student_leaving (student_id, enrollment_id, last_day, reason_id, decided_by)
    select ${mira}, id, '2026-07-03', (select min(id) from academic_lookup where kind = 'Leaving reason'), 'Meena'
    from student_enrollment where student_id = ${mira}`);
  expect(await nextOf(office, mira)).toEqual([]);
});

test('the attendance of a child who has left says nothing of today', async () => {
  const lata = await seat(school, await openSection(school, { day: "'2026-07-06'" }), 'Lata', {
    joinedOn: '2026-06-10',
  });
  const office = await school.person({ sets: ['office'] });
  school.clock.now = new Date('2026-07-06T04:30:00Z');
  const labels = async () => (await todayOf(office, lata)).map(([label]) => label);
  expect(await labels()).toContain('Today');
  await school.sql(`update student_section set effective_to = '2026-07-03' where student_id = ${lata};
    update student_enrollment set status = 'Left', left_on = '2026-07-03' where student_id = ${lata}`);
  expect(await labels()).not.toContain('Today');
  school.clock.now = undefined;
});
