import { sql } from 'kysely';
import { newDays } from '#features/fee-money/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { showRupees } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { firstHomePayments } from './home-payment.ts';

const page = 'fee/student-wise-fees-structure?part=bank&inside=home';
/** A family waits for its receipt. */
const lateAfter = 2;

/** What families say they have paid, the oldest first, for who takes money. */
export const homePaymentTodo: TodoSource = {
  kind: 'home-payment',
  title: text`Payments that families report`,
  icon: 'money',
  roles: ['Staff'],
  sets: ['accountant'],
  find: async (ctx, most) => {
    const today = toLocalDate(ctx.now());
    const { rows, ...found } = await firstHomePayments(ctx, page, { tab: 'waiting', sort: 'paidOn' }, most);
    return {
      ...found,
      rows: rows.map(({ id, child, amount, enteredOn, bankDay, reference }) => ({
        id,
        when: enteredOn < addDays(today, -lateAfter) ? ('late' as const) : ('today' as const),
        title: child,
        about: showRupees(amount ?? 0),
        detail: bankDay
          ? text`Reported by the family, in the bank on ${{ day: showDate(bankDay, today) }}, reference ${{ reference }}`
          : text`Reported by the family, reference ${{ reference }}`,
        to: page,
        act: text`Check`,
      })),
    };
  },
};

interface Changed {
  id: number;
  name: string;
  upiId: string;
  before: string;
  changedOn: string;
}

/** UPI addresses that changed in the last days: families pay into another account since. */
export const changedUpiTodo: TodoSource = {
  kind: 'fee-upi',
  title: text`New UPI addresses`,
  icon: 'money',
  roles: ['Staff'],
  sets: ['accountant', 'financeApprover', 'principal'],
  find: async ({ db, now }, most) => {
    const today = toLocalDate(now());
    const { rows } = await sql<Changed & { total: number }>`
      select id, name, upi_id as "upiId", upi_before as before, (upi_changed_at at time zone 'Asia/Kolkata')::date::text as "changedOn",
        (count(*) over ())::integer as total
      from fee_receipt_series
      where (upi_changed_at at time zone 'Asia/Kolkata')::date > ${addDays(today, -newDays)}::date
      order by upi_changed_at desc, id limit ${most}`.execute(db);
    return {
      total: rows[0]?.total ?? 0,
      to: 'fee/fee-master',
      rows: rows.map(({ id, name, upiId, before, changedOn }) => ({
        id,
        when: 'soon' as const,
        title: name,
        about: showDate(changedOn, today),
        detail: upiId
          ? text`Families pay to ${{ address: upiId }}, before to ${{ before }}`
          : text`Families can’t pay by UPI now, before to ${{ before }}`,
        to: 'fee/fee-master',
        act: text`Check`,
      })),
    };
  },
};
