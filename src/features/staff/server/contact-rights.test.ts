import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { contactApi } from '#features/account/contract/contact.ts';
import { staffAccountApi } from '#features/account/contract/staff-account.ts';
import { codeOf } from '#features/sign-in/server/code.ts';
import { signIn } from '#features/sign-in/server/feature.ts';
import { render } from '#kit/server/messages/outbox.ts';
import { type Browser, openAccount, openBrowser, type Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { teach } from '#testing/teachers.ts';
import { staffImportApi } from '../contract/import.ts';
import { type StaffPerson, staffRecordApi } from '../contract/record.ts';

let school: School;
let admin: Person;
let other: Person;
let hr: Person;

beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin', name: 'Asha Admin' });
  other = await school.person({ role: 'Admin', name: 'Bela Admin' });
  hr = await school.person({ sets: ['hr'], name: 'Hema HR' });
  await school.sql(`insert into academic_designation (name) values ('Teacher');
    insert into academic_department (name) values ('Office')`);
});
beforeEach(() =>
  school.sql('delete from outbox; delete from attempt; update sign_in_session set confirmed_at = now()'),
);
afterAll(() => school.close());

let last = 0;
const mine = () => ({ mobile: String(8_100_000_000 + ++last), email: `thief${last}@staff.example` });

/** Saves a person as a keeper does: everything that was read, with some of it changed. */
async function save(keeper: Person, id: number, over: Partial<StaffPerson>) {
  const { version, person } = await keeper.call(staffRecordApi.read, { id });
  return keeper.call(staffRecordApi.update, { id, version, ...(person as StaffPerson), ...over });
}
const contactOf = async (id: number) => (await school.sql(`select email, mobile from staff where id = ${id}`))[0];
const withoutAccount = async ({ email = '', mobile = '' }) => {
  const [row] = await school.sql(`insert into staff (name, employee_number, email, mobile)
    values ('Plain', 'C${++last}', nullif('${email}', ''), nullif('${mobile}', '')) returning id`);
  await school.sql(`insert into staff_employment (staff_id, joined_on) values (${row?.id}, '2026-01-01')`);
  return Number(row?.id);
};

/** Asks for a code to sign in, and says whether one is sent. */
async function getsCode(address: string) {
  await school.sql('delete from attempt; delete from outbox');
  const isEmail = address.includes('@');
  const by = isEmail
    ? { AuthenicateUserBy: 'Email', EmailID: address }
    : { AuthenicateUserBy: 'Mobile', MobileNo: address };
  const { status, json } = await school
    .browser()
    .send({ method: 'POST', url: '/api/sign-in/authenticate-user', body: by });
  // The answer is that of an unknown address.
  expect([status, json[0].isSuccess]).toEqual([200, true]);
  const sent = await school.sql(`select recipient from outbox where template = 'sign-in-code' and status = 'queued'`);
  return sent.some(({ recipient }) => recipient === address);
}

const refused = { code: 'invalid' };

/** Colleagues whose session may do more than that of any member of staff. */
const colleagues: Record<string, () => Promise<{ staffId: number }>> = {
  'with a granted permission': () => school.person({ sets: ['principal'] }),
  'with a granted permission who was suspended': async () => {
    const person = await school.person({ sets: ['admissionHead'] });
    await school.sql(`update sign_in_account set is_active = false where id = ${person.id}`);
    return person;
  },
  'with a granted permission who has left': async () => {
    const person = await school.person({ sets: ['accountant'] });
    await school.sql(`update sign_in_account set ends_on = current_date - 1 where id = ${person.id}`);
    return person;
  },
  'with a permission that follows from the mapping': async () => {
    const person = await school.person();
    await teach(school, person);
    return person;
  },
  'who is an Admin': () => openAccount(school, { isAdmin: true }),
};

test.each(Object.keys(colleagues))(
  'Y3 HR changes no email address or mobile number of a colleague %s',
  async (kind) => {
    const { staffId } = (await colleagues[kind]?.()) ?? { staffId: 0 };
    const before = await contactOf(staffId);
    const { email, mobile } = mine();
    for (const over of [{ email }, { mobile }, { email, mobile }, { email: '' }, { mobile: '' }])
      await expect(save(hr, staffId, over)).rejects.toMatchObject(refused);
    expect(await contactOf(staffId)).toEqual(before);
    await save(hr, staffId, { address: '12 Ring Road' });
  },
);

