import { type RawBuilder, sql } from 'kysely';
import { feeReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type cellKinds, moneyActs, type ReportKind } from '../contract/report.ts';

interface Column {
  label: Text;
  kind: (typeof cellKinds)[number];
  /** The column whose sum is the total of the report. */
  isTotal?: boolean;
}

/** A report: its rows, whose columns are those of the query in this order, and what its total must be by the ledger. */
interface Report {
  columns: readonly Column[];
  rows: RawBuilder<unknown>;
  ledger: RawBuilder<unknown>;
  /** Each row names a person. */
  isPeople: boolean;
}

interface Asked {
  from: string;
  to: string;
}

/** The accounts of students and of unplaced money in the branches that the user reaches; applicants belong to the branch of their inquiry. */
const reached = (user: UserContext['user']) =>
  inScope(user, feeReaders, {
    branch: sql`coalesce((select branch_id from student where id = account.student_id),
      (select branch_id from admission_inquiry where id = account.inquiry_id), account.branch_id)`,
  });

const child = sql`coalesce((select name from student where id = account.student_id),
  (select concat_ws(' ', first_name, last_name) from admission_inquiry where id = account.inquiry_id), account.unplaced_note, '')`;
const grNo = sql`coalesce((select gr_no from student where id = account.student_id),
  (select inquiry_no from admission_inquiry where id = account.inquiry_id), '')`;

const [received, , , refunded] = moneyActs;

const money = (label: Text, isTotal = false): Column => ({ label, kind: 'money', isTotal });
const words = (label: Text): Column => ({ label, kind: 'text' });
const option = (label: Text): Column => ({ label, kind: 'option' });
const date = (label: Text): Column => ({ label, kind: 'date' });
const number = (label: Text): Column => ({ label, kind: 'number' });

/** A sum over entries of the ledger on accounts that the user reaches. */
const ofLedger = (user: UserContext['user'], sum: RawBuilder<unknown>, where: RawBuilder<unknown>) =>
  sql`select coalesce(${sum}, 0)::bigint as amount from fee_ledger_entry entry
    join fee_account account on account.id = entry.account_id
    left join fee_due due on due.id = entry.due_id where ${where} and ${reached(user)}`;

