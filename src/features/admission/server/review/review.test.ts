import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { type Family, openSchool, type School } from '#testing/school.ts';
import { inquiryApi } from '../../contract/inquiry.ts';
import { answerSections, reviewApi } from '../../contract/review.ts';
import { reviewList } from '../../contract/review-list.ts';

let school: School;
let office: Person;
let head: Person;

beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', role: 'Staff', sets: ['office'] });
  head = await school.person({ name: 'Hasmukh', role: 'Staff', sets: ['admissionHead'] });
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

async function submitted(): Promise<Family> {
  const family = await school.inquiry({ fatherEmail: `f${Math.random()}@family.example` });
  await family.fillAll();
  const { status, text } = await family.submit();
  if (status !== 200) throw new Error(text);
  return family;
}
const read = ({ id }: Family) => office.call(reviewApi.read, { id });
/** The form with the answers of this moment. */
const shown = async (family: Family) => ({ id: family.id, answersVersion: (await read(family)).answersVersion });
const accept = async (family: Family, section: (typeof answerSections)[number], over: object = {}) =>
  office.call(reviewApi.acceptSection, { ...(await shown(family)), section, ...over });
const question = async (family: Family, section: string, field: string, remark: string) =>
  office.call(reviewApi.addRemark, { ...(await shown(family)), section, field, remark } as never);
const decide = async (family: Family, document: number, over: object = {}) =>
  office.call(reviewApi.decideDocument, {
    ...(await shown(family)),
    document,
    result: 'Verified',
    isOriginalSeen: false,
    remark: '',
    ...over,
  } as never);
const verify = async (family: Family) =>
  office.call(reviewApi.verify, { id: family.id, version: (await read(family)).version });
const ask = async (family: Family) =>
  office.call(reviewApi.requestCorrection, { id: family.id, version: (await read(family)).version });
const acceptAll = async (family: Family) => {
  for (const section of answerSections) await accept(family, section);
  for (const { id } of (await read(family)).documents) await decide(family, id);
};
const actsOf = async ({ id }: Family) =>
  (
    await school.sql(
      `select actor, action from audit where entity = 'admission_inquiry' and entity_id = ${id} order by id`,
    )
  ).map(({ actor, action }) => `${actor}: ${action}`);
const listed = async (query: object) =>
  (await office.call(reviewList.api.list, query as never)).rows.map(({ id }) => id);

test('A2.1 a form is verified once its six sections are accepted and both required documents are verified', async () => {
  const family = await submitted();
  expect(await read(family)).toMatchObject({ state: 'Submitted', reviewer: null, missing: [] });
  for (const section of answerSections) await accept(family, section);
  expect(await read(family)).toMatchObject({ state: 'Under review', reviewer: { name: 'Meena' } });
  const refused = { code: 'conflict', data: { sections: ['Documents'] } };
  await expect(verify(family)).rejects.toMatchObject(refused);
  const [birth, card] = (await read(family)).documents;
  await decide(family, birth?.id ?? 0);
  await expect(verify(family)).rejects.toMatchObject(refused);
  await decide(family, card?.id ?? 0, { isOriginalSeen: true });
  await verify(family);
  expect(await read(family)).toMatchObject({ state: 'Verified', documents: [{}, { isOriginalSeen: true }] });
  const { json } = await family.get('inquiry');
  expect(json[0]).toMatchObject({ isFormSubmitted: true, status: 'Checked' });
});

