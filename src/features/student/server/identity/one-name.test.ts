import { afterAll, beforeAll, expect, test } from 'vitest';
import { isNoName } from '#features/school/contract/one-name.ts';
import { english } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { finishRun } from '#testing/runs.ts';
import { form, openSchool, paper, type School } from '#testing/school.ts';
import { openSection } from '#testing/teachers.ts';
import { studentImportApi } from '../../contract/import.ts';
import { studentRecordApi } from '../../contract/record.ts';
import { importRuns } from '../import/import.ts';

let school: School;
let office: Person;
let section: number;
let grade: { id: number; name: string };
beforeAll(async () => {
  school = await openSchool();
  const [branch] = await school.sql(`insert into academic_branch (name, code) values ('North', 'N') returning id`);
  section = await openSection(school, { branchId: Number(branch?.id) });
  const [row] = await school.sql(`update academic_section section set name = 'A' from academic_grade grade
    where grade.id = section.grade_id and section.id = ${section} returning grade.id, grade.name`);
  grade = { id: Number(row?.id), name: String(row?.name) };
  office = await school.person({ sets: ['office'], branchIds: [Number(branch?.id)] });
});
afterAll(() => school.close());

const send = (over: Record<string, unknown>) =>
  office.send({
    method: 'POST',
    url: '/api/student',
    body: {
      ...{ firstName: 'Lakshmi', middleName: '', lastName: '', gender: 'Girl', birthDate: '2018-08-04' },
      ...{ admittedOn: toLocalDate(new Date()), gradeId: grade.id, sectionId: section, branchId: '', programId: '' },
      ...{ guardianMobile: '', guardianRelationId: '', guardianFirstName: '', guardianLastName: '', guardianId: '' },
      ...{ siblingId: '', grNo: '', ...over },
    },
  });
const refusal = async (over: Record<string, unknown>) => (await send(over)).json.error?.fields ?? {};

test.each(['.', '-', ' . ', 'NA', 'n.a.', 'N/A', 'X', 'XXX', '12', '…'])('Q1.22 “%s” is no name', (typed) => {
  expect(isNoName(typed)).toBe(true);
});
test.each(['Na Li', 'Nair', 'Xavier', 'K.', 'ઐ', 'लक्ष्मी'])('Q1.22 “%s” is a name', (typed) => {
  expect(isNoName(typed)).toBe(false);
});

test('Q1.22 a child without a last name is added once the user says so, and is asked about when entered once more', async () => {
  expect(await refusal({})).toEqual({ lastName: 'Enter the last name, or tick “Has one name only”.' });
  expect(await refusal({ lastName: '.', hasOneName: true })).toEqual({
    lastName: '“.” is no name. Leave this empty and tick “Has one name only”.',
  });
  expect(await refusal({ firstName: '-', hasOneName: true })).toHaveProperty('firstName');
  const { status, json } = await send({ hasOneName: true });
  expect([status, json]).toMatchObject([200, { id: expect.any(Number) }]);
  const [row] = await school.sql(`select name, sort_name from student where id = ${json.id}`);
  expect(row).toEqual({ name: 'Lakshmi', sort_name: 'lakshmi' });
  expect(await refusal({ hasOneName: true })).toHaveProperty('isOtherChild');
  expect(await refusal({ lastName: 'Iyer' })).toHaveProperty('isOtherChild');
  const { rows } = (await office.send({ url: '/api/student?tab=all&search=Lakshmi' })).json;
  expect(rows.map(({ name }: { name: string }) => name)).toEqual(['Lakshmi']);
});

test('Q1.22 no sign is stored in place of a last name, also past the forms', async () => {
  await expect(school.sql(`update student set last_name = '.'`)).rejects.toThrow('student_last_name_check');
});

const heads = [
  'GR number',
  'First name',
  'Last name',
  'Gender',
  'Date of birth',
  'Admitted on',
  'Grade',
  'Section',
  'Father’s name',
];
const rowOf = (firstName: string, lastName: string, father = '') =>
  ['', firstName, lastName, 'F', '05/05/2017', '12/06/2023', grade.name, 'A', father].join(',');

async function preview(file: string) {
  const { columns: opened } = await office.call(studentImportApi.importOpen, { file });
  const columns = Object.fromEntries(opened.flatMap(({ plan }, index) => (plan ? [[String(index), plan]] : [])));
  const plan = { fileName: 'students.csv', columns, mode: 'good' as const };
  return { plan, ...(await office.call(studentImportApi.import, { file, plan })) };
}

