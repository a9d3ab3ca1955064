import { sql } from 'kysely';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type Session, sessionApi } from '../contract/session.ts';
import { isAlive } from './session.ts';

/** The sessions of an account, the last used first. */
export async function sessionsOf({ db, user }: UserContext, accountId: number): Promise<Session[]> {
  const rows = await db
    .selectFrom('sign_in_session as session')
    .where('account_id', '=', accountId)
    .where(isAlive)
    .select(['number', 'role', 'method', 'device', sql<string>`host(address)`.as('address'), 'began_at', 'seen_at'])
    .orderBy('seen_at', 'desc')
    .execute();
  return rows.map(({ began_at, seen_at, ...row }) => ({
    ...row,
    role: row.role as 'Staff',
    method: row.method as 'Email',
    beganAt: began_at.toISOString(),
    seenAt: seen_at.toISOString(),
    isOwn: row.number === user.session,
  }));
}

/** Ends one session of an account; throws `not_found` for a session of another account. */
export async function endSessionOf(ctx: UserContext, accountId: number, number: number) {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('sign_in_session')
    .where('account_id', '=', accountId)
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw new AppError('not_found', notFoundMessage);
  await audit(ctx, { action: 'session.ended', entity: 'sign_in_account', entityId: accountId, details: { number } });
  return {};
}

const list: Handler<typeof sessionApi.list> = (ctx) => sessionsOf(ctx, ctx.user.id);

const end: Handler<typeof sessionApi.end> = (ctx, { number }) => endSessionOf(ctx, ctx.user.id, number);

const endOthers: Handler<typeof sessionApi.endOthers> = async (ctx) => {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('sign_in_session')
    .where('account_id', '=', ctx.user.id)
    .where('number', '<>', ctx.user.session)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return {};
  const details = { ended: Number(numDeletedRows) };
  await audit(ctx, { action: 'session.others-ended', entity: 'sign_in_account', entityId: ctx.user.id, details });
  return {};
};

export default routes(sessionApi, { list, end, endOthers });
