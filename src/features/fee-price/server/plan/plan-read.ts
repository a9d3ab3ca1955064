import { sql } from 'kysely';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import type { FeePlan, PlannedDue, planApi } from '../../contract/plan.ts';
import { waitingReliefs } from '../control/relief.ts';
import { readChildren } from './children.ts';

/** The enrolments of a student in the branches that the user reaches, the latest year first. Throws `not_found`. */
async function enrolmentsOf(ctx: UserContext, studentId: number) {
  const found = await readChildren(
    ctx,
    sql`enrollment.student_id = ${studentId} and enrollment.is_standing
      and ${inScope(ctx.user, feeReaders, { branch: sql`enrollment.branch_id` })}`,
  );
  if (found.length === 0) throw new AppError('not_found', notFoundMessage);
  return found.toReversed();
}

export const readPlan: Handler<typeof planApi.read> = async (ctx, { id, yearId }) => {
  const enrolments = await enrolmentsOf(ctx, id);
  const { rows: years } = await sql<{ id: number; name: string; isCurrent: boolean; isClosed: boolean }>`
    select year.id, year.name, year.id = academic_year_on(${toLocalDate(ctx.now())}::date) as "isCurrent",
      year.status = 'Closed' as "isClosed" from academic_year year
    where year.id = any(${enrolments.map((one) => one.yearId)}::integer[]) order by year.starts_on desc`.execute(
    ctx.db,
  );
  const year = years.find((one) => String(one.id) === yearId) ?? years.find(({ isCurrent }) => isCurrent) ?? years[0];
  const child = enrolments.find((one) => one.yearId === year?.id);
  if (!year || !child) throw new AppError('not_found', notFoundMessage);
  const { isClosed } = year;
  const { rows: plans } = await sql<{ id: number; version: number; joinedOn: string; leftOn: string | null }>`
    select plan.id, plan.version, joined_on as "joinedOn", left_on as "leftOn" from fee_plan plan
    join fee_account account on account.id = plan.account_id
    where account.student_id = ${id} and plan.academic_year_id = ${year.id} and plan.status = 'Active'
    order by plan.id desc`.execute(ctx.db);
  const [plan] = plans;
  const planIds = plans.map((one) => one.id);
  const { rows: dues } = await sql<PlannedDue>`
    select due.id, fee_head_id as "feeHeadId", head.name as head, label, period_from as "from", due_on as "dueOn", gross,
      due.pro_rata as "proRata", concession, net, paid, (select coalesce(jsonb_agg(jsonb_build_object('id', entry.id,
        'kind', entry.kind, 'entryDate', entry_date, 'amount', entry.amount) order by entry.id), '[]')
        from fee_ledger_entry entry where entry.due_id = due.id) as entries
    from fee_due due join fee_head head on head.id = due.fee_head_id
    where plan_id = any(${planIds}::integer[]) order by due_on, head.priority, due.id`.execute(ctx.db);
  const { rows: options } = await sql<FeePlan['options'][number]>`
    select distinct head.id as "feeHeadId", head.name as head, exists (select from fee_plan_option option
      where option.plan_id = stage.plan_id and option.fee_head_id = head.id and option.to_month = 11) as "isChosen"
    from fee_plan_stage stage join fee_head head on head.id = stage.fee_head_id and head.is_optional
    where stage.plan_id = ${plan?.id ?? null} order by head.name`.execute(ctx.db);
  const { rows: changes } = await sql<{
    id: number;
    at: Date;
    kind: string;
    effectiveFrom: string;
    reason: string;
    total: number;
    by: string;
  }>`select change.id, at, kind, effective_from as "effectiveFrom", reason, total, coalesce(staff.name, '') as by
    from fee_plan_change change left join staff on staff.id = change.staff_id
    where plan_id = any(${planIds}::integer[]) order by change.id desc limit 50`.execute(ctx.db);
  const waiting = await waitingReliefs(ctx, planIds);
  return {
    waiting,
    studentId: id,
    name: child.name,
    grNo: child.grNo,
    place: child.place,
    years: years.map(({ id: own, name }) => ({ id: own, name })),
    yearId: year.id,
    planId: plan?.id ?? null,
    version: plan?.version ?? 0,
    joinedOn: plan?.joinedOn ?? '',
    leftOn: plan?.leftOn ?? '',
    dues,
    options,
    may: { change: plan !== undefined && plan.leftOn === null && !isClosed && isGranted(feeWriters, ctx.user) },
    changes: changes.map(({ at, ...change }) => ({ ...change, at: at.toISOString() })),
  };
};
