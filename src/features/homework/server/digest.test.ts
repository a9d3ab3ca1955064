import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { doDaily, findDueDaily } from '#kit/server/job/daily.ts';
import { render } from '#kit/server/messages/outbox.ts';
import type { Person } from '#testing/browser.ts';
import { raiseWithLink } from '#testing/family.ts';
import { dayOfJuly, monday, openStage, type TaughtSection, teachSubject } from '#testing/homework.ts';
import { form, openSchool, paper, type School } from '#testing/school.ts';
import { raise } from '#testing/seated.ts';
import { checkApi } from '../contract/check.ts';
import { homeworkApi } from '../contract/homework.ts';
import { dailyDigest, digestMessages, sendDigests } from './digest.ts';

let school: School;
let teacher: Person;
let section: TaughtSection;
let subjectId: number;
beforeAll(async () => {
  school = await openSchool();
  school.clock.now = monday;
  teacher = await school.person();
});
afterAll(() => school.close());
beforeEach(async () => {
  school.clock.now = monday;
  section = await openStage(school, { names: ['Aarohi', 'Bina'] });
  subjectId = await teachSubject(school, teacher, [section]);
  await raise(school, section.children, { firstName: 'Primary' });
  await school.sql(`update homework_section set digest_on = coalesce(digest_on, '2026-06-01'); delete from outbox`);
});

const give = async (title: string, over: object = {}) => {
  const { ids } = await teacher.call(homeworkApi.create, {
    title,
    minutes: 5,
    kind: 'Written',
    instructions: '',
    links: '',
    maxMarks: null,
    showsFeedback: true,
    dueOn: dayOfJuly(10),
    lateUntil: '',
    publish: 'Now',
    publishOn: '',
    publishHour: '',
    overReason: '',
    pairs: [{ sectionId: section.id, subjectId }],
    ...over,
  });
  return ids[0] ?? 0;
};

let addresses = 0;
/** A guardian of children who gets messages by email. */
async function guardian(children: readonly number[], email = `parent${++addresses}@example.org`) {
  const id = await raise(school, children, { firstName: 'Meera' }, { isPrimary: false });
  await school.sql(`update guardian set email = '${email}' where id = ${id};
    update student_guardian set receives_messages = true where guardian_id = ${id}`);
  return id;
}

const sendOn = (day: number) =>
  school.services.db
    .transaction()
    .execute((db) =>
      sendDigests({ ...school.context(), db }, dayOfJuly(day), new Date(school.services.now().getTime() + 1)),
    );

/** The messages that are queued, as they would be sent now. */
async function messages() {
  const rows =
    await school.sql(`select digest.guardian_id, outbox.subject_id, outbox.version, outbox.recipient, outbox.keeps_quiet
    from outbox join homework_digest digest on digest.id = outbox.subject_id where template = 'homework.digest' order by outbox.id`);
  return Promise.all(
    rows.map(async (row) => ({
      guardianId: Number(row.guardian_id),
      recipient: row.recipient,
      keepsQuiet: row.keeps_quiet,
      text: (await renderOne(Number(row.subject_id), Number(row.version)))?.text,
    })),
  );
}
const renderOne = (id: number, version: number) => {
  const template = digestMessages['homework.digest'];
  if (!template) throw new Error('The digest has no template.');
  return render(school.services, template, id, 'email', version);
};

test('I3.1 a guardian of two children gets one message with each item once', async () => {
  const [aarohi = 0, bina = 0] = section.children;
  const both = await guardian([aarohi, bina]);
  await give('Exercise 4.2');
  await give('Read chapter 5', { studentIds: [bina] });
  await give('A draft', { publish: 'Draft' });
  await sendOn(6);
  await sendOn(6);
  const sent = await messages();
  expect(sent.map(({ guardianId, keepsQuiet }) => [guardianId, keepsQuiet])).toEqual([[both, true]]);
  const text = sent[0]?.text ?? '';
  expect(text.match(/Aarohi · .*Exercise 4\.2, due on 10 Jul 2026/g)).toHaveLength(1);
  expect(text.match(/Bina · .*Exercise 4\.2/g)).toHaveLength(1);
  expect(text.match(/Read chapter 5/g)).toHaveLength(1);
  expect(text).not.toContain('A draft');
  expect(text).toMatch(/\/family\?family=[0-9a-f]{32}/);
  await sendOn(7);
  expect(await messages()).toHaveLength(1);
});

