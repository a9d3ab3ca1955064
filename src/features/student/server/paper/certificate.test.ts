import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { GrantedSet } from '#access/contract/grants.ts';
import { verbatim } from '#kit/contract/text.ts';
import type { HookAnswer } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { answer } from '#kit/server/hook.ts';
import type { Person } from '#testing/browser.ts';
import { pagesOf } from '#testing/pdf.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { type CertificateWord, certificateApi } from '../../contract/certificate.ts';
import { leavingCheck } from '../../contract/hooks.ts';
import { leavingApi } from '../../contract/leaving.ts';
import { certificateTemplate } from './certificate-paper.ts';
import { dayInWords } from './day-in-words.ts';

let school: School;
let office: Person;
let principal: Person;
let north: number;
let section: number;
let reasonId: number;
let today: string;
let year: string;
beforeAll(async () => {
  school = await openSchool();
  const [branch] = await school.sql(`insert into academic_branch (name, code) values ('North', 'N') returning id`);
  north = Number(branch?.id);
  office = await person('office', 'Meena');
  principal = await person('principal', 'Farida');
  section = await openSection(school, { branchId: north });
  const [row] = await school.sql(`select name from academic_year where id = academic_year_on()`);
  year = String(row?.name);
  const [reason] = await school.sql(`select id from academic_lookup where name = 'Moved to another city'`);
  reasonId = Number(reason?.id);
  today = toLocalDate(new Date());
});
afterAll(() => school.close());
beforeEach(async () => {
  school.papers.isReal = false;
  await school.sql('delete from attempt');
});
const person = (set: GrantedSet, name: string) => school.person({ name, sets: [set], branchIds: [north] });

const child = (name = 'Riya', birthDate = '2020-11-29') => seat(school, section, name, { birthDate });
async function leave(id: number, lastDay = addDays(today, -1)) {
  const input = { id, lastDay, reasonId, conduct: 'Good', progress: 'Satisfactory', nextSchool: '', remark: '' };
  const { confirmToken } = await office.call(leavingApi.leave, input);
  await office.call(leavingApi.leave, { ...input, confirmToken: confirmToken ?? undefined });
}
const undo = async (id: number) => {
  const input = { id, reason: 'Wrong child' };
  const { confirmToken } = await office.call(leavingApi.undo, input);
  await office.call(leavingApi.undo, { ...input, confirmToken: confirmToken ?? undefined });
};
const send = (id: number, body: object, by = office) =>
  by.send({ method: 'POST', url: `/api/student/${id}/certificate`, body });
/** Looks at the page, then issues it; the answer of whichever is refused. */
async function make(id: number, kind: CertificateWord = 'Leaving', over: Record<string, string> = {}, by = office) {
  const body = { kind, purpose: '', conduct: '', overrideReason: '', ...over };
  const preview = await send(id, body, by);
  return preview.status === 200
    ? send(id, { ...body, confirmToken: preview.json.confirmToken ?? 'none' }, by)
    : preview;
}
async function made(id: number, kind: CertificateWord = 'Leaving', over = {}) {
  const { status, json } = await make(id, kind, over);
  expect([status, json]).toMatchObject([200, { id: expect.any(Number) }]);
  return json as { id: number; number: string };
}
const act = (id: number, certificate: number, what: string, body: object, by = office) =>
  by.send({ method: 'POST', url: `/api/student/${id}/certificate/${certificate}/${what}`, body });
const handOut = (id: number, certificate: number) =>
  act(id, certificate, 'handed-out', { handedTo: 'Ramesh Shah', handedOutOn: today });
const open = (id: number, certificate: number, query = '', by = office) =>
  by.send({ url: `/api/student/${id}/certificate/${certificate}/file${query}` });
const listed = async (id: number, by = office) => (await by.call(certificateApi.certificates, { id })).certificates;
const countOf = (number: string) => Number(number.slice(-4));

