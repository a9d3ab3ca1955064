import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard, Figure } from '#kit/server/dashboard.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { dueDays } from '../contract/document.ts';
import { staffKeepers } from '../contract/record.ts';
import { reaches } from './visible.ts';

interface Due {
  kind: 'waiting' | 'expired' | 'expiring';
  count: number;
  people: number;
  /** One of the people, or the only one. */
  staffId: number;
}

/**
 * Documents of people who work here now or later, in the branches of the user. One that was renewed is not due: a later verified document of its
 * type has taken its place.
 */
export const documentCard: DashboardCard = {
  title: text`Staff documents`,
  sets: ['hr'],
  count: async ({ db, now, user }) => {
    const today = toLocalDate(now());
    const { rows } = await sql<Due>`
      with due as (
        select staff_id, 'waiting' as kind from staff_document where status = 'Waiting'
        union all
        select staff_id, case when expires_on < ${today} then 'expired' else 'expiring' end
        from staff_document own
        where status = 'Verified' and expires_on <= ${addDays(today, dueDays)} and not exists (
          select from staff_document later where later.staff_id = own.staff_id
            and later.document_type_id = own.document_type_id and later.status = 'Verified'
            and (coalesce(later.expires_on, 'infinity'), later.id) > (own.expires_on, own.id))
      )
      select kind, count(*)::integer as count, count(distinct staff_id)::integer as people, min(staff_id) as "staffId"
      from due
      where exists (select from staff_employment spell where spell.staff_id = due.staff_id
        and coalesce(spell.last_day, 'infinity') >= ${today})
        and ${reaches(user, staffKeepers, sql`due.staff_id`, today)}
      group by kind`.execute(db);
    const figure = (kind: Due['kind'], rest: Pick<Figure, 'label' | 'isProblem'>): Figure => {
      const found = rows.find((row) => row.kind === kind);
      return {
        ...rest,
        value: found?.count ?? 0,
        ...(found?.people === 1 && { to: `staff/view-staff/${found.staffId}` }),
      };
    };
    return [
      figure('expired', { label: text`Expired`, isProblem: true }),
      figure('expiring', { label: text`Expire within ${{ days: dueDays }} days` }),
      figure('waiting', { label: text`Waiting for HR`, isProblem: true }),
    ];
  },
};
