import { sql } from 'kysely';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { price } from '../../contract/plan/plan-price.ts';
import { lockAccounts } from '../plan/children.ts';
import { readDayRules } from '../plan/make-plans.ts';
import { readPrices } from '../plan/read-prices.ts';
import { factsOf, readPlans } from '../plan/stored-plans.ts';
import { readConceded } from './conceded.ts';

/** A concession, as far as plans depend on it. */
interface Conceding {
  id: number;
  studentId: number;
  yearId: number;
}

const activePlans = (yearId: number, rows: readonly Conceding[]) =>
  sql`account.student_id = any(${rows.map(({ studentId }) => studentId)}::integer[])
    and plan.academic_year_id = ${yearId} and plan.status = 'Active'`;

const byYear = (rows: readonly Conceding[]) =>
  [...Map.groupBy(rows, ({ yearId }) => yearId)].toSorted(([one], [other]) => one - other);

/** Takes the accounts of the students of concessions, in the order of their ids, before the concessions. */
export async function lockPlans({ db }: Pick<UserContext, 'db'>, concessionIds: readonly number[]) {
  const rows = await db
    .selectFrom('fee_concession')
    .where('id', 'in', concessionIds)
    .select('student_id')
    .distinct()
    .execute();
  const studentIds = rows.map(({ student_id }) => student_id);
  await lockAccounts({ db }, studentIds);
}

const net = (dues: readonly { net: number }[]) => dues.reduce((sum, due) => sum + due.net, 0);

/** What each of these concessions would do to the fees of its year if it were granted now, by its id. */
export async function effectsOf(ctx: UserContext, rows: readonly Conceding[]): Promise<Map<number, Text>> {
  const effects = new Map<number, Text>();
  for (const [yearId, ofYear] of byYear(rows)) {
    const plans = await readPlans(ctx, activePlans(yearId, ofYear), false);
    const prices = await readPrices(ctx, yearId);
    const rules = await readDayRules(ctx);
    const students = ofYear.map(({ studentId }) => studentId);
    const granted = await readConceded(ctx, prices, students);
    const wished = await readConceded(
      ctx,
      prices,
      students,
      ofYear.map(({ id }) => id),
    );
    for (const { id, studentId } of ofYear) {
      const own = plans.filter((plan) => plan.studentId === studentId);
      const standing = granted.ofStudent.get(studentId) ?? [];
      const wish = wished.ofStudent.get(studentId)?.filter((one) => one.id === id) ?? [];
      const netOf = (given: typeof standing) =>
        net(
          own.flatMap((plan) =>
            price(factsOf(prices, plan, rules, { ...granted, ofStudent: new Map([[studentId, given]]) })),
          ),
        );
      const [before, after] = [netOf(standing), netOf([...standing, ...wish])];
      effects.set(
        id,
        own.length === 0
          ? text`The student has no fee plan yet. A plan created later will include the concession.`
          : text`Fees of the year fall by ${{ change: showMoney(before - after) }} to ${{ net: showMoney(after) }}.`,
      );
    }
  }
  return effects;
}
