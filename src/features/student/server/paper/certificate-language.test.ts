import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { bare } from '#testing/papers.ts';
import { pagesOf } from '#testing/pdf.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { type CertificateLanguage, type CertificateWord, certificateApi } from '../../contract/certificate.ts';
import { leavingApi } from '../../contract/leaving.ts';
import { certificateRuns } from './certificate-many.ts';

let school: School;
let office: Person;
let section: number;
let reasonId: number;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
  section = await openSection(school);
  const [reason] = await school.sql(`select id from academic_lookup where name = 'Moved to another city'`);
  reasonId = Number(reason?.id);
});
afterAll(() => school.close());
beforeEach(async () => {
  school.papers.isReal = false;
  await school.sql('delete from attempt');
});

const names = { firstName: 'Riya', lastName: 'Shah', firstNameLocal: 'રિયા', lastNameLocal: 'શાહ' };
async function child(own = names) {
  const id = await seat(school, section, own.firstName, { birthDate: '2020-11-29', lastName: own.lastName });
  await school.sql(`update student set first_name_local = '${own.firstNameLocal}', last_name_local = '${own.lastNameLocal}',
    admitted_on = '2023-06-12' where id = ${id}`);
  return id;
}
const send = (id: number, kind: CertificateWord, language: CertificateLanguage, over: object = {}) =>
  office.send({
    method: 'POST',
    url: `/api/student/${id}/certificate`,
    body: { kind, language, purpose: '', conduct: 'Good', overrideReason: '', ...over },
  });
async function issue(id: number, kind: CertificateWord, language: CertificateLanguage, over: object = {}) {
  const { json } = await send(id, kind, language, over);
  const issued = await send(id, kind, language, { ...over, confirmToken: json.confirmToken });
  expect([issued.status, issued.json]).toMatchObject([200, { isApplied: true }]);
  return { preview: json, id: Number(issued.json.id) };
}
const open = (id: number, certificate: number, query = '') =>
  office.send({ url: `/api/student/${id}/certificate/${certificate}/file${query}` });
async function printed(id: number, certificate: number, query = '') {
  expect((await open(id, certificate, query)).status).toBe(200);
  const { data } = school.papers.last();
  return { ...data.pages[0], language: data.language, entries: Object.fromEntries(data.pages[0].entries) };
}
async function leave(id: number) {
  const lastDay = addDays(toLocalDate(new Date()), -1);
  const input = { id, lastDay, reasonId, conduct: 'Good', progress: 'Satisfactory', nextSchool: '', remark: '' };
  const { confirmToken } = await office.call(leavingApi.leave, input);
  await office.call(leavingApi.leave, { ...input, confirmToken: confirmToken ?? undefined });
}

test('LG12 a bonafide certificate in Gujarati has Gujarati words, dates and names, and a duplicate says the same after the name has changed', async () => {
  const id = await child();
  const { preview, id: certificate } = await issue(id, 'Bonafide', 'Gujarati', { purpose: 'Passport' });
  expect([preview.page.language, preview.page.title, preview.inEnglishLetters]).toEqual([
    'gu',
    'બોનાફાઇડ પ્રમાણપત્ર',
    [],
  ]);
  const first = await printed(id, certificate);
  expect(first.paragraphs).toEqual([
    expect.stringMatching(/^આથી પ્રમાણિત કરવામાં આવે છે કે રિયા શાહ .+ અભ્યાસ કરે છે\.$/),
    'આ પ્રમાણપત્ર આ હેતુ માટે આપેલ છે: Passport',
  ]);
  expect(first.entries).toMatchObject({
    'જન્મ તારીખ': '29 નવેમ્બર 2020\nઓગણત્રીસ નવેમ્બર બે હજાર વીસ',
    'પ્રવેશ તારીખ': '12 જૂન 2023',
  });
  expect([first.language, first.facts[0][0], first.signatures[0].who]).toEqual(['gu', 'પ્રમાણપત્ર નંબર', 'તૈયાર કરનાર']);
  await school.sql(`update student set first_name_local = 'રીયા' where id = ${id};
    update student_certificate set handed_out_on = issued_on, handed_to = 'Ramesh' where id = ${certificate};
    insert into setting (key, value) values ('language.local', '"Hindi"')`);
  const copied = await office.send({
    method: 'POST',
    url: `/api/student/${id}/certificate/${certificate}/copy`,
    body: { reason: 'Lost' },
  });
  await school.sql(`delete from setting where key = 'language.local'`);
  expect(copied.json).toEqual({ copyNo: 1 });
  expect(await printed(id, certificate, '?copyNo=1')).toEqual({ ...first, stamp: 'ડુપ્લિકેટ 1' });
});

