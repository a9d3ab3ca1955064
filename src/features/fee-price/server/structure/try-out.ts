import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { concessionMessages } from '../../contract/concession.ts';
import { type DiscountDraft, tryOutApi } from '../../contract/discount.ts';
import { type GivenConcession, price } from '../../contract/plan/plan-price.ts';
import { type Conceded, readConceded } from '../discount/conceded.ts';
import { partsOf } from '../discount/discount.ts';
import { childOf } from '../discount/family-order.ts';
import { readChildren } from '../plan/children.ts';
import { propose, readDayRules } from '../plan/make-plans.ts';
import { readPrices } from '../plan/read-prices.ts';
import { factsOf, readPlans } from '../plan/stored-plans.ts';

/** The id of the concession that is tried out: the last of those with its priority. */
const triedId = 2_147_483_647;

/** A draft of a discount as a concession of one student for the whole year. */
async function triedOf(ctx: UserContext, draft: DiscountDraft, studentId: number, yearId: number) {
  const { row, headIds, steps } = partsOf(draft);
  const child = row.eligibility === 'Siblings' ? await childOf(ctx, studentId, yearId) : 1;
  const percent = steps.findLast((step) => step.child <= child)?.percent ?? row.percent;
  const value: GivenConcession['value'] =
    percent !== null
      ? { kind: 'Percent', percent }
      : row.amount !== null
        ? { kind: 'Fixed', amount: row.amount }
        : { kind: 'Full waiver' };
  return {
    id: triedId,
    discountId: triedId,
    value,
    headIds: row.all_heads ? null : headIds,
    fromMonth: 0,
    toMonth: 11,
    priority: row.priority,
    group: row.stack_group,
    maxAmount: row.max_amount,
    isUncapped: row.eligibility === 'RTE' && value.kind === 'Full waiver',
  } satisfies GivenConcession;
}

const tryOut: Handler<typeof tryOutApi.tryOut> = async (ctx, { studentId, yearId, discountId, ...draft }) => {
  const [student, year] = [Number(studentId), Number(yearId)];
  const [child] = await readChildren(
    ctx,
    sql`enrollment.student_id = ${student} and enrollment.academic_year_id = ${year} and enrollment.is_standing
      and ${inScope(ctx.user, tryOutApi.tryOut.access, { branch: sql`enrollment.branch_id` })}`,
  );
  if (!child) throw fieldRefusal('studentId', concessionMessages.notEnrolled);
  const prices = await readPrices(ctx, year);
  const rules = await readDayRules(ctx);
  const granted = await readConceded(ctx, prices, [student]);
  const others = (granted.ofStudent.get(student) ?? []).filter((one) => one.discountId !== discountId);
  const tried = await triedOf(ctx, draft, student, year);
  const conceded: Conceded = { ...granted, ofStudent: new Map([[student, [...others, tried]]]) };
  const active = sql`account.student_id = ${student} and plan.academic_year_id = ${year} and plan.status = 'Active'`;
  const plan = (await readPlans(ctx, active, false)).at(-1);
  const proposed = plan ? undefined : propose(prices, child, rules, conceded);
  if (proposed?.reason) throw fieldRefusal('studentId', proposed.reason);
  const dues = plan ? price(factsOf(prices, plan, rules, conceded)) : (proposed?.dues ?? []);
  const { rows: names } = await sql<{ id: number; name: string }>`
    select concession.id, discount.name from fee_concession concession
    join fee_discount discount on discount.id = concession.discount_id
    where concession.id = any(${others.map(({ id }) => id)}::integer[])`.execute(ctx.db);
  const nameOf = (id: number) => (id === triedId ? draft.name : (names.find((one) => one.id === id)?.name ?? ''));
  const rows = dues
    .filter(({ months }) => months.length > 0)
    .map(({ label, feeHeadId, dueOn, gross, proRata, steps, net }) => ({
      label,
      head: prices.heads.get(feeHeadId)?.name ?? '',
      dueOn,
      charged: gross - proRata,
      steps: steps.map(({ concessionId, ...step }) => ({ ...step, discount: nameOf(concessionId) })),
      net,
    }));
  const sum = (of: 'charged' | 'net') => rows.reduce((total, row) => total + row[of], 0);
  const takenOff = dues
    .flatMap(({ steps }) => steps)
    .filter(({ concessionId }) => concessionId === triedId)
    .reduce((total, { amount }) => total + amount, 0);
  return { charged: sum('charged'), net: sum('net'), takenOff, dues: rows };
};

export default routes(tryOutApi, { tryOut });
