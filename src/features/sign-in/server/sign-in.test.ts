// Smoke: runs on the oldest PostgreSQL too.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewAccount } from '#features/account/api.ts';
import { forbiddenMessage } from '#kit/contract/errors.ts';
import { english } from '#kit/contract/text.ts';
import { render } from '#kit/server/messages/outbox.ts';
import { type Browser, openAccount, password } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { codeSent, signInApi } from '../contract/sign-in.ts';
import { codeMessage, codeOf } from './code.ts';
import { forgetExpired } from './forget-expired.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

const account = (values: Pick<NewAccount, 'isAdmin' | 'isStaff'> = {}) => openAccount(school, values);

const authenticate = (browser: Browser, body: object) =>
  browser.send({ method: 'POST', url: '/api/sign-in/authenticate-user', body });
const byPassword = (browser: Browser, UserName: string | null | undefined, Password = password) =>
  authenticate(browser, { AuthenicateUserBy: 'UserNameNPassword', UserName, Password });
const verify = (browser: Browser, OTP: string, overrides: object = {}) =>
  browser.send({ method: 'POST', url: '/api/sign-in/verify-otp', body: { OTP, ...overrides } });
const askByEmail = (browser: Browser, EmailID: string | null | undefined) =>
  authenticate(browser, { AuthenicateUserBy: 'Email', EmailID });
const me = (browser: Browser) => browser.send({ url: '/api/sign-in/me' });

/** The code in the newest message. */
async function sentCode(): Promise<string> {
  const [row] = await school.sql('select id, salt from sign_in_code order by id desc limit 1');
  return codeOf(school.services, row as { id: number; salt: Buffer });
}

const refused = (messageVal: string) => [
  {
    messageVal,
    text: { id: messageVal },
    isSuccess: false,
    otPval: '',
    imageURL: '/api/staff/picture/',
    userMasterModel: [],
  },
];