test('L1.21 a leaving certificate has the register’s entries and a number of its own series', async () => {
  const id = await child();
  await raise(school, [id], { firstName: 'Ramesh' });
  await raise(school, [id], { firstName: 'Kokila' }, { relation: 'Mother', isPrimary: false });
  await school.sql(`update student set birth_place = 'Surat', caste = 'Patel', pen = '12345678901',
      religion_id = (select id from academic_lookup where kind = 'Religion' and name = 'Hindu'),
      admitted_on = '2023-06-12', admitted_class = 'Nursery' where id = ${id};
    insert into student_schooling (student_id, school, city) values (${id}, 'Little Stars', 'Vapi')`);
  await leave(id);
  const first = await made(id);
  expect(first.number).toBe(`LC/${year}/0001`);
  expect((await open(id, first.id)).status).toBe(200);
  const { template, data } = school.papers.last();
  expect([template, data.title]).toEqual([certificateTemplate, 'School leaving certificate']);
  const entries = Object.fromEntries(data.pages[0].entries);
  expect(entries).toMatchObject({
    'Name of the student': 'Riya Shah',
    'Father’s name': 'Ramesh Shah',
    'Mother’s name': 'Kokila Shah',
    Religion: 'Hindu',
    Caste: 'Patel',
    'Place of birth': 'Surat',
    'Birth date': '29 Nov 2020\nTwenty-ninth November Two Thousand Twenty',
    'Last school attended': 'Little Stars, Vapi',
    'Admitted on': '12 Jun 2023',
    'Class at admission': 'Nursery',
    Progress: 'Satisfactory',
    Conduct: 'Good',
    'Reason for leaving': 'Moved to another city',
  });
  // What is not recorded is left out.
  expect(Object.keys(entries)).not.toContain('Mother tongue');
  expect(data.pages[0].stamp).toBeUndefined();
});

test('L1.21 a certificate keeps what it said, and its PDF, whatever changes in the record', async () => {
  const id = await child();
  await leave(id);
  const { id: certificate } = await made(id);
  await school.sql(`update student set last_name = 'Mehta' where id = ${id}`);
  const before = await open(id, certificate);
  expect([before.status, before.headers['content-type']]).toEqual([200, 'application/pdf']);
  expect(Object.fromEntries(school.papers.last().data.pages[0].entries)['Name of the student']).toBe('Riya Shah');
  await school.sql(`update academic_school set name = 'Sunrise School'`);
  expect((await open(id, certificate)).bytes.equals(before.bytes)).toBe(true);
  await expect(school.sql(`set role shala_app; update student_certificate set facts = '{}'`)).rejects.toThrow(
    /permission denied/,
  );
});

test('L1.21 numbers have no gap, whether certificates are made at once, refused or void', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, (_, index) => child(`Child-${index}`)));
  for (const id of ids) await leave(id);
  const before = await made(await leftChild());
  const answers = await Promise.all([...ids, ...ids].map((id) => make(id)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
  const values = answers.flatMap(({ status, json }) => (status === 200 ? [countOf(json.number)] : []));
  expect(values.sort((one, two) => one - two)).toEqual(
    Array.from({ length: 6 }, (_, index) => countOf(before.number) + 1 + index),
  );
  const [id = 0] = ids;
  const [first] = await listed(id);
  expect((await act(id, first?.id ?? 0, 'void', { reason: 'Wrong conduct' })).status).toBe(200);
  expect(countOf((await made(id)).number)).toBe(countOf(before.number) + 7);
  expect(await listed(id)).toMatchObject([{ isVoid: false }, { isVoid: true, voidReason: 'Wrong conduct' }]);
});
const leftChild = async () => {
  const id = await child();
  await leave(id);
  return id;
};

