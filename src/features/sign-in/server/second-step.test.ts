import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { settingApi } from '#features/school/contract/setting.ts';
import { english } from '#kit/contract/text.ts';
import { type Browser, openAccount, password } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { passwordApi } from '../contract/password.ts';
import { heldCode, secondStep } from '../contract/sign-in.ts';
import { codeOf } from './code.ts';
import { secondStepWarnings } from './second-step.ts';
import { asksAdminCode } from './settings.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());
beforeEach(async () => {
  await school.sql('delete from attempt');
  await school.sql('delete from outbox');
  await school.sql('delete from setting');
});

const account = (values: { isAdmin?: boolean; isStaff?: boolean } = {}) => openAccount(school, values);
type Account = Awaited<ReturnType<typeof account>>;

const delivered = (...channels: ('email' | 'sms')[]) =>
  Promise.all(
    channels.map((channel) =>
      school.sql(`insert into outbox (channel, template, subject_id, status, sent_at)
        values ('${channel}', 'sign-in-code', 0, 'sent', now())`),
    ),
  );
const authenticate = (browser: Browser, body: object) =>
  browser.send({ method: 'POST', url: '/api/sign-in/authenticate-user', body });
const byPassword = (browser: Browser, { userName }: Account, Password = password) =>
  authenticate(browser, { AuthenicateUserBy: 'UserNameNPassword', UserName: userName, Password });
const verify = (browser: Browser, OTP: string, overrides: object = {}) =>
  browser.send({ method: 'POST', url: '/api/sign-in/verify-otp', body: { OTP, ...overrides } });
const me = (browser: Browser) => browser.send({ url: '/api/sign-in/me' });
const staffOf = ({ id }: Account) => `(select staff_id from sign_in_account where id = ${id})`;
const waiting = () => school.sql(`select channel, recipient from outbox where status = 'queued' order by id`);

async function sentCode(): Promise<string> {
  const [row] = await school.sql('select id, salt from sign_in_code order by id desc limit 1');
  return codeOf(school.services, row as { id: number; salt: Buffer });
}
/** The result of typing the password in a browser. */
async function entered(browser: Browser, who: Account) {
  await school.sql('delete from attempt');
  const { json } = await byPassword(browser, who);
  const [{ userMasterModel, text }] = json;
  return userMasterModel.length > 0 ? 'in' : text;
}
async function passBoth(browser: Browser, who: Account) {
  await entered(browser, who);
  expect((await verify(browser, await sentCode())).json[0].isSuccess).toBe(true);
  return browser;
}
const refused = [
  {
    messageVal: 'Invalid OTP.',
    text: { id: 'Invalid OTP.' },
    isSuccess: false,
    otPval: '',
    imageURL: '/api/staff/picture/',
    userMasterModel: [],
  },
];

