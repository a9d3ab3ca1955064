import { type RawBuilder, sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { type PricedDue, type PricedFacts, price } from '../../contract/plan/plan-price.ts';
import type { Conceded } from '../discount/conceded.ts';
import { type DayRules, dueDay } from './make-plans.ts';
import { type By, type PlanChange, postChanges } from './post.ts';
import { type Chosen, headFacts, type MonthCharge, type Stage, type YearPrices } from './read-prices.ts';

/** A plan as it is stored. */
export interface StoredPlan {
  planId: number;
  accountId: number;
  studentId: number;
  yearId: number;
  status: string;
  joinedOn: string;
  leftOn: string | null;
  /** The categories of heads that it charges although it was withdrawn. */
  keeps: string[];
  stages: Stage[];
  options: Chosen[];
  months: MonthCharge[];
  /** What was paid on each due. */
  paid: PaidDue[];
}

interface PaidDue extends Pick<PricedDue, 'feeHeadId' | 'frequencyId' | 'seq'> {
  paid: number;
}

/** Plans with these conditions; their accounts are locked in the order of their ids if `locks`. */
export async function readPlans(
  { db }: Pick<Context, 'db'>,
  where: RawBuilder<unknown>,
  locks = true,
): Promise<StoredPlan[]> {
  const from = sql`from fee_plan plan join fee_account account on account.id = plan.account_id where ${where}`;
  if (locks)
    await sql`select id from fee_account where id in (select account.id ${from}) order by id for update`.execute(db);
  const { rows } = await sql<StoredPlan>`
    select plan.id as "planId", account.id as "accountId", account.student_id as "studentId",
      plan.academic_year_id as "yearId", plan.status, plan.joined_on as "joinedOn", plan.left_on as "leftOn", plan.keeps,
      (select coalesce(jsonb_agg(jsonb_build_object('feeHeadId', fee_head_id, 'fromMonth', from_month,
        'structureId', structure_id) order by fee_head_id, from_month), '[]') from fee_plan_stage
        where plan_id = plan.id) as stages,
      (select coalesce(jsonb_agg(jsonb_build_object('feeHeadId', fee_head_id, 'fromMonth', from_month,
        'toMonth', to_month) order by fee_head_id, from_month), '[]') from fee_plan_option
        where plan_id = plan.id) as options,
      (select coalesce(jsonb_agg(jsonb_build_object('feeHeadId', fee_head_id, 'month', month, 'amount', amount)
        order by fee_head_id, month), '[]') from fee_plan_month where plan_id = plan.id) as months,
      (select coalesce(jsonb_agg(jsonb_build_object('feeHeadId', fee_head_id, 'frequencyId', frequency_id, 'seq', seq,
        'paid', paid) order by id), '[]') from fee_due where plan_id = plan.id and paid > 0) as paid
    ${from} order by plan.id`.execute(db);
  return rows;
}

/** The facts of a plan, from its rows. */
export const factsOf = (
  prices: YearPrices,
  plan: Omit<StoredPlan, 'accountId' | 'status' | 'keeps' | 'paid'>,
  { cutoffDay }: DayRules,
  { ofStudent, cap }: Conceded,
): PricedFacts => ({
  year: prices.year,
  joinedOn: plan.joinedOn,
  leftOn: plan.leftOn,
  cutoffDay,
  heads: headFacts(prices, plan),
  concessions: ofStudent.get(plan.studentId) ?? [],
  cap,
});

/** What a plan charges; once it was withdrawn only what was paid on the heads that it keeps. */
export function duesOf(prices: YearPrices, plan: StoredPlan, rules: DayRules, conceded: Conceded): PricedDue[] {
  const isWithdrawn = plan.status === 'Withdrawn';
  if (isWithdrawn && plan.keeps.length === 0) return [];
  const dues = price(factsOf(prices, plan, rules, conceded));
  const isKept = (id: number) => plan.keeps.includes(prices.heads.get(id)?.category ?? '');
  return isWithdrawn ? dues.filter(({ feeHeadId }) => isKept(feeHeadId)).flatMap((due) => paidPart(due, plan)) : dues;
}

/** The part of a due that was paid, so that nothing unpaid is demanded; none where nothing was. */
function paidPart(due: PricedDue, plan: StoredPlan): PricedDue[] {
  const own = plan.paid.find(
    ({ feeHeadId, frequencyId, seq }) =>
      feeHeadId === due.feeHeadId && frequencyId === due.frequencyId && seq === due.seq,
  );
  if (!own) return [];
  if (own.paid >= due.net) return [due];
  return [{ ...due, gross: own.paid, proRata: 0, concessions: [], steps: [], concession: 0, net: own.paid }];
}

/** A plan with its new facts, and why they changed. */
export interface ChangedPlan extends Pick<PlanChange, 'kind' | 'effectiveFrom' | 'reason'> {
  plan: StoredPlan;
  /** Stages that are new; those of the plan contain them. */
  stages?: readonly Stage[];
}

/** Computes changed plans of one year again, and posts exactly the difference. Their accounts are locked. */
export const postPlans = (
  ctx: Pick<Context, 'db' | 'now'>,
  prices: YearPrices,
  changed: readonly ChangedPlan[],
  { rules, conceded, by }: { rules: DayRules; conceded: Conceded; by: By },
) =>
  postChanges(
    ctx,
    prices,
    changed.map(({ plan, kind, effectiveFrom, reason = '', stages = [] }) => ({
      planId: plan.planId,
      accountId: plan.accountId,
      kind,
      effectiveFrom,
      reason,
      dues: duesOf(prices, plan, rules, conceded),
      dayOf: (due) => dueDay(due, { joinedOn: effectiveFrom, year: prices.year }, rules),
      stages,
    })),
    by,
  );
