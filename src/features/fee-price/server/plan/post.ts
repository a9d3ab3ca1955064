import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { insertTogether } from '#kit/server/database/bulk.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { PricedDue } from '../../contract/plan/plan-price.ts';
import { type Authority, authorityOf } from '../control/authority.ts';
import { readCredits, refit } from '../discount/credits.ts';
import type { Stage, YearPrices } from './read-prices.ts';

/** A due as it is stored. */
interface StandingDue {
  id: number;
  planId: number;
  feeHeadId: number;
  frequencyId: number;
  seq: number;
  receiptSeriesId: number;
  from: string;
  dueOn: string;
  gross: number;
  proRata: number;
  net: number;
  paid: number;
  concessions: Record<string, number>;
}

/** What a change of a plan’s facts is about, and the dues that follow from the new facts. */
export interface PlanChange {
  planId: number;
  accountId: number;
  kind:
    | 'Made'
    | 'Left'
    | 'Back'
    | 'Grade'
    | 'Category'
    | 'Branch'
    | 'Prices'
    | 'Option'
    | 'Transport'
    | 'Concession'
    | 'Withdrawn';
  effectiveFrom: string;
  reason?: string;
  dues: readonly PricedDue[];
  /** The day on which a due that is added falls due, and the first day for which a late fine counts. */
  dayOf: (due: PricedDue) => { dueOn: string; fineFrom: string | null };
  /** Stages to store with the change. */
  stages: readonly Stage[];
}

interface Entry {
  kind: 'Charge' | 'Pro-rata' | 'Concession' | 'Applied' | 'Credit' | 'Write-off';
  amount: number;
  concessionId?: number | null;
}

const keyOf = ({ feeHeadId, frequencyId, seq }: { feeHeadId: number; frequencyId: number; seq: number }) =>
  `${feeHeadId} ${frequencyId} ${seq}`;

/** The entries that make standing dues those of the new facts, and the dues to add. The same facts give none. */
export function differ(dues: readonly PricedDue[], standing: readonly StandingDue[]) {
  const before = new Map(standing.map((due) => [keyOf(due), due]));
  const after = new Map(dues.map((due) => [keyOf(due), due]));
  const made = dues.filter((due) => due.months.length > 0 && !before.has(keyOf(due)));
  const entries: (Entry & { key: string })[] = [];
  for (const key of new Set([...made.map(keyOf), ...before.keys()])) {
    const [old, due] = [before.get(key), after.get(key)];
    const add = (kind: Entry['kind'], amount: number, concessionId: number | null = null) =>
      amount !== 0 && entries.push({ key, kind, amount, concessionId });
    add('Charge', (due?.gross ?? 0) - (old?.gross ?? 0));
    add('Pro-rata', (old?.proRata ?? 0) - (due?.proRata ?? 0));
    const taken = new Map((due?.concessions ?? []).map((one) => [one.concessionId, one.amount]));
    const gave = new Map(Object.entries(old?.concessions ?? {}).map(([id, amount]) => [Number(id), amount]));
    for (const id of new Set([...taken.keys(), ...gave.keys()]))
      add('Concession', (gave.get(id) ?? 0) - (taken.get(id) ?? 0), id);
  }
  const total = entries.reduce((sum, { amount }) => sum + amount, 0);
  return { made, entries, total, isSame: entries.length === 0 };
}

const standingColumns = sql`id, plan_id as "planId", fee_head_id as "feeHeadId", frequency_id as "frequencyId", seq,
  receipt_series_id as "receiptSeriesId", period_from as "from", due_on as "dueOn", gross, pro_rata as "proRata", net, paid`;

/** The dues of plans, by plan. */
export async function standingDues({ db }: Pick<Context, 'db'>, planIds: readonly number[]) {
  const { rows } = await sql<StandingDue>`
    select ${standingColumns},
      case when concession = 0 and not exists (select from fee_ledger_entry
          where due_id = due.id and kind = 'Concession') then '{}'::jsonb
        else (select jsonb_object_agg(concession_id, -amount) from (select concession_id, sum(amount) as amount
          from fee_ledger_entry where due_id = due.id and kind = 'Concession' group by concession_id) as taken)
      end as concessions
    from fee_due due where plan_id = any(${planIds}::integer[]) order by id`.execute(db);
  return Map.groupBy(rows, ({ planId }) => planId);
}

