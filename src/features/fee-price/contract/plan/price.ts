// What a student owes for a year, from the facts of a plan: the same for previews, allocation and every later change. The
// amount of a due depends on facts of its own and earlier months only, so a later change never alters an earlier due.
import { daysOf, type YearDays } from '../months.ts';
import { everyMonth, type Shares, split } from '../split.ts';
import { running } from './rounding.ts';

export interface PriceFrequency extends Shares {
  id: number;
  rows: readonly (Shares['rows'][number] & { label: string; dueMonth: number; dueDay: number })[];
}

/** A head's price in one structure. */
export interface PriceLine {
  /** Paise. */
  annual: number;
  /** Bit 0 is the year's first month; null for every month. */
  months: number | null;
  frequency: PriceFrequency;
}

export type ProRata = 'None' | 'Month' | 'Day';

export interface HeadFacts {
  feeHeadId: number;
  proRata: ProRata;
  isDiscountable: boolean;
  /** The price from a month on, in the order of months; null where the head is no longer charged. */
  stages: readonly { fromMonth: number; line: PriceLine | null }[];
  /** The months for which an optional head was chosen; null for a head that is not optional. */
  options: readonly { fromMonth: number; toMonth: number }[] | null;
  /** Amounts by month instead of prices, as of transport. */
  monthly?: { frequency: PriceFrequency; amounts: ReadonlyMap<number, number> };
}

export interface PlanFacts {
  year: YearDays;
  joinedOn: string;
  /** The last day at the school. */
  leftOn: string | null;
  /** A student who joins after this day of a month pays from the next month on. */
  cutoffDay: number;
  heads: readonly HeadFacts[];
}

/** A head for a period, before concessions. */
export interface ChargedDue {
  feeHeadId: number;
  frequencyId: number;
  seq: number;
  label: string;
  from: string;
  to: string;
  dueOn: string;
  isDiscountable: boolean;
  /** The price of the whole period, and what of it is not charged, in paise. */
  gross: number;
  proRata: number;
  /** The charged amount by month, and the head’s price of a whole year; amounts total `gross - proRata`. */
  months: { month: number; amount: number; annual: number }[];
}

/** The month of a day, counted from the year's first month, which is 0. */
export function monthIndex({ startsOn }: Pick<YearDays, 'startsOn'>, day: string): number {
  const [startYear = 0, startMonth = 0] = startsOn.split('-').map(Number);
  const [year = 0, month = 0] = day.split('-').map(Number);
  return (year - startYear) * 12 + month - startMonth;
}

/** The first month that counts as new after a change: the next one, where the day lies after the cut-off. */
export function monthOfChange(year: YearDays, day: string, cutoffDay: number): number {
  if (day <= year.startsOn) return 0;
  return monthIndex(year, day) + (Number(day.slice(8)) > cutoffDay ? 1 : 0);
}

/** A month of a period: its part of the period in months or days, from `start` to `end`. */
interface MonthOfPeriod {
  month: number;
  start: bigint;
  end: bigint;
}

const dayNumber = (day: string) => BigInt(Date.parse(`${day}T00:00:00Z`)) / 86_400_000n;
/** The days of a month that belong to the year. */
const daysOfMonth = (year: YearDays, month: number) =>
  daysOf(year, { fromMonth: month, months: 1, dueMonth: month, dueDay: 1 });

function placesOf(
  year: YearDays,
  row: { fromMonth: number; months: number },
  mask: number,
  proRata: ProRata,
): MonthOfPeriod[] {
  const places: MonthOfPeriod[] = [];
  let start = 0n;
  for (let month = row.fromMonth; month < row.fromMonth + row.months; month++) {
    if (((mask >> month) & 1) === 0) continue;
    const { from, to } = daysOfMonth(year, month);
    const days = dayNumber(to) - dayNumber(from) + 1n;
    const end = start + (proRata === 'Day' ? (days > 0n ? days : 0n) : 1n);
    places.push({ month, start, end });
    start = end;
  }
  return places;
}

/** The months in which a student is here, and the days of the first and the last one. */
interface Stay {
  first: number;
  /** Where heads are charged in full: a month counts however late in it the student joined. */
  firstWhole: number;
  last: number;
  joinedOn: string;
  leftOn: string | null;
}

function stayOf({ year, joinedOn, leftOn, cutoffDay }: PlanFacts): Stay {
  return {
    first: monthOfChange(year, joinedOn, cutoffDay),
    firstWhole: joinedOn <= year.startsOn ? 0 : monthIndex(year, joinedOn),
    last: leftOn === null ? 11 : monthIndex(year, leftOn),
    joinedOn,
    leftOn,
  };
}

const lineAt = ({ stages }: HeadFacts, month: number): PriceLine | null =>
  stages.findLast(({ fromMonth }) => fromMonth <= month)?.line ?? null;

const isChosen = ({ options }: HeadFacts, month: number) =>
  options === null || options.some(({ fromMonth, toMonth }) => fromMonth <= month && month <= toMonth);

/** A line's instalments by `seq`, and the places of their months. */
function partsOf(year: YearDays, line: PriceLine, proRata: ProRata) {
  const mask = line.months ?? everyMonth;
  const { rows } = line.frequency;
  const places = rows.map((row) => placesOf(year, row, mask, proRata));
  if (places.every((some) => some.length === 0)) return undefined;
  const amounts = split(line.annual, line.frequency, mask);
  return new Map(rows.map(({ seq }, at) => [seq, { amount: BigInt(amounts[at] ?? 0), places: places[at] ?? [] }]));
}