test('LG12 the head has the school’s name and address in the language of a certificate, and below the first of two', async () => {
  await school.sql(`update academic_school set name_local = 'નમૂના શાળા', address_local = 'સુરત 395009'`);
  const headOf = async (language: CertificateLanguage) => {
    const id = await child();
    const { id: certificate } = await issue(id, 'Bonafide', language, { englishLetters: true });
    await printed(id, certificate);
    const { name, lines } = school.papers.last().data.head as { name: string; lines: string[] };
    return [name, lines[0]];
  };
  expect(await headOf('Gujarati')).toEqual(['નમૂના શાળા', 'સુરત 395009']);
  expect(await headOf('English and Gujarati')).toEqual(['Test School', 'નમૂના શાળા, સુરત 395009']);
  expect(await headOf('English')).toEqual(['Test School', 'Surat']);
  expect(await headOf('Hindi')).toEqual(['Test School', 'Surat']);
  await school.sql(`update academic_school set name_local = '', address_local = ''`);
});

test('LG12 in Hindi the words are Hindi; names that the register keeps in Gujarati are asked about and printed in English letters', async () => {
  const id = await child();
  const { json } = await send(id, 'Bonafide', 'Hindi');
  expect(json.inEnglishLetters).toMatchObject([{ id: 'Name of the student' }]);
  const refused = await send(id, 'Bonafide', 'Hindi', { confirmToken: json.confirmToken });
  expect([refused.status, Object.keys(refused.json.error.fields)]).toEqual([422, ['englishLetters']]);
  const { id: certificate } = await issue(id, 'Bonafide', 'Hindi', { englishLetters: true });
  const { paragraphs, entries } = await printed(id, certificate);
  expect(paragraphs).toEqual([
    expect.stringMatching(/^प्रमाणित किया जाता है कि Riya Shah बोनाफ़ाइड विद्यार्थी के रूप में .+ अध्ययनरत है।$/),
  ]);
  expect(entries['जन्म तिथि']).toBe('29 नवंबर 2020\nउनतीस नवंबर दो हज़ार बीस');
  await school.sql(`insert into setting (key, value) values ('language.local', '"Hindi"');
    update student set first_name_local = 'रिया', last_name_local = 'शाह' where id = ${id}`);
  const next = await issue(id, 'Bonafide', 'Hindi');
  await school.sql(`delete from setting where key = 'language.local'`);
  expect((await printed(id, next.id)).paragraphs[0]).toContain('कि रिया शाह बोनाफ़ाइड');
});

test('LG12 a name of which a part is missing, a parent and a birth place are asked about; one who has died is named so', async () => {
  const id = await child();
  await raise(school, [id], { firstName: 'Ramesh' });
  await raise(school, [id], { firstName: 'Kokila' }, { relation: 'Mother', isPrimary: false });
  await school.sql(`update student set middle_name = 'Ramesh', birth_place = 'Surat' where id = ${id};
    update guardian set first_name_local = 'કોકિલા', last_name_local = 'શાહ', is_deceased = true
      where id = (select guardian_id from student_guardian where student_id = ${id} order by id desc limit 1)`);
  const labels = async (kind: CertificateWord) =>
    (await send(id, kind, 'Gujarati')).json.inEnglishLetters.map((one: { id: string }) => one.id);
  expect(await labels('Bonafide')).toEqual(['Name of the student', 'Father’s name']);
  expect(await labels('Study')).toEqual(['Name of the student', 'Father’s name', 'Birth place']);
  expect((await send(id, 'Study', 'English')).json.inEnglishLetters).toEqual([]);
  await school.sql(`update student set middle_name_local = 'રમેશ', birth_place_local = 'સુરત' where id = ${id}`);
  expect(await labels('Study')).toEqual(['Father’s name']);
  const { id: certificate } = await issue(id, 'Study', 'Gujarati', { englishLetters: true });
  expect((await printed(id, certificate)).entries).toMatchObject({
    'પિતાનું નામ': 'Ramesh Shah',
    'માતાનું નામ': 'સ્વ. કોકિલા શાહ',
    'જન્મ સ્થળ': 'સુરત',
  });
});

