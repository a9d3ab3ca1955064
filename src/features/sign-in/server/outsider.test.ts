import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAccount } from '#features/account/api.ts';
import { accountApi } from '#features/account/contract/account.ts';
import { render } from '#kit/server/messages/outbox.ts';
import { type Browser, openAccount, type Person, password } from '#testing/browser.ts';
import { form, openOwnSchool, openSchool, photo, type School } from '#testing/school.ts';
import { isSoak } from '#testing/soak.ts';
import { codeOf } from './code.ts';
import { resetMessage } from './own-password.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin' });
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

const account = (values: { isAdmin?: boolean } = {}) => openAccount(school, values);

type Headers = Record<string, string>;
const post = (browser: Browser, path: string, body: object, headers?: Headers) =>
  browser.send({ method: 'POST', url: `/api/sign-in/${path}`, body, headers });
const byPassword = (browser: Browser, UserName: string, Password = password, headers?: Headers) =>
  post(browser, 'authenticate-user', { AuthenicateUserBy: 'UserNameNPassword', UserName, Password }, headers);
const askCode = (browser: Browser, EmailID: string, headers?: Headers) =>
  post(browser, 'authenticate-user', { AuthenicateUserBy: 'Email', EmailID }, headers);
const verify = (browser: Browser, OTP: string) => post(browser, 'verify-otp', { OTP });
const isIn = async (browser: Browser) => (await browser.send({ url: '/api/sign-in/me' })).status === 200;
const count = async (from: string) => Number((await school.sql(`select count(*) from ${from}`))[0]?.count);
const atOnce = <Result>(times: number, act: (number: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: times }, (_, number) => act(number)));

async function newestCode(): Promise<string> {
  const [row] = await school.sql('select id, salt from sign_in_code order by id desc limit 1');
  return codeOf(school.services, row as { id: number; salt: Buffer });
}

describe('an outsider keeps nobody out', () => {
  test('A7 A8 by asking for codes of an address: neither is its code void, nor does its own browser wait', async () => {
    const { email } = await account();
    const own = school.browser();
    await askCode(own, email);
    const code = await newestCode();
    for (let times = 0; times < 6; times++) {
      await school.sql(`delete from attempt where kind = 'code-sent-just-now'`);
      await askCode(school.browser(), email);
    }
    expect((await askCode(school.browser(), email)).status).toBe(429);
    expect((await verify(own, code)).json[0].isSuccess).toBe(true);
    expect((await askCode(own, email)).status).toBe(200);
    expect((await verify(own, await newestCode())).json[0].isSuccess).toBe(true);
  });

  test('A13 A17 by asking for links to a password: a browser of one’s own still gets one', async () => {
    const { userName, email } = await account();
    const own = school.browser();
    await byPassword(own, userName);
    const ask = (browser: Browser) => post(browser, 'reset-link', { email });
    for (let times = 0; times < 5; times++) {
      await school.sql(`delete from attempt where kind = 'reset-sent-just-now'`);
      expect((await ask(school.browser())).status).toBe(200);
    }
    await school.sql(`delete from attempt where kind = 'reset-sent-just-now'`);
    expect([(await ask(school.browser())).status, (await ask(own)).status, (await ask(own)).status]).toEqual([
      429, 200, 429,
    ]);
  });

  test('A13 by wrong passwords from the same address, which do not count against who has only to wait for them', async () => {
    const { userName } = await account();
    for (let times = 0; times < 8; times++) await byPassword(school.browser(), `nobody${times}`, 'Wrong-Bridge-48');
    for (let times = 0; times < 8; times++) expect((await byPassword(school.browser(), userName)).status).toBe(429);
    await school.sql(`update attempt set not_before = null where kind = 'wrong-password-address'`);
    expect((await byPassword(school.browser(), userName)).json[0].isSuccess).toBe(true);
  });

  test('A13 once somebody has signed out: their browser is still known as theirs', async () => {
    const { userName } = await account();
    const own = school.browser();
    await byPassword(own, userName);
    await post(own, 'sign-out', {});
    expect(await isIn(own)).toBe(false);
    await atOnce(20, () => byPassword(school.browser(), userName, 'Wrong-Bridge-48'));
    expect((await byPassword(school.browser(), userName)).status).toBe(429);
    expect((await byPassword(own, userName)).json[0].isSuccess).toBe(true);
  });

  test('G4 by failing from the school’s own address: all who are signed in go on, five hundred in soak', async () => {
    const [people, inSchool] = [[] as Person[], isSoak ? 500 : 60];
    for (let number = 0; number < inSchool; number++) people.push(await school.person());
    for (let times = 0; times < 8; times++) await byPassword(school.browser(), `nobody${times}`, 'Wrong-Bridge-48');
    expect((await byPassword(school.browser(), 'nobody')).status).toBe(429);
    let inside = 0;
    while (people.length > 0) {
      const answers = await Promise.all(people.splice(0, 50).map(isIn));
      inside += answers.filter(Boolean).length;
    }
    expect(inside).toBe(inSchool);
  });
});

