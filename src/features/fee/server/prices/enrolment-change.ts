import { sql } from 'kysely';
import { type EnrolmentChange, enrolmentHook } from '#features/student/contract/hooks.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { ActingContext, Context } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';
import { monthOfChange } from '../../contract/prices/price.ts';
import { type Leaver, type Settled, settleLeavers, undoSettlement } from '../money/leaving.ts';
import { renewFamilies } from '../suggest.ts';
import { type Child, readChildren } from './children.ts';
import { readConceded } from './conceded.ts';
import { type DayRules, readDayRules } from './make-plans.ts';
import type { Posted } from './post.ts';
import { headsFor, readPrices, type Stage, structureFor, type YearPrices } from './read-prices.ts';
import { type ChangedPlan, postPlans, readPlans, type StoredPlan } from './stored-plans.ts';

/** What `back` gets back of an enrolment that ended. */
interface Kept {
  planId: number | null;
  /** The change to which the settlement of the account belongs. */
  changeId?: number;
}

/** Leaving, moving and coming back change what is owed by exactly the difference. */
export const changePlans = answer(enrolmentHook, 'fee', async (ctx, changes) => {
  await lockAccountsOf(ctx, changes);
  const byYear = Map.groupBy(changes, ({ yearId }) => yearId);
  const answers = [];
  for (const [yearId, ofYear] of [...byYear].toSorted(([one], [other]) => one - other))
    answers.push(await changeYear(ctx, yearId, ofYear));
  const kept = Object.assign({}, ...answers.map((one) => one.kept)) as Record<number, Kept>;
  answers.push(await settleAccounts(ctx, changes, kept));
  await renewFamilies(
    ctx,
    changes.map(({ studentId }) => studentId),
  );
  return {
    texts: answers.flatMap(({ texts }) => texts),
    blocks: [],
    basis: answers.map(({ basis }) => basis),
    kept,
  };
});

/** All accounts of an act are locked at once, in the order of their ids. */
const lockAccountsOf = ({ db }: Pick<Context, 'db'>, changes: readonly EnrolmentChange[]) =>
  sql`select id from fee_account where student_id = any(${changes.map(({ studentId }) => studentId)}::integer[])
    order by id for update`.execute(db);

/** Accounts are settled on leaving, and a leaving that is undone takes that back. `kept` gets the settlement of each enrolment. */
async function settleAccounts(ctx: ActingContext, changes: readonly EnrolmentChange[], kept: Record<number, Kept>) {
  const undone = changes.flatMap(({ kind, kept: own }) => {
    const changeId = kind === 'back' ? (own?.fee as Kept | undefined)?.changeId : undefined;
    return changeId === undefined ? [] : [changeId];
  });
  if (undone.length > 0) await undoSettlement(ctx, undone);
  const left = changes.filter(({ kind }) => kind === 'left');
  if (left.length === 0) return { texts: [], basis: [] };
  const leavers = await readLeavers(ctx, left, kept);
  const settled = await settleLeavers(ctx, leavers);
  return { texts: wordsOfSettlement(settled), basis: [settled] };
}

/** The accounts of students who leave. One without a plan of the year gets a change of its latest plan, so that it can be undone. */
async function readLeavers(
  ctx: ActingContext,
  left: readonly EnrolmentChange[],
  kept: Record<number, Kept>,
): Promise<Leaver[]> {
  const without = left.filter(({ enrollmentId }) => kept[enrollmentId]?.changeId === undefined);
  const { rows: made } = await sql<{ id: number; studentId: number }>`
    with latest as (select distinct on (account.student_id) plan.id, account.student_id, own.day
      from jsonb_to_recordset(${JSON.stringify(without)}::jsonb) as own ("studentId" integer, day date)
      join fee_account account on account.student_id = own."studentId"
      join fee_plan plan on plan.account_id = account.id order by account.student_id, plan.id desc),
    made as (insert into fee_plan_change (plan_id, kind, effective_from, staff_id)
      select id, 'Left', day, ${ctx.user?.staffId ?? null} from latest returning id, plan_id)
    select made.id, latest.student_id as "studentId" from made join latest on latest.id = made.plan_id`.execute(ctx.db);
  for (const { enrollmentId, studentId } of without) {
    const change = made.find((one) => one.studentId === studentId);
    if (change) kept[enrollmentId] = { planId: null, ...kept[enrollmentId], changeId: change.id };
  }
  const { rows: accounts } = await sql<{ id: number; studentId: number }>`
    select id, student_id as "studentId" from fee_account
    where student_id = any(${left.map(({ studentId }) => studentId)}::integer[]) order by id`.execute(ctx.db);
  return accounts.flatMap(({ id, studentId }) => {
    const own = left.filter((one) => one.studentId === studentId).toSorted((one, other) => one.yearId - other.yearId);
    const [first] = own;
    if (!first) return [];
    return [{ accountId: id, day: first.day, changeId: kept[first.enrollmentId]?.changeId ?? null }];
  });
}

