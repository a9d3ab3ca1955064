import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database.ts';
import { queueMessage } from '#kit/server/outbox.ts';
import type { PermissionSet } from './contract/access.ts';
import { hashPassword } from './server/password.ts';
import { isAlive } from './server/session.ts';

export { findUser } from './server/session.ts';

/** Tells the other Admins of the act that an audit row is about. */
export const reportAct = (ctx: UserContext, auditId: number) => tellOtherAdmins(ctx, 'act-reported', auditId);

/** Removes what nobody can use any more: ended sessions, codes and links a day after their time, browsers unseen for 400 days. */
export async function forgetExpired(db: Database) {
  await db.deleteFrom('sign_in_session as session').where(sql<boolean>`not (${isAlive})`).execute();
  for (const table of ['sign_in_code', 'sign_in_contact', 'sign_in_reset'] as const) {
    await db.deleteFrom(table).where('expires_at', '<', sql<Date>`now() - interval '1 day'`).execute();
  }
  await db.deleteFrom('sign_in_device').where('used_at', '<', sql<Date>`now() - interval '400 days'`).execute();
}

/** Queues a message by email to every active Admin but the one who acts, within the transaction of the act. */
export async function tellOtherAdmins(ctx: UserContext, template: string, subjectId: number) {
  const others = await ctx.db
    .selectFrom('sign_in_account as account')
    .innerJoin('staff', 'staff.id', 'account.staff_id')
    .where('account.is_admin', '=', true)
    .where('account.is_active', '=', true)
    .where('account.id', '!=', ctx.user.id)
    .where('staff.email', 'is not', null)
    .select('staff.email')
    .execute();
  for (const { email } of others) {
    if (email) await queueMessage(ctx, { channel: 'email', template, recipient: email, subjectId });
  }
}

export interface NewAccount {
  name: string;
  email?: string | null;
  mobile?: string | null;
  userName?: string | null;
  password?: string;
  isAdmin?: boolean;
  isStaff?: boolean;
  sets?: readonly PermissionSet[];
}

/** Makes a member of staff and their account, as `actor`. The caller has judged the password. Gives the account's id. */
export async function createAccount(ctx: Context, actor: string, given: NewAccount): Promise<number> {
  const {
    name,
    email = null,
    mobile = null,
    userName = null,
    password,
    isAdmin = false,
    isStaff = false,
    sets = [],
  } = given;
  const password_hash = password === undefined ? null : await hashPassword(password);
  const staff = await ctx.db
    .insertInto('staff')
    .values({ name, email: email?.toLowerCase() ?? null, mobile })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await ctx.db
    .insertInto('sign_in_account')
    .values({
      staff_id: staff.id,
      user_name: userName?.toLowerCase() ?? null,
      password_hash,
      password_set_at: password_hash ? ctx.now() : null,
      is_admin: isAdmin,
      is_staff: isStaff,
      sets: [...sets],
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const details = { isAdmin, isStaff, sets: sets.join(' ') };
  await audit(ctx, { actor, action: 'account.created', entity: 'sign_in_account', entityId: id, details });
  return id;
}
