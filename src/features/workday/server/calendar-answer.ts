import { sql } from 'kysely';
import { schoolDaysChanged } from '#features/calendar/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import { answer } from '#kit/server/hook.ts';
import { peopleWithLeave } from './away.ts';
import { weigh } from './cost.ts';

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
      warns: [],
      moves:
        weighed.length === 0
          ? []
          : [
              text(
                {
                  message:
                    '{n, plural, one {A leave of staff costs another number of days} other {# leaves of staff cost another number of days}}; the balances follow.',
                },
                { n: weighed.length },
              ),
            ],
      basis: weighed,
    };
  },
);
