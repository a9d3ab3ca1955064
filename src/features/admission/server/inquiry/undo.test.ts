import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runApi } from '#features/run/contract.ts';
import { workOnRun } from '#kit/server/job/runs.ts';
import type { Person } from '#testing/browser.ts';
import { openAdmission } from '#testing/open-admission.ts';
import { openSchool, type School } from '#testing/school.ts';
import { inquiryApi } from '../../contract/inquiry.ts';
import { inquiryRuns } from './send-many.ts';

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
beforeEach(async () => {
  school.clock.now = undefined;
  await school.sql('delete from outbox; delete from attempt');
});

async function start() {
  const { id } = await school.inquiry();
  const input = { selection: { ids: [id] } };
  const { confirmToken } = await office.call(inquiryApi.remindMany, input as never);
  const { runId } = await office.call(inquiryApi.remindMany, { ...input, confirmToken } as never);
  return Number(runId);
}
const work = (id: number) => workOnRun(school.services, inquiryRuns, id);
const read = (id: number) => office.call(runApi.read, { id });
const messages = async () => (await school.sql('select id from outbox')).length;
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);
const job = async (id: number) =>
  (
    await school.sql(`select extract(epoch from run_at - now())::integer as seconds
      from graphile_worker.jobs where key = 'run:${id}'`)
  )[0]?.seconds;

test('a run that sends to families waits 30 seconds before the first record', async () => {
  const run = await start();
  expect((await read(run)).secondsLeft).toBeGreaterThan(20);
  expect(Number(await job(run))).toBeGreaterThan(20);
  await work(run);
  expect(await read(run)).toMatchObject({ isFinished: false, done: 0 });
  expect(await messages()).toBe(0);
  school.clock.now = inSeconds(31);
  expect((await read(run)).secondsLeft).toBe(0);
  await work(run);
  expect(await read(run)).toMatchObject({ isFinished: true, done: 1 });
});

test('a run that is undone sends nothing, and says so of every record', async () => {
  const run = await start();
  await office.call(runApi.cancel, { id: run });
  school.clock.now = inSeconds(31);
  await work(run);
  expect(await read(run)).toMatchObject({
    isFinished: true,
    secondsLeft: 0,
    skipped: 1,
    notDone: [{ reason: { id: 'Undone before it began.' } }],
  });
  expect(await messages()).toBe(0);
  expect(await school.sql(`select entity_id from audit where action = 'run.cancelled'`)).toEqual([{ entity_id: run }]);
});

test('a run that has begun or is undone already can’t be undone', async () => {
  const run = await start();
  school.clock.now = inSeconds(31);
  await expect(office.call(runApi.cancel, { id: run })).rejects.toMatchObject({ code: 'conflict' });
  await work(run);
  await expect(office.call(runApi.cancel, { id: run })).rejects.toMatchObject({ code: 'conflict' });
  expect(await read(run)).toMatchObject({ done: 1, skipped: 0 });
});

test('a run is undone by who started it and by nobody else', async () => {
  const run = await start();
  await expect(other.call(runApi.cancel, { id: run })).rejects.toMatchObject({ code: 'not_found' });
  expect((await read(run)).isFinished).toBe(false);
});

test('a run whose undoing is not yet committed when its moment ends does not begin', async () => {
  const run = await start();
  school.clock.now = inSeconds(31);
  const undoing = school.sql(`do $$ begin
      perform from run where id = ${run} for update;
      perform pg_sleep(1);
      update run_row set status = 'Skipped', reason = '{"id": "Undone before it began."}' where run_id = ${run};
      update run set finished_at = now() where id = ${run};
    end $$`);
  await pause(300);
  await work(run);
  await undoing;
  expect(await read(run)).toMatchObject({ done: 0, skipped: 1 });
  expect(await messages()).toBe(0);
});
