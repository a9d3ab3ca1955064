import { sql } from 'kysely';
import { bounceCheque, clearCheques, takeUnplaced } from '#features/fee-money/api.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import type { UserContext } from '#kit/server/context.ts';
import { isDuplicate } from '#kit/server/database/database.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { bankWriters } from '../contract/access.ts';
import { lineApi, lineList, lineMessages, type lineStates } from '../contract/line.ts';
import { candidatesOf } from './candidates.ts';
import { matchLines } from './match-lines.ts';
import { requireWhole } from './whole.ts';

type State = (typeof lineStates)[number];

const receiptsOf = sql<string>`(select string_agg(receipt_no, ', ' order by id) from fee_receipt
  where payment_id = own.payment_id)`;

/** The lines, for users without a limit to branches: an account is that of a series, not of a branch. */
const lines = ({ db, user }: UserContext) =>
  db
    .selectFrom('bank_line as own')
    .innerJoin('fee_bank_account as account', 'account.id', 'own.bank_account_id')
    .leftJoin('staff', 'staff.id', 'own.matched_by')
    .where(sql<boolean>`${user.scope.branches.length === 0}`)
    .select(['own.id', 'own.version', 'own.narration', 'own.day', 'own.reference', 'own.note'])
    .select(['account.name as account', 'own.payment_id as paymentId'])
    .select(['own.deposit_id as depositId', 'own.cheque_id as chequeId', 'own.refund_id as refundId'])
    .select([
      sql<number>`own.credit`.as('credit'),
      sql<number>`own.debit`.as('debit'),
      sql<State>`own.state`.as('status'),
      sql<string>`case when own.state in ('Matched', 'Differs') then coalesce(staff.name, '') else '' end`.as('by'),
      sql<string>`coalesce(${receiptsOf}, (select slip_no from bank_deposit where id = own.deposit_id),
        (select number from fee_cheque where id = own.cheque_id), (select refund_no from fee_refund where id = own.refund_id), '')`.as(
        'of',
      ),
      sql<
        number | null
      >`case when own.state = 'Differs' then own.credit - (select amount from fee_payment where id = own.payment_id) end`.as(
        'difference',
      ),
    ]);
type Found = Awaited<ReturnType<ReturnType<typeof lines>['executeTakeFirstOrThrow']>>;

const { routes: listRoutes } = serveList(lineList, (ctx) => {
  const writes = isGranted(bankWriters, ctx.user);
  return {
    query: lines(ctx),
    id: 'own.id',
    isPeople: true,
    matches: (word) => sql`(own.narration ilike ${contains(word)} or own.reference ilike ${contains(word)})`,
    tabs: {
      open: sql`own.state in ('Open', 'Differs')`,
      matched: sql`own.state = 'Matched'`,
      aside: sql`own.state = 'Set aside'`,
      all: undefined,
    },
    filters: {
      bankAccountId: (id) => sql`own.bank_account_id = ${Number(id)}`,
      side: (side) => (side === 'Deposit' ? sql`own.credit > 0` : sql`own.debit > 0`),
    },
    sorts: { day: { by: sql`own.day`, as: 'date' } },
    toRows: async (rows: Found[]) => {
      const found = await candidatesOf(
        ctx,
        rows.map(({ id }) => id),
      );
      return rows.map((row) => {
        const isOpen = row.status === 'Open';
        // What stands in the line itself; a like amount alone suggests nothing.
        const named = found.get(row.id)?.filter(({ isNamed, kind }) => isNamed || kind === 'Deposit slip') ?? [];
        const [only] = named;
        return {
          ...row,
          side: row.credit > 0 ? ('Deposit' as const) : ('Withdrawal' as const),
          amount: row.credit || row.debit,
          of: isOpen && only && named.length === 1 ? `${only.name}?` : row.of,
          may: {
            match: writes && isOpen,
            undo: writes && !isOpen && row.depositId === null && row.chequeId === null,
            take: writes && isOpen && row.credit > 0,
          },
        };
      });
    },
  };
});

const candidates: Handler<typeof lineApi.candidates> = async (ctx, { id }) => {
  await lines(ctx).where('own.id', '=', id).executeTakeFirstOrThrow(notFound);
  return { rows: (await candidatesOf(ctx, [id])).get(id) ?? [] };
};

/** A line that the user reaches, locked, in one of these states. */
async function lockLine(ctx: UserContext, { id, version }: { id: number; version: number }, from: readonly State[]) {
  await sql`select from bank_line where id = ${id} for update`.execute(ctx.db);
  const row = await lines(ctx)
    .select(['own.bank_account_id as bankAccountId'])
    .where('own.id', '=', id)
    .executeTakeFirstOrThrow(notFound);
  requireVersion(row, version);
  if (!from.includes(row.status)) throw new AppError('conflict', lineMessages.open);
  return row;
}

interface Change {
  state: State;
  payment_id?: number | null;
  deposit_id?: number | null;
  cheque_id?: number | null;
  refund_id?: number | null;
  note?: string;
}

