import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchApi } from '#features/search/contract.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { finishRun } from '#testing/runs.ts';
import { form, openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { registerNames } from '../../contract/correction.ts';
import { guardianApi } from '../../contract/guardian.ts';
import { guardianMergeApi } from '../../contract/guardian-merge.ts';
import { studentImportApi } from '../../contract/import.ts';
import { studentList } from '../../contract/list.ts';
import { mergeApi } from '../../contract/merge.ts';
import { studentRecordApi } from '../../contract/record.ts';
import { importRuns } from '../import/import.ts';

let school: School;
let office: Person;
let section: number;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
  section = await openSection(school);
});
afterAll(() => school.close());

const personalOf = (id: number) => office.call(studentRecordApi.personal, { id });
const saveNames = async (id: number, names: Record<string, string>) => {
  const { saved, version } = await personalOf(id);
  return office.send({ method: 'PUT', url: `/api/student/${id}/personal`, body: { ...saved, version, ...names } });
};
const found = async (search: string) =>
  (await office.call(searchApi.find, { search })).find(({ kind }) => kind === 'student')?.hits.map(({ id }) => id) ??
  [];
const listed = async (query: Record<string, string>, person = office) =>
  (await person.call(studentList.api.list, query)).rows.map(({ id }) => id);

test('LG17 a name in Latin, Gujarati or Devanagari letters finds the same students, whichever of them the record has', async () => {
  const latin = await seat(school, section, 'Riya', { lastName: 'Patel' });
  const local = await seat(school, section, 'R', { lastName: 'P' });
  const both = await seat(school, section, 'Jiya', { lastName: 'Patel' });
  const other = await seat(school, section, 'Riya', { lastName: 'Dave' });
  expect((await saveNames(local, { firstNameLocal: 'રિયા', lastNameLocal: 'પટેલ' })).status).toBe(200);
  expect((await saveNames(both, { firstNameLocal: 'जिया', lastNameLocal: 'पटेल' })).status).toBe(200);
  const all = [latin, local, both].toSorted((one, another) => one - another);
  for (const typed of ['Patel', 'પટેલ', 'पटेल']) {
    expect([typed, (await found(typed)).toSorted((one, another) => one - another)]).toEqual([typed, all]);
    expect([typed, (await listed({ search: typed })).toSorted((one, another) => one - another)]).toEqual([typed, all]);
  }
  expect(await listed({ search: 'riya patel' })).toEqual(expect.arrayContaining([latin, local]));
  expect(await found('રિયા દવે')).toEqual([other]);
});

test('a name in local script is saved with the personal data, is named in the log, and takes no Latin letters', async () => {
  const id = await seat(school, section, 'Nisha');
  expect((await personalOf(id)).localLanguage).toBe('Gujarati');
  expect((await saveNames(id, { firstNameLocal: 'નિશા', birthPlaceLocal: 'સુરત' })).json).toEqual({ version: 2 });
  const [row] = await school.sql(`select details from audit where action = 'student.changed' and entity_id = ${id}`);
  expect(row?.details).toMatchObject({
    'First name in local script': '– → નિશા',
    'Birth place in local script': '– → સુરત',
  });
  const { json } = await saveNames(id, { lastNameLocal: 'Shah' });
  expect(json.error?.fields).toEqual({ lastNameLocal: 'Write it in the letters of Gujarati or Hindi.' });
  await school.sql(`insert into setting (key, value) values ('language.local', '"Hindi"')`);
  expect((await personalOf(id)).localLanguage).toBe('Hindi');
  await school.sql(`delete from setting where key = 'language.local'`);
});

test('the list finds who has no name in local script, for those who read personal data', async () => {
  const [none, first, whole] = [
    await seat(school, section, 'Tara'),
    await seat(school, section, 'Uma'),
    await seat(school, section, 'Veer'),
  ];
  await saveNames(first, { firstNameLocal: 'ઉમા' });
  await saveNames(whole, { firstNameLocal: 'વીર', lastNameLocal: 'શાહ' });
  const missing = await listed({ missing: 'Name in local script' });
  expect(missing).toEqual(expect.arrayContaining([none, first]));
  expect(missing).not.toContain(whole);
  const accountant = await school.person({ sets: ['accountant'] });
  expect(await listed({ missing: 'Name in local script' }, accountant)).toEqual([]);
  expect((await office.call(studentRecordApi.read, { id: none })).missing).not.toContain('Name in local script');
});

