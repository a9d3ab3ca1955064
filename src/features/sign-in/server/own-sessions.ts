import { sql } from 'kysely';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { audit } from '#kit/server/audit.ts';
import { type Handler, routes } from '#kit/server/routes.ts';
import { sessionApi } from '../contract/session.ts';
import { isAlive } from './session.ts';

const list: Handler<typeof sessionApi.list> = async ({ db, user }) => {
  const rows = await db
    .selectFrom('sign_in_session as session')
    .where('account_id', '=', user.id)
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
};

const end: Handler<typeof sessionApi.end> = async (ctx, { number }) => {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('sign_in_session')
    .where('account_id', '=', ctx.user.id)
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw new AppError('not_found', notFoundMessage);
  await audit(ctx, { action: 'session.ended', entity: 'sign_in_account', entityId: ctx.user.id, details: { number } });
  return {};
};

const endOthers: Handler<typeof sessionApi.endOthers> = async (ctx) => {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('sign_in_session')
    .where('account_id', '=', ctx.user.id)
    .where('number', '<>', ctx.user.session)
    .executeTakeFirstOrThrow();
  const details = { ended: Number(numDeletedRows) };
  await audit(ctx, { action: 'session.others-ended', entity: 'sign_in_account', entityId: ctx.user.id, details });
  return {};
};

export default routes(sessionApi, { list, end, endOthers });
