import { sql } from 'kysely';
import type { staff } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { requestApproval, withdrawApproval } from '#features/approval/api.ts';
import { branchOn } from '#features/staff/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { saveFile } from '#kit/server/files/files.ts';
import { ask as askHook } from '#kit/server/hook.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { notify } from '#kit/server/messages/notifications.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readSetting } from '#kit/server/settings.ts';
import { leaveKeepers } from '../contract/access.ts';
import { atWorkHook, awayHook } from '../contract/hooks.ts';
import { staffLeaveMessages as messages, type StaffLeaveState, type staffLeaveApi } from '../contract/leave.ts';
import { requireOpenMonth } from './closed-month.ts';
import {
  freeHalves,
  lockPerson,
  type Plan,
  planLeave,
  requirePlan,
  type Span,
  showDays,
  showSpan,
  spanOf,
  takeHalves,
} from './cost.ts';
import { decidersOf } from './decider.ts';
import { derive } from './derive.ts';
import { paperOwner } from './paper.ts';
import { managerDays } from './settings.ts';

/** A person whose leave the user enters or reads by these grants; throws `not_found`. */
export async function findPerson(
  { db, user, now }: UserContext,
  staffId: number,
  grants = leaveKeepers as readonly ReturnType<typeof staff>[],
) {
  const day = toLocalDate(now());
  return db
    .selectFrom('staff')
    .where('staff.id', '=', staffId)
    .where(inScope(user, grants, { branch: branchOn(day) }))
    .select(['staff.id', 'staff.name'])
    .select(branchOn(day).as('branchId'))
    .executeTakeFirstOrThrow(notFound);
}

async function branchOf({ db, now }: UserContext, staffId: number) {
  const { branchId } = await db
    .selectFrom('staff')
    .where('staff.id', '=', staffId)
    .select(branchOn(toLocalDate(now())).as('branchId'))
    .executeTakeFirstOrThrow(notFound);
  return branchId;
}

/** What waits for a person in the half days of a leave. */
export async function whatWaits(ctx: UserContext, staffId: number, span: Span): Promise<Text[]> {
  const { rows } = await sql<{ day: string; half: number }>`
    select day::text, half from workday_halves(array[${staffId}]::integer[], ${span.fromDay}, ${span.toDay}, null)
    where works and (day, half) >= (${span.fromDay}::date, ${span.fromHalf}::integer)
      and (day, half) <= (${span.toDay}::date, ${span.toHalf}::integer)
    order by day, half`.execute(ctx.db);
  const answers = await askHook(ctx, awayHook, { staffId, halves: rows });
  return answers.flatMap(({ output }) => output.texts);
}

export const estimate: Handler<typeof staffLeaveApi.estimate> = async (ctx, { staffId: chosen, typeId, ...asked }) => {
  const isOwn = chosen === null || chosen === ctx.user.staffId;
  const staffId = chosen ?? ctx.user.staffId;
  if (!isOwn) await findPerson(ctx, staffId);
  const span = spanOf(asked);
  const found = await planLeave(ctx, { staffId, typeId, ...span, isOwn });
  const most = await readSetting(ctx, managerDays);
  const decider = isOwn
    ? (
        await decidersOf(ctx, {
          staffId,
          branchId: await branchOf(ctx, staffId),
          isLong: found.counted > 2 * most,
          step: 1,
        })
      ).words
    : text`It is granted at once.`;
  return {
    costs: found.cost > 0 ? showDays(found.cost) : '',
    left: found.left === undefined ? '' : showDays(found.left),
    between: found.between,
    waits: found.refusal ? [] : await whatWaits(ctx, staffId, span),
    decider,
    refusal: found.refusal ?? null,
  };
};

