import { sql } from 'kysely';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { findLine, hasLine, matchWith, type Shown } from '#features/bank/api.ts';
import { readPayable, takeInSeries } from '#features/fee-money/api.ts';
import { spread } from '#features/fee-money/contract/spread.ts';
import { showDate } from '#kit/contract/day.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import type { homePaymentStates } from '../contract/family.ts';
import { hindranceOf, homePaymentApi, homePaymentList, homePaymentMessages } from '../contract/home-payment.ts';

type State = (typeof homePaymentStates)[number];

const isSeen = sql<boolean>`own.payment_id is not null`;
const isNotFound = sql<boolean>`(own.payment_id is null and own.not_found_at is not null)`;
const isOpen = sql<boolean>`(own.payment_id is null and own.not_found_at is null)`;
const status = sql<State>`case when ${isSeen} then 'Seen' when ${isNotFound} then 'Not found' else 'Waiting' end`;
const branchNow = (today: string) =>
  sql<number>`coalesce((select branch_id from student_place(own.student_id, ${today}::date)), student.branch_id)`;

/** Payments that families entered, of children in the branches that the user reaches. */
const homePayments = ({ db, user, now }: Pick<UserContext, 'db' | 'user' | 'now'>) => {
  const branch = branchNow(toLocalDate(now()));
  return db
    .selectFrom('home_payment as own')
    .innerJoin('student', 'student.id', 'own.student_id')
    .innerJoin('guardian', 'guardian.id', 'own.guardian_id')
    .innerJoin('fee_receipt_series as series', 'series.id', 'own.receipt_series_id')
    .where(inScope(user, feeReaders, { branch }))
    .select(['own.id', 'own.version', 'own.reference', 'own.note', 'own.paid_on as paidOn', 'series.name as series'])
    .select(['student.name as child', 'guardian.name as guardian', 'own.student_id as studentId'])
    .select(['own.guardian_id as guardianId', 'own.receipt_series_id as seriesId'])
    .select([
      sql<number>`own.amount`.as('amount'),
      sql<string>`own.reference_key`.as('referenceKey'),
      status.as('status'),
      sql<string>`(own.entered_at at time zone 'Asia/Kolkata')::date::text`.as('enteredOn'),
      sql<string>`(select name from academic_branch where id = ${branch})`.as('branch'),
      sql<string>`coalesce((select string_agg(receipt_no, ', ' order by id) from fee_receipt
        where payment_id = own.payment_id), '')`.as('receiptNo'),
      // A line of the bank is of all branches, and shown to those who reach all.
      sql<string>`coalesce(case when ${user.scope.branches.length > 0} then null
        when own.payment_id is not null then (select line.day::text from bank_line line where line.payment_id = own.payment_id)
        else (select min(line.day)::text from bank_line line
          join fee_bank_account account on account.id = line.bank_account_id and account.receipt_series_id = own.receipt_series_id
          where line.state = 'Open' and line.credit = own.amount and line.tokens @> array[own.reference_key]) end, '')`.as(
        'bankDay',
      ),
    ]);
};
type Found = Awaited<ReturnType<ReturnType<typeof homePayments>['executeTakeFirstOrThrow']>>;

const { routes: listRoutes, first } = serveList(homePaymentList, (ctx) => {
  const writes = isGranted(feeWriters, ctx.user);
  const branch = branchNow(toLocalDate(ctx.now()));
  return {
    query: homePayments(ctx),
    id: 'own.id',
    isPeople: true,
    matches: (word) =>
      sql`(student.name ilike ${contains(word)} or guardian.name ilike ${contains(word)} or own.reference ilike ${contains(word)}
        or own.reference_key ilike ${contains(word)})`,
    tabs: { waiting: isOpen, seen: isSeen, notFound: isNotFound, all: undefined },
    filters: {
      receiptSeriesId: (id) => sql`own.receipt_series_id = ${Number(id)}`,
      branchId: (id) => sql`${branch} = ${Number(id)}`,
    },
    sorts: { paidOn: { by: sql`own.paid_on`, as: 'date' } },
    toRows: async (rows: Found[]) =>
      rows.map((row) => ({
        ...row,
        may: {
          take: writes && row.status === 'Waiting',
          notFound: writes && row.status === 'Waiting',
          lookAgain: writes && row.status === 'Not found',
        },
      })),
  };
});

export { first as firstHomePayments };

/** A payment from home, in the branches where the user takes money. */
const reached = (ctx: UserContext, id: number) =>
  homePayments(ctx)
    .where('own.id', '=', id)
    .where(inScope(ctx.user, feeWriters, { branch: branchNow(toLocalDate(ctx.now())) }))
    .executeTakeFirstOrThrow(notFound);

/** The same, locked and in one of these states. */
async function lockTold(ctx: UserContext, { id, version }: { id: number; version: number }, from: State) {
  await sql`select from home_payment where id = ${id} for update`.execute(ctx.db);
  const row = await reached(ctx, id);
  requireVersion(row, version);
  if (row.status === from) return row;
  throw new AppError(
    'conflict',
    row.status === 'Seen'
      ? homePaymentMessages.seen
      : from === 'Waiting'
        ? homePaymentMessages.notFound
        : homePaymentMessages.open,
  );
}

