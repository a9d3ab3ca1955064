import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLog } from '#kit/server/log.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { startJobs } from './jobs.ts';

let school: School;
beforeAll(async () => {
  school = await openOwnSchool();
});
afterAll(() => school.close());

test('J3 jobs are worked on again after the database failed while the kinds of jobs were looked up', async () => {
  await school.sql(`create sequence tries;
    create function fail() returns trigger language plpgsql as $$ begin
      perform nextval('tries');
      raise exception 'The database fails';
    end $$;
    create trigger fails before insert on graphile_worker._private_tasks for each statement execute function fail()`);
  let done = 0;
  const tasks = { 'test-job': async () => void done++ };
  const log = openLog('silent');
  const jobs = startJobs({ ownerUrl: school.config.databaseOwnerUrl, pool: 10, log, tasks });
  try {
    await expect.poll(async () => (await school.sql('select is_called from tries'))[0]?.is_called).toBe(true);
    await school.sql('drop trigger fails on graphile_worker._private_tasks');
    await school.sql(`select graphile_worker.add_job('test-job', '{}')`);
    await expect.poll(() => done).toBe(1);
  } finally {
    await jobs.stop();
  }
});
