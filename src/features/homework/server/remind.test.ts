import { afterAll, beforeAll, expect, test } from 'vitest';
import { render } from '#kit/server/messages/outbox.ts';
import type { Person } from '#testing/browser.ts';
import { raiseWithLink } from '#testing/family.ts';
import { dayOfJuly, monday, openStage, teachSubject } from '#testing/homework.ts';
import { openSchool, type School } from '#testing/school.ts';
import { saveSetting } from '#testing/settings.ts';
import { checkApi } from '../contract/check.ts';
import { homeworkApi } from '../contract/homework.ts';
import { remindApi } from '../contract/remind.ts';
import { reminderMessages } from './remind.ts';
import { tellsFamilies } from './settings.ts';

let school: School;
let teacher: Person;

beforeAll(async () => {
  school = await openSchool();
  school.clock.now = monday;
  teacher = await school.person();
});
afterAll(() => school.close());

/** Homework of two children, whose mother receives emails. */
async function given() {
  school.clock.now = monday;
  const section = await openStage(school, { names: ['Aarohi', 'Bina'] });
  const subjectId = await teachSubject(school, teacher, [section]);
  const { ids } = await teacher.call(homeworkApi.create, {
    ...{ title: 'Fractions', minutes: 5, kind: 'Written', instructions: '', links: '', maxMarks: null },
    ...{ showsFeedback: true, dueOn: dayOfJuly(10), lateUntil: '', publish: 'Now', publishOn: '', publishHour: '' },
    ...{ overReason: '', pairs: [{ sectionId: section.id, subjectId }] },
  });
  const { guardianId } = await raiseWithLink(school, section.children);
  await school.sql(`update guardian set email = 'mother${guardianId}@example.org' where id = ${guardianId};
    update student_guardian set receives_messages = true where guardian_id = ${guardianId}; delete from outbox`);
  return { id: Number(ids[0]), children: section.children, guardianId };
}

const queued = () =>
  school.sql(`select subject_id, version from outbox where template = 'homework.reminder' order by id`);
const written = async () => {
  const [row] = await queued();
  const template = reminderMessages['homework.reminder'];
  const message =
    template && (await render(school.services, template, Number(row?.subject_id), 'email', Number(row?.version)));
  return message?.text;
};
async function remind(id: number) {
  const { confirmToken } = await teacher.call(remindApi.remind, { id });
  return teacher.call(remindApi.remind, { id, confirmToken: confirmToken ?? '' });
}

test('families of children who have not submitted homework are reminded once a day, of what is open when it is sent', async () => {
  const { id, children } = await given();
  const [aarohi = 0, bina = 0] = children;
  const row = { version: 0, handedInOn: dayOfJuly(6), marks: null, feedback: '' };
  await teacher.call(checkApi.save, { id, rows: [{ ...row, studentId: bina, result: 'Submitted' }] });
  expect(await teacher.call(remindApi.remind, { id })).toMatchObject({ children: 1, guardians: 1, unreached: 0 });
  expect(await queued()).toEqual([]);
  await remind(id);
  expect(await queued()).toHaveLength(1);
  expect(await written()).toContain('Aarohi');
  expect(await written()).not.toContain('Bina');
  await expect(teacher.call(remindApi.remind, { id })).rejects.toMatchObject({ code: 'conflict' });

  school.clock.now = new Date(monday.getTime() + 24 * 3_600_000);
  await remind(id);
  expect(await queued()).toHaveLength(2);
  await teacher.call(checkApi.save, { id, rows: [{ ...row, studentId: aarohi, result: 'Submitted' }] });
  expect(await written()).toBeUndefined();
  await expect(teacher.call(remindApi.remind, { id })).rejects.toMatchObject({ code: 'conflict' });
});

test('two presses at once send one reminder', async () => {
  const { id } = await given();
  const { confirmToken } = await teacher.call(remindApi.remind, { id });
  const press = () => teacher.call(remindApi.remind, { id, confirmToken: confirmToken ?? '' });
  const answers = await Promise.allSettled([press(), press()]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await queued()).toHaveLength(1);
});

test('no reminder is sent of closed homework, of homework of others, and where the school sends families nothing', async () => {
  const { id } = await given();
  const other = await school.person();
  await teachSubject(school, other, [await openStage(school)]);
  await expect(other.call(remindApi.remind, { id })).rejects.toMatchObject({ code: 'not_found' });
  await saveSetting(school, tellsFamilies, false);
  await expect(teacher.call(remindApi.remind, { id })).rejects.toMatchObject({ code: 'conflict' });
  await saveSetting(school, tellsFamilies, true);
  await school.sql(`update homework_section set state = 'Closed', closed_at = now() where id = ${id}`);
  await expect(teacher.call(remindApi.remind, { id })).rejects.toMatchObject({ code: 'conflict' });
});
