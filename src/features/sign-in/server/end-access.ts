import { sql } from 'kysely';
import { AppError, signedOutMessage } from '#kit/contract/errors.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { audit } from '#kit/server/security/audit.ts';
import { endSent } from './code.ts';
import { dayOf, isOpenOn } from './may-sign-in.ts';
import { isAlive } from './session.ts';

/** Locks all Admins, so that two requests at once cannot remove the last two. */
export async function lockAdmins({ db, now, user }: UserContext) {
  const admins = await db
    .selectFrom('sign_in_account as account')
    .where('account.is_admin', '=', true)
    .select(['account.id', isOpenOn(dayOf({ now })).as('isOpen')])
    .orderBy('account.id')
    .forUpdate()
    .execute();
  // The caller's own account may have been closed during the wait.
  if (user.role === 'Admin' && !admins.some(({ id, isOpen }) => id === user.id && isOpen))
    throw new AppError('signed_out', signedOutMessage);
}

/** Whether the school still has an Admin who can sign in, also after the last days that are known. */
export async function isLeftAdmin({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const left = await db
    .selectFrom('sign_in_account')
    .where('is_admin', '=', true)
    .where('is_active', '=', true)
    .where('ends_on', 'is', null)
    .where('password_hash', 'is not', null)
    .select('id')
    .executeTakeFirst();
  return left !== undefined;
}

/**
 * Sets the last day on which a member of staff signs in; a day in the past ends every session. The caller checks what it
 * returns. Undefined without an account that can sign in.
 */
export async function endAccess(ctx: UserContext, staffId: number, endsOn: string) {
  const { db } = ctx;
  await lockAdmins(ctx);
  const account = await db
    .selectFrom('sign_in_account as account')
    .where('account.staff_id', '=', staffId)
    .where(isOpenOn(dayOf(ctx)))
    .select((from) => [
      'account.id',
      'account.is_admin',
      'account.version',
      from
        .selectFrom('sign_in_session as session')
        .whereRef('session.account_id', '=', 'account.id')
        .where(isAlive)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('sessions'),
    ])
    .forUpdate()
    .executeTakeFirst();
  if (!account) return undefined;
  const { id, is_admin, version, sessions } = account;
  await db
    .updateTable('sign_in_account')
    .set({ ends_on: endsOn, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
  if (endsOn < dayOf(ctx)) {
    await db.deleteFrom('sign_in_session').where('account_id', '=', id).execute();
    await endSent(ctx, id);
  }
  const details = { Until: endsOn };
  await audit(ctx, {
    action: 'account.ended',
    entity: 'sign_in_account',
    entityId: id,
    version: version + 1,
    details,
  });
  return {
    version,
    isAdmin: is_admin,
    isLastAdmin: is_admin && !(await isLeftAdmin(ctx)),
    devices: Number(sessions ?? 0),
  };
}
