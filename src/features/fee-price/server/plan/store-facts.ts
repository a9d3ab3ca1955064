import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { By } from './post.ts';
import type { StoredPlan } from './stored-plans.ts';

type Stored = Pick<Context, 'db'>;

/** Stores when plans ended, whether they count, and what they keep. */
export const storeDays = ({ db }: Stored, plans: readonly StoredPlan[]) =>
  sql`update fee_plan plan set status = new.status, left_on = new."leftOn", keeps = new.keeps, version = version + 1
    from jsonb_to_recordset(${JSON.stringify(plans)}::jsonb) as new ("planId" integer, status text, "leftOn" date,
      keeps text[])
    where plan.id = new."planId" and (plan.status, plan.left_on, plan.keeps)
      is distinct from (new.status, new."leftOn", new.keeps)`.execute(db);

/** Stores the months for which optional heads are chosen. */
export async function storeOptions({ db }: Stored, { planId, options }: StoredPlan) {
  await db.deleteFrom('fee_plan_option').where('plan_id', '=', planId).execute();
  await sql`insert into fee_plan_option (plan_id, fee_head_id, from_month, to_month)
    select ${planId}, "feeHeadId", "fromMonth", "toMonth" from jsonb_to_recordset(${JSON.stringify(options)}::jsonb)
      as option ("feeHeadId" integer, "fromMonth" smallint, "toMonth" smallint)`.execute(db);
}

/** Stores the amounts by month of heads that structures do not price. */
export async function storeMonths({ db }: Stored, plans: readonly StoredPlan[]) {
  const ids = plans.map(({ planId }) => planId);
  await sql`delete from fee_plan_month where plan_id = any(${ids}::integer[])`.execute(db);
  const rows = plans.flatMap(({ planId, months }) => months.map((month) => ({ planId, ...month })));
  await sql`insert into fee_plan_month (plan_id, fee_head_id, month, amount)
    select "planId", "feeHeadId", month, amount from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as input ("planId" integer, "feeHeadId" integer, month smallint, amount bigint)`.execute(db);
}

/** What is paid on a plan. */
export async function paidOf({ db }: Stored, { planId }: Pick<StoredPlan, 'planId'>) {
  const { paid } = await db
    .selectFrom('fee_due')
    .where('plan_id', '=', planId)
    .select(sql<number>`coalesce(sum(paid), 0)::bigint`.as('paid'))
    .executeTakeFirstOrThrow();
  return paid;
}

/** What is unpaid of a plan on a due day. */
export async function unpaidOn({ db }: Stored, { planId, dueOn }: { planId: number; dueOn: string }) {
  const { rows } = await sql<{ id: number; unpaid: number }>`select id, net - paid as unpaid from fee_due
    where plan_id = ${planId} and due_on = ${dueOn}::date and paid < net order by id`.execute(db);
  return rows;
}

interface Moved {
  planId: number;
  dueOn: string;
  newDay: string;
  reason: string;
  by: By;
}

/** Moves unpaid dues of a plan from a due day to another one, by entries of the ledger. Undefined where nothing is unpaid. */
export async function moveDues(
  ctx: Pick<Context, 'db' | 'now'>,
  { planId, dueOn, newDay, reason, by: { staffId, authority = 'Raise', approvalId } }: Moved,
): Promise<number | undefined> {
  const dues = await unpaidOn(ctx, { planId, dueOn });
  if (dues.length === 0) return undefined;
  const { id: changeId } = await ctx.db
    .insertInto('fee_plan_change')
    .values({
      plan_id: planId,
      kind: 'Due day',
      effective_from: newDay,
      reason,
      staff_id: staffId,
      authority,
      approval_id: approvalId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  // The ledger gives the dues their new day.
  const today = toLocalDate(ctx.now());
  await sql`insert into fee_ledger_entry (account_id, due_id, receipt_series_id, academic_year_id, kind, entry_date, due_on,
      amount, change_id)
    select account_id, id, receipt_series_id, academic_year_id, 'Charge', ${today}::date, entry.day, entry.part * (net - paid),
      ${changeId} from fee_due cross join (values (greatest(${dueOn}::date, ${today}::date), -1), (${newDay}::date, 1))
      as entry (day, part)
    where id = any(${dues.map(({ id }) => id)}::integer[])`.execute(ctx.db);
  return changeId;
}