describe('by password', () => {
  test('A14 A18 signs an Admin in under a fresh id, which only the browser knows', async () => {
    const { staffId, name, userName } = await account();
    const browser = school.browser();
    browser.cookies.set('__Host-session', 'offered-beforehand');
    const answer = await byPassword(browser, userName?.toUpperCase());
    expect([answer.status, answer.json]).toEqual([
      200,
      [
        {
          messageVal: '',
          isSuccess: true,
          otPval: '',
          imageURL: '/api/staff/picture/',
          userMasterModel: [{ userID: staffId, userName: name, userImagePath: '' }],
        },
      ],
    ]);
    const cookie = [answer.headers['set-cookie']].flat().find((line) => String(line).startsWith('__Host-session='));
    expect(cookie).toMatch(/^__Host-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect((await me(browser)).json).toMatchObject({ userID: staffId, role: 'Admin', name });
    const value = browser.cookies.get('__Host-session') ?? '';
    expect(JSON.stringify(await school.sql('select * from sign_in_session'))).not.toContain(value);
  });

  test('A18 ends the session that the browser had, also somebody else’s', async () => {
    const { userName } = await account();
    const person = await school.person();
    const cookie = `__Host-session=${person.cookies.get('__Host-session')}`;
    expect((await byPassword(person, userName)).json[0].isSuccess).toBe(true);
    expect((await school.send({ url: '/api/sign-in/me', headers: { cookie } })).status).toBe(401);
  });

  test('A9 A14 says the same of a wrong password, an unknown name, a Staff account and one that is closed', async () => {
    const [right, onlyStaff, closed] = [await account(), await account({ isAdmin: false }), await account()];
    await school.sql(`update sign_in_account set is_active = false where id = ${closed.id}`);
    const answers = await Promise.all([
      byPassword(school.browser(), right.userName, 'Wrong-Bridge-48'),
      byPassword(school.browser(), 'nobody'),
      byPassword(school.browser(), onlyStaff.userName),
      byPassword(school.browser(), closed.userName),
      authenticate(school.browser(), {
        AuthenicateUserBy: 'UserNameNPassword',
        UserName: onlyStaff.userName,
        Password: password,
        role: 'Admin',
      }),
    ]);
    for (const { status, json, headers } of answers) {
      expect([status, json]).toEqual([200, refused('Invalid User Credential!')]);
      expect(headers['set-cookie']).toBeUndefined();
    }
  });

  test('A10 keeps a password as Argon2id with 19 MiB and two passes', async () => {
    const { id } = await openAccount(school, {}, 'at full cost');
    const [row] = await school.sql(`select password_hash from sign_in_account where id = ${id}`);
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('A11 counts a blank at the end of a password', async () => {
    const { userName } = await account();
    expect((await byPassword(school.browser(), userName, `${password} `)).json).toEqual(
      refused('Invalid User Credential!'),
    );
  });

  test('A12 is 405 for a GET, and its query reaches no log', async () => {
    const { status } = await school.send({
      url: '/api/sign-in/authenticate-user?AuthenicateUserBy=UserNameNPassword&UserName=asha&Password=Teak-Secret-1',
    });
    expect(status).toBe(405);
    expect(school.log()).not.toContain('Teak-Secret-1');
  });

  test('A13 of thirty wrong passwords at once five are judged, then an own browser gets in and a strange one waits', async () => {
    const { userName } = await account();
    const own = school.browser();
    expect((await byPassword(own, userName)).json[0].isSuccess).toBe(true);
    const from = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => byPassword(school.browser(), userName, 'Wrong-Bridge-48')),
    );
    const seconds = (performance.now() - from) / 1000;
    // Where the thirty take longer than the waits of 1, 2 and 4 seconds, one more is judged after each.
    const waited = [1, 3, 7].filter((end) => seconds > end).length;
    const judged = answers.filter(({ status }) => status === 200).length;
    expect([judged >= 5, judged <= 5 + waited]).toEqual([true, true]);
    const late = answers.find(({ status }) => status === 429);
    expect(late?.json.title).toMatch(/^Too many attempts\. Try again in (\d+ seconds?|1 minute)\.$/);
    expect(Number(late?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await byPassword(school.browser(), userName)).status).toBe(429);
    expect((await byPassword(own, userName)).json[0].isSuccess).toBe(true);
  });

  test('A13 the wait doubles with every further failure, to a quarter of an hour at most', async () => {
    const { userName } = await account();
    const waits: number[] = [];
    for (let turn = 0; turn < 18; turn++) {
      await byPassword(school.browser(), userName, 'Wrong-Bridge-48');
      await school.sql(`update attempt set not_before = null where kind = 'wrong-password-address'`);
      const [row] = await school.sql(
        `select extract(epoch from not_before - window_ends + interval '1 hour')::integer as wait from attempt where kind = 'wrong-password'`,
      );
      waits.push(Number(row?.wait ?? 0));
      await school.sql('update attempt set not_before = now()');
    }
    expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900]);
  });
});

