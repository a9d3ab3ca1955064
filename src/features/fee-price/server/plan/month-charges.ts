import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import type { ActingContext } from '#kit/server/context.ts';
import { monthOf } from '../../contract/months.ts';
import { price } from '../../contract/plan/plan-price.ts';
import { monthIndex } from '../../contract/plan/price.ts';
import { reliefMessages } from '../../contract/relief.ts';
import { actorOf, weigh } from '../control/lowering.ts';
import { askReliefs, dropReliefs, reliefOf } from '../control/relief.ts';
import { readConceded } from '../discount/conceded.ts';
import { type DayRules, readDayRules } from './make-plans.ts';
import { differ, standingDues } from './post.ts';
import { type MonthCharge, readPrices, type YearPrices } from './read-prices.ts';
import { storeMonths } from './store-facts.ts';
import { factsOf, postPlans, readPlans, type StoredPlan } from './stored-plans.ts';

/** What each month of a year costs a student; months without an amount cost nothing. Month 0 is the year's first, amounts are paise. */
export interface MonthCharges {
  studentId: number;
  months: readonly { month: number; amount: number }[];
}

/** What the fees of the year change by, and the first due day that is touched; null where nothing changes. */
export interface MonthEffect {
  difference: number;
  firstDue: string | null;
}

/** How months are charged. */
export interface ChargeHow {
  /** Posts nothing. */
  effectOnly?: boolean;
  /** The request with which a second person approved what costs less now. */
  approvalId?: number | undefined;
}

interface Changed {
  plan: StoredPlan;
  kind: 'Transport';
  effectiveFrom: string;
}

/**
 * Charges what transport costs by month, as it is now: the difference to what was charged is posted, so the same months
 * change nothing; what lowers fees without authority waits for a second person. Students without a plan are left out of the
 * answer.
 */
export async function setMonthCharges(
  ctx: ActingContext,
  yearId: number,
  children: readonly MonthCharges[],
  { effectOnly = false, approvalId }: ChargeHow = {},
): Promise<Map<number, MonthEffect>> {
  const students = children.map(({ studentId }) => studentId);
  const ofYear = sql`account.student_id = any(${students}::integer[]) and plan.academic_year_id = ${yearId}
    and plan.status = 'Active'`;
  const plans = students.length === 0 ? [] : await readPlans(ctx, ofYear, !effectOnly);
  if (plans.length === 0) return new Map();
  const prices = await readPrices(ctx, yearId);
  const head = [...prices.heads.values()].find(({ category, isActive }) => category === 'Transport' && isActive);
  if (!head) return new Map(plans.map(({ studentId }) => [studentId, { difference: 0, firstDue: null }]));
  const changed = children.flatMap((child) =>
    changedPlans(
      prices,
      head.id,
      child,
      plans.filter(({ studentId }) => studentId === child.studentId),
    ),
  );
  const rules = await readDayRules(ctx);
  const conceded = await readConceded(ctx, prices, students);
  const effects = await effectsOf(ctx, prices, { plans, changed, rules, conceded });
  if (!effectOnly && changed.length > 0) {
    if (approvalId !== undefined) await refuseWaiting(ctx, changed);
    const weighed = (await weigh(ctx, prices, changed, { rules, conceded })).map((one) => ({
      ...one,
      isAllowed: one.isAllowed || approvalId !== undefined,
    }));
    const atOnce = weighed.filter(({ isAllowed }) => isAllowed).map(({ change }) => change);
    const held = weighed.filter(({ isAllowed }) => !isAllowed);
    await dropReliefs(
      ctx,
      changed.map(({ plan }) => plan.planId),
      'months',
    );
    await askReliefs(
      ctx,
      held.map(({ change, lowers }) => reliefOf(change, lowers)),
    );
    await storeMonths(
      ctx,
      atOnce.map(({ plan }) => plan),
    );
    const decided = approvalId === undefined ? {} : { authority: 'Decided' as const, approvalId };
    const by = { staffId: actorOf(ctx)?.staffId ?? null, runId: null, ...decided };
    await postPlans(ctx, prices, atOnce, { rules, conceded, by });
  }
  return effects;
}

/** The decision was on one change: another one that waits on the plan is not approved with it. */
async function refuseWaiting({ db }: ActingContext, changed: readonly Changed[]) {
  const ids = changed.map(({ plan }) => plan.planId);
  const { rows } = await sql`select from fee_relief where plan_id = any(${ids}::integer[]) and part = 'months'
    and status = 'Asked' limit 1`.execute(db);
  if (rows.length > 0) throw new AppError('conflict', reliefMessages.waits);
}

/** The plans of a student whose months differ. A month belongs to the plan that is the latest one to have begun by then. */
function changedPlans(
  { year }: YearPrices,
  feeHeadId: number,
  { months }: MonthCharges,
  own: readonly StoredPlan[],
): Changed[] {
  const firstOf = (plan: StoredPlan, at: number) =>
    at === 0 || plan.joinedOn <= year.startsOn ? 0 : monthIndex(year, plan.joinedOn);
  return own.flatMap((plan, at) => {
    const next = own[at + 1];
    const [first, end] = [firstOf(plan, at), next ? firstOf(next, at + 1) : 12];
    const charges = months
      .filter(({ month, amount }) => month >= first && month < end && amount > 0)
      .map(({ month, amount }): MonthCharge => ({ feeHeadId, month, amount }));
    const amountIn = (some: readonly MonthCharge[], month: number) =>
      some.find((one) => one.month === month && one.feeHeadId === feeHeadId)?.amount ?? 0;
    const changed = Array.from({ length: 12 }, (_, month) => month).find(
      (month) => amountIn(charges, month) !== amountIn(plan.months, month),
    );
    if (changed === undefined) return [];
    const others = plan.months.filter((one) => one.feeHeadId !== feeHeadId);
    const day = `${monthOf(year, changed)}-01`;
    return {
      plan: { ...plan, months: [...others, ...charges] },
      kind: 'Transport' as const,
      effectiveFrom: day > plan.joinedOn ? day : plan.joinedOn,
    };
  });
}

interface Effects {
  plans: readonly StoredPlan[];
  changed: readonly Changed[];
  rules: DayRules;
  conceded: Awaited<ReturnType<typeof readConceded>>;
}

async function effectsOf(
  ctx: ActingContext,
  prices: YearPrices,
  { plans, changed, rules, conceded }: Effects,
): Promise<Map<number, MonthEffect>> {
  const effects = new Map(
    plans.map(({ studentId }): [number, MonthEffect] => [studentId, { difference: 0, firstDue: null }]),
  );
  const standing = await standingDues(
    ctx,
    changed.map(({ plan }) => plan.planId),
  );
  for (const { plan } of changed) {
    const before = standing.get(plan.planId) ?? [];
    const dues = price(factsOf(prices, plan, rules, conceded));
    const { total, entries, made } = differ(dues, before);
    const keys = new Set(entries.map(({ key }) => key));
    const days = [...before, ...made]
      .filter((due) => keys.has(`${due.feeHeadId} ${due.frequencyId} ${due.seq}`))
      .map(({ dueOn }) => dueOn)
      .toSorted();
    const effect = effects.get(plan.studentId);
    if (!effect || entries.length === 0) continue;
    effect.difference += total;
    effect.firstDue =
      [effect.firstDue ?? days[0] ?? null, days[0] ?? null].filter((day) => day !== null).toSorted()[0] ?? null;
  }
  return effects;
}