describe('an outsider is counted', () => {
  test('G1 A8 of two hundred who ask for one address’s code at once one is sent', async () => {
    const { email } = await account();
    const answers = await atOnce(90, () => askCode(school.browser(), email));
    answers.push(...(await atOnce(90, () => askCode(school.browser(), email))));
    answers.push(...(await atOnce(20, () => askCode(school.browser(), email))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(199);
    expect(await count(`outbox where recipient = '${email}'`)).toBe(1);
  });

  test('G1 of two hundred guesses at as many names at once sixty are judged within a minute', async () => {
    const guess = (number: number) => byPassword(school.browser(), `stranger${number}`, 'Wrong-Bridge-48');
    const answers = [...(await atOnce(90, guess)), ...(await atOnce(90, guess)), ...(await atOnce(20, guess))];
    const judged = answers.filter(({ status }) => status === 200).length;
    expect([judged > 0, judged <= 60, judged + answers.filter(({ status }) => status === 429).length]).toEqual([
      true,
      true,
      200,
    ]);
  });

  test('G1 H1 codes for nothing are refused alike, and fill the audit no further than three hundred an hour', async () => {
    const rows = () => count(`audit where action = 'sign-in.code-refused'`);
    const before = await rows();
    await school.sql(`insert into attempt (kind, subject, hits, window_ends)
      values ('code-for-nothing', '127.0.0.1', 290, now() + interval '1 hour')`);
    const answers = await atOnce(50, () => verify(school.browser(), 'AAAAA'));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect((await rows()) - before).toBe(10);
    // A user who already has a code need not wait for them.
    const { email } = await account();
    const own = school.browser();
    await askCode(own, email);
    expect((await verify(own, await newestCode())).json[0].isSuccess).toBe(true);
  });

  test('G1 requests for accounts from one address are thirty an hour, links to a password three hundred', async () => {
    await school.sql(`insert into attempt (kind, subject, hits, window_ends)
      values ('reset-sent-address', '127.0.0.1', 299, now() + interval '1 hour')`);
    const [asks, resets] = [
      await atOnce(40, (number) =>
        post(school.browser(), 'request', {
          name: 'Rekha',
          email: `flood${number}@example.com`,
          mobile: String(6_100_000_000 + number),
          reason: 'I teach.',
        }),
      ),
      await atOnce(10, (number) => post(school.browser(), 'reset-link', { email: `flood${number}@example.com` })),
    ];
    expect(asks.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(resets.filter(({ status }) => status === 200)).toHaveLength(1);
    const late = asks.find(({ status }) => status === 429);
    expect(Number(late?.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('G2 wherever a header says that they come from, unless a proxy of ours wrote it', async () => {
    const { userName } = await account();
    const from = (number: number) => ({ 'x-forwarded-for': `203.0.113.${number}`, 'x-real-ip': '203.0.113.1' });
    for (let times = 0; times < 9; times++)
      await byPassword(school.browser(), `nobody${times}`, 'Wrong-Bridge-48', from(times));
    expect((await byPassword(school.browser(), userName, password, from(99))).status).toBe(429);

    const proxied = await openOwnSchool({ TRUSTED_PROXIES: '127.0.0.1' });
    await openAccount(proxied, { userName: 'jaya' });
    for (let times = 0; times < 9; times++)
      await byPassword(proxied.browser(), `nobody${times}`, 'Wrong-Bridge-48', from(1));
    expect((await byPassword(proxied.browser(), 'jaya', password, from(1))).status).toBe(429);
    // Entries before the address that our proxy added are written by the caller and can't be trusted.
    const invented = { 'x-forwarded-for': '198.51.100.7, 203.0.113.1' };
    expect((await byPassword(proxied.browser(), 'jaya', password, invented)).status).toBe(429);
    expect((await byPassword(proxied.browser(), 'jaya', password, from(2))).json[0].isSuccess).toBe(true);
    await proxied.close();
  });
});

describe('behind a proxy of ours', () => {
  let proxied: School;
  beforeAll(async () => {
    proxied = await openOwnSchool({ TRUSTED_PROXIES: '127.0.0.1' });
  });
  afterAll(() => proxied.close());
  beforeEach(() => proxied.sql('delete from attempt'));
  const from = (address: string) => ({ 'x-forwarded-for': address });

  test('G1 G2 all addresses of one network of 64 bits are counted as one, and no two networks are', async () => {
    const guess = (address: string) => byPassword(proxied.browser(), 'nobody', 'Wrong-Bridge-48', from(address));
    const networks = [
      (number: number) => `2001:db8:1:2::${number.toString(16)}`,
      (number: number) => `2001:db8:1:2:${number.toString(16)}:1::`,
      (number: number) => `::${number.toString(16)}`,
    ];
    for (const network of networks) {
      await proxied.sql('delete from attempt');
      for (let number = 1; number <= 9; number++) {
        await proxied.sql(`delete from attempt where kind = 'wrong-password'`);
        await guess(network(number));
      }
      await proxied.sql(`delete from attempt where kind = 'wrong-password'`);
      expect((await guess(network(99))).status).toBe(429);
      for (const other of ['2001:db8:1:3::1', '2001:db9::1', '203.0.113.7', '::ffff:203.0.113.8']) {
        await proxied.sql(`delete from attempt where kind = 'wrong-password'`);
        expect((await guess(other)).status).toBe(200);
      }
    }
    expect(
      await proxied.sql(`select distinct host(address) as address from audit where address <<= '2001:db8:1:3::/64'`),
    ).toEqual([{ address: '2001:db8:1:3::1' }]);
  });

  test.each(['unknown', '203.0.113.9:5678', '_hidden', '<script>', "1'; drop table audit; --"])(
    'G2 H2 an address that is none (%s) is no failure, and the proxy’s own is written down',
    async (address) => {
      const { status } = await byPassword(proxied.browser(), 'nobody', 'Wrong-Bridge-48', from(address));
      expect(status).toBe(200);
      expect(await proxied.sql('select host(address) as address from audit order by id desc limit 1')).toEqual([
        { address: '127.0.0.1' },
      ]);
    },
  );
});

describe('an outsider learns nothing', () => {
  /** Processor milliseconds of our own work, which other load on the machine does not affect as it would a clock. */
  async function workOf(act: () => Promise<unknown>) {
    await school.sql('delete from attempt');
    const before = process.cpuUsage();
    await act();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  }

  test('A9 from the work it makes: an unknown name costs what a wrong password does', async () => {
    const full = (isAdmin: boolean) => openAccount(school, { isAdmin }, 'at full cost');
    const [{ userName }, staff] = [await full(true), await full(false)];
    const names = [userName, 'nobody', staff.userName];
    const work: number[][] = [[], [], []];
    for (let turn = 0; turn < 9; turn++)
      for (const [index, name] of names.entries())
        work[index]?.push(await workOf(() => byPassword(school.browser(), name, 'Wrong-Bridge-48')));
    // Mostly the hash. Takes the median, since a garbage collection in another round says nothing about the work.
    const [known = 0, ...others] = work.map((turns) => turns.sort((left, right) => left - right)[4] ?? 0);
    for (const other of others) expect([other > known * 0.6, known > other * 0.6]).toEqual([true, true]);
  });

  test('A9 A16 from asking for an account under an address that somebody has', async () => {
    const { email } = await account();
    const person = await school.person();
    const draft = { name: 'Rekha', email: 'rekha@example.com', mobile: '6200000000', reason: 'I teach.' };
    const answers = [];
    for (const over of [{}, { email }, { email: 'rekha2@example.com', mobile: person.mobile }]) {
      const { status, json, headers } = await post(school.browser(), 'request', { ...draft, ...over });
      answers.push([status, json, Object.keys(headers)]);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });
});

describe('an outsider becomes nobody', () => {
  test('H2 in the audit: who asks for an account under an Admin’s name is not written down as that Admin', async () => {
    const body = { name: 'Asha Mehta', email: 'asha.m@example.com', mobile: '6300000000', reason: 'I teach.' };
    await post(school.browser(), 'request', body);
    expect(
      await school.sql(`select actor, account_id, role, details from audit where action = 'account.asked-for'
        order by id desc limit 1`),
    ).toEqual([{ actor: 'Nobody', account_id: null, role: null, details: { name: 'Asha Mehta' } }]);
  });

  test('A17 by a link to a password once the account is closed or no Admin’s any more', async () => {
    const [closed, demoted] = [await account(), await account()];
    const tokens = [];
    for (const { email } of [closed, demoted]) {
      await post(school.browser(), 'reset-link', { email });
      const [row] = await school.sql('select max(id) as id from sign_in_reset');
      const message = await render(school.services, resetMessage, Number(row?.id));
      tokens.push(/token=(\S+)/.exec(message?.text ?? '')?.[1] ?? '');
    }
    await school.sql(`update sign_in_account set is_active = false where id = ${closed.id}`);
    await school.sql(`update sign_in_account set is_admin = false, user_name = null, password_hash = null,
      password_set_at = null where id = ${demoted.id}`);
    const passwords = () =>
      school.sql(`select id, password_hash from sign_in_account where id in (${closed.id}, ${demoted.id}) order by id`);
    const before = await passwords();
    for (const token of tokens) {
      const { status, json } = await post(school.browser(), 'reset-password', { token, newPassword: 'Neem-Window-17' });
      expect([status, Object.keys(json.error.fields ?? {})]).toEqual([422, ['token']]);
    }
    expect(await passwords()).toEqual(before);
  });

  test('A18 by cookies under names that a neighbouring host could set', async () => {
    const person = await school.person();
    const value = person.cookies.get('__Host-session');
    for (const name of ['session', '__Secure-session', '__host-session', 'Host-session', ' __Host-session2']) {
      const { status } = await school.send({ url: '/api/sign-in/me', headers: { cookie: `${name}=${value}` } });
      expect([name, status]).toEqual([name, 401]);
    }
  });
});

describe('an outsider breaks nothing', () => {
  test.each([
    [
      'an address that grows in small letters',
      { AuthenicateUserBy: 'Email', EmailID: `${'İ'.repeat(60)}@${'İ'.repeat(30)}.com` },
    ],
    ['a name of NUL', { AuthenicateUserBy: 'UserNameNPassword', UserName: 'a\0b', Password: password }],
    ['a password of NUL', { AuthenicateUserBy: 'UserNameNPassword', UserName: 'nobody', Password: 'a\0bcdefg' }],
    ['half a sign', { AuthenicateUserBy: 'UserNameNPassword', UserName: '\ud800abc', Password: '\ud800abcdefg' }],
    ['lists for texts', { AuthenicateUserBy: ['Email'], EmailID: ['a@b.cd'] }],
    ['an object for a name', { AuthenicateUserBy: 'UserNameNPassword', UserName: { a: 1 }, Password: password }],
    ['a name of quotes', { AuthenicateUserBy: 'UserNameNPassword', UserName: `' or 1=1 --`, Password: password }],
  ])('F3 F5 with %s', async (_what, body) => {
    const { status, json } = await post(school.browser(), 'authenticate-user', body);
    expect([200, 400, 422]).toContain(status);
    if (status === 200) expect(json[0].userMasterModel).toEqual([]);
  });

  test('F5 with an address for an account or a link that grows in small letters', async () => {
    const email = `${'İ'.repeat(60)}@${'İ'.repeat(30)}.com`;
    const body = { name: 'Rekha', email, mobile: '6400000000', reason: 'I teach.' };
    for (const path of ['request', 'reset-link']) expect((await post(school.browser(), path, body)).status).toBe(422);
  });

  test('F4 with a body or a cookie that is huge', async () => {
    expect((await byPassword(school.browser(), 'x'.repeat(100_000))).status).toBe(413);
    expect((await byPassword(school.browser(), 'nobody', 'x'.repeat(60_000))).status).toBe(422);
    const cookie = `__Host-session=${'x'.repeat(7000)}; __Host-device=${'%'.repeat(500)}; __Host-code=%00`;
    expect((await school.send({ url: '/api/sign-in/me', headers: { cookie } })).status).toBe(401);
  });
});

describe('who is inside', () => {
  const filters = ["'; drop table staff; --", '%', '_', '\\', "\\'", '👩🏽‍🏫', '\0', '__proto__', '{}'];

  test.each(filters)('F3 F5 finds accounts and requests by %j as it stands, or is told what is wrong', async (text) => {
    const name = `Sharda ${text}`.replace('\0', '');
    const { id } = await createAccount(school.context(), 'Test', { name, isStaff: true });
    const { status, json } = await admin.send({ url: `/api/account?${new URLSearchParams({ search: text })}` });
    if (text === '\0') expect(status).toBe(422);
    else expect(json.rows.map((row: { id: number }) => row.id)).toContain(id);
    const names = status === 200 ? json.rows.map((row: { name: string }) => row.name) : [];
    expect(names.filter((found: string) => !found.includes(text))).toEqual([]);
    const requests = await admin.send({ url: `/api/account-request?${new URLSearchParams({ search: text })}` });
    expect([requests.status, requests.json.rows ?? []]).toEqual([status, []]);
  });

  test('F5 F6 is told of a page that cannot be', async () => {
    const places = [
      ['\0', 1],
      ['a\ud800', 1],
      ['a', 2 ** 31],
      ['a', 2 ** 53 - 1],
      ['a', -1],
      ['a', 1.5],
      ['a', '1'],
      [1, 1],
    ];
    for (const path of ['account', 'account-request'])
      for (const place of places) {
        const after = Buffer.from(JSON.stringify(place)).toString('base64url');
        const { status } = await admin.send({ url: `/api/${path}?after=${after}` });
        expect([path, place, status]).toEqual([path, place, 400]);
      }
  });

  test('pages through people of one name, each of them once', async () => {
    for (let number = 0; number < 60; number++)
      await createAccount(school.context(), 'Test', { name: number % 2 ? 'Same Name' : 'same name', isStaff: true });
    const ids: number[] = [];
    let after: string | null = '';
    while (after !== null) {
      const page: Awaited<ReturnType<typeof accountPage>> = await accountPage(after);
      ids.push(...page.rows.map(({ id }) => id));
      after = page.next;
    }
    expect([ids.length, new Set(ids).size]).toEqual([60, 60]);
  });
  const accountPage = (after: string) => admin.call(accountApi.list, { search: 'same name', after, state: 'all' });

  test('A22 is counted as signed in only where the session still lives', async () => {
    const person = await school.person();
    const sessions = async () =>
      (await admin.call(accountApi.list, { search: person.email, after: '', state: 'all' })).rows[0]?.sessions;
    expect(await sessions()).toBe(1);
    await school.sql(
      `update sign_in_session set seen_at = now() - interval '31 minutes' where account_id = ${person.id}`,
    );
    expect(await sessions()).toBe(0);
  });

  test('B4 B9 D9 sees no picture of somebody whose page is closed to them', async () => {
    const [gone, colleague] = [await school.person(), await school.person()];
    const body = form({}, { picture: await photo() });
    const url = `/api/staff/${gone.staffId}/picture`;
    const { picture } = (await gone.send({ method: 'POST', url, body })).json;
    const shown = await colleague.send({ url: picture });
    expect([shown.status, shown.headers['cache-control']]).toEqual([200, 'private, no-store']);
    await school.sql(`update staff_employment set joined_on = '2020-06-01', last_day = '2020-06-30'
      where staff_id = ${gone.staffId}`);
    const [hidden, none] = [
      await colleague.send({ url: picture }),
      await colleague.send({ url: '/api/staff/picture/00000000-0000-4000-8000-000000000000' }),
    ];
    expect([hidden.status, hidden.text]).toEqual([404, none.text]);
    expect((await admin.send({ url: picture })).status).toBe(200);
  });
});
