// What concessions take off the dues of one student and year (decision 0147). Amounts are paise, percentages hundredths of a
// percent, months count from the first month of the academic year.
import { wholePercent } from '#kit/contract/money.ts';
import { running } from './rounding.ts';

/** One fee head for a period, by month. A head without pro-rata is charged wholly in one month of its period. */
export interface ConcededCharge {
  feeHeadId: number;
  isDiscountable: boolean;
  /** What is charged after pro-rata, and the head's price of a whole year, on which discounts of one group are compared. */
  months: readonly { month: number; amount: number; annual: number }[];
}

/** How much a concession takes off: a share of what is left, an amount a year of its only head, or everything. */
export type ConcessionValue =
  | { kind: 'Percent'; percent: number }
  /** `months` are those in which the head is charged from the concession's first month on, as known in that month. */
  | { kind: 'Fixed'; amount: number; months: readonly number[] }
  | { kind: 'Full waiver' };

/** A discount that a student has, from a month to a month. */
export interface Concession {
  id: number;
  discountId: number;
  value: ConcessionValue;
  /** The heads that it reduces; null for every head that allows concessions. */
  headIds: readonly number[] | null;
  fromMonth: number;
  toMonth: number;
  /** The lowest number is taken off first. */
  priority: number;
  /** Of one group only the best discount counts; empty for none. */
  group: string;
  /** The most that the discount takes off in the year. */
  maxAmount: number | null;
  /** The student's cap neither counts nor cuts it, as a waiver under the RTE Act. */
  isUncapped: boolean;
}

/** Why a concession takes off less: another of its group is better, its own yearly maximum, or the student's cap. */
export type ConcessionLimit = 'group' | 'maximum' | 'cap';

export interface ConcessionStep {
  concessionId: number;
  /** What it takes off the due. */
  amount: number;
  /** What is left of the due after it. */
  left: number;
  limits: ConcessionLimit[];
}

export interface ConcededDue {
  concession: number;
  /** One for each concession on the due, in the order in which they are taken off. */
  steps: ConcessionStep[];
}

/** The concessions that are taken off in one month of one due. */
interface Cut {
  concession: Concession;
  amount: bigint;
  limits: ConcessionLimit[];
}

/**
 * What concessions take off each due, in the order of the dues. `cap` is the most that a student may be spared, in hundredths
 * of a percent of all charges that allow concessions. Each month depends on itself and earlier months only, so that
 * a later change never alters an earlier due.
 */
export function applyConcessions(
  dues: readonly ConcededCharge[],
  concessions: readonly Concession[],
  { cap }: { cap: number },
): ConcededDue[] {
  const inOrder = concessions.toSorted((one, other) => one.priority - other.priority || one.id - other.id);
  const tally = new Tally(cap);
  const cuts = dues.map((): Cut[][] => []);
  const months = dues
    .flatMap(({ feeHeadId, isDiscountable, months }, place) =>
      isDiscountable
        ? months.map(({ amount, ...month }) => ({ place, feeHeadId, ...month, charged: BigInt(amount) }))
        : [],
    )
    .toSorted((one, other) => one.month - other.month || one.feeHeadId - other.feeHeadId);
  for (const charge of months) {
    const given = givenTo(inOrder, charge);
    cuts[charge.place]?.push(cutMonth(charge, given, bestOfGroups(given, charge.annual), tally));
  }
  return dues.map((due, place) => addUp(due, cuts[place] ?? []));
}

interface Charge {
  feeHeadId: number;
  month: number;
  charged: bigint;
  annual: number;
}

const givenTo = (concessions: readonly Concession[], { feeHeadId, month }: Charge) =>
  concessions.filter(
    ({ headIds, fromMonth, toMonth }) =>
      fromMonth <= month && month <= toMonth && (headIds === null || headIds.includes(feeHeadId)),
  );

function cutMonth(charge: Charge, given: readonly Concession[], best: ReadonlySet<Concession>, tally: Tally) {
  let left = charge.charged;
  const cuts: Cut[] = [];
  for (const concession of given) {
    if (!best.has(concession)) {
      cuts.push({ concession, amount: 0n, limits: ['group'] });
      continue;
    }
    const wanted = least(left, tally.wanted(concession, charge, left));
    const amount = tally.withinMaximum(concession, wanted);
    cuts.push({ concession, amount, limits: amount < wanted ? ['maximum'] : [] });
    left -= amount;
  }
  tally.keepCap(charge, cuts);
  return cuts;
}

