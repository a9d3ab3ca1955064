import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { signInApi } from '#features/sign-in/contract/sign-in.ts';
import { render } from '#kit/server/messages/outbox.ts';
import { type Browser, openAccount, password } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import {
  commonPassword,
  deadReset,
  namedPassword,
  passwordApi,
  plainPassword,
  wrongPassword,
} from '../contract/password.ts';
import { sessionApi } from '../contract/session.ts';
import { resetMessage } from './own-password.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

const account = (values: { isAdmin?: boolean } = {}) => openAccount(school, { name: 'Vasanti Rao વાસંતી', ...values });

const signIn = async (UserName: string, Password = password) => {
  const browser = school.browser();
  const draft = { AuthenicateUserBy: 'UserNameNPassword', UserName, Password, rememberMe: false } as const;
  const [answer] = (await browser.call(signInApi.authenticateUser, draft)) ?? [];
  return { browser, isIn: Boolean(answer?.isSuccess) };
};
const isSignedIn = async (browser: Browser) => (await browser.send({ url: '/api/sign-in/me' })).status === 200;

async function sentToken(): Promise<string> {
  const [row] = await school.sql('select id from sign_in_reset order by id desc limit 1');
  const message = await render(school.services, resetMessage, Number(row?.id));
  return /token=(\S+)/.exec(message?.text ?? '')?.[1] ?? '';
}
const ask = (email: string, headers?: Record<string, string>) =>
  school.browser().send({ method: 'POST', url: '/api/sign-in/reset-link', body: { email }, headers });
const reset = (token: string, newPassword: string) => school.browser().call(passwordApi.reset, { token, newPassword });