test('L1.21 a certificate whose process ends before its PDF is made keeps its number, and has one PDF when it is opened', async () => {
  const id = await leftChild();
  const { id: certificate, number } = await made(id);
  const { makePaper } = school.services;
  school.services.makePaper = () => Promise.reject(new Error('The process ends here.'));
  const interrupted = await open(id, certificate);
  school.services.makePaper = makePaper;
  const files = () =>
    school.sql(`select id from file where owner = 'student_certificate' and owner_id = ${certificate}`);
  expect([interrupted.status, await files()]).toEqual([500, []]);
  expect((await make(id)).status).toBe(409);
  const opened = await Promise.all([open(id, certificate), open(id, certificate)]);
  expect(opened.map(({ status }) => status)).toEqual([200, 200]);
  expect([await files(), await listed(id)]).toMatchObject([[{}], [{ number }]]);
  expect(countOf((await made(await leftChild())).number)).toBe(countOf(number) + 1);
});

test('a leaving certificate needs a leaving, and a leaving has one', async () => {
  const id = await child();
  const refused = async () => (await make(id)).json.error?.message;
  expect(await refused()).toBe('Record the student’s last day first.');
  await leave(id);
  const { number } = await made(id);
  expect(await refused()).toBe(`Certificate ${number} already exists.`);
});

test('L1.8 a certificate that was made becomes void with the undone leaving; one that was handed out keeps it', async () => {
  const id = await leftChild();
  const first = await made(id);
  await undo(id);
  expect(await listed(id)).toMatchObject([
    { number: first.number, isVoid: true, voidReason: 'The leaving was undone' },
  ]);
  await leave(id);
  const second = await made(id);
  expect((await handOut(id, second.id)).status).toBe(200);
  const { status, json } = await office.send({
    method: 'POST',
    url: `/api/student/${id}/leave/undo`,
    body: { reason: 'Stays' },
  });
  expect([status, json.error?.message]).toEqual([
    409,
    'The leaving certificate was handed out. Re-admit the student instead.',
  ]);
  expect((await office.call(leavingApi.leavings, { id })).may).toMatchObject({
    leave: false,
    undo: false,
    readmit: true,
  });
  await expect(
    school.sql(`update student_leaving set undone_at = now(), undone_by = 'Asha' where student_id = ${id}
      and undone_at is null`),
  ).rejects.toThrow(/handed out/);
  // The family returned it: the principal voids it, and the leaving can be undone.
  const void_ = { reason: 'Returned by the family' };
  expect((await act(id, second.id, 'void', void_)).status).toBe(403);
  expect((await act(id, second.id, 'void', void_, principal)).status).toBe(200);
  await undo(id);
});

test('L1.21 duplicates are counted and marked with their count', async () => {
  const id = await leftChild();
  const { id: certificate } = await made(id);
  const copy = () => act(id, certificate, 'copy', { reason: 'Lost' });
  expect((await copy()).json.error?.message).toBe('The original was not handed out yet. Print the original.');
  await handOut(id, certificate);
  const copies = await Promise.all([copy(), copy(), copy()]);
  expect(copies.map(({ json }) => json.copyNo).sort()).toEqual([1, 2, 3]);
  expect((await open(id, certificate, '?copyNo=2')).status).toBe(200);
  expect(school.papers.last().data.pages[0].stamp).toBe('Duplicate 2');
  expect((await open(id, certificate, '?copyNo=4')).status).toBe(404);
  expect(await listed(id)).toMatchObject([{ copies: 3, handedTo: 'Ramesh Shah' }]);
});

test('what is owed blocks the leaving certificate, and the principal alone issues it, with a reason', async () => {
  const id = await leftChild();
  const answers = school.services.answers as HookAnswer[];
  const owing = answer(
    leavingCheck,
    { by: 'fee', step: 9 },
    async (_, { studentIds }) => new Map(studentIds.map((student) => [student, [verbatim('Fees: ₹1,500')]])),
  );
  answers.push(owing);
  const refused = await make(id, 'Leaving', { overrideReason: 'Please' });
  const unexplained = await make(id, 'Leaving', {}, principal);
  const bonafide = await make(id, 'Bonafide');
  const issued = await make(id, 'Leaving', { overrideReason: 'The family is in need' }, principal);
  answers.splice(answers.indexOf(owing), 1);
  expect([refused.status, refused.json.error?.message]).toEqual([
    409,
    'Still owed: Fees: ₹1,500. Only the principal can issue the certificate.',
  ]);
  expect(unexplained.json.error?.fields).toEqual({
    overrideReason: 'Still owed: Fees: ₹1,500. Enter why it is issued.',
  });
  expect([bonafide.status, issued.status]).toEqual([200, 200]);
  const [noted] =
    await school.sql(`select details from audit where entity_id = ${id} and action = 'student.certificate-made'
    order by id desc limit 1`);
  expect(noted?.details).toMatchObject({ Override: 'The family is in need' });
});

