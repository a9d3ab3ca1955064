import { hashPassword } from '#features/sign-in/api.ts';
import { addStaff } from '#features/staff/api.ts';
import type { Context } from '#kit/server/context.ts';
import { audit } from '#kit/server/security/audit.ts';
import type { GrantedSet } from './contract/access.ts';
import { readBranchCodes, saveBranches } from './server/branch.ts';

export { derivedRights } from './server/derived-right.ts';
export { inScope } from './server/scope.ts';

export interface NewAccount {
  name: string;
  email?: string | null;
  mobile?: string | null;
  userName?: string | null;
  password?: string;
  isAdmin?: boolean;
  isStaff?: boolean;
  sets?: readonly GrantedSet[];
  /** The branches that the sets are limited to; every branch without any. */
  branchIds?: readonly number[];
}

/**
 * Creates a member of staff, who joins today, and their account, as `actor`; the caller has checked the password. Returns
 * the ids of both.
 */
export async function createAccount(ctx: Context, actor: string, values: NewAccount) {
  const {
    name,
    email = null,
    mobile = null,
    userName = null,
    password,
    isAdmin = false,
    isStaff = false,
    sets = [],
    branchIds = [],
  } = values;
  const password_hash = password === undefined ? null : await hashPassword(password);
  const staffId = await addStaff(ctx, { name, email: email?.toLowerCase() ?? null, mobile });
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
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await saveBranches(ctx, id, branchIds);
  const branches = (await readBranchCodes(ctx, id)).join(' ');
  const details = { isAdmin, isStaff, sets: sets.join(' '), ...(branches && { branches }) };
  await audit(ctx, { actor, action: 'account.created', entity: 'sign_in_account', entityId: id, details });
  return { id, staffId };
}
