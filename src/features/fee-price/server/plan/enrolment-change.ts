import { sql } from 'kysely';
import type { EnrolmentChange } from '#features/student/contract/hooks.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { ActingContext, Context } from '#kit/server/context.ts';
import { readSetting } from '#kit/server/settings.ts';
import { monthOfChange } from '../../contract/plan/price.ts';
import { actorOf, weigh } from '../control/lowering.ts';
import { askReliefs, dropReliefs, reliefOf } from '../control/relief.ts';
import { readConceded } from '../discount/conceded.ts';
import { noShowKeeps } from '../settings.ts';
import { type Child, readChildren } from './children.ts';
import { type DayRules, readDayRules } from './make-plans.ts';
import type { Posted } from './post.ts';
import { headsFor, readPrices, type Stage, structureFor, type YearPrices } from './read-prices.ts';
import { storeDays } from './store-facts.ts';
import { type ChangedPlan, postPlans, readPlans, type StoredPlan } from './stored-plans.ts';

/** The categories of heads that each choice of the setting keeps. */
const keptOf = { Nothing: [], 'Admission fee': ['Admission'], 'Admission fee and deposit': ['Admission', 'Deposit'] };

/** What the answer to a change keeps of a plan, for an enrolment that comes back. */
export interface KeptPlan {
  planId: number | null;
  /** The request of a second person that the change waits for. */
  reliefId?: number;
  /** The change to which the settlement of the account belongs. */
  changeId?: number;
}

/** What each change of an enrolment costs in the plans of its year. The accounts are locked. */
export async function changePlans(ctx: ActingContext, changes: readonly EnrolmentChange[]) {
  const byYear = Map.groupBy(changes, ({ yearId }) => yearId);
  const answers = [];
  for (const [yearId, ofYear] of [...byYear].toSorted(([one], [other]) => one - other))
    answers.push(await changeYear(ctx, yearId, ofYear));
  return {
    texts: answers.flatMap(({ texts }) => texts),
    basis: answers.map(({ basis }) => basis),
    each: answers.flatMap(({ each }) => each),
    kept: Object.assign({}, ...answers.map((one) => one.kept)) as Record<number, KeptPlan>,
  };
}

/** All accounts of an act are locked at once, in the order of their ids. */
export const lockAccountsOf = ({ db }: Pick<Context, 'db'>, changes: readonly EnrolmentChange[]) =>
  sql`select id from fee_account where student_id = any(${changes.map(({ studentId }) => studentId)}::integer[])
    order by id for update`.execute(db);

