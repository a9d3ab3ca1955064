import type { Context, UserContext } from '#kit/server/context.ts';
import { audit } from '#kit/server/security/audit.ts';
import type { PermissionSet } from './contract/access.ts';
import { hashPassword } from './server/password.ts';
import { tellAdmins } from './server/tell-admins.ts';

export { findUser } from './server/session.ts';
export { tellAdmins };

/** Tells the other Admins of the act that an audit row is about. */
export const reportAct = (ctx: UserContext, auditId: number) => tellOtherAdmins(ctx, 'act-reported', auditId);

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
