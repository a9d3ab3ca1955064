import { sql } from 'kysely';
import { requestApproval, withdrawApproval } from '#features/approval/api.ts';
import { AppError } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { ActingContext, UserContext } from '#kit/server/context.ts';
import { audit, auditAll } from '#kit/server/security/audit.ts';
import { reliefMessages, type WaitingRelief } from '../../contract/relief.ts';
import type { PlanChange } from '../plan/post.ts';
import type { Chosen, MonthCharge, Stage } from '../plan/read-prices.ts';
import type { ChangedPlan, StoredPlan } from '../plan/stored-plans.ts';
import { actorOf } from './lowering.ts';

/** A kind of change that a second person decides where the user may not lower fees at once. */
export type ReliefKind = Exclude<PlanChange['kind'], 'Made' | 'Prices' | 'Concession'> | 'Due day';

/** Which facts of a plan a kind changes. The newest request about them replaces an older one. */
const partOf = (kind: ReliefKind) => {
  if (kind === 'Due day') return 'due day';
  if (kind === 'Transport') return 'months';
  if (kind === 'Option') return 'options';
  return kind === 'Grade' || kind === 'Category' || kind === 'Branch' ? 'stages' : 'days';
};

/** The new facts of a plan, as far as the change is about them. */
export interface ReliefFacts {
  status?: string;
  leftOn?: string | null;
  keeps?: string[];
  stages?: readonly Stage[];
  months?: readonly MonthCharge[];
  options?: readonly Chosen[];
  dueDay?: { dueOn: string; newDay: string };
  /** The account is settled with it, since the student left. */
  settles?: boolean;
}

/** The facts to keep of a changed plan. */
const factsIn = ({ plan, kind, stages = [] }: ChangedPlan): ReliefFacts => {
  const part = partOf(kind as ReliefKind);
  if (part === 'stages') return { stages };
  if (part === 'months') return { months: plan.months };
  return part === 'options'
    ? { options: plan.options }
    : { status: plan.status, leftOn: plan.leftOn, keeps: plan.keeps };
};

/** A stage from the same month replaces the earlier one. */
const withStages = (standing: readonly Stage[], added: readonly Stage[]): Stage[] => [
  ...standing.filter(
    (one) => !added.some(({ feeHeadId, fromMonth }) => feeHeadId === one.feeHeadId && fromMonth === one.fromMonth),
  ),
  ...added,
];

/** A plan with the facts that were kept. */
export const withFacts = (
  plan: StoredPlan,
  { stages, months, options, status, leftOn, keeps }: ReliefFacts,
): StoredPlan => ({
  ...plan,
  ...(status !== undefined && { status, leftOn: leftOn ?? null, keeps: keeps ?? [] }),
  ...(stages && { stages: withStages(plan.stages, stages) }),
  ...(months && { months: [...months] }),
  ...(options && { options: [...options] }),
});

interface Relief {
  plan: Pick<StoredPlan, 'planId' | 'studentId' | 'yearId'>;
  kind: ReliefKind;
  facts: ReliefFacts;
  effectiveFrom: string;
  lowers: number;
  reason: string;
  settles?: boolean;
}

/** The request of a change that is held back. */
export const reliefOf = (change: ChangedPlan, lowers: number): Relief => ({
  plan: change.plan,
  kind: change.kind as ReliefKind,
  facts: factsIn(change),
  effectiveFrom: change.effectiveFrom,
  lowers,
  reason: change.reason ?? '',
});