async function changeYear(ctx: ActingContext, yearId: number, changes: readonly EnrolmentChange[]) {
  const students = changes.map(({ studentId }) => studentId);
  const plans = await readPlans(
    ctx,
    sql`account.student_id = any(${students}::integer[]) and plan.academic_year_id = ${yearId}`,
  );
  const hasPlan = (student: number) =>
    plans.some(({ studentId, status, leftOn }) => studentId === student && status === 'Active' && leftOn === null);
  const joined = changes.filter(({ kind, studentId }) => kind === 'joined' && !hasPlan(studentId)).length;
  if (plans.length === 0) {
    const texts = joined > 0 && (await hasPrices(ctx, yearId)) ? [withoutPlan(joined)] : [];
    return { texts, basis: [], kept: {}, each: [] };
  }
  const prices = await readPrices(ctx, yearId);
  const rules = await readDayRules(ctx);
  const children = await readChildren(
    ctx,
    sql`enrollment.student_id = any(${students}::integer[]) and enrollment.academic_year_id = ${yearId}`,
  );
  const keeps = keptOf[(await readSetting(ctx, noShowKeeps)) as keyof typeof keptOf] ?? [];
  const changed = changes.flatMap((change) => changedPlan({ prices, rules, plans, children, keeps }, change));
  const conceded = await readConceded(ctx, prices, students);
  const weighed = await weigh(ctx, prices, changed, { rules, conceded });
  const atOnce = weighed.filter(({ isAllowed }) => isAllowed).map(({ change }) => change);
  const held = weighed.filter(({ isAllowed }) => !isAllowed);
  await dropOlder(ctx, changes, plans, atOnce);
  const reliefs = await askReliefs(
    ctx,
    held.map(({ change, lowers }) => ({
      ...reliefOf(change, lowers),
      settles: changes.some(({ kind, studentId }) => kind === 'left' && studentId === change.plan.studentId),
    })),
  );
  await storeDays(
    ctx,
    atOnce.map(({ plan }) => plan),
  );
  const by = { staffId: actorOf(ctx)?.staffId ?? null, runId: null };
  const posted = await postPlans(ctx, prices, atOnce, { rules, conceded, by });
  return {
    texts: [
      ...(joined > 0 ? [withoutPlan(joined)] : []),
      ...wordsOfEnded(
        changed.flatMap(({ plan, kind }) => (kind === 'Withdrawn' ? (posted.get(plan.planId) ?? []) : [])),
      ),
      ...changed.flatMap(({ plan, kind }) => (kind === 'Withdrawn' ? [] : wordsOf(posted.get(plan.planId)))),
      ...held.map(({ lowers }) => text`${{ amount: showMoney(lowers) }} less once a second person approves.`),
    ],
    each: changed.flatMap(({ plan, kind }) =>
      kind === 'Withdrawn' && posted.has(plan.planId)
        ? [{ studentId: plan.studentId, text: endsPlan(-(posted.get(plan.planId)?.total ?? 0)) }]
        : [],
    ),
    basis: changed.map(({ plan, kind, effectiveFrom }) => {
      const { changeId: _, ...sums } = posted.get(plan.planId) ?? { changeId: 0 };
      return [plan.planId, kind, effectiveFrom, sums];
    }),
    kept: Object.fromEntries(
      changes
        .filter(({ kind }) => kind === 'left' || kind === 'cancelled')
        .flatMap(({ studentId, enrollmentId }) => {
          const own = changed.find(({ plan }) => plan.studentId === studentId);
          const changeId = own && posted.get(own.plan.planId)?.changeId;
          const reliefId = own && reliefs.get(own.plan.planId);
          const more = { ...(changeId && { changeId }), ...(reliefId && { reliefId }) };
          return own ? [[enrollmentId, { planId: own.plan.planId, ...more } satisfies KeptPlan]] : [];
        }),
    ),
  };
}

/** What waits about facts that have changed again is withdrawn: of a child who is back or enrolled again, and where the new facts apply at once. */
async function dropOlder(
  ctx: ActingContext,
  changes: readonly EnrolmentChange[],
  plans: readonly StoredPlan[],
  atOnce: readonly ChangedPlan[],
) {
  const isBack = ({ kind }: EnrolmentChange) => kind === 'back' || kind === 'joined';
  const back = new Set(changes.filter(isBack).map(({ studentId }) => studentId));
  const ofBack = plans.filter(({ studentId }) => back.has(studentId)).map(({ planId }) => planId);
  const priced = atOnce.filter(({ stages = [] }) => stages.length > 0).map(({ plan }) => plan.planId);
  await dropReliefs(ctx, ofBack, 'days');
  await dropReliefs(ctx, priced, 'stages');
}

const withoutPlan = (n: number) =>
  text({ message: '{n, plural, one {# student has} other {# students have}} no fee plan yet.' }, { n });