test('a file fills in names of children on record by GR number, and an empty cell changes nothing', async () => {
  const id = await seat(school, section, 'Asha', { grNo: 'LN-1' });
  await saveNames(id, { birthPlaceLocal: 'ભુજ' });
  const file =
    'GR number,First name,First name in Gujarati,Last name in local script,Birth place in Gujarati\r\nLN-1,Asha,આશા,શાહ,';
  const { rows, confirmToken } = await office.call(studentImportApi.import, { file });
  expect(rows.map(({ status, messages }) => [status, ...Object.values(messages).map(english)])).toEqual([['changed']]);
  const { runId } = await office.call(studentImportApi.import, { file, confirmToken: confirmToken ?? '' });
  await finishRun(school.services, importRuns, Number(runId));
  expect((await personalOf(id)).saved).toMatchObject({
    firstNameLocal: 'આશા',
    middleNameLocal: '',
    lastNameLocal: 'શાહ',
    birthPlaceLocal: 'ભુજ',
  });
});

test('a missing local name is entered at any time, and changed only by a correction once the register is closed', async () => {
  const id = await seat(school, section, 'Neel');
  await school.sql(`update student set added_on = added_on - 60 where id = ${id}`);
  expect((await saveNames(id, { firstNameLocal: 'નીલ', birthPlaceLocal: 'ભુજ' })).status).toBe(200);
  const refused = await saveNames(id, { firstNameLocal: 'નિલ', birthPlaceLocal: 'કચ્છ' });
  const closed = expect.stringMatching(/^Closed since .+\. Correct the register entry\.$/);
  expect([refused.status, refused.json.error?.fields]).toEqual([
    422,
    { firstNameLocal: closed, birthPlaceLocal: closed },
  ]);
  const empty = Object.fromEntries(registerNames.map((name) => [name, '']));
  const corrected = await office.send({
    method: 'POST',
    url: `/api/student/${id}/correction`,
    body: form({
      ...empty,
      ...{ field: 'firstNameLocal', firstNameLocal: 'નિલ', kind: 'Clerical mistake', reason: 'Spelling' },
      ...{ authority: '', orderNo: '', orderOn: '', isPrinted: 'true' },
    }),
  });
  expect([corrected.status, corrected.json.isDone]).toEqual([200, true]);
  expect((await personalOf(id)).saved).toMatchObject({ firstNameLocal: 'નિલ', birthPlaceLocal: 'ભુજ' });
});

test('a merge keeps the name in local script that only one of two records has, of a child and of an adult', async () => {
  const [kept, retired] = [await seat(school, section, 'Ila'), await seat(school, section, 'Ila')];
  await saveNames(kept, { lastNameLocal: 'શાહ' });
  await saveNames(retired, { firstNameLocal: 'ઇલા', lastNameLocal: 'સાહ' });
  const { fields } = await office.call(mergeApi.compare, { id: kept, with: retired, keeps: kept });
  expect(fields).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: 'firstNameLocal', kept: '', retired: 'ઇલા' })]),
  );
  const principal = await school.person({ name: 'Kokila', sets: ['principal'] });
  const merge = {
    keptId: kept,
    retiredId: retired,
    taken: [],
    marks: 'Kept record' as const,
    exceptions: [],
    isOneChild: true,
    reason: 'Twice',
  };
  const { confirmToken } = await principal.call(mergeApi.merge, merge);
  await principal.call(mergeApi.merge, { ...merge, confirmToken: confirmToken ?? '' });
  expect((await personalOf(kept)).saved).toMatchObject({ firstNameLocal: 'ઇલા', lastNameLocal: 'શાહ' });

  const child = await seat(school, section, 'Om');
  const [one, other] = [
    await raise(school, [child], { firstName: 'Ramesh' }),
    await raise(school, [child], { firstName: 'Ramesh' }, { relation: 'Guardian', isPrimary: false }),
  ];
  const family = await office.call(guardianApi.family, { id: child });
  const second = family.guardians.find(({ id }) => id === other);
  const saved = await office.send({
    method: 'PUT',
    url: `/api/student/${child}/guardian/${other}`,
    body: { ...second?.saved, version: second?.version, adultVersion: second?.adultVersion, firstNameLocal: 'રમેશ' },
  });
  expect(saved.status).toBe(200);
  const adults = { id: one, retiredId: other, taken: [], reason: 'Twice' };
  const preview = await office.call(guardianMergeApi.merge, adults);
  await office.call(guardianMergeApi.merge, { ...adults, confirmToken: preview.confirmToken ?? '' });
  const [adult] = (await office.call(guardianApi.family, { id: child })).guardians;
  expect(adult?.saved).toMatchObject({ firstNameLocal: 'રમેશ' });
});
