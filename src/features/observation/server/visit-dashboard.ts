import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { isOverseen } from './visit-visible.ts';

/** Visits that wait for the user: drafts to share, reports of others that are not acknowledged for a week. */
export const visitCard: DashboardCard = {
  title: text`Lesson observations`,
  roles: ['Staff', 'Admin'],
  sets: ['principal', 'headOfDepartment'],
  count: async ({ db, user, now }) => {
    const { rows } = await sql<{ drafts: number; planned: number; late: number }>`
      select count(*) filter (where visit.observer_id = ${user.staffId} and visit.state in ('In progress', 'Draft'))::integer as drafts,
        count(*) filter (where visit.observer_id = ${user.staffId} and visit.state = 'Scheduled')::integer as planned,
        count(*) filter (where visit.state = 'Shared' and visit.shared_at < ${now()}::timestamptz - interval '7 days')::integer as late
      from observation_visit visit
      left join lateral (select branch_id, department_id from staff_post own where own.staff_id = visit.observed_id
        and current_date between own.effective_from and coalesce(own.effective_to, 'infinity') limit 1) post on true
      where visit.observer_id = ${user.staffId} or ${isOverseen(user)}`.execute(db);
    const { drafts = 0, planned = 0, late = 0 } = rows[0] ?? {};
    const list = 'staff-observation/staff-observation-list';
    return [
      { label: text`Your planned visits`, value: planned, to: list },
      { label: text`Reports to share`, value: drafts, to: list },
      { label: text`Not acknowledged for a week`, value: late, isProblem: true, to: `${list}?tab=shared` },
    ];
  },
};
