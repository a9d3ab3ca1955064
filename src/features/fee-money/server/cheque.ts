import { sql } from 'kysely';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { lockAccounts } from '#features/fee-price/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import type { UserContext } from '#kit/server/context.ts';
import { isDuplicate } from '#kit/server/database/database.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { containsName } from '#kit/server/search.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type ChequeState, chequeApi, type chequeKinds, chequeList, chequeMessages } from '../contract/cheque.ts';
import { lockDay } from './day.ts';
import { endPayments, lockAccountsOf } from './end-payment.ts';
import { payOldest } from './pay-oldest.ts';
import { take as takePayment } from './payment.ts';

/** A bank takes a cheque until the same day three months later, or the last day of a shorter month. */
export const isTooOld = (datedOn: string, today: string) => {
  const [year = 0, month = 0, day = 0] = datedOn.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + 3, 0)).getUTCDate();
  return today > new Date(Date.UTC(year, month + 2, Math.min(day, last))).toISOString().slice(0, 10);
};

export const cheques = ({ db, user }: UserContext) =>
  db
    .selectFrom('fee_cheque as own')
    .innerJoin('student', 'student.id', 'own.student_id')
    .innerJoin('academic_branch as branch', 'branch.id', 'student.branch_id')
    .where(inScope(user, feeReaders, { branch: sql`student.branch_id` }))
    .select(['own.id', 'own.version', 'own.number', 'own.bank', 'own.dated_on as datedOn'])
    .select(['own.payer_name as payer', 'own.received_on as receivedOn', 'own.slip_no as slipNo', 'own.bounces'])
    .select(['own.reason', 'own.payment_id as paymentId', 'own.student_id as studentId', 'branch.name as branch'])
    .select(['student.name as student', 'student.gr_no as grNo'])
    .select([
      sql<string>`coalesce(own.deposited_on::text, '')`.as('depositedOn'),
      sql<number>`own.amount`.as('amount'),
      sql<ChequeState>`own.status`.as('status'),
      sql<(typeof chequeKinds)[number]>`own.kind`.as('kind'),
      sql<string>`coalesce((select string_agg(receipt_no, ', ' order by receipt_no) from fee_receipt
        where payment_id = own.payment_id), '')`.as('receipts'),
    ]);
/** In a query of cheques: the bank takes them today. */
export const isToDeposit = (today: string) =>
  sql<boolean>`(own.status = 'Received' or (own.status = 'Held' and own.dated_on <= ${today}::date))`;
export type Cheque = Awaited<ReturnType<ReturnType<typeof cheques>['executeTakeFirstOrThrow']>>;

const {
  routes: chequeListRoutes,
  figures: chequeFigures,
  selected: selectedCheques,
} = serveList(chequeList, (ctx) => {
  const today = toLocalDate(ctx.now());
  const writes = isGranted(feeWriters, ctx.user);
  return {
    query: cheques(ctx),
    id: 'own.id',
    isPeople: true,
    matches: (word) =>
      sql`(${containsName('student', word)} or lower(student.gr_no) like lower(${contains(word)}) or own.number ilike ${contains(word)})`,
    tabs: {
      today: isToDeposit(today),
      held: sql`(own.status = 'Held' and own.dated_on > ${today}::date)`,
      deposited: sql`own.status = 'Deposited'`,
      bounced: sql`own.status = 'Bounced'`,
      all: undefined,
    },
    filters: {
      status: (status) => sql`own.status = ${status}`,
      branchId: (id) => sql`student.branch_id = ${Number(id)}`,
    },
    sorts: {
      student: { by: sql`student.sort_name`, as: 'text' },
      datedOn: { by: sql`own.dated_on`, as: 'date' },
    },
    toRows: async (rows: Cheque[]) =>
      rows.map((row) => ({
        ...row,
        may: {
          deposit: writes && ['Held', 'Received', 'Bounced'].includes(row.status) && row.datedOn <= today,
          clear: writes && row.status === 'Deposited',
          bounce: writes && ['Deposited', 'Cleared'].includes(row.status),
          giveBack: writes && ['Held', 'Bounced'].includes(row.status),
        },
      })),
  };
});

export const detailsOf = ({ number, bank, amount }: Pick<Cheque, 'number' | 'bank' | 'amount'>) => ({
  Cheque: `${number}, ${bank}`,
  Amount: showMoney(amount),
});

