import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { branchOn } from '#features/staff/api.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { ask } from '#kit/server/hook.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { presenceKeepers, presenceReaders } from '../contract/access.ts';
import { atWorkHook } from '../contract/hooks.ts';
import { type PresentPerson, type presenceApi, presenceMessages } from '../contract/presence.ts';
import { closedMonthOf, requireOpenMonth } from './closed-month.ts';

/** The people of the user's branches on a day: those who work, have leave or are marked. */
async function listPeople({ db, user }: UserContext, day: string) {
  const { rows } = await sql<PresentPerson>`
    with own as materialized (
      select staff.id, staff.name, staff.employee_number as number from staff
      join staff_employment spell on spell.staff_id = staff.id
        and ${day}::date between spell.joined_on and coalesce(spell.last_day, 'infinity')
      where ${inScope(user, presenceReaders, { branch: branchOn(day) })}),
    away as (
      select staff_id, array[coalesce(max(why) filter (where half = 1), ''), coalesce(max(why) filter (where half = 2), '')] as halves
      from (select half.staff_id, half.half, case leave.state when 'Asked' then 'Asked' else 'Leave' end as why
        from workday_leave_half half join workday_leave leave on leave.id = half.leave_id where half.day = ${day}::date) taken
      group by staff_id)
    select own.id as "staffId", own.name, own.number, coalesce(designation.name, '') as post,
      case when days.second_works then 'Whole day' when days.first_works then 'First half' else '' end as works,
      coalesce(days.starts, '') as starts, coalesce(away.halves, '{"",""}') as away,
      coalesce(mark.kind, '') as kind, coalesce(to_char(mark.in_at, 'HH24:MI'), '') as "inAt",
      coalesce(to_char(mark.out_at, 'HH24:MI'), '') as "outAt", coalesce(mark.note, '') as note,
      coalesce(mark.version, 0) as version
    from own
    left join workday_on(array(select id from own), ${day}, ${day}) as days on days.staff_id = own.id
    left join away on away.staff_id = own.id
    left join workday_presence mark on mark.staff_id = own.id and mark.day = ${day}::date
    left join staff_post post on post.staff_id = own.id
      and ${day}::date between post.effective_from and coalesce(post.effective_to, 'infinity')
    left join academic_designation designation on designation.id = post.designation_id
    where days.first_works or away.staff_id is not null or mark.staff_id is not null
    order by lower(own.name), own.id`.execute(db);
  return rows;
}

export const readDay: Handler<typeof presenceApi.read> = async (ctx, asked) => {
  const today = toLocalDate(ctx.now());
  const day = asked.day || today;
  return {
    today,
    day,
    mayMark: day <= today && isGranted(presenceKeepers, ctx.user) && !(await closedMonthOf(ctx, day, day)),
    people: await listPeople(ctx, day),
  };
};

export const mark: Handler<typeof presenceApi.mark> = async (ctx, { day, marks }) => {
  const { db, user, now } = ctx;
  if (day > toLocalDate(now())) throw fieldRefusal('day', presenceMessages.future);
  await requireOpenMonth(ctx, day, day);
  const ids = marks.map(({ staffId }) => staffId);
  const { rows: seen } = await sql<{ id: number }>`select staff.id from staff where staff.id = any(${ids}::integer[])
    and ${inScope(user, presenceKeepers, { branch: branchOn(day) })}
    and exists (select from staff_employment spell where spell.staff_id = staff.id
      and ${day}::date between spell.joined_on and coalesce(spell.last_day, 'infinity'))`.execute(db);
  if (seen.length < new Set(ids).size) throw new AppError('not_found', notFoundMessage);
  const given = sql`jsonb_to_recordset(${JSON.stringify(marks)}::jsonb)
    as given ("staffId" integer, kind text, "inAt" text, note text, version integer)`;
  await sql`select from workday_presence where day = ${day} and staff_id = any(${ids}::integer[]) order by staff_id for update`.execute(
    db,
  );
  const { rows: gone } = await sql`delete from workday_presence mark using ${given}
    where mark.staff_id = given."staffId" and mark.day = ${day} and given.kind = '' and mark.version = given.version
    returning mark.staff_id`.execute(db);
  const { rows: written } = await sql`
    insert into workday_presence as mark (staff_id, day, kind, in_at, note, source, entered_by, entered_at)
    select given."staffId", ${day}::date, given.kind, nullif(given."inAt", '')::time, given.note, 'Office', ${user.staffId}, ${now()}
    from ${given}
    where given.kind <> '' and (given.version = 0 or exists (select from workday_presence old
      where old.staff_id = given."staffId" and old.day = ${day}::date and old.version = given.version))
    on conflict (staff_id, day) do update set kind = excluded.kind, in_at = excluded.in_at, note = excluded.note,
      out_at = case when (mark.kind, mark.in_at) is not distinct from (excluded.kind, excluded.in_at) then mark.out_at end,
      half = null, source = 'Office', entered_by = excluded.entered_by, entered_at = excluded.entered_at, version = mark.version + 1
      where mark.version = (select given.version from ${given} where given."staffId" = mark.staff_id)
    returning mark.staff_id`.execute(db);
  if (gone.length + written.length < marks.length) throw new AppError('stale', presenceMessages.changed);
  await ask(ctx, atWorkHook, { staffIds: [...new Set(ids)].sort((one, other) => one - other) });
  await audit(ctx, {
    action: 'workday.presence',
    entity: 'workday',
    entityId: 0,
    details: { day, people: String(marks.length) },
  });
  return { marked: marks.length };
};
