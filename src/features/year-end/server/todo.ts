import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';

const path = 'academic/year-end';
/** Days after the last day of a year from which closing it is late. */
const lateAfter = 30;

/** The years that have ended and are open, the oldest first. */
export const closeYearTodo: TodoSource = {
  kind: 'year-end',
  title: text`Years to close`,
  icon: 'day',
  roles: ['Admin'],
  find: async ({ db, now }, most) => {
    const today = toLocalDate(now());
    const { rows } = await sql<{ id: number; name: string; endsOn: string; isLate: boolean; total: number }>`
      select id, name, ends_on::text as "endsOn", ends_on + ${lateAfter}::integer < ${today}::date as "isLate",
        (count(*) over ())::integer as total
      from academic_year where is_active and status = 'Open' and ends_on < ${today}::date
      order by starts_on limit ${most}`.execute(db);
    return {
      total: rows[0]?.total ?? 0,
      to: path,
      rows: rows.map(({ id, name, endsOn, isLate }) => ({
        id,
        when: isLate ? ('late' as const) : ('soon' as const),
        title: name,
        about: '',
        detail: text`Ended on ${{ day: showDate(endsOn) }} and is not closed`,
        to: `${path}?year=${id}`,
        act: text`Close`,
      })),
    };
  },
};
