import {
  type Calendar,
  type CalendarDay,
  type DayKind,
  type WeeklyOff,
  weekdays,
  type weeklyOffKind,
} from './calendar.ts';

/** A day of the school or of one grade. */
export interface SchoolDay {
  day: string;
  kind: DayKind | typeof weeklyOffKind;
  /** Its name, such as "Diwali"; '' for an ordinary day. */
  name: string;
  /** Its share of a working day. */
  work: 0 | 0.5 | 1;
}

const workOf: Record<SchoolDay['kind'], SchoolDay['work']> = {
  'Working day': 1,
  'Exam day': 1,
  'Half day': 0.5,
  Holiday: 0,
  Vacation: 0,
  'Weekly off': 0,
};

/**
 * The days of a month (`2026-10`) for the whole school or one grade: an entry of the grade, else of the school, else a
 * weekly off or working day. Omits days outside the academic year. The only source of working days.
 */
export function daysOfMonth(
  month: string,
  { startsOn, endsOn, weeklyOff, days }: Pick<Calendar, 'startsOn' | 'endsOn' | 'weeklyOff' | 'days'>,
  gradeId: number | null = null,
): SchoolDay[] {
  const ofMonth = days.filter(({ day }) => day.startsWith(month));
  return daysBetween(`${month}-01`, lastOf(month))
    .filter((day) => day >= startsOn && day <= endsOn)
    .map((day) => {
      const set = ofMonth.filter((entry) => entry.day === day);
      const found = set.find((entry) => entry.gradeId === gradeId) ?? set.find((entry) => entry.gradeId === null);
      const kind = found?.kind ?? (isWeeklyOff(day, weeklyOff) ? 'Weekly off' : 'Working day');
      return { day, kind, name: found?.name ?? '', work: workOf[kind] };
    });
}

/** The number of working days; two half days are one. */
export const workingDays = (days: readonly SchoolDay[]): number => days.reduce((sum, { work }) => sum + work, 0);

export function isWeeklyOff(day: string, weeklyOff: WeeklyOff): boolean {
  const weekday = weekdays[weekdayOf(day)];
  const week = Math.ceil(Number(day.slice(8)) / 7);
  return weekday !== undefined && weeklyOff[weekday].includes(week);
}

/** The index of a day in its week; Monday is 0. */
export const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/** The months of an academic year, as `2026-10`. */
export const monthsOf = ({ startsOn, endsOn }: Pick<Calendar, 'startsOn' | 'endsOn'>): string[] => [
  ...new Set(daysBetween(startsOn, endsOn).map((day) => day.slice(0, 7))),
];

const aDay = 24 * 60 * 60 * 1000;

/** All days from the first to the last, inclusive. */
export function daysBetween(from: string, to: string): string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const count = Math.round((last - first) / aDay) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, n) => new Date(first + n * aDay).toISOString().slice(0, 10));
}

export const lastOf = (month: string) => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
};

/** Consecutive days with the same entry. */
export interface Span extends Omit<CalendarDay, 'day'> {
  from: string;
  to: string;
}

/** Merges consecutive days with the same entry; weekly offs between them do not separate them. */
export function spansOf(days: readonly CalendarDay[], weeklyOff: WeeklyOff): Span[] {
  const spans: Span[] = [];
  const ordered = days.toSorted((left, right) =>
    left.gradeId === right.gradeId ? left.day.localeCompare(right.day) : (left.gradeId ?? 0) - (right.gradeId ?? 0),
  );
  for (const { day, ...what } of ordered) {
    const last = spans.at(-1);
    const isSame = last?.kind === what.kind && last.name === what.name && last.gradeId === what.gradeId;
    const between = last ? daysBetween(last.to, day).slice(1, -1) : [];
    if (last && isSame && between.every((date) => isWeeklyOff(date, weeklyOff))) last.to = day;
    else spans.push({ from: day, to: day, ...what });
  }
  return spans.toSorted((span, other) => span.from.localeCompare(other.from));
}
