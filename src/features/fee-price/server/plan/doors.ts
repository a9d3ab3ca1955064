import { sql } from 'kysely';
import { lockYearForShare } from '#features/calendar/api.ts';
import { lockEnrollments } from '#features/student/api.ts';
import { AppError } from '#kit/contract/errors.ts';
import type { Text } from '#kit/contract/text.ts';
import type { ActingContext, Context, UserContext } from '#kit/server/context.ts';
import type { PastAnswer } from '../../contract/plan.ts';
import { readConceded } from '../discount/conceded.ts';
import { addDiscounts } from '../discount/concession.ts';
import { concedeAll, type SuggestedDiscount } from '../discount/suggested.ts';
import { lockAccounts, readChildren } from './children.ts';
import { dueDay, hasPlan, propose, readDayRules, storePlans } from './make-plans.ts';
import { headsFor, type PricedPlace, readPrices, structureFor } from './read-prices.ts';

interface PlannedPlace extends PricedPlace {
  yearId: number;
  joinedOn: string;
  /** Optional heads that the family chose. */
  options?: readonly number[];
}

/**
 * What a child who is not added yet would pay: the prices, the dues by day, the total, and the total if the suggested
 * concessions were granted; the reason without prices.
 */
export async function previewPlan(
  ctx: Pick<Context, 'db' | 'now'>,
  { yearId, options = [], ...place }: PlannedPlace,
  suggested: readonly SuggestedDiscount[] = [],
) {
  const prices = await readPrices(ctx, yearId);
  const rules = await readDayRules(ctx);
  const person = { enrollmentId: 0, studentId: 0, name: '', grNo: '', place: '', status: 'Active' };
  const child = { ...place, ...person, yearId, hasPlan: false, charged: [], returned: [] };
  const none = await readConceded(ctx, prices, []);
  const proposed = propose(prices, child, rules, none, options);
  if (proposed.reason)
    return { reason: proposed.reason, structure: null, dues: [], total: 0, conceded: 0, basis: proposed.reason.id };
  const granted = propose(prices, child, rules, concedeAll(ctx, prices, none, place, suggested), options);
  const days = { joinedOn: place.joinedOn, year: prices.year };
  const byDay = Map.groupBy(proposed.dues, (due) => dueDay(due, days, rules).dueOn);
  const dues = [...byDay].map(([dueOn, dues]) => ({ dueOn, net: dues.reduce((sum, { net }) => sum + net, 0) }));
  return {
    reason: undefined,
    structure: proposed.structure,
    dues: dues.sort((one, other) => one.dueOn.localeCompare(other.dueOn)),
    total: proposed.net,
    conceded: granted.reason ? proposed.net : granted.net,
    basis: [proposed.structure.id, proposed.dues.map(({ feeHeadId, dueOn, net }) => [feeHeadId, dueOn, net])],
  };
}

interface PlanWishes {
  /** Discounts that the student gets with the plan, or that are asked for with it; only a user gives them. */
  discountIds?: readonly number[];
  options?: readonly number[];
  /** When dues are due whose day has passed; as scheduled without it. */
  past?: PastAnswer;
  staffId?: number;
  actor?: string;
}

/** Makes the plan of an enrolled student for a year; says why where none is made. */
export async function makePlan(
  ctx: ActingContext,
  studentId: number,
  yearId: number,
  { discountIds = [], options = [], past, staffId, actor }: PlanWishes,
): Promise<{ planId: number; net: number } | { reason: Text }> {
  await lockYearForShare(ctx, yearId);
  const own = sql`enrollment.student_id = ${studentId} and enrollment.academic_year_id = ${yearId} and enrollment.is_standing`;
  const [found] = await readChildren(ctx, own);
  if (!found) throw new Error(`Student ${studentId} is not enrolled in year ${yearId}.`);
  await lockEnrollments(ctx, [found.enrollmentId]);
  const [child = found] = await readChildren(ctx, sql`enrollment.id = ${found.enrollmentId}`);
  const prices = await readPrices(ctx, yearId);
  const rules = await readDayRules(ctx);
  await lockAccounts(ctx, [studentId]);
  if (discountIds.length > 0) {
    const { user } = ctx;
    if (!user) throw new Error('Discounts of a plan need a user who asks for them.');
    await addDiscounts({ ...ctx, user } as UserContext, { id: studentId, ...child }, prices.year, discountIds);
  }
  const proposed = propose(prices, child, rules, await readConceded(ctx, prices, [studentId]), options);
  if (proposed.reason) return { reason: proposed.reason };
  const by = {
    staffId: staffId ?? ctx.user?.staffId ?? null,
    runId: null,
    ...(actor === undefined ? {} : { actor }),
  };
  const plans = await storePlans(ctx, prices, [proposed], { rules, past, by });
  const planId = plans.get(child.enrollmentId);
  if (planId === undefined) throw new AppError('conflict', hasPlan);
  return { planId, net: proposed.net };
}

/** The one-time fees of a new student at a place, such as those of admission. Amounts are paise. */
export async function oneTimeForNew(
  ctx: Pick<Context, 'db'>,
  { yearId, ...place }: Omit<PricedPlace, 'admissionType'> & { yearId: number },
) {
  const prices = await readPrices(ctx, yearId);
  const newcomer = { ...place, admissionType: 'New' as const };
  const structure = structureFor(prices, newcomer);
  if (!structure) return [];
  return headsFor(prices, structure, newcomer, new Set()).flatMap(({ id, name, receiptSeriesId, isOptional }) => {
    const line = structure.lines.find(({ feeHeadId }) => feeHeadId === id);
    const isOnce = line && prices.frequencies.get(line.frequencyId)?.kind === 'One-time';
    return isOnce && !isOptional ? [{ feeHeadId: id, name, receiptSeriesId, amount: line.annual }] : [];
  });
}