/** Whether a year has published prices: before that, nobody misses a plan. */
async function hasPrices({ db }: Pick<Context, 'db'>, yearId: number) {
  const found = await db
    .selectFrom('fee_structure')
    .where('academic_year_id', '=', yearId)
    .where('status', '=', 'Published')
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

const endsPlan = (amount: number) => text`A plan of ${{ amount: showMoney(amount) }} ends`;

/** What plans that end with their enrolments came to: of one as of any change, of several in one sum. */
function wordsOfEnded(posted: readonly Posted[]): Text[] {
  const [first, second] = posted;
  if (!first || !second) return wordsOf(first);
  const sum = (of: (one: Posted) => number) => posted.reduce((total, one) => total + of(one), 0);
  const [amount, freed] = [showMoney(-sum(({ total }) => total)), sum((one) => one.freed)];
  return [
    text({ message: '{n} fee plans end: {amount}.' }, { n: posted.length, amount }),
    ...(freed > 0 ? [text`${{ amount: showMoney(freed) }} already paid becomes advance.`] : []),
  ];
}

/** What a change of a plan came to, in words; none where the amount stays the same. */
function wordsOf(posted: Posted | undefined): Text[] {
  if (!posted || posted.total === 0) return [];
  const { total, net, freed, lapsed } = posted;
  const values = { change: showMoney(Math.abs(total)), net: showMoney(net) };
  return [
    total < 0
      ? text`Fees of the year fall by ${{ change: values.change }} to ${{ net: values.net }}.`
      : text`Fees of the year rise by ${{ change: values.change }} to ${{ net: values.net }}.`,
    ...(lapsed > 0 ? [text`${{ amount: showMoney(lapsed) }} of credits no longer applies.`] : []),
    ...(lapsed < 0 ? [text`${{ amount: showMoney(-lapsed) }} of credits applies again.`] : []),
    ...(freed > 0 ? [text`${{ amount: showMoney(freed) }} already paid becomes advance.`] : []),
  ];
}

interface Known {
  prices: YearPrices;
  rules: DayRules;
  plans: readonly StoredPlan[];
  children: readonly Child[];
  /** What a child that never joined owes all the same. */
  keeps: readonly string[];
}

function changedPlan(
  known: Known,
  { studentId, enrollmentId, kind, day, kept, neverJoined }: EnrolmentChange,
): ChangedPlan[] {
  const own = known.plans.filter((plan) => plan.studentId === studentId);
  const standing = own.findLast(({ status, leftOn }) => status === 'Active' && leftOn === null);
  if (kind === 'joined') return [];
  if (kind === 'back') {
    const planId = (kept?.fee as KeptPlan | undefined)?.planId;
    const plan = own.find((one) => one.planId === planId);
    // A second plan of the year was made since.
    if (!plan || standing) return [];
    return [{ plan: { ...plan, status: 'Active', leftOn: null, keeps: [] }, kind: 'Back', effectiveFrom: day }];
  }
  if (!standing) return [];
  if (kind === 'cancelled' || (kind === 'left' && day < standing.joinedOn)) {
    const keeps = neverJoined ? [...known.keeps] : [];
    return [{ plan: { ...standing, status: 'Withdrawn', keeps }, kind: 'Withdrawn', effectiveFrom: standing.joinedOn }];
  }
  if (kind === 'left') return [{ plan: { ...standing, leftOn: day }, kind: 'Left', effectiveFrom: day }];
  const child = known.children.find((one) => one.enrollmentId === enrollmentId);
  const stages = child ? newStages(known, standing, child, day) : [];
  if (stages.length === 0) return [];
  const words = { moved: 'Branch', regraded: 'Grade', category: 'Category' } as const;
  return [
    {
      plan: { ...standing, stages: replaced(standing.stages, stages) },
      kind: words[kind],
      effectiveFrom: day,
      stages,
    },
  ];
}

/** A stage from the same month replaces the earlier one. */
const replaced = (stages: readonly Stage[], added: readonly Stage[]): Stage[] => [
  ...stages.filter(
    (one) => !added.some(({ feeHeadId, fromMonth }) => feeHeadId === one.feeHeadId && fromMonth === one.fromMonth),
  ),
  ...added,
];

/** The prices of the new place from the month of the change on. Heads without pro-rata stay as they are billed. */
function newStages({ prices, rules }: Known, plan: StoredPlan, child: Child, day: string): Stage[] {
  const structure = structureFor(prices, child);
  const fromMonth = monthOfChange(prices.year, day, rules.cutoffDay);
  if (!structure || fromMonth > 11) return [];
  const inForce = (feeHeadId: number) =>
    plan.stages.filter((stage) => stage.feeHeadId === feeHeadId && stage.fromMonth <= fromMonth).at(-1);
  const before = new Set(plan.stages.map(({ feeHeadId }) => feeHeadId));
  const heads = new Set([...before, ...headsFor(prices, structure, child, new Set(child.charged)).map(({ id }) => id)]);
  return [...heads]
    .filter((id) => !(before.has(id) && prices.heads.get(id)?.proRata === 'None'))
    .filter((id) => inForce(id)?.structureId !== structure.id)
    .map((feeHeadId) => ({ feeHeadId, fromMonth, structureId: structure.id }));
}
