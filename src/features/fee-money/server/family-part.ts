import { familyPart, showsDues } from '#features/family/api.ts';
import { text } from '#kit/contract/text.ts';
import { addDays } from '#kit/server/day.ts';
import { familyFees } from '../contract/family.ts';
import { familyDueDays, familyDues, payableOf } from './doors.ts';

/** The days ahead of which dues are shown. */
const ahead = 31;

/** What the children owe by today with late fines, and what becomes due soon. */
export const duesPart = familyPart({
  key: 'fee-money',
  output: familyFees,
  isPrivate: true,
  setting: showsDues,
  read: async (ctx, { day, children, once }) => {
    const ids = children.map(({ studentId }) => studentId);
    const last = addDays(day, ahead);
    const payable = await once('fee-money.payable', () => payableOf(ctx, ids));
    return familyDues(payable).map(({ studentId, dues }) => {
      const open = dues.filter(({ dueOn, isDue }) => isDue || dueOn <= last);
      const rows = [...Map.groupBy(open, ({ dueOn, what, isFine }) => `${dueOn} ${isFine} ${what}`).values()];
      return {
        studentId,
        today: open.reduce((sum, { owed, isDue }) => sum + (isDue ? owed : 0), 0),
        // Fines of several dues of one day are one line.
        rows: rows.flatMap(([first, ...more]) =>
          first
            ? {
                label: first.what,
                dueOn: first.dueOn,
                isFine: first.isFine,
                amount: more.reduce((sum, { owed }) => sum + owed, first.owed),
              }
            : [],
        ),
      };
    });
  },
  dates: async (ctx, { children }, span) => {
    const ids = children.map(({ studentId }) => studentId);
    // No amounts: a calendar program outside the school would store them.
    return (await familyDueDays(ctx, ids, span)).map(({ studentId, dueOn }) => ({
      key: `fee-${studentId}-${dueOn}`,
      of: [studentId],
      words: text`Fees due`,
      when: { from: dueOn, to: dueOn },
    }));
  },
});
