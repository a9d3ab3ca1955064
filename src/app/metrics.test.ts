import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#kit/server/config.ts';
import { openLog } from '#kit/server/log.ts';
import { openSchool, type School } from '#testing/school.ts';
import { isSoak } from '#testing/soak.ts';
import { type Metrics, openMetrics, serveMetrics } from './metrics.ts';
import { buildServer } from './server.ts';

let school: School;
let metrics: Metrics;
let app: Awaited<ReturnType<typeof buildServer>>;
beforeAll(async () => {
  school = await openSchool();
  metrics = openMetrics(school.services);
  app = await buildServer(school.services, school.config, openLog('silent'), { hasPages: false, metrics });
});
afterAll(async () => {
  metrics.stop();
  await app.close();
  await school.close();
});

const lines = async () => (await metrics.text()).split('\n');

test('OP4 requests are counted by the template of their path: no label holds a link, an id or what was typed', async () => {
  const asked = Array.from({ length: isSoak ? 2000 : 100 }, (_, number) => 4_711_000 + number);
  for (const id of asked) {
    await app.inject({ url: `/api/admission/inquiry?inquiryNo=link${id}` });
    await app.inject({ url: `/api/student/${id}` });
    await app.inject({ url: `/no/such/page/${id}` });
  }
  const found = await lines();
  expect(found.filter((line) => /4711|link4/.test(line))).toEqual([]);
  expect(found).toContain(
    `shala_requests_total{route="/api/admission/inquiry",method="GET",status="4xx"} ${asked.length}`,
  );
  expect(found).toContainEqual(expect.stringMatching(/^shala_requests_total\{route="\/api\/student\/:\w+",.*\} \d+$/));
  expect(found.length).toBeLessThan(12_000);
  for (const line of found.filter(Boolean))
    expect(line).toMatch(/^(# (HELP|TYPE) .*|[a-z_]+(\{[^}]*\})? -?[0-9.e+-]+)$/);
});

test('OP4 while the database hangs, metrics say so within three seconds, and have the rest', async () => {
  expect(await lines()).toContain('shala_database_up 1');
  const client = new pg.Client({ connectionString: school.config.databaseOwnerUrl });
  await client.connect();
  await client.query('begin; lock table outbox');
  const fresh = openMetrics(school.services);
  const began = performance.now();
  const text = await fresh.text();
  expect(performance.now() - began).toBeLessThan(isSoak ? 3000 : 30_000);
  expect(text).toContain('shala_database_up 0\n');
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  await client.end();
  fresh.stop();
});

test('OP4 metrics have an address of their own, which another machine needs a token for', async () => {
  const { port, stop } = await serveMetrics(
    { text: async () => 'shala_database_up 1\n' },
    { host: '127.0.0.1', port: 0, token: 'secret' },
  );
  const ask = async (path: string, authorization?: string) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers: authorization ? { authorization } : {} })).status;
  expect(await ask('/metrics', 'Bearer secret')).toBe(200);
  expect([await ask('/metrics'), await ask('/metrics', 'Bearer other'), await ask('/readyz', 'Bearer secret')]).toEqual(
    [401, 401, 404],
  );
  await stop();
  expect((await school.send({ url: '/metrics' })).text).not.toContain('shala_');
  const read = (settings: Record<string, string>) =>
    readConfig({ DATABASE_URL: 'postgres://x/y', ...settings }).metrics;
  expect(read({})).toBeUndefined();
  expect(() => read({ METRICS_PORT: '9100', METRICS_HOST: '0.0.0.0' })).toThrow('METRICS_TOKEN must be given');
  expect(read({ METRICS_PORT: '9100' })).toEqual({ host: '127.0.0.1', port: 9100, token: undefined });
});
