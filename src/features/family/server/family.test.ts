import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { english } from '#kit/contract/text.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { linkValueOf, openFamilyPage, prove, raiseWithLink } from '#testing/family.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { childrenOf, familyPart, linkOf, shortNames } from '../api.ts';

let school: School;
let section: number;
beforeAll(async () => {
  school = await openSchool();
  section = await openSection(school);
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

const today = () => toLocalDate(new Date());
const open = (link: string) => school.send({ url: `/api/family?family=${link}` });
const act = (path: string, link: string, body: object = {}) =>
  school.send({ method: 'POST', url: `/api/family/${path}?family=${link}`, body });
/** Ends the child's enrolment on a day in SQL. */
const leave = (child: number, day: string) =>
  school.sql(`update student_section set effective_to = (${day})::date where student_id = ${child};
    update student_enrollment set status = 'Left', left_on = (${day})::date where student_id = ${child}`);
const namesOf = async (link: string) =>
  (await open(link)).json.children.map(({ name }: { name: string }) => name).sort();

describe('the children on a guardian’s page', () => {
  test('N11.1 of three separated adults each sees the own children, and none that the law keeps from them', async () => {
    const aarohi = await seat(school, section, 'Aarohi');
    const dev = await seat(school, section, 'Dev');
    const pooja = await raiseWithLink(school, [dev], { firstName: 'Pooja', mobile: '9825000013' });
    const meera = await raiseWithLink(school, [aarohi], { firstName: 'Meera', mobile: '9825000011' });
    const rajesh = await raiseWithLink(
      school,
      [aarohi, dev],
      { firstName: 'Rajesh', mobile: '9825000012' },
      { isPrimary: false },
    );
    await school.sql(`update student_guardian set is_barred = true, may_collect = false, receives_messages = false
      where guardian_id = ${rajesh.guardianId} and student_id = ${aarohi}`);
    expect(await namesOf(meera.link)).toEqual(['Aarohi']);
    expect(await namesOf(rajesh.link)).toEqual(['Dev']);
    expect(await namesOf(pooja.link)).toEqual(['Dev']);
    for (const { link } of [rajesh, pooja]) expect((await open(link)).text).not.toMatch(/Aarohi|Meera/);
  });

  test('N11.2 a contact and a deceased adult see nothing', async () => {
    const child = await seat(school, section, 'Aarohi');
    await raise(school, [child], { firstName: 'Meera' });
    const warden = await raiseWithLink(school, [child], { firstName: 'Warden' }, { role: 'Contact', isPrimary: false });
    const late = await raiseWithLink(school, [child], { firstName: 'Late' }, { isPrimary: false });
    await school.sql(`update guardian set is_deceased = true where id = ${late.guardianId}`);
    for (const { link } of [warden, late]) expect((await open(link)).status).toBe(404);
  });

  test('N11.3 a child is there from its first day to its last, by dates and not by status', async () => {
    const { child, guardianId } = await openFamilyPage(school);
    const last = addDays(today(), 3);
    await leave(child, `'${last}'`);
    const on = async (day: string) => (await childrenOf(school.context(), guardianId, day)).length;
    expect([await on(today()), await on(last), await on(addDays(last, 1))]).toEqual([1, 1, 0]);
    await school.sql(`update student_enrollment set status = 'Active', left_on = null where student_id = ${child}`);
    expect(await on(addDays(last, 1))).toBe(1);
    const [row] = await school.sql(
      `select joined_on::text as first from student_enrollment where student_id = ${child}`,
    );
    expect([await on(String(row?.first)), await on(addDays(String(row?.first), -1))]).toEqual([1, 0]);
  });

  test('N11.4 a restriction that is entered limits the page to school matters, until the office decides otherwise', async () => {
    const { child, guardianId } = await openFamilyPage(school);
    const reach = async () => (await childrenOf(school.context(), guardianId, today()))[0]?.reach;
    expect(await reach()).toBe('All');
    const set = (values: string) => school.sql(`update student_guardian set ${values} where student_id = ${child}`);
    await set(`restriction = 'Order of 3 May: meets the child on Sundays'`);
    expect(await reach()).toBe('School matters');
    await set(`family_page = 'All'`);
    await set(`restriction = 'Order of 9 June'`);
    expect(await reach()).toBe('All');
  });

  test('the answer has first names and sections, and neither numbers, birth dates nor other adults', async () => {
    const child = await seat(school, section, 'Aarohi', { grNo: 'GR-SECRET', birthDate: '2018-02-03' });
    const { link } = await raiseWithLink(school, [child]);
    await raise(school, [child], { firstName: 'Otheradult', mobile: '9825999999' }, { isPrimary: false });
    const { json, text } = await open(link);
    expect(Object.keys(json).sort()).toEqual([
      'at',
      'children',
      'day',
      'guardian',
      'language',
      'parts',
      'proof',
      'until',
    ]);
    expect(Object.keys(json.children[0]).sort()).toEqual(['id', 'name', 'reach', 'section']);
    expect(text).not.toMatch(/GR-SECRET|2018-02-03|Otheradult|9825999999|9825000001/);
  });

  test('a feature’s part reads for the children of the link alone, and shows what its schema names', async () => {
    const { child, link, guardianId } = await openFamilyPage(school);
    const asked: unknown[] = [];
    const part = familyPart({
      key: 'test',
      output: z.array(z.object({ title: z.string() })),
      read: async (_, { children, ...who }) => {
        asked.push({ ...who, children: children.map(({ studentId }) => studentId) });
        return [{ title: 'Sports day', secret: 'for colleagues' }];
      },
    });
    const parts = school.services.familyParts as unknown[];
    parts.push(part);
    const { json } = await open(link);
    parts.pop();
    expect(json.parts).toEqual({ ...json.parts, test: [{ title: 'Sports day' }] });
    expect(asked).toEqual([{ guardianId, day: today(), children: [child], once: expect.any(Function) }]);
  });
});

describe('a link that is attacked', () => {
  const plain = ({ status, text, headers }: Awaited<ReturnType<typeof open>>) => {
    const { date: _, 'x-request-id': __, 'content-length': ___, ...rest } = headers;
    return JSON.stringify([status, text, rest]);
  };

  test('N12.1 guessed, altered, expired, revoked and replaced links are answered alike', async () => {
    const [expired, revoked, replaced, gone] = [
      await openFamilyPage(school),
      await openFamilyPage(school),
      await openFamilyPage(school),
      await openFamilyPage(school),
    ];
    await school.sql(`
      update family_link set expires_at = now() - interval '1 hour' where guardian_id = ${expired.guardianId};
      update family_link set revoked_at = now(), revoked_reason = 'Leak' where guardian_id in (${revoked.guardianId}, ${replaced.guardianId})`);
    await leave(gone.child, 'current_date - 1');
    expect(await linkValueOf(school, replaced.guardianId)).not.toBe(replaced.link);
    const live = (await openFamilyPage(school)).link;
    const altered = live.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const values = [
      expired.link,
      revoked.link,
      replaced.link,
      gone.link,
      altered,
      live.slice(1),
      `${live}0`,
      live.toUpperCase(),
      `${live}&family=${live}`,
      '',
      "' or 1=1 --",
      '%00',
    ];
    const answers = new Set<string>();
    for (const value of values) answers.add(plain(await open(value)));
    expect(answers.size).toBe(1);
    expect(JSON.parse([...answers][0] ?? '')[0]).toBe(404);
    expect((await open(live)).status).toBe(200);
  });

  test('N12.2 two thousand near values open nothing, and only the network that guesses waits', async () => {
    const { link } = await openFamilyPage(school);
    const statuses = new Set<number>();
    for (let n = 0; n < 2000; n++) {
      const place = n % 32;
      const digit = ((Number.parseInt(link[place] ?? '0', 16) + 1 + (n % 15)) % 16).toString(16);
      statuses.add((await open(link.slice(0, place) + digit + link.slice(place + 1))).status);
    }
    expect([...statuses].sort()).toEqual([404, 429]);
    expect((await open(link)).status).toBe(200);
  });

  test('N12.3 a link of the form opens no family page, and a family link no form', async () => {
    const family = await school.inquiry();
    const { link } = await openFamilyPage(school);
    expect((await open(family.link)).status).toBe(404);
    expect((await school.send({ url: `/api/admission/inquiry?inquiryNo=${link}` })).status).toBe(404);
    expect((await school.send({ url: `/api/family?inquiryNo=${link}` })).status).toBe(404);
    expect((await act('opened', '', { family: link })).status).toBe(404);
  });

  test('N12.4 a changed number or address ends the link and closes its message, a first one does not', async () => {
    const { guardianId, link } = await openFamilyPage(school);
    await school.sql(`update guardian set email = 'meera@example.in' where id = ${guardianId}`);
    expect((await open(link)).status).toBe(200);
    await school.sql(`insert into outbox (channel, template, recipient, subject_id, version)
      select 'sms', 'family.link', '9825000001', guardian_id, version from family_link where guardian_id = ${guardianId}`);
    await school.sql(`update guardian set mobile = '9825000002' where id = ${guardianId}`);
    expect((await open(link)).status).toBe(404);
    expect(
      await school.sql(
        `select status, recipient from outbox where template = 'family.link' and subject_id = ${guardianId}`,
      ),
    ).toEqual([{ status: 'expired', recipient: null }]);
  });

  test('N12.5 no log line has the value, and the database only its hash', async () => {
    const { link, guardianId } = await openFamilyPage(school);
    await open(link);
    await act('opened', link);
    expect(school.log()).not.toContain(link);
    const [row] = await school.sql(
      `select family_link::text as row from family_link where guardian_id = ${guardianId}`,
    );
    expect(String(row?.row)).not.toContain(link);
  });
});

describe('openings', () => {
  test('N13.1 reading does not count, and two openings within half an hour count once', async () => {
    const { link, guardianId } = await openFamilyPage(school);
    const counted = () => school.sql(`select times from family_opening where guardian_id = ${guardianId}`);
    await open(link);
    expect(await counted()).toEqual([]);
    await act('opened', link);
    await act('opened', link);
    expect(await counted()).toEqual([{ times: 1 }]);
    await school.sql(`update attempt set window_ends = now() - interval '1 second' where kind = 'family-visit'`);
    await act('opened', link);
    expect(await counted()).toEqual([{ times: 2 }]);
  });

  test('N13.2 opening does not extend a link, sending does', async () => {
    const { link, guardianId } = await openFamilyPage(school);
    const left = async () => {
      const [row] = await school.sql(`select expires_at > now() + interval '170 days' as long from family_link
        where guardian_id = ${guardianId}`);
      return row?.long;
    };
    await school.sql(`update family_link set expires_at = now() + interval '1 hour' where guardian_id = ${guardianId}`);
    await open(link);
    await act('opened', link);
    expect(await left()).toBe(false);
    expect(await linkValueOf(school, guardianId)).toBe(link);
    expect(await left()).toBe(true);
  });
});

test('a proven guardian who sees all of a child reads who else sees it, by relation, without a name or a barred adult', async () => {
  const dev = await seat(school, section, 'Dev');
  const meera = await raiseWithLink(school, [dev], { firstName: 'Meera', mobile: '9825000311' });
  const ravi = await raiseWithLink(school, [dev], { firstName: 'Ravi', mobile: '9825000312' }, { isPrimary: false });
  const barred = await raise(school, [dev], { firstName: 'Rajesh', mobile: '9825000313' }, { isPrimary: false });
  await school.sql(`update student_guardian set is_barred = true, may_collect = false, receives_messages = false
    where guardian_id = ${barred}`);
  await school.sql(`update student_guardian set family_page = 'School matters', receives_messages = true
    where guardian_id = ${ravi.guardianId}`);
  const readers = async (guardian: { guardianId: number; link: string }) =>
    (await (await prove(school, guardian)).send({ url: `/api/family/reader?family=${guardian.link}` })).json;
  expect(await readers(meera)).toEqual([
    {
      id: expect.any(Number),
      child: 'Dev',
      relation: expect.stringMatching(/./),
      reach: 'School matters',
      getsMessages: true,
    },
  ]);
  expect(await readers(ravi)).toEqual([]);
  const strange = await school.send({ url: `/api/family/reader?family=${meera.link}` });
  expect(strange.json.error.code).toBe('confirm_required');
});

describe('a new link instead of an expired one', () => {
  const ask = (value: string) => school.send({ method: 'POST', url: '/api/family/renewal', body: { value } });
  const sent = (guardianId: number) =>
    school.sql(
      `select channel, recipient, status from outbox where template = 'family.link' and subject_id = ${guardianId}`,
    );
  const expire = (guardianId: number) =>
    school.sql(`update family_link set expires_at = now() - interval '1 day' where guardian_id = ${guardianId}`);

  test('N13.3 is sent to the stored number, three times a day, and the answer tells nothing', async () => {
    const { link, guardianId } = await openFamilyPage(school);
    const [revoked, living] = [await openFamilyPage(school), await openFamilyPage(school)];
    await expire(guardianId);
    await expire(revoked.guardianId);
    await school.sql(
      `update family_link set revoked_at = now(), revoked_reason = 'Leak' where guardian_id = ${revoked.guardianId}`,
    );
    const answers = [];
    for (const value of [link, revoked.link, living.link, '0'.repeat(32)]) answers.push((await ask(value)).text);
    expect(new Set(answers).size).toBe(1);
    expect(await sent(guardianId)).toEqual([{ channel: 'sms', recipient: '9825000001', status: 'queued' }]);
    expect([await sent(revoked.guardianId), await sent(living.guardianId)]).toEqual([[], []]);
    // The old value is of another version now.
    await ask(link);
    expect(await sent(guardianId)).toHaveLength(1);
    const next = await linkValueOf(school, guardianId);
    expect(next).not.toBe(link);
    expect((await open(next)).status).toBe(200);
  });

  test('N13.4 a network that asks too often waits', async () => {
    const statuses = [];
    for (let n = 0; n < 21; n++) statuses.push((await ask('0'.repeat(32))).status);
    expect(statuses.at(-1)).toBe(429);
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([200]));
  });
});

describe('the short form and the message', () => {
  test('N13.5 the short link leads to the page, also when it has expired; a revoked one opens nothing', async () => {
    const { guardianId, link } = await openFamilyPage(school);
    const [row] = await school.sql(`select version from family_link where guardian_id = ${guardianId}`);
    const addresses = await linkOf(school.services, { guardianId, version: Number(row?.version) });
    const { pathname } = new URL(addresses?.shortLink ?? '');
    expect(pathname).toMatch(/^\/a\/[1-9A-HJ-NP-Za-km-z]{10}$/);
    const follow = async () => (await school.send({ url: `${pathname}.` })).headers.location;
    expect(await follow()).toBe(`/family?family=${link}`);
    await school.sql(`update family_link set expires_at = now() where guardian_id = ${guardianId}`);
    expect(await follow()).toBe(`/family?family=${link}`);
    await school.sql(
      `update family_link set revoked_at = now(), revoked_reason = 'Leak' where guardian_id = ${guardianId}`,
    );
    expect(await follow()).toBe('/admission');
  });

  test('Z18 an expired short link leads to a page and a renewal that answer as for any other value', async () => {
    const { guardianId, link } = await openFamilyPage(school);
    const addresses = await linkOf(school.services, { guardianId, version: null });
    await school.sql(`update family_link set expires_at = now() where guardian_id = ${guardianId}`);
    const { headers } = await school.send({ url: new URL(addresses?.shortLink ?? '').pathname });
    expect(headers.location).toBe(`/family?family=${link}`);
    const answersOf = async (value: string) => {
      const answers = [await open(value), await school.send({ url: `/family?family=${value}` })];
      const renewed = await school.send({ method: 'POST', url: '/api/family/renewal', body: { value } });
      return [...answers, renewed].map(({ status, text }) => [status, text]);
    };
    expect(await answersOf(link)).toEqual(await answersOf('0'.repeat(32)));
  });

  test.each([
    [['Aarohi'], 'Aarohi'],
    [['Aarohi', 'Dev'], 'Aarohi and Dev'],
    [['Aarohi', 'Dev', 'Isha'], 'Aarohi, Dev and Isha'],
    [['Priyadarshini', 'Chandrashekhar', 'Dev'], 'Priyadarshini and 2 more'],
    [['Venkatanarasimharajuvaripeta Rao'], 'Venkatanarasimh'],
  ])('names of %j fit a registered text', (names, shown) => {
    const made = shortNames(names);
    const words = typeof made === 'string' ? made : english(made);
    expect(words).toBe(shown);
    expect(words.length).toBeLessThanOrEqual(30);
  });
});
