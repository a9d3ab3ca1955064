import { sql } from 'kysely';
import { feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { lockYearForShare } from '#features/calendar/api.ts';
import { lockEnrollments } from '#features/student/api.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { showDate } from '#kit/contract/day.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { lockRuns, type NotDone, type RunBatch, type RunContext, startRun } from '#kit/server/job/runs.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { type PastAnswer, type PreviewedPlan, planApi } from '../../contract/plan.ts';
import { type Conceded, readConceded } from '../discount/conceded.ts';
import { type Child, readChildren } from './children.ts';
import {
  type DayRules,
  dueDay,
  hasPlan,
  type Plannable,
  type Proposed,
  propose,
  readDayRules,
  storePlans,
} from './make-plans.ts';
import { enrolmentsSelected } from './plan-list.ts';
import { readPrices, type YearPrices } from './read-prices.ts';

const kind = 'fee.allocate';
const path = '/school-erp/fee/fee-structure-allocation';
/** The most plans that a preview lists; its total has all. */
const mostShown = 100;

/** The prices of a year, and the concessions of its students. */
interface Year {
  prices: YearPrices;
  conceded: Conceded;
}

async function readYears(ctx: Pick<Context, 'db'>, children: readonly Child[]): Promise<Map<number, Year>> {
  const years = new Map<number, Year>();
  for (const [id, own] of Map.groupBy(children, ({ yearId }) => yearId)) {
    const prices = await readPrices(ctx, id);
    const students = own.map(({ studentId }) => studentId);
    years.set(id, { prices, conceded: await readConceded(ctx, prices, students) });
  }
  return years;
}

/** What each child would pay, computed in slices so that other requests are answered in between. */
async function proposeAll(years: ReadonlyMap<number, Year>, children: readonly Child[], rules: DayRules) {
  const proposed: Proposed[] = [];
  for (const [at, child] of children.entries()) {
    const year = years.get(child.yearId);
    if (year) proposed.push(propose(year.prices, child, rules, year.conceded));
    if (at % 50 === 49) await new Promise((done) => setImmediate(done));
  }
  return proposed;
}

/** How far ahead past instalments of a late plan may be due, or their fines begin. */
const mostDaysAhead = 31;

const isPlannable = (proposed: Proposed): proposed is Plannable => proposed.reason === undefined;

const allocate: Handler<typeof planApi.allocate> = (ctx, { selection, confirmToken, past, pastDay }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const last = await lockRuns(ctx, kind, isPreview);
    const ids = await enrolmentsSelected(ctx, selection);
    const children = await readChildren(
      ctx,
      sql`enrollment.id = any(${ids}::integer[]) and ${inScope(ctx.user, feeWriters, { branch: sql`enrollment.branch_id` })}`,
    );
    const years = await readYears(ctx, children);
    const rules = await readDayRules(ctx);
    const proposed = await proposeAll(years, children, rules);
    const plans = proposed.filter(isPlannable);
    const skipped = proposed.flatMap(({ child, reason }) =>
      reason ? [{ id: child.enrollmentId, name: child.name, reason }] : [],
    );
    const answer = past === '' ? undefined : { past, pastDay };
    const days = (plan: Plannable) => daysOf(plan, years, rules, answer);
    const pastDues = plans.flatMap((plan) => days(plan).filter(({ isPast }) => isPast));
    const amount = pastDues.reduce((sum, { net }) => sum + net, 0);
    if (pastDues.length > 0 && !answer)
      throw fieldRefusal(
        'past',
        text(
          {
            message:
              '{count, plural, one {# instalment} other {# instalments}} of {amount} are past. Choose when they are due.',
          },
          { count: pastDues.length, amount: showMoney(amount) },
        ),
      );
    const lastDay = addDays(rules.today, mostDaysAhead);
    if (pastDay > lastDay) throw fieldRefusal('pastDay', text`Choose ${{ day: showDate(lastDay) }} or an earlier day.`);
    const nets = Object.fromEntries(plans.map(({ child, net }) => [child.enrollmentId, net]));
    const runId =
      isPreview || plans.length === 0
        ? null
        : await startRun(ctx, {
            kind,
            input: { answer: answer ?? null, nets, staffId: ctx.user.staffId } satisfies Input,
            rows: plans.map(({ child }) => ({ id: child.enrollmentId, name: child.name })),
            told: { title: text`Make fee plans`, path },
            access: planApi.allocate.access,
          });
    return {
      answer: {
        changed: plans.length,
        skipped: skipped.slice(0, mostSkippedShown),
        skippedCount: skipped.length,
        runId,
        total: plans.reduce((sum, { net }) => sum + net, 0),
        past: { count: pastDues.length, amount },
        rows: plans.slice(0, mostShown).map((plan) => rowOf(plan, days(plan))),
      },
      basis: [selection, past, pastDay, last, nets, skipped.map(({ id, reason }) => [id, reason.id])],
      isRefused: plans.length === 0,
    };
  });

