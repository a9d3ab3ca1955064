import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import type { Context } from '#kit/server/context.ts';
import type { Voucher } from './tally-xml.ts';

interface Asked {
  seriesId: number;
  from: string;
  to: string;
}

/** A voucher whose lines name the keys of ledgers. */
export type Booked = Omit<Voucher, 'lines'> & {
  lines: { key: string; amount: number }[];
  /** Whose money it is; null for a slip. */
  accountId: number | null;
};

/** An entry of the ledger, as a credit of what it is of; half of the tax in it apart. */
interface Line {
  kind: 'Receipt' | 'Refund' | 'Journal';
  /** The receipt, refund, or the first entry of the account on the day. */
  id: number;
  day: string;
  isReversal: boolean;
  isCancelled: boolean;
  number: string;
  /** Against which ledger; '' for a journal. */
  against: string;
  about: string;
  accountId: number;
  key: string;
  credit: number;
  half: number;
}

/**
 * The entries of money of a receipt series in a span: receipts, those that ended later as vouchers of the day on which they
 * ended, refunds, and advance that paid dues. A receipt that ended on its own day is one cancelled voucher.
 */
const readLines = async ({ db }: Pick<Context, 'db'>, { seriesId, from, to }: Asked) =>
  (
    await sql<Line>`
    with part as (
      select entry.id, due.gst_rate, -entry.amount as paid,
        sum(-entry.amount) over (partition by entry.due_id order by entry.entry_date, entry.id) as upto
      from fee_ledger_entry entry join fee_due due on due.id = entry.due_id and due.gst_rate > 0
      where entry.receipt_series_id = ${seriesId} and entry.kind in ('Receipt', 'Applied', 'Transfer')
    ), taxed as (
      -- Half of the tax runs over the payments of a due, so that its parts total exactly.
      select id, div(upto * gst_rate + 10000 + gst_rate, 2 * (10000 + gst_rate))::bigint
        - div((upto - paid) * gst_rate + 10000 + gst_rate, 2 * (10000 + gst_rate))::bigint as half from part
    ), own as (
      select entry.*, account.unplaced_note, account.student_id, due.kind as due_kind, due.fee_head_id, coalesce(taxed.half, 0) as half,
        case when entry.kind in ('Receipt', 'Refund') then entry.kind else 'Journal' end as voucher,
        case when entry.due_id is null and account.unplaced_note is not null then 'unplaced' when entry.due_id is null then 'advance'
          when due.kind = 'Fine' then 'fine' when due.kind = 'Bounce' then 'bounce' when due.kind = 'Opening' then 'opening'
          when due.fee_head_id is null then 'other' else 'head:' || due.fee_head_id end as ledger
      from fee_ledger_entry entry join fee_account account on account.id = entry.account_id
      left join fee_due due on due.id = entry.due_id left join taxed on taxed.id = entry.id
      where entry.receipt_series_id = ${seriesId} and entry.kind in ('Receipt', 'Refund', 'Applied', 'Transfer')
        and entry.entry_date between ${from}::date and ${to}::date)
    select own.voucher as kind, own.entry_date::text as day, own.ledger as key, -own.amount as credit, own.half,
      case own.voucher when 'Receipt' then own.receipt_id when 'Refund' then own.refund_id
        else min(own.id) over (partition by own.voucher, own.account_id, own.entry_date) end as id,
      own.voucher = 'Receipt' and own.reverses_id is not null as "isReversal",
      coalesce(payment.ended_on = receipt.receipt_date, false) as "isCancelled",
      coalesce(receipt.receipt_no, refund.refund_no, '') as number,
      case own.voucher when 'Receipt' then coalesce('bank:' || (
          select deposit.bank_account_id from bank_deposit deposit join bank_deposit_cheque part on part.deposit_id = deposit.id
          join fee_cheque cheque on cheque.id = part.cheque_id
          where own.reverses_id is not null and payment.ended_as = 'Bounced' and cheque.number = payment.reference
            and cheque.amount = payment.amount and deposit.day between payment.paid_on and payment.ended_on
          order by deposit.day desc, deposit.id desc limit 1), 'mode:' || payment.mode)
        when 'Refund' then 'refund:' || refund.mode else '' end as against,
      concat_ws(', ', coalesce((select name from student where id = own.student_id), own.unplaced_note), payment.mode,
        nullif(coalesce(payment.reference, refund.reference), ''), payment.payer_name, refund.payee) as about,
      own.account_id as "accountId"
    from own left join fee_receipt receipt on receipt.id = own.receipt_id
    left join fee_payment payment on payment.id = receipt.payment_id
    left join fee_refund refund on refund.id = own.refund_id
    order by own.entry_date, own.voucher, 6, 7, own.id`.execute(db)
  ).rows;

/** The cheques of a series that went to a bank on a slip. */
const readSlips = async ({ db }: Pick<Context, 'db'>, { seriesId, from, to }: Asked) =>
  (
    await sql<{ id: number; day: string; slipNo: string; bankId: number; mode: string; amount: number }>`
    select deposit.id, deposit.day::text as day, deposit.slip_no as "slipNo", deposit.bank_account_id as "bankId", payment.mode,
      sum(receipt.amount)::bigint as amount
    from bank_deposit deposit join bank_deposit_cheque part on part.deposit_id = deposit.id
    join fee_cheque cheque on cheque.id = part.cheque_id
    join fee_payment payment on payment.mode = cheque.kind and payment.reference = cheque.number and payment.amount = cheque.amount
      and payment.paid_on <= deposit.day and (payment.ended_on is null or payment.ended_on >= deposit.day)
    join fee_receipt receipt on receipt.payment_id = payment.id and receipt.receipt_series_id = ${seriesId}
    where deposit.day between ${from}::date and ${to}::date
      and not coalesce(payment.ended_on = payment.paid_on, false)
    group by 1, 5 order by 2, 1, 5`.execute(db)
  ).rows;