/** What a month of a period costs in full, and while the student is here. */
function costOf(facts: PlanFacts, { proRata }: HeadFacts, stay: Stay, amount: bigint, place: MonthOfPeriod, n: bigint) {
  const { month, start, end } = place;
  const whole = running(amount, end, n) - running(amount, start, n);
  if (proRata !== 'Day') return { whole, charged: month >= stay.first && month <= stay.last ? whole : 0n };
  const days = daysOfMonth(facts.year, month);
  const { joinedOn, leftOn } = stay;
  if (joinedOn > days.to || (leftOn !== null && leftOn < days.from)) return { whole, charged: 0n };
  const first = joinedOn > days.from ? start + dayNumber(joinedOn) - dayNumber(days.from) : start;
  const last = leftOn !== null && leftOn < days.to ? start + dayNumber(leftOn) - dayNumber(days.from) + 1n : end;
  return { whole, charged: running(amount, last, n) - running(amount, first, n) };
}

function duesOfHead(facts: PlanFacts, head: HeadFacts): ChargedDue[] {
  const { year } = facts;
  const stay = stayOf(facts);
  const lines = [...new Set(head.stages.map(({ line }) => line).filter((line) => line !== null))];
  const parts = new Map(lines.map((line) => [line, partsOf(year, line, head.proRata)]));
  const frequencies = new Map(lines.map(({ frequency }) => [frequency.id, frequency]));
  const dues: ChargedDue[] = [];
  for (const frequency of frequencies.values()) {
    for (const row of frequency.rows) {
      /** Each month of the period with the price in force. */
      const priced = Array.from({ length: row.months }, (_, at) => row.fromMonth + at).flatMap((month) => {
        const line = lineAt(head, month);
        if (line?.frequency.id !== frequency.id || !isChosen(head, month)) return [];
        const part = parts.get(line)?.get(row.seq);
        const place = part?.places.find((one) => one.month === month);
        return part && place
          ? [{ place, amount: part.amount, n: part.places.at(-1)?.end ?? 1n, annual: line.annual }]
          : [];
      });
      const sums = head.proRata === 'None' ? wholeOf(priced, stay) : sumOf(facts, head, stay, priced);
      if (sums.gross === 0n) continue;
      dues.push(dueOf(year, head, frequency, row, sums));
    }
  }
  return dues;
}

interface Priced {
  place: MonthOfPeriod;
  amount: bigint;
  n: bigint;
  annual: number;
}
interface Sums {
  gross: bigint;
  months: { month: number; amount: bigint; annual: number }[];
}

function sumOf(facts: PlanFacts, head: HeadFacts, stay: Stay, priced: readonly Priced[]): Sums {
  const costs = priced.map(({ place, amount, n, annual }) => ({
    month: place.month,
    annual,
    ...costOf(facts, head, stay, amount, place, n),
  }));
  return {
    gross: costs.reduce((sum, { whole }) => sum + whole, 0n),
    months: costs
      .map(({ month, charged, annual }) => ({ month, amount: charged, annual }))
      .filter(({ amount }) => amount > 0n),
  };
}

/** A head without pro-rata is charged in full in the first month of a period in which the student is here. */
function wholeOf(priced: readonly Priced[], { firstWhole, last }: Stay): Sums {
  const here = priced.find(({ place }) => place.month >= firstWhole && place.month <= last);
  const { amount: gross = 0n } = here ?? priced[0] ?? {};
  return { gross, months: here && gross > 0n ? [{ month: here.place.month, amount: gross, annual: here.annual }] : [] };
}

type Row = PriceFrequency['rows'][number];

function dueOf(
  year: YearDays,
  head: HeadFacts,
  frequency: PriceFrequency,
  row: Row,
  { gross, months }: Sums,
): ChargedDue {
  const charged = months.reduce((sum, { amount }) => sum + amount, 0n);
  return {
    feeHeadId: head.feeHeadId,
    frequencyId: frequency.id,
    seq: row.seq,
    label: row.label,
    ...daysOf(year, row),
    isDiscountable: head.isDiscountable,
    gross: Number(gross),
    proRata: Number(gross - charged),
    months: months.map(({ amount, ...month }) => ({ ...month, amount: Number(amount) })),
  };
}

/** Amounts by month, added up over the periods of the head's frequency. */
function duesByMonth({ year, ...facts }: PlanFacts, head: HeadFacts): ChargedDue[] {
  const { first, last } = { first: monthIndex(year, facts.joinedOn), last: stayOf({ year, ...facts }).last };
  const { frequency, amounts } = head.monthly ?? { frequency: undefined, amounts: new Map<number, number>() };
  const annual = Number([...amounts.values()].reduce((sum, amount) => sum + BigInt(amount), 0n));
  return (frequency?.rows ?? []).flatMap((row) => {
    const all = [...amounts]
      .map(([month, amount]) => ({ month, amount: BigInt(amount), annual }))
      .filter(({ month, amount }) => month >= row.fromMonth && month < row.fromMonth + row.months && amount > 0n)
      .toSorted((one, other) => one.month - other.month);
    const gross = all.reduce((sum, { amount }) => sum + amount, 0n);
    const months = all.filter(({ month }) => month >= first && month <= last);
    return frequency && gross > 0n ? [dueOf(year, head, frequency, row, { gross, months })] : [];
  });
}

/** The dues of a head before concessions. */
export const chargeHead = (facts: PlanFacts, head: HeadFacts): ChargedDue[] =>
  head.monthly ? duesByMonth(facts, head) : duesOfHead(facts, head);

/** The dues of a plan before concessions, in the order of their due days. A due without months is not charged. */
export const charge = (facts: PlanFacts): ChargedDue[] =>
  facts.heads
    .flatMap((head) => chargeHead(facts, head))
    .toSorted(
      (one, other) =>
        one.dueOn.localeCompare(other.dueOn) || one.feeHeadId - other.feeHeadId || one.from.localeCompare(other.from),
    );