describe('by a one-time code', () => {
  test('A1 A2 A3 a code of five signs without look-alikes signs Staff in, and stands nowhere but in the message', async () => {
    const { staffId, email } = await account();
    const browser = school.browser();
    const asked = await askByEmail(browser, ` ${email.toUpperCase()} `);
    expect(asked.json).toEqual([{ ...refused(english(codeSent))[0], isSuccess: true }]);
    const code = await sentCode();
    expect(code).toMatch(/^[A-HJ-NP-Z2-9]{5}$/);
    expect((await verify(browser, ` ${code.toLowerCase().slice(0, 2)}-${code.slice(2)}`)).json[0]).toMatchObject({
      isSuccess: true,
      otPval: '',
      userMasterModel: [{ userID: staffId }],
    });
    expect((await me(browser)).json.role).toBe('Staff');
    for (const text of [school.answers(), school.log(), JSON.stringify(await school.sql('select * from outbox'))])
      expect(text).not.toContain(code);
    expect(JSON.stringify(await school.sql('select * from sign_in_code, audit'))).not.toContain(code);
  });

  test('A2 twenty thousand codes use every sign alike, and hardly one comes twice', () => {
    const counts = new Map<string, number>();
    const codes = Array.from({ length: 20_000 }, (_, id) =>
      codeOf(school.services, { id, salt: Buffer.from(`${Math.random()}`.padEnd(16).slice(0, 16)) }),
    );
    for (const sign of codes.join('')) counts.set(sign, (counts.get(sign) ?? 0) + 1);
    expect(counts.size).toBe(32);
    const expected = (20_000 * 5) / 32;
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // Of 31 degrees of freedom: one run in a million is above 90.
    expect(chiSquare).toBeLessThan(90);
    expect(new Set(codes).size).toBeGreaterThan(19_960);
  });

  test('A4 a code is void after five minutes', async () => {
    const { email } = await account();
    const browser = school.browser();
    await askByEmail(browser, email);
    await school.sql(`update sign_in_code set expires_at = expires_at - interval '301 seconds'`);
    expect((await verify(browser, await sentCode())).json).toEqual(refused('Invalid OTP.'));
    const [row] = await school.sql(
      'select round(extract(epoch from expires_at - made_at))::integer as age from sign_in_code order by id desc',
    );
    expect(row?.age).toBe(300 - 301);
  });

  test.each(['ÀÀÀÀÀ', 'ａｂｃｄｅ', '😀😀A', '૧૨૩૪૫'])(
    'W19 A6 %s is as wrong as any other code, and counts',
    async (code) => {
      const [browser, { email }] = [school.browser(), await account()];
      await askByEmail(browser, email);
      const { status, json } = await verify(browser, code);
      expect([status, json]).toEqual([200, refused('Invalid OTP.')]);
      expect(await school.sql('select tries from sign_in_code order by id desc limit 1')).toEqual([{ tries: 1 }]);
    },
  );

  test('A5 of twenty right codes at once one makes a session', async () => {
    const { email, id } = await account();
    const browser = school.browser();
    await askByEmail(browser, email);
    const code = await sentCode();
    const cookie = `__Host-code=${browser.cookies.get('__Host-code')}`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        school.send({ method: 'POST', url: '/api/sign-in/verify-otp', body: { OTP: code }, headers: { cookie } }),
      ),
    );
    expect(answers.filter(({ json }) => json[0].isSuccess)).toHaveLength(1);
    expect(await school.sql(`select 1 from sign_in_session where account_id = ${id}`)).toHaveLength(1);
  });

  test('A6 of fifty wrong codes at once five count, and then the right one is too late', async () => {
    const { email } = await account();
    const browser = school.browser();
    await askByEmail(browser, email);
    const code = await sentCode();
    const wrong = code === 'AAAAA' ? 'BBBBB' : 'AAAAA';
    await Promise.all(Array.from({ length: 50 }, () => verify(browser, wrong)));
    expect(await school.sql('select tries from sign_in_code order by id desc limit 1')).toEqual([{ tries: 5 }]);
    expect((await verify(browser, code)).json).toEqual(refused('Invalid OTP.'));
  });

  test('A7 a code is of use only in the browser that asked for it', async () => {
    const { email } = await account();
    const [asking, other] = [school.browser(), school.browser()];
    await askByEmail(asking, email);
    const code = await sentCode();
    expect((await verify(other, code)).json).toEqual(refused('Invalid OTP.'));
    expect((await verify(asking, code)).json[0].isSuccess).toBe(true);
  });

  test('A8 a newer code makes the older one void; one in 30 seconds is sent, and five within an hour', async () => {
    const { email } = await account();
    const browser = school.browser();
    const later = () => school.sql(`delete from attempt where kind = 'code-sent-just-now'`);
    // A browser that has signed in before: strangers get fewer codes.
    await askByEmail(browser, email);
    await verify(browser, await sentCode());
    await school.sql(`delete from attempt; delete from outbox where recipient = '${email}'`);
    await askByEmail(browser, email);
    const [first, cookie] = [await sentCode(), browser.cookies.get('__Host-code') ?? ''];
    expect((await askByEmail(browser, email)).status).toBe(429);
    await later();
    await askByEmail(browser, email);
    const old = school.browser();
    old.cookies.set('__Host-code', cookie);
    expect((await verify(old, first)).json).toEqual(refused('Invalid OTP.'));
    for (let more = 0; more < 3; more++) {
      await later();
      expect((await askByEmail(browser, email)).status).toBe(200);
    }
    await later();
    const sixth = await askByEmail(browser, email);
    expect([sixth.status, sixth.json.title]).toEqual([429, expect.stringMatching(/^Too many attempts/)]);
    expect(await school.sql(`select 1 from outbox where recipient = '${email}'`)).toHaveLength(5);
  });

  test('A9 A14 nobody can tell an address without an account, or one of an Admin alone, from any other', async () => {
    const [onlyAdmin, staff] = [await account({ isStaff: false }), await account()];
    const answers = [];
    for (const address of [staff.email, onlyAdmin.email, 'nobody@school.example']) {
      const { status, json, headers } = await askByEmail(school.browser(), address);
      const kept = {
        ...headers,
        'x-request-id': '',
        date: '',
        'set-cookie': String(headers['set-cookie']).slice(0, 12),
      };
      answers.push({ status, json, kept });
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(
      await school.sql(`select 1 from outbox where recipient <> '${staff.email}' and id > (
      select id from outbox where recipient = '${staff.email}')`),
    ).toEqual([]);
  });

  test('a mobile number is recognised however it is written, and its code goes there', async () => {
    const { mobile } = await account();
    const browser = school.browser();
    const written = `+91 ${mobile.slice(0, 5)}-${mobile.slice(5)}`;
    expect((await authenticate(browser, { AuthenicateUserBy: 'Mobile', MobileNo: written })).status).toBe(200);
    expect((await verify(browser, await sentCode())).json[0].isSuccess).toBe(true);
    expect(await school.sql('select channel, recipient from outbox order by id desc limit 1')).toEqual([
      { channel: 'sms', recipient: mobile },
    ]);
  });

  test('the message of a code names the school and the system, and fits into one SMS', async () => {
    const { email } = await account();
    await school.sql(`update academic_school set name = 'Shree Sarvajanik Vidyalaya, GJ'`);
    await askByEmail(school.browser(), email);
    const [row] = await school.sql('select max(id) as id from sign_in_code');
    const message = await render(school.services, codeMessage, Number(row?.id));
    await school.sql(`update academic_school set name = 'Test School'`);
    expect(message?.text).toContain(
      `${await sentCode()} is your code to sign in to Shala, the school system of Shree Sarvajanik Vidyalaya, GJ.`,
    );
    expect(message?.subject).toMatch(/ is your code to sign in at Shree Sarvajanik Vidyalaya, GJ$/);
    // Characters of the GSM alphabet; any other halves the length of a message.
    expect(message?.text).toMatch(/^[ -Z_a-z]{100,160}$/);
  });

  test('a message whose code was used or is too old says nothing any more', async () => {
    const { email } = await account();
    const browser = school.browser();
    await askByEmail(browser, email);
    const outbox = () => school.send({ url: '/dev/outbox' });
    const code = await sentCode();
    expect((await outbox()).text).toContain(code);
    await verify(browser, code);
    expect((await outbox()).text).not.toContain(code);
    await school.sql('delete from attempt');
    await askByEmail(browser, email);
    const late = await sentCode();
    expect((await outbox()).text).toContain(late);
    await school.sql(`update sign_in_code set expires_at = expires_at - interval '301 seconds'`);
    expect((await outbox()).text).not.toContain(late);
  });

  test.each(['is_active = false', 'is_staff = false'])(
    'A14 A21 a code is of no use any more once its account has %s',
    async (lost) => {
      const { email, id } = await account();
      const browser = school.browser();
      await askByEmail(browser, email);
      const code = await sentCode();
      await school.sql(`update sign_in_account set ${lost} where id = ${id}`);
      expect((await verify(browser, code)).json).toEqual(refused('Invalid OTP.'));
    },
  );
});

