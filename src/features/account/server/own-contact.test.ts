import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { codeOf } from '#features/sign-in/api.ts';
import { wrongCode } from '#features/sign-in/contract/sign-in.ts';
import { signInAgainMessage } from '#kit/contract/errors.ts';
import { render } from '#kit/server/messages/outbox.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { takenAddress } from '../contract/account.ts';
import { contactApi } from '../contract/contact.ts';
import { contactMessages } from './own-contact.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

let made = 0;
const newEmail = () => `new${++made}@staff.example`;
const newMobile = () => String(6_900_000_000 + ++made);
const askFor = (person: Person, email: string) => person.call(contactApi.sendEmailCode, { email });
const save = (person: Person, OTP: string) => person.call(contactApi.save, { OTP });

/** The code sent to an address. */
async function codeFor(target: string): Promise<string> {
  const [row] =
    await school.sql(`select contact.id, salt from sign_in_contact contact join outbox on subject_id = contact.id
    and template = 'contact-code' where recipient = '${target}' order by contact.id desc limit 1`);
  return codeOf(school.services, row as { id: number; salt: Buffer });
}
const contactOf = async ({ id }: Person) =>
  (
    await school.sql(
      `select email, mobile from staff join sign_in_account account on staff_id = staff.id where account.id = ${id}`,
    )
  )[0];
const sentTo = (recipient: string) =>
  school.sql(`select channel, template from outbox where recipient = '${recipient}' order by id`);

test('a new email address counts once its code was typed, and the old address gets a message', async () => {
  const person = await school.person();
  await school.sql(`update sign_in_account set google_subject = 'g' where id = ${person.id}`);
  const email = newEmail();
  await askFor(person, email.toUpperCase());
  expect(await contactOf(person)).toMatchObject({ email: person.email });

  await save(person, (await codeFor(email)).toLowerCase());
  expect(await contactOf(person)).toEqual({ email, mobile: person.mobile });
  expect(await sentTo(person.email)).toEqual([{ channel: 'email', template: 'email-changed' }]);
  expect(await sentTo(email)).toEqual([{ channel: 'email', template: 'contact-code' }]);
  const [account] = await school.sql(`select google_subject from sign_in_account where id = ${person.id}`);
  expect(account?.google_subject).toBeNull();
  const text = (await school.send({ url: '/dev/outbox' })).text;
  expect(text).toContain('It no longer opens the account.');
});

test('so does a new mobile number, and of a first one the email address gets a message', async () => {
  const person = await school.person();
  await school.sql(`update staff set mobile = null where mobile = '${person.mobile}'`);
  const mobile = newMobile();
  await person.call(contactApi.sendMobileCode, { mobile: `+91 ${mobile.slice(0, 5)}-${mobile.slice(5)}` });
  await save(person, await codeFor(mobile));
  expect(await contactOf(person)).toEqual({ email: person.email, mobile });
  expect(await sentTo(mobile)).toEqual([{ channel: 'sms', template: 'contact-code' }]);
  expect(await sentTo(person.email)).toEqual([{ channel: 'email', template: 'mobile-added' }]);
});

test('what was on its way to the old address opens nothing any more', async () => {
  const person = await school.person({ role: 'Admin' });
  await school.sql(`update sign_in_account set is_staff = true where id = ${person.id}`);
  const body = { AuthenicateUserBy: 'Email', EmailID: person.email };
  await school.browser().send({ method: 'POST', url: '/api/sign-in/authenticate-user', body });
  await school.browser().send({ method: 'POST', url: '/api/sign-in/reset-link', body: { email: person.email } });
  const open = () =>
    school.sql(`select 1 from sign_in_code where account_id = ${person.id} and used_at is null
      union all select 1 from sign_in_reset where account_id = ${person.id} and used_at is null`);
  expect(await open()).toHaveLength(2);
  const email = newEmail();
  await askFor(person, email);
  await save(person, await codeFor(email));
  expect(await open()).toEqual([]);
});

