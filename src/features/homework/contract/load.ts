/** The school's stages, which are the divisions of the School Bag Policy. */
export type Stage = 'Foundational' | 'Preparatory' | 'Middle' | 'Secondary';

/** The most minutes of homework that a child may have due, on a day or in a week from Monday to Sunday. */
export interface Limit {
  minutes: number;
  per: 'day' | 'week';
}

/** Homework with the children who have it, each with their own due day. */
export interface LoadItem {
  kind: string;
  minutes: number;
  assignedOn: string;
  children: readonly { studentId: number; dueOn: string }[];
}

/**
 * The minutes of one child's homework by day. A project is spread over the school days after it was given, each share
 * rounded up; anything else counts on its due day, as a project does that has no such day.
 */
export function spread(
  { kind, minutes, assignedOn }: Pick<LoadItem, 'kind' | 'minutes' | 'assignedOn'>,
  dueOn: string,
  schoolDays: readonly string[],
): Map<string, number> {
  const days = kind === 'Project' ? schoolDays.filter((day) => day > assignedOn && day <= dueOn) : [];
  if (days.length === 0) return new Map([[dueOn, minutes]]);
  const share = Math.ceil(minutes / days.length);
  return new Map(days.map((day) => [day, share]));
}

/** The minutes of each child by day. */
export type Load = Map<number, Map<string, number>>;

export function loadOf(items: readonly LoadItem[], schoolDays: readonly string[]): Load {
  const load: Load = new Map();
  for (const item of items) {
    const shares = new Map<string, Map<string, number>>();
    for (const { studentId, dueOn } of item.children) {
      const share = shares.get(dueOn) ?? spread(item, dueOn, schoolDays);
      shares.set(dueOn, share);
      const own = load.get(studentId) ?? new Map<string, number>();
      for (const [day, minutes] of share) own.set(day, (own.get(day) ?? 0) + minutes);
      load.set(studentId, own);
    }
  }
  return load;
}

/** The Monday of a day's week. */
export function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

/** The day, or the Monday of the week, to which a day's minutes count. */
export const periodOf = (day: string, { per }: Limit) => (per === 'week' ? mondayOf(day) : day);

/** A day or week on which some of these children have more than the limit; equal to it is not over. */
export interface Over {
  /** The day, or the week's Monday. */
  period: string;
  /** Of the child with most. */
  minutes: number;
  children: number;
}

/** Where these children are over the limit in the periods of `days`, in the order of the days. */
export function overLimit(load: Load, children: readonly number[], days: readonly string[], limit: Limit): Over[] {
  const periods = [...new Set(days.map((day) => periodOf(day, limit)))].toSorted();
  return periods.flatMap((period) => {
    const sums = children.map((child) => minutesIn(load.get(child), period, limit));
    const over = sums.filter((minutes) => minutes > limit.minutes);
    return over.length > 0 ? [{ period, minutes: Math.max(...over), children: over.length }] : [];
  });
}

/** The minutes of one child in a day or week. */
export function minutesIn(own: ReadonlyMap<string, number> | undefined, period: string, limit: Limit): number {
  let sum = 0;
  for (const [day, minutes] of own ?? []) if (periodOf(day, limit) === period) sum += minutes;
  return sum;
}
