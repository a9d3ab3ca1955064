import { sql } from 'kysely';
import { derivedRights } from '#features/account/api.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import type { Context, User } from '#kit/server/context.ts';
import { readFile, removeFile, saveFile } from '#kit/server/files/files.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { readOptions } from '#kit/server/master/options.ts';
import { audit } from '#kit/server/security/audit.ts';
import { pictureOf } from '../api.ts';
import { noPicture, staffApi, staffNames } from '../contract/staff.ts';

/** Only Admins see staff who have left. */
const isSeen = ({ role }: User, { is_active }: { is_active: boolean }) => is_active || role === 'Admin';

const profile: Handler<typeof staffApi.profile> = async (ctx, { userID }) => {
  const { db, user } = ctx;
  const row = await db
    .selectFrom('sign_in_account as account')
    .innerJoin('staff', 'staff.id', 'account.staff_id')
    .where('staff.id', '=', userID)
    .select([
      'staff.name',
      'staff.email',
      'staff.mobile',
      'staff.picture_id',
      'account.user_name',
      'account.is_admin',
      'account.is_staff',
      'account.is_active',
      'account.sets',
      sql<boolean>`account.password_hash is not null`.as('has_password'),
    ])
    .executeTakeFirst();
  const isOwn = userID === user.staffId;
  if (!row || !isSeen(user, row)) throw new AppError('not_found', notFoundMessage);
  const roles = [...(row.is_staff ? ['Staff' as const] : []), ...(row.is_admin ? ['Admin' as const] : [])];
  return {
    userID,
    name: row.name,
    picture: pictureOf(row.picture_id),
    email: row.email ?? '',
    isOwn,
    isEditable: user.role === 'Admin',
    account:
      isOwn || user.role === 'Admin'
        ? {
            mobile: row.mobile ?? '',
            userName: row.user_name ?? '',
            roles,
            sets: [...(row.sets as never[]), ...(await derivedSetsOf(ctx, userID))],
            hasPassword: row.has_password,
            needsPassword: isOwn && row.is_admin && user.role !== 'Admin',
          }
        : null,
  };
};

/** The permission sets that follow from today's mapping. */
async function derivedSetsOf(ctx: Pick<Context, 'db' | 'now'>, staffId: number) {
  const rights = (await derivedRights(ctx, [staffId])).get(staffId) ?? [];
  return [...new Set(rights.map(({ set }) => set))];
}

const options: Handler<typeof staffApi.options> = ({ db }, input) => readOptions(db, staffNames, input);

const savePicture: Handler<typeof staffApi.savePicture> = async (ctx) => {
  const { user } = ctx;
  const upload = ctx.uploads.picture;
  if (!upload) throw fieldRefusal('picture', noPicture);
  const before = await ctx.db
    .selectFrom('staff')
    .where('id', '=', user.staffId)
    .select('picture_id')
    .forUpdate()
    .executeTakeFirstOrThrow();
  const id = await saveFile(ctx, { table: 'staff', id: user.staffId }, 'picture', upload);
  await ctx.db
    .updateTable('staff')
    .set({ picture_id: id, version: sql`version + 1` })
    .where('id', '=', user.staffId)
    .execute();
  await removeFile(ctx, before.picture_id);
  await audit(ctx, { action: 'staff.picture-saved', entity: 'staff', entityId: user.staffId });
  return { picture: pictureOf(id) };
};

/** Visible to everyone who may see the person's page. */
const picture: Handler<typeof staffApi.picture> = async (ctx, { id }) => {
  const owner = await ctx.db
    .selectFrom('sign_in_account as account')
    .innerJoin('staff', 'staff.id', 'account.staff_id')
    .where('staff.picture_id', '=', id)
    .select(['staff.id', 'account.is_active'])
    .executeTakeFirst();
  if (!owner || !isSeen(ctx.user, owner)) throw new AppError('not_found', notFoundMessage);
  return readFile(ctx, { table: 'staff', id: owner.id }, id);
};

export const profileRoutes = routes(staffApi, { options, profile, savePicture, picture });
