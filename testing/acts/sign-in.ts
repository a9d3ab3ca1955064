import { codeOf } from '#features/sign-in/server/code.ts';
import { sealAudit } from '#kit/server/security/audit-seal.ts';
import { password } from '#testing/browser.ts';
import { type Acts, account, admin, asking, challenged, nextNumber, post, request, resetToken } from './act.ts';

/** The acts of accounts, sign-in and the audit log. */
export const signInActs: Acts = {
  'POST /sign-in/authenticate-user by password': [
    ['sign-in.signed-in'],
    async (school) => {
      const { userName } = await account(school);
      const body = { AuthenicateUserBy: 'UserNameNPassword', UserName: userName, Password: password };
      return post(school.browser(), 'sign-in/authenticate-user', body);
    },
  ],
  'POST /sign-in/authenticate-user by a code': [
    ['sign-in.code-sent'],
    async (school) => {
      const { mobile } = await account(school);
      return post(school.browser(), 'sign-in/authenticate-user', { AuthenicateUserBy: 'Mobile', MobileNo: mobile });
    },
  ],
  'POST /sign-in/verify-otp': [
    ['sign-in.signed-in'],
    async (school) => {
      const { browser, OTP } = await challenged(school);
      return post(browser, 'sign-in/verify-otp', { OTP });
    },
  ],
  'POST /sign-in/sign-out': [
    ['sign-in.signed-out'],
    async (school) => post((await admin(school)).browser, 'sign-in/sign-out', {}),
  ],
  'POST /sign-in/reset-link': [
    ['password.reset-asked'],
    async (school) => post(school.browser(), 'sign-in/reset-link', { email: (await account(school)).email }),
  ],
  'POST /sign-in/reset-password': [
    ['password.changed'],
    async (school) =>
      post(school.browser(), 'sign-in/reset-password', {
        token: await resetToken(school),
        newPassword: 'Neem-Window-17',
      }),
  ],
  'POST /sign-in/request': [['account.asked-for'], async (school) => asking(school)],
  'POST /sign-in/password': [
    ['password.changed'],
    async (school) =>
      post((await admin(school)).browser, 'sign-in/password', { password, newPassword: 'Neem-Window-17' }),
  ],
  'POST /sign-in/confirm': [
    ['session.confirmed'],
    async (school) => post((await admin(school)).browser, 'sign-in/confirm', { password }),
  ],
  'POST /sign-in/contact/email-code': [
    ['contact.code-sent'],
    async (school) =>
      post((await admin(school)).browser, 'sign-in/contact/email-code', { email: `c${nextNumber()}@school.example` }),
  ],
  'POST /sign-in/contact/mobile-code': [
    ['contact.code-sent'],
    async (school) =>
      post((await admin(school)).browser, 'sign-in/contact/mobile-code', {
        mobile: String(6_600_000_000 + nextNumber()),
      }),
  ],
  'POST /sign-in/contact': [
    ['contact.changed'],
    async (school) => {
      const { browser } = await admin(school);
      await post(browser, 'sign-in/contact/email-code', { email: `c${nextNumber()}@school.example` }).send();
      const [row] = await school.sql('select id, salt from sign_in_contact order by id desc limit 1');
      return post(browser, 'sign-in/contact', { OTP: codeOf(school.services, row as { id: number; salt: Buffer }) });
    },
  ],
  'DELETE /sign-in/session/:number': [
    ['session.ended'],
    async (school) => {
      const { browser, id } = await admin(school);
      const [row] = await school.sql(`select number from sign_in_session where account_id = ${id}`);
      const url = `/api/sign-in/session/${row?.number}`;
      return { browser, send: (body) => browser.send({ method: 'DELETE', url, ...(body && { body }) }) };
    },
  ],
  'DELETE /account/:id/session/:number': [
    ['session.ended'],
    async (school) => {
      const [{ browser }, { id }] = [await admin(school), await admin(school)];
      const [row] = await school.sql(`select number from sign_in_session where account_id = ${id}`);
      const url = `/api/account/${id}/session/${row?.number}`;
      return { browser, send: (body) => browser.send({ method: 'DELETE', url, ...(body && { body }) }) };
    },
  ],
  'DELETE /sign-in/session': [
    ['session.others-ended'],
    async (school) => {
      const { browser, userName } = await admin(school);
      const body = { AuthenicateUserBy: 'UserNameNPassword', UserName: userName, Password: password };
      await post(school.browser(), 'sign-in/authenticate-user', body).send();
      const url = '/api/sign-in/session';
      return { browser, send: (body) => browser.send({ method: 'DELETE', url, ...(body && { body }) }) };
    },
  ],
  'PUT /account/:id': [
    ['account.changed'],
    async (school) => {
      const [{ browser }, other] = [await admin(school), await school.person()];
      const body = {
        version: 1,
        userName: `user${other.id}`,
        isStaff: true,
        isAdmin: true,
        sets: ['hr'],
        isActive: true,
      };
      const url = `/api/account/${other.id}`;
      return { browser, send: (over = {}) => browser.send({ method: 'PUT', url, body: { ...body, ...over } }) };
    },
  ],
  'POST /account/:id/end-sessions': [
    ['account.signed-out-everywhere'],
    async (school) => post((await admin(school)).browser, `account/${(await school.person()).id}/end-sessions`, {}),
  ],
  'POST /account-request/:id/approve': [
    ['account-request.approved', 'account.created'],
    async (school) => {
      const { browser } = await admin(school);
      const body = { userName: '', isStaff: true, isAdmin: false, sets: ['office'] };
      return post(browser, `account-request/${await request(school)}/approve`, body);
    },
  ],
  'POST /account-request/:id/decline': [
    ['account-request.declined'],
    async (school) => post((await admin(school)).browser, `account-request/${await request(school)}/decline`, {}),
  ],
  'POST /audit/verify': [
    ['audit.verified'],
    async (school) => {
      const { browser } = await admin(school);
      await sealAudit(school.services);
      return post(browser, 'audit/verify', {});
    },
  ],
};
