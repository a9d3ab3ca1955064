import type { Frequency } from './frequency.ts';
import { daysOf, type YearDays } from './months.ts';
import { everyMonth, split } from './split.ts';

/** An amount of one fee head that is due on a day. */
export interface Instalment {
  dueOn: string;
  /** Paise. */
  amount: number;
}

/** The instalments of an annual amount in a year, in the order of their due days; those without an amount are left out. */
export function instalmentsOf(
  year: YearDays,
  { unit, remainderSeq, rows }: Pick<Frequency, 'unit' | 'remainderSeq' | 'rows'>,
  { annual, months }: { annual: number; months: number | null },
): Instalment[] {
  const mask = months ?? everyMonth;
  if (!rows.some(({ fromMonth, months: length }) => ((mask >> fromMonth) & ((1 << length) - 1)) !== 0)) return [];
  const amounts = split(annual, { unit, remainderSeq, rows }, mask);
  return rows
    .map((row, place) => ({ dueOn: daysOf(year, row).dueOn, amount: amounts[place] ?? 0 }))
    .filter(({ amount }) => amount > 0)
    .toSorted((one, other) => one.dueOn.localeCompare(other.dueOn));
}

/** Several heads' instalments added up by their due day. */
export function byDueDay(instalments: readonly Instalment[]): Instalment[] {
  const totals = new Map<string, number>();
  for (const { dueOn, amount } of instalments) totals.set(dueOn, (totals.get(dueOn) ?? 0) + amount);
  return [...totals]
    .map(([dueOn, amount]) => ({ dueOn, amount }))
    .toSorted((one, other) => one.dueOn.localeCompare(other.dueOn));
}

type AppliesTo = 'All students' | 'New students' | 'Existing students';

/** What is due on each day, and where new students pay another amount, theirs. */
export function dueDaysOf(lines: readonly { appliesTo: AppliesTo; instalments: readonly Instalment[] }[]) {
  const daysOf = (not: AppliesTo) =>
    byDueDay(lines.flatMap(({ appliesTo, instalments }) => (appliesTo === not ? [] : instalments)));
  const amounts = (days: readonly Instalment[]) => new Map(days.map(({ dueOn, amount }) => [dueOn, amount]));
  const [ofNew, ofExisting] = [amounts(daysOf('Existing students')), amounts(daysOf('New students'))];
  return [...new Set([...ofNew.keys(), ...ofExisting.keys()])].toSorted().map((dueOn) => {
    const [forNew, amount] = [ofNew.get(dueOn) ?? 0, ofExisting.get(dueOn) ?? 0];
    return { dueOn, amount, forNew: forNew === amount ? null : forNew };
  });
}

/**
 * The yearly total in paise; two totals where new and existing students pay for different heads.
 */
export function totalsOf(lines: readonly { annual: number; appliesTo: AppliesTo }[]) {
  const totalFor = (not: AppliesTo) =>
    lines.reduce((sum, { annual, appliesTo }) => (appliesTo === not ? sum : sum + annual), 0);
  const [ofNew, ofExisting] = [totalFor('Existing students'), totalFor('New students')];
  if (ofNew === ofExisting) return [{ of: 'All students', total: ofNew }] as const;
  return [
    { of: 'New students', total: ofNew },
    { of: 'Existing students', total: ofExisting },
  ] as const;
}
