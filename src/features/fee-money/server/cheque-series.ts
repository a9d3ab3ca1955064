import { sql } from 'kysely';
import { feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { lockAccounts } from '#features/fee-price/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { isDuplicate } from '#kit/server/database/database.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { chequeApi, chequeMessages, mostGivenBack } from '../contract/cheque.ts';
import { cheques, detailsOf, selectedCheques } from './cheque.ts';

const { takeSeries: takeSeriesApi, giveBackMany: giveBackManyApi } = chequeApi;
const lastNumber = 999_999;

/** The same day some months later, or the last day of a shorter month. */
export function monthsLater(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

const takeSeries: Handler<typeof takeSeriesApi> = async (
  ctx,
  { number, count, bank, datedOn, payerName, ...asked },
) => {
  const today = toLocalDate(ctx.now());
  const [studentId, amount] = [Number(asked.studentId), Number(asked.amount)];
  if (datedOn <= today) throw fieldRefusal('datedOn', chequeMessages.seriesLater);
  const many = count ?? 0;
  if (Number(number) + many - 1 > lastNumber) throw fieldRefusal('number', chequeMessages.seriesNumber);
  await ctx.db
    .selectFrom('student')
    .where('id', '=', studentId)
    .where(inScope(ctx.user, feeWriters, { branch: sql`branch_id` }))
    .select('id')
    .executeTakeFirstOrThrow(notFound);
  const each = Array.from({ length: many }, (_, at) => ({
    number: String(Number(number) + at).padStart(6, '0'),
    datedOn: monthsLater(datedOn, at),
  }));
  const made = await ctx.db
    .insertInto('fee_cheque')
    .values(
      each.map((one) => ({
        student_id: studentId,
        kind: 'Cheque' as const,
        number: one.number,
        bank,
        dated_on: one.datedOn,
        amount,
        payer_name: payerName,
        status: 'Held' as const,
        received_on: today,
        received_by: ctx.user.staffId,
      })),
    )
    .returning(['id', 'number', 'dated_on as datedOn'])
    .execute()
    .catch((error: unknown) => {
      if (isDuplicate(error, 'fee_cheque_once')) throw fieldRefusal('number', chequeMessages.once);
      throw error;
    });
  await auditAll(
    ctx,
    made.map(({ id, ...one }) => ({
      action: 'fee-cheque.taken',
      entity: 'fee_cheque',
      entityId: id,
      version: 1,
      details: { ...detailsOf({ number: one.number, bank, amount }), Dated: showDate(one.datedOn) },
    })),
  );
  return { ids: made.map(({ id }) => id), total: many * amount };
};

const giveBackMany: Handler<typeof giveBackManyApi> = async (ctx, { selection, reason }) => {
  const ids = await selectedCheques(ctx, selection);
  if (ids.length === 0) throw new AppError('not_found', notFoundMessage);
  if (ids.length > mostGivenBack) throw new AppError('conflict', chequeMessages.most);
  const read = () => cheques(ctx).where('own.id', 'in', ids).orderBy('own.id').execute();
  await lockAccounts(ctx, [...new Set((await read()).map(({ studentId }) => studentId))]);
  await sql`select from fee_cheque where id = any(${ids}::integer[]) order by id for update`.execute(ctx.db);
  const rows = await read();
  if (rows.some(({ status }) => status !== 'Held')) throw new AppError('conflict', chequeMessages.heldOnly);
  await sql`update fee_cheque set status = 'Returned', ended_on = ${toLocalDate(ctx.now())}::date, reason = ${reason},
    version = version + 1 where id = any(${ids}::integer[])`.execute(ctx.db);
  await auditAll(
    ctx,
    rows.map((row) => ({
      action: 'fee-cheque.returned',
      entity: 'fee_cheque',
      entityId: row.id,
      version: row.version + 1,
      details: { ...detailsOf(row), Reason: reason },
    })),
  );
  const amount = rows.reduce((sum, row) => sum + row.amount, 0);
  return { cheques: rows.length, amount };
};

export const chequeSeriesRoutes = routes(
  { takeSeries: takeSeriesApi, giveBackMany: giveBackManyApi },
  { takeSeries, giveBackMany },
);
