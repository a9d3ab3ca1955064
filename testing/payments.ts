import type { School } from './school.ts';

interface Received {
  account: number;
  series: number;
  day: string;
  /** Paise on each due; null for the advance of the series. */
  on: readonly { due: number | null; amount: number }[];
  /** The guardian who pays. */
  payer?: number;
  /** In cash instead of by UPI. */
  isCash?: boolean;
}

/** Stores a payment by UPI with one receipt, as the counter does. Returns the receipt. */
export async function receive(
  { sql }: Pick<School, 'sql'>,
  { account, series, day, on, payer, isCash = false }: Received,
): Promise<number> {
  const total = on.reduce((sum, { amount }) => sum + amount, 0);
  await sql(`insert into fee_day (staff_id, day) select min(id), '${day}' from staff on conflict do nothing`);
  const [row] = await sql(`
    with paid as (
      insert into fee_payment (day_id, staff_id, paid_on, payer_guardian_id, payer_name, payer_key, mode, amount, reference)
      select id, staff_id, day, ${payer ?? null}::integer, 'A parent', 'A parent', ${isCash ? "'Cash'" : "'UPI'"}, ${total},
        ${isCash ? "''" : 'random()::text'} from fee_day
      where day = '${day}' and staff_id = (select min(id) from staff) returning id),
    receipt as (
      insert into fee_receipt (payment_id, receipt_date, account_id, receipt_series_id, branch_id, number_series_id,
        number_period, number_value, receipt_no, amount, issued_as)
      select paid.id, '${day}', ${account}, ${series}, (select min(id) from academic_branch), number.id, 'test', paid.id,
        'T/' || paid.id, ${total}, '{}' from paid, number_series number where code = 'fee-receipt-${series}' returning id)
    insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount, receipt_id)
    select ${account}, part.due, ${series}, 'Receipt', '${day}', '${day}', -part.amount, receipt.id
    from receipt, (values ${on.map(({ due, amount }) => `(${due}::integer, ${amount}::bigint)`).join(', ')})
      as part (due, amount)
    returning receipt_id`);
  return Number(row?.receipt_id);
}

/** Cancels the payment of a receipt and reverses its entries, as the counter does. */
export const undo = ({ sql }: Pick<School, 'sql'>, receipt: number) =>
  sql(`do $$ begin
    update fee_payment set ended_as = 'Cancelled', ended_on = paid_on, end_reason = 'Test', end_money = 'It never came'
      where id = (select payment_id from fee_receipt where id = ${receipt});
    insert into fee_ledger_entry (account_id, due_id, receipt_series_id, academic_year_id, kind, entry_date, due_on, amount,
        receipt_id, reverses_id)
      select account_id, due_id, receipt_series_id, academic_year_id, kind, entry_date, due_on, -amount, receipt_id, id
      from fee_ledger_entry where receipt_id = ${receipt};
  end $$`);
