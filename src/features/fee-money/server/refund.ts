import { sql } from 'kysely';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { requestApproval } from '#features/approval/api.ts';
import { yearNames } from '#features/school/api.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { nextNumber } from '#kit/server/database/numbering.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { containsName } from '#kit/server/search.ts';
import { audit } from '#kit/server/security/audit.ts';
import {
  correctionMessages,
  refundApi,
  refundList,
  type refundModes,
  type refundStates,
} from '../contract/correction.ts';
import { lockStudent } from './lock-student.ts';
import { readPayable } from './read-dues.ts';

/** Unplaced money has a branch and no student. */
const branchOf = sql`coalesce(student.branch_id, account.branch_id)`;

export const refunds = ({ db, user }: UserContext) =>
  db
    .selectFrom('fee_refund as own')
    .innerJoin('fee_account as account', 'account.id', 'own.account_id')
    .leftJoin('student', 'student.id', 'account.student_id')
    .innerJoin('academic_branch as branch', (join) => join.on(sql<boolean>`branch.id = ${branchOf}`))
    .innerJoin('fee_receipt_series as series', 'series.id', 'own.receipt_series_id')
    .where(inScope(user, feeReaders, { branch: branchOf }))
    .select(['own.id', 'own.version', 'own.reason', 'own.payee', 'own.reference', 'own.asked_at'])
    .select(['own.account_id as accountId', 'own.receipt_series_id as seriesId', 'series.name as series'])
    .select(['branch.name as branch', 'branch.id as branchId'])
    .select([
      sql<string>`coalesce(student.name, account.unplaced_note, '')`.as('student'),
      sql<string>`coalesce(student.gr_no, '')`.as('grNo'),
      sql<number>`own.amount`.as('amount'),
      sql<string>`coalesce(own.refund_no, '')`.as('refundNo'),
      sql<string>`coalesce(own.paid_on::text, '')`.as('paidOn'),
      sql<(typeof refundModes)[number]>`own.mode`.as('mode'),
      sql<(typeof refundStates)[number]>`own.status`.as('status'),
    ]);
type Found = Awaited<ReturnType<ReturnType<typeof refunds>['executeTakeFirstOrThrow']>>;

const { routes: listRoutes } = serveList(refundList, (ctx) => {
  const pays = isGranted(feeWriters, ctx.user);
  return {
    query: refunds(ctx),
    id: 'own.id',
    isPeople: true,
    matches: (word) =>
      sql`(${containsName('student', word)} or lower(student.gr_no) like lower(${contains(word)}) or own.refund_no ilike ${contains(word)})`,
    tabs: { open: sql`own.status in ('Requested', 'Approved')`, all: undefined },
    filters: {
      status: (status) => sql`own.status = ${status}`,
      branchId: (id) => sql`${branchOf} = ${Number(id)}`,
    },
    sorts: {
      student: { by: sql`coalesce(student.sort_name, account.unplaced_note, '')`, as: 'text' },
      askedOn: { by: sql`own.asked_at::date`, as: 'date' },
    },
    toRows: async (rows: Found[]) =>
      rows.map((row) => ({
        ...row,
        askedOn: toLocalDate(row.asked_at),
        may: { pay: pays && row.status === 'Approved' },
      })),
  };
});

export const ask: Handler<typeof refundApi.ask> = async (ctx, asked) => {
  const { id, grNo, ...student } = await lockStudent(ctx, Number(asked.studentId));
  const [amount, receiptSeriesId] = [Number(asked.amount), Number(asked.receiptSeriesId)];
  return {
    id: await refundAdvance(ctx, { ...student, studentId: id, name: grNo }, { ...asked, amount, receiptSeriesId }),
  };
};

interface Account {
  accountId: number;
  branchId: number;
  /** Null for unplaced money. */
  studentId: number | null;
  /** A GR number, or the receipt of unplaced money. */
  name: string;
}

interface AskedRefund {
  receiptSeriesId: number;
  amount: number;
  mode: string;
  payee: string;
  reason: string;
}

