import { sql } from 'kysely';
import { showDate, toLocalTime } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { mostShifts } from '../contract/day.ts';

/** The refusal of a race: the drawer was closed while the payment was being stored. */
export const dayClosed = text`Your drawer was closed just now. Open another shift, or take the money tomorrow.`;

/** The open shift of a cashier on a day, held until the transaction ends; the first lock of an act with money. A day without any opens its first. */
export async function lockDay(
  ctx: UserContext,
  day = toLocalDate(ctx.now()),
  { isChanged = false } = {},
): Promise<number> {
  const { staffId } = ctx.user;
  await sql`insert into fee_day (staff_id, day) values (${staffId}, ${day}) on conflict do nothing`.execute(ctx.db);
  const { rows } = await sql<{ id: number }>`
    select id from fee_day where staff_id = ${staffId} and day = ${day} and status = 'Open'
    ${isChanged ? sql`for update` : sql`for share`}`.execute(ctx.db);
  const [own] = rows;
  if (!own) throw new AppError('conflict', await whyClosed(ctx, day));
  return own.id;
}

/** When the last shift of a day was closed, and what the cashier can do now. */
async function whyClosed(ctx: UserContext, day: string): Promise<Text> {
  const last = await ctx.db
    .selectFrom('fee_day')
    .where('staff_id', '=', ctx.user.staffId)
    .where('day', '=', day)
    .select(['shift', 'closed_at'])
    .orderBy('shift', 'desc')
    .executeTakeFirst();
  const time = toLocalTime(last?.closed_at ?? ctx.now());
  if (day !== toLocalDate(ctx.now()))
    return text`Your day of ${{ day: showDate(day) }} is closed. Choose today as the date.`;
  if (last && last.shift < mostShifts)
    return text`Your drawer is closed since ${{ time }}. Open another shift to take money today.`;
  return text`Your last shift of today is closed since ${{ time }}. Another cashier can take the money today, or you tomorrow.`;
}
