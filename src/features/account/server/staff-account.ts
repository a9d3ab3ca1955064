import { derivedRights } from '#access/server/derived-right.ts';
import { tooMany } from '#features/sign-in/api.ts';
import { requireEmployed } from '#features/staff/api.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { type channels, noEmail, noMobile, noSignIn, staffAccountApi } from '../contract/staff-account.ts';
import { changeAccount, readAccount } from './account.ts';
import { readBranches } from './branch.ts';
import { addAccount } from './create-account.ts';
import { queueInvitation } from './invitation.ts';
import { actOnMany, invitations } from './staff-account-bulk.ts';

const account: Handler<typeof staffAccountApi.account> = async (ctx, { id }) => {
  const found = await readAccount(ctx, id);
  if (!found) {
    await requirePerson(ctx, id);
    return { account: null };
  }
  return {
    account: {
      id: found.id,
      version: found.version,
      userName: found.user_name ?? '',
      roles: [...(found.is_staff ? ['Staff' as const] : []), ...(found.is_admin ? ['Admin' as const] : [])],
      isActive: found.isOpen,
      endsOn: found.ends_on ?? '',
      sets: found.sets as never[],
      branches: await readBranches(ctx, found.id),
      // A session as Admin derives nothing.
      derived: found.is_staff ? ((await derivedRights(ctx, [id])).get(id) ?? []) : [],
      lastSignInAt: await lastSignIn(ctx, found.id),
      devices: found.sessions ?? 0,
    },
  };
};

async function requirePerson({ db }: Pick<Context, 'db'>, id: number) {
  await db.selectFrom('staff').where('id', '=', id).select('id').executeTakeFirstOrThrow(notFound);
}

async function lastSignIn({ db }: Pick<Context, 'db'>, accountId: number): Promise<string> {
  const row = await db
    .selectFrom('audit')
    .where('entity', '=', 'sign_in_account')
    .where('entity_id', '=', accountId)
    .where('action', '=', 'sign-in.signed-in')
    .select('at')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.at.toISOString() ?? '';
}

const invite: Handler<typeof staffAccountApi.invite> = async (ctx, { id, sets, branchIds, ...input }) => {
  const channel = input.channel as (typeof channels)[number];
  // Locked, so that two invitations at once create one account.
  const person = await ctx.db
    .selectFrom('staff')
    .where('id', '=', id)
    .select(['email', 'mobile'])
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  const recipient = channel === 'Email' ? person.email : person.mobile;
  if (!recipient) throw fieldRefusal('channel', channel === 'Email' ? noEmail : noMobile);
  await requireEmployed(ctx, id);
  const known = await readAccount(ctx, id);
  if (known && !known.isOpen) throw new AppError('conflict', noSignIn);
  const wait = await countHit(ctx.db, invitations, String(id));
  if (wait > 0) throw tooMany(wait);
  const accountId = known?.id ?? (await addAccount(ctx, ctx.user.name, id, { isStaff: true, sets, branchIds }));
  await queueInvitation(ctx, accountId, { channel, recipient });
  await audit(ctx, { action: 'staff.invited', entity: 'staff', entityId: id, details: { 'Send by': channel } });
  return {};
};

/** The person's account as the form of accounts sends it. */
async function requireAccount(ctx: UserContext, staffId: number) {
  const found = await readAccount(ctx, staffId);
  if (!found) throw new AppError('not_found', notFoundMessage);
  const { id, user_name, is_staff, is_admin, sets, branchIds, isOpen } = found;
  return {
    id,
    userName: user_name ?? '',
    isStaff: is_staff,
    isAdmin: is_admin,
    sets: sets as never[],
    branchIds,
    isActive: isOpen,
  };
}

const suspend: Handler<typeof staffAccountApi.suspend> = async (ctx, { id, version, isSuspended }) => {
  await changeAccount(ctx, { ...(await requireAccount(ctx, id)), version, isActive: !isSuspended });
  return {};
};

const grant: Handler<typeof staffAccountApi.grant> = async (ctx, { id, version, ...granted }) => {
  await changeAccount(ctx, { ...(await requireAccount(ctx, id)), version, ...granted });
  return {};
};

export const staffAccountRoutes = routes(staffAccountApi, { account, invite, suspend, grant, actOnMany });