test('a verdict is undone: the section or document is to check, and what waits for the family stays', async () => {
  const family = await submitted();
  await accept(family, 'Child');
  await question(family, 'Family', 'fatherFirstName', 'As on the Aadhaar card, please.');
  const [birth] = (await read(family)).documents;
  await decide(family, birth?.id ?? 0);
  for (const section of ['Child', 'Family', 'Health'] as const)
    await office.call(reviewApi.undoSection, { ...(await shown(family)), section });
  await office.call(reviewApi.undoDocument, { ...(await shown(family)), document: birth?.id ?? 0 });
  const { sections, documents } = await read(family);
  expect(sections.map(({ result }) => result)).toEqual([null, 'Needs correction', null, null, null, null]);
  expect(documents[0]).toMatchObject({ result: null, decidedBy: '' });
  expect((await actsOf(family)).filter((act) => act.endsWith('undone'))).toEqual([
    'Meena: admission.verdict.undone',
    'Meena: admission.verdict.undone',
  ]);
});

test('A2.2 a correction asked about the family reopens page 2 and no other', async () => {
  const family = await submitted();
  await expect(ask(family)).rejects.toMatchObject({ code: 'conflict' });
  await question(family, 'Family', 'fatherFirstName', 'As on the Aadhaar card, please.');
  expect(await ask(family)).toEqual({ pages: [2], sentTo: expect.any(Number) });
  const { json } = await family.get('inquiry');
  expect(json[0]).toMatchObject({
    isFormSubmitted: false,
    correction: {
      pages: [2],
      remarks: [{ section: 'Family', field: 'fatherFirstName', remark: 'As on the Aadhaar card, please.' }],
    },
  });
  expect((await family.saveHealth()).status).toBe(409);
  expect((await family.saveParentInfo({ fatherFirstName: 'Nikhilesh' })).status).toBe(200);
  expect(
    await school.sql(
      `select template from outbox where subject_id = ${family.id} and template = 'admission.correction'`,
    ),
  ).toHaveLength(1);
});

test('A2.3 the reviewer sees which answers the correction changed', async () => {
  const family = await submitted();
  for (const section of answerSections) await accept(family, section);
  await question(family, 'Child', 'caste', 'Please check.');
  await ask(family);
  await family.saveBasicInfo({ caste: 'Other caste' });
  const answer = await family.post('correction', {});
  expect(answer.status).toBe(200);
  expect(await office.call(reviewApi.answers, { id: family.id })).toMatchObject({
    changed: [
      { section: 'Child', field: 'caste' },
      { section: 'Child', field: 'admissionStudentImageIFormFile' },
    ],
  });
  const record = await read(family);
  expect(record).toMatchObject({ state: 'Under review', corrections: [{ remarks: [{ field: 'caste' }] }] });
  expect(record.corrections[0]?.answeredAt).not.toBeNull();
  expect(record.sections.map(({ result }) => result)).toEqual([
    null,
    'Accepted',
    'Accepted',
    'Accepted',
    'Accepted',
    null,
  ]);
});

test('A2.4 the whole Aadhaar number is given with a reason, which the audit keeps', async () => {
  const family = await submitted();
  const { child } = await office.call(reviewApi.answers, { id: family.id });
  expect(child?.aadharCardNo).toMatch(/^XXXX XXXX \d{4}$/);
  await expect(office.call(reviewApi.reveal, { id: family.id, reason: '' })).rejects.toMatchObject({ code: 'invalid' });
  const { aadhaar } = await office.call(reviewApi.reveal, { id: family.id, reason: 'Compare with the card' });
  expect(aadhaar.replace(/\s/g, '')).toMatch(/^\d{12}$/);
  const [row] = await school.sql(`select actor, details from audit where action = 'admission.aadhaar.revealed'
    and entity_id = ${family.id}`);
  expect(row).toEqual({ actor: 'Meena', details: { Reason: 'Compare with the card' } });
});

test('the 21st reveal within an hour needs a new proof of identity, and is reported', async () => {
  const family = await submitted();
  await school.sql(`insert into attempt (kind, subject, hits, window_ends)
    select 'reveal', id::text, 20, now() + interval '1 hour' from sign_in_account`);
  const told = async () => (await school.sql(`select 1 from outbox where template = 'act-reported'`)).length;
  const before = await told();
  await school.person({ name: 'Anjali', role: 'Admin' });
  await office.call(reviewApi.reveal, { id: family.id, reason: 'Compare' });
  expect(await told()).toBeGreaterThan(before);
});

