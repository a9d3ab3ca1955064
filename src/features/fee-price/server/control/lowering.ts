import { sql } from 'kysely';
import type { ActingContext, User } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Conceded } from '../discount/conceded.ts';
import { type DayRules, dueDay } from '../plan/make-plans.ts';
import { differ, standingDues } from '../plan/post.ts';
import type { YearPrices } from '../plan/read-prices.ts';
import { type ChangedPlan, duesOf } from '../plan/stored-plans.ts';
import { authorityOf } from './authority.ts';
import { isGuarded } from './proposal.ts';

/** The user of an act or who started its run; undefined for the system’s own work. */
export const actorOf = (ctx: ActingContext): User | undefined => ctx.user ?? (ctx as { starter?: User }).starter;

/** What the user of an act may lower without a second person. */
export interface Free {
  /** The first day of a fact that lowers fees at once; null where no fact does. */
  factsFrom: string | null;
  /** Structures that the user published: their prices lower nothing at once. */
  ownPrices: ReadonlySet<number>;
}

/** Reads what the user of an act may lower; undefined before the school's first receipt, when all applies at once. */
export async function readFree(ctx: ActingContext): Promise<Free | undefined> {
  if (!(await isGuarded(ctx))) return undefined;
  const staffId = actorOf(ctx)?.staffId ?? null;
  const { rows } = await sql<{ factsFrom: string | null; own: number[] }>`select
    case when ${staffId}::integer is null then '0001-01-01'::date
      when fee_states_facts(${staffId}::integer) then fee_facts_from(${toLocalDate(ctx.now())}::date) end as "factsFrom",
    array(select id from fee_structure where published_by is not distinct from ${staffId}::integer) as own`.execute(
    ctx.db,
  );
  return { factsFrom: rows[0]?.factsFrom ?? null, ownPrices: new Set(rows[0]?.own) };
}

/** Whether a fact as of a day may lower fees at once. */
export const allowsFact = (free: Free | undefined, day: string) =>
  free === undefined || (free.factsFrom !== null && day >= free.factsFrom);

interface World {
  rules: DayRules;
  conceded: Conceded;
}

/** A change that lowers what is owed, by how much, and whether its own authority allows it. */
interface Weighed {
  change: ChangedPlan;
  lowers: number;
  isAllowed: boolean;
}

/**
 * What each change takes off what is owed, today or in all; 0 where nothing falls. The plans are as they would be stored.
 * Before the school's first receipt it is computed only for changes that a second person decides on even then.
 */
export async function weigh(
  ctx: ActingContext,
  prices: YearPrices,
  changed: readonly ChangedPlan[],
  { rules, conceded, mustAsk = false }: World & { mustAsk?: boolean },
): Promise<Weighed[]> {
  const free = changed.length === 0 ? undefined : await readFree(ctx);
  if (!free && !mustAsk) return changed.map((change) => ({ change, lowers: 0, isAllowed: true }));
  const today = toLocalDate(ctx.now());
  const standing = await standingDues(
    ctx,
    changed.map(({ plan }) => plan.planId),
  );
  return changed.map((change) => {
    const { plan, kind, effectiveFrom, stages = [] } = change;
    const before = standing.get(plan.planId) ?? [];
    const dues = duesOf(prices, plan, rules, conceded);
    const { entries, made, total } = differ(dues, before);
    const days = new Map([
      ...before.map((due) => [keyOf(due), [due.dueOn, due.from]] as const),
      ...made.map((due) => {
        const { dueOn } = dueDay(due, { joinedOn: effectiveFrom, year: prices.year }, rules);
        return [keyOf(due), [dueOn, due.from]] as const;
      }),
    ]);
    const now = entries
      .filter(({ key }) => (days.get(key)?.[0] ?? today) <= today)
      .reduce((sum, { amount }) => sum + amount, 0);
    const hasBegun = entries.some(
      ({ key, amount }) => amount < 0 && (days.get(key) ?? [today]).some((day) => day <= today),
    );
    const lowers = Math.max(-total, -now, 0);
    const authority = authorityOf(kind);
    const isAllowed =
      !free ||
      lowers === 0 ||
      (authority === 'Fact' && allowsFact(free, effectiveFrom)) ||
      (authority === 'Choice' && !hasBegun) ||
      (authority === 'Price' && stages.every(({ structureId }) => !free.ownPrices.has(structureId)));
    return { change, lowers, isAllowed };
  });
}

const keyOf = ({ feeHeadId, frequencyId, seq }: { feeHeadId: number; frequencyId: number; seq: number }) =>
  `${feeHeadId} ${frequencyId} ${seq}`;
