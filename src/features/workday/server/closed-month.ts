import { sql } from 'kysely';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import type { Text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { monthMessages } from '../contract/month.ts';

/** Why presence and leave of some days can't change: the first closed month among them. An act that asks makes a closing wait. */
export async function closedMonthOf(
  { db }: Pick<Context, 'db'>,
  fromDay: string,
  toDay: string,
): Promise<Text | undefined> {
  const { rows } = await sql<{ month: string | null }>`
    select workday_closed_month(${fromDay}::date, ${toDay}::date)::text as month`.execute(db);
  const month = rows[0]?.month;
  return month ? monthMessages.closed(month) : undefined;
}

/** Refuses an act on presence or leave in a closed month, at a field if there is one. */
export async function requireOpenMonth(ctx: Pick<Context, 'db'>, fromDay: string, toDay: string, field?: string) {
  const closed = await closedMonthOf(ctx, fromDay, toDay);
  if (closed) throw field ? fieldRefusal(field, closed) : new AppError('conflict', closed);
}
