import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { announce, people, publish, write } from '#testing/announcements.ts';
import type { Person } from '#testing/browser.ts';
import { prove, raiseWithLink } from '#testing/family.ts';
import { nextNumber } from '#testing/numbers.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { announcementApi } from '../contract/announcement.ts';
import { answerApi } from '../contract/answer.ts';
import type { FamilyNotice } from '../contract/family.ts';

let school: School;
let office: Person;
const today = toLocalDate(new Date());
const until = addDays(today, 3);

beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ sets: ['office'] });
});
afterAll(() => school.close());

const adult = (firstName: string) => ({ firstName, mobile: String(9_825_100_000 + nextNumber()) });
type Parent = Awaited<ReturnType<typeof raiseWithLink>>;

/** A family of two children in one section, with a proven phone of each parent. */
async function family() {
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
  const section = await openSection(school, { day: `'${today}'` });
  const children = [
    await seat(school, section, 'Aarohi', { joinedOn: addDays(today, -9) }),
    await seat(school, section, 'Dev', { joinedOn: addDays(today, -9) }),
  ] as const;
  const mother = await raiseWithLink(school, children, adult('Meera'));
  const father = await raiseWithLink(school, [children[0]], adult('Nikhil'), { isPrimary: false });
  return { section, children, mother, father, hers: await prove(school, mother), his: await prove(school, father) };
}

const sendAs = (phone: Pick<School, 'send'>, { link }: Parent, id: number, body: object) =>
  phone.send({ method: 'POST', url: `/api/family/notice/${id}/answer?family=${link}`, body });
const noticeOf = async ({ link }: Parent, id: number) =>
  ((await school.send({ url: `/api/family?family=${link}` })).json.parts.announcement as FamilyNotice[]).find(
    (one) => one.id === id,
  );
const listOf = (id: number, over: object = {}) => office.call(answerApi.list, { id: String(id), after: '', ...over });
const consent = { asks: 'Consent', acknowledgeBy: until, sendsEmail: false } as const;

test('FM12 a consent is No where two guardians differ, Yes once they agree, and a child that left counts nowhere', async () => {
  const { section, children, mother, father, hers, his } = await family();
  const [aarohi, dev] = children;
  const { id } = await announce(school, office, [people('Section', section)], consent);
  expect(await noticeOf(mother, id)).toMatchObject({ isAsked: true, options: ['Yes', 'No'], answers: [] });
  const yes = { number: 1, studentId: aarohi, answer: 'Yes' };
  expect((await sendAs(hers, mother, id, yes)).status).toBe(200);
  expect((await sendAs(his, father, id, { ...yes, answer: 'No' })).status).toBe(200);
  const differ = await listOf(id);
  expect(differ.rows).toMatchObject([
    { id: aarohi, answer: 'No', differs: true, said: [{ answer: 'Yes' }, { answer: 'No' }] },
    { id: dev, answer: '', differs: false, at: '' },
  ]);
  expect(differ.figures).toEqual({
    children: 2,
    unanswered: 1,
    two: 1,
    answers: [
      { answer: 'Yes', children: 0 },
      { answer: 'No', children: 1 },
    ],
  });
  // Neither parent sees what the other answered; the mother has a child left to answer for.
  expect(await noticeOf(mother, id)).toMatchObject({ isAsked: true, answers: [{ studentId: aarohi, answer: 'Yes' }] });
  expect(await noticeOf(father, id)).toMatchObject({ isAsked: false, answers: [{ studentId: aarohi, answer: 'No' }] });

  expect((await sendAs(his, father, id, yes)).status).toBe(200);
  expect((await listOf(id, { show: 'two' })).rows).toEqual([]);
  expect((await listOf(id, { answer: 'Yes' })).rows).toMatchObject([{ id: aarohi, answer: 'Yes', differs: false }]);

  await school.sql(`update student_section set effective_to = '${addDays(today, -1)}' where student_id = ${aarohi}`);
  const left = await listOf(id);
  expect(left.rows.map((row) => row.id)).toEqual([dev]);
  expect(left.figures).toMatchObject({ children: 1, unanswered: 1, two: 0 });
});

