import { sql } from 'kysely';
import { feeReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import { cleanCode } from '#kit/contract/typed.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { SearchGroup } from '#kit/server/search.ts';

const least = 3;

/** Receipts by their number or by the reference of their payment. */
export const receiptSearch: SearchGroup = {
  kind: 'receipt',
  title: text`Receipts`,
  roles: ['Staff'],
  sets: feeReaders.flatMap(({ sets }) => sets),
  find: async (ctx: UserContext, search, most) => {
    const words = cleanCode(search);
    if (words.length < least) return [];
    const { rows } = await sql<{
      id: number;
      receiptNo: string;
      date: string;
      amount: number;
      name: string;
      studentId: number | null;
      isEnded: boolean;
      isWhole: boolean;
    }>`
      select receipt.id, receipt_no as "receiptNo", receipt_date as date, receipt.amount, coalesce(student.name, '') as name,
        student.id as "studentId", payment.ended_as is not null as "isEnded", lower(receipt_no) = lower(${words}) as "isWhole"
      from fee_receipt receipt
      join fee_payment payment on payment.id = receipt.payment_id
      join fee_account account on account.id = receipt.account_id
      left join student first on first.id = account.student_id
      left join student on student.id = coalesce(first.merged_into_id, first.id)
      -- By number and by reference: an \`or\` over both tables would read all receipts.
      where receipt.id in (
          select id from fee_receipt where lower(receipt_no) = lower(${words})
          union all
          select paid.id from fee_payment own join fee_receipt paid on paid.payment_id = own.id
          where own.reference_key = upper(regexp_replace(${words}, '[^A-Za-z0-9]', '', 'g')) and own.reference_key <> '')
        and ${inScope(ctx.user, feeReaders, { branch: sql`receipt.branch_id` })}
      order by receipt.id desc limit ${most}`.execute(ctx.db);
    return rows.map(({ id, receiptNo, date, amount, name, studentId, isEnded, isWhole }) => ({
      id,
      title: receiptNo,
      detail: [name, showMoney(amount), showDate(date)].filter(Boolean).join(' · '),
      ...(isEnded && { note: text`Cancelled` }),
      to:
        studentId === null
          ? 'fee/student-wise-fees-structure'
          : `fee/student-wise-fees-structure/${studentId}?part=receipts`,
      closeness: isWhole ? 2 : 1,
    }));
  },
};
