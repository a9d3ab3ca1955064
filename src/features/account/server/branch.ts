import { fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';

/** Limits the permission sets of an account to these branches; without any they reach every branch. */
export async function saveBranches({ db }: Pick<Context, 'db'>, accountId: number, branchIds: readonly number[]) {
  const wanted = [...new Set(branchIds)];
  const known = await db
    .selectFrom('academic_branch')
    .where('id', 'in', [0, ...wanted])
    .select('id')
    .execute();
  if (known.length < wanted.length) throw fieldRefusal('branchIds', text`Choose one from the list.`);
  await db.deleteFrom('sign_in_account_branch').where('account_id', '=', accountId).execute();
  if (wanted.length === 0) return;
  await db
    .insertInto('sign_in_account_branch')
    .values(wanted.map((branch_id) => ({ account_id: accountId, branch_id })))
    .execute();
}

/** The branches that an account's permission sets are limited to. */
export const readBranches = ({ db }: Pick<Context, 'db'>, accountId: number) =>
  db
    .selectFrom('sign_in_account_branch as limited')
    .innerJoin('academic_branch as branch', 'branch.id', 'limited.branch_id')
    .where('limited.account_id', '=', accountId)
    .select(['branch.id', 'branch.name', 'branch.code'])
    .orderBy('branch.code')
    .execute();

/** Their codes, for the audit log. */
export const branchCodesOf = async (ctx: Pick<Context, 'db'>, accountId: number) =>
  (await readBranches(ctx, accountId)).map(({ code }) => code).join(' ');
