import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountApi, freshAddress } from '#features/account/contract/account.ts';
import { contactApi, needsPassword } from '#features/account/contract/contact.ts';
import { confirmMessage } from '#kit/contract/errors.ts';
import { render } from '#kit/server/messages/outbox.ts';
import { type Browser, openAccount, openBrowser, password } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { passwordApi } from '../contract/password.ts';
import type { Method } from '../contract/sign-in.ts';
import { codeOf } from './code.ts';
import { messages } from './messages.ts';
import { beginSession } from './session.ts';

// A phone or a mailbox makes nobody an Admin: tests every way to the password and to where its links are sent.

let school: School;
let other: Account;
beforeAll(async () => {
  school = await openSchool();
  other = await openAccount(school, { name: 'Other Admin' });
});
afterAll(() => school.close());
beforeEach(async () => {
  await school.sql('delete from attempt');
  await school.sql('delete from outbox');
});

type Account = Awaited<ReturnType<typeof openAccount>>;

async function textOf(name: string, subjectId: number): Promise<string> {
  const template = messages[name];
  const message = template && (await render(school.services, template, subjectId));
  return message?.text ?? '';
}

/** A browser signed in as a user, by one of the methods. */
async function signedIn({ id }: Account, method: Method): Promise<Browser> {
  const browser = openBrowser(school);
  const ctx = school.context();
  const http = { ...ctx.http, setCookie: (cookie: string, value: string) => void browser.cookies.set(cookie, value) };
  const role = method === 'UserNameNPassword' ? 'Admin' : 'Staff';
  await beginSession({ ...ctx, http }, { accountId: id, role, method, isRemembered: false });
  return browser;
}
const staffOf = (id: number) => `(select staff_id from sign_in_account where id = ${id})`;
const contactOf = async (id: number) =>
  (await school.sql(`select email, mobile from staff where id = ${staffOf(id)}`))[0];
const proved = (id: number, secondsAgo: number) =>
  school.sql(
    `update sign_in_session set confirmed_at = now() - interval '${secondsAgo} seconds' where account_id = ${id}`,
  );
const sentTo = async (recipient: string) =>
  (await school.sql(`select template from outbox where recipient = '${recipient}' order by id`)).map(
    ({ template }) => template,
  );
const askReset = (email: string) =>
  school.browser().send({ method: 'POST', url: '/api/sign-in/reset-link', body: { email } });

/** Operations that change a user's contact, by name. */
const changes = {
  sendEmailCode: (browser: Browser) => browser.call(contactApi.sendEmailCode, { email: 'thief@staff.example' }),
  sendMobileCode: (browser: Browser) => browser.call(contactApi.sendMobileCode, { mobile: '6600000001' }),
  save: (browser: Browser) => browser.call(contactApi.save, { OTP: 'AAAAA' }),
} satisfies Record<keyof typeof contactApi, unknown>;
/** Operations that change or check the password. */
const passwordChanges = {
  change: (browser: Browser) => browser.call(passwordApi.change, { password, newPassword: 'Neem-Window-17' }),
  confirm: (browser: Browser) => browser.call(passwordApi.confirm, { password }),
};

