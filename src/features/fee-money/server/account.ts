import { sql } from 'kysely';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { accountsOf } from '#features/fee-price/api.ts';
import { householdsOf } from '#features/student/api.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { accountApi, type ReceiptRow } from '../contract/account.ts';
import { readHeldCheques } from './held-cheques.ts';
import { owedToday, owesNothing } from './read-dues.ts';
import { readStatement, statementFileOf } from './statement.ts';
import { unplacedOf } from './unplaced.ts';

/** The account of a student in the branches that the user reaches; a merged record leads to the kept one. Throws `not_found`. */
async function requireAccount(ctx: UserContext, asked: number) {
  const { rows } = await sql<{
    accountId: number | null;
    studentId: number;
    name: string;
    grNo: string;
    place: string;
    balance: number;
  }>`
    select account.id as "accountId", student.id as "studentId", student.name, student.gr_no as "grNo", coalesce(account.balance, 0)::bigint as balance,
      coalesce((select name from student_place(student.id, ${toLocalDate(ctx.now())}::date)), '') as place
    from student left join fee_account account on account.student_id = student.id
    where student.id = (select coalesce(merged_into_id, id) from student where id = ${asked})
      and exists (select from student_enrollment enrollment
        where enrollment.student_id = student.id and ${inScope(ctx.user, feeReaders, { branch: sql`enrollment.branch_id` })})`.execute(
    ctx.db,
  );
  const [found] = rows;
  if (!found) throw new AppError('not_found', notFoundMessage);
  return { ...found, accountId: found.accountId ?? 0 };
}

const read: Handler<typeof accountApi.read> = async (ctx, { id: asked }) => {
  const { accountId, studentId: id, ...student } = await requireAccount(ctx, asked);
  const today = toLocalDate(ctx.now());
  const households = await householdsOf(ctx, { studentIds: [id] });
  const siblings = [...new Set(households.flatMap(({ studentIds }) => studentIds))].filter((other) => other !== id);
  const { rows: others } = await sql<{ studentId: number; name: string; accountId: number }>`
    select student.id as "studentId", student.name, account.id as "accountId"
    from student join fee_account account on account.student_id = student.id
    where student.id = any(${siblings}::integer[]) and exists (select from student_enrollment enrollment
      where enrollment.student_id = student.id and ${inScope(ctx.user, feeReaders, { branch: sql`enrollment.branch_id` })})
    order by student.birth_date, student.id`.execute(ctx.db);
  const owed = await owedToday(ctx, [accountId, ...others.map((other) => other.accountId)], today);
  const { due, fine } = owed.get(accountId) ?? owesNothing;
  const { rows: advances } = await sql<{ amount: number }>`
    select coalesce(sum(amount), 0)::bigint as amount from fee_advance where account_id = ${accountId}`.execute(ctx.db);
  const { rows: receipts } = await sql<ReceiptRow>`
    select receipt.id, payment.id as "paymentId", payment.version, receipt_no as "receiptNo", receipt_date as date,
      series.name as series, payment.mode, payment.reference, receipt.amount, staff.name as by,
      coalesce(ended_as, '') as "endedAs", coalesce(ended_on::text, '') as "endedOn", end_reason as "endReason",
      exists (select from approval where fee_payment_id = payment.id and status = 'Pending')
        or exists (select from fee_reissue where payment_id = payment.id and status = 'Asked') as "isAsked"
    from fee_receipt receipt join fee_payment payment on payment.id = receipt.payment_id
    join fee_receipt_series series on series.id = receipt.receipt_series_id
    join staff on staff.id = payment.staff_id
    where receipt.account_id in (select id from ${accountsOf(id)} account) order by receipt_date desc, receipt.id desc limit 200`.execute(
    ctx.db,
  );
  return {
    studentId: id,
    ...student,
    due,
    fine,
    advance: advances[0]?.amount ?? 0,
    siblings: others.map(({ accountId: other, ...child }) => {
      const sums = owed.get(other) ?? owesNothing;
      return { ...child, due: sums.due, fine: sums.fine };
    }),
    receipts,
    heldCheques: (await readHeldCheques(ctx, [id], today)).get(id) ?? [],
    unplaced: await unplacedOf(ctx, accountId),
    may: { cancel: isGranted(feeWriters, ctx.user) },
  };
};

const statement: Handler<typeof accountApi.statement> = async (ctx, { id, on }) => {
  const { studentId } = await requireAccount(ctx, id);
  return readStatement(ctx, { studentId, on: on || toLocalDate(ctx.now()) });
};

const statementFile: Handler<typeof accountApi.statementFile> = async (ctx, { id, on }) => {
  const student = await requireAccount(ctx, id);
  const read = await readStatement(ctx, { studentId: student.studentId, on: on || toLocalDate(ctx.now()) });
  return statementFileOf(ctx, { student, from: '', language: 'en', ...read });
};

export default routes(accountApi, { read, statement, statementFile });