export const reports: Record<ReportKind, (user: UserContext['user'], asked: Asked) => Report> = {
  'Day book': (user, { from, to }) => ({
    columns: [
      date(text`Date`),
      words(text`Receipt`),
      words(text`Student`),
      words(text`GR`),
      words(text`Payer`),
      option(text`Mode`),
      words(text`Reference`),
      words(text`Series`),
      words(text`Cashier`),
      option(text`Type`),
      money(text`Amount`, true),
    ],
    isPeople: true,
    rows: sql`
      select line.day, receipt.receipt_no, ${child}, ${grNo}, payment.payer_name, payment.mode, payment.reference, series.name,
        staff.name, line.what, line.amount
      from fee_receipt receipt join fee_payment payment on payment.id = receipt.payment_id
      join fee_receipt_series series on series.id = receipt.receipt_series_id
      join staff on staff.id = payment.staff_id
      join fee_account account on account.id = receipt.account_id
      cross join lateral (values (receipt.receipt_date, ${received}::text, receipt.amount),
        (payment.ended_on, payment.ended_as, -receipt.amount)) as line (day, what, amount)
      where line.day between ${from}::date and ${to}::date and ${reached(user)}
      union all
      select refund.paid_on, refund.refund_no, ${child}, ${grNo}, refund.payee, refund.mode, refund.reference, series.name, '',
        ${refunded}::text, -refund.amount
      from fee_refund refund join fee_receipt_series series on series.id = refund.receipt_series_id
      join fee_account account on account.id = refund.account_id
      where refund.paid_on between ${from}::date and ${to}::date and ${reached(user)}
      order by 1, 2, 11 desc`,
    ledger: ofLedger(
      user,
      sql`-sum(entry.amount)`,
      sql`entry.kind in ('Receipt', 'Refund') and entry.entry_date between ${from}::date and ${to}::date`,
    ),
  }),
  'Fee heads': (user, { from, to }) => ({
    columns: [words(text`Receipt series`), words(text`Fee head`), number(text`Students`), money(text`Received`, true)],
    isPeople: false,
    rows: sql`
      select series.name, coalesce(head.name, case when due.id is null then 'Advance' when due.kind = 'Fine' then 'Late fine'
          when due.kind = 'Bounce' then 'Cheque bounce charge' when due.kind = 'Opening' then 'Opening balance' else due.label end)
          as head, count(distinct entry.account_id)::integer, -sum(entry.amount)::bigint
      from fee_ledger_entry entry join fee_account account on account.id = entry.account_id
      join fee_receipt_series series on series.id = entry.receipt_series_id
      left join fee_due due on due.id = entry.due_id left join fee_head head on head.id = due.fee_head_id
        and due.kind in ('Plan', 'Extra')
      where entry.kind = 'Receipt' and entry.entry_date between ${from}::date and ${to}::date and ${reached(user)}
      group by series.name, 2 order by series.name, 2`,
    ledger: ofLedger(
      user,
      sql`-sum(entry.amount)`,
      sql`entry.kind = 'Receipt' and entry.entry_date between ${from}::date and ${to}::date`,
    ),
  }),
  Ageing: (user, { to }) => {
    const late = (first: number, last: number | null) =>
      last === null
        ? sql`coalesce(sum(net - paid) filter (where ${to}::date - due_on >= ${first}::integer), 0)::bigint`
        : sql`coalesce(sum(net - paid) filter (where ${to}::date - due_on between ${first}::integer
            and ${last}::integer), 0)::bigint`;
    return {
      columns: [
        words(text`Student`),
        words(text`GR`),
        date(text`Due since`),
        money(text`Due on the day`),
        money(text`1 to 30 days`),
        money(text`31 to 60 days`),
        money(text`61 to 90 days`),
        money(text`Over 90 days`),
        money(text`All`, true),
      ],
      isPeople: true,
      rows: sql`
        select ${child} as name, ${grNo}, late.since, late.now, late.one, late.two, late.three, late.more, late.due
        from (select account_id, min(due_on) as since, ${late(0, 0)} as now, ${late(1, 30)} as one,
            ${late(31, 60)} as two, ${late(61, 90)} as three, ${late(91, null)} as more,
            sum(net - paid)::bigint as due
          from fee_due where paid < net and due_on <= ${to}::date group by account_id) late
        join fee_account account on account.id = late.account_id where ${reached(user)}
        order by late.due desc, name`,
      ledger: ofLedger(user, sql`sum(entry.amount)`, sql`due.due_on <= ${to}::date`),
    };
  },
  Concessions: (user, { from, to }) => ({
    columns: [
      words(text`Discount`),
      words(text`Student`),
      words(text`GR`),
      words(text`Takes off`),
      money(text`Taken off`, true),
    ],
    isPeople: true,
    rows: sql`
      select discount.name, ${child} as child, ${grNo},
        case when concession.percent is not null then trim(trailing '.' from trim(trailing '0' from
            to_char(concession.percent / 100.0, 'FM990.00'))) || ' %'
          when concession.amount is not null then 'Rs. ' || (concession.amount / 100) else 'Everything' end,
        -sum(entry.amount)::bigint
      from fee_ledger_entry entry join fee_account account on account.id = entry.account_id
      join fee_concession concession on concession.id = entry.concession_id
      join fee_discount discount on discount.id = concession.discount_id
      where entry.kind = 'Concession' and entry.entry_date between ${from}::date and ${to}::date and ${reached(user)}
      group by discount.id, concession.id, account.id having sum(entry.amount) <> 0 order by discount.name, child`,
    ledger: ofLedger(
      user,
      sql`-sum(entry.amount)`,
      sql`entry.kind = 'Concession' and entry.entry_date between ${from}::date and ${to}::date`,
    ),
  }),
  'Cancelled receipts': (user, { from, to }) => ({
    columns: [
      date(text`Ended on`),
      words(text`Receipt`),
      date(text`Receipt date`),
      words(text`Student`),
      option(text`Mode`),
      option(text`Type`),
      words(text`By`),
      words(text`Reason`),
      money(text`Amount`, true),
    ],
    isPeople: true,
    rows: sql`
      select payment.ended_on, receipt.receipt_no, receipt.receipt_date, ${child}, payment.mode, payment.ended_as,
        coalesce(staff.name, ''), payment.end_reason, receipt.amount
      from fee_receipt receipt join fee_payment payment on payment.id = receipt.payment_id
      join fee_account account on account.id = receipt.account_id
      left join staff on staff.id = payment.ended_by
      where payment.ended_on between ${from}::date and ${to}::date and ${reached(user)}
      order by payment.ended_on, receipt.receipt_no`,
    ledger: ofLedger(
      user,
      sql`sum(entry.amount)`,
      sql`entry.kind = 'Receipt' and entry.reverses_id is not null
        and entry.entry_date between ${from}::date and ${to}::date`,
    ),
  }),
  'Late fines': (user, { from, to }) => ({
    columns: [
      date(text`Charged on`),
      words(text`Student`),
      words(text`GR`),
      date(text`Due day`),
      money(text`Charged`, true),
      money(text`Waived`),
      money(text`Paid`),
    ],
    isPeople: true,
    rows: sql`
      select entry.entry_date, ${child} as child, ${grNo}, due.fine_of, sum(entry.amount)::bigint,
        -due.adjusted, due.paid
      from fee_ledger_entry entry join fee_due due on due.id = entry.due_id
      join fee_account account on account.id = entry.account_id
      where entry.kind = 'Fine' and entry.entry_date between ${from}::date and ${to}::date and ${reached(user)}
      group by entry.entry_date, account.id, due.id order by entry.entry_date, child`,
    ledger: ofLedger(
      user,
      sql`sum(entry.amount)`,
      sql`entry.kind = 'Fine' and entry.entry_date between ${from}::date and ${to}::date`,
    ),
  }),
  GST: (user, { from, to }) => ({
    columns: [
      date(text`Date`),
      words(text`Receipt`),
      words(text`Student`),
      words(text`Fee head`),
      words(text`SAC`),
      words(text`Rate`),
      money(text`Taxable amount`),
      money(text`CGST`),
      money(text`SGST`),
      money(text`Amount`, true),
    ],
    isPeople: true,
    // Half of the tax runs over the payments of a due, so that its parts total exactly.
    rows: sql`
      with part as (
        select entry.*, due.gst_rate, due.label, head.name as head, head.sac,
          sum(-entry.amount) over (partition by entry.due_id order by entry.entry_date, entry.id) as upto
        from fee_ledger_entry entry join fee_due due on due.id = entry.due_id and due.gst_rate > 0
        left join fee_head head on head.id = due.fee_head_id where entry.kind = 'Receipt'
      ), taxed as (
        select part.*, div(upto * gst_rate + 10000 + gst_rate, 2 * (10000 + gst_rate))::bigint
          - div((upto + amount) * gst_rate + 10000 + gst_rate, 2 * (10000 + gst_rate))::bigint as half from part)
      select entry.entry_date, receipt.receipt_no, ${child}, coalesce(entry.head, entry.label), coalesce(entry.sac, ''),
        entry.gst_rate / 100 || ' %', -entry.amount - 2 * entry.half, entry.half, entry.half, -entry.amount
      from taxed entry join fee_account account on account.id = entry.account_id
      join fee_receipt receipt on receipt.id = entry.receipt_id
      where entry.entry_date between ${from}::date and ${to}::date and ${reached(user)}
      order by entry.entry_date, entry.id`,
    ledger: ofLedger(
      user,
      sql`-sum(entry.amount)`,
      sql`entry.kind = 'Receipt' and due.gst_rate > 0 and entry.entry_date between ${from}::date and ${to}::date`,
    ),
  }),
};
