import { localTimeZone, toLocalDate } from '#kit/contract/day.ts';

export { localTimeZone, toLocalDate };

/** The day before or after a day, YYYY-MM-DD. */
export function addDays(day: string, by: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + by);
  return date.toISOString().slice(0, 10);
}

/** Days from one day to another, YYYY-MM-DD; negative for an earlier one. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);

/** The hour of the school's day at a moment, 0 to 23. */
export const localHour = (moment: Date): number =>
  Number(
    new Intl.DateTimeFormat('en-GB', { timeZone: localTimeZone, hour: '2-digit', hourCycle: 'h23' }).format(moment),
  );

/** The moment of a full hour of a day of the school. */
export const atLocalHour = (day: string, hour: number): Date =>
  new Date(`${day}T${String(hour).padStart(2, '0')}:00:00+05:30`);

/** The moment of a minute since midnight of a day of the school. */
export const atMinute = (day: string, minute: number): Date =>
  new Date(Date.parse(`${day}T00:00:00+05:30`) + minute * 60_000);

/** The last second of a day of the school. */
export const endOfDay = (day: string): Date => new Date(`${day}T23:59:59+05:30`);
