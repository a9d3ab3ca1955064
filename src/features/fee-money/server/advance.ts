import { type RawBuilder, sql } from 'kysely';
import { feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { AppError } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit, auditAll } from '#kit/server/security/audit.ts';
import { advanceApi, advanceMessages, mostAccounts } from '../contract/advance.ts';
import { applyAdvance } from './apply-advance.ts';
import { lockStudent } from './lock-student.ts';
import { postFines } from './post-fines.ts';

const apply: Handler<typeof advanceApi.apply> = async (ctx, { studentId }) => {
  const { accountId, grNo } = await lockStudent(ctx, studentId);
  const on = toLocalDate(ctx.now());
  const applied = (await applyAdvance(ctx, [accountId], { on, isLater: false })).get(accountId) ?? 0;
  if (applied === 0) throw new AppError('conflict', advanceMessages.nothing);
  const details = { Student: grNo, Amount: showMoney(applied) };
  await audit(ctx, { action: 'fee-advance.applied', entity: 'fee_account', entityId: accountId, details });
  return { applied };
};

/** The accounts of students in the user's branches with a condition, locked in the order of their ids. */
async function lockAccountsWith(ctx: UserContext, condition: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select account.id from fee_account account
    join student on student.id = account.student_id
    where ${inScope(ctx.user, feeWriters, { branch: sql`student.branch_id` })} and ${condition}
    order by account.id limit ${mostAccounts} for update of account`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

const applyAll: Handler<typeof advanceApi.applyAll> = (ctx, { confirmToken }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const on = toLocalDate(ctx.now());
    const accounts = await lockAccountsWith(
      ctx,
      sql`exists (select from fee_advance advance join fee_due due on due.account_id = advance.account_id
        and due.receipt_series_id = advance.receipt_series_id and due.due_on <= ${on}::date and due.paid < due.net
        where advance.account_id = account.id and advance.amount > advance.held)`,
    );
    const applied = await applyAdvance(ctx, accounts, { on, isLater: false });
    if (!isPreview)
      await auditAll(
        ctx,
        [...applied].map(([entityId, amount]) => ({
          action: 'fee-advance.applied',
          entity: 'fee_account',
          entityId,
          details: { Amount: showMoney(amount) },
        })),
      );
    const amount = [...applied.values()].reduce((sum, one) => sum + one, 0);
    return {
      answer: { changed: applied.size, skipped: [], skippedCount: 0, amount },
      basis: [on, [...applied]],
      isRefused: applied.size === 0,
    };
  });

const postAll: Handler<typeof advanceApi.postFines> = (ctx, { confirmToken }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const on = toLocalDate(ctx.now());
    const accounts = await lockAccountsWith(
      ctx,
      sql`exists (select from fee_due due where due.account_id = account.id and due.late_rule_id is not null
        and due.due_on < ${on}::date and due.paid < due.net)`,
    );
    const { count, amount } = await postFines(ctx, accounts, on);
    const details = { Fines: count, Amount: showMoney(amount), Until: on };
    if (!isPreview && count > 0)
      await audit(ctx, { action: 'fee-fine.posted', entity: 'fee_account', entityId: 0, details });
    return {
      answer: { changed: count, skipped: [], skippedCount: 0, amount },
      basis: [on, count, amount],
      isRefused: count === 0,
    };
  });

export const advanceRoutes = routes(advanceApi, { apply, applyAll, postFines: postAll });
