import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard, Figure } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { hasKeptDocuments, isDue, openDocuments } from './due-document.ts';
import { isSpellOfDay } from './standing.ts';

interface Count {
  people: number;
  /** One of the people, or the only one. */
  staffId: number;
}

/** How many people of the branches that the user keeps have documents to see to; each figure is the number of rows of its list. */
export const documentCard: DashboardCard = {
  title: text`Staff documents`,
  sets: ['hr'],
  count: async ({ db, user, now }) => {
    const today = toLocalDate(now());
    const count = (which: typeof isDue) =>
      sql`json_build_object('people', count(distinct staff.id) filter (where ${which}), 'staffId', min(staff.id) filter (where ${which}))`;
    const { rows } = await sql<Record<'due' | 'expired' | 'waiting', Count>>`
      select ${count(isDue)} as due, ${count(sql`state = 'Expired'`)} as expired, ${count(sql`state = 'Waiting'`)} as waiting
      from staff join staff_employment as spell on spell.staff_id = staff.id and ${isSpellOfDay(today)}
      join ${openDocuments(today)} as open on open.staff_id = staff.id
      where ${hasKeptDocuments(user, today)}`.execute(db);
    const figure = (found: Count | undefined, list: string, rest: Pick<Figure, 'label' | 'isProblem'>): Figure => ({
      ...rest,
      value: found?.people ?? 0,
      to: found?.people === 1 ? `staff/view-staff/${found.staffId}?part=documents` : `staff/staff-list?${list}`,
    });
    const [counts] = rows;
    return [
      figure(counts?.due, 'tab=due', { label: text`Staff with documents due` }),
      figure(counts?.expired, 'tab=due&documents=Expired', {
        label: text`Staff with expired documents`,
        isProblem: true,
      }),
      figure(counts?.waiting, 'tab=all&documents=Waiting', {
        label: text`Staff with documents waiting for HR`,
        isProblem: true,
      }),
    ];
  },
};
