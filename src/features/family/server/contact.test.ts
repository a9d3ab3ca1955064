import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeOf } from '#features/sign-in/api.ts';
import { openBrowser, type Person } from '#testing/browser.ts';
import { codeSent, openFamilyPage, prove, raiseWithLink } from '#testing/family.ts';
import { form, openSchool, paper, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { contactApi } from '../contract/contact.ts';
import { linkApi } from '../contract/link.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

type Phone = ReturnType<typeof openBrowser>;
const post = (path: string, link: string, body: object, phone: Phone) =>
  phone.send({ method: 'POST', url: `/api/family/${path}?family=${link}`, body });
const numberOf = async (id: number) => (await school.sql(`select mobile from guardian where id = ${id}`))[0]?.mobile;
const sentTo = (recipient: string) =>
  school.sql(`select template from outbox where recipient = '${recipient}' order by id desc`);
const askCode = (link: string, phone: Phone, mobile: string) =>
  post('contact/code', link, { mobile, email: '' }, phone);
async function newCode(guardianId: number): Promise<string> {
  const [row] = await school.sql(
    `select id, salt from family_code where guardian_id = ${guardianId} and purpose = 'Contact'`,
  );
  return codeOf(school.services, { id: Number(row?.id), salt: row?.salt as Buffer });
}
let last = 9_825_200_000;
const freshNumber = () => String(++last);

/** A guardian whose phone was proven just now. */
async function openMeera() {
  const mobile = freshNumber();
  const child = await seat(school, await openSection(school), 'Aarohi');
  const meera = await raiseWithLink(school, [child], { firstName: 'Meera', mobile });
  return { ...meera, child, mobile, phone: await prove(school, meera) };
}

/** Changes the number by both codes. */
async function changeNumber({ link, guardianId, phone }: { link: string; guardianId: number; phone: Phone }) {
  const mobile = freshNumber();
  expect((await askCode(link, phone, mobile)).status).toBe(200);
  const changed = await post('contact', link, { code: await newCode(guardianId) }, phone);
  expect(changed.status, changed.text).toBe(200);
  return mobile;
}
const undo = (office: Person, id: number, changeId: number) =>
  office.send({ method: 'POST', url: `/api/family-link/${id}/contact-undo`, body: { changeId } });
const ask = async (link: string, phone: Phone, mobile: string) =>
  phone.send({
    method: 'POST',
    url: `/api/family/contact/request?family=${link}`,
    body: form({ mobile, email: '' }, { paper: await paper('SIM card of Meera') }),
  });

describe('a guardian changes the own number', () => {
  test('FM21 a code to the new one changes it; the earlier one hears of it, and the link that works goes to the new one', async () => {
    const meera = await openMeera();
    const other = await prove(school, meera);
    const mobile = await changeNumber(meera);
    expect(await numberOf(meera.guardianId)).toBe(mobile);
    expect((await sentTo(meera.mobile))[0]).toEqual({ template: 'family.contact-changed' });
    expect((await sentTo(mobile))[0]).toEqual({ template: 'family.link' });
    const open = (phone: Phone, link = '') => phone.send({ url: `/api/family?family=${link}` });
    expect((await open(meera.phone, meera.link)).status).toBe(404);
    expect((await open(other)).status).toBe(404);
    const { json } = await open(meera.phone);
    expect(json.proof).toEqual({ isProven: true, way: 'SMS', to: mobile.slice(-2) });
  });

  test('FM21 a phone that was proven more than 30 minutes ago asks for a code to the earlier number first', async () => {
    const { link, guardianId, phone, mobile } = await openMeera();
    await askCode(link, phone, freshNumber());
    const code = await newCode(guardianId);
    await school.sql(
      `update family_device set proven_at = now() - interval '31 minutes' where guardian_id = ${guardianId}`,
    );
    for (const answer of [await askCode(link, phone, freshNumber()), await post('contact', link, { code }, phone)])
      expect([answer.status, answer.json.error.code]).toEqual([403, 'confirm_required']);
    expect(await numberOf(guardianId)).toBe(mobile);
  });

  test('FM21 five wrong codes end it, a code for a phone changes no number, and that for a number proves no phone', async () => {
    const { link, guardianId, phone, mobile } = await openMeera();
    await post('code', link, {}, phone);
    const forPhone = await codeSent(school, guardianId);
    await askCode(link, phone, freshNumber());
    const code = await newCode(guardianId);
    expect((await post('prove', link, { code }, openBrowser(school))).json.error.code).toBe('invalid');
    expect((await post('contact', link, { code: forPhone }, phone)).json.error.code).toBe('invalid');
    for (let tries = 0; tries < 4; tries++) await post('contact', link, { code: 'AAAAA' }, phone);
    expect((await post('contact', link, { code }, phone)).json.error.code).toBe('invalid');
    expect(await numberOf(guardianId)).toBe(mobile);
  });

  test('what waits for the guardian goes to the new number, with the link that works', async () => {
    const meera = await openMeera();
    const wait = (template: string, channel: string, version: number | null) =>
      school.sql(`insert into outbox (channel, template, recipient, subject_id, reader_id, version, status)
        values ('${channel}', '${template}', '${channel === 'sms' ? meera.mobile : 'meera@example.in'}', ${meera.child},
          ${meera.guardianId}, ${version}, 'queued')`);
    await wait('attendance.absent', 'sms', null);
    await wait('announcement.notice', 'email', 1);
    await wait('attendance.absent', 'email', null);
    const mobile = await changeNumber(meera);
    const rows = await school.sql(`select channel, recipient, outbox.version = link.version as "isNow" from outbox
      left join family_link link on link.guardian_id = reader_id and outbox.version is not null
      where reader_id = ${meera.guardianId} and status = 'queued' and template not like 'family.%' order by outbox.id`);
    expect(rows).toEqual([
      { channel: 'sms', recipient: mobile, isNow: null },
      { channel: 'email', recipient: 'meera@example.in', isNow: true },
      { channel: 'email', recipient: 'meera@example.in', isNow: null },
    ]);
  });

  test('of two presses at once one changes it', async () => {
    const { link, guardianId, phone } = await openMeera();
    await askCode(link, phone, freshNumber());
    const code = await newCode(guardianId);
    const answers = await Promise.all([1, 2].map(() => post('contact', link, { code }, phone)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await school.sql(`select from guardian_contact_change where guardian_id = ${guardianId}`)).toHaveLength(1);
  });

  test('three times within a year, and again a year later', async () => {
    const meera = await openMeera();
    for (let times = 0; times < 3; times++) {
      await school.sql('delete from attempt');
      await changeNumber({ ...meera, link: '' });
    }
    await school.sql('delete from attempt');
    expect((await askCode('', meera.phone, freshNumber())).json.error.code).toBe('conflict');
    await school.sql(
      `update guardian_contact_change set made_at = made_at - interval '367 days' where guardian_id = ${meera.guardianId}`,
    );
    await changeNumber({ ...meera, link: '' });
  });

  test('the number of a barred adult of the same child gets no code, with the answer of any other', async () => {
    const { link, guardianId, phone, child } = await openMeera();
    const barred = freshNumber();
    const rajesh = await raise(school, [child], { firstName: 'Rajesh', mobile: barred }, { isPrimary: false });
    await school.sql(`update student_guardian set is_barred = true, may_collect = false, receives_messages = false
      where guardian_id = ${rajesh}`);
    const any = await askCode(link, phone, freshNumber());
    const answer = await askCode(link, phone, barred);
    expect([answer.status, answer.text]).toEqual([any.status, any.text]);
    expect(await sentTo(barred)).toEqual([]);
    expect((await post('contact', link, { code: await newCode(guardianId) }, phone)).json.error.code).toBe('invalid');
  });

  test('a refusal names the field and what to enter', async () => {
    const { link, phone, mobile } = await openMeera();
    const fields = async (body: object) =>
      Object.keys((await post('contact/code', link, body, phone)).json.error.fields);
    expect(await fields({ mobile: '', email: '' })).toEqual(['mobile']);
    expect(await fields({ mobile: freshNumber(), email: 'a@b.in' })).toEqual(['email']);
    expect(await fields({ mobile, email: '' })).toEqual(['mobile']);
  });
});

describe('the office puts it back', () => {
  test('FM22 within 30 days, and the phones and the link of the new number end', async () => {
    const meera = await openMeera();
    const mobile = await changeNumber(meera);
    const office = await school.person({ sets: ['office'] });
    const { guardians } = await office.call(linkApi.ofStudent, { id: meera.child });
    const { id = 0, undoId } = guardians[0] ?? { undoId: 0 };
    expect(undoId).toBeGreaterThan(0);
    expect((await undo(office, id, undoId)).status).toBe(200);
    expect(await numberOf(id)).toBe(meera.mobile);
    expect((await meera.phone.send({ url: '/api/family?family=' })).status).toBe(404);
    expect((await sentTo(meera.mobile))[0]).toEqual({ template: 'family.link' });
    expect((await undo(office, id, undoId)).json.error.code).toBe('conflict');
    expect((await sentTo(mobile)).filter(({ template }) => template !== 'family.contact-code')).toEqual([]);
  });

  test.each([
    ['after the office corrected the number', `update guardian set mobile = '9825999999' where id = `],
    ['a month later', `update guardian_contact_change set made_at = made_at - interval '31 days' where guardian_id = `],
  ])('not %s', async (_, sql) => {
    const meera = await openMeera();
    await changeNumber(meera);
    const [row] = await school.sql(`select id from guardian_contact_change where guardian_id = ${meera.guardianId}`);
    await school.sql(`${sql}${meera.guardianId}`);
    const office = await school.person({ sets: ['office'] });
    expect((await undo(office, meera.guardianId, Number(row?.id))).json.error.code).toBe('conflict');
  });
});

describe('a guardian who lost the earlier number', () => {
  async function decide(by: Person, guardianId: number, outcome: string) {
    const [row] = await school.sql(`select approval.id from approval
      join guardian_contact_change change on change.id = approval.guardian_contact_change_id
      where change.guardian_id = ${guardianId} order by approval.id desc limit 1`);
    const { json } = await by.send({ url: `/api/approval/${row?.id}` });
    return by.send({
      method: 'POST',
      url: `/api/approval/${row?.id}/decide`,
      body: { version: json.version, seen: json.seen, outcome, remark: 'Compared' },
    });
  }
  const stateOf = async (id: number) =>
    (await school.sql(`select state from guardian_contact_change where guardian_id = ${id} order by id desc`))[0]
      ?.state;

  test('FM23 asks with a paper, which the office opens and approves', async () => {
    const { link, guardianId, phone, mobile: before } = await openMeera();
    await school.sql(
      `update family_device set proven_at = now() - interval '9 days' where guardian_id = ${guardianId}`,
    );
    const mobile = freshNumber();
    expect((await ask(link, phone, mobile)).status).toBe(200);
    expect((await ask(link, phone, freshNumber())).json.error.code).toBe('conflict');
    expect((await phone.send({ url: `/api/family/own?family=${link}` })).json.asked).toBe(mobile.slice(-2));
    expect(await numberOf(guardianId)).toBe(before);
    const office = await school.person({ sets: ['office'] });
    expect((await office.send({ url: `/api/family-link/${guardianId}/contact-paper` })).status).toBe(200);
    expect((await decide(office, guardianId, 'Approved')).status).toBe(200);
    expect([await numberOf(guardianId), await stateOf(guardianId)]).toEqual([mobile, 'Applied']);
    expect((await phone.send({ url: '/api/family?family=' })).status).toBe(404);
    expect((await sentTo(mobile))[0]).toEqual({ template: 'family.link' });
  });

  test('FM23 a number that the office corrected meanwhile is not overwritten', async () => {
    const { link, guardianId, phone } = await openMeera();
    await ask(link, phone, freshNumber());
    await school.sql(`update guardian set mobile = '9825888888' where id = ${guardianId}`);
    const office = await school.person({ sets: ['office'] });
    expect((await decide(office, guardianId, 'Approved')).json.error.code).toBe('conflict');
    expect((await decide(office, guardianId, 'Rejected')).status).toBe(200);
    expect([await numberOf(guardianId), await stateOf(guardianId)]).toEqual(['9825888888', 'Rejected']);
  });

  test('a number that a barred adult of the child has is not approved', async () => {
    const { link, guardianId, phone, child, mobile: before } = await openMeera();
    const mobile = freshNumber();
    await ask(link, phone, mobile);
    const kamal = await raise(school, [child], { firstName: 'Kamal', mobile }, { isPrimary: false });
    await school.sql(`update student_guardian set is_barred = true, may_collect = false, receives_messages = false
      where guardian_id = ${kamal}`);
    const office = await school.person({ sets: ['office'] });
    expect((await decide(office, guardianId, 'Approved')).json.error.code).toBe('conflict');
    expect([await numberOf(guardianId), await stateOf(guardianId)]).toEqual([before, 'Asked']);
  });

  test('the days in which the office can put the earlier one back begin with the approval', async () => {
    const { link, guardianId, phone, mobile: before } = await openMeera();
    await ask(link, phone, freshNumber());
    await school.sql(`update guardian_contact_change set made_at = made_at - interval '40 days'
      where guardian_id = ${guardianId}`);
    const office = await school.person({ sets: ['office'] });
    await decide(office, guardianId, 'Approved');
    const [row] = await school.sql(`select id from guardian_contact_change where guardian_id = ${guardianId}`);
    expect((await undo(office, guardianId, Number(row?.id))).status).toBe(200);
    expect(await numberOf(guardianId)).toBe(before);
  });

  test('a request ends when the guardian finds the number and changes it by codes', async () => {
    const meera = await openMeera();
    await ask(meera.link, meera.phone, freshNumber());
    await changeNumber(meera);
    const rows = await school.sql(`select change.state, approval.status from guardian_contact_change change
      left join approval on approval.guardian_contact_change_id = change.id
      where change.guardian_id = ${meera.guardianId} order by change.id`);
    expect(rows).toEqual([
      { state: 'Stale', status: 'Withdrawn' },
      { state: 'Applied', status: null },
    ]);
  });

  test('without a paper it is refused, and the office has none to open', async () => {
    const { link, guardianId, phone } = await openMeera();
    const none = await phone.send({
      method: 'POST',
      url: `/api/family/contact/request?family=${link}`,
      body: form({ mobile: freshNumber(), email: '' }),
    });
    expect(Object.keys(none.json.error.fields)).toEqual(['paper']);
    const office = await school.person({ sets: ['office'] });
    expect((await office.send({ url: `/api/family-link/${guardianId}/contact-paper` })).status).toBe(404);
    expect(contactApi.paper.opens).toBe('guardian');
  });
});

test('a phone that was proven for one guardian changes no number of another', async () => {
  const [meera, other] = [await openMeera(), await openFamilyPage(school)];
  expect((await askCode(other.link, meera.phone, freshNumber())).json.error.code).toBe('confirm_required');
});
