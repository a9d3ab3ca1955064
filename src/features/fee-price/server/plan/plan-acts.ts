import { sql } from 'kysely';
import { feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { lockOpenYear } from '#features/calendar/api.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { stale } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { monthOfChange } from '../../contract/plan/price.ts';
import type { planApi } from '../../contract/plan.ts';
import { weigh } from '../control/lowering.ts';
import { isGuarded } from '../control/proposal.ts';
import { askReliefs, reliefOf, requireNoRelief } from '../control/relief.ts';
import { readConceded } from '../discount/conceded.ts';
import { readDayRules } from './make-plans.ts';
import type { By } from './post.ts';
import { readPrices } from './read-prices.ts';
import { moveDues, paidOf, storeDays, storeOptions, unpaidOn } from './store-facts.ts';
import { type ChangedPlan, postPlans, readPlans, type StoredPlan } from './stored-plans.ts';

/** A plan in the user’s branches, its year and account locked. Throws `not_found`, and `stale` for another version. */
async function lockPlan(ctx: UserContext, { id, version }: { id: number; version: number }) {
  const own = sql`plan.id = ${id} and plan.status = 'Active' and exists (select from student_enrollment enrollment
    where enrollment.student_id = account.student_id and enrollment.academic_year_id = plan.academic_year_id
      and ${inScope(ctx.user, feeWriters, { branch: sql`enrollment.branch_id` })})`;
  const [found] = await readPlans(ctx, own, false);
  if (!found) throw new AppError('not_found', notFoundMessage);
  await lockOpenYear(ctx, found.yearId, 'money');
  const [plan] = await readPlans(ctx, own);
  if (!plan) throw new AppError('not_found', notFoundMessage);
  await ctx.db
    .updateTable('fee_plan')
    .set({ version: sql`version + 1` })
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirstOrThrow(stale);
  return plan;
}

/** The facts that the price of a plan depends on beside its own. */
async function readWorld(ctx: UserContext, { yearId, studentId }: StoredPlan) {
  const prices = await readPrices(ctx, yearId);
  return {
    prices,
    rules: await readDayRules(ctx),
    conceded: await readConceded(ctx, prices, [studentId]),
  };
}

/** Posts the difference of a plan’s new facts, which `store` writes, or asks a second person where that lowers fees. */
async function postOrAsk(
  ctx: UserContext,
  changed: ChangedPlan,
  { mustAsk = false, ...by }: Pick<By, 'authority' | 'undoesId'> & { mustAsk?: boolean },
  store: () => Promise<unknown>,
): Promise<{ isAsked: boolean }> {
  const { prices, ...world } = await readWorld(ctx, changed.plan);
  const [weighed] = await weigh(ctx, prices, [changed], { ...world, mustAsk });
  if (weighed && (mustAsk || !weighed.isAllowed) && !by.authority) {
    await askReliefs(ctx, [reliefOf(changed, weighed.lowers)]);
    return { isAsked: true };
  }
  await store();
  await postPlans(ctx, prices, [changed], { ...world, by: { staffId: ctx.user.staffId, runId: null, ...by } });
  return { isAsked: false };
}

export const changeOption: Handler<typeof planApi.option> = async (ctx, asked) => {
  const plan = await lockPlan(ctx, asked);
  await requireNoRelief(ctx, plan.planId, 'Option');
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
  const changed = { ...plan, options: [...others, ...chosen] };
  const done = await postOrAsk(
    ctx,
    { plan: changed, kind: 'Option', effectiveFrom: asked.effectiveFrom, reason: head.name },
    {},
    () => storeOptions(ctx, changed),
  );
  const details = { 'Fee head': head.name, Chosen: asked.isChosen, From: asked.effectiveFrom };
  if (!done.isAsked)
    await audit(ctx, { action: 'fee-plan.option', entity: 'fee_plan', entityId: plan.planId, details });
  return done;
};

/** The change that made a plan, where the user may undo it: made by them today, and nothing happened to the plan since. */
async function ownToday(ctx: UserContext, { planId }: StoredPlan): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select id from fee_plan_change made
    where plan_id = ${planId} and kind = 'Made' and staff_id = ${ctx.user.staffId}
      and not exists (select from fee_plan_change other where other.plan_id = made.plan_id
        and other.staff_id <> made.staff_id)
      and not exists (select from fee_ledger_entry entry join fee_due due on due.id = entry.due_id
        where due.plan_id = made.plan_id and (entry.entry_date <> ${toLocalDate(ctx.now())}::date
          or entry.kind not in ('Charge', 'Pro-rata', 'Concession')))`.execute(ctx.db);
  return rows[0]?.id;
}

/** Withdraws a plan. What was paid on it becomes an advance; a second person decides on that whoever asks, and whenever. */
export const withdraw: Handler<typeof planApi.withdraw> = async (ctx, { reason, ...asked }) => {
  const plan = await lockPlan(ctx, asked);
  await requireNoRelief(ctx, plan.planId, 'Withdrawn');
  const isPaid = (await paidOf(ctx, plan)) > 0;
  const withdrawn = { ...plan, status: 'Withdrawn' };
  const undoesId = isPaid ? undefined : await ownToday(ctx, plan);
  const done = await postOrAsk(
    ctx,
    { plan: withdrawn, kind: 'Withdrawn', effectiveFrom: plan.joinedOn, reason },
    undoesId === undefined ? { mustAsk: isPaid } : { authority: 'Undo', undoesId },
    () => storeDays(ctx, [withdrawn]),
  );
  const details = { Reason: reason };
  if (!done.isAsked)
    await audit(ctx, { action: 'fee-plan.withdrawn', entity: 'fee_plan', entityId: plan.planId, details });
  return done;
};

const mostDaysAlone = 14;

/** Whether the user may move these dues without a second person: not due yet, never moved before, and not far. */
async function mayMove(
  ctx: UserContext,
  dueIds: readonly number[],
  { dueOn, newDay }: Record<'dueOn' | 'newDay', string>,
) {
  if (!(await isGuarded(ctx))) return true;
  if (dueOn <= toLocalDate(ctx.now()) || newDay > addDays(dueOn, mostDaysAlone)) return false;
  const { rows } =
    await sql`select from fee_ledger_entry entry join fee_plan_change change on change.id = entry.change_id
    where change.kind = 'Due day' and entry.due_id = any(${dueIds}::integer[]) limit 1`.execute(ctx.db);
  return rows.length === 0;
}

export const moveDueDay: Handler<typeof planApi.moveDueDay> = async (ctx, { dueOn, newDay, reason, ...asked }) => {
  const plan = await lockPlan(ctx, asked);
  await requireNoRelief(ctx, plan.planId, 'Due day');
  if (newDay <= dueOn) throw fieldRefusal('newDay', text`Choose a later day.`);
  const { year } = await readPrices(ctx, plan.yearId);
  if (newDay > year.endsOn) throw fieldRefusal('newDay', text`Choose a day of ${{ year: year.name }}.`);
  const dues = await unpaidOn(ctx, { planId: plan.planId, dueOn });
  if (dues.length === 0) throw fieldRefusal('dueOn', text`Nothing is unpaid on this day.`);
  const ids = dues.map(({ id }) => id);
  if (!(await mayMove(ctx, ids, { dueOn, newDay }))) {
    const lowers = dues.reduce((sum, { unpaid }) => sum + unpaid, 0);
    const facts = { dueDay: { dueOn, newDay } };
    await askReliefs(ctx, [{ plan, kind: 'Due day', facts, effectiveFrom: newDay, lowers, reason }]);
    return { isAsked: true };
  }
  await moveDues(ctx, { planId: plan.planId, dueOn, newDay, reason, by: { staffId: ctx.user.staffId, runId: null } });
  const details = { From: dueOn, To: newDay, Reason: reason };
  await audit(ctx, { action: 'fee-plan.due-day', entity: 'fee_plan', entityId: plan.planId, details });
  return { isAsked: false };
};