export interface By {
  staffId: number | null;
  runId: number | null;
  /** Why the changes may lower what is owed; by default what their kind relies on. */
  authority?: Authority;
  /** The request that a second person approved. */
  approvalId?: number;
  /** The change of the same day that is undone. */
  undoesId?: number;
}

/**
 * Stores changes of plans whose accounts are locked: the change with its total, stages, new dues and the difference of
 * what is owed. What is paid beyond a lowered due becomes advance. Returns what it came to for each plan.
 */
export async function postChanges(
  ctx: Pick<Context, 'db' | 'now'>,
  { year, heads }: YearPrices,
  changes: readonly PlanChange[],
  { staffId, runId, authority, approvalId, undoesId }: By,
): Promise<Map<number, Posted>> {
  if (changes.length === 0) return new Map();
  const today = toLocalDate(ctx.now());
  const standing = await standingDues(
    ctx,
    changes.map(({ planId }) => planId),
  );
  const works = changes
    .map((change) => ({ ...change, ...differ(change.dues, standing.get(change.planId) ?? []) }))
    .filter(({ kind, isSame }) => kind !== 'Concession' || !isSame);
  const by = { staffId, runId, approvalId, undoesId };
  const changed = await insertTogether(
    ctx.db,
    'fee_plan_change',
    works.map(({ planId, kind, effectiveFrom, reason = '', total }) => ({
      ...by,
      planId,
      kind,
      effectiveFrom,
      reason,
      total,
      authority: authority ?? authorityOf(kind),
    })),
    ['id', 'plan_id'],
  );
  const ids = new Map(changed.map(({ id, plan_id }) => [plan_id, id]));
  await storeStages(
    ctx,
    works.flatMap(({ planId, stages }) =>
      stages.map((stage) => ({ ...stage, planId, changeId: ids.get(planId) ?? 0 })),
    ),
  );
  const added = works.flatMap((work) =>
    work.made.map((due) => {
      const { dueOn, fineFrom } = work.dayOf(due);
      return {
        account_id: work.accountId,
        plan_id: work.planId,
        academic_year_id: year.id,
        kind: 'Plan',
        fee_head_id: due.feeHeadId,
        receipt_series_id: heads.get(due.feeHeadId)?.receiptSeriesId,
        gst_rate: heads.get(due.feeHeadId)?.gstRate,
        label: due.label,
        frequency_id: due.frequencyId,
        seq: due.seq,
        period_from: due.from,
        period_to: due.to,
        due_on: dueOn,
        fine_from: fineFrom,
      };
    }),
  );
  const made = await insertDues(ctx, added);
  const dueOf = new Map([...standing.values()].flat().map((due) => [`${due.planId} ${keyOf(due)}`, due]));
  for (const due of made) dueOf.set(`${due.planId} ${keyOf(due)}`, due);
  const charged = works.flatMap((work) =>
    work.entries.flatMap(({ key, ...entry }): PostedEntry[] => {
      const due = dueOf.get(`${work.planId} ${key}`);
      if (!due) return [];
      // A later change counts from its own day, so that older lines of a statement never change.
      const dueOn = work.kind === 'Made' || due.dueOn > today ? due.dueOn : today;
      return [{ account: work.accountId, due, dueOn, changeId: ids.get(work.planId) ?? 0, ...entry }];
    }),
  );
  const refitted = await refitCredits(ctx, charged);
  const entries = [...charged, ...refitted];
  const moved = freed(entries, today);
  await insertEntries(ctx, year.id, today, [...entries, ...moved]);
  const sumOf = (some: readonly PostedEntry[]) => {
    const byPlan = Map.groupBy(some, ({ due }) => due.planId);
    return (planId: number) => (byPlan.get(planId) ?? []).reduce((sum, { amount }) => sum + amount, 0);
  };
  const [toAdvance, ofCredits] = [sumOf(moved.filter(({ isAdvance }) => isAdvance)), sumOf(refitted)];
  return new Map(
    works.map(({ planId, total, dues }) => [
      planId,
      {
        changeId: ids.get(planId) ?? 0,
        total,
        net: dues.filter(({ months }) => months.length > 0).reduce((sum, { net }) => sum + net, 0),
        freed: -toAdvance(planId),
        lapsed: ofCredits(planId),
      },
    ]),
  );
}

