// Months and due days of an academic year, counted from its first month, which is 0.
import { lastOf } from '#features/calendar/contract/working-days.ts';

/** The first and last day of an academic year. */
export interface YearDays {
  startsOn: string;
  endsOn: string;
  /** Days on which nothing falls due, where the school moves due days off holidays. */
  daysOff?: ReadonlySet<string>;
}

/** A day, or the first one after it that is not off. */
export function dayOn({ daysOff }: Pick<YearDays, 'daysOff'>, day: string): string {
  let on = day;
  while (daysOff?.has(on)) on = new Date(Date.parse(`${on}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return on;
}

/** The calendar month that lies `offset` months after a year's first, as 2026-04. A year that starts on a later day has a short first month. */
export function monthOf({ startsOn }: Pick<YearDays, 'startsOn'>, offset: number): string {
  const [year = 0, month = 1] = startsOn.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + offset, 1)).toISOString().slice(0, 7);
}

export interface Period {
  fromMonth: number;
  months: number;
  dueMonth: number;
  dueDay: number;
}

/** The days of a period in a year, and its due day: of the calendar, whatever day a plan is made. */
export function daysOf(year: YearDays, { fromMonth, months, dueMonth, dueDay }: Period) {
  const [first, last] = [`${monthOf(year, fromMonth)}-01`, lastOf(monthOf(year, fromMonth + months - 1))];
  return {
    from: [first, year.startsOn].toSorted().at(-1) ?? first,
    to: [last, year.endsOn].toSorted()[0] ?? last,
    dueOn: dayOn(year, `${monthOf(year, dueMonth)}-${String(dueDay).padStart(2, '0')}`),
  };
}