const daysOf = (
  { child, dues }: Plannable,
  years: ReadonlyMap<number, Year>,
  rules: DayRules,
  past: PastAnswer | undefined,
) => {
  const year = years.get(child.yearId)?.prices.year;
  return dues.map((due) => ({
    net: due.net,
    ...dueDay(due, { joinedOn: child.joinedOn, year: year ?? { startsOn: child.joinedOn, endsOn: '' } }, rules, past),
  }));
};

function rowOf({ child, structure, dues, net }: Plannable, days: readonly { dueOn: string }[]): PreviewedPlan {
  const sum = (of: 'gross' | 'proRata' | 'concession') => dues.reduce((total, due) => total + due[of], 0);
  return {
    id: child.enrollmentId,
    name: child.name,
    grNo: child.grNo,
    place: child.place,
    joinedOn: child.joinedOn,
    structure: structure.name,
    gross: sum('gross'),
    proRata: sum('proRata'),
    concession: sum('concession'),
    net,
    firstDue: days.map(({ dueOn }) => dueOn).toSorted()[0] ?? '',
  };
}

interface Input {
  answer: PastAnswer | null;
  /** What the preview showed, by enrolment. */
  nets: Record<number, number>;
  staffId: number;
}

const outOfReach = text`Is in a branch that the person who started this does not reach.`;
const isClosed = text`The academic year is closed.`;

/** Makes the plans of a run, fifty at a time. A child whose amount differs from the preview's is skipped. */
const makePlans: RunBatch = {
  most: 50,
  act: async (ctx: RunContext, ids, { answer, nets, staffId }: Input) => {
    const { rows: years } = await sql<{ id: number; status: string }>`select distinct year.id, year.status
      from student_enrollment enrollment join academic_year year on year.id = enrollment.academic_year_id
      where enrollment.id = any(${ids}::integer[]) order by year.id`.execute(ctx.db);
    for (const { id } of years) await lockYearForShare(ctx, id);
    await lockEnrollments(ctx, ids);
    const reach = ctx.starter ? inScope(ctx.starter, feeWriters, { branch: sql`enrollment.branch_id` }) : sql`true`;
    const children = await readChildren(ctx, sql`enrollment.id = any(${ids}::integer[]) and ${reach}`);
    const known = await readYears(ctx, children);
    const rules = await readDayRules(ctx);
    const closed = new Set(years.filter(({ status }) => status === 'Closed').map(({ id }) => id));
    const proposed = await proposeAll(known, children, rules);
    const notDone = new Map<number, NotDone>(ids.map((id) => [id, { status: 'Skipped', reason: outOfReach }]));
    const made = proposed.filter((one): one is Plannable => {
      const { enrollmentId, yearId } = one.child;
      const before = nets[enrollmentId] ?? 0;
      const reason = closed.has(yearId)
        ? isClosed
        : (one.reason ??
          (one.net === before
            ? undefined
            : text`Now ${{ now: showMoney(one.net) }} instead of ${{ before: showMoney(before) }}. Preview again.`));
      if (reason) notDone.set(enrollmentId, { status: 'Skipped', reason });
      else notDone.delete(enrollmentId);
      return !reason;
    });
    const by = { staffId, runId: ctx.run, actor: ctx.actor };
    for (const [yearId, ofYear] of Map.groupBy(made, ({ child }) => child.yearId)) {
      const year = known.get(yearId);
      if (!year) continue;
      const plans = await storePlans(ctx, year.prices, ofYear, { rules, past: answer ?? undefined, by });
      for (const { child } of ofYear)
        if (!plans.has(child.enrollmentId)) notDone.set(child.enrollmentId, { status: 'Skipped', reason: hasPlan });
    }
    return notDone;
  },
};

const mostRuns = 50;

const runs: Handler<typeof planApi.runs> = async ({ db, user }) => {
  const { rows } = await sql<{
    id: number;
    title: Text;
    actor: string;
    isOwn: boolean;
    started_at: Date;
    isFinished: boolean;
    total: number;
    done: number;
    skipped: number;
    failed: number;
  }>`select run.id, title, actor, coalesce(account_id = ${user.id}, false) as "isOwn", started_at,
      finished_at is not null as "isFinished", total, result.*
    from run cross join lateral (select count(*) filter (where status = 'Done')::integer as done,
      count(*) filter (where status = 'Skipped')::integer as skipped,
      count(*) filter (where status = 'Failed')::integer as failed from run_row where run_id = run.id) as result
    where kind like 'fee.%' order by run.id desc limit ${mostRuns}`.execute(db);
  return { rows: rows.map(({ started_at, ...row }) => ({ ...row, startedAt: started_at.toISOString() })) };
};

export const allocationRuns = { [kind]: makePlans };
export { allocate, runs };
