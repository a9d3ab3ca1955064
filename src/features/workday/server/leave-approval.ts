import { sql } from 'kysely';
import { staff } from '#access/contract/grants.ts';
import { inScope, reachesBranch } from '#access/server/scope.ts';
import { requestApprovals } from '#features/approval/api.ts';
import { branchOn } from '#features/staff/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { ApprovalKind, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { ask } from '#kit/server/hook.ts';
import { notifyEach } from '#kit/server/messages/notifications.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { isOpenOn } from '#kit/server/security/open-account.ts';
import { readSetting } from '#kit/server/settings.ts';
import { atWorkHook } from '../contract/hooks.ts';
import { staffLeaveMessages } from '../contract/leave.ts';
import { showDays, showSpan } from './cost.ts';
import { hasPrincipal, isPrincipal, managerOf } from './decider.ts';
import { derive } from './derive.ts';
import { endLeaves, profileOf, titleOf, whatWaits } from './leave.ts';
import { managerDays } from './settings.ts';

interface Row {
  id: number;
  version: number;
  step: number;
  staffId: number;
  name: string;
  branchId: number | null;
  type: string;
  fromDay: string;
  toDay: string;
  fromHalf: number;
  toHalf: number;
  reason: string;
  cost: number;
  counted: number;
  left: number;
  mayGoBelow: boolean;
  isPrincipal: boolean;
  /** Another principal of the branch may sign in. */
  hasPrincipal: boolean;
}

/** Leaves with their cost, the adjoining leave, and the balance after them. */
async function readSome({ db, now }: UserContext, ids: readonly number[]): Promise<Row[]> {
  const day = toLocalDate(now());
  const { rows } = await sql<Row>`
    select leave.id, leave.version, leave.step, leave.staff_id as "staffId", staff.name, ${branchOn(day)} as "branchId",
      type.name as type, leave.from_day::text as "fromDay", leave.to_day::text as "toDay", leave.from_half as "fromHalf",
      leave.to_half as "toHalf", leave.reason, own.cost, own.counted, type.may_go_below as "mayGoBelow",
      workday_balance(leave.staff_id, leave.type_id, leave.academic_year_id, leave.to_day) as left,
      ${isPrincipal(sql`leave.staff_id`)} as "isPrincipal",
      ${hasPrincipal(sql`leave.staff_id`, branchOn(day), day)} as "hasPrincipal"
    from workday_leave leave
    join staff on staff.id = leave.staff_id
    join workday_leave_type type on type.id = leave.type_id
    cross join lateral workday_sum(leave.staff_id, leave.from_day - 70, leave.to_day + 70, null, leave.id) as own
    where leave.id = any(${[...ids]}::integer[]) order by leave.id`.execute(db);
  return rows;
}

/** Who decides after the manager, or without one. */
const lastDecider = ({ hasPrincipal }: Pick<Row, 'hasPrincipal'>) => (hasPrincipal ? 'principal' : 'hr');

/** Whether a second person decides after the user: on leave longer than `most` days, unless the user is that person. */
const hasSecondStep = ({ user }: Pick<UserContext, 'user'>, row: Row, most: number) =>
  row.step === 1 &&
  row.counted > 2 * most &&
  !row.isPrincipal &&
  !(user.sets.includes(lastDecider(row)) && reachesBranch(user, row.branchId));

