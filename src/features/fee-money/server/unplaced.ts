import { sql } from 'kysely';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { inScope, otherBranch, reachesBranch } from '#access/server/scope.ts';
import { isGranted, type ParsedOf } from '#kit/contract/endpoint.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { showRupees } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { notFound } from '#kit/server/record/version.ts';
import { moveApi, moveMessages } from '../contract/move.ts';
import { unplacedApi, unplacedList, type unplacedStates } from '../contract/unplaced.ts';
import { printReceipts } from './receipts.ts';
import { refundAdvance } from './refund.ts';
import { askReissue, unplacedDraft } from './reissue.ts';
import { namedPayer, takeMoney } from './take-money.ts';

type State = (typeof unplacedStates)[number];

const left = sql<number>`(-own.balance)`;
const status = sql<State>`case when payment.ended_as = 'Reissued' then 'Placed' when payment.ended_as is not null then 'Cancelled'
  when own.balance = 0 then 'Paid back'
  when exists (select from fee_reissue where payment_id = payment.id and status = 'Asked')
    or exists (select from fee_refund where account_id = own.id and status in ('Requested', 'Approved'))
    or exists (select from approval where fee_payment_id = payment.id and status = 'Pending') then 'Waits for a decision'
  else 'Open' end`;
const isOpen = sql<boolean>`(payment.ended_as is null and own.balance < 0)`;

/** Unplaced sums with the payment that each came by, in the branches that the user reaches. */
const sums = ({ db, user, now }: Pick<UserContext, 'db' | 'user' | 'now'>) =>
  db
    .selectFrom('fee_account as own')
    .innerJoin('academic_branch as branch', 'branch.id', 'own.branch_id')
    .innerJoin('fee_payment as payment', (join) =>
      join.on(sql<boolean>`payment.id = (select min(payment_id) from fee_receipt where account_id = own.id)`),
    )
    .innerJoin('staff', 'staff.id', 'payment.staff_id')
    .where('own.unplaced_note', 'is not', null)
    .where(inScope(user, feeReaders, { branch: sql`own.branch_id` }))
    .select(['own.id', 'payment.id as paymentId', 'payment.version', 'payment.value_on as day', 'payment.mode'])
    .select(['payment.reference', 'payment.payer_name as payer', 'branch.name as branch', 'staff.name as by'])
    .select([
      sql<number>`payment.amount`.as('amount'),
      left.as('left'),
      status.as('status'),
      sql<string>`own.unplaced_note`.as('note'),
      sql<number>`(${toLocalDate(now())}::date - payment.value_on)`.as('age'),
      sql<string>`(select string_agg(receipt_no, ', ' order by id) from fee_receipt where account_id = own.id)`.as(
        'receiptNo',
      ),
      sql<string>`coalesce((select student.name from fee_account first join student on student.id = first.student_id
        where first.id = own.unplaced_of), '')`.as('child'),
    ]);
type Found = Awaited<ReturnType<ReturnType<typeof sums>['executeTakeFirstOrThrow']>>;

const { routes: listRoutes, first } = serveList(unplacedList, (ctx) => {
  const writes = isGranted(feeWriters, ctx.user);
  return {
    query: sums(ctx),
    id: 'own.id',
    isPeople: true,
    matches: (word) =>
      sql`(payment.payer_name ilike ${contains(word)} or payment.reference ilike ${contains(word)} or own.unplaced_note ilike ${contains(word)})`,
    tabs: { open: isOpen, all: undefined },
    filters: {
      status: (value) => sql`${status} = ${value}`,
      branchId: (id) => sql`own.branch_id = ${Number(id)}`,
    },
    sorts: { day: { by: sql`payment.value_on`, as: 'date' } },
    toRows: async (rows: Found[]) => rows.map((row) => ({ ...row, may: { place: writes && row.status === 'Open' } })),
  };
});

/** What the school still has of cancelled payments of an account. */
export async function unplacedOf({ db }: Pick<UserContext, 'db'>, accountId: number) {
  const { rows } = await sql<{ id: number; day: string; amount: number; note: string }>`
    select id, unplaced_note as note, -balance as amount, (select min(payment.value_on) from fee_receipt receipt
      join fee_payment payment on payment.id = receipt.payment_id where receipt.account_id = own.id) as day
    from fee_account own where unplaced_of = ${accountId} and balance < 0 order by id`.execute(db);
  return rows;
}