/**
 * The cash that closed shifts sent to the bank, as far as it is of a series: its share in the cash that the shift received,
 * so that the parts of all series total what was sent. Cash of earlier shifts alone is of the first series.
 */
const readBanked = async ({ db }: Pick<Context, 'db'>, { seriesId, from, to }: Asked) =>
  (
    await sql<{ id: number; day: string; slipNo: string; amount: number }>`
    with cash as (
      select shift.id, receipt.receipt_series_id as series_id, sum(receipt.amount) as cash
      from fee_day shift join fee_payment payment on payment.day_id = shift.id and payment.mode = 'Cash'
        and payment.ended_on is distinct from payment.paid_on
      join fee_receipt receipt on receipt.payment_id = payment.id
      where shift.day between ${from}::date and ${to}::date and shift.banked > 0 group by 1, 2),
    share as (
      select id, series_id, cash, sum(cash) over (partition by id order by series_id) as upto,
        sum(cash) over (partition by id) as whole from cash)
    select shift.id, shift.day::text as day, shift.slip_no as "slipNo",
      coalesce(div(shift.banked * upto, whole) - div(shift.banked * (upto - cash), whole), shift.banked)::bigint as amount
    from fee_day shift left join share on share.id = shift.id
    where shift.day between ${from}::date and ${to}::date and shift.status = 'Closed' and shift.banked > 0
      and coalesce(share.series_id, (select min(id) from fee_receipt_series)) = ${seriesId}
    order by 2, 1`.execute(db)
  ).rows;

/** What a span of a receipt series books, in the order of days. */
export async function bookedIn(ctx: Pick<Context, 'db'>, asked: Asked): Promise<Booked[]> {
  const lines = await readLines(ctx, asked);
  const slips = await readSlips(ctx, asked);
  const banked = await readBanked(ctx, asked);
  const groups = Map.groupBy(lines, (line) =>
    line.isCancelled ? `cancelled ${line.id}` : `${line.kind} ${line.id} ${line.isReversal}`,
  );
  const booked = [...groups.values()].map((own) => voucherOf(asked.seriesId, own));
  const contras = slips.map(
    ({ id, day, slipNo, bankId, mode, amount }): Booked => ({
      remoteId: `shala-${asked.seriesId}-slip-${id}-${mode === 'Cheque' ? 'c' : 'd'}`,
      type: 'Contra',
      day,
      number: slipNo,
      narration: `Deposit slip ${slipNo}`,
      isCancelled: false,
      accountId: null,
      lines: [
        { key: `bank:${bankId}`, amount: -amount },
        { key: `mode:${mode}`, amount },
      ],
    }),
  );
  const cash = banked.map(
    ({ id, day, slipNo, amount }): Booked => ({
      remoteId: `shala-${asked.seriesId}-cash-${id}`,
      type: 'Contra',
      day,
      number: slipNo,
      narration: `Cash to the bank, slip ${slipNo}`,
      isCancelled: false,
      accountId: null,
      lines: [
        { key: 'banked', amount: -amount },
        { key: 'mode:Cash', amount },
      ],
    }),
  );
  return [...booked, ...contras, ...cash]
    .filter(({ isCancelled, lines: own }) => isCancelled || own.length > 0)
    .sort(
      (one, other) =>
        one.day.localeCompare(other.day) || one.remoteId.localeCompare(other.remoteId, 'en', { numeric: true }),
    );
}

const types = { Receipt: 'Receipt', Refund: 'Payment', Journal: 'Journal' } as const;

/** The lines of one document as a voucher: what they credit, the tax apart, and the other side. */
function voucherOf(seriesId: number, own: readonly Line[]): Booked {
  const [first] = own;
  if (!first) throw new Error('A voucher has lines.');
  const { kind, id, day, isReversal, isCancelled, number, against, about, accountId } = first;
  const sums = new Map<string, number>();
  const add = (key: string, amount: number) => sums.set(key, (sums.get(key) ?? 0) + amount);
  for (const { key, credit, half } of own) {
    add(key, Number(credit) - 2 * Number(half));
    add('cgst', Number(half));
    add('sgst', Number(half));
  }
  const total = [...sums.values()].reduce((sum, amount) => sum + amount, 0);
  // Advance that moved between accounts of two receipt series has its other side in the other file.
  add(against || 'transfer', -total);
  return {
    remoteId: `shala-${seriesId}-${kind.toLowerCase()}-${id}${isReversal && !isCancelled ? '-ended' : ''}`,
    type: isReversal && !isCancelled ? 'Payment' : types[kind],
    day,
    number: number === '' ? `J${id}` : isReversal && !isCancelled ? `${number}-R` : number,
    narration:
      kind === 'Journal'
        ? `Advance used, ${about}`
        : isReversal && !isCancelled
          ? `Ended on ${showDate(day)}: ${about}`
          : about,
    isCancelled,
    accountId,
    lines: isCancelled ? [] : [...sums].filter(([, amount]) => amount !== 0).map(([key, amount]) => ({ key, amount })),
  };
}
