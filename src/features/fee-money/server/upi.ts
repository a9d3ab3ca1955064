import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Payable } from './doors.ts';

export interface UpiSeries {
  id: number;
  name: string;
  upiId: string;
}

interface Demand {
  accountId: number;
  version: number;
  payee: string;
  series: UpiSeries;
  amount: number;
  /** The first day on which some of it was due. */
  since: string;
}

/** The address that a UPI app opens to pay a demand; its reference is no proof of a payment. */
export function upiAddress({ accountId, version, payee, series, amount, since }: Demand): string {
  const reference = `F${accountId.toString(36)}${since.replaceAll('-', '')}${version.toString(36)}`.toUpperCase();
  const note = `Fees ${series.name}`.replace(/[^A-Za-z0-9 ]/g, '').slice(0, 50);
  const paise = String(amount).padStart(3, '0');
  const parts = {
    pa: series.upiId,
    pn: payee.slice(0, 50),
    tr: reference.slice(0, 35),
    am: `${paise.slice(0, -2)}.${paise.slice(-2)}`,
    cu: 'INR',
    tn: note,
  };
  return `upi://pay?${new URLSearchParams(parts).toString().replaceAll('+', '%20')}`;
}

/** The days after a change of a UPI address in which it is called new. */
export const newDays = 7;

interface UpiPayable {
  studentId: number;
  seriesId: number;
  series: string;
  upiId: string;
  /** Whose account it is, as the school's bank account is named; the school where it has none. */
  payee: string;
  /** The day of a change within the last days; else ''. */
  changedOn: string;
  /** Owed today with late fines, in paise. */
  owed: number;
  /** Still to pay, in paise; 0 where nothing is due or the family has entered it all. */
  amount: number;
  /** What a UPI app opens; '' where nothing is left to pay. */
  address: string;
}

/**
 * What of `payable` is owed today in each receipt series that has a UPI address, less what the families say they have paid
 * already (`waiting`, in paise) and no receipt shows yet.
 */
export async function payableByUpi(
  ctx: Pick<Context, 'db' | 'now'>,
  payable: Payable,
  waiting: readonly { studentId: number; seriesId: number; amount: number }[] = [],
): Promise<UpiPayable[]> {
  const today = toLocalDate(ctx.now());
  const { rows: series } = await sql<UpiSeries & { payee: string; school: string; changedOn: string | null }>`
    select series.id, series.name, series.upi_id as "upiId", school.name as school, coalesce((select concat_ws(', ', bank.name, bank.bank)
        from fee_bank_account bank where bank.receipt_series_id = series.id and bank.is_active order by bank.id limit 1),
      school.name) as payee, (series.upi_changed_at at time zone 'Asia/Kolkata')::date::text as "changedOn"
    from fee_receipt_series series cross join academic_school school
    where series.upi_id <> '' and series.is_active order by series.id`.execute(ctx.db);
  return payable.flatMap(({ id: accountId, version, studentId, lines }) =>
    series.map(({ payee, school, changedOn, ...own }) => {
      const due = lines.filter(({ isDue, receiptSeriesId }) => isDue && receiptSeriesId === own.id);
      const [first] = due;
      const owed = due.reduce((sum, line) => sum + line.owed, 0);
      const paid = waiting
        .filter((one) => one.studentId === studentId && one.seriesId === own.id)
        .reduce((sum, one) => sum + one.amount, 0);
      const amount = Math.max(owed - paid, 0);
      return {
        studentId,
        seriesId: own.id,
        series: own.name,
        upiId: own.upiId,
        payee,
        changedOn: changedOn && changedOn > addDays(today, -newDays) ? changedOn : '',
        owed,
        amount,
        address:
          first && amount > 0
            ? upiAddress({ accountId, version, payee: school, series: own, amount, since: first.dueOn })
            : '',
      };
    }),
  );
}
