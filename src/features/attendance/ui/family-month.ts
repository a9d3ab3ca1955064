/** What a day was, of several marks the one that a family asks about first. */
const order = ['Absent', 'Leave', 'Half day', 'Late', 'Present', 'Open'] as const;
export type DayMark = (typeof order)[number] | 'Off';

/** The mark of a day from those of its halves. */
export function markOf(halves: readonly { kind: string }[]): DayMark {
  const kinds = halves.map(({ kind }) => (kind === '' ? 'Open' : kind === 'On duty' ? 'Present' : kind));
  const isHalf =
    kinds.length === 2 && kinds.includes('Present') && (kinds.includes('Absent') || kinds.includes('Leave'));
  return isHalf ? 'Half day' : (order.find((kind) => kinds.includes(kind)) ?? 'Open');
}

/** The half of a day whose register was taken last; undefined before the first. */
export const lastTaken = <Half extends { half: number; kind: string }>(halves: readonly Half[]): Half | undefined =>
  halves
    .filter(({ kind }) => kind !== '')
    .toSorted((one, other) => one.half - other.half)
    .at(-1);

const atNoon = (day: string) => new Date(`${day}T12:00:00`);

/** The days of a month in weeks from Monday; '' outside it. */
export function monthRows(today: string): string[][] {
  const [year = 0, month = 1] = today.split('-').map(Number);
  const count = new Date(year, month, 0).getDate();
  const days = Array.from({ length: count }, (_, place) => `${today.slice(0, 8)}${String(place + 1).padStart(2, '0')}`);
  const before = weekdayOf(days[0] ?? today);
  const cells = [...Array<string>(before).fill(''), ...days];
  while (cells.length % 7 > 0) cells.push('');
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}

/** The place of a day in its week, from Monday. */
export const weekdayOf = (day: string): number => (atNoon(day).getDay() + 6) % 7;