async function change(ctx: UserContext, line: Found, act: 'matched' | 'opened' | 'set-aside' | 'taken', set: Change) {
  await ctx.db
    .updateTable('bank_line')
    .set({
      ...set,
      matched_by: act === 'opened' ? null : ctx.user.staffId,
      matched_at: act === 'opened' ? null : ctx.now(),
      version: line.version + 1,
    })
    .where('id', '=', line.id)
    .execute()
    .catch((error: unknown) => {
      if (isDuplicate(error, 'bank_line_payment_id_key') || isDuplicate(error, 'bank_line_refund_id_key'))
        throw new AppError('conflict', lineMessages.taken);
      throw error;
    });
  await audit(ctx, {
    action: `bank-line.${act}`,
    entity: 'bank_line',
    entityId: line.id,
    version: line.version + 1,
    details: { Line: line.narration.slice(0, 120), Amount: showMoney(line.credit || line.debit) },
  });
}

/** What the user chose, as it fits the line now. Cheques are locked before the line. */
const match: Handler<typeof lineApi.match> = async (ctx, { id, version, kind, ofId, reason, charge }) => {
  const found = (await candidatesOf(ctx, [id])).get(id)?.find((one) => one.kind === kind && one.id === ofId);
  if (!found) {
    await lines(ctx).where('own.id', '=', id).executeTakeFirstOrThrow(notFound);
    throw new AppError('conflict', lineMessages.other);
  }
  const cleared = await act();
  const line = await lockLine(ctx, { id, version }, ['Open']);
  const column = ({ Payment: 'payment_id', 'Deposit slip': 'deposit_id', Refund: 'refund_id' } as const)[
    kind as 'Payment'
  ];
  const state = kind === 'Payment' && found.amount !== line.credit ? ('Differs' as const) : ('Matched' as const);
  await change(ctx, line, 'matched', { state, [column ?? 'cheque_id']: ofId });
  return { cleared };

  /** A cheque is cleared or bounces with its line; a slip once its lines total it. */
  async function act(): Promise<number> {
    if (kind === 'Cheque') return clearCheques(ctx, [ofId]);
    if (kind === 'Returned cheque') {
      const why = reason || 'Returned by the bank';
      await bounceCheque(ctx, { id: ofId, version: found?.version ?? 0, reason: why, charge: charge ?? null });
      return 0;
    }
    if (kind !== 'Deposit slip') return 0;
    // Two lines of one slip: the second one sees the first.
    await sql`select pg_advisory_xact_lock(hashtext('bank_line'))`.execute(ctx.db);
    const { rows } = await sql<{ ids: number[]; isWhole: boolean }>`
      select (select array_agg(cheque_id order by cheque_id) from bank_deposit_cheque where deposit_id = slip.id) as ids,
        slip.amount = (select coalesce(sum(credit), 0) from bank_line where deposit_id = slip.id or id = ${id}) as "isWhole"
      from bank_deposit slip where id = ${ofId}`.execute(ctx.db);
    const [slip] = rows;
    return slip?.isWhole ? clearCheques(ctx, slip.ids) : 0;
  }
};

const undo: Handler<typeof lineApi.undo> = async (ctx, asked) => {
  const line = await lockLine(ctx, asked, ['Matched', 'Differs', 'Set aside']);
  if (line.depositId !== null || line.chequeId !== null) throw new AppError('conflict', lineMessages.kept);
  await change(ctx, line, 'opened', { state: 'Open', payment_id: null, refund_id: null, note: '' });
  return {};
};

const setAside: Handler<typeof lineApi.setAside> = async (ctx, { note, ...asked }) => {
  const line = await lockLine(ctx, asked, ['Open']);
  await change(ctx, line, 'set-aside', { state: 'Set aside', note });
  return {};
};

/** Money that nobody knows gets a receipt of today; its value day is that of the bank. */
const take: Handler<typeof lineApi.take> = async (ctx, { id, version, payerName, branchId }) => {
  const before = await lines(ctx)
    .innerJoin('fee_receipt_series as series', 'series.id', 'account.receipt_series_id')
    .select(['series.id as seriesId'])
    .where('own.id', '=', id)
    .executeTakeFirstOrThrow(notFound);
  if (before.credit === 0) throw new AppError('conflict', lineMessages.credit);
  const taken = await takeUnplaced(
    ctx,
    {
      amount: before.credit,
      mode: 'Bank transfer',
      reference: before.reference || `LINE${id}`,
      payerName,
      payerMobile: '',
      note: before.narration.slice(0, 200),
      branchId,
      receiptSeriesId: before.seriesId,
    },
    before.day,
  );
  const line = await lockLine(ctx, { id, version }, ['Open']);
  await change(ctx, line, 'taken', { state: 'Matched', payment_id: taken.paymentId });
  return { paymentNo: taken.paymentNo };
};

const matchAll: Handler<typeof lineApi.matchAll> = async (ctx) => {
  requireWhole(ctx);
  await sql`select pg_advisory_xact_lock(hashtext('bank_line'))`.execute(ctx.db);
  const found = await matchLines(ctx);
  await audit(ctx, { action: 'bank-line.matched-all', entity: 'bank_line', entityId: 0, details: { ...found } });
  return found;
};

export const lineRoutes = [...listRoutes, ...routes(lineApi, { candidates, match, undo, setAside, take, matchAll })];