test('a bonafide certificate says where the student is enrolled, and of a leaver until when', async () => {
  const id = await child();
  const { id: certificate, number } = await made(id, 'Bonafide', { purpose: 'Passport' });
  expect(number).toBe(`BC/${year}/${number.slice(-4)}`);
  await open(id, certificate);
  const [sentence, purpose] = school.papers.last().data.pages[0].paragraphs;
  expect([sentence, purpose]).toEqual([
    expect.stringMatching(
      /^This is to certify that Riya Shah is a bonafide student of this school in .+ in the academic year /,
    ),
    'This certificate is issued for: Passport',
  ]);
  await leave(id);
  await open(id, (await made(id, 'Bonafide')).id);
  expect(school.papers.last().data.pages[0].paragraphs[0]).toContain('was a student of this school until');
});

test('certificates of another branch’s student are not found, and of another student neither', async () => {
  const id = await leftChild();
  const { id: certificate } = await made(id);
  const [south] = await school.sql(`insert into academic_branch (name, code) values ('South', 'S') returning id`);
  const elsewhere = await school.person({ sets: ['office'], branchIds: [Number(south?.id)] });
  expect((await make(id, 'Bonafide', {}, elsewhere)).status).toBe(404);
  expect((await open(id, certificate, '', elsewhere)).status).toBe(404);
  expect((await open(await child(), certificate)).status).toBe(404);
  const nurse = await person('nurse', 'Nila');
  expect((await open(id, certificate, '', nurse)).status).toBe(403);
  expect((await principal.send({ url: `/api/student/${id}/certificate` })).status).toBe(200);
});

test('each opening of a certificate is counted and audited', async () => {
  const id = await leftChild();
  const { id: certificate } = await made(id);
  await Promise.all([open(id, certificate), open(id, certificate)]);
  expect(
    await school.sql(`select 1 from audit where action = 'student.certificate-printed' and entity_id = ${id}`),
  ).toHaveLength(2);
  expect(await school.sql(`select hits from attempt where kind = 'taken-names' and subject = '${office.id}'`)).toEqual([
    { hits: 2 },
  ]);
});

test('the PDF is set with names in Gujarati and Hindi, on one page', async () => {
  school.papers.isReal = true;
  const id = await child('ક્ષત્રિય વિદ્યાર્થી');
  await raise(school, [id], { firstName: 'श्रीमान क्षत्रिय' });
  await leave(id);
  const { id: certificate, number } = await made(id);
  const { bytes } = await open(id, certificate);
  const pages = await pagesOf(bytes);
  expect(pages).toHaveLength(1);
  const bare = (words = '') => words.replaceAll(/\s+/g, '');
  for (const words of ['ક્ષત્રિય વિદ્યાર્થી', 'श्रीमान क्षत्रिय', number, 'Twenty-ninth November Two Thousand Twenty'])
    expect(bare(pages[0])).toContain(bare(words));
});

test.each([
  ['2020-11-29', 'Twenty-ninth November Two Thousand Twenty'],
  ['2016-01-31', 'Thirty-first January Two Thousand Sixteen'],
  ['2005-02-03', 'Third February Two Thousand Five'],
  ['1999-12-20', 'Twentieth December One Thousand Nine Hundred Ninety Nine'],
])('the day %s is spelled as %s', (date, words) => expect(dayInWords(date, 'en')).toBe(words));
