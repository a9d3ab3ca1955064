import { sql } from 'kysely';
import { requestApproval, withdrawApproval } from '#features/approval/api.ts';
import { childrenOf, type FamilyChild } from '#features/family/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { HolderContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { saveFile } from '#kit/server/files/files.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { readSetting } from '#kit/server/settings.ts';
import { type FamilyLeave, familyLeaveApi } from '../contract/family-leave.ts';
import { leaveMessages } from '../contract/leave.ts';
import { decidersOf, leaveTitle, setState, weighLeave, writeLeave } from './leave.ts';
import { showDays } from './leave-days.ts';
import { leaveOwner } from './leave-paper.ts';
import { leaveBackDays, teacherLeaveDays } from './settings.ts';
import { tellOfAsked } from './tell-leave.ts';

/** Leaves of one child that wait for a decision at the same time. */
const mostOpen = 6;
/** Requests of one guardian within a day, and counts within an hour while days are chosen. */
const asks = { kind: 'family-leave', most: 10, windowSeconds: 24 * 3600 };
const counts = { kind: 'family-leave-count', most: 240, windowSeconds: 3600 };

async function requireTurn({ db, holder }: HolderContext, limit: typeof asks) {
  const wait = await countHit(db, limit, String(holder.id));
  if (wait > 0) throw new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });
}

const isWhole = ({ reach }: FamilyChild) => reach === 'All';

/** The children of whom the guardian sees everything. */
const wholeChildren = async (ctx: HolderContext) =>
  (await childrenOf(ctx, ctx.holder.id, toLocalDate(ctx.now()))).filter(isWhole);

/** The own child; throws `not_found` for another, and for one of whom the guardian sees school matters alone. */
async function requireChild(ctx: HolderContext, studentId: number): Promise<FamilyChild> {
  const child = (await wholeChildren(ctx)).find((one) => one.studentId === studentId);
  if (!child) throw notFound();
  return child;
}

const list: Handler<typeof familyLeaveApi.list> = async (ctx) => {
  const today = toLocalDate(ctx.now());
  const children = await wholeChildren(ctx);
  const { rows } = await sql<Omit<FamilyLeave, 'days'> & { halves: number }>`
    select leave.id, leave.student_id as "studentId", leave.from_day::text as "fromDay", leave.to_day::text as "toDay", leave.halves,
      leave.half, leave.kind, leave.state,
      case leave.state when 'Rejected' then coalesce((select remark from approval
        where approval.attendance_leave_id = leave.id order by approval.id desc limit 1), '') else '' end as remark,
      leave.state in ('Asked', 'Granted') and leave.asked_by_guardian_id is not null and leave.from_day > ${today}::date as "mayWithdraw"
    from attendance_leave leave
    where leave.student_id = any(${children.map(({ studentId }) => studentId)}::integer[])
      and leave.to_day >= date_trunc('month', ${today}::date)
    order by leave.from_day desc, leave.id desc limit 40`.execute(ctx.db);
  return rows.map(({ halves, ...row }) => ({ ...row, days: showDays(halves) }));
};

const count: Handler<typeof familyLeaveApi.count> = async (ctx, { studentId, fromDay, toDay, half }) => {
  await requireTurn(ctx, counts);
  const child = await requireChild(ctx, studentId);
  if (toDay > addDays(fromDay, 370)) throw fieldRefusal('toDay', leaveMessages.year);
  const { rows } = await sql<{ day: string; name: string; work: number }>`
    select days.day::text, days.name, days.work from academic_year year
    cross join lateral academic_school_days(year.id, ${fromDay}, ${toDay}) as days
    where ${fromDay}::date between year.starts_on and year.ends_on and days.grade_id = ${child.gradeId}
    order by days.day`.execute(ctx.db);
  const halves = rows.reduce((sum, { work }) => sum + work, 0);
  return {
    days: showDays(half === 'Whole day' ? halves : Math.min(1, halves)),
    off: rows.flatMap(({ day, name, work }) => (work === 0 ? [{ day, name }] : [])).slice(0, 20),
  };
};

