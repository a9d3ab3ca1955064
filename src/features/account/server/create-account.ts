import type { GrantedSet } from '#access/contract/grants.ts';
import { hashPassword } from '#features/sign-in/api.ts';
import { addStaff, requireEmployed } from '#features/staff/api.ts';
import type { Context } from '#kit/server/context.ts';
import { audit } from '#kit/server/security/audit.ts';
import { branchCodesOf, saveBranches } from './branch.ts';

export interface NewAccount {
  name: string;
  email?: string | null;
  mobile?: string | null;
  userName?: string | null;
  /** The next of the series if missing. */
  employeeNumber?: string;
  password?: string;
  isAdmin?: boolean;
  isStaff?: boolean;
  sets?: readonly GrantedSet[];
  /** The member of staff who grants them: the account decides on none of that person’s requests. */
  grantedBy?: number;
  /** The branches that the sets are limited to; every branch without any. */
  branchIds?: readonly number[];
}

/**
 * Creates a member of staff, who joins today, and their account, as `actor`; the caller has checked the password. Returns
 * the ids of both.
 */
export async function createAccount(ctx: Context, actor: string, values: NewAccount) {
  const { name, email = null, mobile = null, employeeNumber } = values;
  const staffId = await addStaff(ctx, {
    name,
    mobile,
    email: email?.toLowerCase() ?? null,
    ...(employeeNumber && { employeeNumber }),
  });
  return { id: await addAccount(ctx, actor, staffId, values), staffId };
}

type Rights = Omit<NewAccount, 'name' | 'email' | 'mobile' | 'employeeNumber'>;

/** Creates the account of a member of staff; returns its id. */
export async function addAccount(ctx: Context, actor: string, staffId: number, values: Rights): Promise<number> {
  const { userName = null, password, isAdmin = false, isStaff = false, sets = [], branchIds = [], grantedBy } = values;
  const password_hash = password === undefined ? null : await hashPassword(password);
  const { id } = await ctx.db
    .insertInto('sign_in_account')
    .values({
      staff_id: staffId,
      user_name: userName?.toLowerCase() ?? null,
      password_hash,
      password_set_at: password_hash ? ctx.now() : null,
      is_admin: isAdmin,
      is_staff: isStaff,
      sets: [...sets],
      ...(grantedBy && sets.length > 0 && { sets_granted_by: grantedBy, sets_granted_at: ctx.now() }),
      ends_on: await requireEmployed(ctx, staffId),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await saveBranches(ctx, id, branchIds);
  const branches = await branchCodesOf(ctx, id);
  const details = { isAdmin, isStaff, sets: sets.join(' '), ...(branches && { branches }) };
  await audit(ctx, { actor, action: 'account.created', entity: 'sign_in_account', entityId: id, details });
  return id;
}
