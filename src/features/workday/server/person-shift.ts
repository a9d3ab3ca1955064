import { sql } from 'kysely';
import { closedYear } from '#features/calendar/contract/closed-year.ts';
import { postChanged } from '#features/staff/contract/hooks.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { answer } from '#kit/server/hook.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { monthMessages } from '../contract/month.ts';
import { personShiftMessages as messages, type personShiftApi } from '../contract/person-shift.ts';
import { lockPerson } from './cost.ts';
import { derive } from './derive.ts';
import { findPerson } from './leave.ts';
import { weighYears } from './reweigh.ts';

export const setShift: Handler<typeof personShiftApi.set> = async (ctx, { staffId, shiftId, from }) => {
  const { db, user } = ctx;
  if (staffId === user.staffId) throw new AppError('conflict', messages.own);
  await findPerson(ctx, staffId);
  await lockPerson(ctx, staffId, from);
  const { rows } = await sql<{
    shift: string | null;
    isActive: boolean;
    isEmployed: boolean;
    year: string;
    closedAt: Date | null;
  }>`
    select shift.name as shift, coalesce(shift.is_active, true) as "isActive",
      exists (select from staff_employment spell where spell.staff_id = ${staffId}
        and ${from}::date between spell.joined_on and coalesce(spell.last_day, 'infinity')) as "isEmployed",
      coalesce(year.name, '') as year, year.closed_at as "closedAt"
    from (values (${shiftId}::integer)) as asked (id)
    left join workday_shift shift on shift.id = asked.id
    left join academic_year year on ${from}::date between year.starts_on and year.ends_on`.execute(db);
  const [found] = rows;
  if (!found?.isEmployed) throw fieldRefusal('from', messages.notEmployed);
  if (found.closedAt) throw fieldRefusal('from', closedYear(found.year, toLocalDate(found.closedAt), 'reopen'));
  if (shiftId !== null && !(found.shift && found.isActive)) throw fieldRefusal('shiftId', messages.inactive);
  await sql`delete from workday_shift_person where staff_id = ${staffId} and effective_from >= ${from}::date`.execute(
    db,
  );
  await sql`update workday_shift_person set effective_to = ${addDays(from, -1)}::date, version = version + 1
    where staff_id = ${staffId} and (effective_to is null or effective_to >= ${from}::date)`.execute(db);
  if (shiftId !== null)
    await db
      .insertInto('workday_shift_person')
      .values({ staff_id: staffId, shift_id: shiftId, effective_from: from })
      .execute();
  await weighYears(ctx, { people: [staffId], from, refusal: monthMessages.costsByPersonShift });
  await deriveOpen(ctx, staffId, from);
  const details = { Shift: found.shift ?? '–', From: showDate(from) };
  await audit(ctx, { action: 'workday.person-shift', entity: 'staff', entityId: staffId, details });
  return {};
};

/** Marks days until today again by punches, after the last closed month and in years that are not closed. */
async function deriveOpen(ctx: Parameters<typeof derive>[0], staffId: number, from: string) {
  const { rows } = await sql<{ fromDay: string }>`
    select greatest(${from}::date, max((month + interval '1 month')::date),
      (select min(starts_on) from academic_year where closed_at is null))::text as "fromDay" from workday_month
    where reopened_at is null`.execute(ctx.db);
  const [{ fromDay } = { fromDay: from }] = rows;
  const today = toLocalDate(ctx.now());
  if (fromDay <= today) await derive(ctx, [staffId], fromDay, today);
}

/** Another staff category may have another shift, by which leave costs another number of days and punches make other marks. */
export const answerPost = answer(postChanged, { by: 'workday', step: 6 }, async (ctx, { staffId, from }) => {
  const { db, now, user } = ctx;
  await weighYears(ctx, { people: [staffId], from, refusal: monthMessages.costsByPost });
  if (user) await deriveOpen({ db, now, user }, staffId, from);
  return null;
});