/** Refuses a first day further back than the school allows, in school days of the grade. */
async function refuseEarlier(
  ctx: HolderContext,
  { fromDay, gradeId, yearId }: Record<'gradeId' | 'yearId', number> & { fromDay: string },
) {
  const today = toLocalDate(ctx.now());
  if (fromDay >= today) return;
  const most = await readSetting(ctx, leaveBackDays);
  const { rows } = await sql<{ back: number }>`
    select count(*)::integer as back from academic_school_days(${yearId}, ${fromDay}, ${addDays(today, -1)}) as days
    where days.grade_id = ${gradeId} and days.work > 0`.execute(ctx.db);
  if ((rows[0]?.back ?? 0) > most)
    throw fieldRefusal(
      'fromDay',
      text`Ask for at most ${{ n: most }} school days back. Call the school for earlier days.`,
    );
}

const ask: Handler<typeof familyLeaveApi.ask> = async (ctx, { studentId, fromDay, toDay, half, kind, reason }) => {
  const { branchId } = await requireChild(ctx, studentId);
  await requireTurn(ctx, asks);
  const weighed = await weighLeave(ctx, { studentId, fromDay, toDay, half });
  await refuseEarlier(ctx, { ...weighed, fromDay });
  const { waiting } = await ctx.db
    .selectFrom('attendance_leave')
    .where('student_id', '=', studentId)
    .where('state', '=', 'Asked')
    .select((eb) => eb.fn.countAll<string>().as('waiting'))
    .executeTakeFirstOrThrow();
  if (Number(waiting) >= mostOpen)
    throw new AppError(
      'conflict',
      text`The school has not decided about earlier requests. Call it about further days.`,
    );
  const by = { asked_by_guardian_id: ctx.holder.id };
  const { id } = await writeLeave(ctx, { studentId, fromDay, toDay, half, kind, reason, state: 'Asked' }, weighed, by);
  const { paper } = ctx.uploads;
  if (paper) {
    const paper_id = await saveFile(ctx, leaveOwner(id), 'paper', paper);
    await ctx.db.updateTable('attendance_leave').set({ paper_id }).where('id', '=', id).execute();
  }
  const days = showDays(weighed.halves);
  await audit(ctx, {
    actor: 'Parent',
    action: 'attendance.leave-asked',
    entity: 'student',
    entityId: studentId,
    details: { from: showDate(fromDay), until: showDate(toDay), days, kind: String(kind) },
  });
  const isLong = weighed.counted > 2 * (await readSetting(ctx, teacherLeaveDays));
  await requestApproval(ctx, {
    kind: 'attendance.leave',
    subjectId: id,
    branchId,
    studentId,
    title: leaveTitle(fromDay, toDay),
    reason,
    by: { guardianId: ctx.holder.id },
    to: await decidersOf(ctx, { studentId, branchId, isLong }),
  });
  await tellOfAsked(ctx, { id, studentId, guardianId: ctx.holder.id });
  return { days };
};

const withdraw: Handler<typeof familyLeaveApi.withdraw> = async (ctx, { id }) => {
  const children = await wholeChildren(ctx);
  await sql`select from academic_year where id = (select academic_year_id from attendance_leave where id = ${id}) for share`.execute(
    ctx.db,
  );
  const leave = await ctx.db
    .selectFrom('attendance_leave')
    .where('id', '=', id)
    .where('student_id', '=', sql<number>`any(${children.map(({ studentId }) => studentId)}::integer[])`)
    .where('asked_by_guardian_id', 'is not', null)
    .select(['student_id', 'state', 'from_day', 'to_day'])
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  if (leave.state !== 'Asked' && leave.state !== 'Granted') throw new AppError('conflict', leaveMessages.ended);
  if (leave.from_day <= toLocalDate(ctx.now()))
    throw new AppError('conflict', text`This leave has begun. Call the school to change it.`);
  await setState(ctx, [id], 'Cancelled');
  await withdrawApproval(ctx, { kind: 'attendance.leave', subjectId: id });
  await audit(ctx, {
    actor: 'Parent',
    action: 'attendance.leave-withdrawn',
    entity: 'student',
    entityId: leave.student_id,
    details: { from: showDate(leave.from_day), until: showDate(leave.to_day) },
  });
  return {};
};

export const familyLeaveRoutes = routes(familyLeaveApi, { list, count, ask, withdraw });
