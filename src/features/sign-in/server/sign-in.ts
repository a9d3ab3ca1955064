import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { pictureOf } from '#access/server/picture.ts';
import { AppError } from '#kit/contract/errors.ts';
import { normalMobile } from '#kit/contract/fields.ts';
import type { Context } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { queueMessage } from '#kit/server/messages/outbox.ts';
import { audit } from '#kit/server/security/audit.ts';
import { claimTry, countHit, forgive, networkOf, waitOf } from '#kit/server/security/limits.ts';
import { newToken, tokenHash } from '#kit/server/security/session.ts';
import { programVersion } from '#kit/server/version.ts';
import {
  codeSent,
  heldCode,
  type SignInAnswer,
  secondStep,
  type signInApi,
  wrongCode,
  wrongCredentials,
} from '../contract/sign-in.ts';
import { codeMinutes, findStaffAccount, isCode, newSalt } from './code.ts';
import { countAskedCode, countOwnCode } from './code-limits.ts';
import { byGoogle } from './google.ts';
import { dayOf, isOpenOn } from './may-sign-in.ts';
import { isPassword } from './password.ts';
import { findSecondStep, type Way } from './second-step.ts';
import { answerOf, auditSignIn, beginSession, endSession, findDevice } from './session.ts';
import { tooMany } from './too-many.ts';

export const authenticateUser: Handler<typeof signInApi.authenticateUser> = async (ctx, draft) => {
  switch (draft.AuthenicateUserBy) {
    case 'UserNameNPassword':
      return byPassword(ctx, draft);
    case 'Email':
      return sendCode(ctx, 'Email', draft.EmailID.trim().toLowerCase());
    case 'Mobile':
      return sendCode(ctx, 'Mobile', normalMobile(draft.MobileNo));
    case 'Google':
      return byGoogle(ctx, draft.GoogleAnswer);
  }
};

const inTransaction = <Result>(ctx: Context, act: (ctx: Context) => Promise<Result>): Promise<Result> =>
  ctx.db.transaction().execute((db) => act({ ...ctx, db }));

const ofAccount = { kind: 'wrong-password', longestSeconds: 15 * 60 };
/** Shorter, since a whole school may share one address (G4). */
const ofAddress = { kind: 'wrong-password-address', longestSeconds: 60 };
/** Counted before the check, so that simultaneous guesses at many names cannot all pass (G1). */
const addressTries = { kind: 'password-address', most: 60, windowSeconds: 60 };

/** Signs in an Admin. A Staff account gets the same answer as an unknown name (A9, A14). */
async function byPassword(ctx: Context, { UserName, Password }: { UserName: string; Password: string }) {
  const userName = UserName.trim().toLowerCase();
  const account = await ctx.db
    .selectFrom('sign_in_account as account')
    .where('user_name', '=', userName)
    .select(['id', 'password_hash', 'is_admin', isOpenOn(dayOf(ctx)).as('isOpen')])
    .executeTakeFirst();
  const device = await findDevice(ctx, account?.id);
  // Hashed, since a password may have been typed into the wrong box.
  const subject = (device?.id ?? createHash('sha256').update(userName).digest()).toString('hex');
  // The account's own try is counted last, so that a wait caused by others at the address does not use it up.
  const waits = [
    () => (device ? 0 : countHit(ctx.db, addressTries, networkOf(ctx.address))),
    () => (device ? 0 : waitOf(ctx.db, ofAddress.kind, networkOf(ctx.address))),
    () => claimTry(ctx.db, ofAccount, subject),
  ];
  for (const next of waits) {
    const wait = await next();
    if (wait > 0) throw tooMany(wait);
  }

  const isRight = await isPassword(account?.password_hash, Password);
  const details = { method: 'UserNameNPassword' };
  if (!account || !isRight || !account.isOpen || !account.is_admin) {
    await claimTry(ctx.db, ofAddress, networkOf(ctx.address));
    await auditRefused(ctx, account?.id, details);
    return answerOf(false, wrongCredentials);
  }
  const step = device?.passedSecondStep ? undefined : await findSecondStep(ctx, account.id);
  if (step) {
    await forgive(ctx.db, ofAccount.kind, subject);
    return sendSecondCode(ctx, account.id, step);
  }
  return inTransaction(ctx, async (ctx) => {
    // Locked until the session exists, so that a password change or a closed account at the same time ends this session too.
    const live = await findLive(ctx, account.id, 'Admin');
    if (live?.password_hash !== account.password_hash) return answerOf(false, wrongCredentials);
    await forgive(ctx.db, ofAccount.kind, subject);
    const answer = await beginSession(ctx, {
      accountId: account.id,
      role: 'Admin',
      method: 'UserNameNPassword',
      isRemembered: false,
    });
    await auditSignIn(ctx, account.id, 'Admin', details);
    return answer;
  });
}

