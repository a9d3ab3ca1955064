import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';

export const dayClosed = text`Your day is closed. Payments of this day can’t be changed.`;

/** The cashier's day, opened where it is missing and held until the transaction ends; the first lock of an act with money. */
export async function lockDay(ctx: UserContext, day = toLocalDate(ctx.now())): Promise<number> {
  const { staffId } = ctx.user;
  await sql`insert into fee_day (staff_id, day) values (${staffId}, ${day}) on conflict do nothing`.execute(ctx.db);
  const { rows } = await sql<{ id: number; status: string }>`
    select id, status from fee_day where staff_id = ${staffId} and day = ${day} for share`.execute(ctx.db);
  const [own] = rows;
  if (!own || own.status === 'Closed') throw new AppError('conflict', dayClosed);
  return own.id;
}
