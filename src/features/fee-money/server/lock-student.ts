import { sql } from 'kysely';
import { feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { lockAccounts } from '#features/fee-price/api.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { correctionMessages } from '../contract/correction.ts';

/** A student of the user’s branches, with the account locked. */
export async function lockStudent(ctx: UserContext, studentId: number) {
  const student = await ctx.db
    .selectFrom('student')
    .where('id', '=', studentId)
    .where(inScope(ctx.user, feeWriters, { branch: sql`branch_id` }))
    .select(['id', 'branch_id as branchId', 'gr_no as grNo'])
    .executeTakeFirst();
  if (!student) throw fieldRefusal('studentId', correctionMessages.notFound);
  const accountId = (await lockAccounts(ctx, [student.id])).get(student.id) ?? 0;
  return { ...student, accountId };
}
