import { sql } from 'kysely';
import { schoolDaysChanged } from '#features/calendar/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import { answer } from '#kit/server/hook.ts';
import { retimeAll } from './times.ts';

/** More tickets than these are timed again by the work of every hour. */
const most = 500;

const countOpen = async ({ db }: Parameters<typeof retimeAll>[0]) => {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from ticket
    where status in ('Open', 'In progress', 'On hold')`.execute(db);
  return rows[0]?.n ?? 0;
};

/** Due times of open tickets follow the days of the whole school. */
export const answerCalendar = answer(
  schoolDaysChanged,
  {
    by: 'ticket',
    step: 11,
    lock: async ({ db }, { days }) => {
      if (days.every(({ gradeId }) => gradeId !== null) || (await countOpen({ db })) > most) return;
      await sql`select from ticket where status in ('Open', 'In progress', 'On hold') order by id for update`.execute(
        db,
      );
    },
  },
  async (ctx, { days }) => {
    if (days.every(({ gradeId }) => gradeId !== null)) return { warns: [], moves: [], basis: [] };
    const open = await countOpen(ctx);
    if (open > most)
      return {
        warns: [],
        moves: [text({ message: 'The due times of {n} open tickets follow within an hour.' }, { n: open })],
        basis: [],
      };
    const n = await retimeAll(ctx);
    return {
      warns: [],
      moves:
        n === 0
          ? []
          : [
              text(
                { message: '{n, plural, one {# ticket gets another due time} other {# tickets get other due times}}.' },
                { n },
              ),
            ],
      basis: n,
    };
  },
);