describe('what was entered', () => {
  test.each([
    [
      { AuthenicateUserBy: 'UserNameNPassword' },
      { UserName: 'Username is Required', Password: 'Password is Required' },
    ],
    [
      { AuthenicateUserBy: 'UserNameNPassword', UserName: 'asha', Password: '12345' },
      { Password: 'Password should be atleast 6 and at the max 15 characters long.' },
    ],
    [
      { AuthenicateUserBy: 'UserNameNPassword', UserName: 'asha', Password: '1234567890123456' },
      { Password: 'Password should be atleast 6 and at the max 15 characters long.' },
    ],
    [{ AuthenicateUserBy: 'Email' }, { EmailID: 'Email is Required' }],
    [{ AuthenicateUserBy: 'Email', EmailID: 'asha' }, { EmailID: 'Email is Invalid' }],
    [{ AuthenicateUserBy: 'Mobile' }, { MobileNo: 'Mobile Number is Required' }],
    [{ AuthenicateUserBy: 'Mobile', MobileNo: '98250' }, { MobileNo: 'Mobile number should be 10 characters long.' }],
  ])('S133 of %j is answered in the words of its fields, and with a title', async (body, fields) => {
    const { status, json } = await authenticate(school.browser(), body);
    expect([status, json.title, json.error.fields]).toEqual([422, 'There is a problem', fields]);
  });

  test.each(['constructor', '__proto__', 'toString', '', 7, null])(
    'S133 the method %j is none, and is refused like any other mistake',
    async (AuthenicateUserBy) => {
      const { status } = await school.browser().send({
        method: 'POST',
        url: '/api/sign-in/authenticate-user',
        body: `{"AuthenicateUserBy": ${JSON.stringify(AuthenicateUserBy)}}`,
      });
      expect(status).toBe(422);
    },
  );

  test.each([
    ['', 'Please enter OTP'],
    ['ABCD', 'OTP is Invalid'],
    ['ABCDEF', 'OTP is Invalid'],
  ])('S133 of the code %j is answered in the words of its field', async (code, message) => {
    expect((await verify(school.browser(), code)).json.error.fields).toEqual({ OTP: message });
  });
});