/** What a change of a plan came to. */
export interface Posted {
  changeId: number;
  /** The difference of what is owed. */
  total: number;
  /** What the plan charges after it. */
  net: number;
  /** What was paid on lowered dues and is advance now. */
  freed: number;
  /** The part of credits and write-offs that no longer applies; negative where it applies again. */
  lapsed: number;
}

interface PostedEntry extends Entry {
  account: number;
  due: StandingDue;
  dueOn: string;
  changeId: number;
  isAdvance?: boolean;
  adjustmentId?: number | null;
  reversesId?: number | null;
}

/** The entries that make credits and write-offs of changed dues fit what these charge now. */
async function refitCredits(ctx: Pick<Context, 'db'>, charged: readonly PostedEntry[]): Promise<PostedEntry[]> {
  const ofDues = Map.groupBy(charged, ({ due }) => due.id);
  const credits = await readCredits(ctx, [...ofDues.keys()]);
  return [...ofDues].flatMap(([dueId, [first, ...more]]) => {
    const own = credits.get(dueId);
    if (!own || !first) return [];
    const standing = own.reduce((sum, credit) => sum + credit.standing, 0);
    const room = [first, ...more].reduce((sum, { amount }) => sum + amount, first.due.net + standing);
    return refit(own, room).map((entry) => ({ ...first, concessionId: null, ...entry }));
  });
}

/** What was paid on a due beyond its new amount goes from the due into the advance. */
function freed(entries: readonly PostedEntry[], today: string): PostedEntry[] {
  return [...Map.groupBy(entries, ({ due }) => due.id).values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const net = first.due.net + own.reduce((sum, { amount }) => sum + amount, 0);
    const over = first.due.paid - net;
    if (over <= 0) return [];
    const { account, due, changeId } = first;
    const applied = { account, due, changeId, kind: 'Applied' as const, dueOn: today };
    return [
      { ...applied, amount: over },
      { ...applied, amount: -over, isAdvance: true },
    ];
  });
}

/** A stage from the same month replaces the earlier one. */
const storeStages = ({ db }: Pick<Context, 'db'>, stages: readonly (Stage & { planId: number; changeId: number })[]) =>
  sql`insert into fee_plan_stage (plan_id, fee_head_id, from_month, structure_id, change_id)
    select "planId", "feeHeadId", "fromMonth", "structureId", "changeId"
    from jsonb_to_recordset(${JSON.stringify(stages)}::jsonb) as stage ("planId" integer, "feeHeadId" integer,
      "fromMonth" smallint, "structureId" integer, "changeId" integer)
    on conflict (plan_id, fee_head_id, from_month)
    do update set structure_id = excluded.structure_id, change_id = excluded.change_id`.execute(db);

async function insertDues({ db }: Pick<Context, 'db'>, rows: readonly object[]): Promise<StandingDue[]> {
  if (rows.length === 0) return [];
  const columns = sql`account_id, plan_id, academic_year_id, kind, fee_head_id, receipt_series_id, gst_rate, label,
    frequency_id, seq, period_from, period_to, due_on, fine_from`;
  const { rows: made } = await sql<StandingDue>`
    insert into fee_due (${columns})
    select ${columns} from jsonb_populate_recordset(null::fee_due, ${JSON.stringify(rows)}::jsonb)
    returning ${standingColumns}, '{}'::jsonb as concessions`.execute(db);
  return made;
}

/** One insert, so that the checks of dues see the finished act. */
async function insertEntries(
  { db }: Pick<Context, 'db'>,
  yearId: number,
  today: string,
  entries: readonly PostedEntry[],
) {
  const rows = entries.map(({ account, due, kind, dueOn, amount, changeId, isAdvance, ...about }) => ({
    kind,
    dueOn,
    amount,
    changeId,
    accountId: account,
    dueId: isAdvance ? null : due.id,
    receiptSeriesId: due.receiptSeriesId,
    academicYearId: yearId,
    entryDate: today,
    concessionId: about.concessionId ?? null,
    adjustmentId: about.adjustmentId ?? null,
    reversesId: about.reversesId ?? null,
  }));
  await insertTogether(db, 'fee_ledger_entry', rows);
}
