import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { queueMessage, type Template } from '#kit/server/messages/outbox.ts';
import { audit } from '#kit/server/security/audit.ts';
import { claimTry, countHit, forgive, networkOf } from '#kit/server/security/limits.ts';
import { deadReset, passwordApi, wrongPassword } from '../contract/password.ts';
import { endSent, newSalt, tokenOf } from './code.ts';
import { dayOf, isOpenOn } from './may-sign-in.ts';
import { hashPassword, isPassword, refuseWeakPassword } from './password.ts';
import { isForReset } from './recipient.ts';
import { isFresh } from './second-step.ts';
import { findDevice } from './session.ts';
import { tellAdmins } from './tell-admins.ts';
import { tooMany } from './too-many.ts';

/** Minutes a link to choose a new password can be used (A17). */
const resetMinutes = 30;

const resetLimits = [
  { kind: 'reset-sent-just-now', most: 1, windowSeconds: 30 },
  { kind: 'reset-sent', most: 5, windowSeconds: 3600 },
];
const resetAddressLimit = { kind: 'reset-sent-address', most: 300, windowSeconds: 3600 };

/** Counts a hit for each subject, and refuses at the first that exceeds its limit. */
async function countAll({ db }: Context, limits: (readonly [Parameters<typeof countHit>[1], string])[]) {
  for (const [limit, subject] of limits) {
    const wait = await countHit(db, limit, subject);
    if (wait > 0) throw tooMany(wait);
  }
}

const sendReset: Handler<typeof passwordApi.sendReset> = async (ctx, { email }) => {
  const recipient = email.toLowerCase();
  await countAll(ctx, [[resetAddressLimit, networkOf(ctx.address)]]);
  const account = await ctx.db
    .selectFrom('sign_in_account as account')
    .innerJoin('staff', 'staff.id', 'account.staff_id')
    .where('staff.email', '=', recipient)
    .where(isOpenOn(dayOf(ctx)))
    .where('account.is_admin', '=', true)
    .select(['account.id', isFresh('staff.email_changed_at').as('isHeld')])
    .executeTakeFirst();
  // Requests by strangers do not count against the person's own browsers.
  const device = await findDevice(ctx, account?.id);
  const caller = device?.id.toString('hex') ?? recipient;
  await countAll(
    ctx,
    resetLimits.map((limit) => [limit, caller] as const),
  );
  // A new address may be a thief's: the other Admins get a message instead, once a day.
  const { id = 0, isHeld = false } = account ?? {};
  const addressee = account && !isHeld ? account : undefined;
  await queueReset(ctx, addressee?.id ?? null, addressee ? recipient : null);
  await tellAdmins(ctx, {
    template: 'admin-reset-held',
    subjectId: id,
    except: [id],
    dedupeKey: `admin-reset-held ${id} ${ctx.now().toISOString().slice(0, 10)}`,
    isNews: isHeld,
  });
  await audit(ctx, {
    action: 'password.reset-asked',
    entity: 'sign_in_account',
    entityId: id,
    result: addressee ? 'done' : 'refused',
    ...(isHeld && { details: { reason: 'address changed' } }),
  });
  return {};
};

/**
 * Queues a reset link and voids earlier ones. An address without an account takes the same time and gets nothing (A9).
 */
