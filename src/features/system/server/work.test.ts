import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRun } from '#kit/server/job/runs.ts';
import { queueMessage } from '#kit/server/messages/outbox.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin' });
});
afterAll(() => school.close());

const work = async (query = '') => (await admin.send({ url: `/api/system/work${query}` })).json;
const act = (id: number, name: 'try' | 'give-up') =>
  admin.send({ method: 'POST', url: `/api/system/job/${id}/${name}`, body: {} });

/** A message whose job failed twice and waits for its next try in an hour; returns the job's number. */
async function failMessage(recipient = 'a@b.example') {
  await school.services.db
    .transaction()
    .execute((db) =>
      queueMessage({ ...school.context(), db }, { channel: 'email', template: 'admin-added', recipient, subjectId: 1 }),
    );
  const [row] =
    await school.sql(`update graphile_worker._private_jobs set attempts = 2, run_at = now() + interval '1 hour',
      last_error = E'Message 1 was not sent: ECONNREFUSED\\nat send' where key = 'message:' || (select max(id) from outbox)
    returning id::integer, (payload ->> 'id')::integer as message`);
  return row as { id: number; message: number };
}
const jobOf = async (id: number) =>
  (
    await school.sql(
      `select attempts::integer, run_at <= now() as "isDue" from graphile_worker._private_jobs where id = ${id}`,
    )
  )[0];

test('SY4 Admins see each job that failed with its tries and the error’s first line, and no job that has not failed', async () => {
  const { id, message } = await failMessage();
  await school.services.db
    .transaction()
    .execute((db) =>
      queueMessage(
        { ...school.context(), db },
        { channel: 'email', template: 'admin-added', recipient: 'c@d.example', subjectId: 1 },
      ),
    );
  const { jobs, before } = await work();
  expect(jobs).toEqual([
    {
      id,
      does: { id: 'Send message {subject}', values: { subject: String(message) } },
      tries: 2,
      isOver: false,
      error: 'Message 1 was not sent: ECONNREFUSED',
      nextAt: expect.any(String),
      isRunning: false,
    },
  ]);
  expect(before).toBeNull();
  await school.sql('delete from graphile_worker._private_jobs');
});

test('SY4 more failed jobs than a page holds are read page by page, each once', async () => {
  await school.sql(`insert into outbox (channel, template, recipient, subject_id)
    select 'email', 'admin-added', 'a@b.example', 1 from generate_series(1, 60)`);
  await school.sql(`select queue_sending(id) from outbox`);
  await school.sql(`update graphile_worker._private_jobs set attempts = 1, last_error = 'ECONNREFUSED'`);
  const first = await work();
  const second = await work(`?before=${first.before}`);
  const ids = [...first.jobs, ...second.jobs].map(({ id }: { id: number }) => id);
  const [all] = await school.sql('select count(*)::integer as count from graphile_worker._private_jobs');
  expect([first.jobs.length, ids.length, new Set(ids).size, second.before]).toEqual([50, all?.count, all?.count, null]);
  await school.sql('delete from graphile_worker._private_jobs');
});

test('OP6 Try now makes a waiting job due, with one more try where it has none left; on one that runs it is refused', async () => {
  const { id } = await failMessage();
  expect((await act(id, 'try')).status).toBe(200);
  expect(await jobOf(id)).toEqual({ attempts: 2, isDue: true });
  await school.sql(
    `update graphile_worker._private_jobs set attempts = max_attempts, run_at = now() + interval '1 hour' where id = ${id}`,
  );
  expect((await work()).jobs[0]).toMatchObject({ id, isOver: true });
  await act(id, 'try');
  expect(await jobOf(id)).toEqual({ attempts: 19, isDue: true });
  await school.sql(`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'w' where id = ${id}`);
  for (const name of ['try', 'give-up'] as const) expect((await act(id, name)).status).toBe(409);
  expect(await jobOf(id)).toMatchObject({ attempts: 19 });
  expect((await act(4_711_000, 'try')).status).toBe(404);
  await school.sql('delete from graphile_worker._private_jobs');
});

test('OP6 Give up ends the job of a message, which is not sent and keeps no address; the audit log names the message', async () => {
  const { id, message } = await failMessage();
  expect((await act(id, 'give-up')).status).toBe(200);
  expect(await jobOf(id)).toBeUndefined();
  expect(await school.sql(`select status, recipient from outbox where id = ${message}`)).toEqual([
    { status: 'failed', recipient: null },
  ]);
  expect(await school.sql(`select action, entity, entity_id from audit where action = 'system.job-given-up'`)).toEqual([
    { action: 'system.job-given-up', entity: 'outbox', entity_id: message },
  ]);
  expect((await work()).messages).toContainEqual(
    expect.objectContaining({ template: 'admin-added', channel: 'email', messages: expect.any(Number) }),
  );
});

test('OP6 Give up on a run skips the records that it has left, with a reason, and those that are done remain so', async () => {
  const run = await school.services.db
    .transaction()
    .execute((db) =>
      startRun(
        { ...school.context(), db },
        { kind: 'admission.remind', input: {}, rows: [1, 2, 3].map((id) => ({ id, name: `Child ${id}` })) },
      ),
    );
  await school.sql(`update run_row set status = 'Done' where run_id = ${run} and subject_id = 1`);
  const [job] = await school.sql(`update graphile_worker._private_jobs set attempts = 3, last_error = 'timeout'
    where key = 'run:${run}' returning id::integer`);
  expect((await act(Number(job?.id), 'give-up')).status).toBe(200);
  expect(
    await school.sql(`select status, reason ->> 'id' as reason from run_row where run_id = ${run} order by subject_id`),
  ).toEqual([
    { status: 'Done', reason: null },
    { status: 'Skipped', reason: 'Given up by an Admin.' },
    { status: 'Skipped', reason: 'Given up by an Admin.' },
  ]);
  expect(await school.sql(`select finished_at is not null as "isFinished" from run where id = ${run}`)).toEqual([
    { isFinished: true },
  ]);
});

test('SY4 the application reads no table of the jobs by itself, and only Admins call these operations', async () => {
  await expect(
    school.services.db.executeQuery({ sql: 'select * from graphile_worker._private_jobs', parameters: [] } as never),
  ).rejects.toThrow('permission denied');
  const staff = await school.person({ sets: ['office'] });
  expect((await staff.send({ url: '/api/system/work' })).status).toBe(403);
});