/** An unplaced sum that the user reaches; another account does not exist here. */
async function requireUnplaced(ctx: UserContext, id: number) {
  const found = await sums(ctx)
    .where('own.id', '=', id)
    .where(inScope(ctx.user, feeWriters, { branch: sql`own.branch_id` }))
    .select('own.branch_id as branchId')
    .executeTakeFirstOrThrow(notFound);
  if (found.status === 'Waits for a decision') throw new AppError('conflict', moveMessages.waits);
  if (found.status !== 'Open') throw new AppError('conflict', moveMessages.notUnplaced);
  return found;
}

/** Takes money without a child into the user’s open day; `valueOn` is the day on which a bank received it. */
export async function takeUnplaced(
  ctx: UserContext,
  { note, payerName, payerMobile, ...asked }: ParsedOf<typeof unplacedApi.take>,
  valueOn?: string,
) {
  const [branchId, receiptSeriesId] = [Number(asked.branchId), Number(asked.receiptSeriesId)];
  const amount = asked.amount ?? 0;
  if (!reachesBranch(ctx.user, branchId)) throw fieldRefusal('branchId', otherBranch);
  const { id: accountId } = await ctx.db
    .insertInto('fee_account')
    .values({ unplaced_note: note, branch_id: branchId })
    .returning('id')
    .executeTakeFirstOrThrow();
  const taken = await takeMoney(ctx, {
    payer: namedPayer(payerName, payerMobile),
    mode: asked.mode,
    amount,
    reference: asked.reference,
    paidOn: toLocalDate(ctx.now()),
    ...(valueOn && { valueOn }),
    backReason: '',
    remark: '',
    to: { unplaced: [unplacedDraft({ accountId, receiptSeriesId, branchId }, amount)] },
  });
  return {
    id: accountId,
    paymentId: taken.id,
    paymentNo: taken.paymentNo,
    papers: await printReceipts(ctx, taken.receiptIds),
  };
}

const place: Handler<typeof moveApi.place> = async (ctx, { id, version, ...asked }) => {
  const { paymentId } = await requireUnplaced(ctx, id);
  return askReissue(ctx, { ...asked, paymentId, version, kind: 'Place' });
};

const refund: Handler<typeof unplacedApi.refund> = async (ctx, { id, mode, payee, reason }) => {
  await requireUnplaced(ctx, id);
  await sql`select from fee_account where id = ${id} for update`.execute(ctx.db);
  const found = await requireUnplaced(ctx, id);
  const { rows } = await sql<{ seriesId: number; amount: number }>`
    select receipt_series_id as "seriesId", amount - held as amount from fee_advance
    where account_id = ${id} and amount > held order by 1`.execute(ctx.db);
  const to = { accountId: id, branchId: Number(found.branchId), studentId: null, name: found.receiptNo };
  const ids: number[] = [];
  // One for each receipt series, since each is another legal entity.
  for (const { seriesId, amount } of rows)
    ids.push(await refundAdvance(ctx, to, { receiptSeriesId: seriesId, amount, mode, payee, reason }));
  return { ids };
};

export const unplacedRoutes = [
  ...listRoutes,
  ...routes(
    { ...unplacedApi, place: moveApi.place },
    { take: (ctx, asked) => takeUnplaced(ctx, asked), place, refund },
  ),
];

const page = 'fee/student-wise-fees-structure?part=bank';

/** Unplaced money for who takes payments, the oldest first. */
export const unplacedTodo: TodoSource = {
  kind: 'fee-unplaced',
  title: text`Unplaced money`,
  icon: 'money',
  roles: ['Staff'],
  sets: ['accountant'],
  find: async (ctx, most) => {
    const { rows, ...found } = await first(ctx, page, { tab: 'open', status: 'Open', sort: 'day' }, most);
    return {
      ...found,
      rows: rows.map(({ id, left, payer, note, age }) => ({
        id,
        when: (age ?? 0) > 7 ? 'late' : 'soon',
        title: payer,
        about: showRupees(left),
        detail: text`${{ note }}`,
        to: page,
        act: text`Place`,
      })),
    };
  },
};
