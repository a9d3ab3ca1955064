import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { settingApi } from '#features/school/contract/setting.ts';
import { english } from '#kit/contract/text.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { doDaily } from '#kit/server/job/daily.ts';
import type { Outgoing } from '#kit/server/messages/mail.ts';
import { sendMessage } from '#kit/server/messages/outbox.ts';
import { afterQuietHours } from '#kit/server/messages/quiet-hours.ts';
import type { Person } from '#testing/browser.ts';
import { setDay, takeRegister } from '#testing/registers.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise as link, seat } from '#testing/seated.ts';
import { recordStatements } from '#testing/statements.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { dailyApi } from '../contract/daily.ts';
import { registerApi } from '../contract/register.ts';
import { dailyAbsenceAlert } from './absence-alert.ts';
import { alertDays, tellsFamilies } from './settings.ts';
import { familyMessages } from './tell-families.ts';

let school: School;
let office: Person;
const today = toLocalDate(new Date());
const at = (time: string, day = today) => {
  school.clock.now = new Date(`${day}T${time}:00+05:30`);
};

beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ sets: ['office'] });
  await openSection(school, { day: `'${today}'` });
  for (let by = -9; by <= 1; by += 1) await setDay(school, addDays(today, by), 'Working day');
});
afterEach(() => {
  at('10:00');
});
afterAll(() => school.close());

const openClass = async (...names: string[]) => {
  at('10:00');
  const teacher = await school.person();
  const section = await teach(school, teacher, { sectionId: await openSection(school, { day: `'${today}'` }) });
  const children: number[] = [];
  for (const name of names) children.push(await seat(school, section, name, { joinedOn: addDays(today, -9) }));
  return { teacher, section, children };
};

