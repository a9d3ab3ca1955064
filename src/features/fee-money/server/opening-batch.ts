import { type RawBuilder, sql } from 'kysely';
import { requestApproval } from '#features/approval/api.ts';
import { AppError } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { ApprovalKind, Context, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { audit, auditEach } from '#kit/server/security/audit.ts';
import { openingMessages } from '../contract/opening.ts';

type Act = 'Post' | 'Undo' | 'Complete';
type Acting = Pick<Context, 'db' | 'now'>;

/** Refuses opening balances once they are complete. */
export async function requireOpen({ db }: Pick<Context, 'db'>): Promise<void> {
  const { rows } = await sql<{ yes: boolean }>`select fee_opening_is_complete() as yes`.execute(db);
  if (rows[0]?.yes) throw new AppError('conflict', openingMessages.complete);
}

/** Adds what the kept rows of a file owe as dues and the rest as advance, in the receipt series of the fee head. */
export const postOpenings = (ctx: Acting, batch: string) =>
  sql`
    with own as (
      select opening.*, head.receipt_series_id as series from fee_opening opening
      join fee_head head on head.id = opening.fee_head_id
      where batch = ${batch}::uuid and posted_at is null and undone_at is null),
    due as (
      insert into fee_due (account_id, academic_year_id, kind, fee_head_id, receipt_series_id, gst_rate, label, due_on)
      select account_id, academic_year_id, 'Opening', fee_head_id, series, 0, 'Opening balance', due_on from own where amount > 0
      returning id, account_id, academic_year_id, fee_head_id),
    opening as (
      update fee_opening opening set posted_at = ${ctx.now()}, due_id = due.id
      from own left join due on (due.account_id, due.academic_year_id, due.fee_head_id)
        = (own.account_id, own.academic_year_id, own.fee_head_id)
      where opening.id = own.id returning opening.id, opening.due_id)
    insert into fee_ledger_entry (account_id, due_id, receipt_series_id, academic_year_id, kind, entry_date, due_on, amount,
      opening_id)
    select own.account_id, opening.due_id, series, own.academic_year_id, 'Opening', ${toLocalDate(ctx.now())}::date, own.due_on,
      own.amount, own.id
    from own join opening on opening.id = own.id`.execute(ctx.db);

/** Undoes the rows of a file on which nothing was paid, and whose advance was not used. */
export async function undoOpenings(ctx: UserContext, batch: string, reach: RawBuilder<unknown>) {
  const { db } = ctx;
  const today = toLocalDate(ctx.now());
  const ofBatch = sql`opening.batch = ${batch}::uuid and undone_at is null and posted_at is not null and ${reach}`;
  await sql`select account.id from fee_account account where id in (select account_id from fee_opening opening
    where ${ofBatch}) order by id for update`.execute(db);
  const { rows } = await sql<{ id: number; isFree: boolean }>`
    select opening.id, case when opening.due_id is not null
      then (select paid = 0 and adjusted = 0 from fee_due where id = opening.due_id)
      else -opening.amount <= (select amount - held from fee_advance where account_id = account.id
        and receipt_series_id = entry.receipt_series_id) end as "isFree"
    from fee_opening opening join fee_account account on account.id = opening.account_id
    join fee_ledger_entry entry on entry.opening_id = opening.id and entry.reverses_id is null
    where ${ofBatch} order by opening.id`.execute(db);
  const free = rows.filter(({ isFree }) => isFree).map((row) => row.id);
  const kept = rows.length - free.length;
  if (free.length === 0) return { undone: 0, kept };
  await sql`insert into fee_ledger_entry (account_id, due_id, receipt_series_id, academic_year_id, kind, entry_date, due_on,
      amount, opening_id, reverses_id)
    select account_id, due_id, receipt_series_id, academic_year_id, kind, ${today}::date, greatest(due_on, ${today}::date),
      -amount, opening_id, id
    from fee_ledger_entry where opening_id = any(${free}::integer[]) and reverses_id is null`.execute(db);
  await sql`update fee_opening set undone_at = ${ctx.now()} where id = any(${free}::integer[])`.execute(db);
  const details = { undone: free.length, kept };
  await audit(ctx, { action: 'fee-opening.undone', entity: 'fee_opening', entityId: free[0] ?? 0, details });
  return { undone: free.length, kept };
}

const titles: Record<Act, Text> = {
  Post: text`Import of opening balances`,
  Undo: text`Undo of opening balances`,
  Complete: text`End of opening balances`,
};

/** Asks a second person to post or undo the rows of a file, or to end opening balances for ever. */
export async function askOpening(ctx: UserContext, { batch, act }: { batch: string | null; act: Act }) {
  const { rows } = await sql<{ id: number; owed: number; advance: number; branchId: number | null }>`
    with own as (select amount, student.branch_id from fee_opening opening
      join fee_account account on account.id = opening.account_id join student on student.id = account.student_id
      where batch = ${batch}::uuid and undone_at is null),
    sums as (select count(*)::integer as rows, coalesce(sum(amount) filter (where amount > 0), 0)::bigint as owed,
      coalesce(-sum(amount) filter (where amount < 0), 0)::bigint as advance,
      case when count(distinct branch_id) = 1 then min(branch_id) end as branch from own),
    made as (insert into fee_opening_batch (batch, act, rows, owed, advance, asked_by, asked_at)
      select ${batch}::uuid, ${act}, rows, owed, advance, ${ctx.user.staffId}, ${ctx.now()} from sums
      on conflict do nothing returning id, owed, advance)
    select made.*, branch as "branchId" from made cross join sums`.execute(ctx.db);
  const [made] = rows;
  if (!made) throw new AppError('conflict', openingMessages.waits);
  const details = { Act: act, Owed: showMoney(made.owed), Advance: showMoney(made.advance) };
  await audit(ctx, {
    action: 'fee-opening.asked',
    entity: 'fee_opening_batch',
    entityId: made.id,
    version: 1,
    details,
  });
  await requestApproval(ctx, {
    kind: 'fee.opening',
    subjectId: made.id,
    branchId: made.branchId,
    title: titles[act],
    amount: act === 'Undo' ? made.owed : act === 'Post' ? made.advance : null,
  });
}

interface Asked {
  id: number;
  batch: string | null;
  act: Act;
  rows: number;
  owed: number;
  advance: number;
  version: number;
  /** The largest amounts, with the GR number of their student. */
  largest: { grNo: string; amount: number }[];
}

const mostShown = 20;

const readAsked = async ({ db }: Pick<Context, 'db'>, ids: readonly number[]) =>
  (
    await sql<Asked>`select id, batch, act, rows, owed, advance, version,
      (select coalesce(jsonb_agg(top), '[]') from (select student.gr_no as "grNo", amount from fee_opening opening
        join fee_account account on account.id = opening.account_id join student on student.id = account.student_id
        where opening.batch = own.batch and undone_at is null order by abs(amount) desc, opening.id limit ${mostShown}) as top) as largest
      from fee_opening_batch own where id = any(${ids}::integer[]) order by id`.execute(db)
  ).rows;

const effects: Record<Act, Text> = {
  Post: text`The rows are owed from now on, and those with a minus are advance.`,
  Undo: text`The rows are no longer owed, unless they are paid.`,
  Complete: text`No opening balance is imported after this.`,
};

/** A second person decides on opening balances that lower what is owed, on undoing them, and on their end. */
export const openingApproval: ApprovalKind = {
  kind: 'fee.opening',
  subject: 'fee_opening_batch_id',
  title: text`Opening balances`,
  notice: text`Opening balances are waiting for your approval.`,
  sets: ['financeApprover', 'principal'],
  describe: async (ctx, ids) =>
    new Map(
      (await readAsked(ctx, ids)).map(({ id, act, rows, owed, advance, version, largest }) => [
        id,
        {
          facts:
            act === 'Complete'
              ? []
              : [
                  { label: text`Rows`, value: verbatim(String(rows)) },
                  { label: text`Owed`, value: verbatim(showMoney(owed)) },
                  { label: text`Advance`, value: verbatim(showMoney(advance)) },
                  ...largest.map(({ grNo, amount }) => ({ label: verbatim(grNo), value: verbatim(showMoney(amount)) })),
                ],
          effect: [effects[act]],
          to: 'fee/student-wise-fees-structure?part=students',
          basis: version,
        },
      ]),
    ),
  lock: async ({ db }, ids) => {
    await sql`select from fee_account where id in (select account_id from fee_opening opening
      join fee_opening_batch own on own.batch = opening.batch where own.id = any(${[...ids]}::integer[]))
      order by id for update`.execute(db);
    await sql`select from fee_opening_batch where id = any(${[...ids]}::integer[]) order by id for update`.execute(db);
  },
  decide: async (ctx, ids, outcome) => {
    const asked = await readAsked(ctx, ids);
    const status = outcome === 'Approved' ? 'Done' : outcome;
    await sql`update fee_opening_batch set status = ${status}, version = version + 1 where id = any(${ids}::integer[])`.execute(
      ctx.db,
    );
    const action = `fee-opening.${outcome === 'Approved' ? 'done' : outcome.toLowerCase()}`;
    await auditEach(ctx, { action, entity: 'fee_opening_batch' }, ids);
    // A few files.
    for (const { batch, act } of asked) {
      if (batch === null) continue;
      if (outcome === 'Approved')
        await (act === 'Post' ? postOpenings(ctx, batch) : undoOpenings(ctx, batch, sql`true`));
      else if (act === 'Post')
        await sql`update fee_opening set undone_at = ${ctx.now()} where batch = ${batch}::uuid`.execute(ctx.db);
    }
  },
};
