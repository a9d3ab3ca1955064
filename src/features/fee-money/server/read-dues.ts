import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { type FineTerms, fineAsOf, staysOf } from '../contract/fine.ts';
import type { PayableLine } from '../contract/payment.ts';
import { inOrder } from '../contract/spread.ts';

type Reading = Pick<Context, 'db'>;

interface DueRow {
  id: number;
  accountId: number;
  kind: string;
  head: string;
  label: string;
  dueOn: string;
  priority: number;
  receiptSeriesId: number;
  academicYearId: number | null;
  net: number;
  paid: number;
  /** In hundredths of a percent. */
  gstRate: number;
}

/** Dues of accounts that are not paid in full. */
const openDues = async ({ db }: Reading, accountIds: readonly number[]) =>
  (
    await sql<DueRow>`
      select due.id, due.account_id as "accountId", kind, coalesce(head.name, '') as head, label, due_on as "dueOn",
        coalesce(head.priority, 0) as priority, due.receipt_series_id as "receiptSeriesId",
        academic_year_id as "academicYearId", net, paid, due.gst_rate as "gstRate"
      from fee_due due left join fee_head head on head.id = due.fee_head_id
      where account_id = any(${accountIds}::integer[]) and paid < net and kind <> 'Fine'
      order by account_id, due_on, priority, due.id`.execute(db)
  ).rows;

/** The late fine of one due day of an account, with what of it is posted already. */
export interface OwedFine {
  key: string;
  accountId: number;
  ruleId: number;
  fineOf: string;
  receiptSeriesId: number;
  academicYearId: number | null;
  label: string;
  days: number;
  maxAmount: number | null;
  /** The due to which it was posted; null before. */
  dueId: number | null;
  posted: number;
  net: number;
  paid: number;
  /** What is not posted yet. */
  accrued: number;
  /** The dues that are late. */
  dueIds: number[];
}

export const fineKey = ({ accountId, ruleId, fineOf }: Pick<OwedFine, 'accountId' | 'ruleId' | 'fineOf'>) =>
  `fine ${accountId} ${ruleId} ${fineOf}`;

/** The fines of accounts as of a day: those that grow, and those that were posted and are not paid. */
export async function readFines({ db }: Reading, accountIds: readonly number[], on: string): Promise<OwedFine[]> {
  const { rows } = await sql<{
    accountId: number;
    ruleId: number;
    fineOf: string;
    receiptSeriesId: number;
    academicYearId: number | null;
    fineFrom: string | null;
    terms: FineTerms | null;
    dues: { id: number; net: number; money: { day: string; amount: number }[] }[] | null;
    stays: { from: string; to: string; isApproved: boolean }[] | null;
    dueId: number | null;
    posted: number | null;
    net: number | null;
    paid: number | null;
  }>`
    with open as materialized (
      select distinct account_id, late_rule_id, due_on, academic_year_id from fee_due
      where account_id = any(${accountIds}::integer[]) and late_rule_id is not null and due_on < ${on}::date
        and kind in ('Plan', 'Extra') and paid < net),
    -- Only of a due day that is not paid in full is it read who paid when.
    late as (
      select due.account_id, due.late_rule_id as rule_id, due.due_on, due.academic_year_id, max(due.fine_from) as fine_from,
        (array_agg(due.receipt_series_id order by head.priority, due.id))[1] as receipt_series_id,
        jsonb_agg(jsonb_build_object('id', due.id, 'net', due.net, 'money', coalesce((
          select jsonb_agg(jsonb_build_object('day', coalesce(payment.value_on, entry.entry_date), 'amount', -entry.amount))
          from fee_ledger_entry entry left join fee_receipt receipt on receipt.id = entry.receipt_id
          left join fee_payment payment on payment.id = receipt.payment_id
          where entry.due_id = due.id and entry.kind in ('Receipt', 'Applied', 'Transfer') and entry.reverses_id is null
            and not exists (select from fee_ledger_entry undone where undone.reverses_id = entry.id)), '[]')) order by due.id) as dues
      from open join fee_due due on due.account_id = open.account_id and due.due_on = open.due_on
        and due.late_rule_id = open.late_rule_id and due.academic_year_id is not distinct from open.academic_year_id
      join fee_head head on head.id = due.fee_head_id
      where due.kind in ('Plan', 'Extra') and due.net > 0
      group by 1, 2, 3, 4),
    stored as (
      select id, account_id, fine_rule_id as rule_id, fine_of, academic_year_id, receipt_series_id, gross, net, paid
      from fee_due where account_id = any(${accountIds}::integer[]) and kind = 'Fine')
    select coalesce(late.account_id, stored.account_id) as "accountId", coalesce(late.rule_id, stored.rule_id) as "ruleId",
      coalesce(late.due_on, stored.fine_of) as "fineOf",
      coalesce(stored.receipt_series_id, late.receipt_series_id) as "receiptSeriesId",
      coalesce(late.academic_year_id, stored.academic_year_id) as "academicYearId", late.fine_from as "fineFrom", late.dues,
      stored.id as "dueId", stored.gross as posted, stored.net, stored.paid,
      (select jsonb_build_object('kind', version.kind, 'amount', version.amount, 'graceDays', grace_days, 'maxAmount', max_amount,
          'slabs', coalesce((select jsonb_agg(jsonb_build_object('fromDay', from_day, 'amount', slab.amount) order by from_day)
            from fee_fine_slab slab where slab.version_id = version.id), '[]'))
        from fee_fine_version version where version.rule_id = late.rule_id
          and late.due_on between effective_from and coalesce(effective_to, 'infinity')) as terms,
      (select jsonb_agg(jsonb_build_object('from', stay.asked, 'to', coalesce(stay.decided, ${on}::date),
          'isApproved', stay.status = 'Approved')) from (
          select distinct on (concession.discount_id) approval.requested_at::date as asked, approval.decided_at::date as decided, approval.status
          from approval join fee_concession concession on concession.id = approval.fee_concession_id
          join fee_account account on account.student_id = concession.student_id
          where account.id = late.account_id and concession.academic_year_id = late.academic_year_id
          order by concession.discount_id, approval.id) as stay) as stays
    from late full join stored on stored.account_id = late.account_id and stored.rule_id = late.rule_id
      and stored.fine_of = late.due_on
    where late.account_id is not null or stored.paid < stored.net
    order by 1, 3, 2`.execute(db);
  return rows.flatMap(({ terms, dues, stays, fineFrom, posted, net, paid, ...fine }) => {
    const owed =
      terms && dues
        ? fineAsOf(terms, { dueOn: fine.fineOf, fineFrom, dues, stays: staysOf(stays ?? []) }, on)
        : { amount: 0, days: 0 };
    const accrued = Math.max(0, owed.amount - (posted ?? 0));
    if (accrued === 0 && (net ?? 0) === (paid ?? 0)) return [];
    return [
      {
        ...fine,
        key: fineKey(fine),
        label: '',
        days: owed.days,
        maxAmount: terms?.maxAmount ?? null,
        posted: posted ?? 0,
        net: net ?? 0,
        paid: paid ?? 0,
        accrued,
        dueIds: (dues ?? []).map(({ id }) => id),
      },
    ];
  });
}

