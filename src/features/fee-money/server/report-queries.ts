import { type RawBuilder, sql } from 'kysely';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type cellKinds, moneyActs, type ReportKind } from '../contract/report.ts';
import { child, className, grNo, linesOf, type Narrowed, narrowedTo, ofLedger, placeOn } from './report-lines.ts';

export interface Column {
  label: Text;
  kind: (typeof cellKinds)[number];
  /** The column whose sum is the total of the report. */
  isTotal?: boolean;
  /** A part of the total, which a phone has no room for. */
  isPart?: boolean;
}

/**
 * A report: its rows, and what its total must be by the ledger. The query gives the receipt and the student that a row opens,
 * the key of a row that opens, then the columns in their order.
 */
export interface Report {
  columns: readonly Column[];
  rows: RawBuilder<unknown>;
  /** A part of the rows, which costs no more than it shows: `part` is its limit and offset. */
  page?: (part: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** With `page`: all rows in any order, with nothing but what is counted and added up. */
  bare?: RawBuilder<unknown>;
  ledger: RawBuilder<unknown>;
  /** The column that counts receipts or students, and how many there are in all: one may be in several rows. */
  counted?: { at: number; all: RawBuilder<unknown> };
  /** Each row names a person. */
  isPeople: boolean;
}

export interface Asked extends Narrowed {
  from: string;
  to: string;
  /** Late fines that are not charged yet, of a report as of today. */
  fines?: readonly UnpostedFine[] | undefined;
}

export interface UnpostedFine {
  accountId: number;
  amount: number;
}

export const finesBeside = text`Late fine not charged`;

/** The fines of accounts, alias `fine`. */
export const fineRows = (
  fines: readonly UnpostedFine[],
) => sql`unnest(${fines.map(({ accountId }) => accountId)}::integer[],
  ${fines.map(({ amount }) => amount)}::bigint[]) as fine (account_id, amount)`;

const [received, , , refunded] = moneyActs;

export const money = (label: Text, isTotal = false): Column => ({ label, kind: 'money', isTotal });
export const words = (label: Text): Column => ({ label, kind: 'text' });
const option = (label: Text): Column => ({ label, kind: 'option' });
const date = (label: Text): Column => ({ label, kind: 'date' });
export const number = (label: Text): Column => ({ label, kind: 'number' });

/** Entries of some kinds on the days that are asked for. */
const ofDays = ({ from, to }: Asked, kind: RawBuilder<unknown>) =>
  sql`${kind} and entry.entry_date between ${from}::date and ${to}::date`;

/**
 * What was due and unpaid at the end of a day, as the ledger knew it then: of each due, the entries booked by that day that
 * had fallen due. One that was paid before its day counts as nothing. Aliases: `account`, `place` on that day.
 */
export const openDues = (user: UserContext['user'], asked: Asked, { isPlaced = true, head = sql`''` } = {}) => sql`
  select account.id as account_id, account.student_id, account.inquiry_id, account.unplaced_note, due.id as due_id, ${head} as head,
    ${isPlaced ? sql`place.grade_id, place.section_id` : sql`null::integer as grade_id, null::integer as section_id`},
    owing.since, owing.owed
  from (
    -- Added up first: most dues are paid, and nothing else of them is read.
    select due_id, sum(amount)::bigint as owed,
      max(due_on) filter (where amount > 0 and kind in ('Charge', 'Pro-rata', 'Fine', 'Debit', 'Opening')) as since
    from fee_ledger_entry
    where due_id is not null and entry_date <= ${asked.to}::date and due_on <= ${asked.to}::date
    group by due_id having sum(amount) > 0) as owing
  join fee_due due on due.id = owing.due_id
  join fee_account account on account.id = due.account_id
  ${isPlaced || asked.gradeId || asked.sectionId ? placeOn(sql`${asked.to}::date`) : sql``}
  where ${narrowedTo(user, asked, { series: sql`due.receipt_series_id`, head: sql`due.fee_head_id` })}`;

export const openByLedger = (user: UserContext['user'], asked: Asked) =>
  sql`select coalesce(sum(owed), 0)::bigint as amount from (${openDues(user, asked, { isPlaced: false })}) as open`;

/** Mode and cashier are those of the payment by which an unplaced sum came, also for its refund. */
const paymentOfAccount = ({ mode, cashierId }: Asked) =>
  mode === '' && cashierId === ''
    ? sql`true`
    : sql`exists (select from fee_receipt own join fee_payment came on came.id = own.payment_id where own.account_id = account.id
        and ${mode === '' ? sql`true` : sql`came.mode = ${mode}`}
        and ${cashierId === '' ? sql`true` : sql`came.staff_id = ${Number(cashierId)}`})`;

/**
 * Receipts, ends of payments and refunds on their days, each found by its own index: `line` with its `account`, `payment` and
 * `refund`, of which a query reads what it names.
 */
const dayBookLines = (user: UserContext['user'], asked: Asked) => {
  const { from, to } = asked;
  return sql`from (
      select id as receipt_id, null::integer as refund_id, account_id, payment_id, receipt_series_id, receipt_date as day,
        receipt_no as number, ${received}::text as what, amount
      from fee_receipt where receipt_date between ${from}::date and ${to}::date
      union all
      select ended.id, null, ended.account_id, ended.payment_id, ended.receipt_series_id, ending.ended_on, ended.receipt_no,
        ending.ended_as, -ended.amount
      from fee_payment ending join fee_receipt ended on ended.payment_id = ending.id
      where ending.ended_on between ${from}::date and ${to}::date
      union all
      select null, id, account_id, null, receipt_series_id, paid_on, refund_no, ${refunded}::text, -amount
      from fee_refund where paid_on between ${from}::date and ${to}::date) as line
    join fee_account account on account.id = line.account_id
    left join fee_payment payment on payment.id = line.payment_id
    left join fee_refund refund on refund.id = line.refund_id
    ${asked.gradeId || asked.sectionId ? placeOn(sql`line.day`) : sql``}
    where ${narrowedTo(user, asked, {
      series: sql`line.receipt_series_id`,
      mode: sql`coalesce(payment.mode, refund.mode)`,
      cashier: sql`payment.staff_id`,
    })}`;
};

/** The day book, or a part of it: names and classes are read of its own lines. */
const dayBook = (user: UserContext['user'], asked: Asked, part: RawBuilder<unknown>) => sql`
  with document as materialized (
    select line.*, account.student_id, coalesce(payment.payer_name, refund.payee) as payer, coalesce(payment.mode, refund.mode) as mode,
      coalesce(payment.reference, refund.reference) as reference, payment.staff_id
    ${dayBookLines(user, asked)}
    order by line.day, line.number, line.amount desc ${part})
  select line.receipt_id, line.student_id, null::text, line.day, line.number, ${child}, ${className}, line.payer, line.mode, line.reference,
    series.name, coalesce(staff.name, ''), line.what, line.amount
  from document line join fee_account account on account.id = line.account_id
  join fee_receipt_series series on series.id = line.receipt_series_id
  left join staff on staff.id = line.staff_id
  ${placeOn(sql`line.day`, sql`select student_id from document`)}
  order by 4, 5, 14 desc`;

/** Why a concession was given that nobody wrote a reason for, and who approved one that needs no approval. */
const suggested = text`Follows from the student’s record`;
const unasked = text`Needs no approval`;

type Made = (user: UserContext['user'], asked: Asked) => Report;

/** The reports whose rows are documents or students; those by head are in `report-groups.ts`. */
export const documents: Record<
  Exclude<ReportKind, 'Receipts by head' | 'Collection' | 'Bank day' | 'Dues by class'>,
  Made
> = {
  'Day book': (user, asked) => ({
    columns: [
      date(text`Date`),
      words(text`Receipt`),
      words(text`Student`),
      words(text`Class`),
      words(text`Payer`),
      option(text`Mode`),
      words(text`Reference`),
      words(text`Series`),
      words(text`Cashier`),
      option(text`Type`),
      money(text`Amount`, true),
    ],
    isPeople: true,
    rows: dayBook(user, asked, sql``),
    page: (part) => dayBook(user, asked, part),
    bare: sql`select line.receipt_id, account.student_id, ${sql.join(Array.from({ length: 11 }, () => sql`null`))}, line.amount
      ${dayBookLines(user, asked)}`,
    ledger: ofLedger(user, asked, sql`-sum(entry.amount)`, ofDays(asked, sql`entry.kind in ('Receipt', 'Refund')`)),
  }),
  Cheques: (user, asked) => {
    const dated = sql`cheque.dated_on between ${asked.from}::date and ${asked.to}::date`;
    const one = sql`cheque.dated_on, cheque.number, cheque.bank, ${child}, ${className}, cheque.payer_name, cheque.status,
      cheque.deposited_on, (select count(*)::integer from fee_cheque other join student own on own.id = other.student_id
        join student of_cheque on of_cheque.id = cheque.student_id
        where own.family_id = of_cheque.family_id and other.bounces > 0 and other.dated_on <= ${asked.to}::date
          and other.dated_on > ${asked.to}::date - interval '2 years')`;
    const amounts = (amount: RawBuilder<unknown>) => sql`case when cheque.status = 'Held' then ${amount} else 0 end,
      case when cheque.status = 'Bounced' then ${amount} else 0 end,
      case when cheque.status in ('Received', 'Deposited', 'Cleared') then ${amount} else 0 end`;
    const paid = sql`entry.kind = 'Receipt' and payment.id in (select payment_id from fee_cheque cheque where ${dated})`;
    return {
      columns: [
        date(text`Dated`),
        words(text`Cheque`),
        words(text`Bank`),
        words(text`Student`),
        words(text`Class`),
        words(text`Payer`),
        option(text`Status`),
        date(text`Deposited on`),
        number(text`Bounces of the family in 2 years`),
        money(text`Held`),
        money(text`Bounced`),
        money(text`Paid in`, true),
      ],
      isPeople: true,
      rows: sql`
        select receipt.id, account.student_id, null::text, ${one}, ${amounts(sql`receipt.amount`)}
        from fee_cheque cheque join fee_receipt receipt on receipt.payment_id = cheque.payment_id
        join fee_account account on account.id = receipt.account_id
        ${placeOn(sql`receipt.receipt_date`)}
        where ${dated} and ${narrowedTo(user, asked, {})}
        union all
        select null::integer, cheque.student_id, null::text, ${one}, ${amounts(sql`cheque.amount`)}
        from fee_cheque cheque
        cross join lateral (values (cheque.student_id, null::integer, null::integer, null::text))
          as account (student_id, inquiry_id, branch_id, unplaced_note)
        ${placeOn(sql`cheque.received_on`)}
        where ${dated} and cheque.payment_id is null and ${narrowedTo(user, asked, {})}
        order by 4, 5, 1`,
      ledger: ofLedger(user, asked, sql`-sum(entry.amount)`, paid, sql`receipt.receipt_date`),
    };
  },
  Unplaced: (user, asked) => {
    const left = sql`(case when payment.ended_on <= ${asked.to}::date then 0 else receipt.amount end)`;
    const paidBack = sql`coalesce((select sum(amount) from fee_refund where account_id = account.id
      and receipt_series_id = receipt.receipt_series_id and paid_on <= ${asked.to}::date), 0)::bigint`;
    const still = sql`(${left} - ${paidBack})`;
    return {
      columns: [
        date(text`Date`),
        words(text`Receipt`),
        words(text`Received from`),
        option(text`Mode`),
        words(text`Reference`),
        words(text`Series`),
        words(text`Why`),
        words(text`Was of`),
        words(text`Collected by`),
        number(text`Days`),
        money(text`Received`),
        money(text`Still there`, true),
      ],
      isPeople: true,
      rows: sql`
        select receipt.id, null::integer, null::text, payment.value_on, receipt.receipt_no, payment.payer_name, payment.mode, payment.reference,
          series.name, account.unplaced_note, coalesce((select student.name from fee_account first join student on student.id = first.student_id
            where first.id = account.unplaced_of), ''), staff.name, ${asked.to}::date - payment.value_on, receipt.amount, ${still}
        from fee_account account join fee_receipt receipt on receipt.account_id = account.id
        join fee_payment payment on payment.id = receipt.payment_id
        join fee_receipt_series series on series.id = receipt.receipt_series_id join staff on staff.id = payment.staff_id
        where account.unplaced_note is not null and receipt.receipt_date <= ${asked.to}::date and ${still} <> 0
          and ${narrowedTo(user, asked, { series: sql`series.id`, mode: sql`payment.mode`, cashier: sql`payment.staff_id` })}
        order by 4, 5`,
      ledger: sql`select coalesce(sum(amount), 0)::bigint as amount from (select -sum(entry.amount) as amount
        ${linesOf(
          user,
          { ...asked, mode: '', cashierId: '' },
          {
            where: sql`account.unplaced_note is not null and entry.due_id is null and entry.entry_date <= ${asked.to}::date
            and ${paymentOfAccount(asked)}`,
            isPlaced: false,
          },
        )}) as entries`,
    };
  },
  'Cancelled receipts': (user, asked) => ({
    columns: [
      date(text`Ended on`),
      words(text`Receipt`),
      date(text`Receipt date`),
      words(text`Student`),
      words(text`Class`),
      option(text`Mode`),
      option(text`Type`),
      words(text`By`),
      words(text`Reason`),
      money(text`Amount`, true),
    ],
    isPeople: true,
    rows: sql`
      select receipt.id, account.student_id, null::text, payment.ended_on, receipt.receipt_no, receipt.receipt_date, ${child}, ${className},
        payment.mode, payment.ended_as, coalesce(staff.name, ''), payment.end_reason, receipt.amount
      from fee_receipt receipt join fee_payment payment on payment.id = receipt.payment_id
      join fee_account account on account.id = receipt.account_id
      left join staff on staff.id = payment.ended_by
      ${placeOn(sql`payment.ended_on`)}
      where payment.ended_on between ${asked.from}::date and ${asked.to}::date
        and ${narrowedTo(user, asked, { series: sql`receipt.receipt_series_id`, mode: sql`payment.mode`, cashier: sql`payment.staff_id` })}
      order by payment.ended_on, receipt.receipt_no`,
    ledger: ofLedger(
      user,
      asked,
      sql`sum(entry.amount)`,
      ofDays(asked, sql`entry.kind = 'Receipt' and entry.reverses_id is not null`),
    ),
  }),
  Refunds: (user, asked) => ({
    columns: [
      date(text`Paid on`),
      words(text`Voucher`),
      words(text`Student`),
      words(text`Class`),
      words(text`Paid to`),
      option(text`Mode`),
      words(text`Reference`),
      words(text`Reason`),
      words(text`Asked by`),
      words(text`Approved by`),
      money(text`Amount`, true),
    ],
    isPeople: true,
    rows: sql`
      select null::integer, account.student_id, null::text, refund.paid_on, refund.refund_no, ${child}, ${className}, refund.payee, refund.mode,
        refund.reference, refund.reason, (select name from staff where id = refund.asked_by), coalesce((select name from staff
          where id = (select decided_by from approval where fee_refund_id = refund.id and status = 'Approved'
            order by id desc limit 1)), ''), refund.amount
      from fee_refund refund join fee_account account on account.id = refund.account_id
      ${placeOn(sql`refund.paid_on`)}
      where refund.paid_on between ${asked.from}::date and ${asked.to}::date
        and ${narrowedTo(user, asked, { series: sql`refund.receipt_series_id`, mode: sql`refund.mode` })}
      order by refund.paid_on, refund.refund_no`,
    ledger: ofLedger(user, asked, sql`sum(entry.amount)`, ofDays(asked, sql`entry.kind = 'Refund'`)),
  }),
  'Outstanding by age': (user, asked) => {
    const late = (first: number, last: number | null) =>
      last === null
        ? sql`coalesce(sum(owed) filter (where ${asked.to}::date - since >= ${first}::integer), 0)::bigint`
        : sql`coalesce(sum(owed) filter (where ${asked.to}::date - since between ${first}::integer
            and ${last}::integer), 0)::bigint`;
    return {
      columns: [
        words(text`Student`),
        words(text`GR`),
        words(text`Class`),
        date(text`Due since`),
        money(text`Due on the day`),
        money(text`1 to 30 days`),
        money(text`31 to 60 days`),
        money(text`61 to 90 days`),
        money(text`Over 90 days`),
        money(text`All`, true),
        ...(asked.fines ? [money(finesBeside)] : []),
      ],
      isPeople: true,
      rows: sql`
        select null::integer, account.student_id, null::text, ${child}, ${grNo}, ${className}, late.since, late.now, late.one, late.two, late.three, late.more,
          late.due ${asked.fines ? sql`, coalesce(fine.amount, 0)` : sql``}
        from (select account_id, grade_id, section_id, min(since) as since, ${late(0, 0)} as now, ${late(1, 30)} as one,
            ${late(31, 60)} as two, ${late(61, 90)} as three, ${late(91, null)} as more, sum(owed)::bigint as due
          from (${openDues(user, asked)}) as open group by 1, 2, 3) late
        join fee_account account on account.id = late.account_id
        ${asked.fines ? sql`left join ${fineRows(asked.fines)} on fine.account_id = account.id` : sql``}
        cross join lateral (values (late.grade_id, late.section_id)) as place (grade_id, section_id)
        order by late.due desc, 4`,
      ledger: openByLedger(user, asked),
    };
  },
  'Late fines': (user, asked) => ({
    columns: [
      date(text`Charged on`),
      words(text`Student`),
      words(text`GR`),
      words(text`Class`),
      date(text`Due day`),
      money(text`Charged`, true),
      money(text`Waived`),
      money(text`Paid`),
    ],
    isPeople: true,
    rows: sql`
      select null::integer, account.student_id, null::text, entry.entry_date, ${child}, ${grNo}, max(${className}), due.fine_of, sum(entry.amount)::bigint,
        -due.adjusted, due.paid
      ${linesOf(user, asked, { where: ofDays(asked, sql`entry.kind = 'Fine'`) })}
      group by entry.entry_date, account.id, due.id order by entry.entry_date, 5`,
    ledger: ofLedger(user, asked, sql`sum(entry.amount)`, ofDays(asked, sql`entry.kind = 'Fine'`)),
  }),
  Concessions: (user, asked) => {
    const fell = sql`entry.kind = 'Concession' and entry.due_on between ${asked.from}::date and ${asked.to}::date`;
    return {
      columns: [
        words(text`Discount`),
        words(text`Student`),
        words(text`Class`),
        words(text`Takes off`),
        date(text`From`),
        date(text`Until`),
        words(text`Asked by`),
        date(text`Asked on`),
        words(text`Reason`),
        words(text`Approved by`),
        date(text`Approved on`),
        money(text`Of the year`),
        money(text`Taken off`, true),
      ],
      isPeople: true,
      rows: sql`
        select null::integer, account.student_id, null::text, discount.name, ${child}, ${className},
          case when concession.percent is not null then trim(trailing '.' from trim(trailing '0' from
              to_char(concession.percent / 100.0, 'FM990.00'))) || ' %'
            when concession.amount is not null then 'Rs. ' || (concession.amount / 100) else 'Everything' end,
          concession.effective_from, concession.effective_to, coalesce((select name from staff where id = concession.requested_by), ''),
          concession.created_at::date, case when concession.reason = '' and concession.source = 'Suggested'
            then ${english(suggested)} else concession.reason end,
          coalesce((select name from staff where id = decided.decided_by),
            case when concession.status = 'Approved' then ${english(unasked)} else '' end), decided.decided_at::date,
          (select -sum(amount)::bigint from fee_ledger_entry where concession_id = concession.id and account_id = account.id),
          given.amount
        from (select entry.account_id, entry.concession_id, max(place.grade_id) as grade_id, max(place.section_id) as section_id,
            -sum(entry.amount)::bigint as amount
          ${linesOf(user, asked, { where: fell, day: sql`entry.due_on` })}
          group by 1, 2 having sum(entry.amount) <> 0) as given
        join fee_account account on account.id = given.account_id
        join fee_concession concession on concession.id = given.concession_id
        join fee_discount discount on discount.id = concession.discount_id
        cross join lateral (values (given.grade_id, given.section_id)) as place (grade_id, section_id)
        left join lateral (select decided_by, decided_at from approval where fee_concession_id = concession.id
          and status = 'Approved' order by id desc limit 1) as decided on true
        order by 4, 5`,
      ledger: ofLedger(user, asked, sql`-sum(entry.amount)`, fell, sql`entry.due_on`),
    };
  },
  Relief: (user, asked) => {
    const lowering = ofDays(
      asked,
      sql`entry.kind in ('Charge', 'Pro-rata', 'Concession', 'Credit', 'Waiver', 'Write-off')
        and (entry.change_id is not null or entry.adjustment_id is not null)`,
    );
    const grouped = sql`select entry.account_id, entry.change_id, entry.adjustment_id, min(entry.entry_date) as day,
        array_agg(entry.concession_id) as concessions, -sum(entry.amount)::bigint as amount
      ${linesOf(user, asked, { where: lowering, isPlaced: false })} group by 1, 2, 3 having sum(entry.amount) < 0`;
    return {
      columns: [
        date(text`Date`),
        words(text`Student`),
        words(text`GR`),
        words(text`Class`),
        words(text`Act`),
        words(text`Because of`),
        words(text`Reason`),
        words(text`By`),
        words(text`Approved by`),
        money(text`Amount`, true),
      ],
      isPeople: true,
      rows: sql`
        select null::integer, account.student_id, null::text, act.day, ${child}, ${grNo}, ${className}, coalesce(change.kind, adjustment.kind),
          coalesce(change.authority, 'Decided'), coalesce(granted.reason, change.reason, adjustment.reason),
          coalesce(granted.asked, (select name from staff where id = coalesce(change.staff_id, adjustment.asked_by)), ''),
          coalesce(granted.approved, (select name from staff where id = (select decided_by from approval where status = 'Approved'
            and (approval.id = change.approval_id or fee_adjustment_id = adjustment.id) order by id desc limit 1)), ''), act.amount
        from (${grouped}) as act join fee_account account on account.id = act.account_id
        left join fee_plan_change change on change.id = act.change_id
        left join fee_adjustment adjustment on adjustment.id = act.adjustment_id
        -- Granting concessions changes the plan: the person of that change granted them.
        left join lateral (select string_agg(distinct own.reason, ', ') as reason, string_agg(distinct asker.name, ', ') as asked,
            max(decider.name) as approved
          from fee_concession own join approval on approval.fee_concession_id = own.id and approval.status = 'Approved'
          join staff decider on decider.id = approval.decided_by left join staff asker on asker.id = own.requested_by
          where own.id = any(act.concessions) and approval.decided_by = change.staff_id
            and approval.decided_at::date = act.day) granted on change.authority = 'Decided' and change.approval_id is null
        ${placeOn(sql`act.day`)}
        order by act.day, 5`,
      ledger: sql`select coalesce(sum(amount), 0)::bigint as amount from (${grouped}) as act`,
    };
  },
  GST: (user, asked) => ({
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
      select receipt.id, account.student_id, null::text, entry.entry_date, receipt.receipt_no, ${child}, coalesce(taxed.head, taxed.label),
        coalesce(taxed.sac, ''), taxed.gst_rate / 100 || ' %', -entry.amount - 2 * taxed.half, taxed.half, taxed.half, -entry.amount
      ${linesOf(user, asked, { where: ofDays(asked, sql`entry.kind = 'Receipt'`), join: sql`join taxed on taxed.id = entry.id` })}
      order by entry.entry_date, entry.id`,
    ledger: ofLedger(
      user,
      asked,
      sql`-sum(entry.amount)`,
      ofDays(asked, sql`entry.kind = 'Receipt' and due.gst_rate > 0`),
    ),
  }),
};
