import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { linkValueOf, openFamilyPage, prove, raiseWithLink } from '#testing/family.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { saveSetting } from '#testing/settings.ts';
import { openSection } from '#testing/teachers.ts';
import { linkByNumber } from './settings.ts';

let school: School;
let section: number;
beforeAll(async () => {
  school = await openSchool();
  section = await openSection(school);
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

const ask = (mobile: string) => school.send({ method: 'POST', url: '/api/family/by-number', body: { mobile } });
const sentTo = (guardianId: number) =>
  school.sql(`select recipient from outbox where template = 'family.link' and subject_id = ${guardianId}`);
const open = async (link: string) => (await school.send({ url: `/api/family?family=${link}` })).status;
const child = () => seat(school, section, 'Aarohi');
let last = 9_825_100_000;
const number = () => String(++last);

test('FM04 a known, an unknown, a revoked and a barred adult’s number get one answer; the known one gets the link', async () => {
  const [known, revoked, shared] = [number(), number(), number()];
  const meera = await raiseWithLink(school, [await child()], { firstName: 'Meera', mobile: known });
  const ravi = await raiseWithLink(school, [await child()], { firstName: 'Ravi', mobile: revoked });
  await school.sql(
    `update family_link set revoked_at = now(), revoked_reason = 'Lost' where guardian_id = ${ravi.guardianId}`,
  );
  const isha = await child();
  const asha = await raiseWithLink(school, [isha], { firstName: 'Asha', mobile: shared });
  const rajesh = await raise(school, [isha], { firstName: 'Rajesh', mobile: shared }, { isPrimary: false });
  await school.sql(`update student_guardian set is_barred = true, may_collect = false, receives_messages = false
    where guardian_id = ${rajesh}`);
  const answers = [];
  for (const one of [known, number(), revoked, shared]) answers.push(await ask(one));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  expect(await sentTo(meera.guardianId)).toEqual([{ recipient: known }]);
  for (const id of [ravi.guardianId, asha.guardianId, rajesh]) expect(await sentTo(id)).toEqual([]);
});

test('FM04 the third asking of a day sends nothing and answers alike, however the number is written', async () => {
  const mobile = number();
  const { guardianId } = await raiseWithLink(school, [await child()], { firstName: 'Meera', mobile });
  const texts = [];
  for (const one of [mobile, `+91 ${mobile}`, mobile]) texts.push((await ask(one)).text);
  expect(new Set(texts).size).toBe(1);
  expect(await sentTo(guardianId)).toHaveLength(2);
});

test('a link that works is sent again and ends nothing; an expired one is replaced', async () => {
  const mobile = number();
  const meera = await raiseWithLink(school, [await child()], { firstName: 'Meera', mobile });
  const phone = await prove(school, meera);
  await ask(mobile);
  expect(await open(meera.link)).toBe(200);
  await school.sql(
    `update family_link set expires_at = now() - interval '1 day' where guardian_id = ${meera.guardianId}`,
  );
  await ask(mobile);
  expect(await open(meera.link)).toBe(404);
  expect(await open(await linkValueOf(school, meera.guardianId))).toBe(200);
  expect((await phone.send({ url: '/api/family?family=' })).json.proof.isProven).toBe(true);
});

test('of two parents with one number each gets the own link, and a leaver’s parent none', async () => {
  const mobile = number();
  const [dev, gone] = [await child(), await child()];
  const meera = await raiseWithLink(school, [dev], { firstName: 'Meera', mobile });
  const ravi = await raiseWithLink(school, [dev], { firstName: 'Ravi', mobile }, { isPrimary: false });
  const left = await raiseWithLink(school, [gone], { firstName: 'Nita', mobile });
  await school.sql(`update student_section set effective_to = effective_from where student_id = ${gone};
    update student_enrollment set status = 'Left', left_on = joined_on where student_id = ${gone}`);
  await ask(mobile);
  expect([await sentTo(meera.guardianId), await sentTo(ravi.guardianId)]).toEqual([
    [{ recipient: mobile }],
    [{ recipient: mobile }],
  ]);
  expect(await sentTo(left.guardianId)).toEqual([]);
});

test('a network waits after 20 requests in an hour, and a mobile number of five digits is refused', async () => {
  expect((await ask('12345')).json.error.code).toBe('invalid');
  const statuses = [];
  for (let n = 0; n < 21; n++) statuses.push((await ask(number())).status);
  expect([new Set(statuses.slice(0, 20)), statuses.at(-1)]).toEqual([new Set([200]), 429]);
});

test('without the setting every number is refused alike', async () => {
  const { guardianId } = await openFamilyPage(school);
  await saveSetting(school, linkByNumber, false);
  expect((await ask('9825000001')).json.error.code).toBe('conflict');
  expect(await sentTo(guardianId)).toEqual([]);
  await saveSetting(school, linkByNumber, true);
});
