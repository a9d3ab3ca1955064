import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { monthName } from '../contract/month.ts';
import { firstLeave } from './list.ts';

const page = 'hris/hris-master';

/** Leave that needs a paper by its type, and has none. */
export const paperTodo: TodoSource = {
  kind: 'leave-paper',
  title: text`Papers of leave missing`,
  icon: 'document',
  roles: ['Staff'],
  sets: ['hr'],
  find: async (ctx, most) => {
    const { rows, ...found } = await firstLeave(ctx, page, { tab: 'papers' }, most);
    return {
      ...found,
      rows: rows.map(({ id, staffId, person, type, fromDay }) => ({
        id,
        when: 'soon' as const,
        title: person,
        about: type,
        detail: text`Leave from ${{ day: showDate(fromDay) }}: a paper is missing`,
        to: `staff/view-staff/${staffId}`,
        act: text`Open`,
      })),
    };
  },
};

/** The day of a month from which a month before that is open is late. */
const lateFrom = '05';

/** The oldest month that is over, has marks and is open; only for those of all branches, who may close it. */
export const monthTodo: TodoSource = {
  kind: 'staff-month',
  title: text`Months to close`,
  icon: 'day',
  roles: ['Staff'],
  sets: ['hr'],
  find: async ({ db, user, now }) => {
    const today = toLocalDate(now());
    const first = `${today.slice(0, 7)}-01`;
    const none = { rows: [], total: 0, to: `${page}?tab=month` };
    if (user.scope.branches.length > 0) return none;
    // A school that marks no presence closes no month.
    const { rows } = await sql<{ month: string | null }>`
      select min(series.moment)::date::text as month
      from generate_series((select date_trunc('month', min(day)::timestamp) from workday_presence),
        ${first}::timestamp - interval '1 day', interval '1 month') as series (moment)
      where not exists (select from workday_month where month = series.moment::date and reopened_at is null)
        and exists (select from workday_presence where day >= series.moment::date
          and day < (series.moment + interval '1 month')::date)`.execute(db);
    const month = rows[0]?.month?.slice(0, 7);
    if (!month) return none;
    const to = `${page}?tab=month&month=${month}`;
    const isLate = month < addDays(first, -1).slice(0, 7) || today.slice(8) >= lateFrom;
    return {
      total: 1,
      to,
      rows: [
        {
          id: Number(month.replace('-', '')),
          when: isLate ? ('late' as const) : ('soon' as const),
          title: monthName(month),
          about: '',
          detail: text`Presence and leave of the staff: close the month`,
          to,
          act: text`Open`,
        },
      ],
    };
  },
};