function wordsOfSettlement({ fines, deposits, applied, refundable }: Settled): Text[] {
  return [
    ...(fines > 0 ? [text`Late fines to the last day: ${{ amount: showMoney(fines) }}.`] : []),
    ...(deposits > 0 ? [text`${{ amount: showMoney(deposits) }} of deposits becomes advance.`] : []),
    ...(applied > 0 ? [text`${{ amount: showMoney(applied) }} of advance pays what is still due.`] : []),
    ...(refundable > 0 ? [text`${{ amount: showMoney(refundable) }} can be refunded.`] : []),
  ];
}

async function changeYear(ctx: ActingContext, yearId: number, changes: readonly EnrolmentChange[]) {
  const students = changes.map(({ studentId }) => studentId);
  const plans = await readPlans(
    ctx,
    sql`account.student_id = any(${students}::integer[]) and plan.academic_year_id = ${yearId}`,
  );
  const joined = changes.filter(({ kind }) => kind === 'joined').length;
  if (plans.length === 0) {
    const texts = joined > 0 && (await hasPrices(ctx, yearId)) ? [withoutPlan(joined)] : [];
    return { texts, basis: [], kept: {} };
  }
  const prices = await readPrices(ctx, yearId);
  const rules = await readDayRules(ctx);
  const children = await readChildren(
    ctx,
    sql`enrollment.student_id = any(${students}::integer[]) and enrollment.academic_year_id = ${yearId}`,
  );
  const changed = changes.flatMap((change) => changedPlan({ prices, rules, plans, children }, change));
  await storeDays(
    ctx,
    changed.map(({ plan }) => plan),
  );
  const conceded = await readConceded(ctx, prices, students);
  const by = { staffId: ctx.user?.staffId ?? null, runId: null };
  const posted = await postPlans(ctx, prices, changed, { rules, conceded, by });
  return {
    texts: [
      ...(joined > 0 ? [withoutPlan(joined)] : []),
      ...changed.flatMap(({ plan }) => wordsOf(posted.get(plan.planId))),
    ],
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
          return own ? [[enrollmentId, { planId: own.plan.planId, ...(changeId && { changeId }) } satisfies Kept]] : [];
        }),
    ),
  };
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
    ...(freed > 0 ? [text`${{ amount: showMoney(freed) }} of what was paid becomes advance.`] : []),
  ];
}

interface Known {
  prices: YearPrices;
  rules: DayRules;
  plans: readonly StoredPlan[];
  children: readonly Child[];
}

function changedPlan(known: Known, { studentId, enrollmentId, kind, day, kept }: EnrolmentChange): ChangedPlan[] {
  const own = known.plans.filter((plan) => plan.studentId === studentId);
  const standing = own.findLast(({ status, leftOn }) => status === 'Active' && leftOn === null);
  if (kind === 'joined') return [];
  if (kind === 'back') {
    const planId = (kept?.fee as Kept | undefined)?.planId;
    const plan = own.find((one) => one.planId === planId);
    // A second plan of the year was made since.
    if (!plan || standing) return [];
    return [{ plan: { ...plan, status: 'Active', leftOn: null }, kind: 'Back', effectiveFrom: day }];
  }
  if (!standing) return [];
  if (kind === 'cancelled' || (kind === 'left' && day < standing.joinedOn))
    return [{ plan: { ...standing, status: 'Withdrawn' }, kind: 'Withdrawn', effectiveFrom: standing.joinedOn }];
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

const storeDays = ({ db }: Pick<Context, 'db'>, plans: readonly StoredPlan[]) =>
  sql`update fee_plan plan set status = new.status, left_on = new."leftOn", version = version + 1
    from jsonb_to_recordset(${JSON.stringify(plans)}::jsonb) as new ("planId" integer, status text, "leftOn" date)
    where plan.id = new."planId" and (plan.status, plan.left_on) is distinct from (new.status, new."leftOn")`.execute(
    db,
  );
