const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A calendar date, YYYY-MM-DD, as "21 Nov 2026". No time zone is involved. */
export function showDate(date: string): string {
  const [year, month, day] = date.slice(0, 10).split('-').map(Number);
  return `${day} ${months[(month ?? 1) - 1]} ${year}`;
}

/** A moment as "21 Nov 2026, 10:42" by this device's clock. */
export function showMoment(moment: string): string {
  const at = new Date(moment);
  return `${at.getDate()} ${months[at.getMonth()]} ${at.getFullYear()}, ${showTime(moment)}`;
}

/** A moment as "10:42" by this device's clock. */
export function showTime(moment: string): string {
  const at = new Date(moment);
  return [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** A size in bytes as people say it: "640 kB", "1.8 MB". */
export const showSize = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
