import { sql } from 'kysely';
import { feeReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { accountFigures } from './account-list.ts';
import { chequeFigures } from './cheque.ts';

const path = 'fee/student-wise-fees-structure';

/** What was collected today, what is overdue, and what the cashiers have still to do. */
export const collectionCard: DashboardCard = {
  title: text`Fee collection`,
  roles: ['Staff'],
  sets: ['accountant', 'financeApprover', 'office', 'principal'],
  count: async (ctx) => {
    const { db, user, now } = ctx;
    const today = toLocalDate(now());
    const { rows } = await sql<{ rupees: number; receipts: number; open: number }>`
      select (select count(*)::integer from fee_receipt receipt join fee_payment payment on payment.id = receipt.payment_id
          where receipt_date = ${today}::date and (payment.ended_as is null or payment.ended_as = 'Reissued') and payment.reissue_of is null
            and ${inScope(user, feeReaders, { branch: sql`receipt.branch_id` })}) as receipts,
        (select (coalesce(sum(receipt.amount), 0) / 100)::bigint from fee_receipt receipt
          join fee_payment payment on payment.id = receipt.payment_id
          where receipt_date = ${today}::date and (payment.ended_as is null or payment.ended_as = 'Reissued') and payment.reissue_of is null
            and ${inScope(user, feeReaders, { branch: sql`receipt.branch_id` })}) as rupees,
        (select count(*)::integer from fee_day where status = 'Open' and day < ${today}::date
          and (${user.scope.branches.length === 0} or staff_id = ${user.staffId})) as open`.execute(db);
    const [{ rupees, receipts, open } = { rupees: 0, receipts: 0, open: 0 }] = rows;
    return [
      { label: text`Collected today (₹)`, value: rupees },
      { label: text`Receipts today`, value: receipts },
      ...(await accountFigures(ctx, `${path}?part=students`, [
        { label: text`Students with overdue fees`, isLate: true, query: { tab: 'overdue' } },
        { label: text`Promises missed`, isLate: true, query: { tab: 'promised' } },
      ])),
      ...(await chequeFigures(ctx, `${path}?part=cheques`, [
        { label: text`Cheques to deposit`, query: { tab: 'today' } },
      ])),
      { label: text`Days not closed`, value: open, isLate: true },
    ];
  },
};
