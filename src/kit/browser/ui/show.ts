import { currentLanguage } from '#kit/browser/text.ts';
import { toLocalDate, toLocalTime } from '#kit/contract/day.ts';
import { showDay } from '#kit/contract/format.ts';

/** A calendar date in the reader's language, as "21 Nov 2026". */
export const showReaderDay = (date: string): string => showDay(date, currentLanguage());

/** A moment as "21 Nov 2026, 10:42" at the school, whatever the device's clock is set to. */
export function showMoment(moment: string): string {
  return `${showReaderDay(toLocalDate(new Date(moment)))}, ${showTime(moment)}`;
}

/** A moment as "10:42" at the school. */
export const showTime = (moment: string): string => toLocalTime(new Date(moment));

/** A size in bytes for people: "640 kB", "1.8 MB". */
export const showSize = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Today at the school as YYYY-MM-DD, or this many days earlier. */
export const today = (daysEarlier = 0): string => toLocalDate(new Date(Date.now() - daysEarlier * 86_400_000));
