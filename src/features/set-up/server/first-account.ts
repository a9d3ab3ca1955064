import type { GrantedSet } from '#access/contract/grants.ts';
import { createAccount, queueInvitation } from '#features/account/api.ts';
import { refuseReturning, staffMessages } from '#features/staff/api.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { audit } from '#kit/server/security/audit.ts';
import type { posts, setUpApi } from '../contract/set-up.ts';

const setOf: Record<(typeof posts)[number], GrantedSet> = {
  Office: 'office',
  Principal: 'principal',
  Accountant: 'accountant',
};

/** Adds a member of staff who joins today, with an account, and invites them. */
export const addFirstAccount: Handler<typeof setUpApi.account> = async (ctx, { name, email, mobile, post }) => {
  await refuseReturning(ctx, { mobile, email: email.toLowerCase() });
  const { id, staffId } = await withConstraintMessages(ctx, staffMessages, () =>
    createAccount(ctx, ctx.user.name, {
      name,
      email: email || null,
      mobile: mobile || null,
      isStaff: true,
      sets: [setOf[post as (typeof posts)[number]]],
    }),
  );
  const channel = email ? 'Email' : 'SMS';
  await queueInvitation(ctx, id, { channel, recipient: (email || mobile).toLowerCase() });
  await audit(ctx, { action: 'staff.invited', entity: 'staff', entityId: staffId, details: { 'Send by': channel } });
  return {};
};
