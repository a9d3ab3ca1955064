import { sql } from 'kysely';
import { openStates } from '#features/admission-form/contract/state.ts';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';

/** The follow-ups of the office; each number is that of the list it opens. */
export const inquiryCard: DashboardCard = {
  title: text`Inquiries`,
  roles: ['Staff'],
  sets: ['office', 'admissionHead'],
  count: async ({ db, now }) => {
    const today = toLocalDate(now());
    const { rows } = await sql<{ overdue: number; today: number; fresh: number }>`
      select count(*) filter (where next_follow_up_on < ${today}::date)::integer as overdue,
        count(*) filter (where next_follow_up_on = ${today}::date)::integer as today,
        count(*) filter (where state = 'New')::integer as fresh
      from admission_inquiry where state = any(${[...openStates]})`.execute(db);
    const [{ overdue, today: due, fresh }] = rows as [(typeof rows)[0]];
    return [
      {
        label: text`Overdue follow-ups`,
        value: overdue,
        isProblem: true,
        to: 'admission/inquiry?tab=overdue',
      },
      { label: text`Follow-ups today`, value: due, to: 'admission/inquiry?followUp=Today' },
      { label: text`New, form not sent`, value: fresh, to: 'admission/inquiry?tab=fresh' },
    ];
  },
};