test('A2.5 the list has the form that has waited longest first', async () => {
  const [older, newer] = [await submitted(), await submitted()];
  await school.sql(`update admission_inquiry set received_at = now() - interval '30 days' where id = ${newer.id};
    update admission_inquiry set received_at = now() - interval '20 days' where id = ${older.id}`);
  const { rows } = await office.call(reviewList.api.list, {} as never);
  expect(rows.slice(0, 2)).toMatchObject([
    { id: newer.id, waitingDays: 30, isLate: true },
    { id: older.id, waitingDays: 20, documents: '0/2', sections: '0/6' },
  ]);
  const first = await office.call(reviewList.api.list, { waiting: 'More than 14 days' } as never);
  expect(first.rows.map(({ id }) => id)).toEqual([newer.id, older.id]);
});

test('B27 a form passes without a waived document or a waived father, and the timeline says so', async () => {
  const family = await submitted();
  await school.sql(`delete from admission_document where inquiry_id = ${family.id} and name = 'Birth Certificate'`);
  await acceptAll(family);
  await expect(verify(family)).rejects.toMatchObject({ code: 'conflict' });
  await office.call(reviewApi.waive, {
    ...(await shown(family)),
    what: 'Birth Certificate',
    reason: 'Promised by July',
  });
  await office.call(reviewApi.waive, { ...(await shown(family)), what: 'Father', reason: 'Not alive' });
  await verify(family);
  expect(await read(family)).toMatchObject({
    waivers: [
      { what: 'Father', reason: 'Not alive' },
      { what: 'Birth Certificate', reason: 'Promised by July' },
    ],
  });
  const { rows } = await office.call(inquiryApi.history, { id: family.id } as never);
  expect(rows.flatMap(({ details }) => details.Waived ?? [])).toEqual(['Father', 'Birth Certificate']);
  const { version } = await read(family);
  await office.call(reviewApi.reviewAgain, { id: family.id, version, reason: 'The certificate is due' });
  await office.call(reviewApi.endWaiver, { ...(await shown(family)), waived: 'Birth Certificate' });
  expect((await read(family)).missing).toEqual(['Birth Certificate']);
});

test('a parent whom the family cannot name is confirmed when its section is accepted', async () => {
  const family = await submitted();
  await school.sql(`update admission_parent_info set has_no_father = true, no_father_reason = 'Not alive',
    father_first_name = '', father_last_name = '' where inquiry_id = ${family.id}`);
  expect((await read(family)).absences).toEqual([{ parent: 'Father', reason: 'Not alive' }]);
  await expect(accept(family, 'Family')).rejects.toMatchObject({ code: 'conflict' });
  await accept(family, 'Family', { confirmsAbsence: true });
});

test('M1.5 a parent on the staff is found by the employee number that the family gives', async () => {
  const family = await submitted();
  expect((await read(family)).staffParent).toBeNull();
  await school.sql(`update staff set employee_number = 'EMP0042' where id = ${office.staffId}`);
  await school.sql(`update admission_parent_info set works_here = true, staff_employee_id = ' emp0042'
    where inquiry_id = ${family.id}`);
  expect((await read(family)).staffParent).toEqual({
    employeeNumber: ' emp0042',
    staff: { id: office.staffId, name: 'Meena' },
  });
  await school.sql(`update admission_parent_info set staff_employee_id = 'X1' where inquiry_id = ${family.id}`);
  expect((await read(family)).staffParent).toEqual({ employeeNumber: 'X1', staff: null });
});