describe('a session', () => {
  test('A19 ends when it was not used for half an hour, a quarter for an Admin, and after twelve hours', async () => {
    const [staff, admin, long] = [await school.person(), await school.person({ role: 'Admin' }), await school.person()];
    const age = (id: number, column: string, minutes: number) =>
      school.sql(
        `update sign_in_session set ${column} = now() - interval '${minutes} minutes 1 second' where account_id = ${id}`,
      );
    await age(staff.id, 'seen_at', 28);
    await age(admin.id, 'seen_at', 13);
    expect([(await me(staff)).status, (await me(admin)).status]).toEqual([200, 200]);
    await age(staff.id, 'seen_at', 30);
    await age(admin.id, 'seen_at', 15);
    await age(long.id, 'began_at', 12 * 60);
    for (const person of [staff, admin, long]) expect((await me(person)).status).toBe(401);
  });

  test('A19 goes on for as long as it is used, within its twelve hours', async () => {
    const person = await school.person();
    for (let times = 0; times < 3; times++) {
      await school.sql(
        `update sign_in_session set seen_at = seen_at - interval '20 minutes' where account_id = ${person.id}`,
      );
      expect((await me(person)).status).toBe(200);
    }
  });

  test('A19 of Staff with Remember me lasts for fourteen days unused, of an Admin never', async () => {
    const { email, id, userName } = await account();
    const browser = school.browser();
    await askByEmail(browser, email);
    const answer = await verify(browser, await sentCode(), { rememberMe: true });
    expect(String(answer.headers['set-cookie'])).toMatch(/__Host-session=[^,]*Max-Age=2592000/);
    await school.sql(`update sign_in_session set seen_at = now() - interval '13 days', began_at = now() - interval '20 days'
      where account_id = ${id}`);
    expect((await me(browser)).status).toBe(200);
    const age = (what: string) => school.sql(`update sign_in_session set ${what} where account_id = ${id}`);
    await age(`seen_at = now() - interval '14 days'`);
    expect((await me(browser)).status).toBe(401);
    await age(`seen_at = now(), began_at = now() - interval '30 days'`);
    expect((await me(browser)).status).toBe(401);
    await school.sql('delete from attempt');
    const other = school.browser();
    await askByEmail(other, email);
    expect(String((await verify(other, await sentCode())).headers['set-cookie'])).not.toMatch(
      /__Host-session=[^,]*Max-Age/,
    );

    const admin = await authenticate(school.browser(), {
      AuthenicateUserBy: 'UserNameNPassword',
      UserName: userName,
      Password: password,
      rememberMe: true,
    });
    expect(String(admin.headers['set-cookie'])).not.toMatch(/__Host-session=[^,]*Max-Age/);
    expect(
      await school.sql(`select is_remembered from sign_in_session where account_id = ${id} and role = 'Admin'`),
    ).toEqual([{ is_remembered: false }]);
  });

  test('A20 ends at sign-out, and the browser’s storage is cleared', async () => {
    const person = await school.person();
    const cookie = `__Host-session=${person.cookies.get('__Host-session')}`;
    const answer = await person.send({ method: 'POST', url: '/api/sign-in/sign-out', body: {} });
    expect(person.cookies.has('__Host-session')).toBe(false);
    expect(answer.headers['clear-site-data']).toBe('"cache", "storage"');
    expect((await school.send({ url: '/api/sign-in/me', headers: { cookie } })).status).toBe(401);
    expect((await person.send({ method: 'POST', url: '/api/sign-in/sign-out', body: {} })).status).toBe(200);
  });

  test('A21 requests at the same moment each get their own user, and none after sign-out', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => school.person()));
    const [gone] = people;
    const cookie = `__Host-session=${gone?.cookies.get('__Host-session')}`;
    await gone?.send({ method: 'POST', url: '/api/sign-in/sign-out', body: {} });
    const asOne = people.slice(1).flatMap((person) => [me(person), me(person)]);
    const [nobody, ...answers] = await Promise.all([
      school.send({ url: '/api/sign-in/me', headers: { cookie } }),
      ...asOne,
    ]);
    expect(nobody?.status).toBe(401);
    expect(answers.map(({ json }) => json.userID)).toEqual(
      people.slice(1).flatMap(({ staffId }) => [staffId, staffId]),
    );
  });

  test('A21 ends at the next request when the account is closed or loses the role', async () => {
    const [closed, demoted] = [await school.person(), await school.person({ role: 'Admin' })];
    await school.sql(`update sign_in_account set is_active = false where id = ${closed.id}`);
    const moved = await school.person();
    await school.sql(`update sign_in_account set is_admin = false, is_staff = true where id = ${demoted.id}`);
    await school.sql(`update sign_in_account set is_admin = true, is_staff = false where id = ${moved.id}`);
    for (const person of [closed, demoted, moved]) expect((await me(person)).status).toBe(401);
  });

  test('A23 changes nothing for the page of another site', async () => {
    const person = await school.person();
    const cookie = `__Host-session=${person.cookies.get('__Host-session')}`;
    const signOut = (headers: Record<string, string>, body: object | string = {}) =>
      school.send({ method: 'POST', url: '/api/sign-in/sign-out', body, headers: { cookie, ...headers } });
    const strangers: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'null' },
      { origin: 'https://evil.example' },
      { origin: 'http://sub.localhost' },
      { origin: 'http://localhost:81' },
    ];
    for (const headers of strangers) {
      const answer = await signOut(headers);
      expect([headers, answer.status, answer.json.error.code]).toEqual([headers, 403, 'cross_site']);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
      expect((await signOut({ 'content-type': type }, '{}')).status).toBe(415);
    expect((await me(person)).status).toBe(200);
    expect((await signOut({ origin: 'http://localhost:80' })).status).toBe(200);
  });

  test('H1 H2 signing in, out and failing to is written down with who, as what, from where and how it ended', async () => {
    const { id, userName, name } = await account();
    const browser = school.browser();
    await byPassword(browser, userName, 'Wrong-Bridge-48');
    await byPassword(browser, userName);
    await browser.call(signInApi.signOut, {});
    const rows = await school.sql(
      `select actor, account_id, role, session is not null as has_session, action, result, host(address) as address,
        request_id <> '' as has_request, details from audit where entity = 'sign_in_account' and entity_id = ${id} and action like 'sign-in%'
        order by id`,
    );
    const always = { address: '127.0.0.1', has_request: true };
    expect(rows).toMatchObject([
      { ...always, actor: 'Nobody', action: 'sign-in.refused', result: 'refused' },
      { ...always, actor: name, action: 'sign-in.signed-in', result: 'done', details: { role: 'Admin' } },
      { ...always, actor: name, account_id: id, role: 'Admin', has_session: true, action: 'sign-in.signed-out' },
    ]);
  });

  test('H1 R.3 a refused request is answered 403 and audited with its operation', async () => {
    const person = await school.person();
    const { status, json } = await person.send({ url: '/api/audit' });
    expect(status).toBe(403);
    expect(json.error).toEqual({
      code: 'forbidden',
      message: 'You do not have access to this page',
      text: forbiddenMessage,
    });
    const rows = await school.sql(`select action, result, details from audit where account_id = ${person.id}`);
    expect(rows).toEqual([{ action: 'access.refused', result: 'refused', details: { operation: 'GET /audit' } }]);
  });

  test('W14 H1 nobody fills the audit with what they may not, nor by ending sessions there are none of', async () => {
    const person = await school.person();
    const ended = await person.send({ method: 'DELETE', url: '/api/sign-in/session', body: {} });
    const refused = await Promise.all(Array.from({ length: 210 }, () => person.send({ url: '/api/audit' })));
    expect([ended.status, new Set(refused.map(({ status }) => status))]).toEqual([200, new Set([403])]);
    const rows = await school.sql(
      `select action, count(*)::integer from audit where account_id = ${person.id} group by action`,
    );
    expect(rows).toEqual([{ action: 'access.refused', count: 200 }]);
  });
});