test('a code is void once used, after five minutes, after five tries, and when a newer one is sent', async () => {
  const person = await school.person();
  const refused = { code: 'invalid', fields: { OTP: wrongCode } };
  const begin = async () => {
    await school.sql('delete from attempt');
    const email = newEmail();
    await askFor(person, email);
    return codeFor(email);
  };
  const used = await begin();
  await save(person, used);
  await expect(save(person, used)).rejects.toMatchObject(refused);

  const old = await begin();
  await school.sql(`update sign_in_contact set expires_at = now() where used_at is null`);
  await expect(save(person, old)).rejects.toMatchObject(refused);

  const first = await begin();
  const second = await begin();
  await expect(save(person, first)).rejects.toMatchObject(refused);
  await save(person, second);

  const guessed = await begin();
  const guesses = await Promise.allSettled(Array.from({ length: 50 }, () => save(person, 'AAAAA')));
  const wrong = guesses.filter((guess) => guess.status === 'rejected' && guess.reason.code === 'invalid');
  expect(wrong).toHaveLength(5);
  await expect(save(person, guessed)).rejects.toMatchObject({ code: 'too_many_tries' });
});

test('of the same right code twenty times at once one counts', async () => {
  const person = await school.person();
  const email = newEmail();
  await askFor(person, email);
  const code = await codeFor(email);
  // Of many simultaneous requests only five are checked at all.
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => save(person, code)));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await sentTo(person.email)).toHaveLength(1);
});

test('a code works only for the person who requested it', async () => {
  const [person, other] = [await school.person(), await school.person()];
  const email = newEmail();
  await askFor(person, email);
  await expect(save(other, await codeFor(email))).rejects.toMatchObject({ fields: { OTP: wrongCode } });
  expect(await contactOf(other)).toMatchObject({ email: other.email });
});

test('A9 an address in use is refused only after its code was typed', async () => {
  const [person, other] = [await school.person(), await school.person()];
  expect(await askFor(person, other.email)).toEqual({});
  const code = await codeFor(other.email);
  await expect(save(person, code)).rejects.toMatchObject({ code: 'conflict', fields: { OTP: takenAddress } });
  expect(await contactOf(person)).toMatchObject({ email: person.email });
  expect(await sentTo(person.email)).toEqual([]);
});

test('A24 is done within ten minutes of signing in: Staff sign in again, an Admin types the password', async () => {
  for (const [role, code] of [
    ['Staff', 'sign_in_again'],
    ['Admin', 'confirm_required'],
  ] as const) {
    const person = await school.person({ role });
    await school.sql(
      `update sign_in_session set confirmed_at = now() - interval '601 seconds' where account_id = ${person.id}`,
    );
    await expect(askFor(person, newEmail())).rejects.toMatchObject({
      code,
      ...(role === 'Staff' && { text: signInAgainMessage }),
    });
  }
});

test('one waits half a minute for the next code, and gets at most five in an hour', async () => {
  const person = await school.person();
  for (let times = 0; times < 5; times++) {
    await askFor(person, newEmail());
    await expect(askFor(person, newEmail())).rejects.toMatchObject({ code: 'too_many_tries' });
    await school.sql(`delete from attempt where kind = 'code-sent-just-now'`);
  }
  await expect(askFor(person, newEmail())).rejects.toMatchObject({ code: 'too_many_tries' });
});

test('a message that is sent too late holds no code', async () => {
  const person = await school.person();
  await askFor(person, newEmail());
  const [row] = await school.sql('select max(id) as id from sign_in_contact');
  const message = await render(school.services, contactMessages['contact-code'], Number(row?.id));
  expect(message?.text).toMatch(/^[A-Z2-9]{5} is your code/);
  await school.sql(`update sign_in_contact set expires_at = now() - interval '1 second' where id = ${row?.id}`);
  expect(await contactMessages['contact-code'].render(school.services, Number(row?.id), null)).toBeUndefined();
});