test('Y3 HR adds no first address either, and an import changes none', async () => {
  const person = await school.person({ sets: ['principal'] });
  const { email, mobile } = mine();
  await school.sql(`update staff set email = null where id = ${person.staffId}`);
  await expect(save(hr, person.staffId, { email })).rejects.toMatchObject(refused);
  const [row] = await school.sql(`select name, employee_number as number from staff where id = ${person.staffId}`);
  for (const cells of [`${email},`, `,${mobile}`]) {
    const file = `Name,Employee number,Email address,Mobile number\n${row?.name},${row?.number},${cells}\n`;
    const { counts } = await hr.call(staffImportApi.import, { file });
    expect(counts).toMatchObject({ wrong: 1, changed: 0 });
  }
  expect(await contactOf(person.staffId)).toEqual({ email: null, mobile: person.mobile });
});

test('Y3 an Admin changes it, the other Admins are told, and the new address gets no code for 72 hours', async () => {
  const person = await school.person({ sets: ['principal'], name: 'Principal' });
  const { email } = mine();
  await save(admin, person.staffId, { email });
  const told = await school.sql(`select recipient, subject_id from outbox where template = 'staff-contact-changed'`);
  expect(told).toContainEqual({ recipient: other.email, subject_id: person.id });
  expect(told.map(({ recipient }) => recipient)).not.toContain(admin.email);
  const template = signIn.messages['staff-contact-changed'];
  const written = template && (await render(school.services, template, person.id));
  expect(written?.text).toContain('Principal');
  expect(await getsCode(email)).toBe(false);
  expect(
    await school.sql(`select details from audit where action = 'sign-in.code-sent' order by id desc limit 1`),
  ).toEqual([{ details: { method: 'Email', reason: 'address changed' } }]);
  expect(await getsCode(person.mobile)).toBe(true);
  await school.sql(`update staff set email_changed_at = now() - interval '71 hours' where id = ${person.staffId}`);
  expect(await getsCode(email)).toBe(false);
  await school.sql(`update staff set email_changed_at = now() - interval '73 hours' where id = ${person.staffId}`);
  expect(await getsCode(email)).toBe(true);
});

test.each(['email', 'mobile'] as const)(
  'Y3 a new %s of a plain colleague waits as well, and the Admins need no message',
  async (channel) => {
    const person = await school.person();
    const address = mine()[channel];
    await save(hr, person.staffId, { [channel]: address });
    expect(await school.sql(`select from outbox where template = 'staff-contact-changed'`)).toEqual([]);
    expect(await getsCode(address)).toBe(false);
    expect(await getsCode(channel === 'email' ? person.mobile : person.email)).toBe(true);
  },
);

test('Y3 an address that its owner has confirmed with a code does not wait', async () => {
  const person = await school.person({ sets: ['office'] });
  const { email } = mine();
  await person.call(contactApi.sendEmailCode, { email });
  const [row] = await school.sql('select id, salt from sign_in_contact order by id desc limit 1');
  await person.call(contactApi.save, { OTP: codeOf(school.services, row as never) });
  expect(await contactOf(person.staffId)).toMatchObject({ email });
  expect(await getsCode(email)).toBe(true);
});

/** Ways from a changed or added address to a session with permissions, by acts of an Admin who does not know of it. */
const ways: Record<string, (staffId: number) => Promise<unknown>> = {
  'an invitation': (id) => admin.call(staffAccountApi.invite, { id, channel: 'Email', sets: ['principal'] }),
  'an invitation, then a permission': async (id) => {
    await admin.call(staffAccountApi.invite, { id, channel: 'Email', sets: [] });
    await admin.call(staffAccountApi.grant, { id, version: 1, sets: ['principal'] });
  },
  'an approved request': async (id) => {
    const { email } = (await contactOf(id)) ?? {};
    const [row] = await school.sql(`insert into sign_in_request (name, email, mobile, reason)
      values ('Plain', '${email}', '6000000001', 'Works here') returning id`);
    const rights = { userName: '', isStaff: true, isAdmin: false, sets: ['principal'] };
    const url = `/api/account-request/${row?.id}/approve`;
    expect((await admin.send({ method: 'POST', url, body: rights })).status).toBe(200);
  },
};

