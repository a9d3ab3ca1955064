import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { linkApi } from '#features/family/contract/link.ts';
import { studentRecordApi } from '#features/student/contract/record.ts';
import { endpoint, keepsAnswer } from '#kit/contract/endpoint.ts';
import type { UserContext } from '#kit/server/context.ts';
import { openHttp } from '#kit/server/http/http.ts';
import { serve } from '#kit/server/http/routes.ts';
import { openLog } from '#kit/server/log.ts';
import { auditReveal } from '#kit/server/security/reveal.ts';
import { sessionCookie } from '#kit/server/security/session.ts';
import type { Person } from '#testing/browser.ts';
import { openFamilyPage } from '#testing/family.ts';
import { requestOf } from '#testing/inputs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { allRoutes } from './server.ts';

let school: School;
let office: Person;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ sets: ['office'] });
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

const key = { 'idempotency-key': 'the-same-key' };
const audited = async (action: string) => (await school.sql(`select from audit where action = '${action}'`)).length;
const age = () => school.sql(`update sign_in_session set confirmed_at = now() - interval '601 seconds'`);

test('Z7 an answer that reveals something, or has a link, is kept for no Idempotency-Key', () => {
  const revealing = allRoutes
    .map(({ endpoint }) => endpoint)
    .filter(({ isReveal, givesLink }) => isReveal || givesLink);
  expect(revealing.length).toBeGreaterThan(9);
  expect(revealing.filter(keepsAnswer)).toEqual([]);
});

test('Z7 a reveal whose operation keeps its answer fails, so that the next one says so', async () => {
  const asked = {
    method: 'POST',
    path: '/reveal',
    access: [admin()],
    input: z.object({}),
    output: z.object({}),
  } as const;
  const reveal = async (ctx: UserContext) => {
    await auditReveal(ctx, { action: 'test.revealed', entity: 'student', entityId: 1, reason: 'Asked by the bank' });
    return {};
  };
  const { cookies } = await school.person({ role: 'Admin' });
  const statusOf = async (isReveal: boolean) => {
    const app = await openHttp({ log: openLog('silent'), trustedProxies: [], isSecure: false });
    serve(app, school.services, [{ endpoint: endpoint({ ...asked, isReveal }), handle: reveal as never }]);
    const cookie = `${sessionCookie}=${cookies.get(sessionCookie)}`;
    const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...key };
    const send = () => app.inject({ method: 'POST', url: '/api/reveal', headers, payload: '{}' });
    const answers = [await send(), await send()].map(({ statusCode }) => statusCode);
    await app.close();
    return answers;
  };
  expect([await statusOf(false), await audited('test.revealed')]).toEqual([[500, 500], 0]);
  expect([await statusOf(true), await audited('test.revealed')]).toEqual([[200, 200], 2]);
});

test('Z7 a number and a link that are asked for again under one key are audited each time', async () => {
  const { child, guardianId } = await openFamilyPage(school);
  await office.call(studentRecordApi.saveIdentity, {
    ...(await office.call(studentRecordApi.identity, { id: child })),
    id: child,
    aadhaar: '234123412346',
  } as never);
  const number = {
    ...requestOf(studentRecordApi.revealAadhaar, { id: child, reason: 'Asked by the bank' }),
    headers: key,
  };
  const link = { ...requestOf(linkApi.copy, { id: guardianId }), headers: { 'idempotency-key': 'another-key' } };
  for (const [request, action] of [
    [number, 'student.aadhaar-revealed'],
    [link, 'family.link.copied'],
  ] as const) {
    const answers = [await office.send(request), await office.send(request), await office.send(request)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([action, await audited(action)]).toEqual([action, 3]);
  }
  expect(await school.sql(`select from repeated_request where key in ('the-same-key', 'another-key')`)).toEqual([]);
});

test('Z5 links by hand need a new proof of identity after 20 an hour, and count as openings', async () => {
  const section = await openSection(school);
  const person = await school.person({ sets: ['office'] });
  const copy = async (guardianId: number) => {
    const { status, json } = await person.send(requestOf(linkApi.copy, { id: guardianId }));
    return status === 200 ? 200 : json.error.code;
  };
  const guardians: number[] = [];
  for (let made = 0; made < 22; made++) {
    const child = await seat(school, section, 'Aarohi');
    guardians.push(await raise(school, [child], { firstName: 'Meera' }));
  }
  await age();
  for (const guardianId of guardians.slice(0, 20)) expect(await copy(guardianId)).toBe(200);
  expect(await copy(guardians[20] ?? 0)).toBe('sign_in_again');
  await school.sql('update sign_in_session set confirmed_at = now()');
  expect(await copy(guardians[20] ?? 0)).toBe(200);
  const [opened] = await school.sql(`select hits from attempt where kind = 'opened' and subject = '${person.id}'`);
  expect(opened).toEqual({ hits: 21 });
});