/** Asks to pay back advance of an account, which is locked; the amount is held from now on. */
export async function refundAdvance(ctx: UserContext, account: Account, asked: AskedRefund): Promise<number> {
  const { db, user } = ctx;
  const { accountId, branchId, studentId } = account;
  const { amount, receiptSeriesId: seriesId } = asked;
  const advance = await db
    .selectFrom('fee_advance')
    .where('account_id', '=', accountId)
    .where('receipt_series_id', '=', seriesId)
    .select([
      sql<number>`fee_advance.amount`.as('whole'),
      sql<number>`held`.as('held'),
      // The money of a cheque is refunded once the bank has cleared it.
      sql<number>`coalesce((select sum(receipt.amount) from fee_cheque cheque
        join fee_receipt receipt on receipt.payment_id = cheque.payment_id
        where cheque.status in ('Received', 'Deposited') and receipt.account_id = fee_advance.account_id
          and receipt.receipt_series_id = fee_advance.receipt_series_id), 0)::bigint`.as('uncleared'),
    ])
    .executeTakeFirst();
  const { whole, held, uncleared } = advance ?? { whole: 0, held: 0, uncleared: 0 };
  const free = Math.max(0, whole - held - uncleared);
  if (free < amount) {
    const most = showMoney(free);
    throw fieldRefusal(
      'amount',
      uncleared > 0
        ? correctionMessages.uncleared(most, showMoney(uncleared))
        : held > 0
          ? correctionMessages.held(most, showMoney(held))
          : correctionMessages.more(most),
    );
  }
  const due = await dueBeyondAdvance(ctx, accountId, seriesId);
  if (due > 0 && free - due < amount)
    throw fieldRefusal('amount', correctionMessages.owed(showMoney(Math.max(0, free - due)), showMoney(due)));
  const { id } = await db
    .insertInto('fee_refund')
    .values({
      account_id: accountId,
      receipt_series_id: seriesId,
      amount,
      reason: asked.reason,
      mode: asked.mode,
      payee: asked.payee,
      asked_by: user.staffId,
      asked_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const details = {
    [studentId === null ? 'Receipt' : 'Student']: account.name,
    Amount: showMoney(amount),
    Reason: asked.reason,
  };
  await audit(ctx, { action: 'fee-refund.requested', entity: 'fee_refund', entityId: id, version: 1, details });
  await requestApproval(ctx, {
    kind: 'fee.refund',
    subjectId: id,
    branchId,
    studentId,
    title: studentId === null ? text`Refund of unplaced money` : text`Refund of advance`,
    amount,
    reason: asked.reason,
  });
  return id;
}

/**
 * What a child owes today in all series, late fines too, beyond the free advance of the other series: the advance of a series
 * is paid back only as far as it is not needed for that.
 */
async function dueBeyondAdvance(ctx: UserContext, accountId: number, seriesId: number): Promise<number> {
  const { lines } = await readPayable(ctx, [accountId], toLocalDate(ctx.now()));
  const due = (lines.get(accountId) ?? []).filter(({ isDue }) => isDue);
  const advances = await ctx.db
    .selectFrom('fee_advance')
    .where('account_id', '=', accountId)
    .where('receipt_series_id', '!=', seriesId)
    .select(['receipt_series_id as series', sql<number>`amount - held`.as('free')])
    .execute();
  const freeOf = (series: number) => advances.find((one) => one.series === series)?.free ?? 0;
  return [...Map.groupBy(due, ({ receiptSeriesId }) => receiptSeriesId)].reduce(
    (sum, [series, own]) => sum + Math.max(0, own.reduce((total, { owed }) => total + owed, 0) - freeOf(series)),
    0,
  );
}

/** The advance is free again for the moment in which its entry is posted. */
const pay: Handler<typeof refundApi.pay> = async (ctx, { id, version, reference }) => {
  const { db } = ctx;
  const found = await refunds(ctx).where('own.id', '=', id).executeTakeFirstOrThrow(notFound);
  await sql`select from fee_account where id = ${found.accountId} for update`.execute(db);
  const row = await db
    .selectFrom('fee_refund')
    .where('id', '=', id)
    .select(['status', 'version'])
    .forUpdate()
    .executeTakeFirstOrThrow();
  requireVersion(row, version);
  if (row.status !== 'Approved') throw new AppError('conflict', correctionMessages.notApproved);
  const due = await dueBeyondAdvance(ctx, found.accountId, found.seriesId);
  const { free } = await db
    .selectFrom('fee_advance')
    .where('account_id', '=', found.accountId)
    .where('receipt_series_id', '=', found.seriesId)
    .select(sql<number>`amount - held`.as('free'))
    .executeTakeFirstOrThrow();
  const most = Math.max(0, free + found.amount - due);
  if (due > 0 && most < found.amount)
    throw new AppError('conflict', correctionMessages.owed(showMoney(most), showMoney(due)));
  const today = toLocalDate(ctx.now());
  const refundNo = await nextNumber(db, { code: 'fee-refund', branchId: found.branchId }, await yearNames(ctx));
  await db
    .updateTable('fee_refund')
    .set({ status: 'Paid', refund_no: refundNo, paid_on: today, reference, version: version + 1 })
    .where('id', '=', id)
    .execute();
  await sql`insert into fee_ledger_entry (account_id, receipt_series_id, kind, entry_date, due_on, amount, refund_id)
    select account_id, receipt_series_id, 'Refund', ${today}::date, ${today}::date, amount, id from fee_refund
    where id = ${id}`.execute(db);
  const details = { Voucher: refundNo, Amount: showMoney(found.amount), Reference: reference };
  await audit(ctx, { action: 'fee-refund.paid', entity: 'fee_refund', entityId: id, version: version + 1, details });
  return { refundNo };
};

export const refundRoutes = [...listRoutes, ...routes(refundApi, { ask, pay })];
