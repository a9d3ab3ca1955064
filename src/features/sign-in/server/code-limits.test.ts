import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Browser, openAccount, password } from '#testing/browser.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { codeOf } from './code.ts';

let school: School;
beforeAll(async () => {
  school = await openOwnSchool({ TRUSTED_PROXIES: '127.0.0.1' });
  await school.sql(`insert into outbox (channel, template, subject_id, status, sent_at)
    values ('email', 'sign-in-code', 0, 'sent', now()), ('sms', 'sign-in-code', 0, 'sent', now())`);
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

type Account = Awaited<ReturnType<typeof openAccount>>;
const later = () => school.sql(`delete from attempt where kind = 'code-sent-just-now'`);
const post = (browser: Browser, path: string, body: object, network = 1) =>
  browser.send({
    method: 'POST',
    url: `/api/sign-in/${path}`,
    body,
    headers: { 'x-forwarded-for': `203.0.113.${network}` },
  });
const byEmail = ({ email }: Account, browser = school.browser(), network = 1) =>
  post(browser, 'authenticate-user', { AuthenicateUserBy: 'Email', EmailID: email }, network);
const byMobile = ({ mobile }: Account, browser = school.browser(), network = 1) =>
  post(browser, 'authenticate-user', { AuthenicateUserBy: 'Mobile', MobileNo: mobile }, network);
const byPassword = ({ userName }: Account, browser = school.browser(), network = 1) =>
  post(
    browser,
    'authenticate-user',
    { AuthenicateUserBy: 'UserNameNPassword', UserName: userName, Password: password },
    network,
  );

/** The codes sent to a person, by any channel and for any purpose. */
const sentTo = async ({ id }: Account) =>
  Number(
    (
      await school.sql(`select count(*) from outbox where status = 'queued' and (
        template = 'sign-in-code' and subject_id in (select id from sign_in_code where account_id = ${id})
        or template = 'contact-code' and subject_id in (select id from sign_in_contact where account_id = ${id}))`)
    )[0]?.count,
  );

async function signInWithCode(account: Account, browser: Browser) {
  await byEmail(account, browser, 99);
  const [row] = await school.sql('select id, salt from sign_in_code order by id desc limit 1');
  const { json } = await post(browser, 'verify-otp', { OTP: codeOf(school.services, row as never) });
  expect(json[0].isSuccess).toBe(true);
  await school.sql('delete from attempt');
  await school.sql(`update outbox set status = 'sent', recipient = null where status = 'queued'`);
  return browser;
}

const newAddress = (browser: Browser, number: number) =>
  post(browser, 'contact/email-code', { email: `code-limit${number}@staff.example` });

describe('the codes of one person', () => {
  test('W17 A8 are five an hour by email and mobile together, also in a browser of their own', async () => {
    const account = await openAccount(school, { isAdmin: false });
    const own = await signInWithCode(account, school.browser());
    const statuses = [];
    for (let turn = 0; turn < 6; turn++) {
      statuses.push((await (turn % 2 ? byMobile : byEmail)(account, own)).status);
      await later();
    }
    expect([statuses, await sentTo(account)]).toEqual([[200, 200, 200, 200, 200, 429], 5]);
  });

  test('W17 include those of the second step and those to a new address', async () => {
    const account = await openAccount(school);
    await byPassword(account);
    await later();
    await byPassword(account);
    await later();
    const own = school.browser();
    await byEmail(account, own);
    const [row] = await school.sql('select id, salt from sign_in_code order by id desc limit 1');
    await post(own, 'verify-otp', { OTP: codeOf(school.services, row as never) });
    await later();
    await school.sql(`update sign_in_account set is_admin = false where id = ${account.id}`);
    expect((await newAddress(own, 1)).status).toBe(200);
    await later();
    expect((await newAddress(own, 2)).status).toBe(200);
    await later();
    expect((await newAddress(own, 3)).status).toBe(429);
    await later();
    await school.sql(`update sign_in_account set is_admin = true where id = ${account.id}`);
    expect((await byPassword(account)).status).toBe(429);
    expect((await byEmail(account, own)).status).toBe(429);
  });

  test('W17 A8 are half a minute apart for each address', async () => {
    const account = await openAccount(school, { isAdmin: false });
    expect((await byEmail(account, school.browser(), 1)).status).toBe(200);
    expect((await byEmail(account, school.browser(), 2)).status).toBe(429);
    expect((await byMobile(account, school.browser(), 3)).status).toBe(200);
  });

  test('W17 G1 of a hundred asked for at once, in as many networks, strangers get three at most', async () => {
    const account = await openAccount(school, { isAdmin: false });
    for (let round = 0; round < 10; round++) {
      const asks = Array.from({ length: 10 }, (_, number) =>
        (number % 2 ? byMobile : byEmail)(account, school.browser(), round * 10 + number),
      );
      for (const { status } of await Promise.all(asks)) expect([200, 429]).toContain(status);
      await later();
    }
    expect(await sentTo(account)).toBe(3);
  });
});

describe('a stranger', () => {
  test('W17 gets two codes of one person from one network, by email and mobile together', async () => {
    const account = await openAccount(school, { isAdmin: false });
    for (let turn = 0; turn < 3; turn++) {
      await byEmail(account);
      await byMobile(account);
      await later();
    }
    expect(await sentTo(account)).toBe(2);
    expect((await byEmail(account)).status).toBe(429);
  });

  test('W17 keeps nobody out: the owner’s browser still gets codes, the password the second step, a session a new address', async () => {
    const account = await openAccount(school);
    const own = await signInWithCode(account, school.browser());
    for (let network = 1; network <= 20; network++) {
      await byEmail(account, school.browser(), network);
      await later();
      await byMobile(account, school.browser(), network);
      await later();
    }
    expect(await sentTo(account)).toBe(3);
    expect((await byEmail(account, own)).status).toBe(200);
    await later();
    const { status, json } = await byPassword(account, school.browser(), 50);
    expect([status, json[0].isSuccess, await sentTo(account)]).toEqual([200, true, 5]);
  });

  test('W17 keeps nobody waiting half a minute again and again: what is refused does not count', async () => {
    const account = await openAccount(school, { isAdmin: false });
    for (let turn = 0; turn < 2; turn++) {
      await byEmail(account);
      await later();
    }
    expect((await byEmail(account)).status).toBe(429);
    expect((await byEmail(account, school.browser(), 7)).status).toBe(200);
    expect(await sentTo(account)).toBe(3);
  });

  test('W17 A9 does not learn that a person’s codes are used up: no code works, and the audit records the reason', async () => {
    const account = await openAccount(school, { isAdmin: false });
    for (let network = 1; network <= 3; network++) {
      await byEmail(account, school.browser(), network);
      await later();
    }
    const browser = school.browser();
    const answer = await byEmail(account, browser, 8);
    expect(answer.json[0]).toMatchObject({ isSuccess: true });
    const [row] = await school.sql('select id, salt from sign_in_code order by id desc limit 1');
    const { json } = await post(browser, 'verify-otp', { OTP: codeOf(school.services, row as never) });
    expect(json[0].isSuccess).toBe(false);
    expect(
      await school.sql(`select entity_id, result, details from audit where action = 'sign-in.code-sent'
        order by id desc limit 1`),
    ).toEqual([{ entity_id: account.id, result: 'refused', details: { method: 'Email', reason: 'too many' } }]);
  });

  test('W17 G1 asks for three hundred codes an hour from one address, of whomever', async () => {
    await school.sql(`insert into attempt (kind, subject, hits, window_ends)
      values ('code-sent-address', '203.0.113.1', 299, now() + interval '1 hour')`);
    const accounts = [await openAccount(school), await openAccount(school)];
    expect((await byEmail(accounts[0] as Account)).status).toBe(200);
    expect((await byEmail(accounts[1] as Account)).status).toBe(429);
  });
});