describe('in a session begun with a code or Google', () => {
  const methods = ['Email', 'Mobile', 'Google'] as const;

  test.each(methods.flatMap((method) => Object.keys(changes).map((name) => [method, name] as const)))(
    'W7 an Admin’s contact is not changed: %s, %s',
    async (method, name) => {
      const account = await openAccount(school);
      const browser = await signedIn(account, method);
      await expect(changes[name as keyof typeof changes](browser)).rejects.toMatchObject({
        code: 'forbidden',
        text: needsPassword,
      });
      expect(await contactOf(account.id)).toEqual({ email: account.email, mobile: account.mobile });
      expect(await school.sql('select 1 from outbox')).toEqual([]);
      expect(
        await school.sql(
          `select action, role, result from audit where account_id = ${account.id} order by id desc limit 1`,
        ),
      ).toEqual([{ action: 'contact.refused', role: 'Staff', result: 'refused' }]);
    },
  );

  test.each(methods.flatMap((method) => Object.keys(passwordChanges).map((name) => [method, name] as const)))(
    'W7 an Admin’s password is neither changed nor proved: %s, %s',
    async (method, name) => {
      const browser = await signedIn(await openAccount(school), method);
      await expect(passwordChanges[name as keyof typeof passwordChanges](browser)).rejects.toMatchObject({
        code: 'forbidden',
      });
    },
  );

  test('W7 a code that was asked for in an Admin session is not typed either', async () => {
    const account = await openAccount(school);
    await (await signedIn(account, 'UserNameNPassword')).call(contactApi.sendEmailCode, { email: 'own@staff.example' });
    const [row] = await school.sql('select id, salt from sign_in_contact order by id desc limit 1');
    const OTP = codeOf(school.services, row as never);
    const browser = await signedIn(account, 'Mobile');
    await expect(browser.call(contactApi.save, { OTP })).rejects.toMatchObject({ text: needsPassword });
    expect(await contactOf(account.id)).toMatchObject({ email: account.email });
  });

  test('W7 the person’s own page says that the password is needed, and to Staff alone that it is not', async () => {
    const [both, staff] = [await openAccount(school), await openAccount(school, { isAdmin: false })];
    const needs = async (who: Account, method: Method) =>
      (await (await signedIn(who, method)).send({ url: '/api/staff/own-account' })).json.needsPassword;
    expect([await needs(both, 'Email'), await needs(both, 'UserNameNPassword'), await needs(staff, 'Email')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('in an Admin’s session', () => {
  test.each(Object.keys(changes))(
    'W7 A24 the contact is changed within ten minutes of the password: %s',
    async (name) => {
      const account = await openAccount(school);
      const browser = await signedIn(account, 'UserNameNPassword');
      await proved(account.id, 601);
      await expect(changes[name as keyof typeof changes](browser)).rejects.toMatchObject({
        code: 'confirm_required',
        text: confirmMessage,
      });
      await proved(account.id, 590);
      const done = await changes[name as keyof typeof changes](browser).catch(({ code }) => code);
      expect(done).toEqual(name === 'save' ? 'invalid' : {}); // There is no such code.
    },
  );

  test.each([
    ['email', 'new-own@staff.example'],
    ['mobile', '6600000009'],
  ] as const)('W7 a changed %s is told to the old one and to the other Admins', async (channel, to) => {
    const account = await openAccount(school, { name: 'Meena Joshi' });
    const browser = await signedIn(account, 'UserNameNPassword');
    if (channel === 'email') await browser.call(contactApi.sendEmailCode, { email: to });
    else await browser.call(contactApi.sendMobileCode, { mobile: to });
    const [row] = await school.sql('select id, salt from sign_in_contact order by id desc limit 1');
    await browser.call(contactApi.save, { OTP: codeOf(school.services, row as never) });
    expect(await sentTo(account[channel])).toEqual([`${channel}-changed`]);
    expect(await sentTo(other.email)).toEqual(['admin-contact-changed']);
    expect(await textOf('admin-contact-changed', account.id)).toContain('Meena Joshi, an Admin, was changed');
  });

  test('W7 a contact that is no Admin’s is told to no Admin', async () => {
    const account = await openAccount(school, { isAdmin: false });
    const browser = await signedIn(account, 'Email');
    await browser.call(contactApi.sendEmailCode, { email: 'only-staff@staff.example' });
    const [row] = await school.sql('select id, salt from sign_in_contact order by id desc limit 1');
    await browser.call(contactApi.save, { OTP: codeOf(school.services, row as never) });
    expect(await sentTo(other.email)).toEqual([]);
  });
});

describe('an email address that was changed', () => {
  const links = async (id: number) => (await school.sql(`select 1 from sign_in_reset where account_id = ${id}`)).length;

  test.each([
    ['by the person', (id: number) => `update staff set email = 'fresh${id}@staff.example' where id = ${staffOf(id)}`],
    [
      'by whatever else writes it, with more in the same statement',
      (id: number) =>
        `update staff set email = 'fresh${id}@staff.example', name = name, email_changed_at = null where id = ${staffOf(id)}`,
    ],
  ])('W7 A17 gets no link to a password for 72 hours: %s', async (_who, statement) => {
    const account = await openAccount(school);
    await school.sql(statement(account.id));
    const email = `fresh${account.id}@staff.example`;
    const [held, unknown] = [await askReset(email), await askReset('nobody@staff.example')];
    expect([held.status, held.text]).toEqual([unknown.status, unknown.text]);
    expect([await links(account.id), await sentTo(email)]).toEqual([0, []]);
    expect(
      await school.sql(`select result, details from audit where action = 'password.reset-asked'
        and entity_id = ${account.id}`),
    ).toEqual([{ result: 'refused', details: { reason: 'address changed' } }]);

    await school.sql('delete from attempt');
    const age = (hours: number) =>
      school.sql(
        `update staff set email_changed_at = now() - interval '${hours} hours' where id = ${staffOf(account.id)}`,
      );
    await age(71);
    await askReset(email);
    expect(await links(account.id)).toBe(0);
    await school.sql('delete from attempt');
    await age(73);
    await askReset(email);
    expect([await links(account.id), await sentTo(email)]).toEqual([1, ['sign-in-reset']]);
  });

  test('W7 a request for a link to it is reported to the other Admins once a day', async () => {
    const account = await openAccount(school, { name: 'Farida Khan' });
    await school.sql(`update staff set email = 'farida@staff.example' where id = ${staffOf(account.id)}`);
    for (let times = 0; times < 3; times++) {
      await school.sql('delete from attempt');
      await askReset('farida@staff.example');
    }
    expect([await sentTo(other.email), await sentTo('farida@staff.example')]).toEqual([['admin-reset-held'], []]);
    expect(await textOf('admin-reset-held', account.id)).toContain('for Farida Khan');
  });

  test('W7 does not count as one when it was written down the first time, nor when something else of the person is', async () => {
    const account = await openAccount(school);
    await school.sql(`update staff set name = 'Renamed', email = email where id = ${staffOf(account.id)}`);
    await askReset(account.email);
    expect(await links(account.id)).toBe(1);
  });

  test('W7 of Staff makes nobody an Admin: the link would go there', async () => {
    const [admin, staff] = [await school.person({ role: 'Admin' }), await openAccount(school, { isAdmin: false })];
    await school.sql(`update staff set email = 'fresh-staff@staff.example' where id = ${staffOf(staff.id)}`);
    const promote = async () => {
      const { rows } = await admin.call(accountApi.list, { search: staff.userName, after: '', state: 'all' });
      const { id, version, userName, isStaff, isActive, sets } = rows[0] as never as Record<string, never>;
      return admin.call(accountApi.update, { id, version, userName, isStaff, isActive, sets, isAdmin: true } as never);
    };
    await expect(promote()).rejects.toMatchObject({ fields: { isAdmin: freshAddress } });
    expect(await links(staff.id)).toBe(0);
    await school.sql(`update staff set email_changed_at = now() - interval '73 hours' where id = ${staffOf(staff.id)}`);
    await promote();
    expect(await links(staff.id)).toBe(1);
  });
});

describe('the other Admins are told', () => {
  test('W7 when an account becomes an Admin’s, for the first time or again, and not for other changes', async () => {
    const [admin, staff] = [await school.person({ role: 'Admin' }), await openAccount(school, { isAdmin: false })];
    const change = async (over: object) => {
      await school.sql('delete from outbox');
      const { rows } = await admin.call(accountApi.list, { search: staff.userName, after: '', state: 'all' });
      const { id, version, userName, isStaff, isAdmin, isActive, sets } = rows[0] as never as Record<string, never>;
      await admin.call(accountApi.update, {
        id,
        version,
        userName,
        isStaff,
        isAdmin,
        isActive,
        sets,
        ...over,
      } as never);
      return sentTo(other.email);
    };
    expect(await change({ isAdmin: true })).toEqual(['admin-added']);
    expect([await sentTo(admin.email), await sentTo(staff.email)]).toEqual([[], ['sign-in-reset']]);
    expect(await change({ sets: ['office'] })).toEqual([]);
    await change({ isActive: false });
    expect(await change({ isActive: true })).toEqual(['admin-added']);
  });

  test.each([
    ['is closed', { isActive: false }],
    ['is an Admin no more', { isAdmin: false }],
    ['is neither', { isActive: false, isAdmin: false }],
  ])('W7 when the account of an Admin %s, and so is who it belongs to', async (_what, over) => {
    const [admin, account] = [
      await school.person({ role: 'Admin' }),
      await openAccount(school, { name: 'Sunil Vora' }),
    ];
    const { rows } = await admin.call(accountApi.list, { search: account.userName, after: '', state: 'all' });
    const { id, version, userName, isStaff, isAdmin, isActive, sets } = rows[0] as never as Record<string, never>;
    const before = { id, version, userName, isStaff, isAdmin, isActive, sets };
    await admin.call(accountApi.update, { ...before, ...over } as never);
    expect([await sentTo(other.email), await sentTo(account.email)]).toEqual([['admin-removed'], ['admin-removed']]);
    expect(await sentTo(admin.email)).toEqual([]);
    expect(await textOf('admin-removed', account.id)).toContain('Sunil Vora');
  });

  test('W7 when a request is approved as an Admin, and not as Staff', async () => {
    const admin = await school.person({ role: 'Admin' });
    for (const [number, isAdmin] of [false, true].entries()) {
      const name = `Approved ${number}`;
      const draft = { name, email: `approved${number}@example.com`, mobile: `670000000${number}`, reason: 'I teach.' };
      await school.browser().call(passwordApi.signUp, draft);
      const { rows } = await admin.call(accountApi.requests, { search: name, after: '' });
      const userName = isAdmin ? 'approved' : '';
      await admin.call(accountApi.approve, { id: rows[0]?.id ?? 0, userName, isStaff: true, isAdmin, sets: [] });
      expect(await sentTo(other.email)).toEqual(isAdmin ? ['admin-added'] : []);
    }
  });

  test('W7 when an Admin chooses a new password by a link, and not when they change it with the old one', async () => {
    const account = await openAccount(school);
    await (await signedIn(account, 'UserNameNPassword')).call(passwordApi.change, {
      password,
      newPassword: 'Neem-Window-17',
    });
    expect(await sentTo(other.email)).toEqual([]);
    await askReset(account.email);
    const [row] = await school.sql('select max(id) as id from sign_in_reset');
    const text = await textOf('sign-in-reset', Number(row?.id));
    const token = /token=(\S+)/.exec(text)?.[1] ?? '';
    await school.browser().call(passwordApi.reset, { token, newPassword: 'Palm-Window-18' });
    expect(await sentTo(other.email)).toEqual(['admin-password-reset']);
  });
});