test('B40 each state allows its own acts, and every change is on the timeline with its actor', async () => {
  const family = await submitted();
  const version = async () => (await read(family)).version;
  await expect(verify(family)).rejects.toMatchObject({ code: 'conflict', data: { possible: expect.anything() } });
  const [fees] = await school.sql(`select id from academic_lookup where kind = 'Reason lost' and name = 'Fees'`);
  const lost = { id: family.id, version: await version(), reasonId: Number(fees?.id), note: '' };
  await expect(office.call(inquiryApi.lose, lost)).rejects.toMatchObject({ code: 'conflict' });
  await acceptAll(family);
  await verify(family);
  await expect(accept(family, 'Child')).rejects.toMatchObject({
    code: 'conflict',
    data: { possible: ['reviewAgain', 'planInteraction', 'waitlist', 'offer', 'reject', 'withdraw'] },
  });
  await office.call(reviewApi.reviewAgain, { id: family.id, version: await version(), reason: 'Wrong card' });
  await question(family, 'Health', '', 'The card is not legible.');
  await ask(family);
  const ended = { id: family.id, version: await version(), reason: 'Age' };
  await expect(office.call(reviewApi.reject, ended)).rejects.toMatchObject({ code: 'forbidden' });
  await head.call(reviewApi.reject, ended);
  expect((await family.saveHealth()).status).toBe(409);
  await head.call(inquiryApi.reopen, { id: family.id, version: await version(), reason: 'Appeal' });
  expect(await read(family)).toMatchObject({ state: 'Under review', endedReason: '' });
  expect((await actsOf(family)).filter((act) => !/section|document|Parent|Shala|link|consent/.test(act))).toEqual([
    expect.stringContaining('admission.inquiry.created'),
    'Meena: admission.inquiry.verified',
    'Meena: admission.review.started',
    'Meena: admission.correction.requested',
    'Hasmukh: admission.inquiry.rejected',
    'Hasmukh: admission.inquiry.reopened',
  ]);
});

test('B41 a bulk act changes the permitted ones of 100 mixed inquiries and says why it skips the others', async () => {
  const { id } = await school.inquiry();
  const rows = await school.sql(`insert into admission_inquiry (inquiry_no, link_hash, link_key_id, link_expires_at,
      academic_year_id, branch_id, board_id, program_id, grade_id)
    select 'B41/' || n, sha256(('B41/' || n)::bytea), link_key_id, link_expires_at,
      academic_year_id, branch_id, board_id, program_id, grade_id
    from admission_inquiry, generate_series(1, 100) as n where id = ${id} returning id`);
  const ids = rows.map((row) => Number(row.id));
  await school.sql(`update admission_inquiry set submitted_at = now(), received_at = now(),
    state = (array['Submitted', 'Verified', 'Rejected', 'Under review'])[1 + id % 4] where id in (${ids.join()})`);
  const input = { selection: { ids }, reviewerId: String(office.staffId) };
  const preview = await office.call(reviewApi.assign, input as never);
  expect(preview).toMatchObject({ isApplied: false, changed: 50, skippedCount: 50 });
  expect(preview.skipped[0]).toMatchObject({ reason: { id: 'Is no longer open.' } });
  await office.call(reviewApi.assign, { ...input, confirmToken: preview.confirmToken } as never);
  const [row] = await school.sql(`select count(*)::int as mine from admission_inquiry
    where reviewer_id = ${office.staffId} and id in (${ids.join()})`);
  expect(row).toEqual({ mine: 50 });
});

test('B50 every view of the form and of its files is audited', async () => {
  const family = await submitted();
  const { child } = await office.call(reviewApi.answers, { id: family.id });
  const [document] = (await read(family)).documents;
  await office.send({ url: `/api/review/${family.id}/document/${document?.id}/file` });
  await office.send({ url: `/api/review/${family.id}/file/${child?.admissionStudentImagePath}` });
  expect((await actsOf(family)).filter((act) => act.startsWith('Meena'))).toEqual([
    'Meena: admission.form.viewed',
    'Meena: admission.file.viewed',
    'Meena: admission.file.viewed',
  ]);
  const { rows } = await office.call(inquiryApi.history, { id: family.id, before: '' });
  const opened = rows.filter(({ act }) => 'id' in act && act.id === 'Opened a file of the form');
  expect(opened.map(({ details }) => details.Document)).toEqual(['Child Photo', document?.name]);
});

