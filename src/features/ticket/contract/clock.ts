// The clock of tickets: whole minutes of the school's days. Pages, jobs and exports take every due time from here.

/** From a minute up to another one, which no longer belongs to it. */
export interface Span {
  from: number;
  to: number;
}

/** The hours of a weekday, in minutes after midnight. */
export interface DayHours {
  opens: number;
  closes: number;
  /** When a half day closes. */
  halfDayCloses: number;
  breaks: readonly Span[];
}

/** The hours from a day on, Monday first; null for a weekday without hours. */
export interface Hours {
  fromDay: string;
  days: readonly (DayHours | null)[];
}

export interface ClockFacts {
  /** In the order of their first days. */
  hours: readonly Hours[];
  /** The kind of each day of an academic year, as the calendar has it. */
  kinds: ReadonlyMap<string, string>;
  worksInVacation: boolean;
}

/** The business hours of a day as minutes since 1970; none on a day without work. */
export type OpenOn = (day: number) => readonly Span[];

export const minutesOfDay = 1440;
/** The school's zone is ahead of UTC by so many minutes, without summer time. */
const zone = 330;
/** A due time is looked for so many days ahead. */
const farthest = 400;

/** The minute of a moment; its seconds do not count. */
export const minuteOf = (moment: Date | string): number => Math.floor(new Date(moment).getTime() / 60_000) + zone;

/** The minute of a time at the school: "2026-07-03T14:00". */
export const minuteAt = (local: string): number => Date.parse(`${local}Z`) / 60_000;

export const momentOf = (minute: number): Date => new Date((minute - zone) * 60_000);

export const dayOf = (minute: number): number => Math.floor(minute / minutesOfDay);

export const nameOf = (day: number): string => new Date(day * minutesOfDay * 60_000).toISOString().slice(0, 10);

/** Monday is 0; the first day of 1970 was a Thursday. */
const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

/** The business hours of each day by hours and calendar. */
export function openHours({ hours, kinds, worksInVacation }: ClockFacts): OpenOn {
  const known = new Map<number, readonly Span[]>();
  const read = (day: number): readonly Span[] => {
    const name = nameOf(day);
    const set = hours.findLast(({ fromDay }) => fromDay <= name);
    const kind = kinds.get(name);
    if (!set || (kind !== undefined && !isWorked(kind, worksInVacation))) return [];
    // A working Sunday has the hours of Monday. Outside every academic year the weekday alone decides.
    const found = set.days[weekdayOf(day)] ?? (kind === undefined ? null : set.days[0]);
    if (!found) return [];
    const closes = kind === 'Half day' ? found.halfDayCloses : found.closes;
    const start = day * minutesOfDay;
    return without([{ from: found.opens, to: closes }], found.breaks).map(({ from, to }) => ({
      from: start + from,
      to: start + to,
    }));
  };
  return (day) => {
    const spans = known.get(day) ?? read(day);
    known.set(day, spans);
    return spans;
  };
}

const isWorked = (kind: string, worksInVacation: boolean) =>
  kind === 'Working day' || kind === 'Exam day' || kind === 'Half day' || (kind === 'Vacation' && worksInVacation);

/** What is left of the spans without the others. */
function without(spans: readonly Span[], others: readonly Span[]): Span[] {
  return others.reduce<Span[]>(
    (left, other) =>
      left
        .flatMap(({ from, to }) => [
          { from, to: Math.min(to, other.from) },
          { from: Math.max(from, other.to), to },
        ])
        .filter(({ from, to }) => from < to),
    spans.filter(({ from, to }) => from < to),
  );
}

/** The first minute by which so many minutes of business hours outside the pauses have passed; null without hours in sight. */
export function dueAt(open: OpenOn, start: number, minutes: number, pauses: readonly Span[] = []): number | null {
  let left = minutes;
  for (let day = dayOf(start); day <= dayOf(start) + farthest; day++) {
    for (const { from, to } of countedOn(open, day, start, pauses)) {
      if (left <= to - from) return from + left;
      left -= to - from;
    }
  }
  return null;
}

/** The minutes of business hours outside the pauses between two minutes. */
export function worked(open: OpenOn, from: number, to: number, pauses: readonly Span[] = []): number {
  let sum = 0;
  for (let day = dayOf(from); day <= dayOf(to); day++)
    for (const span of countedOn(open, day, from, pauses)) sum += Math.max(0, Math.min(span.to, to) - span.from);
  return sum;
}

const countedOn = (open: OpenOn, day: number, start: number, pauses: readonly Span[]): Span[] =>
  without(
    open(day).map(({ from, to }) => ({ from: Math.max(from, start), to })),
    pauses,
  );

/** The same time on a later working day, or its closing time if that is earlier; null without such a day in sight. */
export function sameTimeOn(open: OpenOn, start: number, workingDays: number): number | null {
  let left = workingDays;
  for (let day = dayOf(start) + 1; day <= dayOf(start) + farthest; day++) {
    const closes = open(day).at(-1)?.to;
    if (closes === undefined) continue;
    left -= 1;
    if (left === 0) return Math.min(day * minutesOfDay + (start % minutesOfDay), closes);
  }
  return null;
}

/** The part of the minutes at which the first escalation comes, rounded up. */
export const shareOf = (minutes: number, percent: number): number => Math.ceil((minutes * percent) / 100);
