import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runApi } from '#features/run/contract.ts';
import { english } from '#kit/contract/text.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { doDaily } from '#kit/server/job/daily.ts';
import type { Person } from '#testing/browser.ts';
import { finishRun } from '#testing/runs.ts';
import { familyInquiry, openSchool, type School } from '#testing/school.ts';
import { reviewApi } from '../../contract/review.ts';
import { dailyReminders } from '../inquiry/send-many.ts';
import { correctionRuns } from './remind-correction.ts';

let school: School;
let office: Person;

beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', role: 'Staff', sets: ['office'] });
});
afterAll(() => school.close());
beforeEach(async () => {
  school.clock.now = undefined;
  await school.sql(`delete from outbox; delete from attempt; delete from daily_task;
    update admission_correction set answered_at = now() where answered_at is null;
    update admission_inquiry set state = 'Under review', open_pages = '{}' where state = 'Correction requested'`);
});

/** A family that was asked for a correction some days ago. */
async function asked(days = 0) {
  const { id } = await school.inquiry({ ...familyInquiry });
  await school.sql(`update admission_inquiry set state = 'Correction requested', open_pages = '{2}',
      received_at = now(), mother_email = null, mother_mobile = null where id = ${id};
    insert into admission_correction (inquiry_id, pages, staff_id, requested_at)
      values (${id}, '{2}', ${office.staffId}, now() - make_interval(days => ${days}))`);
  return id;
}
async function start(ids: number[]) {
  const input = { selection: { ids } };
  const { confirmToken, ...preview } = await office.call(reviewApi.remindMany, input as never);
  if (!confirmToken) return { preview, run: 0 };
  const { runId } = await office.call(reviewApi.remindMany, { ...input, confirmToken } as never);
  return { preview, run: Number(runId) };
}
async function work(run: number) {
  await school.sql(`update run set begins_at = null where id = ${run}`);
  await finishRun(school.services, correctionRuns, run);
}
const messages = async () =>
  (await school.sql(`select id from outbox where template = 'admission.correction-reminder'`)).length;

test('selected families whose correction is awaited are reminded, and the others told why not', async () => {
  const [one, without] = [await asked(), await asked()];
  const { id: other } = await school.inquiry();
  await school.sql(`update admission_inquiry set received_at = now(), state = 'Verified' where id = ${other};
    update admission_inquiry set father_email = null, father_mobile = null where id = ${without}`);
  const { preview, run } = await start([one, without, other]);
  expect(preview).toMatchObject({ changed: 1, skippedCount: 2 });
  expect(preview.skipped.map(({ reason }) => reason.id)).toEqual([
    'Has no email address and no mobile number.',
    'The school does not wait for a correction.',
  ]);
  await work(run);
  expect(await office.call(runApi.read, { id: run })).toMatchObject({ done: 1, isFinished: true });
  expect(await messages()).toBe(1);
  const { text } = await school.send({ url: '/dev/outbox' });
  expect(text).toContain('is waiting for your corrections');
});

test('a family that answers between the preview and its turn is not reminded', async () => {
  const id = await asked();
  const { run } = await start([id]);
  await school.sql(`update admission_correction set answered_at = now() where inquiry_id = ${id};
    update admission_inquiry set state = 'Under review', open_pages = '{}' where id = ${id}`);
  await work(run);
  expect(await office.call(runApi.read, { id: run })).toMatchObject({ done: 0, skipped: 1 });
  expect(await messages()).toBe(0);
});

test('a family is reminded of one request once a day and three times, and of the next one again', async () => {
  const id = await asked();
  const reasonOf = async () => english((await start([id])).preview.skipped[0]?.reason ?? { id: 'none' });
  for (let day = 0; day < 3; day++) {
    school.clock.now = morning(day);
    await work((await start([id])).run);
    expect(await reasonOf()).toBe(day < 2 ? 'Was reminded today.' : 'Was reminded 3 times.');
  }
  school.clock.now = morning(9);
  expect(await reasonOf()).toBe('Was reminded 3 times.');
  await school.sql(`update admission_correction set answered_at = now() where inquiry_id = ${id};
    insert into admission_correction (inquiry_id, pages, staff_id, requested_at)
      values (${id}, '{2}', ${office.staffId}, now())`);
  await work((await start([id])).run);
  expect(await messages()).toBe(4);
});

/** Ten in the morning, India, so many days from now. */
const morning = (days: number) => new Date(`${addDays(toLocalDate(new Date()), days)}T04:30:00Z`);

test('a correction that rests is reminded on days 2, 5 and 10 after the request, then no more', async () => {
  await school.sql(`update admission_inquiry set state = 'Lost' where state in ('Form sent', 'In progress')`);
  await asked();
  const sentOn: number[] = [];
  for (let day = 1; day <= 14; day++) {
    school.clock.now = morning(day);
    const before = await messages();
    await doDaily(school.services, dailyReminders);
    for (const { id } of await school.sql('select id from run where finished_at is null')) await work(Number(id));
    if ((await messages()) > before) sentOn.push(day);
  }
  expect(sentOn).toEqual([2, 5, 10]);
});

test('a school that reminds more often than three times reminds of a correction as often', async () => {
  await school.sql(`insert into setting (key, value) values ('admission.most-reminders', '5')`);
  const id = await asked();
  for (let day = 0; day < 5; day++) {
    school.clock.now = morning(day);
    const { run } = await start([id]);
    await work(run);
    expect(await office.call(runApi.read, { id: run })).toMatchObject({ done: 1, failed: 0 });
  }
  await school.sql(`delete from setting where key = 'admission.most-reminders'`);
});
