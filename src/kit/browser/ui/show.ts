import { showDate } from '#kit/contract/day.ts';

/** A moment as "21 Nov 2026, 10:42" by this device's clock. */
export function showMoment(moment: string): string {
  const at = new Date(moment);
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].join('-');
  return `${showDate(day)}, ${showTime(moment)}`;
}

/** A moment as "10:42" by this device's clock. */
export function showTime(moment: string): string {
  const at = new Date(moment);
  return [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** A size in bytes for people: "640 kB", "1.8 MB". */
export const showSize = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Today by this device's clock as YYYY-MM-DD, or this many days earlier. */
export function today(daysEarlier = 0): string {
  const day = new Date();
  day.setDate(day.getDate() - daysEarlier);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}
