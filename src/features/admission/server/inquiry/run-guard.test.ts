import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runApi } from '#features/run/contract.ts';
import { workOnRun } from '#kit/server/job/runs.ts';
import type { Person } from '#testing/browser.ts';
import { openAdmission } from '#testing/open-admission.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { inquiryApi } from '../../contract/inquiry.ts';
import { inquiryRuns } from './send-many.ts';

let school: School;
let office: Person;
let other: Person;
let admin: Person;

beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
  other = await school.person({ name: 'Farida', sets: ['office'] });
  admin = await school.person({ name: 'Asha', role: 'Admin' });
  await openAdmission(school);
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from outbox; delete from attempt'));

/** Inquiries whose form is not sent yet. */
async function fresh(count: number) {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) ids.push((await school.inquiry()).id);
  await school.sql(`update admission_inquiry set state = 'New', link_sent_at = null where id in (${ids.join()})`);
  return ids;
}
const preview = async (who: Person, ids: number[], endpoint = inquiryApi.sendMany) =>
  who.call(endpoint, { selection: { ids } } as never);
const apply = (who: Person, ids: number[], confirmToken: string | null, endpoint = inquiryApi.sendMany) =>
  who.call(endpoint, { selection: { ids }, confirmToken } as never);
async function start(who: Person, ids: number[]) {
  const { runId } = await apply(who, ids, (await preview(who, ids)).confirmToken);
  await school.sql('update run set begins_at = null');
  return Number(runId);
}
const work = (id: number) => finishRun(school.services, inquiryRuns, id);
const messages = async () => (await school.sql(`select id from outbox where template = 'admission.link'`)).length;
const results = async (id: number) =>
  (
    await school.sql(`select status, reason ->> 'id' as reason from run_row where run_id = ${id} order by subject_id`)
  ).map(({ status, reason }) => [status, reason]);

test.each([inquiryApi.sendMany, inquiryApi.remindMany])('Y6 a token starts one run, for $path', async (endpoint) => {
  const ids = await fresh(2);
  await school.sql(`update admission_inquiry set state = 'Form sent', link_sent_at = now() - interval '3 days'
    where id in (${ids.join()})`);
  const [mine, hers] = [await preview(office, ids, endpoint), await preview(other, ids, endpoint)];
  const outcomes = await Promise.allSettled([
    apply(office, ids, mine.confirmToken, endpoint),
    apply(office, ids, mine.confirmToken, endpoint),
    apply(other, ids, hers.confirmToken, endpoint),
  ]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'stale' });
  // A new preview starts another, also where the first was undone.
  await apply(office, ids, (await preview(office, ids, endpoint)).confirmToken, endpoint);
});

test('Y6 no run sends a family the form that it got within the hour', async () => {
  const ids = await fresh(3);
  const [first, second] = [await start(office, ids), await start(other, ids.slice(0, 2))];
  await work(first);
  const sent = await messages();
  await work(second);
  expect(await messages()).toBe(sent);
  expect(await results(second)).toEqual(Array(2).fill(['Skipped', 'The form was sent less than an hour ago.']));
  expect(await preview(office, ids)).toMatchObject({ changed: 0, skippedCount: 3, confirmToken: null });
  await school.sql(`update admission_inquiry set link_sent_at = now() - interval '61 minutes' where id = ${ids[0]}`);
  expect(await preview(office, ids)).toMatchObject({ changed: 1, skippedCount: 2 });
});

