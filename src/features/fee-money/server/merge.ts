import { sql } from 'kysely';
import { guardianMergeHook, type Merge, mergeHook } from '#features/student/contract/hooks.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { ActingContext, Merging } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { answer } from '#kit/server/hook.ts';
import { moveAdvance } from './admission-fee.ts';
import { applyAdvance } from './apply-advance.ts';

/** What hangs on the record of a student or an adult in this feature. */
export const feeMoneyMerges: readonly Merging[] = [
  { table: 'fee_cheque', words: text`Cheques`, how: 'remains' },
  { table: 'fee_certificate', words: text`Certificates of fees paid`, how: 'remains' },
  { table: 'fee_payment', words: text`Payments`, how: 'remains' },
  { table: 'fee_reminder', words: text`Reminders of fees`, how: 'remains' },
];

interface Account {
  id: number;
  studentId: number;
  version: number;
  hasEntries: boolean;
  /** All charges, with or without a plan. */
  net: number;
  /** What receipts have brought in. */
  paid: number;
  advance: number;
  /** Dues that are not paid. */
  owes: number;
  plans: string[];
}

const lockAccounts = ({ db }: ActingContext, { keptId, retiredId }: Merge) =>
  sql`select id from fee_account where student_id in (${keptId}, ${retiredId}) order by id for update`.execute(db);

async function readAccounts({ db }: ActingContext, { keptId, retiredId }: Merge): Promise<Account[]> {
  const { rows } = await sql<Account>`
    select account.id, account.student_id as "studentId", account.version,
      exists (select from fee_ledger_entry where account_id = account.id) as "hasEntries",
      coalesce((select sum(net) from fee_due where account_id = account.id), 0)::bigint as net,
      coalesce((select sum(receipt.amount) from fee_receipt receipt join fee_payment payment on payment.id = receipt.payment_id
        where receipt.account_id = account.id and payment.ended_as is null), 0)::bigint as paid,
      coalesce((select sum(amount) from fee_advance where account_id = account.id), 0)::bigint as advance,
      coalesce((select sum(net - paid) from fee_due where account_id = account.id), 0)::bigint as owes,
      array(select year.name from fee_plan plan join academic_year year on year.id = plan.academic_year_id
        where plan.account_id = account.id and plan.status = 'Active' order by year.starts_on) as plans
    from fee_account account where account.student_id in (${keptId}, ${retiredId}) order by account.id`.execute(db);
  return rows;
}

/** Cheques that the bank has not cleared, and refunds that are asked for. */
async function readOpen({ db }: ActingContext, { keptId, retiredId }: Merge): Promise<Text[]> {
  const { rows: cheques } = await sql<{ number: string; name: string }>`
    select cheque.number, student.name from fee_cheque cheque join student on student.id = cheque.student_id
    where cheque.student_id in (${keptId}, ${retiredId}) and cheque.status in ('Held', 'Received', 'Deposited')
    order by cheque.id`.execute(db);
  const { rows: held } = await sql<{ amount: number }>`
    select coalesce(sum(advance.held), 0)::bigint as amount from fee_advance advance
    join fee_account account on account.id = advance.account_id
    where account.student_id in (${keptId}, ${retiredId})`.execute(db);
  const [refund] = held;
  return [
    ...cheques.map(
      ({ number, name }) => text`Cheque ${{ number }} of ${{ name }} is still open. Mark it cleared or bounced first.`,
    ),
    ...(refund && refund.amount > 0
      ? [text`A refund of ${{ amount: showMoney(refund.amount) }} is open. Pay it or withdraw it first.`]
      : []),
  ];
}

/**
 * An account that only the other record has goes to the kept one as it is. Where both have one, the plan of the other must be
 * withdrawn before, by the rules for fees that fall; what was paid is an advance then, which goes over in its receipt series and
 * pays the oldest dues. Receipts keep their number, name and day.
 */
export const mergeMoney = answer(mergeHook, { by: 'fee', step: 9, lock: lockAccounts }, async (ctx, merge) => {
  const { keptId, retiredId } = merge;
  const before = await readAccounts(ctx, merge);
  const kept = before.find(({ studentId }) => studentId === keptId);
  const other = before.find(({ studentId }) => studentId === retiredId);
  const blocks = await readOpen(ctx, merge);
  const basis = before.map(({ id, version }) => [id, version]);
  if (!other) return { sums: [], collisions: [], texts: [], blocks, basis };
  const texts: Text[] = [];
  if (!kept) {
    await sql`update fee_account set student_id = ${keptId} where id = ${other.id}`.execute(ctx.db);
    texts.push(text`The fee account goes to the kept record with its receipts.`);
  } else if (other.hasEntries) {
    for (const year of other.plans)
      blocks.push(
        text`GR ${{ number: merge.retiredGrNo }} has a fee plan of ${{ year }}. Withdraw it first, so that its payments become an advance.`,
      );
    if (other.plans.length === 0 && other.owes > 0)
      blocks.push(
        text`GR ${{ number: merge.retiredGrNo }} owes ${{ amount: showMoney(other.owes) }}. Collect it or write it off first.`,
      );
    if (blocks.length === 0 && other.advance > 0) {
      await moveAdvance(ctx.db, other.id, keptId);
      const today = toLocalDate(ctx.now());
      const applied = await applyAdvance(ctx, [kept.id], { on: today, isLater: true });
      texts.push(
        text`${{ amount: showMoney(other.advance) }} of advance is moved; ${{ paid: showMoney(applied.get(kept.id) ?? 0) }} of it pays the oldest dues.`,
      );
      const charged = (await readAccounts(ctx, merge)).find(({ id }) => id === kept.id)?.net ?? 0;
      if (charged > kept.net)
        texts.push(
          text`Late fines of ${{ amount: showMoney(charged - kept.net) }} until today are charged on these dues.`,
        );
    }
  }
  const accounts = await readAccounts(ctx, merge);
  const after = accounts.find(({ studentId }) => studentId === keptId);
  // Dues without a plan that were paid are left with their receipts.
  const left = accounts.find(({ studentId }) => studentId === retiredId);
  const money = (label: Text, of: (account: Account) => number, end: number) => ({
    label,
    kept: kept ? of(kept) : 0,
    retired: of(other),
    after: end,
    kind: 'money' as const,
  });
  return {
    sums: [
      money(text`Fees`, ({ net }) => net, (after?.net ?? 0) + (left?.net ?? 0)),
      // Receipts of the other account stay there: their advance has come over.
      money(text`Paid`, ({ paid }) => paid, (kept?.paid ?? 0) + other.paid),
      money(text`Advance`, ({ advance }) => advance, after?.advance ?? 0),
      money(text`Owed`, ({ owes }) => owes, after?.owes ?? 0),
    ],
    collisions: [],
    texts,
    blocks,
    basis,
  };
});

/** Payments name the adult who paid as printed; `guardian_now` says who that is today. */
export const countPayments = answer(
  guardianMergeHook,
  { by: 'fee', step: 9 },
  async ({ db }, { keptId, retiredId }) => {
    const { rows } = await sql<{ kept: number; retired: number }>`
    select count(*) filter (where payer_guardian_id = ${keptId})::integer as kept,
      count(*) filter (where payer_guardian_id = ${retiredId})::integer as retired
    from fee_payment where payer_guardian_id in (${keptId}, ${retiredId})`.execute(db);
    const { kept = 0, retired = 0 } = rows[0] ?? {};
    return {
      sums: [{ label: text`Payments made`, kept, retired, after: kept + retired, kind: 'count' as const }],
      texts: [],
      blocks: [],
      basis: [kept, retired],
    };
  },
);
