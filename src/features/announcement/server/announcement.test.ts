import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { doEveryMinute } from '#kit/server/job/every-minute.ts';
import type { Outgoing } from '#kit/server/messages/mail.ts';
import { sendMessage } from '#kit/server/messages/outbox.ts';
import { announce, people, publish, write } from '#testing/announcements.ts';
import type { Person } from '#testing/browser.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { announcementApi } from '../contract/announcement.ts';
import { announcementList } from '../contract/list.ts';
import { receiptApi } from '../contract/receipt.ts';
import { releaseDue } from './due.ts';
import { announcementTemplates } from './message.ts';
import { announcementRuns } from './send.ts';

let school: School;
let office: Person;
let colleague: Person;
const today = toLocalDate(new Date());
const at = (time: string, day = today) => {
  school.clock.now = new Date(`${day}T${time}+05:30`);
};

beforeAll(async () => {
  school = await openSchool();
  at('10:00:00');
  office = await school.person({ sets: ['office'] });
  colleague = await school.person();
});
afterAll(() => school.close());

/** A section with children of these names, who are there since some days. */
async function openClass(...names: string[]) {
  const section = await openSection(school, { day: `'${today}'` });
  const children: number[] = [];
  for (const name of names) children.push(await seat(school, section, name, { joinedOn: addDays(today, -9) }));
  return { section, children };
}

