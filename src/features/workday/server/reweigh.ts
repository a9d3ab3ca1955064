import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import type { Text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { closedMonthOf } from './closed-month.ts';
import { weigh } from './cost.ts';

interface Closed {
  month: string;
  staffId: number;
  name: string;
  cost: number;
}

/** What leave of people costs in each month that is closed. */
async function costsOfClosed({ db }: Pick<Context, 'db'>, people: readonly number[]): Promise<Closed[]> {
  const { rows } = await sql<Closed>`
    select closed.month::text as month, half.staff_id as "staffId", staff.name, sum(half.cost)::integer as cost
    from workday_month closed
    join workday_leave_half half on half.day >= closed.month and half.day < closed.month + interval '1 month'
    join staff on staff.id = half.staff_id
    where closed.reopened_at is null and half.staff_id = any(${[...people]}::integer[])
    group by closed.month, half.staff_id, staff.name order by closed.month, lower(staff.name), half.staff_id`.execute(
    db,
  );
  return rows;
}

const mostNamed = 3;

/** What an act says that is refused, with the month and the names. */
type Refusal = (month: string, names: string) => Text;

/** Weighs leave again, and refuses the act where leave in a closed month would cost another number of days. */
async function weighOpen(
  ctx: Pick<Context, 'db'>,
  span: { people: readonly number[]; fromDay: string; toDay: string },
  refusal: Refusal,
) {
  // A closing that runs at the same moment waits for this act, or this act reads it.
  await closedMonthOf(ctx, span.fromDay, span.toDay);
  const before = await costsOfClosed(ctx, span.people);
  await weigh(ctx, span);
  if (before.length === 0) return;
  const after = new Map(
    (await costsOfClosed(ctx, span.people)).map(({ month, staffId, cost }) => [`${month} ${staffId}`, cost]),
  );
  const changed = before.filter(({ month, staffId, cost }) => after.get(`${month} ${staffId}`) !== cost);
  const [first] = changed;
  if (!first) return;
  const names = changed.flatMap(({ month, name }) => (month === first.month ? [name] : []));
  const more = names.length > mostNamed ? ` +${names.length - mostNamed}` : '';
  throw new AppError('conflict', refusal(first.month, names.slice(0, mostNamed).join(', ') + more));
}

/** Weighs the leave of these people in years that are not closed, from a day on. */
export async function weighYears(
  ctx: Pick<Context, 'db'>,
  { people, from = '', refusal }: { people: readonly number[]; from?: string; refusal: Refusal },
) {
  const { rows } = await sql<{ fromDay: string | null; toDay: string | null }>`
    select greatest(min(starts_on), nullif(${from}, '')::date)::text as "fromDay", max(ends_on)::text as "toDay"
    from academic_year where closed_at is null`.execute(ctx.db);
  const { fromDay, toDay } = rows[0] ?? {};
  if (!fromDay || !toDay || fromDay > toDay || people.length === 0) return;
  await sql`select from staff where id = any(${[...people]}::integer[]) order by id for no key update`.execute(ctx.db);
  await weighOpen(ctx, { people, fromDay, toDay }, refusal);
}
