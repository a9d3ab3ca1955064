import type { UpdateObject } from 'kysely';
import type { DB } from '#database/types.ts';
import type { UserContext } from '#kit/server/context.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { isReached } from '../scope.ts';

/**
 * An inquiry, locked until the transaction ends. Throws `not_found` where the user does not reach its branch, and `stale` where it is not the
 * version that was read.
 */
export async function lockInquiry({ db, user }: UserContext, id: number, version?: number) {
  const row = await db
    .selectFrom('admission_inquiry as inquiry')
    .where('id', '=', id)
    .where(isReached(user))
    .selectAll()
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  requireVersion(row, version);
  return row;
}

/** As `lockInquiry`, for an act on the answers of a version. Throws `stale` where the family or the office has changed them. */
export async function lockAnswers(ctx: UserContext, id: number, answersVersion: number) {
  const row = await lockInquiry(ctx, id);
  requireVersion({ version: row.answers_version }, answersVersion);
  return row;
}

/** Changes a locked inquiry and writes its audit row. */
export async function saveInquiry(
  ctx: UserContext,
  { id, version }: { id: number; version: number },
  action: string,
  values: UpdateObject<DB, 'admission_inquiry'>,
  details: Record<string, string> = {},
) {
  await ctx.db
    .updateTable('admission_inquiry')
    .set({ ...values, version: version + 1 })
    .where('id', '=', id)
    .execute();
  await audit(ctx, { action, entity: 'admission_inquiry', entityId: id, version: version + 1, details });
}