const challengeCookie = '__Host-code';

/** Sends a code; the answer is the same whether or not the address belongs to an account (A9). */
async function sendCode(ctx: Context, method: 'Email' | 'Mobile', target: string): Promise<SignInAnswer> {
  const asked = await findStaffAccount(ctx, method, target);
  const isSent = await countAskedCode(ctx, asked?.id, `${method}:${target}`);
  return inTransaction(ctx, async (ctx) => {
    const account = await findStaffAccount(ctx, method, target);
    const reason = isSent ? account?.isHeld && 'address changed' : 'too many';
    await makeCode(ctx, { method, target, accountId: account?.id, ...(reason && { reason }) }, 'Staff');
    return answerOf(true, codeSent);
  });
}

/** Sends the code that an Admin types after the password in a browser that has not passed this step before (A14). */
async function sendSecondCode(ctx: Context, accountId: number, way: Way | 'held'): Promise<SignInAnswer> {
  if (way === 'held') {
    await auditRefused(ctx, accountId, { method: 'UserNameNPassword', reason: 'address changed' });
    throw new AppError('invalid', heldCode);
  }
  await countOwnCode(ctx, accountId, `second step:${accountId}`);
  return inTransaction(ctx, async (ctx) => {
    await makeCode(ctx, { ...way, accountId }, 'Admin');
    return answerOf(true, secondStep[way.method]);
  });
}

const auditRefused = (ctx: Context, accountId: number | undefined, details: Record<string, string>) =>
  audit(ctx, {
    action: 'sign-in.refused',
    entity: 'sign_in_account',
    entityId: accountId ?? 0,
    result: 'refused',
    details,
  });

interface Addressee {
  method: 'Email' | 'Mobile';
  target: string;
  accountId: number | undefined;
  /** Why no code is sent. */
  reason?: 'too many' | 'address changed';
}

/**
 * `role` is the role that the code signs in as. Without an account, or with a reason not to send it, the code is created
 * and never sent: it takes the same time and is useless.
 */
