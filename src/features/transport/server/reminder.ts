import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { DailyTask } from '#kit/server/job/daily.ts';
import { notify } from '#kit/server/messages/notifications.ts';
import { readSetting } from '#kit/server/settings.ts';
import { reminderDays } from './settings.ts';

/**
 * Notifies of papers that expire: each once on each of the days of the setting. A renewed paper has another last day, so it
 * is reminded of again.
 */
export async function remindOfPapers(ctx: Context, today: string) {
  const days = await readSetting(ctx, reminderDays);
  const { rows } = await sql<{ branchId: number | null; papers: number }>`
    with papers as (
      select 'document' as what, own.id, own.expires_on, vehicle.branch_id
      from transport_vehicle_document own
      join transport_vehicle vehicle on vehicle.id = own.vehicle_id and vehicle.is_active
      where own.is_active and not exists (select from transport_vehicle_document later
        where later.vehicle_id = own.vehicle_id and later.kind = own.kind and later.is_active
          and later.expires_on > own.expires_on)
      union all
      select dated.what, crew.id, dated.expires_on, (select post.branch_id from staff_post post
        where post.staff_id = crew.staff_id order by post.effective_from desc limit 1)
      from transport_crew crew
      cross join lateral (values ('licence', crew.licence_expires_on), ('medical', crew.medical_expires_on))
        as dated (what, expires_on)
      where crew.is_active and dated.expires_on is not null
    ), fresh as (
      insert into transport_reminded (what, subject_id, days, expires_on)
        select what, id, step, expires_on from papers cross join unnest(${[...days]}::smallint[]) as step
        where expires_on - ${today}::date <= step
        on conflict do nothing returning what, subject_id)
    select branch_id as "branchId", count(*)::integer as papers from papers
    where (what, id) in (select what, subject_id from fresh)
    group by branch_id order by branch_id`.execute(ctx.db);
  for (const { branchId, papers } of rows)
    await notify(ctx, {
      to: { sets: ['transportIncharge'], branchId },
      kind: 'transport.papers-due',
      text: text(
        {
          message:
            '{papers, plural, one {# paper of a vehicle or driver expires} other {# papers of vehicles or drivers expire}} soon.',
        },
        { papers },
      ),
      path: '/school-erp/transport/paper?tab=soon',
      key: `transport.papers-due ${today} ${branchId ?? 0}`,
    });
}

export const dailyPapers: DailyTask = {
  name: 'transport.papers-due',
  from: 8,
  until: 20,
  act: (ctx) => remindOfPapers(ctx, toLocalDate(ctx.now())),
};
