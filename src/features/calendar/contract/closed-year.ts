import { showDate } from '#kit/contract/day.ts';
import { type Text, text } from '#kit/contract/text.ts';

interface Values {
  year: string;
  day: string;
}

/** What is still possible where a closed year refuses a write; the database names these words too. */
const ways = {
  correction: ({ year, day }: Values) =>
    text`${{ year }} was closed on ${{ day }}. Ask for a correction: the principal decides.`,
  result: ({ year, day }: Values) =>
    text`${{ year }} was closed on ${{ day }}. Correct the result in the student’s record: the principal decides.`,
  money: ({ year, day }: Values) =>
    text`${{ year }} was closed on ${{ day }}. Payments and refunds can still be entered. An Admin can reopen it.`,
  reopen: ({ year, day }: Values) => text`${{ year }} was closed on ${{ day }}. An Admin can reopen it.`,
  none: ({ year, day }: Values) => text`${{ year }} was closed on ${{ day }}.`,
};
export type ClosedWay = keyof typeof ways;

/** The words of a refused write: the year, the day on which it was closed, and the way that remains. */
export const closedYear = (year: string, closedOn: string, way: ClosedWay): Text =>
  ways[way]({ year, day: showDate(closedOn) });

/** The same from the detail of the database's refusal, whatever act met it. */
export function closedYearOf(detail: string): Text {
  const { year, closedOn, way } = JSON.parse(detail) as { year: string; closedOn: string; way: ClosedWay };
  return closedYear(year, closedOn, way);
}

/** For the `constraintMessages` of records that belong to a year: the database refuses changes in a closed one. */
export const closedYearAt = (field: string) => ({ academic_year_is_closed: { field, message: closedYearOf } });