test('FM12 an answer wants a proven phone, one of the answers, an own child and a day before the last is over', async () => {
  const { section, children, mother, father, hers, his } = await family();
  const [aarohi, dev] = children;
  const options = ' Swimming \nChess\nChess';
  const { id } = await announce(school, office, [people('Section', section)], { ...consent, asks: 'Choice', options });
  const chess = { number: 1, studentId: aarohi, answer: 'Chess' };
  const unproven = await sendAs(school, mother, id, chess);
  expect([unproven.status, unproven.json.error.code]).toEqual([403, 'confirm_required']);
  expect((await sendAs(his, father, id, { ...chess, studentId: dev })).status).toBe(404);
  const wrong = await sendAs(hers, mother, id, { ...chess, answer: 'Yes' });
  expect(wrong.json.error.fields).toHaveProperty('answer');
  expect((await sendAs(hers, mother, id, chess)).status).toBe(200);
  expect((await sendAs(his, father, id, { ...chess, answer: 'Swimming' })).status).toBe(200);
  expect((await listOf(id)).rows[0]).toMatchObject({ answer: '', differs: true });

  school.clock.now = new Date(`${until}T23:59:00+05:30`);
  expect((await sendAs(his, father, id, chess)).status).toBe(200);
  expect((await listOf(id)).rows[0]).toMatchObject({ answer: 'Chess', differs: false });
  school.clock.now = new Date(`${addDays(until, 1)}T00:00:00+05:30`);
  const late = await sendAs(his, father, id, { ...chess, answer: 'Swimming' });
  expect([late.status, late.json.error.code]).toEqual([409, 'conflict']);
  expect(await noticeOf(father, id)).toMatchObject({ isOpen: false, answers: [{ answer: 'Chess' }] });
  // The school still enters what comes on paper.
  await office.call(answerApi.enter, {
    id: String(id),
    number: 1,
    studentId: dev,
    answer: 'Swimming',
    note: 'Slip of 12 Dec',
  });
  expect((await listOf(id)).rows[1]).toMatchObject({
    answer: 'Swimming',
    isOnPaper: true,
    said: [{ note: 'Slip of 12 Dec' }],
  });
});

test('FM12 what the office enters on paper replaces the answers before it, and differs from another after it', async () => {
  const { section, children, mother, father, hers, his } = await family();
  const [aarohi] = children;
  const { id } = await announce(school, office, [people('Section', section)], consent);
  const yes = { number: 1, studentId: aarohi, answer: 'Yes' };
  await sendAs(hers, mother, id, yes);
  await sendAs(his, father, id, { ...yes, answer: 'No' });
  await office.call(answerApi.enter, { id: String(id), number: 1, studentId: aarohi, answer: 'Yes', note: '' });
  expect((await listOf(id)).rows[0]).toMatchObject({ answer: 'Yes', differs: false, isOnPaper: true });
  // A guardian reads what the school has on paper.
  expect((await noticeOf(father, id))?.answers).toEqual([{ studentId: aarohi, answer: 'Yes' }]);
  // And never what the school has of another family's child.
  const other = await seat(school, section, 'Kavya', { joinedOn: addDays(today, -9) });
  const parent = await raiseWithLink(school, [other], adult('Leela'));
  expect((await noticeOf(parent, id))?.answers).toEqual([]);
  await sendAs(his, father, id, { ...yes, answer: 'No' });
  expect((await listOf(id)).rows[0]).toMatchObject({ answer: 'No', differs: true });
  // An adult who is barred has no say.
  await school.sql(`update student_guardian set is_barred = true, receives_messages = false, may_collect = false
    where guardian_id = ${father.guardianId}`);
  expect((await listOf(id)).rows[0]).toMatchObject({ answer: 'Yes', differs: false });
});

test('FM12 answers remain through a correction, a new version asks again, and the list of each text keeps its own', async () => {
  const { section, children, mother, hers } = await family();
  const [aarohi] = children;
  const { id } = await announce(school, office, [people('Section', section)], consent);
  await sendAs(hers, mother, id, { number: 1, studentId: aarohi, answer: 'Yes' });
  const draftOf = async (title: string) => {
    const { version, body, categoryId, priority, branchId, audience } = await office.call(announcementApi.read, {
      id: String(id),
    });
    const times = { publishOn: '', publishTime: '', expiresOn: '', expiresTime: '' };
    const ways = { sendsEmail: false, sendsSms: false, isPageOnly: true, isPinned: false };
    const kept = { body, categoryId, priority, branchId, audience, asks: 'Consent', acknowledgeBy: until } as const;
    return { id: String(id), version, title, ...kept, ...times, ...ways, tags: [] };
  };
  await office.call(announcementApi.update, await draftOf('School is closed on Tuesday'));
  expect((await listOf(id)).figures).toMatchObject({ unanswered: 1 });
  const other = { ...(await draftOf('Which day?')), asks: 'Choice', options: 'Monday\nTuesday' } as const;
  await expect(office.call(announcementApi.update, other)).rejects.toMatchObject({
    fields: { asks: expect.anything() },
  });

  const next = await draftOf('School is closed on Wednesday');
  const preview = await office.call(announcementApi.newVersion, next);
  await office.call(announcementApi.newVersion, { ...next, confirmToken: preview.confirmToken ?? '' });
  expect((await listOf(id)).figures).toMatchObject({ children: 2, unanswered: 2 });
  expect((await listOf(id, { text: '1' })).figures).toMatchObject({ unanswered: 1 });
  expect(await noticeOf(mother, id)).toMatchObject({ number: 3, isAsked: true, answers: [] });
  const paper = { id: String(id), studentId: aarohi, answer: 'Yes', note: '' };
  // A slip for the earlier text is no answer to this one.
  await expect(office.call(answerApi.enter, { ...paper, number: 1 })).rejects.toMatchObject({ code: 'stale' });
  const stale = await sendAs(hers, mother, id, { number: 1, studentId: aarohi, answer: 'No' });
  expect([stale.status, stale.json.error.code]).toEqual([409, 'stale']);
  expect((await sendAs(hers, mother, id, { number: 3, studentId: aarohi, answer: 'No' })).status).toBe(200);

  // Undone: the answers to the earlier text count, and that to the new one no more.
  const { version } = await office.call(announcementApi.read, { id: String(id) });
  await office.call(announcementApi.undo, { id: String(id), version });
  expect((await listOf(id)).rows[0]).toMatchObject({ answer: 'Yes' });
  expect((await listOf(id, { text: '3' })).rows[0]).toMatchObject({ answer: 'No' });
  expect((await sendAs(hers, mother, id, { number: 3, studentId: aarohi, answer: 'Yes' })).json.error.code).toBe(
    'stale',
  );
});