test('a message of the family is read and answered by email, once', async () => {
  const family = await school.inquiry({ fatherEmail: 'father@family.example' });
  await family.post('message-to-school', { about: 'Child', messageText: 'The birth date is wrong.' });
  await family.fillAll();
  await family.submit();
  const [message] = (await read(family)).messages;
  expect(message).toMatchObject({ words: 'The birth date is wrong.', isRead: false, reply: '' });
  const answered = { id: family.id, message: message?.id ?? 0, words: 'We have corrected it.' };
  await office.call(reviewApi.reply, answered);
  expect((await read(family)).messages).toMatchObject([
    { isRead: true, reply: 'We have corrected it.', repliedBy: 'Meena' },
  ]);
  await expect(office.call(reviewApi.reply, answered)).rejects.toMatchObject({ code: 'conflict' });
});

test('internal notes and unsent remarks are never part of what the family reads', async () => {
  const family = await submitted();
  await office.call(reviewApi.addNote, { id: family.id, note: 'Grandfather is a trustee' });
  await question(family, 'Child', 'caste', 'Doubtful certificate');
  const { text } = await family.get('inquiry');
  expect(text).not.toMatch(/trustee|Doubtful/);
  expect((await read(family)).notes).toMatchObject([{ note: 'Grandfather is a trustee', by: 'Meena' }]);
});

test('without its last remark a section has no verdict', async () => {
  const family = await submitted();
  await expect(question(family, 'Child', 'fatherFirstName', 'No.')).rejects.toMatchObject({ code: 'invalid' });
  await question(family, 'Child', 'caste', 'Check.');
  await question(family, 'Child', 'caste', 'Please check.');
  const [child] = (await read(family)).sections;
  expect(child).toMatchObject({ result: 'Needs correction', remarks: [{ field: 'caste', remark: 'Please check.' }] });
  await office.call(reviewApi.removeRemark, { ...(await shown(family)), remarkId: child?.remarks[0]?.id ?? 0 });
  expect((await read(family)).sections[0]).toMatchObject({ result: null, remarks: [] });
});

test('two reviewers: who verifies a form that the other has changed meanwhile is told to look again', async () => {
  const family = await submitted();
  await acceptAll(family);
  const { version } = await read(family);
  const look = { ...(await shown(family)), section: 'Child', field: '', remark: 'Look at the photo.' };
  await head.call(reviewApi.addRemark, look);
  await expect(office.call(reviewApi.verify, { id: family.id, version })).rejects.toMatchObject({ code: 'stale' });
  expect(await listed({ tab: 'mine', search: family.inquiryNo })).toEqual([family.id]);
});

test('a form with the Aadhaar number of another is shown with that inquiry, and its number to nobody', async () => {
  const aadharCardNo = '2345 6789 0124';
  const [one, other, stranger] = [await submitted(), await submitted(), await submitted()];
  const number = async (family: Family, value: string) => {
    await school.sql(`update admission_inquiry set submitted_at = null where id = ${family.id}`);
    expect((await family.saveBasicInfo({ aadharCardNo: value })).status).toBe(200);
    await school.sql(`update admission_inquiry set submitted_at = received_at where id = ${family.id}`);
  };
  await number(one, aadharCardNo);
  await number(other, 'No. ૨૩૪૫૬૭૮૯૦૧૨૪');
  const { similar } = await read(one);
  expect(similar).toMatchObject([{ id: other.id, hasSameAadhaar: true, isSameChild: false }]);
  expect(JSON.stringify(similar)).not.toContain('0124');
  expect((await read(stranger)).similar).toEqual([]);
});