export const take: Handler<typeof chequeApi.take> = async (ctx, asked) => {
  const { db, user } = ctx;
  const today = toLocalDate(ctx.now());
  const studentId = Number(asked.studentId);
  const amount = Number(asked.amount);
  if (isTooOld(asked.datedOn, today)) throw fieldRefusal('datedOn', chequeMessages.old);
  await db
    .selectFrom('student')
    .where('id', '=', studentId)
    .where(inScope(user, feeWriters, { branch: sql`branch_id` }))
    .select('id')
    .executeTakeFirstOrThrow(notFound);
  const isHeld = asked.datedOn > today;
  const { kind, number, payerName: payer } = asked;
  const paymentId = isHeld
    ? null
    : await payOldest(ctx, { studentIds: [studentId], amount, reference: number, payer, mode: kind });
  return register(ctx, { ...asked, studentId, amount, payer, paymentId });
};

/** Takes a cheque for a family at the counter; a cheque of a later day is no payment yet. */
const takeAtCounter: Handler<typeof chequeApi.takeAtCounter> = async (ctx, { kind, number, ...asked }) => {
  const today = toLocalDate(ctx.now());
  if (asked.datedOn > today) throw fieldRefusal('datedOn', chequeMessages.later);
  if (isTooOld(asked.datedOn, today)) throw fieldRefusal('datedOn', chequeMessages.old);
  const about = { mode: kind, reference: number, paidOn: today, backReason: '', remark: '' };
  const taken = await takePayment(ctx, { ...asked, ...about });
  const { payer_name: payer } = await ctx.db
    .selectFrom('fee_payment')
    .where('id', '=', taken.id)
    .select('payer_name')
    .executeTakeFirstOrThrow();
  const studentId = asked.children[0]?.studentId ?? 0;
  await register(ctx, { ...asked, kind, number, studentId, amount: asked.amount ?? 0, payer, paymentId: taken.id });
  return taken;
};

interface Taken extends Pick<Cheque, 'kind' | 'number' | 'bank' | 'datedOn' | 'studentId' | 'amount' | 'payer'> {
  /** Null for one that is held until its day. */
  paymentId: number | null;
}

/** Enters a cheque in the register. */
async function register(ctx: UserContext, taken: Taken) {
  const { kind, number, bank, datedOn, amount, paymentId } = taken;
  const status = paymentId === null ? ('Held' as const) : ('Received' as const);
  const { id } = await ctx.db
    .insertInto('fee_cheque')
    .values({
      student_id: taken.studentId,
      kind,
      number,
      bank,
      dated_on: datedOn,
      amount,
      payer_name: taken.payer,
      status,
      received_on: toLocalDate(ctx.now()),
      received_by: ctx.user.staffId,
      payment_id: paymentId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      if (isDuplicate(error, 'fee_cheque_once')) throw fieldRefusal('number', chequeMessages.once);
      throw error;
    });
  const details = { ...detailsOf({ number, bank, amount }), Dated: showDate(datedOn) };
  await audit(ctx, { action: 'fee-cheque.taken', entity: 'fee_cheque', entityId: id, version: 1, details });
  return { id, status };
}