export async function queueReset(ctx: Context, accountId: number | null, recipient: string | null) {
  await ctx.db
    .updateTable('sign_in_reset')
    .set({ used_at: sql`now()` })
    .where('account_id', '=', accountId ?? 0)
    .where('used_at', 'is', null)
    .execute();
  const { id } = await ctx.db
    .insertInto('sign_in_reset')
    .values({
      account_id: accountId,
      salt: newSalt(),
      expires_at: sql`now() + make_interval(mins => ${resetMinutes})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await queueMessage(ctx, {
    channel: 'email',
    template: 'sign-in-reset',
    recipient,
    subjectId: id,
    isAwaited: true,
  });
}

/** A valid link; it becomes invalid when the account may no longer sign in by password. */
const openReset = ({ db, now }: Pick<Context, 'db' | 'now'>, id: number) =>
  db
    .selectFrom('sign_in_reset as reset')
    .innerJoin('sign_in_account as account', 'account.id', 'reset.account_id')
    .where('reset.id', '=', id)
    .where('reset.used_at', 'is', null)
    .where('reset.expires_at', '>', sql<Date>`now()`)
    .where(isOpenOn(dayOf({ now })))
    .where('account.is_admin', '=', true)
    .select(['reset.id', 'reset.salt', 'account.id as account_id']);

/** The link uses the configured address, never the one in the request (A17). */
export const resetMessage: Template = {
  isFor: isForReset,
  render: async (services, id) => {
    const row = await openReset(services, id).executeTakeFirst();
    if (!row) return undefined;
    const token = `${row.id}.${tokenOf(services, row)}`;
    return {
      subject: text`Choose a new password`,
      paragraphs: [
        text`Choose a new password within ${{ resetMinutes }} minutes: ${{ link: `${services.publicUrl}/reset-password?token=${token}` }}`,
        text`If you did not ask for this, ignore this message. Nothing has changed.`,
      ],
    };
  },
};

/** The last sentence of messages about a change of one's own account. */
export const callSchool = text`If this was not you, call the school at once.`;

export const passwordChangedMessage: Template = {
  isFor: 'as queued',
  render: async (services, accountId) => {
    const account = await services.db
      .selectFrom('sign_in_account')
      .where('id', '=', accountId)
      .select('user_name')
      .executeTakeFirst();
    if (!account) return undefined;
    return {
      subject: text`Your password was changed`,
      paragraphs: [text`The password of your account was changed, and your other devices were signed out.`, callSchool],
    };
  },
};

const reset: Handler<typeof passwordApi.reset> = async (ctx, { token, newPassword }) => {
  const [, number = '', secret = ''] = /^([0-9]{1,9})\.([0-9a-f]{32})$/.exec(token) ?? [];
  const row = number ? await openReset(ctx, Number(number)).executeTakeFirst() : undefined;
  if (!row || !timingSafeEqual(Buffer.from(tokenOf(ctx, row)), Buffer.from(secret)))
    throw new AppError('invalid', deadReset, { fields: { token: deadReset } });
  const before = async (ctx: Context) => {
    // The condition is part of the update, so that a link works once, even for simultaneous requests.
    const { numUpdatedRows } = await ctx.db
      .updateTable('sign_in_reset')
      .set({ used_at: sql`now()` })
      .where('id', '=', row.id)
      .where('used_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new AppError('invalid', deadReset, { fields: { token: deadReset } });
    const news = { template: 'admin-password-reset', subjectId: row.account_id, except: [row.account_id] };
    await tellAdmins(ctx, news);
  };
  await setPassword(ctx, { accountId: row.account_id, password: newPassword, before });
  return {};
};

interface Setting {
  accountId: number;
  password: string;
  /** The session of the change, which stays; every other one ends. */
  keptSession?: number;
  /** Runs in the same transaction, before the change. */
  before?: (ctx: Context) => Promise<void>;
}

/**
 * Validates and stores a new password, ends all sessions, voids codes and links, forgets devices, and notifies the
 * owner.
 */
async function setPassword(ctx: Context, { accountId, password, keptSession = 0, before }: Setting) {
  const { name, email, user_name } = await ctx.db
    .selectFrom('sign_in_account as account')
    .innerJoin('staff', 'staff.id', 'account.staff_id')
    .where('account.id', '=', accountId)
    .select(['staff.name', 'staff.email', 'account.user_name'])
    .executeTakeFirstOrThrow();
  await refuseWeakPassword(ctx.db, 'newPassword', password, [name, user_name ?? '']);
  const password_hash = await hashPassword(password);
  await ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db };
    await before?.(inside);
    await endSent(inside, accountId);
    await db
      .updateTable('sign_in_account')
      .set({ password_hash, password_set_at: sql`now()`, version: sql`version + 1` })
      .where('id', '=', accountId)
      .execute();
    await db
      .deleteFrom('sign_in_session')
      .where('account_id', '=', accountId)
      .where('number', '<>', keptSession)
      .execute();
    await db.deleteFrom('sign_in_device').where('account_id', '=', accountId).execute();
    if (email)
      await queueMessage(inside, {
        channel: 'email',
        template: 'password-changed',
        recipient: email,
        subjectId: accountId,
      });
    await audit(inside, { actor: name, action: 'password.changed', entity: 'sign_in_account', entityId: accountId });
  });
}

const ownTries = { kind: 'wrong-own-password', longestSeconds: 15 * 60 };

/** Throws `invalid` for a wrong password; repeated guesses must wait as at sign-in. */
async function provePassword(ctx: UserContext, password: string) {
  const subject = String(ctx.user.id);
  const wait = await claimTry(ctx.db, ownTries, subject);
  if (wait > 0) throw tooMany(wait);
  const { password_hash } = await ctx.db
    .selectFrom('sign_in_account')
    .where('id', '=', ctx.user.id)
    .select('password_hash')
    .executeTakeFirstOrThrow();
  if (!(await isPassword(password_hash, password))) {
    const action = 'password.wrong';
    await audit(ctx, { action, entity: 'sign_in_account', entityId: ctx.user.id, result: 'refused' });
    throw new AppError('invalid', wrongPassword, { fields: { password: wrongPassword } });
  }
  await forgive(ctx.db, ownTries.kind, subject);
}

const change: Handler<typeof passwordApi.change> = async (ctx, { password, newPassword }) => {
  await provePassword(ctx, password);
  await setPassword(ctx, { accountId: ctx.user.id, password: newPassword, keptSession: ctx.user.session });
  return {};
};

const confirm: Handler<typeof passwordApi.confirm> = async (ctx, { password }) => {
  await provePassword(ctx, password);
  await ctx.db.transaction().execute(async (db) => {
    await db
      .updateTable('sign_in_session')
      .set({ confirmed_at: sql`now()` })
      .where('number', '=', ctx.user.session)
      .execute();
    await audit({ ...ctx, db }, { action: 'session.confirmed', entity: 'sign_in_account', entityId: ctx.user.id });
  });
  return {};
};

const requestLimit = { kind: 'sign-up', most: 3, windowSeconds: 3600 };
const requestAddressLimit = { kind: 'sign-up-address', most: 30, windowSeconds: 3600 };

const signUp: Handler<typeof passwordApi.signUp> = async (ctx, { name, email, mobile, reason }) => {
  await countAll(ctx, [
    [requestAddressLimit, networkOf(ctx.address)],
    [requestLimit, email.toLowerCase()],
    [requestLimit, mobile],
  ]);
  // An existing account or request gets the same answer, and the Admin sees one request. The condition is a literal:
  // with a parameter a generic plan would not match the partial index.
  const row = await ctx.db
    .insertInto('sign_in_request')
    .values({ name, email: email.toLowerCase(), mobile, reason })
    .onConflict((conflict) => conflict.columns(['email']).where(sql<boolean>`status = 'pending'`).doNothing())
    .returning('id')
    .executeTakeFirst();
  // The name comes from a stranger: as the actor it could be an Admin's.
  await audit(ctx, {
    action: 'account.asked-for',
    entity: 'sign_in_request',
    entityId: row?.id ?? 0,
    result: row ? 'done' : 'refused',
    details: { name },
  });
  return {};
};

export default routes(passwordApi, { sendReset, reset, change, confirm, signUp });
