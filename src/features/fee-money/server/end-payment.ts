import { sql } from 'kysely';
import { paymentEnded } from '#features/fee-money/contract/hooks.ts';
import { type MoneyEntry, postEntries } from '#features/fee-price/api.ts';
import { AppError } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { ActingContext, Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { ask } from '#kit/server/hook.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { moveMessages, type WhereMoney } from '../contract/move.ts';
import { type Effect, type Move, type SettledDue, settle } from '../contract/settle.ts';
import { tellBounced } from './bounce-message.ts';
import { tellCancelled } from './cancel-message.ts';

/** The accounts of payments, locked in the order of their ids after applications: what an end of a payment locks first. */
export async function lockAccountsOf({ db }: Pick<Context, 'db'>, paymentIds: readonly number[]): Promise<number[]> {
  await sql`select id from admission_inquiry where id in (select inquiry_id from fee_receipt receipt
    join fee_account account on account.id = receipt.account_id and account.student_id is null
    where payment_id = any(${paymentIds}::integer[])) order by id for update`.execute(db);
  const { rows } = await sql<{ id: number }>`select id from fee_account where id in (select account_id from fee_receipt
    where payment_id = any(${paymentIds}::integer[])) order by id for update`.execute(db);
  return rows.map(({ id }) => id);
}

interface Ending {
  /** Reissued: the same act makes another payment for the same money. */
  as: 'Cancelled' | 'Bounced' | 'Reissued';
  staffId: number | null;
}

interface Ended {
  id: number;
  reason: string;
  /** Where the money of a cancelled payment is. */
  money?: WhereMoney;
}

/**
 * Ends payments whose accounts are locked: every entry of their receipts is reversed on the day of the act, and what no longer
 * fits is taken from the advance. Refuses what was refunded.
 */
export async function endPayments(
  ctx: ActingContext,
  payments: readonly Ended[],
  { as, staffId }: Ending,
): Promise<void> {
  const today = toLocalDate(ctx.now());
  const { rows: ended } = await sql<{ id: number; version: number; amount: number; reason: string }>`
    update fee_payment payment set ended_as = ${as}, ended_on = greatest(${today}::date, paid_on), ended_by = ${staffId},
      end_reason = asked.reason, end_money = coalesce(asked.money, ''), version = version + 1
    from jsonb_to_recordset(${JSON.stringify(payments)}::jsonb) as asked (id integer, reason text, money text)
    where payment.id = asked.id and ended_as is null
    returning payment.id, version, amount, end_reason as reason`
    .execute(ctx.db)
    .catch((error: { constraint?: string }) => {
      const said = refusals[error.constraint ?? ''];
      throw said ? new AppError('conflict', said) : error;
    });
  if (ended.length < payments.length) throw new AppError('conflict', hasEnded);
  const reversals = (
    await readEntries(
      ctx,
      ended.map(({ id }) => id),
    )
  ).map(
    ({ id, ...entry }): MoneyEntry => ({ ...entry, day: today, dueOn: today, amount: -entry.amount, reversesId: id }),
  );
  const byAccount = Map.groupBy(reversals, ({ accountId }) => accountId);
  const { dues, advances } = await readStanding(ctx, [...byAccount.keys()]);
  const moves = [...byAccount].flatMap(([accountId, own]) => {
    const settled = settle(dues.get(accountId) ?? [], advances.get(accountId) ?? new Map(), own.map(effectOf));
    const [lacking] = settled.missing.values();
    if (lacking !== undefined)
      throw new AppError(
        'conflict',
        text`${{ amount: showMoney(lacking) }} of this payment was refunded, or waits for a refund.`,
      );
    return settled.moves.flatMap((move) => entriesOf(accountId, move, today));
  });
  await postEntries(ctx, [...reversals, ...moves]);
  await tellApplications(ctx, ended, as === 'Bounced' ? as : 'Cancelled');
  await (as === 'Bounced' ? tellBounced : tellCancelled)(
    ctx,
    ended.map(({ id }) => id),
  );
  if (as === 'Reissued') return;
  await auditAll(
    ctx,
    ended.map(({ id, version, amount, reason }) => ({
      action: as === 'Cancelled' ? 'fee-payment.cancelled' : 'fee-payment.bounced',
      entity: 'fee_payment',
      entityId: id,
      version,
      details: { Amount: showMoney(amount), Reason: reason },
    })),
  );
}

/** Features learn of payments of applicants that ended, such as that of an admission fee. */
async function tellApplications(
  ctx: ActingContext,
  payments: readonly { id: number; reason: string }[],
  how: 'Cancelled' | 'Bounced',
) {
  const { rows } = await sql<{ paymentId: number; inquiryId: number; reason: string }>`
    select distinct payment.id as "paymentId", account.inquiry_id as "inquiryId", payment.end_reason as reason
    from fee_receipt receipt join fee_account account on account.id = receipt.account_id
    join fee_payment payment on payment.id = receipt.payment_id
    where account.inquiry_id is not null and payment.id = any(${payments.map(({ id }) => id)}::integer[])
    order by 2, 1`.execute(ctx.db);
  for (const payment of rows) await ask(ctx, paymentEnded, { ...payment, how });
}

export const hasEnded = text`This payment has ended already.`;
const refusals: Readonly<Record<string, Text>> = {
  fee_day_closed: text`The cashier has closed this day. A payment of today can be cancelled or bounce from tomorrow on.`,
  fee_payment_given_back: moveMessages.dayOver,
};

const effectOf = ({ dueId, receiptSeriesId, amount }: MoneyEntry): Effect => ({
  dueId,
  receiptSeriesId,
  net: 0,
  paid: -amount,
});

/** A move between a due and the advance of its series, as its two entries. */
export const entriesOf = (accountId: number, { dueId, receiptSeriesId, amount }: Move, day: string): MoneyEntry[] => {
  const entry = { accountId, receiptSeriesId, kind: 'Applied' as const, day, dueOn: day };
  return [
    { ...entry, dueId, amount: -amount },
    { ...entry, dueId: null, amount },
  ];
};

async function readEntries({ db }: Pick<Context, 'db'>, paymentIds: readonly number[]) {
  const { rows } = await sql<{
    id: number;
    accountId: number;
    dueId: number | null;
    receiptSeriesId: number;
    academicYearId: number | null;
    kind: MoneyEntry['kind'];
    amount: number;
    receiptId: number;
  }>`
    select entry.id, entry.account_id as "accountId", due_id as "dueId", entry.receipt_series_id as "receiptSeriesId",
      academic_year_id as "academicYearId", kind, entry.amount, receipt_id as "receiptId"
    from fee_ledger_entry entry join fee_receipt receipt on receipt.id = entry.receipt_id
    where receipt.payment_id = any(${paymentIds}::integer[]) and reverses_id is null order by entry.id`.execute(db);
  return rows;
}

/** Dues and advances of accounts, as `settle` needs them; what refunds have asked for is no longer there. */
async function readStanding({ db }: Pick<Context, 'db'>, accountIds: readonly number[]) {
  const { rows: dues } = await sql<SettledDue & { accountId: number }>`
    select due.id, account_id as "accountId", receipt_series_id as "receiptSeriesId", due_on as "dueOn", net, paid,
      coalesce((select -sum(amount) from fee_ledger_entry entry where entry.due_id = due.id and entry.kind = 'Applied'), 0)::bigint
        as applied
    from fee_due due where account_id = any(${accountIds}::integer[]) order by due.id`.execute(db);
  const { rows: advances } = await sql<{ accountId: number; receiptSeriesId: number; amount: number }>`
    select account_id as "accountId", receipt_series_id as "receiptSeriesId", amount - held as amount from fee_advance
    where account_id = any(${accountIds}::integer[])`.execute(db);
  return {
    dues: Map.groupBy(dues, ({ accountId }) => accountId),
    advances: new Map(
      [...Map.groupBy(advances, ({ accountId }) => accountId)].map(([accountId, own]) => [
        accountId,
        new Map(own.map(({ receiptSeriesId, amount }) => [receiptSeriesId, amount])),
      ]),
    ),
  };
}
