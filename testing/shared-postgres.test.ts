import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { execute, openTestPostgres } from './postgres.ts';

test('a program of npm test uses the database of the run, and leaves it when it ends', async () => {
  const { url, template } = inject('postgres');
  vi.stubEnv('TEST_POSTGRES', JSON.stringify({ url, template }));
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const shared = await openTestPostgres();
  expect([shared.url, shared.template]).toEqual([url, template]);
  await shared.drop();
  expect(await execute(url, `select 1 as kept from pg_database where datname = '${template}'`)).toEqual([{ kept: 1 }]);
});
