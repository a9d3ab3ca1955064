import { sql } from 'kysely';
import { schoolDaysChanged } from '#features/calendar/contract/hooks.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';
import { monthName } from '../contract/month.ts';
import { peopleWithLeave } from './away.ts';
import { weigh } from './cost.ts';

/** The closed months in which leaves are: balances change, what a closing kept does not. */
async function closedMonths({ db }: Pick<Context, 'db'>, leaveIds: readonly number[]): Promise<Text[]> {
  const { rows } = await sql<{ month: string }>`select month::text from workday_month
    where reopened_at is null and exists (select from workday_leave leave where leave.id = any(${[...leaveIds]}::integer[])
      and month between date_trunc('month', leave.from_day)::date and leave.to_day)
    order by month`.execute(db);
  return rows.map(
    ({ month }) =>
      text`${{ month: monthName(month) }} is closed: its sheet is kept as it was, although the days counted for leave in it change.`,
  );
}

/** Leave of staff costs what the calendar makes of its days; the balance follows. */
export const answerCalendar = answer(
  schoolDaysChanged,
  {
    by: 'workday',
    step: 6,
    lock: async (ctx, { from, to }) => {
      const people = await peopleWithLeave(ctx, from, to);
      await sql`select from staff where id = any(${people}::integer[]) order by id for no key update`.execute(ctx.db);
    },
  },
  async (ctx, { from, to }) => {
    const people = await peopleWithLeave(ctx, from, to);
    const weighed = people.length === 0 ? [] : await weigh(ctx, { people, fromDay: from, toDay: to });
    return {
      warns: await closedMonths(
        ctx,
        weighed.map(({ leaveId }) => leaveId),
      ),
      moves:
        weighed.length === 0
          ? []
          : [
              text(
                {
                  message:
                    '{n, plural, one {The days counted for # leave of staff change} other {The days counted for # leaves of staff change}}; the balances follow.',
                },
                { n: weighed.length },
              ),
            ],
      basis: weighed,
    };
  },
);