test('Q1.22 a row without a last name is the question of an import, and signs in a file are no names', async () => {
  const file = [heads.join(','), rowOf('KAVERI', ''), rowOf('Yamuna', '.', '-'), rowOf('.', 'Rao')].join('\r\n');
  const { plan, ...asked } = await preview(file);
  expect(
    asked.rows.map(({ messages }) => Object.entries(messages).map(([name, words]) => [name, english(words)])),
  ).toEqual([
    [['lastName', 'The last name is empty. Does KAVERI have one name only?']],
    [['lastName', '“.” is no last name. Does Yamuna have one name only?']],
    [['firstName', '“.” is not a name. Enter it as in the documents.']],
  ]);
  const answered = { ...plan, alike: { oneName: 'one' } };
  const { confirmToken, counts } = await office.call(studentImportApi.import, { file, plan: answered });
  expect(counts).toMatchObject({ added: 2, wrong: 1 });
  const { runId = 0 } = await office.call(studentImportApi.import, {
    file,
    plan: answered,
    confirmToken: confirmToken ?? '',
  });
  await finishRun(school.services, importRuns, runId);
  expect(
    await school.sql(`select name, (select count(*)::integer from student_guardian where student_id = student.id) as adults
      from student where birth_date = '2017-05-05' order by name`),
  ).toEqual([
    { name: 'KAVERI', adults: 0 },
    { name: 'Yamuna', adults: 0 },
  ]);
  // Once more the row asks whether it is that child, and the answer says of the name too that nothing is missing.
  const [twin] = (await office.call(studentImportApi.import, { file, plan })).rows;
  expect(twin?.question?.choices.map(({ label }) => english(label))).toEqual([
    'The same child',
    'Another child, with one name',
  ]);
});

test('Q1.22 a sign in a file in place of a last name leaves that of the child on record as it is', async () => {
  const { json } = await send({ firstName: 'Asha', lastName: 'Patel', birthDate: '2015-03-03' });
  const [row] = await school.sql(`select gr_no from student where id = ${json.id}`);
  const columns = 'GR number,First name,Last name,Gender,Date of birth,Birth place';
  for (const [sign, birthPlace] of [
    ['.', 'Surat'],
    ['NA', 'Rajkot'],
  ]) {
    const file = `${columns}\r\n${row?.gr_no},Asha,${sign},F,03/03/2015,${birthPlace}`;
    const { plan, confirmToken, counts } = await preview(file);
    expect(counts).toMatchObject({ changed: 1 });
    const { runId = 0 } = await office.call(studentImportApi.import, { file, plan, confirmToken: confirmToken ?? '' });
    await finishRun(school.services, importRuns, runId);
    expect(await school.sql(`select name, birth_place from student where id = ${json.id}`)).toEqual([
      { name: 'Asha Patel', birth_place: birthPlace },
    ]);
  }
});

test('Q1.22 that there is no last name is a register entry: it is corrected with a paper, and not filled in', async () => {
  const { json } = await send({ firstName: 'Godavari', birthDate: '2016-01-01', hasOneName: true });
  await school.sql(`update student set added_on = current_date - 40 where id = ${json.id}`);
  const { version, saved } = await office.call(studentRecordApi.personal, { id: json.id });
  const edited = await office.send({
    method: 'PUT',
    url: `/api/student/${json.id}/personal`,
    body: { version, ...saved, lastName: 'Rao' },
  });
  expect(edited.json.error?.fields).toHaveProperty('lastName');
  const correct = async (lastName: string, hasOneName = '') =>
    office.send({
      method: 'POST',
      url: `/api/student/${json.id}/correction`,
      body: form(
        {
          ...{
            field: 'lastName',
            lastName,
            hasOneName,
            kind: 'Clerical mistake',
            reason: 'As on the birth certificate',
          },
          ...{ firstNameLocal: '', middleNameLocal: '', lastNameLocal: '', birthPlaceLocal: '' },
          ...{ firstName: '', middleName: '', gender: '', birthDate: '', birthPlace: '', nationalityId: '' },
          ...{ motherTongueId: '', religionId: '', casteCategoryId: '', caste: '', subCaste: '' },
          ...{ authority: '', orderNo: '', orderOn: '', isPrinted: 'true' },
        },
        { paper: await paper('Birth certificate') },
      ),
    });
  const nameOf = async () => (await school.sql(`select name from student where id = ${json.id}`))[0]?.name;
  expect((await correct('Rao')).status).toBe(200);
  expect(await nameOf()).toBe('Godavari Rao');
  expect((await correct('')).json.error?.fields).toHaveProperty('lastName');
  expect((await correct('NA')).json.error?.fields).toHaveProperty('lastName');
  expect((await correct('', 'true')).status).toBe(200);
  expect(await nameOf()).toBe('Godavari');
});
