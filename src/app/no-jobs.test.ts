import { afterAll, beforeAll, expect, test } from 'vitest';
import { queueMessage } from '#kit/server/messages/outbox.ts';
import { type MessageServers, openMessageServers } from '#testing/message-servers.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { run } from './run.ts';

let servers: MessageServers;
let school: School;
beforeAll(async () => {
  servers = await openMessageServers();
  school = await openOwnSchool({ ...servers.settings, PORT: '0', BACKUP_HOUR: 'off' });
});
afterAll(async () => {
  await school.close();
  await servers.close();
});

const count = async (query: string) => Number((await school.sql(`select count(*) as count from ${query}`))[0]?.count);

test('SY5 with SHALA_JOBS=off a process answers requests, and sends, tidies up and listens for jobs as little as if it were not there', async () => {
  const admin = await school.person({ role: 'Admin' });
  await school.services.db
    .transaction()
    .execute((db) =>
      queueMessage(
        { ...school.context(), db },
        { channel: 'email', template: 'admin-added', recipient: admin.email, subjectId: admin.id },
      ),
    );
  const off = await run({ ...school.config, doesJobs: false, logLevel: 'silent' });
  expect((await fetch(`http://localhost:${off.port}/readyz`)).status).toBe(200);
  expect(await count('server_process where not does_jobs and connections = 10')).toBe(1);
  expect(await count(`pg_stat_activity where datname = current_database() and query ilike 'listen %jobs%'`)).toBe(0);
  await off.stop();
  expect([await count('upkeep'), await count(`outbox where status = 'queued'`), servers.mails.length]).toEqual([
    0, 1, 0,
  ]);

  const on = await run({ ...school.config, logLevel: 'silent' });
  await expect.poll(() => servers.mails.map(({ to }) => to)).toEqual([[admin.email]]);
  expect(await count(`pg_stat_activity where datname = current_database() and query ilike 'listen %jobs%'`)).toBe(1);
  await on.stop();
  expect(await count('upkeep')).toBeGreaterThan(0);
});