describe('the second step of an Admin', () => {
  test('W12 A14 is on once an email was delivered, and not before', async () => {
    const admin = await account();
    expect(await entered(school.browser(), admin)).toBe('in');
    await school.sql(
      `insert into outbox (channel, template, recipient, subject_id) values ('email', 'x', 'a@b.cd', 0)`,
    );
    expect(await entered(school.browser(), admin)).toBe('in');
    await delivered('email');
    expect(await entered(school.browser(), admin)).toEqual(secondStep.Email);
  });

  test('W12 A21 a code that was sent for the old password signs nobody in after it was changed', async () => {
    const admin = await account();
    const own = school.browser();
    expect(await entered(own, admin)).toBe('in');
    await delivered('email');
    const other = school.browser();
    expect(await entered(other, admin)).toEqual(secondStep.Email);
    const code = await sentCode();
    await own.call(passwordApi.change, { password, newPassword: 'Neem-Window-17' });
    expect((await verify(other, code)).json).toEqual(refused);
  });

  test('W12 A14 A7 the password alone signs nobody in: the sent code does, in the same browser, as Admin', async () => {
    await delivered('email');
    const admin = await account();
    const browser = school.browser();
    expect(await entered(browser, admin)).toEqual(secondStep.Email);
    expect((await me(browser)).status).toBe(401);
    expect(await waiting()).toEqual([{ channel: 'email', recipient: admin.email }]);
    const code = await sentCode();
    expect((await verify(school.browser(), code)).json).toEqual(refused);
    expect((await verify(browser, code, { rememberMe: true })).json[0].isSuccess).toBe(true);
    expect((await me(browser)).json).toMatchObject({ userID: admin.staffId, role: 'Admin' });
    const [session] = await school.sql(
      `select method, is_remembered from sign_in_session where account_id = ${admin.id}`,
    );
    expect(session).toEqual({ method: 'UserNameNPassword', is_remembered: false });
  });

  test('A14 a wrong password sends no code', async () => {
    await delivered('email');
    await byPassword(school.browser(), await account(), 'Wrong-Bridge-48');
    expect(await waiting()).toEqual([]);
  });

  test('A14 A21 a code that follows the password is void once its account is an Admin no more', async () => {
    await delivered('email');
    const admin = await account();
    const browser = school.browser();
    await entered(browser, admin);
    await school.sql(`update sign_in_account set is_admin = false where id = ${admin.id}`);
    expect((await verify(browser, await sentCode())).json).toEqual(refused);
  });

  test('W7 A14 a code asked for without the password makes no Admin', async () => {
    await delivered('email');
    const { email } = await account();
    const browser = school.browser();
    await authenticate(browser, { AuthenicateUserBy: 'Email', EmailID: email });
    await verify(browser, await sentCode());
    expect((await me(browser)).json.role).toBe('Staff');
  });

  test('W12 is asked of a browser once in thirty days, and again after a new password', async () => {
    await delivered('email');
    const admin = await account();
    const browser = await passBoth(school.browser(), admin);
    expect(await entered(browser, admin)).toBe('in');
    const pass = (days: number) =>
      school.sql(
        `update sign_in_device set second_step_at = now() - interval '${days} days' where account_id = ${admin.id}`,
      );
    await pass(29);
    expect(await entered(browser, admin)).toBe('in');
    await pass(31);
    expect(await entered(browser, admin)).toEqual(secondStep.Email);
    await pass(1);
    await school.sql(`delete from sign_in_device where account_id = ${admin.id}`); // As a new password does.
    expect(await entered(browser, admin)).toEqual(secondStep.Email);
  });

  test('W7 W12 is asked in a browser that is known by a code to a phone alone', async () => {
    await delivered('email', 'sms');
    const admin = await account();
    const browser = school.browser();
    await authenticate(browser, { AuthenicateUserBy: 'Mobile', MobileNo: admin.mobile });
    expect((await verify(browser, await sentCode())).json[0].isSuccess).toBe(true);
    expect(await entered(browser, admin)).toEqual(secondStep.Email);
  });

  test('W12 one person’s browser spares nobody else the step', async () => {
    await delivered('email');
    const [first, second] = [await account(), await account()];
    const browser = await passBoth(school.browser(), first);
    expect(await entered(browser, second)).toEqual(secondStep.Email);
  });

  test('W12 goes to the mobile number where there is no email address, or no email was ever delivered', async () => {
    await delivered('sms');
    const [both, onlyMobile] = [await account(), await account()];
    await school.sql(`update staff set email = null where id = ${staffOf(onlyMobile)}`);
    expect(await entered(school.browser(), both)).toEqual(secondStep.Mobile);
    await delivered('email');
    expect(await entered(school.browser(), both)).toEqual(secondStep.Email);
    const browser = school.browser();
    expect(await entered(browser, onlyMobile)).toEqual(secondStep.Mobile);
    expect((await waiting()).at(-1)).toEqual({ channel: 'sms', recipient: onlyMobile.mobile });
    expect((await verify(browser, await sentCode())).json[0].isSuccess).toBe(true);
    expect((await me(browser)).json.role).toBe('Admin');
  });

  test('W12 cannot be asked of an Admin whom no code reaches', async () => {
    await delivered('email');
    const admin = await account();
    await school.sql(`update staff set email = null where id = ${staffOf(admin)}`);
    expect(await entered(school.browser(), admin)).toBe('in');
  });

  test('W7 W12 is not sent to an address changed within 72 hours, but to the other one', async () => {
    await delivered('email', 'sms');
    const admin = await account();
    await school.sql(`update staff set email = 'thief${admin.id}@staff.example' where id = ${staffOf(admin)}`);
    expect(await entered(school.browser(), admin)).toEqual(secondStep.Mobile);
    await school.sql(`update staff set email_changed_at = now() - interval '73 hours' where id = ${staffOf(admin)}`);
    expect(await entered(school.browser(), admin)).toEqual(secondStep.Email);
  });

  test('W7 W12 with no address but new ones lets in only a browser that has passed it, and says so', async () => {
    await delivered('email', 'sms');
    const admin = await account();
    const own = await passBoth(school.browser(), admin);
    await school.sql(`update staff set email = 'new${admin.id}@staff.example', mobile = '66000${String(admin.id).padStart(5, '0')}'
      where id = ${staffOf(admin)}`);
    await school.sql(`update outbox set status = 'sent', recipient = null where status = 'queued'`);
    await school.sql('delete from attempt');
    const { status, json } = await byPassword(school.browser(), admin);
    expect([status, json.error.text]).toEqual([422, heldCode]);
    expect(await waiting()).toEqual([]);
    expect(await entered(own, admin)).toBe('in');
    expect(
      await school.sql(
        `select result, details from audit where action = 'sign-in.refused' and entity_id = ${admin.id}`,
      ),
    ).toEqual([{ result: 'refused', details: { method: 'UserNameNPassword', reason: 'address changed' } }]);
  });

  test('W12 A24 is turned off by an Admin with a confirmed session only', async () => {
    await delivered('email');
    const person = await school.person({ role: 'Admin' });
    const off = () => person.call(settingApi.save, { key: asksAdminCode.key, value: false, rowVersion: 0 });
    await school.sql(
      `update sign_in_session set confirmed_at = now() - interval '601 seconds' where account_id = ${person.id}`,
    );
    await expect(off()).rejects.toMatchObject({ code: 'confirm_required' });
    await school.sql(`update sign_in_session set confirmed_at = now() where account_id = ${person.id}`);
    await off();
    expect(await entered(school.browser(), await account())).toBe('in');
  });
});