test('FM12 a reminder goes to the guardians of children without an answer alone, until the last day', async () => {
  const { section, children, mother, hers } = await family();
  const [aarohi, dev] = children;
  await school.sql(`update student_guardian set receives_messages = true where student_id in (${aarohi}, ${dev})`);
  const { id } = await announce(school, office, [people('Section', section)], { ...consent, sendsSms: true });
  const both = await office.call(announcementApi.remind, { id: String(id) });
  expect(both).toMatchObject({ guardians: 2, staff: 0 });
  await sendAs(hers, mother, id, { number: 1, studentId: aarohi, answer: 'Yes' });
  // The father’s only child has an answer of the mother.
  expect(await office.call(announcementApi.remind, { id: String(id) })).toMatchObject({ guardians: 1 });
  await office.call(answerApi.enter, { id: String(id), number: 1, studentId: dev, answer: 'No', note: '' });
  await expect(office.call(announcementApi.remind, { id: String(id) })).rejects.toMatchObject({ code: 'conflict' });
});

test('FM12 guardians who differ are both reminded, until they agree', async () => {
  const { section, children, mother, father, hers, his } = await family();
  const [aarohi, dev] = children;
  await school.sql(`update student_guardian set receives_messages = true where student_id in (${aarohi}, ${dev})`);
  const { id } = await announce(school, office, [people('Section', section)], { ...consent, sendsSms: true });
  await office.call(answerApi.enter, { id: String(id), number: 1, studentId: dev, answer: 'Yes', note: '' });
  await sendAs(hers, mother, id, { number: 1, studentId: aarohi, answer: 'Yes' });
  await sendAs(his, father, id, { number: 1, studentId: aarohi, answer: 'No' });
  expect(await office.call(announcementApi.remind, { id: String(id) })).toMatchObject({ guardians: 2 });
  await sendAs(his, father, id, { number: 1, studentId: aarohi, answer: 'Yes' });
  await expect(office.call(announcementApi.remind, { id: String(id) })).rejects.toMatchObject({ code: 'conflict' });
});

test('publishing is not undone once a family has answered, so that no answer counts for another question', async () => {
  const { section, children, mother, hers } = await family();
  const { id } = await announce(school, office, [people('Section', section)], consent);
  await sendAs(hers, mother, id, { number: 1, studentId: children[0], answer: 'Yes' });
  const { version } = await office.call(announcementApi.read, { id: String(id) });
  await expect(office.call(announcementApi.undo, { id: String(id), version })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Withdraw it instead'),
  });
});

test('a consent without a last day, a choice of one, and a last day that has passed are refused', async () => {
  const { section } = await family();
  const draft = (over: object) => write(school, office, [people('Section', section)], { ...consent, ...over });
  await expect(draft({ acknowledgeBy: '' })).rejects.toMatchObject({ fields: { acknowledgeBy: expect.anything() } });
  const once = draft({ asks: 'Choice', options: 'Chess\nChess' });
  await expect(once).rejects.toMatchObject({ fields: { options: expect.anything() } });
  const late = await draft({ acknowledgeBy: addDays(today, -1) });
  await expect(publish(office, late)).rejects.toMatchObject({ code: 'conflict' });
});

test('a class teacher who does not lead the section neither reads nor enters answers', async () => {
  const { section, children } = await family();
  const { id } = await announce(school, office, [people('Section', section)], consent);
  const teacher = await school.person();
  await teach(school, teacher, { sectionId: await openSection(school, { day: `'${today}'` }) });
  await expect(teacher.call(answerApi.list, { id: String(id), after: '' })).rejects.toMatchObject({
    code: 'not_found',
  });
  const entered = { id: String(id), number: 1, studentId: children[0], answer: 'Yes', note: '' };
  await expect(teacher.call(answerApi.enter, entered)).rejects.toMatchObject({ code: 'not_found' });
});
