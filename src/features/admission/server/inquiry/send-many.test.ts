import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runApi } from '#features/run/contract.ts';
import type { Setting } from '#kit/contract/setting.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { doDaily } from '#kit/server/job/daily.ts';
import type { RunAct } from '#kit/server/job/runs.ts';
import type { Person } from '#testing/browser.ts';
import { openAdmission } from '#testing/open-admission.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { inquiryApi } from '../../contract/inquiry.ts';
import { mostReminders, reminderDays, remindersFrom, remindersUntil } from '../settings.ts';
import { dailyReminders, inquiryRuns } from './send-many.ts';

let school: School;
let office: Person;
let other: Person;

beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', role: 'Staff', sets: ['office'] });
  other = await school.person({ name: 'Farida', role: 'Staff', sets: ['office'] });
  await openAdmission(school);
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from outbox; delete from attempt; delete from daily_task; delete from setting'));

/** Inquiries of families with an email address, whose form was sent some days ago. */
async function unfinished(count: number, days = 3) {
  const { id } = await school.inquiry();
  const rows = await school.sql(`insert into admission_inquiry (inquiry_no, link_hash, link_key_id, link_expires_at,
      academic_year_id, branch_id, board_id, program_id, grade_id, state, first_name, father_email, link_sent_at)
    select 'RUN/' || gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), link_key_id, link_expires_at,
      academic_year_id, branch_id, board_id, program_id, grade_id, 'Form sent', 'Child ' || n, 'f' || n || '@family.example',
      now() - make_interval(days => ${days})
    from admission_inquiry, generate_series(1, ${count}) as n where id = ${id} returning id`);
  return rows.map((row) => Number(row.id));
}
async function start(ids: number[], endpoint = inquiryApi.remindMany) {
  const input = { selection: { ids } };
  const { confirmToken } = await office.call(endpoint, input as never);
  const { runId } = await office.call(endpoint, { ...input, confirmToken } as never);
  return Number(runId);
}
async function work(id: number, acts: Record<string, RunAct> = inquiryRuns) {
  // The moment in which it can be undone is over.
  await school.sql(`update run set begins_at = null where id = ${id}`);
  await finishRun(school.services, acts, id);
}
const read = (id: number) => office.call(runApi.read, { id });
const messages = async (template: string) =>
  (await school.sql(`select recipient from outbox where template = '${template}' order by recipient`)).length;

test('a run sends each selected family one message and tells the result of each', async () => {
  const ids = await unfinished(3);
  await school.sql(`update admission_inquiry set father_email = null where id = ${ids[0]}`);
  const preview = await office.call(inquiryApi.remindMany, { selection: { ids } } as never);
  expect(preview).toMatchObject({ changed: 2, skippedCount: 1, runId: null });
  const run = await start(ids);
  // The family submits between the preview and its turn.
  await school.sql(`update admission_inquiry set state = 'Submitted' where id = ${ids[1]}`);
  await work(run);
  expect(await read(run)).toMatchObject({
    isFinished: true,
    total: 2,
    done: 1,
    skipped: 1,
    notDone: [{ id: ids[1], reason: { id: 'The form is submitted, or the inquiry has ended.' } }],
  });
  expect(await messages('admission.reminder')).toBe(1);
});

test('the preview of a reminder shows the words as the first family reads them, and no link', async () => {
  const ids = await unfinished(2);
  const { example } = await office.call(inquiryApi.remindMany, { selection: { ids } } as never);
  expect(example).toMatchObject({ name: 'Child 1', subject: expect.stringContaining('form') });
  expect(example?.words).toContain('…');
  expect(example?.words).not.toContain('http');
});

test('a run whose process dies goes on where it stopped, and no family gets a second message', async () => {
  const ids = await unfinished(30);
  const run = await start(ids);
  let turns = 0;
  const dying: RunAct = async (ctx, id, input) => {
    turns++;
    const done = await inquiryRuns['admission.remind'](ctx, id, input);
    // The connection of a killed process is gone before it commits.
    if (turns === 12) {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(ctx.db);
      await school.sql(`select pg_terminate_backend(${rows[0]?.pid})`);
    }
    return done;
  };
  await expect(work(run, { 'admission.remind': dying })).rejects.toThrow();
  expect(await read(run)).toMatchObject({ isFinished: false, done: 11 });
  await Promise.all([work(run), work(run)]);
  expect(await read(run)).toMatchObject({ isFinished: true, done: 30, skipped: 0, failed: 0 });
  expect(await messages('admission.reminder')).toBe(30);
});

test('a record whose act breaks is told as failed, and the others are done', async () => {
  const ids = await unfinished(3);
  const run = await start(ids);
  await work(run, {
    'admission.remind': async (ctx, id, input) => {
      if (id === ids[1]) throw new Error('A mistake of ours');
      return inquiryRuns['admission.remind'](ctx, id, input);
    },
  });
  expect(await read(run)).toMatchObject({ done: 2, failed: 1, notDone: [{ id: ids[1], result: 'Failed' }] });
  const { text } = await office.send({ url: `/api/run/${run}/result` });
  expect(text).toContain('Failed');
});