describe('the warning about Admins with a password alone', () => {
  const warnings = async () => (await secondStepWarnings(school.services)).map(({ name }) => name);

  test('W12 stays until something was delivered', async () => {
    expect(await warnings()).toEqual(['second-step-waiting']);
    await delivered('email');
    await school.sql(`update sign_in_account set is_admin = false where is_admin and is_staff;
      update sign_in_account set is_active = false where is_admin`);
    expect(await warnings()).toEqual([]);
  });

  test('W12 stays while the second step is turned off', async () => {
    await delivered('email');
    await school.sql(`insert into setting (key, value) values ('${asksAdminCode.key}', 'false')`);
    expect(await secondStepWarnings(school.services)).toEqual([
      expect.objectContaining({ name: 'second-step-off', to: '/school-erp/academic/organizational-master' }),
    ]);
  });

  test('W12 names the Admins whom no code reaches', async () => {
    await delivered('email');
    const [reached, unreached, closed] = [await account(), await account(), await account()];
    await school.sql(`update staff set email = null where id in (${staffOf(unreached)}, ${staffOf(closed)})`);
    await school.sql(`update sign_in_account set is_active = false where id = ${closed.id}`);
    const [warning, ...others] = await secondStepWarnings(school.services);
    expect([warning?.name, others]).toEqual(['second-step-unreachable', []]);
    const words = warning && english(warning.text);
    expect(words).toContain(unreached.name);
    for (const { name } of [reached, closed]) expect(words).not.toMatch(new RegExp(`${name}\\b`));
    await delivered('sms');
    expect(await warnings()).toEqual([]);
  });
});
