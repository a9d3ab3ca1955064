import { sql } from 'kysely';
import type { ActingContext } from '#kit/server/context.ts';
import { actorOf } from '../control/lowering.ts';
import { readDayRules } from '../plan/make-plans.ts';
import { readPrices } from '../plan/read-prices.ts';
import { postPlans, readPlans } from '../plan/stored-plans.ts';
import { readConceded } from './conceded.ts';

/** Computes the plans of students again whose concessions have changed, in the transaction of that act. */
export async function followConcessions(
  ctx: ActingContext,
  concessionIds: readonly number[],
  authority: 'Terms' | 'Decided' = 'Terms',
) {
  const { rows } = await sql<{ yearId: number; studentId: number; from: string }>`
    select academic_year_id as "yearId", student_id as "studentId", min(effective_from) as "from"
    from fee_concession where id = any(${concessionIds}::integer[]) group by 1, 2 order by 1, 2`.execute(ctx.db);
  const rules = await readDayRules(ctx);
  const by = { staffId: actorOf(ctx)?.staffId ?? null, runId: null, authority };
  for (const [yearId, own] of Map.groupBy(rows, (row) => row.yearId)) {
    const students = own.map(({ studentId }) => studentId);
    const plans = await readPlans(
      ctx,
      sql`account.student_id = any(${students}::integer[]) and plan.academic_year_id = ${yearId} and plan.status = 'Active'`,
    );
    if (plans.length === 0) continue;
    const prices = await readPrices(ctx, yearId);
    const conceded = await readConceded(ctx, prices, students);
    const changed = plans.map((plan) => ({
      plan,
      kind: 'Concession' as const,
      effectiveFrom: own.find(({ studentId }) => studentId === plan.studentId)?.from ?? prices.year.startsOn,
    }));
    await postPlans(ctx, prices, changed, { rules, conceded, by });
  }
}
