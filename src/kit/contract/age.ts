/**
 * The completed years and months of a child born on `birthDate` (YYYY-MM-DD) on a given day, birthday included.
 * Undefined for an incomplete date or a later birth.
 */
export function ageOn(birthDate: string, on: string): { years: number; months: number } | undefined {
  const [born, day] = [birthDate, on].map((date) =>
    /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(date)?.slice(1).map(Number),
  );
  if (!born || !day) return undefined;
  const [bornYear = 0, bornMonth = 0, bornDay = 0] = born;
  const [year = 0, month = 0, dayOfMonth = 0] = day;
  const months = (year - bornYear) * 12 + (month - bornMonth) - (dayOfMonth < bornDay ? 1 : 0);
  return months < 0 ? undefined : { years: Math.floor(months / 12), months: months % 12 };
}
