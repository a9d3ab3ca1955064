import { sql } from 'kysely';
import { feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { lockOpenYear } from '#features/calendar/api.ts';
import { AppError, fieldRefusal, notFoundMessage, staleMessage } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { monthOfChange } from '../../contract/plan/price.ts';
import type { planApi } from '../../contract/plan.ts';
import { readConceded } from '../discount/conceded.ts';
import { readDayRules } from './make-plans.ts';
import { readPrices } from './read-prices.ts';
import { type ChangedPlan, postPlans, readPlans, type StoredPlan } from './stored-plans.ts';

/** A plan in the user’s branches, its year and account locked. Throws `not_found`, and `stale` for another version. */
async function lockPlan(ctx: UserContext, { id, version }: { id: number; version: number }) {
  const own = sql`plan.id = ${id} and plan.status = 'Active' and exists (select from student_enrollment enrollment
    where enrollment.student_id = account.student_id and enrollment.academic_year_id = plan.academic_year_id
      and ${inScope(ctx.user, feeWriters, { branch: sql`enrollment.branch_id` })})`;
  const [found] = await readPlans(ctx, own, false);
  if (!found) throw new AppError('not_found', notFoundMessage);
  await lockOpenYear(ctx, found.yearId);
  const [plan] = await readPlans(ctx, own);
  if (!plan) throw new AppError('not_found', notFoundMessage);
  const { rowCount } = await ctx.db
    .updateTable('fee_plan')
    .set({ version: sql`version + 1` })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
    .then(({ numUpdatedRows }) => ({ rowCount: Number(numUpdatedRows) }));
  if (rowCount === 0) throw new AppError('stale', staleMessage);
  return plan;
}

/** Posts the difference of a plan’s new facts. */
async function post(ctx: UserContext, changed: ChangedPlan) {
  const { plan } = changed;
  const prices = await readPrices(ctx, plan.yearId);
  await postPlans(ctx, prices, [changed], {
    rules: await readDayRules(ctx),
    conceded: await readConceded(ctx, prices, [plan.studentId]),
    by: { staffId: ctx.user.staffId, runId: null },
  });
}

export const changeOption: Handler<typeof planApi.option> = async (ctx, asked) => {
  const plan = await lockPlan(ctx, asked);
  const { year, heads } = await readPrices(ctx, plan.yearId);
  const feeHeadId = Number(asked.feeHeadId);
  const head = heads.get(feeHeadId);
  if (!head?.isOptional || !plan.stages.some((stage) => stage.feeHeadId === feeHeadId))
    throw fieldRefusal('feeHeadId', text`Choose one from the list.`);
  const { cutoffDay } = await readDayRules(ctx);
  const from = monthOfChange(year, asked.effectiveFrom, cutoffDay);
  if (from < 0 || from > 11) throw fieldRefusal('effectiveFrom', text`Choose a day of ${{ year: year.name }}.`);
  const others = plan.options.filter((one) => one.feeHeadId !== feeHeadId);
  const before = plan.options
    .filter((one) => one.feeHeadId === feeHeadId && one.fromMonth < from)
    .map((one) => ({ ...one, toMonth: Math.min(one.toMonth, from - 1) }));
  const chosen = asked.isChosen ? [...before, { feeHeadId, fromMonth: from, toMonth: 11 }] : before;
  await ctx.db
    .deleteFrom('fee_plan_option')
    .where('plan_id', '=', plan.planId)
    .where('fee_head_id', '=', feeHeadId)
    .execute();
  if (chosen.length > 0)
    await ctx.db
      .insertInto('fee_plan_option')
      .values(
        chosen.map(({ fromMonth, toMonth }) => ({
          plan_id: plan.planId,
          fee_head_id: feeHeadId,
          from_month: fromMonth,
          to_month: toMonth,
        })),
      )
      .execute();
  const changed = { ...plan, options: [...others, ...chosen] };
  await post(ctx, { plan: changed, kind: 'Option', effectiveFrom: asked.effectiveFrom });
  const details = { 'Fee head': head.name, Chosen: asked.isChosen, From: asked.effectiveFrom };
  await audit(ctx, { action: 'fee-plan.option', entity: 'fee_plan', entityId: plan.planId, details });
  return {};
};

const paidOf = async ({ db }: UserContext, { planId }: StoredPlan) => {
  const { paid } = await db
    .selectFrom('fee_due')
    .where('plan_id', '=', planId)
    .select(sql<number>`coalesce(sum(paid), 0)::bigint`.as('paid'))
    .executeTakeFirstOrThrow();
  return paid;
};

export const withdraw: Handler<typeof planApi.withdraw> = async (ctx, { reason, ...asked }) => {
  const plan = await lockPlan(ctx, asked);
  const paid = await paidOf(ctx, plan);
  if (paid > 0) throw new AppError('conflict', text`${{ amount: showMoney(paid) }} is paid on this plan.`);
  await ctx.db.updateTable('fee_plan').set({ status: 'Withdrawn' }).where('id', '=', plan.planId).execute();
  const withdrawn = { ...plan, status: 'Withdrawn' };
  await post(ctx, { plan: withdrawn, kind: 'Withdrawn', effectiveFrom: plan.joinedOn, reason });
  const details = { Reason: reason };
  await audit(ctx, { action: 'fee-plan.withdrawn', entity: 'fee_plan', entityId: plan.planId, details });
  return {};
};

export const moveDueDay: Handler<typeof planApi.moveDueDay> = async (ctx, { dueOn, newDay, reason, ...asked }) => {
  const plan = await lockPlan(ctx, asked);
  if (newDay <= dueOn) throw fieldRefusal('newDay', text`Choose a later day.`);
  const moved = await ctx.db
    .updateTable('fee_due')
    .set({ due_on: newDay })
    .where('plan_id', '=', plan.planId)
    .where('due_on', '=', dueOn)
    .where(sql<boolean>`paid < net`)
    .returning('id')
    .execute();
  if (moved.length === 0) throw fieldRefusal('dueOn', text`Nothing is unpaid on this day.`);
  const { id: changeId } = await ctx.db
    .insertInto('fee_plan_change')
    .values({ plan_id: plan.planId, kind: 'Due day', effective_from: newDay, reason, staff_id: ctx.user.staffId })
    .returning('id')
    .executeTakeFirstOrThrow();
  // What is unpaid counts as due from the new day on.
  const today = toLocalDate(ctx.now());
  await sql`insert into fee_ledger_entry (account_id, due_id, receipt_series_id, academic_year_id, kind, entry_date, due_on,
      amount, change_id)
    select account_id, id, receipt_series_id, academic_year_id, 'Charge', ${today}::date, entry.day, entry.part * (net - paid),
      ${changeId} from fee_due cross join (values (greatest(${dueOn}::date, ${today}::date), -1), (${newDay}::date, 1))
      as entry (day, part)
    where id = any(${moved.map(({ id }) => id)}::integer[])`.execute(ctx.db);
  const details = { From: dueOn, To: newDay, Reason: reason };
  await audit(ctx, { action: 'fee-plan.due-day', entity: 'fee_plan', entityId: plan.planId, details });
  return {};
};