/** The students whose receipts a cheque paid last, or else the one it was taken for. */
async function studentsOf({ db }: UserContext, { paymentId, studentId }: Cheque): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select distinct account.student_id as id
    from fee_receipt receipt join fee_account account on account.id = receipt.account_id
    where receipt.payment_id = ${paymentId} and account.student_id is not null order by 1`.execute(db);
  return rows.length > 0 ? rows.map(({ id }) => id) : [studentId];
}

/** Depositing a cheque in these states makes a payment dated today. */
export const unpaid: readonly ChequeState[] = ['Held', 'Bounced'];

interface Locking {
  from: readonly ChequeState[];
  /** Whether the act may be a payment, which needs an open day of the cashier. Other acts move no money of the drawer. */
  isDeposit?: boolean;
}

/** A cheque that the user reaches, locked after the account; refuses another version, and a state that is not one of these. */
async function lockCheque(
  ctx: UserContext,
  { id, version }: { id: number; version: number },
  { from, isDeposit = false }: Locking,
) {
  const found = await cheques(ctx).where('own.id', '=', id).executeTakeFirstOrThrow(notFound);
  if (isDeposit && unpaid.includes(found.status)) await lockDay(ctx);
  await lockAccounts(ctx, await studentsOf(ctx, found));
  await sql`select from fee_cheque where id = ${id} for update`.execute(ctx.db);
  const row = await cheques(ctx).where('own.id', '=', id).executeTakeFirstOrThrow();
  requireVersion(row, version);
  if (!from.includes(row.status)) throw new AppError('conflict', chequeMessages.way);
  return row;
}

type Change = Partial<Record<'payment_id' | 'bounces', number>> &
  Partial<Record<'slip_no' | 'reason' | 'deposited_on', string>> & { ended_on?: string | null };

async function change(ctx: UserContext, row: Cheque, status: ChequeState, set: Change) {
  await ctx.db
    .updateTable('fee_cheque')
    .set({ ...set, status, version: row.version + 1 })
    .where('id', '=', row.id)
    .execute();
  const words = { Deposited: 'deposited', Cleared: 'cleared', Bounced: 'bounced', Returned: 'returned' } as const;
  await audit(ctx, {
    action: `fee-cheque.${words[status as keyof typeof words]}`,
    entity: 'fee_cheque',
    entityId: row.id,
    version: row.version + 1,
    details: { ...detailsOf(row), ...(set.reason && { Reason: set.reason }) },
  });
  return { status };
}

export const deposit: Handler<typeof chequeApi.deposit> = async (ctx, { slipNo, ...asked }) => {
  const row = await lockCheque(ctx, asked, { from: ['Received', ...unpaid], isDeposit: true });
  const today = toLocalDate(ctx.now());
  if (row.datedOn > today) throw new AppError('conflict', chequeMessages.notYet);
  if (isTooOld(row.datedOn, today)) throw new AppError('conflict', chequeMessages.old);
  const paymentId =
    row.status === 'Received'
      ? row.paymentId
      : await payOldest(ctx, { ...row, studentIds: await studentsOf(ctx, row), reference: row.number, mode: row.kind });
  return change(ctx, row, 'Deposited', {
    ...(paymentId !== null && { payment_id: paymentId }),
    deposited_on: today,
    slip_no: slipNo,
    ended_on: null,
  });
};

export const clear: Handler<typeof chequeApi.clear> = async (ctx, asked) => {
  const row = await lockCheque(ctx, asked, { from: ['Deposited'] });
  return change(ctx, row, 'Cleared', { ended_on: toLocalDate(ctx.now()) });
};

export const bounce: Handler<typeof chequeApi.bounce> = async (ctx, { reason, charge, ...asked }) => {
  const row = await lockCheque(ctx, asked, { from: ['Deposited', 'Cleared'] });
  const today = toLocalDate(ctx.now());
  const paymentId = row.paymentId ?? 0;
  const [accountId = 0] = await lockAccountsOf(ctx, [paymentId]);
  await endPayments(ctx, [{ id: paymentId, reason }], { as: 'Bounced', staffId: ctx.user.staffId });
  if ((charge ?? 0) > 0)
    await chargeBounce(ctx, { accountId, paymentId, amount: Number(charge), number: row.number, today });
  return change(ctx, row, 'Bounced', { ended_on: today, reason, bounces: row.bounces + 1 });
};

interface Charge {
  accountId: number;
  paymentId: number;
  amount: number;
  number: string;
  today: string;
}

/** The charge is a due of its own, in the receipt series of the payment. */
const chargeBounce = ({ db }: UserContext, { accountId, paymentId, amount, number, today }: Charge) =>
  sql`with made as (
      insert into fee_due (account_id, kind, receipt_series_id, gst_rate, label, due_on)
      select ${accountId}, 'Bounce', min(receipt_series_id), 0, ${`Bounced cheque ${number}`}, ${today}::date
      from fee_receipt where payment_id = ${paymentId} returning id, receipt_series_id)
    insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount)
    select ${accountId}, id, receipt_series_id, 'Debit', ${today}::date, ${today}::date, ${amount} from made`.execute(
    db,
  );

export const giveBack: Handler<typeof chequeApi.giveBack> = async (ctx, { reason, ...asked }) => {
  const row = await lockCheque(ctx, asked, { from: unpaid });
  return change(ctx, row, 'Returned', { ended_on: toLocalDate(ctx.now()), reason });
};

const { takeSeries: _, giveBackMany: __, ...singly } = chequeApi;

export const chequeRoutes = [
  ...chequeListRoutes,
  ...routes(singly, { take, takeAtCounter, deposit, clear, bounce, giveBack }),
];

export { chequeFigures, selectedCheques };