async function insertLeave(
  ctx: UserContext,
  plan: Plan,
  { yearId, reason, state }: { yearId: number; reason: string; state: StaffLeaveState },
) {
  const { staffId, typeId, fromDay, toDay, fromHalf, toHalf } = plan;
  const isGranted = state === 'Granted';
  const { id } = await ctx.db
    .insertInto('workday_leave')
    .values({
      staff_id: staffId,
      academic_year_id: yearId,
      type_id: typeId,
      from_day: fromDay,
      to_day: toDay,
      from_half: fromHalf,
      to_half: toHalf,
      reason,
      state,
      asked_by: ctx.user.staffId,
      asked_at: ctx.now(),
      decided_by: isGranted ? ctx.user.staffId : null,
      decided_at: isGranted ? ctx.now() : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await takeHalves(ctx, id, plan);
  return id;
}

export const titleOf = ({ fromDay, toDay }: { fromDay: string; toDay: string }): Text =>
  fromDay === toDay
    ? text`Leave of staff on ${{ day: showDate(fromDay) }}`
    : text`Leave of staff from ${{ from: showDate(fromDay) }} until ${{ until: showDate(toDay) }}`;

const auditLeave = (
  ctx: UserContext,
  act: 'asked' | 'granted' | 'rejected' | 'cancelled' | 'shortened',
  leave: { staffId: number; fromDay: string; toDay: string },
) =>
  audit(ctx, {
    action: `workday-leave.${act}`,
    entity: 'staff',
    entityId: leave.staffId,
    details: { days: showSpan(leave) },
  });

export const profileOf = (staffId: number) => `/school-erp/staff/view-staff/${staffId}`;

export const ask: Handler<typeof staffLeaveApi.ask> = async (ctx, { typeId, reason, ...asked }) => {
  const { staffId } = ctx.user;
  const plan: Plan = { staffId, typeId, ...spanOf(asked), isOwn: true };
  await lockPerson(ctx, staffId, plan.fromDay);
  const { yearId, counted } = await requirePlan(ctx, plan);
  const id = await insertLeave(ctx, plan, { yearId, reason, state: 'Asked' });
  const { paper } = ctx.uploads;
  if (paper) {
    const paper_id = await saveFile(ctx, paperOwner(id), 'paper', paper);
    await ctx.db.updateTable('workday_leave').set({ paper_id }).where('id', '=', id).execute();
  }
  const branchId = await branchOf(ctx, staffId);
  const isLong = counted > 2 * (await readSetting(ctx, managerDays));
  const { to, words } = await decidersOf(ctx, { staffId, branchId, isLong, step: 1 });
  await requestApproval(ctx, {
    kind: 'workday.leave',
    subjectId: id,
    branchId,
    title: titleOf(plan),
    reason,
    by: { staffId },
    to,
  });
  await auditLeave(ctx, 'asked', plan);
  return { id, decider: words };
};

export const enter: Handler<typeof staffLeaveApi.enter> = async (ctx, { staffId, typeId, reason, ...asked }) => {
  if (staffId === ctx.user.staffId) throw fieldRefusal('staffId', messages.ownEntry);
  const plan: Plan = { staffId, typeId, ...spanOf(asked), isOwn: false };
  const { name } = await findPerson(ctx, staffId);
  await lockPerson(ctx, staffId, plan.fromDay);
  const { yearId } = await requirePlan(ctx, plan);
  const id = await insertLeave(ctx, plan, { yearId, reason, state: 'Granted' });
  await derive(ctx, [staffId], plan.fromDay, plan.toDay);
  const { rows } = await sql<{ present: number }>`select count(*)::integer as present from workday_presence
    where staff_id = ${staffId} and day between ${plan.fromDay} and ${plan.toDay}
      and kind in ('Present', 'Late', 'On duty')`.execute(ctx.db);
  await auditLeave(ctx, 'granted', plan);
  await notify(ctx, {
    to: { staff: [staffId] },
    kind: 'workday.decided',
    text: text`HR entered leave of yours.`,
    path: profileOf(staffId),
  });
  return { id, name, present: rows[0]?.present ?? 0 };
};

/** A leave that the user may end, locked with its person; throws `not_found`. */
async function lockLeave(ctx: UserContext, id: number, version: number) {
  const found = await ctx.db
    .selectFrom('workday_leave')
    .where('id', '=', id)
    .select(['staff_id', 'from_day'])
    .executeTakeFirstOrThrow(notFound);
  const isOwn = found.staff_id === ctx.user.staffId;
  if (!isOwn) await findPerson(ctx, found.staff_id);
  await lockPerson(ctx, found.staff_id, found.from_day);
  const leave = await ctx.db
    .selectFrom('workday_leave')
    .where('id', '=', id)
    .select(['id', 'version', 'state', 'staff_id as staffId', 'from_day as fromDay', 'to_day as toDay'])
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  requireVersion(leave, version);
  if (leave.state !== 'Asked' && leave.state !== 'Granted') throw new AppError('conflict', messages.ended);
  return { ...leave, isOwn };
}

export const cancel: Handler<typeof staffLeaveApi.cancel> = async (ctx, { id, version }) => {
  const leave = await lockLeave(ctx, id, version);
  if (leave.isOwn && leave.state === 'Granted' && leave.fromDay <= toLocalDate(ctx.now()))
    throw new AppError('conflict', messages.begun);
  await requireOpenMonth(ctx, leave.fromDay, leave.toDay);
  await endLeaves(ctx, [id], 'Cancelled');
  await derive(ctx, [leave.staffId], leave.fromDay, leave.toDay);
  await askHook(ctx, atWorkHook, { staffIds: [leave.staffId] });
  await withdrawApproval(ctx, { kind: 'workday.leave', subjectId: id });
  await auditLeave(ctx, 'cancelled', leave);
  if (!leave.isOwn)
    await notify(ctx, {
      to: { staff: [leave.staffId] },
      kind: 'workday.decided',
      text: text`HR cancelled leave of yours.`,
      path: profileOf(leave.staffId),
    });
  return {};
};

/** Sets leaves to a state in which they take no days. */
export async function endLeaves(
  ctx: Pick<UserContext, 'db'> & Partial<Pick<UserContext, 'user' | 'now'>>,
  ids: readonly number[],
  state: 'Rejected' | 'Cancelled',
) {
  await ctx.db
    .updateTable('workday_leave')
    .set({
      state,
      version: sql`version + 1`,
      ...(state === 'Rejected' && { decided_by: ctx.user?.staffId ?? null, decided_at: ctx.now?.() ?? null }),
    })
    .where('id', 'in', ids)
    .execute();
  await freeHalves(ctx, ids);
}

export const shorten: Handler<typeof staffLeaveApi.shorten> = async (ctx, { id, version, lastDay }) => {
  const leave = await lockLeave(ctx, id, version);
  const today = toLocalDate(ctx.now());
  if (leave.state !== 'Granted' || leave.fromDay > today) throw new AppError('conflict', messages.notBegun);
  if (lastDay < leave.fromDay || lastDay >= leave.toDay) throw fieldRefusal('lastDay', messages.back);
  if (leave.isOwn && lastDay < addDays(today, -1)) throw fieldRefusal('lastDay', messages.backOwn);
  await requireOpenMonth(ctx, addDays(lastDay, 1), leave.toDay, 'lastDay');
  await cutLeave(ctx, id, lastDay);
  await derive(ctx, [leave.staffId], leave.fromDay, leave.toDay);
  await askHook(ctx, atWorkHook, { staffIds: [leave.staffId] });
  await auditLeave(ctx, 'shortened', { ...leave, toDay: lastDay });
  return {};
};

/** Ends a leave on an earlier day. */
async function cutLeave(ctx: Pick<UserContext, 'db'>, id: number, lastDay: string) {
  await freeHalves(ctx, [id], lastDay);
  await ctx.db
    .updateTable('workday_leave')
    .set({ to_day: lastDay, to_half: 2, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}
