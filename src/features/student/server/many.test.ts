import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { InputOf } from '#kit/contract/endpoint.ts';
import { english, type Text, verbatim } from '#kit/contract/text.ts';
import type { HookAnswer } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';
import { cardSheet } from '#kit/server/paper/paper.ts';
import type { Person } from '#testing/browser.ts';
import { pagesOf } from '#testing/pdf.ts';
import { form, openSchool, photo, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { type EnrolmentChange, enrolmentHook } from '../contract/hooks.ts';
import { studentFile } from '../contract/import.ts';
import { studentList } from '../contract/list.ts';
import { manyApi } from '../contract/many.ts';
import { studentRecordApi } from '../contract/record.ts';

let school: School;
let office: Person;
let teacher: Person;
let north: number;
let section: number;
let nisha: number;
let mihir: number;
let tara: number;
let house: number;
let tag: number;
let secret: number;
const one = async (statement: string) => Number((await school.sql(statement))[0]?.id);
beforeAll(async () => {
  school = await openSchool();
  north = await one(`insert into academic_branch (name, code) values ('North', 'N') returning id`);
  const south = await one(`insert into academic_branch (name, code) values ('South', 'S') returning id`);
  section = await openSection(school, { branchId: north });
  nisha = await seat(school, section, 'Nisha', { grNo: 'N 1', birthDate: '2018-03-04' });
  mihir = await seat(school, section, 'Mihir', { grNo: 'N 2', birthDate: '2019-11-30' });
  tara = await seat(school, await openSection(school, { branchId: south }), 'Tara', { grNo: 'S 1' });
  await raise(school, [nisha], { firstName: 'Ramesh', mobile: '5550012345' });
  house = await one(`insert into academic_house (name, colour) values ('Ruby', 'Red') returning id`);
  const group = await one(`insert into configuration_tag_group (name) values ('Groups') returning id`);
  const newTag = (name: string, isRestricted: boolean) =>
    one(`insert into configuration_tag (name, tag_group_id, colour, scopes, is_restricted)
      values ('${name}', ${group}, 'Red', '{Student}', ${isRestricted}) returning id`);
  [tag, secret] = [await newTag('Choir', false), await newTag('Watched', true)];
  office = await school.person({ name: 'Omkar', sets: ['office'], branchIds: [north] });
  teacher = await school.person({ name: 'Teja' });
  await teach(school, teacher, { sectionId: section });
});
afterAll(() => school.close());
beforeEach(() => school.sql('update student set house_id = null; delete from tag_link'));

const nothing = { houseId: '', noHouse: false, categoryId: '', categoryFrom: '', addedTagId: '', removedTagId: '' };
const change = (given: Partial<InputOf<typeof manyApi.changeMany>>, person = office) =>
  person.call(manyApi.changeMany, { ...nothing, selection: { ids: [nisha, mihir, tara] }, ...given });
const apply = async (given: Partial<InputOf<typeof manyApi.changeMany>>, person = office) => {
  const { confirmToken } = await change(given, person);
  return change({ ...given, confirmToken: confirmToken ?? '' }, person);
};
const rowsOf = async (person: Person, query = {}) => (await person.call(studentList.api.list, query)).rows;
const namesOf = async (person: Person, query = {}) =>
  (await rowsOf(person, query)).map(({ name }) => name.split(' ')[0]);

test('L1.26 house and tag of the selected students change together after a preview, of those in scope alone', async () => {
  const preview = await change({ houseId: house, addedTagId: tag });
  expect(preview).toMatchObject({ changed: 2, skippedCount: 0, isApplied: false });
  expect(await rowsOf(office)).toMatchObject([
    { house: '', tags: [] },
    { house: '', tags: [] },
  ]);
  expect(await apply({ houseId: house, addedTagId: tag })).toMatchObject({ changed: 2, isApplied: true });
  expect(await rowsOf(office)).toMatchObject([
    { name: 'Mihir Shah', house: 'Ruby', tags: ['Choir'] },
    { name: 'Nisha Shah', house: 'Ruby', tags: ['Choir'] },
  ]);
  expect(await school.sql(`select house_id from student where id = ${tara}`)).toEqual([{ house_id: null }]);
  const [audited] = await school.sql(`select count(*)::integer as count from audit where entity = 'student'
    and entity_id in (${nisha}, ${mihir}) and action in ('student.changed', 'tags.changed')`);
  expect(audited).toEqual({ count: 4 });
  const again = await change({ houseId: house, addedTagId: tag });
  expect([again.changed, again.confirmToken, again.skipped.map(({ reason }) => english(reason))]).toEqual([
    0,
    null,
    ['Nothing would change.', 'Nothing would change.'],
  ]);
});

test('L1.26 a tag is removed from those who have it, and a restricted one is the principal’s and the Admins’', async () => {
  await apply({ selection: { ids: [nisha] }, addedTagId: tag });
  expect(await apply({ removedTagId: tag })).toMatchObject({ changed: 1, skippedCount: 1 });
  await expect(change({ addedTagId: secret })).rejects.toMatchObject({ code: 'invalid' });
  const admin = await school.person({ role: 'Admin' });
  await apply({ selection: { ids: [nisha] }, addedTagId: secret }, admin);
  expect(await namesOf(admin, { tagId: String(secret) })).toEqual(['Nisha']);
  expect(await namesOf(office, { tagId: String(secret) })).toEqual([]);
  expect((await rowsOf(office)).flatMap(({ tags }) => tags)).toEqual([]);
  await expect(change({})).rejects.toMatchObject({ code: 'invalid' });
});

test('the house of the selected students is removed, and not together with a new one', async () => {
  await apply({ houseId: house });
  await expect(change({ houseId: house, noHouse: true })).rejects.toMatchObject({
    fields: { noHouse: expect.anything() },
  });
  expect(await apply({ noHouse: true, selection: { ids: [nisha] } })).toMatchObject({ changed: 1 });
  expect((await rowsOf(office)).map(({ name, house }) => [name, house])).toEqual([
    ['Mihir Shah', 'Ruby'],
    ['Nisha Shah', ''],
  ]);
});

test('another category asks the other features from its day, and is not set where one of them blocks it', async () => {
  const category = await one(`select id from academic_lookup where kind = 'Student category' and name = 'RTE'`);
  const [enrolment] = await school.sql(`select enrollment.id, academic_year_id as year, joined_on::text as joined,
    ends_on::text as ends from student_enrollment enrollment join academic_year year on year.id = academic_year_id
    where student_id = ${nisha}`);
  const asked: (readonly EnrolmentChange[])[] = [];
  let blocks: Text[] = [];
  const fees = answer(enrolmentHook, { by: 'fee', step: 12 }, async (_, changes) => {
    asked.push(changes);
    return { texts: [verbatim('Fees: ₹0 from then on')], blocks, basis: blocks };
  });
  const answers = school.services.answers as HookAnswer[];
  answers.push(fees);
  const given = { selection: { ids: [nisha] }, categoryId: category, categoryFrom: String(enrolment?.ends) };
  await expect(change({ ...given, categoryFrom: '' })).rejects.toMatchObject({ code: 'invalid' });
  const preview = await change(given);
  blocks = [verbatim('The year is billed')];
  const blocked = await change(given);
  blocks = [];
  const applied = await apply(given);
  const earlier = await apply({ ...given, categoryId: await general(), categoryFrom: '2000-01-01' });
  answers.splice(answers.indexOf(fees), 1);
  expect(preview).toMatchObject({ changed: 1, isApplied: false });
  expect(preview.also.map(english)).toEqual(['Fees: ₹0 from then on']);
  expect([blocked.blocks.map(english), blocked.confirmToken]).toEqual([['The year is billed'], null]);
  expect([applied.isApplied, earlier.isApplied]).toEqual([true, true]);
  const told = { studentId: nisha, enrollmentId: enrolment?.id, yearId: enrolment?.year, kind: 'category' };
  expect(asked[0]).toEqual([{ ...told, day: enrolment?.ends }]);
  expect(asked.at(-1)).toEqual([{ ...told, day: enrolment?.joined }]);
});
const general = () => one(`select id from academic_lookup where kind = 'Student category' and name = 'General'`);

test('the list is filtered by year, tag and month of birth, and shows age and photo', async () => {
  await apply({ selection: { ids: [mihir] }, addedTagId: tag });
  expect(await namesOf(office, { tagId: String(tag) })).toEqual(['Mihir']);
  expect(await namesOf(office, { birthMonth: 'March' })).toEqual(['Nisha']);
  const year = await one(`select academic_year_id as id from academic_section where id = ${section}`);
  expect(await namesOf(office, { yearId: String(year) })).toEqual(['Mihir', 'Nisha']);
  expect(await namesOf(office, { yearId: '999' })).toEqual([]);
  school.clock.now = new Date('2026-03-03T06:00:00Z');
  expect((await rowsOf(office, { tab: 'all', birthMonth: 'March' })).map(({ age }) => age)).toEqual([7]);
  school.clock.now = new Date('2026-03-04T06:00:00Z');
  expect((await rowsOf(office, { tab: 'all', birthMonth: 'March' })).map(({ age }) => age)).toEqual([8]);
  school.clock.now = undefined;
});

test('L1.27 identifiers, religion, caste and address are exported with a reason alone, and the audit log keeps it', async () => {
  const ask = (body: object, person = office) =>
    person.send({
      method: 'POST',
      url: '/api/student/field-export',
      body: { selection: { isAll: true }, as: 'csv', ...body },
    });
  await school.sql(`update student set pen = '99900000001' where id = ${nisha}`);
  const plain = await ask({ columns: ['name', 'grNo', 'mobile'] });
  expect(plain.text.split('\r\n').slice(0, 3)).toEqual([
    expect.stringContaining('GR number'),
    expect.stringContaining('Mihir Shah'),
    expect.stringContaining('5550012345'),
  ]);
  expect(plain.text).not.toContain('Tara');
  const refused = await ask({ columns: ['name', 'pen'] });
  expect([refused.status, Object.keys(refused.json.error.fields)]).toEqual([422, ['reason']]);
  const given = await ask({ columns: ['name', 'pen'], reason: 'Report to the state' });
  expect(given.text).toContain('99900000001');
  const [row] = await school.sql(
    `select details from audit where action = 'student.fields-exported' order by id desc limit 1`,
  );
  expect(row?.details).toMatchObject({ rows: 2, reason: 'Report to the state', columns: 'Name, PEN' });
  expect((await ask({ columns: ['name'] }, teacher)).status).toBe(403);
});

test('mother tongue and the other choices of personal data are columns, filters and exported fields for those who read them', async () => {
  const wordOf = (kind: string, word: string) =>
    one(`insert into academic_lookup (kind, name) values ('${kind}', '${word}') returning id`);
  const chosen = {
    motherTongueId: await wordOf('Language', 'Kutchi'),
    nationalityId: await wordOf('Nationality', 'Bhutanese'),
    religionId: await wordOf('Religion', 'Bahai'),
    casteCategoryId: await wordOf('Caste category', 'Open seat'),
  };
  await school.sql(`update student set blood_group = 'AB-', mother_tongue_id = ${chosen.motherTongueId},
    nationality_id = ${chosen.nationalityId}, religion_id = ${chosen.religionId},
    caste_category_id = ${chosen.casteCategoryId} where id in (${nisha}, ${tara})`);
  const shown = {
    motherTongue: 'Kutchi',
    nationality: 'Bhutanese',
    religion: 'Bahai',
    casteCategory: 'Open seat',
    bloodGroup: 'AB-',
  };
  const accountant = await school.person({ sets: ['accountant'], branchIds: [north] });
  const filters = [...Object.entries(chosen).map(([name, id]) => ({ [name]: String(id) })), { bloodGroup: 'AB-' }];
  for (const filter of filters) {
    expect([filter, await rowsOf(office, filter)]).toMatchObject([filter, [{ id: nisha, ...shown }]]);
    expect([filter, await rowsOf(accountant, filter)]).toEqual([filter, []]);
  }
  const hidden = Object.fromEntries(Object.keys(shown).map((name) => [name, '']));
  expect((await rowsOf(accountant)).find(({ id }) => id === nisha)).toMatchObject(hidden);

  const { text } = await office.send({
    method: 'POST',
    url: '/api/student/field-export',
    body: { selection: { ids: [nisha] }, as: 'csv', columns: ['name', 'motherTongue', 'nationality', 'bloodGroup'] },
  });
  expect(text.trim().split('\r\n')).toEqual([
    expect.stringContaining('"Name","Blood group","Nationality","Mother tongue"'),
    '"Nisha Shah","AB-","Bhutanese","Kutchi"',
  ]);
});

test('L1.27 the student list is exported without the columns that need a reason', async () => {
  const ask = (columns: string) => office.send({ method: 'GET', url: `/api/student/export?as=csv&columns=${columns}` });
  const all = await ask('');
  expect([all.status, all.text.includes('Mother tongue')]).toEqual([200, true]);
  expect(all.text).not.toMatch(/Religion|Caste/);
  const { status, json } = await ask('name,religion,casteCategory');
  expect([status, json.error.message]).toEqual([409, expect.stringContaining('Religion, Caste category')]);
});

test('L1.6 an export shows Aadhaar numbers masked, and the log keeps who exported them, when, why and for how many students', async () => {
  const of = (id: number) => office.call(studentRecordApi.identity, { id });
  const { version, saved } = await of(nisha);
  await office.call(studentRecordApi.saveIdentity, { ...saved, id: nisha, version, aadhaar: '2341 2341 2346' });
  const taken = () =>
    school.sql(`select actor, details, at > now() - interval '1 minute' as is_now
    from audit where action = 'student.fields-exported' and details->>'columns' like '%Aadhaar%' order by id`);
  const ask = (reason: string, person = office) =>
    person.send({
      method: 'POST',
      url: '/api/student/field-export',
      body: { selection: { isAll: true }, as: 'csv', columns: ['name', 'aadhaar'], reason },
    });
  expect((await ask('')).json.error.fields).toEqual({ reason: expect.stringContaining('Aadhaar number') });
  expect((await ask('Report to the state', teacher)).status).toBe(403);
  expect(await taken()).toEqual([]);
  const { status, text } = await ask('Report to the state');
  expect(status).toBe(200);
  expect(text.trim().split('\r\n').slice(1)).toEqual([
    expect.stringMatching(/^"?Mihir Shah"?,("")?$/),
    expect.stringMatching(/^"?Nisha Shah"?,"?XXXX XXXX 2346"?$/),
  ]);
  expect(text).not.toContain('2341');
  expect(await taken()).toEqual([
    {
      actor: 'Omkar',
      details: { rows: 2, as: 'csv', reason: 'Report to the state', columns: 'Name, Aadhaar number' },
      is_now: true,
    },
  ]);
});

test('L1.27 a file for an import needs a reason, has the import’s own headings, and leaves out who has left', async () => {
  const ask = (body: object, person = office) =>
    person.send({
      method: 'POST',
      url: '/api/student/field-export',
      body: { selection: { isAll: true, query: { tab: 'all' } }, as: 'csv', columns: [], isForImport: true, ...body },
    });
  const refused = await ask({});
  expect([refused.status, Object.keys(refused.json.error.fields)]).toEqual([422, ['reason']]);
  expect(Object.keys((await ask({ as: 'pdf', reason: 'Move' })).json.error.fields)).toEqual(['as']);
  expect((await ask({ reason: 'Move' }, teacher)).status).toBe(403);
  const labels = Object.values(studentFile).map(({ label }) => english(label));
  const { text } = await ask({ reason: 'Move to another server' });
  const [head, ...rows] = text.replace('\uFEFF', '').trim().split('\r\n');
  expect(head).toBe(labels.map((label) => `"${label}"`).join(','));
  expect(rows.map((row) => /Mihir|Nisha|Tara/.exec(row)?.[0])).toEqual(['Mihir', 'Nisha']);
  const [row] = await school.sql(
    `select details from audit where action = 'student.fields-exported' order by id desc limit 1`,
  );
  expect(row?.details).toMatchObject({ rows: 2, reason: 'Move to another server', columns: labels.join(', ') });
  await school.sql(`insert into student_leaving (student_id, enrollment_id, last_day, reason_id, decided_by)
    select student_id, id, joined_on + 10, (select min(id) from academic_lookup where kind = 'Leaving reason'), 'Omkar'
    from student_enrollment where student_id = ${nisha}`);
  const without = await ask({ reason: 'Move' });
  await school.sql(`update student_leaving set undone_at = now(), undone_by = 'Omkar' where student_id = ${nisha}`);
  expect(without.text).toContain('Mihir');
  expect(without.text).not.toContain('Nisha');
});

const savePhoto = async (id: number, person: Person) =>
  person.send({ method: 'POST', url: `/api/student/${id}/photo`, body: form({}, { photo: await photo() }) });

test('L1.28 the class teacher of today saves a photo, which those in scope see in list, record, card and class list', async () => {
  expect((await savePhoto(tara, teacher)).status).toBe(404);
  const { json } = await savePhoto(nisha, teacher);
  const [, row] = await rowsOf(office);
  expect(row?.picture).toBe(json.photo);
  expect((await office.call(studentRecordApi.read, { id: nisha })).photo).toBe(json.photo);
  expect((await office.send({ url: json.photo })).status).toBe(200);
  const far = await school.person({ sets: ['office'], branchIds: [1] });
  expect((await far.send({ url: json.photo })).status).toBe(404);
  expect(await namesOf(office, { missing: 'Photo' })).toEqual(['Mihir']);

  const cards = await teacher.send({
    method: 'POST',
    url: '/api/student/id-card',
    body: { ids: [nisha, mihir, tara] },
  });
  expect([cards.status, cards.headers['content-type']]).toEqual([200, 'application/pdf']);
  const sheet = school.papers.last();
  expect(sheet.template).toBe(cardSheet);
  expect(
    sheet.data.cards.map(({ name, picture }: { name: string; picture?: string }) => [name, Boolean(picture)]),
  ).toEqual([
    ['Mihir Shah', false],
    ['Nisha Shah', true],
  ]);

  expect((await teacher.send({ url: '/api/student/class-list' })).status).toBe(200);
  const [list] = school.papers.last().data.sections;
  expect(list.facts).toContainEqual(['Class teacher', 'Teja']);
  expect(list.pupils.map(({ name }: { name: string }) => name)).toEqual(['Mihir Shah', 'Nisha Shah']);
  const elsewhere = await teacher.send({ url: `/api/student/class-list?gradeId=${await gradeOf(tara)}` });
  expect(school.papers.last().data.sections).toHaveLength(1);
  expect(elsewhere.status).toBe(200);
});
const gradeOf = (id: number) => one(`select grade_id as id from student_enrollment where student_id = ${id}`);

test('a class list of forty pupils fits on one page, and each section begins its own', async () => {
  const full = await openSection(school, { branchId: north });
  for (let number = 0; number < 40; number++) await seat(school, full, `Pupil${number}`);
  school.papers.isReal = true;
  const of = async (query: string) => (await office.send({ url: `/api/student/class-list?${query}` })).bytes;
  expect(await pagesOf(await of(`sectionId=${full}`))).toHaveLength(1);
  expect(await pagesOf(await of(`gradeId=${await gradeOf(nisha)}`))).toHaveLength(2);
  school.papers.isReal = false;
});