/** The day of the line; without one, what the user says: from the day on which the family paid until today. */
function valueDay(ctx: UserContext, { paidOn }: Found, line: Shown, said: string) {
  if (line.kind === 'One') return line.day;
  if (said === '') throw fieldRefusal('valueOn', homePaymentMessages.valueOn);
  if (said < paidOn) throw fieldRefusal('valueOn', text`Choose ${{ day: showDate(paidOn) }} or a later day.`);
  if (said > toLocalDate(ctx.now())) throw fieldRefusal('valueOn', text`Choose today or an earlier day.`);
  return said;
}

const preview: Handler<typeof homePaymentApi.preview> = async (ctx, { id, valueOn = '' }) => {
  const row = await reached(ctx, id);
  const { id: _, ...bank } = await findLine(ctx, row);
  const account = await ctx.db
    .selectFrom('fee_account')
    .where('student_id', '=', row.studentId)
    .select('id')
    .executeTakeFirst();
  const isSaid = valueOn >= row.paidOn && valueOn <= toLocalDate(ctx.now());
  const on = bank.kind === 'One' ? bank.day : isSaid ? valueOn : row.paidOn;
  const { lines } = await readPayable(ctx, account ? [account.id] : [], on);
  const own = [...lines.values()].flat().filter(({ receiptSeriesId }) => receiptSeriesId === row.seriesId);
  const { parts, left } = spread(row.amount, own);
  return {
    bank,
    valueOn: on,
    lines: own.flatMap(({ key, head, label, isFine, dueOn }) => {
      const amount = parts.get(key);
      return amount ? [{ words: [head, label].filter(Boolean).join(', '), isFine, dueOn, amount }] : [];
    }),
    advance: left,
  };
};

const take: Handler<typeof homePaymentApi.take> = async (ctx, asked) => {
  const row = await reached(ctx, asked.id);
  if (row.status === 'Not found') throw new AppError('conflict', homePaymentMessages.notFound);
  const line = await findLine(ctx, row);
  const hinders = row.status === 'Waiting' && hindranceOf(line);
  if (hinders) throw new AppError('conflict', hinders);
  if (line.kind === 'Hidden' && (await hasLine(ctx, row))) throw new AppError('conflict', homePaymentMessages.hidden);
  const { studentId, guardianId, guardian, seriesId, amount, reference } = row;
  // Money first: the cashier's day, accounts and series are locked before the payment from home.
  const taken = await takeInSeries(ctx, {
    ...{ studentId, guardianId, guardian, seriesId, amount, reference },
    valueOn: valueDay(ctx, row, line, asked.valueOn),
  });
  if (line.kind === 'One') await matchWith(ctx, line.id, taken.id);
  await sql`select from home_payment where id = ${asked.id} for update`.execute(ctx.db);
  const now = await reached(ctx, asked.id);
  requireVersion(now, asked.version);
  await note(ctx, row, 'taken');
  return { receiptNo: now.receiptNo };
};

const move: Handler<typeof homePaymentApi.move> = async (ctx, { seriesId, ...asked }) => {
  const row = await lockTold(ctx, asked, 'Waiting');
  const line = await findLine(ctx, row);
  if (line.kind !== 'Other series' || line.seriesId !== seriesId)
    throw new AppError('conflict', homePaymentMessages.elsewhere);
  await ctx.db
    .updateTable('home_payment')
    .set({ receipt_series_id: seriesId, version: row.version + 1 })
    .where('id', '=', row.id)
    .execute();
  await note(ctx, row, 'moved', row.version + 1);
  return {};
};

const note = (ctx: UserContext, row: Found, act: 'taken' | 'moved' | 'not-found' | 'opened', version = row.version) =>
  audit(ctx, {
    action: `home-payment.${act}`,
    entity: 'home_payment',
    entityId: row.id,
    version,
    details: { Reference: row.reference, Amount: showMoney(row.amount) },
  });

const notFoundAct: Handler<typeof homePaymentApi.notFound> = async (ctx, { note: words, ...asked }) => {
  const row = await lockTold(ctx, asked, 'Waiting');
  await ctx.db
    .updateTable('home_payment')
    .set({ not_found_at: ctx.now(), not_found_by: ctx.user.staffId, note: words, version: row.version + 1 })
    .where('id', '=', row.id)
    .execute();
  await note(ctx, row, 'not-found', row.version + 1);
  return {};
};

const lookAgain: Handler<typeof homePaymentApi.lookAgain> = async (ctx, asked) => {
  const row = await lockTold(ctx, asked, 'Not found');
  await ctx.db
    .updateTable('home_payment')
    .set({ not_found_at: null, not_found_by: null, note: '', version: row.version + 1 })
    .where('id', '=', row.id)
    .execute();
  await note(ctx, row, 'opened', row.version + 1);
  return {};
};

export const homePaymentRoutes = [
  ...listRoutes,
  ...routes(homePaymentApi, { preview, take, move, notFound: notFoundAct, lookAgain }),
];
