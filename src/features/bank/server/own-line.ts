import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import type { UserContext } from '#kit/server/context.ts';
import { audit } from '#kit/server/security/audit.ts';
import { lineMessages, type ShownKind } from '../contract/line.ts';

/** What lines of the bank have a reference, for money of an amount in the account of a series. */
export interface Shown {
  kind: ShownKind;
  id: number;
  day: string;
  amount: number;
  seriesId: number;
  series: string;
  /** The receipts of the payment with which the line is matched. */
  receipts: string;
}

const nothing = { id: 0, day: '', amount: 0, seriesId: 0, series: '', receipts: '' };

/** Looks in all lines that were credited; one that fits better hides the others. Users with a limit to branches see no line. */
export async function findLine(
  { db, user }: UserContext,
  { referenceKey, amount, seriesId }: { referenceKey: string; amount: number; seriesId: number },
): Promise<Shown> {
  if (user.scope.branches.length > 0) return { ...nothing, kind: 'Hidden' };
  const { rows } = await sql<Shown & { count: number }>`
    with found as (
      select line.id, line.day::text as day, line.credit as amount, series.id as "seriesId", series.name as series,
        coalesce((select string_agg(receipt_no, ', ' order by id) from fee_receipt where payment_id = line.payment_id), '') as receipts,
        case when line.state in ('Matched', 'Differs') then 'Matched' when line.state = 'Set aside' then 'Set aside'
          when line.credit <> ${amount} then 'Other amount' when series.id <> ${seriesId} then 'Other series' else 'One' end as kind
      from bank_line line join fee_bank_account account on account.id = line.bank_account_id
      join fee_receipt_series series on series.id = account.receipt_series_id
      where line.credit > 0 and line.tokens @> array[${referenceKey}::text])
    select *, (count(*) over (partition by kind))::integer as count from found
    order by array_position(array['One', 'Other series', 'Other amount', 'Matched', 'Set aside'], kind), day, id limit 1`.execute(
    db,
  );
  const [best] = rows;
  if (!best) return { ...nothing, kind: 'None' };
  const { count, ...shown } = best;
  return shown.kind === 'One' && count > 1 ? { ...shown, kind: 'Several' } : shown;
}

/** Whether any line that was credited has a reference, also for users who see no lines. */
export async function hasLine({ db }: Pick<UserContext, 'db'>, { referenceKey }: { referenceKey: string }) {
  const { rows } =
    await sql`select from bank_line where credit > 0 and tokens @> array[${referenceKey}::text] limit 1`.execute(db);
  return rows.length > 0;
}

/** Says that a payment taken from a line is what the line is of. Throws `conflict` where it is of something else by now. */
export async function matchWith(ctx: UserContext, lineId: number, paymentId: number) {
  const { rows } = await sql<{ narration: string; credit: number; version: number }>`
    update bank_line set state = 'Matched', payment_id = ${paymentId}, matched_by = ${ctx.user.staffId},
      matched_at = ${ctx.now()}, version = version + 1
    where id = ${lineId} and state = 'Open' returning narration, credit, version`.execute(ctx.db);
  const [line] = rows;
  if (!line) throw new AppError('conflict', lineMessages.open);
  await audit(ctx, {
    action: 'bank-line.matched',
    entity: 'bank_line',
    entityId: lineId,
    version: line.version,
    details: { Line: line.narration.slice(0, 120), Amount: showMoney(line.credit) },
  });
}
