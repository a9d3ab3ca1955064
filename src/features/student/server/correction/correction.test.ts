import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { form, openOwnSchool, paper, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { correctionApi } from '../../contract/correction.ts';
import { leavingApi } from '../../contract/leaving.ts';
import { studentRecordApi } from '../../contract/record.ts';

let school: School;
let office: Person;
let principal: Person;
let section: number;
let today: string;
beforeAll(async () => {
  school = await openOwnSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
  principal = await school.person({ name: 'Farida', sets: ['principal'] });
  section = await openSection(school);
  today = toLocalDate(new Date());
});
afterAll(() => school.close());

/** A child who was added some days ago, born on 4 August 2018. */
async function child(name: string, daysAgo: number) {
  const id = await seat(school, section, name, { birthDate: '2018-08-04' });
  await school.sql(`update student set added_on = '${addDays(today, -daysAgo)}' where id = ${id}`);
  return id;
}
async function edit(id: number, birthDate: string) {
  const { version, saved } = await office.call(studentRecordApi.personal, { id });
  return office.send({ method: 'PUT', url: `/api/student/${id}/personal`, body: { version, ...saved, birthDate } });
}
const bornOn = async (id: number) =>
  (await school.sql(`select birth_date::text as day from student where id = ${id}`))[0]?.day;
/** The fields of the form that are empty. */
const noEntry = {
  ...{ firstNameLocal: '', middleNameLocal: '', lastNameLocal: '', birthPlaceLocal: '' },
  ...{ firstName: '', middleName: '', lastName: '', gender: '', birthPlace: '', nationalityId: '', motherTongueId: '' },
  ...{
    religionId: '',
    casteCategoryId: '',
    caste: '',
    subCaste: '',
    authority: '',
    orderNo: '',
    orderOn: '',
    isPrinted: 'true',
  },
};
const clerical = {
  field: 'birthDate',
  birthDate: '2018-04-08',
  kind: 'Clerical mistake',
  reason: 'Day and month were swapped',
};
const order = {
  ...{ ...clerical, kind: 'By order', reason: 'Order of the DEO', isPrinted: 'true' },
  ...{ authority: 'District Education Officer', orderNo: 'DEO/123', orderOn: '2026-11-01' },
};
const correct = async (id: number, fields: Record<string, string>, by = office, hasPaper = true) =>
  by.send({
    method: 'POST',
    url: `/api/student/${id}/correction`,
    body: form({ ...noEntry, ...fields }, hasPaper ? { paper: await paper('Birth certificate') } : {}),
  });

async function leave(id: number) {
  const [reason] = await school.sql(`select id from academic_lookup where name = 'Moved to another city'`);
  const facts = { conduct: 'Good', progress: 'Satisfactory', nextSchool: '', remark: '' };
  const input = { id, lastDay: addDays(today, -1), reasonId: Number(reason?.id), ...facts };
  const { confirmToken } = await office.call(leavingApi.leave, input);
  await office.call(leavingApi.leave, { ...input, confirmToken: confirmToken ?? undefined });
}
async function issue(id: number) {
  const body = { kind: 'Leaving', purpose: '', conduct: '', overrideReason: '' };
  const send = (over: object) =>
    office.send({ method: 'POST', url: `/api/student/${id}/certificate`, body: { ...body, ...over } });
  const { json } = await send({});
  return (await send({ confirmToken: json.confirmToken })).json as { id: number; number: string; page: object };
}
const act = (id: number, certificate: number, what: string, body: object, by = office) =>
  by.send({ method: 'POST', url: `/api/student/${id}/certificate/${certificate}/${what}`, body });

test('Q1.13 an entry is edited on the 30th day, and refused on the 31st with the way to correct it', async () => {
  const open = await child('Open', 30);
  expect((await edit(open, '2018-08-05')).status).toBe(200);
  const closed = await child('Closed', 31);
  const refused = await edit(closed, '2018-08-05');
  expect([refused.status, refused.json.error?.fields]).toEqual([
    422,
    { birthDate: expect.stringMatching(/^Closed since .+\. Correct the register entry\.$/) },
  ]);
  expect((await edit(closed, '2018-08-04')).status).toBe(200);
  expect((await correct(open, clerical)).json.error?.fields).toHaveProperty('field');
});

test('Q1.13 a clerical mistake is corrected at once with its paper, and not without', async () => {
  const id = await child('Clerical', 40);
  expect((await correct(id, clerical, office, false)).json.error?.fields).toHaveProperty('paper');
  const done = await correct(id, clerical);
  expect([done.status, done.json]).toMatchObject([200, { isDone: true }]);
  expect(await bornOn(id)).toBe('2018-04-08');
  const { corrections } = await office.call(correctionApi.list, { id });
  expect(corrections).toMatchObject([
    { status: 'Done', oldValue: '4 Aug 2018', newValue: '8 Apr 2018', hasPaper: true },
  ]);
  const unnamed = await correct(id, { ...order, birthDate: '2018-04-09', orderNo: '' });
  expect(unnamed.json.error?.fields).toHaveProperty('orderNo');
});

test('Q1.13 a certificate that is still at the school becomes void with the correction', async () => {
  const id = await child('AtSchool', 1);
  await leave(id);
  const first = await issue(id);
  expect((await edit(id, '2018-08-05')).status).toBe(422);
  expect((await correct(id, clerical)).json.isDone).toBe(true);
  expect(await school.sql(`select void_reason from student_certificate where id = ${first.id}`)).toEqual([
    { void_reason: 'The register entry was corrected' },
  ]);
});

test('Q1.13 with a certificate in the family’s hands only the principal’s decision writes, and the new one has old and new by order number', async () => {
  const id = await child('Handed', 40);
  await leave(id);
  const first = await issue(id);
  await act(id, first.id, 'handed-out', { handedTo: 'Ramesh Shah', handedOutOn: today });
  const asked = await correct(id, order);
  expect([asked.status, asked.json.isDone, await bornOn(id)]).toEqual([200, false, '2018-08-04']);
  expect((await correct(id, order)).json.error?.fields).toHaveProperty('field');
  const [request] = await school.sql(`select id, version from approval where student_correction_id = ${asked.json.id}`);
  const decide = async (by: Person) => {
    const read = await by.send({ url: `/api/approval/${request?.id}` });
    return by.send({
      method: 'POST',
      url: `/api/approval/${request?.id}/decide`,
      body: { version: read.json.version, seen: read.json.seen, outcome: 'Approved', remark: '' },
    });
  };
  expect((await decide(office)).status).not.toBe(200);
  const decided = await decide(principal);
  expect([decided.status, decided.json]).toMatchObject([200, {}]);
  expect(await bornOn(id)).toBe('2018-04-08');
  // The family gives it back; the principal voids it, and the office issues the new one.
  expect((await act(id, first.id, 'void', { reason: 'Corrected by order' }, principal)).status).toBe(200);
  const second = await issue(id);
  const said = JSON.stringify(second.page);
  for (const words of ['4 Aug 2018', '8 Apr 2018', 'DEO/123', 'District Education Officer'])
    expect(said).toContain(words);
});
