import { sql } from 'kysely';
import type { Context, UserContext } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database/database.ts';
import { audit } from '#kit/server/security/audit.ts';
import type { PermissionSet } from './contract/access.ts';
import { hashPassword } from './server/password.ts';
import { isAlive } from './server/session.ts';
import { tellAdmins } from './server/tell-admins.ts';

export { secondStepWarnings } from './server/second-step.ts';
export { findUser } from './server/session.ts';
export { tellAdmins };

/** Tells the other Admins of the act that an audit row is about. */
export const reportAct = (ctx: UserContext, auditId: number) => tellOtherAdmins(ctx, 'act-reported', auditId);

/** Removes what nobody can use any more: ended sessions, codes and links a day after their time, browsers unseen for 400 days. */
export async function forgetExpired(db: Database) {
  await db.deleteFrom('sign_in_session as session').where(sql<boolean>`not (${isAlive})`).execute();
  for (const table of ['sign_in_code', 'sign_in_contact', 'sign_in_reset'] as const) {
    await db.deleteFrom(table).where('expires_at', '<', sql<Date>`now() - interval '1 day'`).execute();
  }
  // Those that were asked for an address nobody has.
  await db
    .deleteFrom('outbox')
    .where('status', '=', 'expired')
    .where('template', 'in', ['sign-in-code', 'sign-in-reset'])
    .where('queued_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
  await db.deleteFrom('sign_in_device').where('used_at', '<', sql<Date>`now() - interval '400 days'`).execute();
}

/** Queues a message by email to every active Admin but the one who acts, within the transaction of the act. */
export const tellOtherAdmins = (ctx: UserContext, template: string, subjectId: number) =>
  tellAdmins(ctx, { template, subjectId, except: [ctx.user.id] });

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