interface Owed {
  /** Fees that are due, without late fines. */
  due: number;
  /** Late fines as of the day. */
  fine: number;
  /** The earliest due day; '' where nothing is due. */
  since: string;
}
export const owesNothing: Owed = { due: 0, fine: 0, since: '' };

/** What accounts owe on a day: the one figure that counter, list, account, slips and reminders show. */
export async function owedToday(ctx: Reading, accountIds: readonly number[], on: string): Promise<Map<number, Owed>> {
  const { lines } = await readPayable(ctx, accountIds, on);
  return new Map([...lines].map(([accountId, own]) => [accountId, owedOf(own)]));
}

export function owedOf(lines: readonly Pick<PayableLine, 'isDue' | 'isFine' | 'owed' | 'dueOn'>[]): Owed {
  const now = lines.filter(({ isDue }) => isDue);
  const sum = (isFine: boolean) => now.reduce((total, line) => total + (line.isFine === isFine ? line.owed : 0), 0);
  const [first] = now.map(({ dueOn }) => dueOn).toSorted();
  return { due: sum(false), fine: sum(true), since: first ?? '' };
}

/** What accounts can pay as of a day, by account, in the order in which a payment settles it. */
export async function readPayable(ctx: Reading, accountIds: readonly number[], on: string) {
  const dues = await openDues(ctx, accountIds);
  const fines = await readFines(ctx, accountIds, on);
  const lines = [
    ...dues.map(({ id, accountId, kind, academicYearId: _, ...due }) => ({
      ...due,
      accountId,
      key: `due ${id}`,
      dueId: id,
      isFine: false,
      owed: due.net - due.paid,
      days: 0,
      mostFine: null,
      isDue: due.dueOn <= on,
    })),
    ...fines.map((fine) => ({
      accountId: fine.accountId,
      key: fine.key,
      dueId: fine.dueId,
      isFine: true,
      head: '',
      label: '',
      dueOn: fine.fineOf,
      priority: 100,
      receiptSeriesId: fine.receiptSeriesId,
      net: fine.net + fine.accrued,
      paid: fine.paid,
      gstRate: 0,
      owed: fine.net - fine.paid + fine.accrued,
      days: fine.days,
      mostFine: fine.maxAmount,
      isDue: true,
    })),
  ];
  return {
    lines: Map.groupBy(inOrder(lines), ({ accountId }) => accountId) satisfies Map<number, PayableLine[]>,
    fines,
  };
}