/** Waits until this many statements of this school wait for a lock. */
const untilWaiting = (count: number) =>
  vi.waitFor(
    async () => {
      const waiting = await school.sql(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(waiting).toHaveLength(count);
    },
    { timeout: 60_000 },
  );

describe('a link to choose a new password', () => {
  test('A17 changes it once, ends every session and tells its owner; its address is the configured one', async () => {
    const { userName, email, id } = await account();
    const { browser } = await signIn(userName);
    expect((await ask(email.toUpperCase(), { host: 'evil.test' })).status).toBe(200);
    const token = await sentToken();
    const [, secret = ''] = token.split('.');
    expect(secret).toMatch(/^[0-9a-f]{32}$/);
    const outbox = (await school.send({ url: '/dev/outbox' })).text;
    expect(outbox).toContain(`http://localhost:3000/reset-password?token=${token}`);
    expect(outbox).not.toContain('evil.test');

    for (const common of ['password1234', 'xx-vasanti-77'])
      await expect(reset(token, common)).rejects.toMatchObject({ fields: { newPassword: expect.any(Object) } });
    await reset(token, 'Neem-Window-17');
    expect(await isSignedIn(browser)).toBe(false);
    expect([(await signIn(userName)).isIn, (await signIn(userName, 'Neem-Window-17')).isIn]).toEqual([false, true]);
    await expect(reset(token, 'Palm-Window-18')).rejects.toMatchObject({
      code: 'invalid',
      fields: { token: deadReset },
    });
    expect(await school.sql(`select template from outbox where recipient = '${email}' order by id`)).toEqual([
      { template: 'sign-in-reset' },
      { template: 'password-changed' },
    ]);
    const everything = JSON.stringify(
      await school.sql(`select * from sign_in_reset, audit where sign_in_reset.account_id = ${id}`),
    );
    for (const text of [everything, school.log()]) expect(text).not.toContain(secret);
  });

  test('A17 is void after half an hour, once a newer one is sent, and when a sign of it differs', async () => {
    const { email } = await account();
    await ask(email);
    const first = await sentToken();
    await school.sql(`delete from attempt where kind = 'reset-sent-just-now'`);
    await ask(email);
    const second = await sentToken();
    const [number, secret = ''] = second.split('.');
    for (const place of [0, 15, 31]) {
      const other = secret[place] === '0' ? '1' : '0';
      const altered = `${number}.${secret.slice(0, place)}${other}${secret.slice(place + 1)}`;
      await expect(reset(altered, 'Neem-Window-17')).rejects.toMatchObject({ fields: { token: deadReset } });
    }
    const sameSigns = [...secret].filter((sign, place) => sign === first.split('.')[1]?.[place]).length;
    expect(sameSigns).toBeLessThan(14); // Two of 32 match by chance.
    await school.sql(`update sign_in_reset set expires_at = expires_at - interval '1801 seconds'
      where id = (select max(id) from sign_in_reset)`);
    for (const token of [first, second, '', '1', '0.0', `${'9'.repeat(12)}.${'a'.repeat(32)}`])
      await expect(reset(token, 'Neem-Window-17')).rejects.toMatchObject({ fields: { token: deadReset } });
  });

  test('A17 of twenty uses at once one counts', async () => {
    const { email } = await account();
    await ask(email);
    const token = await sentToken();
    const done = await Promise.allSettled(Array.from({ length: 20 }, () => reset(token, 'Neem-Window-17')));
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('A17 A21 opens nothing once the password was changed another way', async () => {
    const { userName, email } = await account();
    const { browser } = await signIn(userName);
    await ask(email);
    const token = await sentToken();
    await browser.call(passwordApi.change, { password, newPassword: 'Neem-Window-17' });
    await expect(reset(token, 'Palm-Window-18')).rejects.toMatchObject({ fields: { token: deadReset } });
    expect((await signIn(userName, 'Neem-Window-17')).isIn).toBe(true);
  });

  test('A9 A17 gets the same answer with an account, without one, and for Staff', async () => {
    const [admin, staff] = [await account(), await account({ isAdmin: false })];
    const answers = [];
    for (const address of [admin.email, staff.email, 'nobody@school.example']) {
      const { status, json } = await ask(address);
      answers.push([status, json]);
    }
    expect(answers).toEqual([
      [200, {}],
      [200, {}],
      [200, {}],
    ]);
    expect(await school.sql(`select 1 from outbox where recipient = '${staff.email}'`)).toEqual([]);
  });
});

describe('a new password', () => {
  const wrongLength = { id: 'Use 8 to 15 characters.' };
  const weak = [
    ['1234567', wrongLength],
    ['1234567890123456', wrongLength],
    ['password1234', commonPassword],
    ['QWERTYUIOP', commonPassword],
    ['1234567890', commonPassword],
    ['sunshine#4711', commonPassword],
    ['xx-vasanti-77', namedPassword],
    ['Test-School-5', namedPassword],
    ['xBHAVNAGARx-48', namedPassword],
    ['bhāvnagar-4812', namedPassword],
    ['ＢＨＡＶＮＡＧＡＲ４８', namedPassword],
    ['વાસંતી-૨૦૨૬', namedPassword],
    ['૧૨૩૪૫૬૭૮૯', commonPassword],
    ['१२३४५६७८९', commonPassword],
    ['ｓｕｎｓｈｉｎｅ４７', commonPassword],
    ['        ', plainPassword],
    ['\u00a0 \u2003 \u2009 \u3000 \u2028 ', plainPassword],
    ['aaaaaaaa', plainPassword],
    ['abcdabcdabcd', plainPassword],
    ['1111 1111 !!a', plainPassword],
  ] as const;
  beforeAll(async () => {
    await school.sql(`insert into academic_school (name, city, phone, email, hours, hospital_text)
      select 'Test School', '', '', '', '', '' where not exists (select 1 from academic_school)`);
    await school.sql(`update academic_school set city = 'Bhavnagar'`);
  });

  test.each(weak)('W12 A11 is not %j, by a link', async (newPassword, message) => {
    const { email } = await account();
    await ask(email);
    const token = await sentToken();
    await expect(reset(token, newPassword)).rejects.toMatchObject({
      code: 'invalid',
      fields: { newPassword: message },
    });
    await reset(token, 'abcde-abcde'); // The link is still good, and six different characters are enough.
  });

  test.each(weak)('W12 A11 P2.3 is not %j', async (newPassword, message) => {
    const { userName } = await account();
    const { browser } = await signIn(userName);
    await expect(browser.call(passwordApi.change, { password, newPassword })).rejects.toMatchObject({
      code: 'invalid',
      fields: { newPassword: message },
    });
  });

  test('A11 differs from one without the blank at its end', async () => {
    const { userName } = await account();
    const { browser } = await signIn(userName);
    await browser.call(passwordApi.change, { password, newPassword: 'Neem-Window-1 ' });
    expect([(await signIn(userName, 'Neem-Window-1')).isIn, (await signIn(userName, 'Neem-Window-1 ')).isIn]).toEqual([
      false,
      true,
    ]);
  });

  test('A21 ends the other sessions and keeps the one it was chosen in; a wrong old one changes nothing', async () => {
    const { userName } = await account();
    const [here, there] = [await signIn(userName), await signIn(userName)];
    await expect(
      here.browser.call(passwordApi.change, { password: 'Wrong-Bridge-48', newPassword: 'Neem-Window-17' }),
    ).rejects.toMatchObject({ fields: { password: wrongPassword } });
    await here.browser.call(passwordApi.change, { password, newPassword: 'Neem-Window-17' });
    expect([await isSignedIn(here.browser), await isSignedIn(there.browser)]).toEqual([true, false]);
  });

  test('A21 ends a sign-in with the old one that is still under way', async () => {
    const { userName } = await account();
    const { browser } = await signIn(userName);
    // Both write to this table: the sign-in after its session, the change after it has ended the sessions.
    const client = new pg.Client({ connectionString: school.config.databaseOwnerUrl });
    await client.connect();
    await client.query('begin; lock table sign_in_device in share mode');
    const late = signIn(userName);
    await untilWaiting(1);
    const changing = browser.call(passwordApi.change, { password, newPassword: 'Neem-Window-17' });
    await untilWaiting(2);
    await client.query('commit');
    await client.end();
    await changing;
    expect(await isSignedIn((await late).browser)).toBe(false);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('A13 guessing one’s own costs waiting too, and the right one soon after is refused with the time to wait', async () => {
    const { userName } = await account();
    const { browser } = await signIn(userName);
    const guesses = await Promise.all(
      Array.from({ length: 20 }, () =>
        browser.send({ method: 'POST', url: '/api/sign-in/confirm', body: { password: 'Wrong-Bridge-48' } }),
      ),
    );
    expect(guesses.filter(({ status }) => status === 422)).toHaveLength(5);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(15);
  });
});

describe('sessions', () => {
  test('A22 are listed for their owner, and ended singly or all others at once', async () => {
    const { userName, id } = await account();
    const stranger = await school.person();
    await signIn(userName);
    await school.sql(`update sign_in_session set seen_at = now() - interval '16 minutes' where account_id = ${id}`);
    const [here, phone, desk] = [await signIn(userName), await signIn(userName), await signIn(userName)];
    const list = await here.browser.call(sessionApi.list, {});
    expect(list.filter(({ isOwn }) => isOwn)).toHaveLength(1);
    expect(list).toHaveLength(3);
    const [other] = list.filter(({ isOwn }) => !isOwn);
    await here.browser.call(sessionApi.end, { number: other?.number ?? 0 });
    expect([await isSignedIn(phone.browser), await isSignedIn(desk.browser)].filter(Boolean)).toHaveLength(1);
    await here.browser.call(sessionApi.endOthers, {});
    expect([await isSignedIn(phone.browser), await isSignedIn(desk.browser)]).toEqual([false, false]);
    expect([await isSignedIn(here.browser), await isSignedIn(stranger)]).toEqual([true, true]);
  });

  test('B4 a stranger’s session is not there', async () => {
    const [own, stranger] = [await school.person(), await school.person()];
    const [{ number } = { number: 0 }] = await stranger.call(sessionApi.list, {});
    await expect(own.call(sessionApi.end, { number })).rejects.toMatchObject({ code: 'not_found' });
    expect(await isSignedIn(stranger)).toBe(true);
  });
});

describe('who asks for an account', () => {
  const draft = { name: 'Rekha Jani', email: 'rekha@example.com', mobile: '9825077777', reason: 'I teach in Grade 3.' };
  const signUp = (over: object = {}) => school.browser().call(passwordApi.signUp, { ...draft, ...over });

  test('gets none by that, is answered alike the second time, and stands in the list once', async () => {
    expect(await signUp()).toEqual({});
    expect(await signUp()).toEqual({});
    expect(await school.sql(`select name, status from sign_in_request`)).toEqual([
      { name: 'Rekha Jani', status: 'pending' },
    ]);
    expect(await school.sql(`select 1 from staff where email = 'rekha@example.com'`)).toEqual([]);
  });

  test('is heard however many have asked before, when the database knows the statement by heart', async () => {
    for (let number = 0; number < 20; number++) {
      const own = { email: `one${number}@example.com`, mobile: String(9_825_000_000 + number) };
      expect([await signUp(own), await signUp(own)]).toEqual([{}, {}]);
      await school.sql(`delete from attempt where kind = 'sign-up-address'`);
    }
    expect(await school.sql(`select 1 from sign_in_request where email like 'one%'`)).toHaveLength(20);
  });

  test('may ask three times within an hour', async () => {
    for (let times = 0; times < 3; times++) await signUp({ email: 'often@example.com', mobile: '9825077778' });
    for (const over of [{ email: 'often@example.com' }, { mobile: '9825077778', email: 'other@example.com' }])
      await expect(signUp(over)).rejects.toMatchObject({ code: 'too_many_tries' });
  });
});