test('I3.2 what is given after the digest is in the next one, and scheduled homework in that of its day', async () => {
  const [aarohi = 0] = section.children;
  await guardian([aarohi]);
  await give('Early');
  await give('Scheduled', { publish: 'Later', publishOn: dayOfJuly(7), publishHour: '08:00' });
  await sendOn(6);
  await give('Late in the day');
  school.clock.now = new Date('2026-07-07T12:00:00Z');
  await sendOn(7);
  const [first, second] = (await messages()).map(({ text }) => text ?? '');
  expect([first?.includes('Early'), first?.includes('Scheduled'), first?.includes('Late in the day')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([second?.includes('Early'), second?.includes('Scheduled'), second?.includes('Late in the day')]).toEqual([
    false,
    true,
    true,
  ]);
});

test('I3.3 a moved or cancelled due day is told again, and what no family was told of is never cancelled to them', async () => {
  const [aarohi = 0] = section.children;
  await guardian([aarohi]);
  const told = await give('Told');
  const moved = await give('Moved');
  await sendOn(6);
  const untold = await give('Untold');
  await teacher.call(homeworkApi.cancel, { id: told, version: 1, reason: 'Mistake' });
  await teacher.call(homeworkApi.cancel, { id: untold, version: 1, reason: 'Mistake' });
  const asked = { id: moved, version: 1, dueOn: dayOfJuly(13), lateUntil: '', overReason: '' };
  const { confirmToken, tells } = await teacher.call(homeworkApi.move, asked);
  expect(tells).toBe(true);
  await teacher.call(homeworkApi.move, { ...asked, confirmToken: confirmToken ?? '' });
  await sendOn(7);
  const text = (await messages()).at(-1)?.text ?? '';
  expect(text).toContain('cancelled: Told');
  expect(text).toContain('Moved is now due on 13 Jul 2026');
  expect(text).not.toContain('Untold');
});

test('I3.4 no message goes to a contact, a barred adult, or twice to one address for the same children', async () => {
  const [aarohi = 0, bina = 0] = section.children;
  const first = await guardian([aarohi, bina], 'home@example.org');
  await guardian([aarohi], 'home@example.org');
  const barred = await guardian([aarohi]);
  await school.sql(
    `update student_guardian set is_barred = true, receives_messages = false where guardian_id = ${barred}`,
  );
  const silent = await guardian([aarohi]);
  await school.sql(`update student_guardian set receives_messages = false where guardian_id = ${silent}`);
  await give('Exercise 4.2');
  await sendOn(6);
  expect((await messages()).map(({ guardianId }) => guardianId)).toEqual([first]);
});

test('I3.5 a message that waits while the address or the link changes is not sent', async () => {
  const [aarohi = 0] = section.children;
  const id = await guardian([aarohi]);
  await give('Exercise 4.2');
  await sendOn(6);
  const [row] = await school.sql(
    `select subject_id, version, recipient from outbox where template = 'homework.digest'`,
  );
  const queued = {
    subjectId: Number(row?.subject_id),
    version: Number(row?.version),
    recipient: String(row?.recipient),
  };
  const template = digestMessages['homework.digest'];
  const isFor = async () =>
    template && template.isFor !== 'as queued' && (await template.isFor(school.services, queued));
  expect(await isFor()).toBe(true);
  await school.sql(`update guardian set email = 'new@example.org' where id = ${id}`);
  expect(await isFor()).toBe(false);
  expect(await renderOne(queued.subjectId, queued.version)).toBeUndefined();
});

test('I3.6 the digest of a day is sent at its hour, once', async () => {
  const [aarohi = 0] = section.children;
  await guardian([aarohi]);
  await give('Exercise 4.2');
  school.clock.now = new Date('2026-07-06T11:29:00Z');
  expect(await doDaily(school.services, dailyDigest)).toBe(false);
  school.clock.now = new Date('2026-07-06T11:30:00Z');
  expect(await doDaily(school.services, dailyDigest)).toBe(true);
  expect(await doDaily(school.services, dailyDigest)).toBe(false);
  expect(await messages()).toHaveLength(1);
});

test('CM3 FM14 the digest has what was published before its hour, to the second, also where the server was down then', async () => {
  await school.sql('delete from daily_task');
  const [aarohi = 0] = section.children;
  await guardian([aarohi]);
  const giveAt = async (time: string, title: string) => {
    school.clock.now = new Date(`2026-07-06T${time}+05:30`);
    return give(title);
  };
  const before = await giveAt('16:59:59', 'Exercise 4.1');
  const then = await giveAt('17:00:00', 'Exercise 4.2');
  const after = await giveAt('17:05:00', 'Exercise 4.3');
  const told = async (day: string) =>
    (
      await school.sql(
        `select id from homework_section where digest_on = '${day}' and id in (${before}, ${then}, ${after}) order by id`,
      )
    ).map(({ id }) => id);
  school.clock.now = new Date('2026-07-06T17:20:00+05:30');
  expect(await findDueDaily(school.services, [dailyDigest])).toEqual(new Set(['homework.digest']));
  expect(await doDaily(school.services, dailyDigest)).toBe(true);
  expect([await told('2026-07-06'), await findDueDaily(school.services, [dailyDigest])]).toEqual([[before], new Set()]);
  school.clock.now = new Date('2026-07-07T16:59:59+05:30');
  expect(await findDueDaily(school.services, [dailyDigest])).toEqual(new Set());
  school.clock.now = new Date('2026-07-07T17:00:00+05:30');
  await doDaily(school.services, dailyDigest);
  expect(await told('2026-07-07')).toEqual([then, after]);
});

test('I3.7 the family page has the homework of its own children, with marks only where the content shows them', async () => {
  const [aarohi = 0, bina = 0] = section.children;
  const { link } = await raiseWithLink(
    school,
    [aarohi],
    { firstName: 'Meera', mobile: '9825000021' },
    { isPrimary: false },
  );
  const shown = await give('Shown', { maxMarks: 10 });
  const hidden = await give('Hidden marks', { maxMarks: 10, showsFeedback: false });
  await give('Of Bina', { studentIds: [bina] });
  await give('A draft', { publish: 'Draft' });
  const handedInOn = dayOfJuly(6);
  for (const id of [shown, hidden])
    await teacher.call(checkApi.save, {
      id,
      rows: [{ studentId: aarohi, version: 0, result: 'Submitted', handedInOn, marks: 8, feedback: 'Neat.' }],
    });
  const page = async () => (await school.send({ url: `/api/family?family=${link}` })).json;
  const items = (await page()).parts.homework as Record<string, unknown>[];
  expect(items.map(({ title, status, marks, feedback }) => [title, status, marks, feedback])).toEqual([
    ['Hidden marks', 'Submitted', null, ''],
    ['Shown', 'Submitted', 8, 'Neat.'],
  ]);
  await teacher.send({
    method: 'POST',
    url: `/api/homework/${shown}/file`,
    body: form({}, { file: await paper('Worksheet') }),
  });
  const [{ files: [file] = [] } = {}] = (
    (await page()).parts.homework as { id: number; files: { id: string }[] }[]
  ).filter(({ id }) => id === shown);
  const url = (id: number, value: string) => `/api/family/homework/${id}/file/${file?.id}?family=${value}`;
  expect((await school.send({ url: url(shown, link) })).status).toBe(200);
  const stranger = await raiseWithLink(
    school,
    [bina],
    { firstName: 'Asha', mobile: '9825000022' },
    { isPrimary: false },
  );
  const ofAarohi = await give('Only Aarohi', { studentIds: [aarohi] });
  expect((await school.send({ url: url(ofAarohi, stranger.link) })).status).toBe(404);
  expect((await school.send({ url: url(hidden, link) })).status).toBe(404);
  expect((await school.send({ url: url(shown, 'f'.repeat(32)) })).status).toBe(404);
});