test('LG12 a leaving certificate in English and Gujarati with names of 50 letters is one page, with every letter in its text', async () => {
  const latin = (letter: string) => `${letter}${'aeroplane'.repeat(6)}`.slice(0, 50);
  const local = (word: string) => word.repeat(20).slice(0, 48);
  const id = await child({
    firstName: latin('R'),
    lastName: latin('S'),
    firstNameLocal: local('ક્ષત્રિય'),
    lastNameLocal: local('વિદ્યાર્થી'),
  });
  await raise(school, [id], { firstName: latin('F') });
  await raise(school, [id], { firstName: latin('M') }, { relation: 'Mother', isPrimary: false });
  await school.sql(`update student set middle_name = '${latin('T')}', middle_name_local = '${local('રમેશભાઈ')}', caste = '${'Patel '.repeat(8).trim()}',
      birth_place = '${'Surat '.repeat(8).trim()}', birth_place_local = '${'સુરત '.repeat(19).trim()}',
      nationality_id = (select min(id) from academic_lookup where kind = 'Nationality'), pen = '12345678901', udise_uid = '',
      religion_id = (select id from academic_lookup where kind = 'Religion' and name = 'Hindu') where id = ${id};
    update guardian set middle_name = '${latin('H')}', last_name = '${latin('G')}', middle_name_local = '${local('મગનલાલ')}', first_name_local = '${local('રમેશચંદ્ર')}',
      last_name_local = '${local('પ્રજાપતિ')}' where id in (select guardian_id from student_guardian where student_id = ${id});
    insert into student_schooling (student_id, school, city) values (${id}, 'Little Stars', 'Vapi')`);
  await leave(id);
  const { preview, id: certificate } = await issue(id, 'Leaving', 'English and Gujarati');
  expect(preview.inEnglishLetters).toEqual([]);
  school.papers.isReal = true;
  const { bytes } = await open(id, certificate);
  const pages = await pagesOf(bytes);
  expect(pages).toHaveLength(1);
  const page = school.papers.last().data.pages[0];
  const words = [page.title, ...page.entries.flat(), ...page.closing, ...page.facts.flat(), page.signatures[0].who];
  for (const one of words) expect(bare(pages[0] ?? '')).toContain(bare(one));
  expect(Object.fromEntries(page.entries)).toMatchObject({
    'Conduct / વર્તણૂક': 'Good',
    'Birth date / જન્મ તારીખ':
      '29 Nov 2020 / 29 નવેમ્બર 2020\nTwenty-ninth November Two Thousand Twenty / ઓગણત્રીસ નવેમ્બર બે હજાર વીસ',
  });
});

test('LG12 certificates of a class are issued in Gujarati in one run, whose question counts names in English letters', async () => {
  const first = await child();
  const second = await child({ ...names, firstNameLocal: '' });
  const body = {
    ...{ kind: 'Character', language: 'Gujarati', purpose: '', conduct: 'સારી' },
    selection: { ids: [first, second] },
  };
  const many = (over: object = {}) =>
    office.send({ method: 'POST', url: '/api/student/certificate-many', body: { ...body, ...over } });
  const { json } = await many();
  expect(json).toMatchObject({ changed: 2, inEnglishLetters: 1 });
  const { runId } = (await many({ confirmToken: json.confirmToken })).json;
  await finishRun(school.services, certificateRuns, runId);
  expect((await office.send({ url: `/api/student/certificate-run/${runId}/file` })).status).toBe(200);
  const { data } = school.papers.last();
  expect([data.language, data.title]).toEqual(['gu', 'ચારિત્ર્ય પ્રમાણપત્ર']);
  expect(data.pages.map(({ paragraphs }: { paragraphs: string[] }) => paragraphs[1])).toEqual([
    'અમારી જાણ મુજબ વર્તણૂક અને ચારિત્ર્ય: સારી',
    'અમારી જાણ મુજબ વર્તણૂક અને ચારિત્ર્ય: સારી',
  ]);
});

test('LG12 the page of the code on a paper names its language, and the list of a student too', async () => {
  const id = await child();
  const { id: gujarati } = await issue(id, 'Bonafide', 'Gujarati');
  const { id: plain } = await issue(id, 'Bonafide', 'English');
  const codes = await school.sql(
    `select code from student_certificate where id in (${gujarati}, ${plain}) order by id`,
  );
  const pages = [];
  for (const { code } of codes) pages.push((await office.send({ url: `/c/${code}` })).bytes.toString());
  expect(pages[0]).toMatch(/, issued in Gujarati on \d/);
  expect(pages[1]).toMatch(/, issued on \d/);
  const { certificates } = await office.call(certificateApi.certificates, { id });
  expect(certificates.map(({ language }) => language)).toEqual(['English', 'Gujarati']);
  expect(
    await school.sql(`select details->>'Language' as language from audit where entity_id = ${id}
      and action = 'student.certificate-made' order by id`),
  ).toEqual([{ language: 'Gujarati' }, { language: null }]);
});

test.each([
  ['English', 'Preparatory', 'English'],
  ['Gujarati', 'Preparatory', 'Gujarati'],
  ['Gujarati', 'Secondary', 'English and Gujarati'],
  ['Hindi', 'Secondary', 'Hindi'],
])('in a %s class of the %s stage the language %s is proposed', async (medium, stage, language) => {
  const id = await child();
  await school.sql(`update academic_section set medium = '${medium}' where id = ${section};
    update academic_grade set stage = '${stage}' where id = (select grade_id from academic_section where id = ${section})`);
  expect((await office.call(certificateApi.certificates, { id })).language).toBe(language);
});
