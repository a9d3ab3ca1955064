import { sql } from 'kysely';
import { type Text, text } from '#kit/contract/text.ts';
import type { ActingContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { ask } from '#kit/server/hook.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { readSetting } from '#kit/server/settings.ts';
import { planMade } from '../../contract/hooks.ts';
import { dayOn, type YearDays } from '../../contract/months.ts';
import { type PricedDue, price } from '../../contract/plan/plan-price.ts';
import type { PastAnswer } from '../../contract/plan.ts';
import type { Conceded } from '../discount/conceded.ts';
import { cutoffDay, joinerDays } from '../settings.ts';
import type { Child } from './children.ts';
import { lockAccounts } from './children.ts';
import { type PlanChange, postChanges } from './post.ts';
import { headFacts, headsFor, structureFor, type YearPrices } from './read-prices.ts';

/** How days decide what is charged and when, by the school's settings. */
export interface DayRules {
  today: string;
  cutoffDay: number;
  joinerDays: number;
}

export const readDayRules = async (ctx: Pick<ActingContext, 'db' | 'now'>): Promise<DayRules> => ({
  today: toLocalDate(ctx.now()),
  cutoffDay: await readSetting(ctx, cutoffDay),
  joinerDays: await readSetting(ctx, joinerDays),
});

export const hasPlan = text`Has a fee plan already.`;
const hasLeft = text`Has left, or moved to another enrolment.`;
const noPrices = text`No published prices for this grade.`;
const nothing = text`The prices charge nothing.`;

/** A plan that is not stored yet, or why it can’t be made. */
export type Proposed = { child: Child } & (
  | { reason: Text }
  | {
      reason?: undefined;
      structure: { id: number; name: string; versionNo: number };
      headIds: number[];
      options: { feeHeadId: number; fromMonth: number; toMonth: number }[];
      dues: PricedDue[];
      net: number;
    }
);
export type Plannable = Extract<Proposed, { dues: PricedDue[] }>;

const isPlaced = ({ status }: Child) => status === 'Active';

/** What a student of this year would pay; nothing is stored. `chosen` are optional heads. */
export function propose(
  prices: YearPrices,
  child: Child,
  rules: DayRules,
  { ofStudent, cap }: Conceded,
  chosen: readonly number[] = [],
): Proposed {
  if (child.hasPlan) return { child, reason: hasPlan };
  if (!isPlaced(child)) return { child, reason: hasLeft };
  const structure = structureFor(prices, child);
  if (!structure) return { child, reason: noPrices };
  const heads = headsFor(prices, structure, child, new Set(child.charged));
  const headIds = heads.map(({ id }) => id);
  const options = heads
    .filter(({ id, isOptional }) => isOptional && chosen.includes(id))
    .map(({ id }) => ({ feeHeadId: id, fromMonth: 0, toMonth: 11 }));
  const dues = price({
    year: prices.year,
    joinedOn: child.joinedOn,
    leftOn: null,
    cutoffDay: rules.cutoffDay,
    heads: headFacts(prices, {
      stages: headIds.map((feeHeadId) => ({ feeHeadId, fromMonth: 0, structureId: structure.id })),
      options,
      months: [],
    }),
    concessions: ofStudent.get(child.studentId) ?? [],
    cap,
  }).filter(({ months }) => months.length > 0);
  if (dues.length === 0) return { child, reason: nothing };
  return { child, structure, headIds, options, dues, net: dues.reduce((sum, due) => sum + due.net, 0) };
}

/** The day on which a due of a new plan falls due: after joining, and as the answer for past dues says. */
export function dueDay(
  { dueOn }: Pick<PricedDue, 'dueOn'>,
  { joinedOn, year }: { joinedOn: string; year: YearDays },
  rules: DayRules,
  past?: PastAnswer,
) {
  const isBefore = joinedOn > year.startsOn && dueOn < joinedOn;
  const scheduled = isBefore ? dayOn(year, addDays(joinedOn, rules.joinerDays)) : dueOn;
  const isPast = scheduled < rules.today;
  return {
    dueOn: isPast && past?.past === 'Due on a day' ? past.pastDay : scheduled,
    fineFrom: isPast && past?.past === 'As scheduled, fines from a chosen day' ? past.pastDay : null,
    isPast,
  };
}

/**
 * Stores proposed plans of one year, whose enrolments are locked. Returns the plan of each enrolment; a child that got a plan
 * meanwhile is left out.
 */
export async function storePlans(
  ctx: ActingContext,
  prices: YearPrices,
  wanted: readonly Plannable[],
  {
    rules,
    past,
    by,
  }: {
    rules: DayRules;
    past: PastAnswer | undefined;
    by: { staffId: number | null; runId: number | null; actor?: string };
  },
): Promise<Map<number, number>> {
  if (wanted.length === 0) return new Map();
  const accounts = await lockAccounts(
    ctx,
    wanted.map(({ child }) => child.studentId),
  );
  const accountOf = (studentId: number) => accounts.get(studentId) ?? 0;
  const { rows } = await sql<{ id: number; accountId: number }>`
    insert into fee_plan (account_id, academic_year_id, joined_on)
    select account, ${prices.year.id}, joined from unnest(
      ${wanted.map(({ child }) => accountOf(child.studentId))}::integer[],
      ${wanted.map(({ child }) => child.joinedOn)}::date[]) as plan (account, joined)
    on conflict do nothing
    returning id, account_id as "accountId"`.execute(ctx.db);
  const planOf = new Map(rows.map(({ id, accountId }) => [accountId, id]));
  const proposed = wanted.filter(({ child }) => planOf.has(accountOf(child.studentId)));
  const changes = proposed.map(({ child, dues, headIds, structure }): PlanChange => {
    const accountId = accountOf(child.studentId);
    return {
      planId: planOf.get(accountId) ?? 0,
      accountId,
      kind: 'Made',
      effectiveFrom: child.joinedOn,
      dues,
      dayOf: (due) => dueDay(due, { joinedOn: child.joinedOn, year: prices.year }, rules, past),
      stages: headIds.map((feeHeadId) => ({ feeHeadId, fromMonth: 0, structureId: structure.id })),
    };
  });
  const plans = proposed.map(({ child }) => planOf.get(accountOf(child.studentId)) ?? 0);
  const options = proposed.flatMap((one, at) => one.options.map((option) => ({ planId: plans[at], ...option })));
  if (options.length > 0)
    await sql`insert into fee_plan_option (plan_id, fee_head_id, from_month, to_month)
      select "planId", "feeHeadId", "fromMonth", "toMonth" from jsonb_to_recordset(${JSON.stringify(options)}::jsonb)
        as option ("planId" integer, "feeHeadId" integer, "fromMonth" smallint, "toMonth" smallint)`.execute(ctx.db);
  await postChanges(ctx, prices, changes, by);
  await auditAll(
    ctx,
    proposed.map(({ child, structure, net }, at) => ({
      ...(by.actor === undefined ? {} : { actor: by.actor }),
      action: 'fee-plan.made',
      entity: 'fee_plan',
      entityId: plans[at] ?? 0,
      details: {
        Student: child.grNo,
        Prices: structure.name,
        Version: structure.versionNo,
        Year: prices.year.name,
        Paise: net,
      },
    })),
  );
  await ask(ctx, planMade, { studentIds: proposed.map(({ child }) => child.studentId), yearId: prices.year.id });
  return new Map(proposed.map(({ child }, at) => [child.enrollmentId, plans[at] ?? 0]));
}
