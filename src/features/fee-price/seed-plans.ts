import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { readConceded } from './server/discount/conceded.ts';
import { readChildren } from './server/plan/children.ts';
import { type Plannable, propose, readDayRules, storePlans } from './server/plan/make-plans.ts';
import { readPrices } from './server/plan/read-prices.ts';

/** Few enough plans for the deadline of a statement. */
const atOnce = 60;

/** A plan for each student of the current year whose grade has published prices, or for the first of them, made as an allocation makes it. */
export async function seedPlans(ctx: Context, most: number | null = null) {
  const { id: yearId } = await ctx.db
    .selectFrom('academic_year')
    .where('id', '=', sql<number>`academic_year_on(${toLocalDate(ctx.now())}::date)`)
    .select('id')
    .executeTakeFirstOrThrow();
  const prices = await readPrices(ctx, yearId);
  const rules = await readDayRules(ctx);
  const children = await readChildren(
    ctx,
    sql`enrollment.id in (select id from student_enrollment where academic_year_id = ${yearId} and status = 'Active'
      order by id limit ${most})`,
  );
  const conceded = await readConceded(
    ctx,
    prices,
    children.map(({ studentId }) => studentId),
  );
  const plans = children
    .map((child) => propose(prices, child, rules, conceded))
    .filter((one): one is Plannable => one.reason === undefined);
  const by = { staffId: null, runId: null, actor: 'Shala' };
  for (let done = 0; done < plans.length; done += atOnce)
    await ctx.db
      .transaction()
      .execute((db) =>
        storePlans({ ...ctx, db }, prices, plans.slice(done, done + atOnce), { rules, past: undefined, by }),
      );
}
