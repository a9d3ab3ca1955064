import { sql } from 'kysely';
import type { SeedPlan } from '#database/seed/plan.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { propose } from './server/control/proposal.ts';

/** Terms of a discount that the accountant has asked for and a second person has not decided on. */
export async function seedWaiting(ctx: Context, { today }: SeedPlan) {
  const { rows } = await sql<{ id: number; staffId: number; name: string }>`
    select account.id, staff.id as "staffId", staff.name from sign_in_account account
    join staff on staff.id = account.staff_id where 'accountant' = any(sets) order by cardinality(sets), account.id limit 1`.execute(
    ctx.db,
  );
  const [user] = rows;
  // No student has it, so that its terms can change.
  const discount = await ctx.db
    .selectFrom('fee_discount')
    .where('code', '=', 'MGMT')
    .select(['id', 'version', 'name', 'code', 'priority', 'max_amount'])
    .executeTakeFirst();
  if (!user || !discount) return;
  const { name, code, priority, max_amount: maxAmount, ...subject } = discount;
  const categories = await ctx.db
    .selectFrom('fee_discount_category')
    .where('discount_id', '=', subject.id)
    .select('category_id')
    .execute();
  const terms = { valueKind: 'Percent', percent: 1000, amount: null, heads: 'All heads with concessions', headIds: [] };
  const categoryIds = categories.map(({ category_id }) => category_id);
  const who = {
    eligibility: 'Student category',
    categoryIds,
    thirdPercent: null,
    fourthPercent: null,
    academicYearId: null,
  };
  const rest = { stackGroup: '', priority, maxAmount, needsApproval: true, approvalAbove: null, isActive: true };
  await ctx.db.transaction().execute((db) =>
    propose({ ...ctx, db, user, now: () => new Date(`${today}T05:00:00Z`) } as unknown as UserContext, {
      kind: 'Discount',
      subject,
      basis: subject.version,
      input: { name, code, ...terms, ...who, ...rest },
      name,
      lines: [{ label: 'Takes off', from: '5 %', to: '10 %' }],
    }),
  );
}
