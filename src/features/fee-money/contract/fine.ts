import type { FineKind } from '#features/fee-price/contract/fine-rule.ts';

/** The terms of a late fine that were in force on the due day. */
export interface FineTerms {
  kind: FineKind;
  amount: number | null;
  graceDays: number;
  maxAmount: number | null;
  slabs: readonly { fromDay: number; amount: number }[];
}

export interface LateDues {
  /** The day on which they were due. */
  dueOn: string;
  /** The first day for which a fine counts, where a person set one. */
  fineFrom: string | null;
  /** Each due of that day with the same rule: what is owed, and the money on it by day; reversed money is left out. */
  dues: readonly { net: number; money: readonly { day: string; amount: number }[] }[];
  /** Days on which a concession waited for its decision, both ends included. */
  stays: readonly { from: string; to: string }[];
}

const aDay = 86_400_000;
const momentOf = (day: string) => Date.parse(`${day}T00:00:00Z`);

const mostDaysStayed = 15;

/**
 * The days on which requests stop the fine of a child in a year: all of a request that was approved, and at most 15 days, each
 * counted once, of those that were not.
 */
export function staysOf(asked: readonly { from: string; to: string; isApproved: boolean }[]) {
  const days = new Set<number>();
  for (const { from, to, isApproved } of asked.toSorted((one, other) => one.from.localeCompare(other.from)))
    for (let day = momentOf(from); !isApproved && day <= momentOf(to) && days.size < mostDaysStayed; day += aDay)
      days.add(day);
  const alone = [...days].map((day) => new Date(day).toISOString().slice(0, 10));
  return [...asked.filter(({ isApproved }) => isApproved), ...alone.map((day) => ({ from: day, to: day }))];
}

/**
 * The late fine of a due day as of a day, and the days that count: from the day after grace on, each day at whose start
 * something was unpaid. It is computed once for all dues of that day, whatever their number.
 */
export function fineAsOf(
  { kind, amount, graceDays, maxAmount, slabs }: FineTerms,
  { dueOn, fineFrom, dues, stays }: LateDues,
  on: string,
): { amount: number; days: number } {
  const afterGrace = momentOf(dueOn) + (graceDays + 1) * aDay;
  const first = fineFrom === null ? afterGrace : Math.max(afterGrace, momentOf(fineFrom));
  const isLate = dues.map(lateOn);
  let days = 0;
  for (let day = first; day <= momentOf(on); day += aDay) {
    const isStayed = stays.some(({ from, to }) => day >= momentOf(from) && day <= momentOf(to));
    if (!isStayed && isLate.some((late) => late(day))) days++;
  }
  const fine = ofDays({ kind, amount, slabs }, days);
  return { amount: maxAmount === null ? fine : Math.min(fine, maxAmount), days };
}

/** Whether something of a due was unpaid at the start of a day. */
function lateOn({ net, money }: LateDues['dues'][number]) {
  const paid = money.map(({ day, amount }) => ({ day: momentOf(day), amount }));
  return (day: number) => paid.reduce((sum, one) => sum + (one.day < day ? one.amount : 0), 0) < net;
}

function ofDays({ kind, amount, slabs }: Pick<FineTerms, 'kind' | 'amount' | 'slabs'>, days: number): number {
  if (days === 0) return 0;
  if (kind === 'One time') return amount ?? 0;
  if (kind === 'Per day') return (amount ?? 0) * days;
  return slabs.reduce((reached, slab) => (slab.fromDay <= days ? Math.max(reached, slab.amount) : reached), 0);
}
