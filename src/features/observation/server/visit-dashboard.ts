import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { isOverseen } from './visit-visible.ts';

/** Visits that wait for the user: drafts to share, reports of others that are not acknowledged. */
export const visitCard: DashboardCard = {
  title: text`Lesson observations`,
  roles: ['Staff', 'Admin'],
  sets: ['principal', 'headOfDepartment'],
  count: async ({ db, user }) => {
    const { rows } = await sql<{ drafts: number; planned: number; shared: number }>`
      select count(*) filter (where visit.observer_id = ${user.staffId} and visit.state in ('In progress', 'Draft'))::integer as drafts,
        count(*) filter (where visit.observer_id = ${user.staffId} and visit.state = 'Scheduled')::integer as planned,
        count(*) filter (where visit.state = 'Shared')::integer as shared
      from observation_visit visit
      left join lateral (select branch_id, department_id from staff_post own where own.staff_id = visit.observed_id
        and school_now()::date between own.effective_from and coalesce(own.effective_to, 'infinity') limit 1) post on true
      where visit.observer_id = ${user.staffId} or ${isOverseen(user)}`.execute(db);
    const { drafts = 0, planned = 0, shared = 0 } = rows[0] ?? {};
    const list = 'staff-observation/staff-observation-list';
    return [
      { label: text`Your planned visits`, value: planned, to: list },
      { label: text`Reports to share`, value: drafts, to: list },
      { label: text`Not acknowledged`, value: shared, to: `${list}?tab=shared` },
    ];
  },
};