test('what nobody can use any more is removed, and nothing else', async () => {
  const [alive, ended] = [await school.person(), await school.person()];
  await school.sql(`
    update sign_in_session set seen_at = now() - interval '31 minutes' where account_id = ${ended.id};
    delete from sign_in_code; delete from sign_in_reset; delete from sign_in_device;
    insert into sign_in_code (challenge, method, target, salt, expires_at) values
      (sha256('1'), 'Email', 'a@x.example', decode(repeat('00', 16), 'hex'), now() - interval '25 hours'),
      (sha256('2'), 'Email', 'b@x.example', decode(repeat('00', 16), 'hex'), now() - interval '1 hour');
    insert into sign_in_reset (account_id, salt, expires_at) values
      (${alive.id}, decode(repeat('00', 16), 'hex'), now() - interval '25 hours'),
      (${alive.id}, decode(repeat('00', 16), 'hex'), now() + interval '1 hour');
    insert into sign_in_device (id, account_id, used_at) values
      (sha256('1'), ${alive.id}, now() - interval '401 days'), (sha256('2'), ${alive.id}, now() - interval '30 days')`);
  await forgetExpired(school.services.db);
  const [left] = await school.sql(`select
    (select count(*)::int from sign_in_session where account_id in (${alive.id}, ${ended.id})) as sessions,
    (select count(*)::int from sign_in_code) as codes, (select count(*)::int from sign_in_reset) as resets,
    (select count(*)::int from sign_in_device) as devices`);
  expect(left).toEqual({ sessions: 1, codes: 1, resets: 1, devices: 1 });
  expect((await me(alive)).status).toBe(200);
});
