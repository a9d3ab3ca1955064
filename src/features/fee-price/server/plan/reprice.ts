import { sql } from 'kysely';
import { feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { lockOpenYear, lockYearForShare } from '#features/calendar/api.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { showDate } from '#kit/contract/day.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { lockRuns, type NotDone, type RunBatch, type RunContext, startRun } from '#kit/server/job/runs.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { daysOf } from '../../contract/months.ts';
import { price } from '../../contract/plan/plan-price.ts';
import { monthIndex } from '../../contract/plan/price.ts';
import { planApi } from '../../contract/plan.ts';
import { weigh } from '../control/lowering.ts';
import { type Conceded, readConceded } from '../discount/conceded.ts';
import { type Child, readChildren } from './children.ts';
import { type DayRules, readDayRules } from './make-plans.ts';
import { differ, standingDues } from './post.ts';
import { headsFor, readPrices, type Stage, type YearPrices } from './read-prices.ts';
import { factsOf, postPlans, readPlans, type StoredPlan } from './stored-plans.ts';

const kind = 'fee.reprice';

/** A published version, and the versions that it replaced. */
async function readVersions({ db }: Pick<Context, 'db'>, structureId: number) {
  const { rows } = await sql<{ id: number }>`with recursive way as (
      select id, replaces_id from fee_structure where id = ${structureId}
      union all select older.id, older.replaces_id from fee_structure older join way on older.id = way.replaces_id)
    select id from way where id <> ${structureId}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

type Standing = NonNullable<ReturnType<Awaited<ReturnType<typeof standingDues>>['get']>>;

interface Change {
  prices: YearPrices;
  structureId: number;
  older: ReadonlySet<number>;
  /** Periods that begin on this day or later take the new prices. */
  from: string;
}

/**
 * The stages that give a plan the new prices: for each period that begins in time and of which nothing is paid. A paid
 * period between such periods goes back to the old prices. A head whose instalments differ keeps its prices this year.
 */
function newStages(
  { prices, structureId, older, from }: Change,
  plan: StoredPlan,
  dues: Standing,
  child: Child,
): Stage[] {
  const structure = prices.structures.get(structureId);
  if (!structure) return [];
  const isPaid = new Set(
    dues.filter(({ paid }) => paid > 0).map((due) => `${due.feeHeadId} ${due.frequencyId} ${due.seq}`),
  );
  const inForce = (feeHeadId: number, month: number) =>
    plan.stages.findLast((stage) => stage.feeHeadId === feeHeadId && stage.fromMonth <= month)?.structureId ?? 0;
  const lineOf = (id: number, feeHeadId: number) =>
    prices.structures.get(id)?.lines.find((line) => line.feeHeadId === feeHeadId);
  const stages: Stage[] = [];
  const own = [...new Set(plan.stages.map(({ feeHeadId }) => feeHeadId))];
  for (const feeHeadId of own) {
    const before = older.has(inForce(feeHeadId, 11)) ? lineOf(inForce(feeHeadId, 11), feeHeadId) : undefined;
    const after = lineOf(structureId, feeHeadId);
    if (!before || (after && (after.frequencyId !== before.frequencyId || after.months !== before.months))) continue;
    let isNew = false;
    for (const row of prices.frequencies.get(before.frequencyId)?.rows ?? []) {
      const old = inForce(feeHeadId, row.fromMonth);
      const takesNew =
        older.has(old) &&
        daysOf(prices.year, row).from >= from &&
        !isPaid.has(`${feeHeadId} ${before.frequencyId} ${row.seq}`);
      if (takesNew !== isNew)
        stages.push({ feeHeadId, fromMonth: row.fromMonth, structureId: takesNew ? structureId : old });
      isNew = takesNew;
    }
  }
  const first = Math.max(0, monthIndex(prices.year, from) + (from.endsWith('-01') ? 0 : 1));
  const added = headsFor(prices, structure, child, new Set(child.charged)).filter(({ id }) => !own.includes(id));
  if (first > 11) return stages;
  return [...stages, ...added.map(({ id }) => ({ feeHeadId: id, fromMonth: first, structureId }))];
}

interface Repriced {
  plan: StoredPlan;
  child: Child;
  stages: Stage[];
  total: number;
  net: number;
  /** Dues that begin in time and keep their price, since something is paid on them. */
  kept: { count: number; amount: number };
}

interface World extends Change {
  rules: DayRules;
  conceded: Conceded;
  children: readonly Child[];
  standing: Awaited<ReturnType<typeof standingDues>>;
}

function reprice(world: World, plan: StoredPlan): Repriced[] {
  const child = world.children.find(({ studentId }) => studentId === plan.studentId);
  const dues = world.standing.get(plan.planId) ?? [];
  const stages = child ? newStages(world, plan, dues, child) : [];
  if (!child || stages.length === 0) return [];
  const isReplaced = (one: Stage) =>
    stages.some(({ feeHeadId, fromMonth }) => feeHeadId === one.feeHeadId && fromMonth === one.fromMonth);
  const all = [...plan.stages.filter((one) => !isReplaced(one)), ...stages];
  const changed = { ...plan, stages: all };
  const priced = price(factsOf(world.prices, changed, world.rules, world.conceded));
  const { total } = differ(priced, dues);
  const paid = dues.filter((due) => due.paid > 0 && due.from >= world.from);
  return [
    {
      plan: changed,
      child,
      stages,
      total,
      net: priced.filter(({ months }) => months.length > 0).reduce((sum, { net }) => sum + net, 0),
      kept: { count: paid.length, amount: paid.reduce((sum, { net }) => sum + net, 0) },
    },
  ];
}

/** The plans on replaced versions, or those of them with these ids. */
async function readWorld(
  ctx: Context,
  change: Change,
  reach: ReturnType<typeof inScope>,
  ids: readonly number[] | null,
) {
  const plans = await readPlans(
    ctx,
    sql`plan.status = 'Active' and plan.left_on is null and plan.academic_year_id = ${change.prices.year.id}
      and (${ids}::integer[] is null or plan.id = any(${ids}::integer[]))
      and exists (select from fee_plan_stage stage where stage.plan_id = plan.id
        and stage.structure_id = any(${[...change.older]}::integer[]))
      and exists (select from student_enrollment enrollment where enrollment.student_id = account.student_id
        and enrollment.academic_year_id = plan.academic_year_id and enrollment.is_standing and ${reach})`,
    ids !== null,
  );
  const students = plans.map(({ studentId }) => studentId);
  const world: World = {
    ...change,
    rules: await readDayRules(ctx),
    conceded: await readConceded(ctx, change.prices, students),
    children: await readChildren(
      ctx,
      sql`enrollment.student_id = any(${students}::integer[]) and enrollment.is_standing
        and enrollment.academic_year_id = ${change.prices.year.id}`,
    ),
    standing: await standingDues(
      ctx,
      plans.map(({ planId }) => planId),
    ),
  };
  const repriced: Repriced[] = [];
  for (const [at, plan] of plans.entries()) {
    repriced.push(...reprice(world, plan));
    if (at % 50 === 49) await new Promise((done) => setImmediate(done));
  }
  return { world, repriced };
}

async function readStructure({ db, user }: UserContext, id: number) {
  return db
    .selectFrom('fee_structure as structure')
    .where('id', '=', id)
    .where('status', '=', 'Published')
    .where(inScope(user, feeWriters, { branch: sql`structure.branch_id` }))
    .select(['id', 'name', 'academic_year_id as yearId', 'valid_from as validFrom'])
    .executeTakeFirstOrThrow(notFound);
}

export const repricePlans: Handler<typeof planApi.reprice> = (ctx, { structureId, effectiveFrom, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const last = await lockRuns(ctx, kind, isPreview);
    const { yearId, validFrom } = await readStructure(ctx, structureId);
    if (validFrom !== null && effectiveFrom < validFrom)
      throw fieldRefusal('effectiveFrom', text`These prices are valid from ${{ day: showDate(validFrom) }}.`);
    await lockOpenYear(ctx, yearId, 'money');
    const change: Change = {
      prices: await readPrices(ctx, yearId),
      structureId,
      older: await readVersions(ctx, structureId),
      from: effectiveFrom,
    };
    const reach = inScope(ctx.user, feeWriters, { branch: sql`enrollment.branch_id` });
    const { repriced } = await readWorld(ctx, change, reach, null);
    const changed = repriced.filter(({ total }) => total !== 0);
    const skipped = repriced
      .filter(({ total }) => total === 0)
      .map(({ plan, child }) => ({ id: plan.planId, name: child.name, reason: text`The amount doesn’t change.` }));
    const nets = Object.fromEntries(changed.map(({ plan, net }) => [plan.planId, net]));
    const input: Input = { structureId, from: effectiveFrom, nets, staffId: ctx.user.staffId };
    const runId =
      isPreview || changed.length === 0
        ? null
        : await startRun(ctx, {
            kind,
            input,
            rows: changed.map(({ plan, child }) => ({ id: plan.planId, name: child.name })),
            told: { title: text`Apply new prices`, path: '/school-erp/fee/fee-structure-allocation' },
            access: planApi.reprice.access,
          });
    const sum = (of: (one: Repriced) => number) => repriced.reduce((total, one) => total + of(one), 0);
    return {
      answer: {
        changed: changed.length,
        skipped: skipped.slice(0, mostSkippedShown),
        skippedCount: skipped.length,
        runId,
        total: sum(({ total }) => total),
        kept: { count: sum(({ kept }) => kept.count), amount: sum(({ kept }) => kept.amount) },
      },
      basis: [structureId, effectiveFrom, last, nets],
      isRefused: changed.length === 0,
    };
  });

interface Input {
  structureId: number;
  from: string;
  /** What the preview showed, by plan. */
  nets: Record<number, number>;
  staffId: number;
}

const gone = text`The plan has ended, has these prices, or is in a branch that you don’t reach.`;

const repriceSome: RunBatch = {
  most: 50,
  act: async (ctx: RunContext, ids, { structureId, from, nets, staffId }: Input) => {
    const { yearId } = await ctx.db
      .selectFrom('fee_structure')
      .where('id', '=', structureId)
      .select('academic_year_id as yearId')
      .executeTakeFirstOrThrow();
    await lockYearForShare(ctx, yearId);
    const prices = await readPrices(ctx, yearId);
    const change: Change = { prices, structureId, older: await readVersions(ctx, structureId), from };
    const reach = ctx.starter
      ? inScope(ctx.starter, feeWriters, { branch: sql`enrollment.branch_id` })
      : sql<boolean>`true`;
    const { world, repriced } = await readWorld(ctx, change, reach, ids);
    const notDone = new Map<number, NotDone>(ids.map((id) => [id, { status: 'Skipped', reason: gone }]));
    const changes = repriced.map(({ plan, stages }) => ({
      plan,
      kind: 'Prices' as const,
      effectiveFrom: from,
      stages,
    }));
    const weighed = await weigh(ctx, prices, changes, world);
    const lowered = new Set(weighed.flatMap(({ change, isAllowed }) => (isAllowed ? [] : change.plan.planId)));
    const made = repriced.filter(({ plan, net }) => {
      const before = nets[plan.planId] ?? 0;
      if (net === before && !lowered.has(plan.planId)) return notDone.delete(plan.planId);
      const reason =
        net === before
          ? text`A lower price counts only if a second person has published it.`
          : text`Now ${{ now: showMoney(net) }} instead of ${{ before: showMoney(before) }}. Preview again.`;
      notDone.set(plan.planId, { status: 'Skipped', reason });
      return false;
    });
    await postPlans(
      ctx,
      prices,
      made.map(({ plan, stages }) => ({ plan, kind: 'Prices', effectiveFrom: from, stages })),
      { rules: world.rules, conceded: world.conceded, by: { staffId, runId: ctx.run } },
    );
    await auditAll(
      ctx,
      made.map(({ plan, net }) => ({
        actor: ctx.actor,
        action: 'fee-plan.repriced',
        entity: 'fee_plan',
        entityId: plan.planId,
        details: { From: from, Paise: net },
      })),
    );
    return notDone;
  },
};

export const repriceRuns = { [kind]: repriceSome };