/** Links a new adult to children who gets messages about them. */
async function raise(...[of, children, adult, more]: Parameters<typeof link>) {
  const id = await link(of, children, adult, more);
  await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${id}`);
}

/** The messages about children, oldest first. */
const messagesOf = async (...children: number[]) =>
  (await school.sql(`select outbox.id, outbox.template, outbox.status, outbox.recipient, student_id as child,
      extract(epoch from not_before - queued_at)::integer / 60 as minutes
    from outbox join attendance_message told on outbox.dedupe_key = 'attendance ' || told.id
    where student_id in (${children.join(', ')}) order by outbox.id`)) as {
    id: number;
    template: string;
    status: string;
    recipient: string | null;
    child: number;
    minutes: number;
  }[];

/** Sends what waits for these children, and returns the texts. */
async function send(...children: number[]) {
  const sent: Outgoing[] = [];
  const keep = async (message: Outgoing) => {
    sent.push(message);
  };
  for (const { id, status } of await messagesOf(...children))
    if (status === 'queued')
      await sendMessage(school.services, familyMessages, { sms: keep, email: keep }, id, { isLastTry: false });
  return sent.map(({ to, text }) => `${to}: ${text}`);
}

test('T7 a child marked absent brings one message to the guardian to call first, whatever is submitted again', async () => {
  const { teacher, section, children } = await openClass('Aarav', 'Bina', 'Charu');
  const [aarav = 0, bina = 0] = children;
  await raise(school, [aarav, bina], { firstName: 'Nikhil', mobile: '9825012345' });
  await raise(school, [aarav], { firstName: 'Hetal', mobile: '9825099999' }, { relation: 'Mother', isPrimary: false });
  await takeRegister(teacher, section, '', { Aarav: 'A', Charu: 'A' });
  await takeRegister(teacher, section, '', { Aarav: 'A', Charu: 'A', Bina: 'HD' });
  expect(await messagesOf(...children)).toMatchObject([
    { template: 'attendance.absent', status: 'queued', recipient: '9825012345', child: aarav, minutes: 20 },
  ]);
  const [text, ...others] = await send(...children);
  expect(text).toMatch(/^9825012345: Dear parent, Aarav is marked absent on \d+ \w+ \d{4}\. .* call Test School/);
  expect(others).toEqual([]);
  await takeRegister(teacher, section, '', { Charu: 'A', Bina: 'HD' });
  await takeRegister(teacher, section, '', { Aarav: 'A', Charu: 'A', Bina: 'HD' });
  expect(await messagesOf(bina)).toEqual([]);
  expect((await messagesOf(aarav)).filter(({ template }) => template === 'attendance.absent')).toHaveLength(1);
});

test('T7 a mark corrected before its message is sent cancels it, and a later absence sends one', async () => {
  const { teacher, section, children } = await openClass('Aarav');
  await raise(school, children, { firstName: 'Nikhil', mobile: '9825012346' });
  await takeRegister(teacher, section, '', { Aarav: 'A' });
  await takeRegister(teacher, section, '', {});
  expect(await send(...children)).toEqual([]);
  expect((await messagesOf(...children)).map(({ status, recipient }) => [status, recipient])).toEqual([
    ['expired', null],
    ['expired', null],
  ]);
  await takeRegister(teacher, section, '', { Aarav: 'A' });
  expect(await send(...children)).toHaveLength(1);
});

test('T7 a told absence that becomes late brings one update, and none when it becomes leave', async () => {
  const { teacher, section, children } = await openClass('Aarav', 'Bina');
  const [aarav = 0, bina = 0] = children;
  await raise(school, children, { firstName: 'Nikhil', mobile: '9825012347' });
  await takeRegister(teacher, section, '', { Aarav: 'A', Bina: 'A' });
  expect(await send(...children)).toHaveLength(2);
  await takeRegister(teacher, section, '', { Aarav: 'L 09:20', Bina: 'LV' });
  expect(await send(aarav)).toEqual([expect.stringContaining('Aarav is at school')]);
  expect(await messagesOf(bina)).toHaveLength(1);
  for (const code of ['A', 'P', 'A', 'L 09:30']) await takeRegister(teacher, section, '', { Aarav: code, Bina: 'LV' });
  expect(await send(...children)).toEqual([]);
  expect(await messagesOf(aarav)).toHaveLength(2);
});

test('T7 a late arrival at the gate after a told absence brings the update', async () => {
  const { teacher, section, children } = await openClass('Aarav');
  await raise(school, children, { firstName: 'Nikhil' });
  await school.sql(`update guardian set email = 'nikhil@family.example' where first_name = 'Nikhil' and mobile = ''`);
  await takeRegister(teacher, section, '', { Aarav: 'A' });
  expect(await send(...children)).toEqual([expect.stringMatching(/^nikhil@family\.example: .* absent/)]);
  const [{ grNo } = {}] = await school.sql(`select gr_no as "grNo" from student where id = ${children[0]}`);
  at('10:20');
  await office.call(dailyApi.enter, { number: String(grNo) });
  expect(await send(...children)).toEqual([expect.stringContaining('marked Late 10:20, not absent')]);
});

test('T7 no message goes in the quiet hours, and none of the day before in the morning', async () => {
  const { teacher, section, children } = await openClass('Aarav');
  await raise(school, children, { firstName: 'Nikhil', mobile: '9825012348' });
  await takeRegister(teacher, section, '', { Aarav: 'A' });
  at('21:30');
  expect(await send(...children)).toEqual([]);
  const [waiting] =
    await school.sql(`select status, to_char(not_before at time zone 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI') as at,
      (select run_at = outbox.not_before from graphile_worker.jobs where key = 'message:' || outbox.id) as "isQueued"
    from outbox join attendance_message told on outbox.dedupe_key = 'attendance ' || told.id where student_id = ${children[0]}`);
  expect(waiting).toEqual({ status: 'queued', at: `${addDays(today, 1)} 07:00`, isQueued: true });
  at('07:00', addDays(today, 1));
  expect(await send(...children)).toEqual([]);
  expect(await messagesOf(...children)).toMatchObject([{ status: 'expired' }]);
});

test('quiet hours end in the morning of the day or of the next', () => {
  const hours = { from: 21, until: 7 };
  const after = (time: string) => afterQuietHours(new Date(`2026-11-27T${time}+05:30`), hours).toISOString();
  expect(after('20:59:00')).toBe('2026-11-27T15:29:00.000Z');
  expect(after('21:00:00')).toBe('2026-11-28T01:30:00.000Z');
  expect(after('02:00:00')).toBe('2026-11-27T01:30:00.000Z');
  expect(after('07:00:00')).toBe('2026-11-27T01:30:00.000Z');
});

test('T7 a guardian whose number changed, or who gets no messages, receives none', async () => {
  const { teacher, section, children } = await openClass('Aarav', 'Bina');
  const [aarav = 0, bina = 0] = children;
  await raise(school, [aarav], { firstName: 'Nikhil', mobile: '9825012349' });
  await raise(school, [bina], { firstName: 'Rajan', mobile: '9825012350' });
  await school.sql(`update student_guardian set receives_messages = false where student_id = ${bina}`);
  await takeRegister(teacher, section, '', { Aarav: 'A', Bina: 'A' });
  await school.sql(`update guardian set mobile = '9825012399' where mobile = '9825012349'`);
  expect(await send(...children)).toEqual([]);
  expect(await messagesOf(...children)).toMatchObject([{ child: aarav, status: 'expired' }]);
});

test('T7 no family gets a message where the setting is off, or about an earlier day', async () => {
  const { section, children } = await openClass('Aarav');
  await raise(school, children, { firstName: 'Nikhil', mobile: '9825012351' });
  await takeRegister(office, section, addDays(today, -1), { Aarav: 'A' });
  const admin = await school.person({ role: 'Admin' });
  await admin.call(settingApi.save, { key: tellsFamilies.key, value: false, rowVersion: 0 });
  await takeRegister(office, section, '', { Aarav: 'A' });
  expect(await messagesOf(...children)).toEqual([]);
  await school.sql(`delete from setting where key = '${tellsFamilies.key}'`);
});

test('T8 the class teacher gets one notice after a number of absent days in a row, and another after as many more', async () => {
  const { teacher, section, children } = await openClass('Aarav', 'Bina', 'Charu');
  const codes: Record<string, string>[] = [
    { Aarav: 'A', Bina: 'A', Charu: 'A' },
    { Aarav: 'LV', Bina: 'A' },
    { Aarav: 'A', Bina: 'A' },
    { Aarav: 'A' },
    { Aarav: 'A' },
    { Aarav: 'A' },
    { Aarav: 'A' },
  ];
  const told: string[] = [];
  for (const [index, marks] of codes.entries()) {
    const day = addDays(today, index - 6);
    await takeRegister(office, section, day, marks);
    at('12:30', day);
    for (let again = 0; again < 2; again += 1) {
      await school.sql('delete from daily_task');
      await doDaily(school.services, dailyAbsenceAlert);
    }
    at('10:00');
    const notes = await school.sql(`delete from notice where account_id = ${teacher.id} returning text`);
    told.push(...notes.map(({ text }) => `${index}: ${english(text as never)}`));
  }
  expect(told).toEqual([
    expect.stringMatching(/^2: 1 student of .* absent for 3 days in a row or more/),
    expect.stringMatching(/^3: 1 student of .* absent for 3 days/),
    expect.stringMatching(/^6: 1 student of .* absent for 6 days/),
  ]);
  expect(alertDays.default).toBe(3);
  expect(children).toHaveLength(3);
});

test('E3.2 only class teachers of sections that are not taken are reminded', async () => {
  const { teacher, section } = await openClass('Aarav');
  const other = await openClass('Bina');
  await takeRegister(other.teacher, other.section, '');
  const alone = await openSection(school, { day: `'${today}'` });
  await seat(school, alone, 'Charu', { joinedOn: today });
  const told = await office.call(dailyApi.remind, {});
  expect(told.teachers).toBeGreaterThan(0);
  // The reminder lists the sections that have no teacher to remind.
  const { sections } = await office.call(dailyApi.read, { day: '' });
  const nameOf = (id: number) => sections.find((one) => one.id === id)?.name;
  expect(told.missed).toContain(nameOf(alone));
  expect(told.missed).not.toContain(nameOf(section));
  await office.call(dailyApi.remind, {});
  const notes = await school.sql(`select account_id as account from notice where kind = 'attendance.not-taken'
    and account_id in (${teacher.id}, ${other.teacher.id})`);
  expect(notes).toEqual([{ account: teacher.id }]);
  await takeRegister(teacher, section, '');
});

test('E3.7 the last call to the family of an absent child stands beside it; no call is noted for a child who is there', async () => {
  const { section, children } = await openClass('Aarav', 'Bina');
  const [aarav = 0, bina = 0] = children;
  await takeRegister(office, section, '', { Aarav: 'A' });
  const call = (studentId: number, outcome: 'Called' | 'No answer' | 'Informed', note = '') =>
    office.call(dailyApi.call, { studentId, day: today, outcome, note });
  await call(aarav, 'No answer');
  await call(aarav, 'Informed', 'Fever');
  await expect(call(bina, 'Called')).rejects.toMatchObject({ code: 'not_found' });
  const { absentees } = await office.call(dailyApi.read, { day: '' });
  expect(absentees.find(({ studentId }) => studentId === aarav)).toMatchObject({ outcome: 'Informed', note: 'Fever' });
});

test('E1.13 the office locks a register before its time', async () => {
  const { teacher, section } = await openClass('Aarav');
  const { id } = await takeRegister(teacher, section, '');
  expect(await teacher.call(registerApi.read, { sectionId: section, day: '' })).toMatchObject({ mayLock: false });
  expect(await office.call(registerApi.read, { sectionId: section, day: '' })).toMatchObject({ mayLock: true });
  await office.call(registerApi.lock, { id, rowVersion: 1 });
  await expect(takeRegister(teacher, section, '', { Aarav: 'A' })).rejects.toMatchObject({ code: 'conflict' });
});

test('E1.14 a register of forty with three absent takes six statements, taken first and again', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `Child${index}`);
  const { teacher, section, children } = await openClass(...names);
  await raise(school, children.slice(0, 9), { firstName: 'Nikhil', mobile: '9825012352' });
  const sheet = await teacher.call(registerApi.read, { sectionId: section, day: '' });
  const idOf = (code: string) => sheet.codes.find((one) => one.code === code)?.id ?? 0;
  const submit = (rowVersion: number, absent: number) =>
    teacher.call(registerApi.submit, {
      sectionId: section,
      day: today,
      rowVersion,
      marks: sheet.children.map(({ studentId }, index) => ({
        studentId,
        codeId: idOf(index % 10 < absent && index < 10 ? 'A' : 'P'),
        arrivedAt: '',
      })),
    });
  for (const [rowVersion, absent] of [
    [0, 3],
    [1, 5],
  ] as const) {
    const { texts } = await recordStatements(school, () => submit(rowVersion, absent));
    const own = texts.filter((text) => /attendance_|student_guardian|insert into "?audit/.test(text));
    expect(own.length).toBeLessThanOrEqual(6);
    expect(texts.length - own.length).toBeLessThanOrEqual(6);
  }
});