/** An adult of these children who gets messages. */
async function adultOf(
  children: readonly number[],
  firstName: string,
  email = `${firstName}@family.example`.toLowerCase(),
  isPrimary = true,
) {
  const id = await raise(school, children, { firstName }, { isPrimary });
  await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${id};
    update guardian set email = '${email}' where id = ${id}`);
  return id;
}

const work = (runId: number | null) => finishRun(school.services, announcementRuns, Number(runId));
const feedOf = async (person: Person) => (await person.call(announcementApi.feed, {})).rows.map(({ id }) => id);
const later = (seconds: number) => {
  school.clock.now = new Date(school.services.now().getTime() + seconds * 1000);
};

/** The messages of an announcement as they are sent. */
async function send(id: number) {
  const rows = await school.sql(`select outbox.id from outbox join announcement_delivery told
    on outbox.dedupe_key = 'announcement ' || told.id where told.announcement_id = ${id} order by outbox.id`);
  const sent: Outgoing[] = [];
  const keep = async (message: Outgoing) => {
    sent.push(message);
  };
  for (const row of rows)
    await sendMessage(school.services, announcementTemplates, { sms: keep, email: keep }, Number(row.id), {
      isLastTry: false,
    });
  return sent.map(({ to, subject, text }) => ({ to, subject, text }));
}

test('J1.3 an announcement to a section and all staff reaches each guardian once, naming the children, and the feed of the staff', async () => {
  at('10:00:00');
  const { section, children } = await openClass('Aarohi', 'Dev', 'Mira');
  await adultOf(children.slice(0, 2), 'Rajesh');
  await adultOf(children.slice(2), 'Nilam');
  const made = await announce(school, office, [people('Section', section), people('All staff')]);
  expect(made).toMatchObject({ state: 'Published', guardians: 2, children: 3, emails: 2, unreached: 0 });
  expect(await feedOf(colleague)).toContain(made.id);

  later(31);
  await work(made.runId);
  const sent = await send(made.id);
  expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
    ['rajesh@family.example', expect.stringMatching(/: School is closed on Monday$/)],
    ['nilam@family.example', expect.stringMatching(/: School is closed on Monday$/)],
  ]);
  expect(sent[0]?.text).toContain('Aarohi, Dev');
  expect(sent[0]?.text).toContain('Classes begin again on Tuesday.');
  expect(sent[0]?.text).not.toContain('Mira');

  const { rows } = await office.call(receiptApi.list, { id: made.id, show: 'unread' });
  expect(rows.filter(({ kind }) => kind === 'Guardian').map(({ name, delivery }) => [name, delivery])).toEqual([
    ['Nilam Shah', 'Sent'],
    ['Rajesh Shah', 'Sent'],
  ]);
  await colleague.call(announcementApi.seen, { id: made.id, number: 1 });
  const read = await office.call(receiptApi.list, { id: made.id, show: 'read' });
  expect(read.rows.map(({ name }) => name)).toEqual([colleague.name]);
});

test('J1.3 receipts name a child once, with the section of the year of the announcement', async () => {
  at('10:00:00');
  const { section, children } = await openClass('Veer');
  await adultOf(children, 'Harsha');
  const made = await announce(school, office, [people('Section', section)], { sendsEmail: false });
  // The section of an earlier year stays open to its end, which the year bounds.
  const before = await openSection(school, { day: `'${addDays(today, -365)}'` });
  await school.sql(`
    with enrolled as (
      insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on, status)
      select ${children[0]}, year.id, branch_id, program_id, grade_id, 'New', year.starts_on, 'Promoted'
      from academic_section section join academic_year year on year.id = section.academic_year_id
      where section.id = ${before} returning *)
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id, effective_from)
    select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${before}, joined_on from enrolled`);
  const { rows } = await office.call(receiptApi.list, { id: made.id, show: 'all' });
  expect(rows.map(({ children }) => children)).toEqual([[expect.stringMatching(/^Veer /)]]);
});

test('J1.2 staff outside the audience get the same answer as for an announcement that does not exist', async () => {
  const { section } = await openClass('Kavya');
  const made = await announce(school, office, [people('Section', section)], { sendsEmail: false }).catch(
    () => undefined,
  );
  expect(made).toBeUndefined(); // No guardian and no teacher: nobody.
  const teacher = await school.person();
  await teach(school, teacher, { sectionId: section });
  const own = await announce(school, office, [people('Section', section)], { sendsEmail: false });
  expect(await feedOf(teacher)).toContain(own.id);
  const asked = { method: 'GET', url: `/api/announcement/${own.id}` } as const;
  const missing = await colleague.send({ ...asked, url: '/api/announcement/999999' });
  const outside = await colleague.send(asked);
  expect([outside.status, outside.text]).toEqual([404, missing.text]);
  expect((await teacher.send(asked)).status).toBe(200);
  expect(
    (await colleague.send({ method: 'POST', url: `/api/announcement/${own.id}/seen`, body: { number: 1 } })).status,
  ).toBe(404);
});

test('J1.1 a scheduled announcement is invisible one minute before its time and visible at it, without any job', async () => {
  at('10:00:00');
  const draft = await write(school, office, [people('All staff')], {
    publishOn: addDays(today, 1),
    publishTime: '10:00',
  });
  expect(await publish(office, draft)).toMatchObject({ state: 'Scheduled', runId: null });
  at('09:59:59', addDays(today, 1));
  expect(await feedOf(colleague)).not.toContain(draft.id);
  at('10:00:00', addDays(today, 1));
  expect(await feedOf(colleague)).toContain(draft.id);
  await colleague.call(announcementApi.seen, { id: draft.id, number: 1 });
  await doEveryMinute(school.services, { name: 'announcement.release', act: releaseDue });
  expect((await office.call(announcementApi.read, { id: String(draft.id) })).figures).toMatchObject({ staffRead: 1 });
  at('10:00:00');
});

test('J1.4 an expired announcement leaves the feed at its moment and stays in the archive', async () => {
  at('10:00:00');
  const made = await announce(school, office, [people('All staff')], { expiresOn: today, expiresTime: '18:00' });
  at('17:59:59');
  expect(await feedOf(colleague)).toContain(made.id);
  at('18:00:00');
  expect(await feedOf(colleague)).not.toContain(made.id);
  const archived = await office.send({ method: 'GET', url: '/api/announcement?tab=archive' });
  expect(archived.json.rows.map(({ id }: { id: number }) => id)).toContain(made.id);
  at('10:00:00');
});

test('J1.6 a class teacher addresses only the section led today, and never as an emergency', async () => {
  const teacher = await school.person();
  const { section, children } = await openClass('Tara');
  await adultOf(children, 'Hemal');
  await teach(school, teacher, { sectionId: section });
  const { section: other } = await openClass('Om');
  const refusals = [];
  for (const [audience, over] of [
    [[people('Section', other)], {}],
    [[people('All staff')], {}],
    [[people('Section', section), people('Everyone')], {}],
    [[people('Section', section)], { priority: 'Emergency' as const }],
  ] as const) {
    const refused = await write(school, teacher, [...audience], over).catch((error) => error);
    refusals.push(Object.keys(refused.fields ?? {}));
  }
  expect(refusals).toEqual([['audience'], ['audience'], ['audience'], ['priority']]);
  const draft = await write(school, teacher, [people('Section', section)]);
  expect(await publish(teacher, draft)).toMatchObject({ state: 'Waiting', runId: null });
  expect(await feedOf(teacher)).not.toContain(draft.id);
});

test('a published announcement becomes a draft again within some seconds, and its messages are not sent', async () => {
  at('10:00:00');
  const { section, children } = await openClass('Ishaan');
  await adultOf(children, 'Ketan');
  const made = await announce(school, office, [people('Section', section)]);
  const { version } = await office.call(announcementApi.read, { id: String(made.id) });
  await office.call(announcementApi.undo, { id: made.id, version });
  later(31);
  await work(made.runId);
  expect(await send(made.id)).toEqual([]);
  const again = await office.call(announcementApi.read, { id: String(made.id) });
  expect(again).toMatchObject({ state: 'Draft', figures: null });
  const published = await publish(office, { id: made.id, version: again.version });
  later(31);
  await work(published.runId);
  expect(await send(made.id)).toHaveLength(1);
});

test('a withdrawn announcement is not sent, and messages that wait are closed', async () => {
  at('10:00:00');
  const { section, children } = await openClass('Reva');
  await adultOf(children, 'Sejal');
  const made = await announce(school, office, [people('Section', section)]);
  later(31);
  await work(made.runId);
  const { version } = await office.call(announcementApi.read, { id: String(made.id) });
  await office.call(announcementApi.withdraw, { id: made.id, version, reason: 'The date was wrong.' });
  expect(await send(made.id)).toEqual([]);
  expect((await office.call(receiptApi.list, { id: made.id })).rows.map(({ delivery }) => delivery)).toEqual([
    'Not sent',
  ]);
});

test('Z6 a class teacher who leads other sections by now has lost the announcement, and keeps an own draft', async () => {
  at('10:00:00');
  const { section, children } = await openClass('Ishani');
  await adultOf(children, 'Devang');
  const teacher = await school.person();
  await teach(school, teacher, { sectionId: section });
  await school.sql(`insert into setting (key, value) values ('announcement.teacher-approval', 'false')
    on conflict (key) do update set value = excluded.value`);
  const made = await announce(school, teacher, [people('Section', section)], { sendsEmail: false });
  const draft = await write(school, teacher, [people('Section', section)]);
  const reads = (id: number) =>
    Promise.all(
      ['', '/receipt', '/receipt/export?as=csv'].map(
        async (path) => (await teacher.send({ url: `/api/announcement/${id}${path}` })).status,
      ),
    );
  const remind = async () =>
    (await teacher.send({ method: 'POST', url: `/api/announcement/${made.id}/remind`, body: {} })).status;
  const listed = async () =>
    (await teacher.call(announcementList.api.list, { tab: 'mine' })).rows.map(({ id }) => id).toSorted();
  expect([await reads(made.id), await remind(), await listed()]).toEqual([
    [200, 200, 200],
    200,
    [made.id, draft.id].toSorted(),
  ]);

  await school.sql(`update academic_section_teacher set effective_to = '${addDays(today, -1)}'
    where staff_id = ${teacher.staffId}`);
  await teach(school, teacher, { sectionId: await openSection(school, { day: `'${today}'` }) });
  expect([await reads(made.id), await remind(), await listed()]).toEqual([[404, 404, 404], 404, [draft.id]]);
  const { status, json } = await teacher.send({
    method: 'POST',
    url: `/api/announcement/${draft.id}/publish`,
    body: { version: draft.version },
  });
  expect([status, Object.keys(json.error.fields)]).toEqual([422, ['audience']]);
  // The office keeps it.
  expect((await office.send({ url: `/api/announcement/${made.id}/receipt` })).status).toBe(200);
});
