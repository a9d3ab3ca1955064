import { sql } from 'kysely';
import { feeReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';

const path = 'fee/student-wise-fees-structure';

/** What was collected today, and who owes. */
export const collectionCard: DashboardCard = {
  title: text`Fee collection`,
  roles: ['Staff'],
  sets: ['accountant', 'financeApprover', 'office', 'principal'],
  count: async ({ db, user, now }) => {
    const today = toLocalDate(now());
    const { rows } = await sql<{ rupees: number; receipts: number; overdue: number }>`
      select (select count(*)::integer from fee_receipt receipt join fee_payment payment on payment.id = receipt.payment_id
          where receipt_date = ${today}::date and payment.ended_as is null
            and ${inScope(user, feeReaders, { branch: sql`receipt.branch_id` })}) as receipts,
        (select (coalesce(sum(receipt.amount), 0) / 100)::bigint from fee_receipt receipt
          join fee_payment payment on payment.id = receipt.payment_id
          where receipt_date = ${today}::date and payment.ended_as is null
            and ${inScope(user, feeReaders, { branch: sql`receipt.branch_id` })}) as rupees,
        (select count(*)::integer from (select account_id from fee_due where paid < net and due_on < ${today}::date
            group by account_id) as late join fee_account account on account.id = late.account_id
          where exists (select from student_enrollment enrollment where enrollment.student_id = account.student_id
            and ${inScope(user, feeReaders, { branch: sql`enrollment.branch_id` })})) as overdue`.execute(db);
    const [{ rupees, receipts, overdue } = { rupees: 0, receipts: 0, overdue: 0 }] = rows;
    return [
      { label: text`Collected today (₹)`, value: rupees },
      { label: text`Receipts today`, value: receipts },
      {
        label: text`Students with overdue fees`,
        value: overdue,
        isProblem: true,
        to: `${path}?part=students&tab=overdue`,
      },
    ];
  },
};