test('Y2 a reminder makes no new link for a family whose link was revoked, also after the run was started', async () => {
  const ids = await fresh(2);
  await school.sql(`update admission_inquiry set state = 'Form sent', link_sent_at = now() - interval '3 days'
    where id in (${ids.join()})`);
  const { runId } = await apply(
    office,
    ids,
    (await preview(office, ids, inquiryApi.remindMany)).confirmToken,
    inquiryApi.remindMany,
  );
  await office.call(inquiryApi.revokeLink, { id: ids[0] ?? 0 });
  await school.sql('update run set begins_at = null');
  await work(Number(runId));
  expect((await results(Number(runId))).map(([status]) => status)).toEqual(['Skipped', 'Done']);
  expect(await school.sql(`select from admission_inquiry where link_revoked_at is null and id = ${ids[0]}`)).toEqual(
    [],
  );
  expect(await preview(office, ids.slice(0, 1), inquiryApi.remindMany)).toMatchObject({ changed: 0, skippedCount: 1 });
});

const ends: Record<string, (id: number) => string> = {
  'was suspended': (id) => `update sign_in_account set is_active = false where id = ${id}`,
  'has left': (id) => `update sign_in_account set ends_on = current_date - 1 where id = ${id}`,
  'lost the permission': (id) => `update sign_in_account set sets = '{hr}' where id = ${id}`,
  'is Staff no more': (id) => `update sign_in_account set is_staff = false, is_admin = true where id = ${id}`,
};

test.each(Object.keys(ends))('Y24 nothing is sent for a starter who %s before the run began', async (end) => {
  const starter = await school.person({ name: 'Kiran', sets: ['office'] });
  const run = await start(starter, await fresh(2));
  await school.sql(ends[end]?.(starter.id) ?? '');
  await work(run);
  expect(await messages()).toBe(0);
  expect(await results(run)).toEqual(Array(2).fill(['Skipped', '{actor} may no longer do this.']));
  const [row] = await school.sql(`select finished_at is not null as ended from run where id = ${run}`);
  expect(row?.ended).toBe(true);
  expect(await school.sql(`select actor, action from audit where entity = 'run' and entity_id = ${run}`)).toEqual([
    { actor: 'Shala', action: 'run.stopped' },
  ]);
});

test('Y24 the starter is checked again at each turn', async () => {
  const starter = await school.person({ name: 'Kiran', sets: ['office'] });
  const ids = await fresh(3);
  const run = await start(starter, ids);
  const dying = new Error('The process ends');
  const acts = {
    'admission.send-form': async (ctx: never, id: number) => {
      if (id === ids[1]) throw dying;
      return inquiryRuns['admission.send-form'](ctx, id, {} as never);
    },
  };
  await school.sql(`create function refuse_failed() returns trigger language plpgsql as $$
      begin raise exception 'The process ends'; end $$;
    create trigger refuse_failed before update on run_row for each row when (new.status = 'Failed')
      execute function refuse_failed()`);
  await expect(workOnRun(school.services, acts as never, run)).rejects.toThrow('The process ends');
  await school.sql('drop trigger refuse_failed on run_row; drop function refuse_failed');
  const sent = await messages();
  await school.sql(`update sign_in_account set is_active = false where id = ${starter.id}`);
  await work(run);
  expect(await messages()).toBe(sent);
  expect((await results(run)).map(([status]) => status)).toEqual(['Done', 'Skipped', 'Skipped']);
});

test('Y24 an Admin sees every run and stops one', async () => {
  const run = await start(office, await fresh(2));
  const { rows } = await admin.call(runApi.list, {});
  expect(rows[0]).toMatchObject({ id: run, actor: 'Meena', title: { id: 'Send the form' }, total: 2, left: 2 });
  await admin.call(runApi.stop, { id: run });
  await work(run);
  expect(await messages()).toBe(0);
  expect(await results(run)).toEqual(Array(2).fill(['Skipped', 'Stopped by an Admin.']));
  expect((await admin.call(runApi.list, {})).rows.find(({ id }) => id === run)).toMatchObject({
    left: 0,
    isFinished: true,
  });
  await expect(admin.call(runApi.stop, { id: run })).rejects.toMatchObject({ code: 'conflict' });
  await expect(office.call(runApi.stop, { id: run })).rejects.toMatchObject({ code: 'forbidden' });
});