async function makeCode(ctx: Context, { method, target, accountId, reason }: Addressee, role: 'Staff' | 'Admin') {
  const addressee = reason ? undefined : accountId;
  // A newer code voids this browser's older one (A8); a stranger's request leaves it unchanged.
  await ctx.db
    .updateTable('sign_in_code')
    .set({ used_at: sql`now()` })
    .where('challenge', '=', tokenHash(ctx.http.cookie(challengeCookie)))
    .where('used_at', 'is', null)
    .execute();
  const { value, hash } = newToken();
  const { id } = await ctx.db
    .insertInto('sign_in_code')
    .values({
      challenge: hash,
      method,
      target,
      account_id: addressee ?? null,
      role,
      salt: newSalt(),
      expires_at: sql`now() + make_interval(mins => ${codeMinutes})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  ctx.http.setCookie(challengeCookie, value, codeMinutes * 60);
  await queueMessage(ctx, {
    channel: method === 'Email' ? 'email' : 'sms',
    template: 'sign-in-code',
    recipient: addressee === undefined ? null : target,
    subjectId: id,
    isAwaited: true,
  });
  await audit(ctx, {
    action: 'sign-in.code-sent',
    entity: 'sign_in_account',
    entityId: accountId ?? 0,
    result: addressee === undefined ? 'refused' : 'done',
    details: { method, ...(reason && { reason }) },
  });
}

const mostTries = 5;
/** Codes typed when none was pending: no guess at an account, but each adds an audit row. */
const codesForNothing = { kind: 'code-for-nothing', most: 300, windowSeconds: 3600 };

export const verifyOtp: Handler<typeof signInApi.verifyOtp> = async (ctx, { OTP, rememberMe }) => {
  // Counting the try locks the row: of simultaneous right codes one is accepted, and the others find it used (A5, A6).
  const row = await ctx.db
    .updateTable('sign_in_code')
    .set({ tries: sql`tries + 1` })
    .where('challenge', '=', tokenHash(ctx.http.cookie(challengeCookie)))
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('tries', '<', mostTries)
    .returning(['id', 'salt', 'method', 'account_id', 'role'])
    .executeTakeFirst();
  const wait = row ? 0 : await countHit(ctx.db, codesForNothing, networkOf(ctx.address));
  if (wait > 0) throw tooMany(wait);
  const method = row?.method === 'Mobile' ? 'Mobile' : 'Email';
  const isRight = row !== undefined && isCode(ctx, row, OTP);
  const role = row?.role === 'Admin' ? 'Admin' : 'Staff';
  const account = isRight ? await findLive(ctx, row.account_id, role) : undefined;
  if (!row || !account) {
    await audit(ctx, {
      action: 'sign-in.code-refused',
      entity: 'sign_in_account',
      entityId: row?.account_id ?? 0,
      result: 'refused',
      details: { method },
    });
    return answerOf(false, wrongCode);
  }
  await ctx.db.updateTable('sign_in_code').set({ used_at: sql`now()` }).where('id', '=', row.id).execute();
  ctx.http.setCookie(challengeCookie, '', 0);
  const signedInBy = role === 'Admin' ? 'UserNameNPassword' : method;
  const answer = await beginSession(ctx, {
    accountId: account.id,
    role,
    method: signedInBy,
    isRemembered: rememberMe,
    passedSecondStep: role === 'Admin',
  });
  await auditSignIn(ctx, account.id, role, { method: signedInBy, ...(role === 'Admin' && { secondStep: method }) });
  return answer;
};

/** The account, if it may sign in as `role`; locked until the transaction ends. */
const findLive = async ({ db, now }: Context, accountId: number | null, role: 'Staff' | 'Admin') =>
  accountId === null
    ? undefined
    : db
        .selectFrom('sign_in_account as account')
        .where('id', '=', accountId)
        .where(isOpenOn(dayOf({ now })))
        .where(role === 'Admin' ? 'is_admin' : 'is_staff', '=', true)
        .select(['id', 'password_hash'])
        .forShare()
        .executeTakeFirst();

export const me: Handler<typeof signInApi.me> = async ({ db, user }) => {
  const { picture_id, user_name, email, mobile } = await db
    .selectFrom('sign_in_account as account')
    .innerJoin('staff', 'staff.id', 'account.staff_id')
    .where('account.id', '=', user.id)
    .select(['staff.picture_id', 'account.user_name', 'staff.email', 'staff.mobile'])
    .executeTakeFirstOrThrow();
  return {
    userID: user.staffId,
    role: user.role as 'Staff' | 'Admin',
    name: user.name,
    picture: pictureOf(picture_id),
    sets: [...user.sets] as never[],
    userName: user_name ?? '',
    email: email ?? '',
    mobile: mobile ?? '',
    ...(user.role === 'Admin' && { version: programVersion() }),
  };
};

/**
 * Ends the session on the server and clears the browser's cache and storage (A20). Other cookies stay: the mark of a
 * known browser keeps strangers from locking its owner out (A13).
 */
export const signOut: Handler<typeof signInApi.signOut> = async (ctx) => {
  const user = await ctx.findUser(ctx, ctx.http.cookie('__Host-session'));
  await endSession(ctx);
  if (user)
    await audit({ ...ctx, user }, { action: 'sign-in.signed-out', entity: 'sign_in_account', entityId: user.id });
  ctx.http.setCookie('__Host-session', '', 0);
  ctx.http.setHeader('clear-site-data', '"cache", "storage"');
  return {};
};
