import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toLocalDate } from '#kit/server/day.ts';
import { openBrowser } from '#testing/browser.ts';
import { codeSent, linkValueOf, openFamilyPage, prove, raiseWithLink } from '#testing/family.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { linkApi } from '../contract/link.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

const signOut = (link: string, phone = openBrowser(school), others = false) =>
  phone.send({ method: 'POST', url: `/api/family/sign-out?family=${link}`, body: { others } });
const open = (link: string, phone = openBrowser(school)) => phone.send({ url: `/api/family?family=${link}` });
const post = (path: string, link: string, body: object, phone = openBrowser(school)) =>
  phone.send({ method: 'POST', url: `/api/family/${path}?family=${link}`, body });

describe('a phone is proven by a code', () => {
  test('FM01 a link on a strange phone reads the page; five wrong codes end the code, and no phone is kept', async () => {
    const { link, guardianId } = await openFamilyPage(school);
    const strange = openBrowser(school);
    const { json } = await open(link, strange);
    expect(json.proof).toEqual({ isProven: false, way: 'SMS', to: '01' });
    const refused = await signOut(link, strange);
    expect([refused.status, refused.json.error.code]).toEqual([403, 'confirm_required']);
    expect((await post('code', link, {}, strange)).status).toBe(200);
    const code = await codeSent(school, guardianId);
    for (let tries = 0; tries < 5; tries++)
      expect((await post('prove', link, { code: 'AAAAA' }, strange)).json.error.code).toBe('invalid');
    expect((await post('prove', link, { code }, strange)).json.error.code).toBe('invalid');
    expect(await school.sql(`select from family_device where guardian_id = ${guardianId}`)).toEqual([]);
  });

  test('the code goes to the stored number, works once, and the phone is proven from then', async () => {
    const { link, guardianId } = await openFamilyPage(school);
    const phone = openBrowser(school);
    await post('code', link, {}, phone);
    const [sent] = await school.sql(`select recipient, template from outbox order by id desc limit 1`);
    expect(sent).toEqual({ recipient: '9825000001', template: 'family.code' });
    const code = await codeSent(school, guardianId);
    expect((await post('prove', link, { code: code.toLowerCase() }, phone)).status).toBe(200);
    expect((await open(link, phone)).json.proof.isProven).toBe(true);
    expect((await post('prove', link, { code })).json.error.code).toBe('invalid');
  });

  test('of two phones that send one code at once, one is proven', async () => {
    const { link, guardianId } = await openFamilyPage(school);
    await post('code', link, {});
    const code = await codeSent(school, guardianId);
    const answers = await Promise.all([post('prove', link, { code }), post('prove', link, { code })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await school.sql(`select from family_device where guardian_id = ${guardianId}`)).toHaveLength(1);
  });

  test('three codes an hour are sent to a guardian, and a newer one ends the earlier', async () => {
    const { link, guardianId } = await openFamilyPage(school);
    await post('code', link, {});
    const first = await codeSent(school, guardianId);
    await post('code', link, {});
    expect((await post('prove', link, { code: first })).json.error.code).toBe('invalid');
    await post('code', link, {});
    expect((await post('code', link, {})).status).toBe(429);
  });

  test('a number that a barred adult of the same child has too gets no code', async () => {
    const child = await seat(school, await openSection(school), 'Aarohi');
    const { link } = await raiseWithLink(school, [child], { firstName: 'Meera', mobile: '9825000771' });
    const rajesh = await raise(school, [child], { firstName: 'Rajesh', mobile: '9825000771' }, { isPrimary: false });
    await school.sql(`update student_guardian set is_barred = true, may_collect = false, receives_messages = false
      where guardian_id = ${rajesh}`);
    expect((await open(link)).json.proof).toEqual({ isProven: false, way: 'None', to: '' });
    expect((await post('code', link, {})).json.error.code).toBe('conflict');
  });
});

describe('an adult who is barred later', () => {
  /** A mother and a father with one number, of whom the father is barred when it is asked for. */
  async function openParents() {
    const child = await seat(school, await openSection(school), 'Aarohi');
    const meera = await raiseWithLink(school, [child], { firstName: 'Meera', mobile: '9825000661' });
    const rajesh = await raise(school, [child], { firstName: 'Rajesh', mobile: '9825000661' }, { isPrimary: false });
    const bar = (more = '') =>
      school.sql(`${more}update student_guardian set is_barred = true, may_collect = false, receives_messages = false
        where guardian_id = ${rajesh}`);
    return { meera, bar };
  }

  test('FM02 ends the phones that were proven at the same number, and the code that was sent to it', async () => {
    const { meera, bar } = await openParents();
    const phone = await prove(school, meera);
    await post('code', meera.link, {});
    const code = await codeSent(school, meera.guardianId);
    await bar();
    expect((await open(meera.link, phone)).json.proof.isProven).toBe(false);
    expect((await post('prove', meera.link, { code })).json.error.code).toBe('invalid');
    expect(await school.sql(`select from family_code where guardian_id = ${meera.guardianId}`)).toEqual([]);
  });

  test('a code proves nothing once its number is that of a barred adult', async () => {
    const { meera, bar } = await openParents();
    await post('code', meera.link, {});
    const code = await codeSent(school, meera.guardianId);
    await bar(`alter table student_guardian disable trigger barred_ends_family_proof; `);
    await school.sql('alter table student_guardian enable trigger barred_ends_family_proof');
    expect((await post('prove', meera.link, { code })).json.error.code).toBe('invalid');
    expect(await school.sql(`select from family_device where guardian_id = ${meera.guardianId}`)).toEqual([]);
  });
});

test('tries without a code leave no row in the audit log, and are limited', async () => {
  const { link, guardianId } = await openFamilyPage(school);
  for (let tries = 0; tries < 30; tries++) expect((await post('prove', link, { code: 'AAAAA' })).status).toBe(422);
  expect((await post('prove', link, { code: 'AAAAA' })).status).toBe(429);
  expect(
    await school.sql(`select action from audit where entity = 'guardian' and entity_id = '${guardianId}'`),
  ).toEqual([]);
});

describe('what a proven phone opens', () => {
  test('FM02 the cookie of one guardian with the link of another proves nothing', async () => {
    const [meera, other] = [await openFamilyPage(school), await openFamilyPage(school)];
    const phone = await prove(school, meera);
    expect((await open(other.link, phone)).json.proof.isProven).toBe(false);
    expect((await signOut(other.link, phone)).json.error.code).toBe('confirm_required');
    expect((await open(`of-${other.guardianId}`, phone)).status).toBe(404);
  });

  test.each([
    ['a changed number', (id: number) => `update guardian set mobile = '9825000555' where id = ${id}`],
    [
      'a revoked link',
      (id: number) => `update family_link set revoked_at = now(), revoked_reason = 'Lost' where guardian_id = ${id}`,
    ],
  ])('FM02 %s ends the cookie and the code, with the answer of an unknown value', async (_, change) => {
    const meera = await openFamilyPage(school);
    const phone = await prove(school, meera);
    await post('code', meera.link, {});
    const code = await codeSent(school, meera.guardianId);
    expect((await open('', phone)).status).toBe(200);
    await school.sql(change(meera.guardianId));
    const unknown = await open('ab'.repeat(16));
    const dead = await open('', phone);
    expect([dead.status, dead.text]).toEqual([404, unknown.text]);
    const link = await linkValueOf(school, meera.guardianId);
    expect((await open(link, phone)).json.proof.isProven).toBe(false);
    expect((await post('prove', link, { code })).json.error.code).toBe('invalid');
  });

  test.each(['renew', 'revoke'])(
    'the office ends proven phones with the link, also an expired one: %s',
    async (act) => {
      const meera = await openFamilyPage(school);
      const phone = await prove(school, meera);
      await school.sql(
        `update family_link set expires_at = now() - interval '1 day' where guardian_id = ${meera.guardianId}`,
      );
      const office = await school.person({ sets: ['office'] });
      const phones = async () => (await office.call(linkApi.ofStudent, { id: meera.child })).guardians[0]?.phones;
      expect(await phones()).toEqual({ count: 1, usedOn: toLocalDate(school.context().now()) });
      const body = act === 'renew' ? { channel: 'SMS' } : { reason: 'Lost phone' };
      const { status } = await office.send({
        method: 'POST',
        url: `/api/family-link/${meera.guardianId}/${act}`,
        body,
      });
      expect(status).toBe(200);
      expect([await phones(), (await open('', phone)).status]).toEqual([{ count: 0, usedOn: '' }, 404]);
    },
  );

  test('FM03 a phone proven 300 days ago opens the page without a link; 401 days without use it does not', async () => {
    const meera = await openFamilyPage(school);
    const phone = await prove(school, meera);
    await school.sql(
      `update family_link set expires_at = now() - interval '1 day' where guardian_id = ${meera.guardianId}`,
    );
    const ago = (days: number) =>
      school.sql(`update family_device set used_on = current_date - ${days}, expires_at = now() + make_interval(days => ${400 - days})
        where guardian_id = ${meera.guardianId}`);
    await ago(300);
    expect((await open(meera.link, phone)).status).toBe(404);
    expect((await open('', phone)).json.proof.isProven).toBe(true);
    await phone.send({ method: 'POST', url: '/api/family/opened?family=', body: {} });
    const [kept] = await school.sql(
      `select expires_at > now() + interval '399 days' as long from family_device where guardian_id = ${meera.guardianId}`,
    );
    expect(kept).toEqual({ long: true });
    await ago(401);
    expect((await open('', phone)).status).toBe(404);
  });

  test('two parents with one phone choose whose page it opens', async () => {
    const child = await seat(school, await openSection(school), 'Dev');
    const meera = await raiseWithLink(school, [child], { firstName: 'Meera', mobile: '9825000881' });
    const ravi = await raiseWithLink(
      school,
      [child],
      { firstName: 'Ravi', mobile: '9825000882' },
      { isPrimary: false },
    );
    const phone = await prove(school, ravi, await prove(school, meera));
    const { json } = await phone.send({ url: '/api/family/phone' });
    expect(json.map(({ id }: { id: number }) => id).sort()).toEqual([meera.guardianId, ravi.guardianId].sort());
    expect((await open('', phone)).status).toBe(404);
    expect((await open(`of-${ravi.guardianId}`, phone)).json.guardian).toMatch(/^Ravi/);
    expect((await open(meera.link, phone)).json.proof.isProven).toBe(true);
  });

  test('a guardian ends the proof of this phone, or of all others', async () => {
    const meera = await openFamilyPage(school);
    const [own, lost] = [await prove(school, meera), await prove(school, meera)];
    expect((await signOut(meera.link, own, true)).status).toBe(200);
    expect((await open('', lost)).status).toBe(404);
    expect((await open('', own)).status).toBe(200);
    expect((await signOut(meera.link, own)).status).toBe(200);
    expect((await open('', own)).status).toBe(404);
  });
});
