import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { ApprovalKind, Context, UserContext } from '#kit/server/context.ts';
import { ask } from '#kit/server/hook.ts';
import { auditEach } from '#kit/server/security/audit.ts';
import { reliefDone } from '../../contract/hooks.ts';
import { reliefMessages } from '../../contract/relief.ts';
import { readConceded } from '../discount/conceded.ts';
import { readDayRules } from '../plan/make-plans.ts';
import { readPrices } from '../plan/read-prices.ts';
import { moveDues, storeDays, storeMonths, storeOptions } from '../plan/store-facts.ts';
import { postPlans, readPlans } from '../plan/stored-plans.ts';
import { type ReliefFacts, type ReliefKind, withFacts } from './relief.ts';

interface Asked {
  id: number;
  planId: number;
  studentId: number;
  kind: ReliefKind;
  facts: ReliefFacts;
  effectiveFrom: string;
  lowers: number;
  reason: string;
  askedBy: number;
  version: number;
  year: string;
  approvalId: number | null;
  /** What is paid on the plan and becomes advance where it is withdrawn. */
  paid: number;
  /** What is paid on heads that the plan keeps although it is withdrawn, and their names. */
  kept: number;
  keptHeads: string;
}

const kindWords: Record<ReliefKind, Text> = {
  Left: text`Student left`,
  Back: text`Student came back`,
  Grade: text`Grade`,
  Category: text`Student category`,
  Branch: text`Branch`,
  Transport: text`Transport`,
  Option: text`Optional head`,
  'Due day': text`Due day`,
  Withdrawn: text`Plan withdrawn`,
};

const readReliefs = async ({ db }: Pick<Context, 'db'>, ids: readonly number[]) =>
  (
    await sql<Asked>`
    select own.id, own.plan_id as "planId", account.student_id as "studentId", own.kind, own.facts,
      own.effective_from as "effectiveFrom", own.lowers, own.reason, own.asked_by as "askedBy", own.version, year.name as year,
      (select id from approval where fee_relief_id = own.id and status = 'Approved') as "approvalId",
      sums.*
    from fee_relief own join fee_plan plan on plan.id = own.plan_id join fee_account account on account.id = plan.account_id
    join academic_year year on year.id = plan.academic_year_id
    cross join lateral (select coalesce(sum(due.paid) filter (where not due.keeps), 0)::bigint as paid,
        coalesce(sum(due.paid) filter (where due.keeps), 0)::bigint as kept,
        coalesce(string_agg(distinct due.name, ', ') filter (where due.keeps), '') as "keptHeads"
      from (select paid, head.name, coalesce(own.facts->'keeps' ? head.category, false) as keeps
        from fee_due join fee_head head on head.id = fee_head_id where plan_id = plan.id and paid > 0) as due) as sums
    where own.id = any(${ids}::integer[]) order by own.id`.execute(db)
  ).rows;

const isWithdrawn = (kind: ReliefKind) => kind === 'Withdrawn';

/** A second person decides on facts that lower fees: the plan follows them then, and not before. */
export const reliefApproval: ApprovalKind = {
  kind: 'fee.relief',
  subject: 'fee_relief_id',
  title: text`Lower fees`,
  notice: text`A change that lowers fees is waiting for your approval.`,
  sets: ['financeApprover', 'principal'],
  describe: async (ctx, ids) =>
    new Map(
      (await readReliefs(ctx, ids)).map(
        ({ id, studentId, kind, facts, effectiveFrom, lowers, year, version, paid, kept, keptHeads }) => [
          id,
          {
            facts: [
              { label: text`Change`, value: kindWords[kind] },
              { label: text`Academic year`, value: verbatim(year) },
              facts.dueDay
                ? {
                    label: text`Due day`,
                    value: verbatim(`${showDate(facts.dueDay.dueOn)} → ${showDate(facts.dueDay.newDay)}`),
                  }
                : { label: text`From`, value: verbatim(showDate(effectiveFrom)) },
            ],
            effect: [
              kind === 'Due day'
                ? text`${{ amount: showMoney(lowers) }} is due later.`
                : text`${{ amount: showMoney(lowers) }} less is owed.`,
              ...(isWithdrawn(kind) && paid > 0
                ? [text`${{ amount: showMoney(paid) }} already paid becomes advance.`]
                : []),
              ...(isWithdrawn(kind) && kept > 0
                ? [text`The school keeps ${{ amount: showMoney(kept) }}, already paid for: ${{ heads: keptHeads }}.`]
                : []),
            ],
            to: `fee/fee-structure-allocation/plan/${studentId}`,
            basis: [version, isWithdrawn(kind) && [paid, kept]],
          },
        ],
      ),
    ),
  lock: async ({ db }, ids) => {
    await sql`select from academic_year where id in (select academic_year_id from fee_plan plan
      join fee_relief own on own.plan_id = plan.id where own.id = any(${[...ids]}::integer[])) order by id for share`.execute(
      db,
    );
    await sql`select from fee_account where id in (select account_id from fee_plan plan join fee_relief own
      on own.plan_id = plan.id where own.id = any(${[...ids]}::integer[])) order by id for update`.execute(db);
    await sql`select from fee_relief where id = any(${[...ids]}::integer[]) order by id for update`.execute(db);
  },
  decide: async (ctx, ids, outcome) => {
    // A few; each changes a plan of its own.
    if (outcome === 'Approved') for (const relief of await readReliefs(ctx, ids)) await apply(ctx, relief);
    else
      await sql`update fee_relief set status = ${outcome}, version = version + 1 where id = any(${ids}::integer[])`.execute(
        ctx.db,
      );
    const action = `fee-relief.${outcome === 'Approved' ? 'done' : outcome.toLowerCase()}`;
    await auditEach(ctx, { action, entity: 'fee_relief' }, ids);
  },
};

async function apply(ctx: UserContext, relief: Asked) {
  const { id, planId, kind, facts, effectiveFrom, reason, askedBy, approvalId } = relief;
  const [stored] = await readPlans(ctx, sql`plan.id = ${planId}`);
  if (!stored || approvalId === null) throw new AppError('conflict', reliefMessages.moved);
  const by = { staffId: askedBy, runId: null, authority: 'Decided' as const, approvalId };
  let changeId: number | undefined;
  if (facts.dueDay) {
    changeId = await moveDues(ctx, { planId, ...facts.dueDay, reason, by });
  } else {
    const plan = withFacts(stored, facts);
    await storeDays(ctx, [plan]);
    if (facts.options) await storeOptions(ctx, plan);
    if (facts.months) await storeMonths(ctx, [plan]);
    const prices = await readPrices(ctx, plan.yearId);
    const posted = await postPlans(
      ctx,
      prices,
      [{ plan, kind: kind as Exclude<ReliefKind, 'Due day'>, effectiveFrom, reason, stages: facts.stages ?? [] }],
      {
        rules: await readDayRules(ctx),
        conceded: await readConceded(ctx, prices, [plan.studentId]),
        by,
      },
    );
    changeId = posted.get(planId)?.changeId;
  }
  if (changeId === undefined) throw new AppError('conflict', reliefMessages.moved);
  await sql`update fee_relief set status = 'Done', change_id = ${changeId}, version = version + 1 where id = ${id}`.execute(
    ctx.db,
  );
  if (facts.settles) await ask(ctx, reliefDone, { accountId: stored.accountId, day: effectiveFrom, changeId });
}
