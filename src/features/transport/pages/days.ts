/** The day some days after a day, YYYY-MM-DD. */
export function addedDays(day: string, by: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + by);
  return date.toISOString().slice(0, 10);
}

/** Whether a day is typed in full: its seats and prices are not asked for before. */
export const isWholeDay = (day: string) => /^\d{4}-\d\d-\d\d$/.test(day);