/** The discount of each group that is worth most on the head's year; the lower priority number wins a tie. */
function bestOfGroups(given: readonly Concession[], price: number) {
  const annual = BigInt(price);
  const best = new Map<string | Concession, Concession>();
  for (const concession of given) {
    const group = concession.group || concession;
    const before = best.get(group);
    if (!before || yearOf(concession, annual) > yearOf(before, annual)) best.set(group, concession);
  }
  return new Set(best.values());
}

function yearOf({ value, maxAmount }: Concession, annual: bigint): bigint {
  const year =
    value.kind === 'Percent'
      ? running(annual, BigInt(value.percent), whole)
      : value.kind === 'Fixed'
        ? least(BigInt(value.amount), annual)
        : annual;
  return maxAmount === null ? year : least(year, BigInt(maxAmount));
}

const whole = BigInt(wholePercent);
const least = (one: bigint, other: bigint) => (one < other ? one : other);

/** Running sums of a year, from its first month on. */
class Tally {
  readonly #cap: bigint;
  #charged = 0n;
  #spared = 0n;
  /** By concession and head: what a percentage has been taken of, and how much it came to. */
  readonly #percents = new Map<string, { of: bigint; taken: bigint }>();
  /** By discount: how much of its yearly maximum is used up. */
  readonly #used = new Map<number, bigint>();

  constructor(cap: number) {
    this.#cap = BigInt(cap);
  }

  /** What a concession would take off in a month before its limits. */
  wanted({ id, value }: Concession, { feeHeadId, month }: Charge, left: bigint): bigint {
    if (value.kind === 'Full waiver') return left;
    if (value.kind === 'Fixed') {
      const place = value.months.indexOf(month);
      if (place < 0) return 0n;
      const [amount, count] = [BigInt(value.amount), BigInt(value.months.length)];
      return running(amount, BigInt(place + 1), count) - running(amount, BigInt(place), count);
    }
    const key = `${id} ${feeHeadId}`;
    const before = this.#percents.get(key) ?? { of: 0n, taken: 0n };
    const of = before.of + left;
    const amount = least(left, running(of, BigInt(value.percent), whole) - before.taken);
    this.#percents.set(key, { of, taken: before.taken + amount });
    return amount;
  }

  withinMaximum({ discountId, maxAmount }: Concession, wanted: bigint): bigint {
    if (maxAmount === null) return wanted;
    const used = this.#used.get(discountId) ?? 0n;
    const amount = least(wanted, BigInt(maxAmount) - used);
    this.#used.set(discountId, used + amount);
    return amount;
  }

  /** Cuts a month's concessions to the student's cap, the last of them first. */
  keepCap({ charged }: Charge, cuts: Cut[]) {
    this.#charged += charged;
    const capped = cuts.filter(({ concession }) => !concession.isUncapped);
    this.#spared += capped.reduce((sum, { amount }) => sum + amount, 0n);
    let over = this.#spared - running(this.#charged, this.#cap, whole);
    for (const cut of capped.toReversed()) {
      if (over <= 0n) break;
      const less = least(over, cut.amount);
      if (less === 0n) continue;
      cut.amount -= less;
      cut.limits.push('cap');
      over -= less;
      this.#spared -= less;
      const { discountId } = cut.concession;
      this.#used.set(discountId, (this.#used.get(discountId) ?? less) - less);
    }
  }
}

/** The concessions on a due, from those of its months. */
function addUp({ months }: ConcededCharge, cuts: readonly Cut[][]): ConcededDue {
  const sums = new Map<Concession, { amount: bigint; limits: Set<ConcessionLimit> }>();
  for (const { concession, amount, limits } of cuts.flat()) {
    const sum = sums.get(concession) ?? { amount: 0n, limits: new Set() };
    sum.amount += amount;
    for (const limit of limits) sum.limits.add(limit);
    sums.set(concession, sum);
  }
  let left = months.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const charged = left;
  const steps = [...sums]
    .toSorted(([one], [other]) => one.priority - other.priority || one.id - other.id)
    .map(([{ id }, { amount, limits }]) => {
      left -= amount;
      return { concessionId: id, amount: Number(amount), left: Number(left), limits: [...limits] };
    });
  return { concession: Number(charged - left), steps };
}
