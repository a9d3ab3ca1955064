import { sql } from 'kysely';
import { derivedRights } from '#access/server/derived-right.ts';
import type { Context } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { ownAccountApi } from '../contract/own-account.ts';

const read: Handler<typeof ownAccountApi.read> = async (ctx) => {
  const { db, user } = ctx;
  const row = await db
    .selectFrom('sign_in_account')
    .where('id', '=', user.id)
    .select(['user_name', 'is_admin', 'is_staff', 'sets', sql<boolean>`password_hash is not null`.as('has_password')])
    .executeTakeFirstOrThrow();
  return {
    userName: row.user_name ?? '',
    roles: [...(row.is_staff ? ['Staff' as const] : []), ...(row.is_admin ? ['Admin' as const] : [])],
    sets: [...(row.sets as never[]), ...(await derivedSetsOf(ctx, user.staffId))],
    hasPassword: row.has_password,
    needsPassword: row.is_admin && user.role !== 'Admin',
  };
};

/** The permission sets that follow from today's mapping. */
async function derivedSetsOf(ctx: Pick<Context, 'db' | 'now'>, staffId: number) {
  const rights = (await derivedRights(ctx, [staffId])).get(staffId) ?? [];
  return [...new Set(rights.map(({ set }) => set))];
}

export const ownAccountRoutes = routes(ownAccountApi, { read });