test('a run is shown to the account that started it and to no other', async () => {
  const run = await start(await unfinished(1));
  await expect(other.call(runApi.read, { id: run })).rejects.toMatchObject({ code: 'not_found' });
});

test('sending to many makes new inquiries ones whose form is sent', async () => {
  const ids = await unfinished(2);
  await school.sql(`update admission_inquiry set state = 'New', link_sent_at = null where id in (${ids.join()})`);
  const run = await start(ids, inquiryApi.sendMany as never);
  await work(run);
  expect(await messages('admission.link')).toBe(2);
  expect((await office.call(inquiryApi.read, { id: ids[0] ?? 0 })).state).toBe('Form sent');
});

/** Ten in the morning, India, so many days from now. */
const morning = (days = 0) => {
  return new Date(`${addDays(toLocalDate(new Date()), days)}T04:30:00Z`);
};

const endAll = () =>
  school.sql(`update admission_inquiry set state = 'Lost' where state in ('Form sent', 'In progress')`);
const set = ({ key }: Setting, value: unknown) =>
  school.sql(`insert into setting (key, value) values ('${key}', '${JSON.stringify(value)}')`);

/** The days from today on which a family that got its form today is reminded. */
async function remindedOn(lastDay: number) {
  await endAll();
  await unfinished(1, 0);
  const days: number[] = [];
  for (let day = 1; day <= lastDay; day++) {
    school.clock.now = morning(day);
    const before = await messages('admission.reminder');
    await doDaily(school.services, dailyReminders);
    for (const { id } of await school.sql('select id from run where finished_at is null')) await work(Number(id));
    if ((await messages('admission.reminder')) > before) days.push(day);
  }
  school.clock.now = undefined;
  return days;
}

test('the days of reminders and the most reminders of a family are those of the settings', async () => {
  await set(reminderDays, [1, 3, 4, 8]);
  await set(mostReminders, 4);
  expect(await remindedOn(10)).toEqual([1, 3, 4, 8]);
  await school.sql(`delete from daily_task; update setting set value = '2' where key = '${mostReminders.key}'`);
  expect(await remindedOn(10)).toEqual([1, 3]);
  await school.sql(`delete from daily_task; update setting set value = '[]' where key = '${reminderDays.key}'`);
  expect(await remindedOn(10)).toEqual([]);
});

test('the office reminds a family as often as the setting allows', async () => {
  const ids = await unfinished(1);
  await school.sql(`update admission_inquiry set reminders = 3 where id = ${ids[0]}`);
  const preview = () => office.call(inquiryApi.remindMany, { selection: { ids } } as never);
  expect(await preview()).toMatchObject({
    changed: 0,
    skipped: [{ reason: { id: expect.stringContaining('Was reminded'), values: { n: 3 } } }],
  });
  await set(mostReminders, 4);
  const run = await start(ids);
  await work(run);
  expect(await read(run)).toMatchObject({ done: 1 });
  expect(await preview()).toMatchObject({ changed: 0 });
});

test('an unfinished form is reminded on days 2, 5 and 10, then no more, and not once the family submits', async () => {
  await endAll();
  const [first, second] = await unfinished(2, 0);
  const sentOn: number[] = [];
  for (let day = 1; day <= 14; day++) {
    school.clock.now = morning(day);
    if (day === 6) await school.sql(`update admission_inquiry set state = 'Submitted' where id = ${second}`);
    const before = await messages('admission.reminder');
    await doDaily(school.services, dailyReminders);
    for (const { id } of await school.sql('select id from run where finished_at is null')) await work(Number(id));
    if ((await messages('admission.reminder')) > before) sentOn.push(day);
  }
  school.clock.now = undefined;
  expect(sentOn).toEqual([2, 5, 10]);
  const [row] = await school.sql(`select reminders from admission_inquiry where id = ${first}`);
  expect(row).toEqual({ reminders: 3 });
  expect(await messages('admission.reminder')).toBe(5);
});

test('reminders are sent once a day, between 9 and 20 o’clock', async () => {
  school.clock.now = new Date(`${morning(20).toISOString().slice(0, 10)}T02:00:00Z`); // 7:30
  expect(await doDaily(school.services, dailyReminders)).toBe(false);
  school.clock.now = morning(20);
  expect(await doDaily(school.services, dailyReminders)).toBe(true);
  expect(await doDaily(school.services, dailyReminders)).toBe(false);
  school.clock.now = undefined;
});

test('the hours between which reminders are sent are those of the settings', async () => {
  await set(remindersFrom, 12);
  await set(remindersUntil, 13);
  const at = (time: string) => new Date(`${morning(30).toISOString().slice(0, 10)}T${time}:00Z`);
  for (const [time, isDone] of [
    ['06:29', false], // 11:59
    ['07:30', false], // 13:00
    ['06:30', true], // 12:00
  ] as const) {
    school.clock.now = at(time);
    expect([time, await doDaily(school.services, dailyReminders)]).toEqual([time, isDone]);
  }
  school.clock.now = undefined;
});