/** Leave of staff: the reporting manager decides up to some days, and the principal beyond; never the person. */
export const leaveApproval: ApprovalKind = {
  kind: 'workday.leave',
  subject: 'workday_leave_id',
  title: text`Leave of staff`,
  notice: text`Leave of a colleague is waiting for your decision.`,
  sets: ['principal', 'hr'],
  isByRow: true,
  tellsItself: true,
  isOfYear: (yearId, subjectId) =>
    sql<boolean>`exists (select from workday_leave leave where leave.id = ${subjectId} and leave.academic_year_id = ${yearId})`,
  mayDecide: ({ user, now }, subjectId) => {
    const day = toLocalDate(now());
    const person = sql`leave.staff_id`;
    const branch = { branch: sql`approval.branch_id` };
    // Asked while the manager was away, it is the principal's and the manager's who is back.
    const askedOn = sql`(leave.asked_at at time zone 'Asia/Kolkata')::date`;
    return sql<boolean>`exists (
      select from workday_leave leave
      cross join lateral (select ${managerOf(person, day)} as id, ${managerOf(person, day, askedOn)} as asked,
        leave.step = 1 and not ${isPrincipal(person)} as is_asked) as manager
      where leave.id = ${subjectId} and leave.staff_id <> ${user.staffId} and (
        (manager.is_asked and manager.id = ${user.staffId})
        or (not (manager.is_asked and manager.id is not null and manager.asked is not null) and case
          when ${hasPrincipal(person, sql`approval.branch_id`, day)} then ${inScope(user, [staff('principal')], branch)}
          else ${inScope(user, [staff('hr')], branch)} end)))`;
  },
  describe: async (ctx, ids) => {
    const most = await readSetting(ctx, managerDays);
    const rows = await readSome(ctx, ids);
    const [only, another] = rows;
    // What waits is asked of all features, so it is shown where one request is open.
    const waits = only && !another ? await whatWaits(ctx, only.staffId, only) : [];
    return new Map(
      rows.map((leave) => [
        leave.id,
        {
          facts: [
            { label: text`Name`, value: verbatim(leave.name) },
            { label: text`Leave type`, value: verbatim(leave.type) },
            { label: text`First day`, value: verbatim(showDate(leave.fromDay)) },
            { label: text`Last day`, value: verbatim(showDate(leave.toDay)) },
            ...(leave.fromHalf === 2 ? [{ label: text`Begins`, value: text`At noon` }] : []),
            ...(leave.toHalf === 1 ? [{ label: text`Ends`, value: text`At noon` }] : []),
            { label: text`Costs (days)`, value: verbatim(showDays(leave.cost)) },
            ...(leave.counted > leave.cost
              ? [{ label: text`With the leave beside it`, value: verbatim(showDays(leave.counted)) }]
              : []),
            ...(leave.mayGoBelow ? [] : [{ label: text`Left (days)`, value: verbatim(showDays(leave.left)) }]),
          ],
          effect: [
            ...waits,
            !hasSecondStep(ctx, leave, most)
              ? text`The leave is granted.`
              : leave.hasPrincipal
                ? text`Then the principal decides.`
                : text`Then HR decides.`,
          ],
          to: '',
          basis: [leave.version, leave.cost, leave.counted, leave.left],
        },
      ]),
    );
  },
  lock: async ({ db }, ids) => {
    const own = sql`select * from workday_leave where id = any(${[...ids]}::integer[])`;
    await sql`select from academic_year where id in (select academic_year_id from (${own}) own) order by id for share`.execute(
      db,
    );
    await sql`select from staff where id in (select staff_id from (${own}) own) order by id for no key update`.execute(
      db,
    );
    await sql`select from workday_leave where id = any(${[...ids]}::integer[]) order by id for update`.execute(db);
  },
  decide: async (ctx, ids, outcome) => {
    const rows = await readSome(ctx, ids);
    if (outcome !== 'Approved') {
      await endLeaves(ctx, ids, outcome === 'Rejected' ? 'Rejected' : 'Cancelled');
      await deriveDays(ctx, rows);
      await ask(ctx, atWorkHook, { staffIds: rows.map(({ staffId }) => staffId) });
      await auditSome(ctx, rows, outcome === 'Rejected' ? 'rejected' : 'cancelled');
      if (outcome === 'Rejected') await tell(ctx, rows, 'rejected');
      return;
    }
    const short = rows.find(({ left, mayGoBelow }) => left < 0 && !mayGoBelow);
    if (short)
      throw new AppError(
        'conflict',
        staffLeaveMessages.leftOf(short.name, showDays(Math.max(0, short.left + short.cost))),
      );
    const most = await readSetting(ctx, managerDays);
    const further = rows.filter((row) => hasSecondStep(ctx, row, most));
    const granted = rows.filter((row) => !further.includes(row));
    await sql`update workday_leave set version = version + 1, step = 2 where id = any(${further.map(({ id }) => id)}::integer[])`.execute(
      ctx.db,
    );
    await requestApprovals(
      ctx,
      further.map((row) => ({
        kind: 'workday.leave',
        subjectId: row.id,
        branchId: row.branchId,
        title: titleOf(row),
        reason: row.reason,
        by: { staffId: row.staffId },
        to: { sets: [lastDecider(row)], branchId: row.branchId },
      })),
    );
    await sql`update workday_leave set version = version + 1, state = 'Granted', decided_by = ${ctx.user.staffId},
      decided_at = ${ctx.now()} where id = any(${granted.map(({ id }) => id)}::integer[])`.execute(ctx.db);
    await deriveDays(ctx, granted);
    await auditSome(ctx, granted, 'granted');
    await tell(ctx, granted, 'granted');
  },
};

/** Late and half days of punches follow the leave. */
async function deriveDays(ctx: UserContext, rows: readonly Row[]) {
  for (const { staffId, fromDay, toDay } of rows) await derive(ctx, [staffId], fromDay, toDay);
}

const auditSome = (ctx: UserContext, rows: readonly Row[], act: 'granted' | 'rejected' | 'cancelled') =>
  auditAll(
    ctx,
    rows.map((row) => ({
      action: `workday-leave.${act}`,
      entity: 'staff',
      entityId: row.staffId,
      details: { days: showSpan(row) },
    })),
  );

/** Tells the people of the decision, in their own words: neither type nor reason. */
async function tell(ctx: UserContext, rows: readonly Row[], how: 'granted' | 'rejected') {
  const { rows: accounts } = await sql<{ id: number; staffId: number }>`select account.id, account.staff_id as "staffId"
    from sign_in_account account where account.staff_id = any(${rows.map(({ staffId }) => staffId)}::integer[])
      and account.is_staff and ${isOpenOn(toLocalDate(ctx.now()))}`.execute(ctx.db);
  await notifyEach(
    ctx,
    rows.flatMap((row) =>
      accounts
        .filter(({ staffId }) => staffId === row.staffId)
        .map(({ id }) => ({
          accountId: id,
          kind: 'workday.decided',
          text:
            how === 'granted'
              ? text`Your leave of ${{ days: showSpan(row) }} was granted.`
              : text`Your leave of ${{ days: showSpan(row) }} was rejected.`,
          path: profileOf(row.staffId),
        })),
    ),
  );
}
