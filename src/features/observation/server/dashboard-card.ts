import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';

/** The user’s own follow-ups that are open: those due by today, and those overdue. */
async function followUpsDue({ db, user, now }: Pick<UserContext, 'db' | 'user' | 'now'>) {
  const today = toLocalDate(now());
  const { rows } = await sql<{ open: number; due: number; overdue: number }>`
    select count(*)::integer as open, count(*) filter (where due_on <= ${today}::date)::integer as due,
      count(*) filter (where due_on < ${today}::date)::integer as overdue
    from observation_follow_up where owner_id = ${user.staffId} and closed_on is null`.execute(db);
  return rows[0] ?? { open: 0, due: 0, overdue: 0 };
}

const list = 'student-observation/student-observation-list';

/** The follow-ups of observations that the user owns. */
export const followUpCard: DashboardCard = {
  title: text`Observations`,
  roles: ['Staff'],
  sets: ['classTeacher', 'subjectTeacher', 'principal', 'counsellor'],
  count: async (ctx) => {
    const { open, overdue } = await followUpsDue(ctx);
    return [
      { label: text`Your open follow-ups`, value: open, to: `${list}?tab=followUps` },
      {
        label: text`Overdue follow-ups`,
        value: overdue,
        isLate: true,
        to: `${list}?tab=followUps&followUp=Overdue`,
      },
    ];
  },
};