test.each(Object.keys(ways).flatMap((way) => ['a changed', 'a first'].map((kind) => [kind, way] as const)))(
  'Y3 %s address signs in to no permissions by way of %s',
  async (kind, way) => {
    const { email, mobile } = mine();
    const id = await withoutAccount(kind === 'a first' ? { mobile } : { email: `old.${email}`, mobile });
    await save(hr, id, { email });
    await ways[way]?.(id);
    expect(await getsCode(email)).toBe(false);
    expect(await getsCode(mobile)).toBe(true);
  },
);

test('Y3 a restored account is not signed in to by an address that changed while it was suspended', async () => {
  const person = await openAccount(school, { isAdmin: false });
  const { email } = mine();
  await school.sql(`update sign_in_account set is_active = false where id = ${person.id}`);
  await save(hr, person.staffId, { email });
  await admin.call(staffAccountApi.suspend, { id: person.staffId, version: 1, isSuspended: false });
  expect(await getsCode(email)).toBe(false);
});

test('Y3 a new colleague whose record was completed before the invitation signs in at once', async () => {
  const { email, mobile } = mine();
  const id = await withoutAccount({ mobile });
  await save(hr, id, { email });
  await admin.call(staffAccountApi.invite, { id, channel: 'Email', sets: [] });
  expect(await getsCode(email)).toBe(true);
});

/** A thief who keeps staff records: signs in by an own number, entered before the person was invited without permissions. */
async function openByChanged(channel: 'email' | 'mobile' = 'mobile') {
  const { email, mobile } = mine();
  const address = { email, mobile }[channel];
  const id = await withoutAccount({ email: `old.${email}`, mobile: String(8_200_000_000 + last) });
  await save(hr, id, { [channel]: address });
  await admin.call(staffAccountApi.invite, { id, channel: channel === 'email' ? 'Email' : 'SMS', sets: [] });
  const thief = openBrowser(school);
  const by =
    channel === 'email'
      ? { AuthenicateUserBy: 'Email', EmailID: address }
      : { AuthenicateUserBy: 'Mobile', MobileNo: address };
  await thief.send({ method: 'POST', url: '/api/sign-in/authenticate-user', body: by });
  const [row] = await school.sql('select id, salt from sign_in_code order by id desc limit 1');
  const OTP = codeOf(school.services, row as never);
  await thief.send({ method: 'POST', url: '/api/sign-in/verify-otp', body: { OTP, rememberMe: true } });
  return { id, thief, address };
}
const setsOf = async (browser: Browser) => (await browser.send({ url: '/api/sign-in/me' })).json.sets;

test.each(['email', 'mobile'] as const)(
  'Y3 a session that a changed %s began has no permissions, whether granted or by the mapping, for 72 hours',
  async (channel) => {
    const { id, thief } = await openByChanged(channel);
    expect(await setsOf(thief)).toEqual([]);
    await admin.call(staffAccountApi.grant, { id, version: 1, sets: ['principal'] });
    await teach(school, { staffId: id });
    expect(await setsOf(thief)).toEqual([]);
    expect((await thief.send({ url: '/api/staff' })).status).toBe(403);
    await school.sql(`update sign_in_session set held_until = held_until - interval '72 hours'
      where account_id = (select id from sign_in_account where staff_id = ${id})`);
    expect(await setsOf(thief)).toEqual(['principal', 'classTeacher']);
  },
);

test.each(['the same', 'another'])(
  'Y3 a session that a changed address began confirms no address: %s number waits for its code as before',
  async (which) => {
    const { id, thief, address } = await openByChanged();
    const mobile = which === 'the same' ? address : mine().mobile;
    await thief.call(contactApi.sendMobileCode, { mobile });
    const [row] = await school.sql('select id, salt from sign_in_contact order by id desc limit 1');
    await thief.call(contactApi.save, { OTP: codeOf(school.services, row as never) });
    await admin.call(staffAccountApi.grant, { id, version: 1, sets: ['principal'] });
    expect(await getsCode(mobile)).toBe(false);
  },
);

test('Y3 a session that a changed address began ends when the address is corrected', async () => {
  const { id, thief } = await openByChanged();
  await save(admin, id, { mobile: mine().mobile });
  expect((await thief.send({ url: '/api/sign-in/me' })).status).toBe(401);
});

test('Y3 the owner keeps the permissions of a session that began before an Admin changed the address', async () => {
  const person = await school.person({ sets: ['office'] });
  await save(admin, person.staffId, { email: mine().email });
  expect(await setsOf(person)).toEqual(['office']);
});
