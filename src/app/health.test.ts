import { afterAll, beforeAll, expect, test } from 'vitest';
import { programVersion } from '#kit/server/version.ts';
import { openSchool, type School } from '#testing/school.ts';
import { recordStatements } from '#testing/statements.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

test('W4 whether the server is ready is looked at once for all who ask at the same time', async () => {
  const ask = async () => (await school.send({ url: '/readyz' })).json;
  const alone = await recordStatements(school, ask);
  const together = await recordStatements(school, () => Promise.all(Array.from({ length: 100 }, ask)));
  expect(alone.texts.length).toBeGreaterThan(0);
  expect(together.texts).toHaveLength(alone.texts.length);
  expect(together.result).toEqual(Array.from({ length: 100 }, () => alone.result));
});

test('E6 callers on this machine and Admins see the version, and no other caller', async () => {
  const seen = async (options: object) => (await school.app.inject({ url: '/readyz', ...options })).json().version;
  expect(await seen({})).toBe(programVersion());
  expect(await seen({ remoteAddress: '::ffff:127.0.0.1' })).toBe(programVersion());
  expect(await seen({ remoteAddress: '10.0.0.7' })).toBeUndefined();
  expect(await seen({ headers: { 'x-forwarded-for': '203.0.113.9' } })).toBeUndefined();
  const versionOf = async (role: 'Admin' | 'Staff') =>
    (await (await school.person({ role })).send({ url: '/api/sign-in/me' })).json.version;
  expect([await versionOf('Admin'), await versionOf('Staff')]).toEqual([programVersion(), undefined]);
});
