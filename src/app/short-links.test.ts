import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readShortLink, renewLink, revokeLink } from '#features/admission-form/api.ts';
import { openSchool, type School } from '#testing/school.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

const short = (id: number) =>
  school.services.db.transaction().execute((db) => readShortLink({ ...school.context(), db }, 'Test', id));
const follow = async (link: string) => {
  const { status, headers } = await school.send({ url: new URL(link).pathname });
  return [status, headers.location];
};

test('a short link of ten characters leads to the form', async () => {
  const family = await school.inquiry();
  const link = await short(family.id);
  expect(new URL(link).pathname).toMatch(/^\/a\/[1-9A-HJ-NP-Za-km-z]{10}$/);
  expect(await follow(link)).toEqual([302, `/admission?inquiryNo=${family.link}`]);
});

test.each(['.', ')', '>', '%20', '%0A', '%22', ',', '%E0%A5%A4', '%E2%80%8B', '/', './', '%E0'])(
  'a short link opens with what a message adds after it: %j',
  async (after) => {
    const family = await school.inquiry();
    const { pathname } = new URL(await short(family.id));
    const { status, headers } = await school.send({ url: pathname + after });
    expect(status).toBe(302);
    // What cannot be read is cut off first.
    const answer = headers.location === pathname ? await school.send({ url: pathname }) : { headers };
    expect(answer.headers.location).toBe(`/admission?inquiryNo=${family.link}`);
  },
);

test('a link that was typed with capitals, or ends with a full stop, leads to the form', async () => {
  const family = await school.inquiry();
  const [, code] = new URL(await short(family.id)).pathname.split('/a/');
  const at = async (url: string) => (await school.send({ url })).headers.location;
  expect(await at(`/A/${code}`)).toBe(`/admission?inquiryNo=${family.link}`);
  const query = `?inquiryNo=${family.link}`;
  for (const path of ['/Admission', '/ADMISSION', '/admission.', '/Admission/', '/admission%E2%80%8B', '/admission%E0'])
    expect([path, await at(path + query)]).toEqual([path, `/admission${query}`]);
  for (const path of [
    '/admissions',
    '/Admission/x',
    '//Admission',
    '//evil.example%E0',
    '/api.',
    '/API/admission/school',
  ])
    expect([path, await at(path)]).toEqual([path, '/login']);
});

test.each(['%3C', '%20', '%E2%80%8B'])('a short link opens with what a message adds before it: %j', async (before) => {
  const family = await school.inquiry();
  const [, code] = new URL(await short(family.id)).pathname.split('/a/');
  const { status, headers } = await school.send({ url: `/a/${before}${code}` });
  expect([status, headers.location]).toEqual([302, `/admission?inquiryNo=${family.link}`]);
});

test('a page with a slash after its path leads to the page, with its link', async () => {
  const { status, headers } = await school.send({ url: '/admission/?inquiryNo=abc' });
  expect([status, headers.location]).toEqual([302, '/admission?inquiryNo=abc']);
});

test('a renewed link has another short form, and a revoked or unknown one leads to the page for a new link', async () => {
  const family = await school.inquiry();
  const first = await short(family.id);
  await school.services.db.transaction().execute((db) => renewLink({ ...school.context(), db }, 'Test', family.id));
  const second = await short(family.id);
  expect(second).not.toBe(first);
  expect(await follow(first)).toEqual([302, '/admission']);
  await school.services.db.transaction().execute((db) => revokeLink({ ...school.context(), db }, 'Test', family.id));
  expect(await follow(second)).toEqual([302, '/admission']);
  expect(await follow('http://school.example/a/aaaaaaaaaa')).toEqual([302, '/admission']);
  expect(await follow('http://school.example/a/..%2f')).toEqual([302, '/admission']);
});

test('an inquiry from before short links gets one when its link is read', async () => {
  const family = await school.inquiry();
  const link = await short(family.id);
  await school.sql(`update admission_inquiry set short_hash = null where id = ${family.id}`);
  expect(await follow(link)).toEqual([302, '/admission']);
  expect(await short(family.id)).toBe(link);
  expect((await follow(link))[1]).toBe(`/admission?inquiryNo=${family.link}`);
});

test('the log has no short link', async () => {
  const family = await school.inquiry();
  const link = await short(family.id);
  await follow(link);
  await school.send({ url: new URL(link).pathname.replace('/a/', '/A/') });
  // A refused one has its line at every level.
  await school.send({ method: 'POST', url: new URL(link).pathname, body: {} });
  expect(school.log()).toContain('/a/[link]');
  expect(school.log()).not.toContain(link.slice(-10));
});

test('Y9 unknown short links of a network keep no family from its form', async () => {
  const family = await school.inquiry();
  const link = await short(family.id);
  await school.sql(`insert into attempt (kind, subject, hits, window_ends)
    select 'unknown-short-link', subject, 1000, now() + interval '1 hour' from unnest(array['127.0.0.1', '127.0.0.0/24', '::1']) as subject`);
  expect(await follow('http://school.example/a/aaaaaaaaaa')).toEqual([302, '/admission']);
  expect(await follow(link)).toEqual([302, `/admission?inquiryNo=${family.link}`]);
});

test('Y9 an expired, a revoked, a replaced and an unknown short link are answered alike', async () => {
  const answerOf = async (link: string) => {
    const { status, headers, text } = await school.send({ url: new URL(link).pathname });
    const { date: _, 'x-request-id': __, ...rest } = headers;
    return JSON.stringify([status, rest, text]);
  };
  const [expired, revoked, replaced] = [await school.inquiry(), await school.inquiry(), await school.inquiry()];
  const links = [await short(expired.id), await short(revoked.id), await short(replaced.id)];
  await school.sql(`update admission_inquiry set link_expires_at = now() - interval '1 hour' where id = ${expired.id}`);
  await revokeLink(school.context(), 'Test', revoked.id);
  await renewLink(school.context(), 'Test', replaced.id);
  const answers = [];
  for (const link of [...links, 'http://school.example/a/aaaaaaaaaa']) answers.push(await answerOf(link));
  expect(new Set(answers).size).toBe(1);
});