/** Asks a second person for each change that lowers fees, and leaves the plan unchanged. Returns the request of each plan. */
export async function askReliefs(ctx: ActingContext, reliefs: readonly Relief[]): Promise<Map<number, number>> {
  const asked = new Map<number, number>();
  const user = actorOf(ctx);
  if (!user || reliefs.length === 0) return asked;
  const acting: UserContext = { ...ctx, user };
  const branches = await branchesOf(acting, reliefs);
  for (const [part, own] of Map.groupBy(reliefs, ({ kind }) => partOf(kind)))
    await dropReliefs(
      acting,
      own.map(({ plan }) => plan.planId),
      part,
    );
  const rows = reliefs.map(({ plan, kind, facts, settles = false, ...own }) => ({
    ...own,
    planId: plan.planId,
    kind,
    part: partOf(kind),
    facts: { ...facts, ...(settles && { settles }) },
  }));
  const { rows: made } = await sql<{ id: number; planId: number }>`
    insert into fee_relief (plan_id, kind, part, facts, effective_from, lowers, reason, asked_by, asked_at)
    select "planId", kind, part, facts, "effectiveFrom", lowers, reason, ${user.staffId}, ${ctx.now()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as relief ("planId" integer, kind text, part text, facts jsonb,
      "effectiveFrom" date, lowers bigint, reason text)
    returning id, plan_id as "planId"`.execute(ctx.db);
  for (const { id, planId } of made) asked.set(planId, id);
  await auditAll(
    ctx,
    reliefs.map(({ plan, kind, effectiveFrom, lowers, reason }) => ({
      action: 'fee-relief.asked',
      entity: 'fee_relief',
      entityId: asked.get(plan.planId) ?? 0,
      version: 1,
      details: { Change: kind, From: effectiveFrom, Less: showMoney(lowers), ...(reason && { Reason: reason }) },
    })),
  );
  // Each is a request of its own, with its bell.
  for (const { plan, kind, lowers, reason } of reliefs)
    await requestApproval(acting, {
      kind: 'fee.relief',
      subjectId: asked.get(plan.planId) ?? 0,
      branchId: branches.get(plan.planId) ?? null,
      studentId: plan.studentId,
      title: reliefTitles[kind],
      amount: lowers,
      reason,
    });
  return asked;
}

const reliefTitles: Record<ReliefKind, Text> = {
  Left: text`Lower fees: student left`,
  Back: text`Lower fees: student came back`,
  Grade: text`Lower fees: other grade`,
  Category: text`Lower fees: other category`,
  Branch: text`Lower fees: other branch`,
  Transport: text`Lower fees: transport`,
  Option: text`Lower fees: optional head`,
  'Due day': text`Later due day`,
  Withdrawn: text`Withdraw a fee plan`,
};

async function branchesOf({ db }: ActingContext, reliefs: readonly Relief[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ planId: number; branchId: number }>`
    select distinct on (plan.id) plan.id as "planId", enrollment.branch_id as "branchId"
    from fee_plan plan join fee_account account on account.id = plan.account_id
    join student_enrollment enrollment on enrollment.student_id = account.student_id
      and enrollment.academic_year_id = plan.academic_year_id
    where plan.id = any(${reliefs.map(({ plan }) => plan.planId)}::integer[])
    order by plan.id, enrollment.is_standing desc, enrollment.id desc`.execute(db);
  return new Map(rows.map(({ planId, branchId }) => [planId, branchId]));
}

/** Withdraws what waits on plans about the same facts, since they changed again. */
export async function dropReliefs(ctx: ActingContext, planIds: readonly number[], part: ReturnType<typeof partOf>) {
  const user = actorOf(ctx);
  if (!user) return;
  const { rows } = await sql<{ id: number }>`update fee_relief set status = 'Withdrawn', version = version + 1
    where plan_id = any(${planIds}::integer[]) and part = ${part} and status = 'Asked' returning id`.execute(ctx.db);
  // One at most for each plan.
  for (const { id } of rows) {
    await withdrawApproval({ ...ctx, user }, { kind: 'fee.relief', subjectId: id });
    await audit(ctx, { action: 'fee-relief.withdrawn', entity: 'fee_relief', entityId: id });
  }
}

/** Refuses an act on a plan while a change of the same facts waits for a second person. */
export async function requireNoRelief({ db }: ActingContext, planId: number, kind: ReliefKind): Promise<void> {
  const { rows } = await sql`select from fee_relief where plan_id = ${planId} and part = ${partOf(kind)}
    and status = 'Asked'`.execute(db);
  if (rows.length > 0) throw new AppError('conflict', reliefMessages.waits);
}

/** The changes of plans that wait for a second person. */
export async function waitingReliefs({ db }: Pick<UserContext, 'db'>, planIds: readonly number[]) {
  const { rows } = await sql<WaitingRelief>`
    select own.id, own.kind, effective_from as "effectiveFrom", lowers, coalesce(facts->'dueDay'->>'dueOn', '') as "dueOn",
      reason, staff.name as "askedBy", asked_at::date::text as "askedOn"
    from fee_relief own join staff on staff.id = own.asked_by
    where plan_id = any(${planIds}::integer[]) and own.status = 'Asked' order by own.id`.execute(db);
  return rows;
}
