import { sql } from 'kysely';
import { AppError, notFoundMessage, staleMessage } from '#kit/contract/errors.ts';
import { isActiveLabel } from '#kit/contract/master.ts';
import { showMoney, showPercent } from '#kit/contract/money.ts';
import { english } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { readOptions } from '#kit/server/master/options.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
import {
  type Discount,
  type DiscountDraft,
  discountApi,
  discountMessages,
  discountNames,
  valueWords,
} from '../../contract/discount.ts';

const rules: ConstraintMessages = {
  table: 'fee_discount',
  fields: {},
  constraintMessages: {
    fee_discount_name_unique: { field: 'name', message: discountMessages.sameName },
    fee_discount_code_unique: { field: 'code', message: discountMessages.sameCode },
  },
};

/** Every discount with its heads, steps and categories. */
const discounts = ({ db }: Pick<Context, 'db'>) =>
  db
    .selectFrom('fee_discount as discount')
    .leftJoin('academic_year as year', 'year.id', 'discount.academic_year_id')
    .select(['discount.id', 'discount.name', 'discount.code', 'discount.percent', 'discount.priority'])
    .select(['discount.eligibility', 'discount.version', 'discount.value_kind as valueKind'])
    .select(['discount.stack_group as stackGroup', 'discount.needs_approval as needsApproval'])
    .select(['discount.approval_above as approvalAbove', 'discount.is_active as isActive'])
    .select(['discount.amount', 'discount.max_amount as maxAmount', 'discount.academic_year_id as academicYearId'])
    .select([
      sql<string>`coalesce(year.name, '')`.as('year'),
      sql<Discount['heads']>`(select coalesce(jsonb_agg(jsonb_build_object('id', head.id, 'name', head.name)
          order by head.priority, head.id), '[]') from fee_discount_head own join fee_head head
          on head.id = own.fee_head_id where own.discount_id = discount.id)`.as('heads'),
      sql<Discount['steps']>`(select coalesce(jsonb_agg(jsonb_build_object('child', child, 'percent', step.percent)
          order by child), '[]') from fee_discount_step step where step.discount_id = discount.id)`.as('steps'),
      sql<Discount['categories']>`(select coalesce(jsonb_agg(jsonb_build_object('id', word.id, 'name', word.name)
          order by word.name), '[]') from fee_discount_category own join academic_lookup word
          on word.id = own.category_id where own.discount_id = discount.id)`.as('categories'),
      sql<number>`(select count(*) from fee_concession where discount_id = discount.id
          and status <> 'Suggested')::integer`.as('usedBy'),
    ])
    .$castTo<Discount>();

const list: Handler<typeof discountApi.list> = async (ctx) => ({
  rows: await discounts(ctx).orderBy('discount.priority').orderBy(sql`lower(discount.name)`).execute(),
});

/** A draft as rows: what its kind does not have is left out. */
export function partsOf(draft: DiscountDraft) {
  const { valueKind, eligibility } = draft;
  const steps = [
    { child: 3, percent: draft.thirdPercent },
    { child: 4, percent: draft.fourthPercent },
  ].flatMap(({ child, percent }) => (percent === null ? [] : [{ child, percent }]));
  return {
    row: {
      name: draft.name,
      code: draft.code,
      value_kind: valueKind,
      percent: valueKind === 'Percent' ? draft.percent : null,
      amount: valueKind === 'Fixed amount' ? draft.amount : null,
      all_heads: draft.heads !== 'Some heads',
      eligibility,
      stack_group: draft.stackGroup,
      priority: draft.priority ?? 50,
      max_amount: draft.maxAmount,
      needs_approval: draft.needsApproval,
      approval_above: draft.needsApproval ? null : draft.approvalAbove,
      academic_year_id: draft.academicYearId,
    },
    headIds: draft.heads === 'Some heads' ? [...new Set(draft.headIds)].sort((a, b) => a - b) : [],
    categoryIds: eligibility === 'Student category' ? [...new Set(draft.categoryIds)].sort((a, b) => a - b) : [],
    steps: eligibility === 'Siblings' ? steps : [],
  };
}
type Parts = ReturnType<typeof partsOf>;

async function addParts({ db }: UserContext, discountId: number, { headIds, categoryIds, steps }: Parts) {
  const id = { discount_id: discountId };
  if (headIds.length > 0)
    await db
      .insertInto('fee_discount_head')
      .values(headIds.map((headId) => ({ ...id, fee_head_id: headId })))
      .execute();
  if (categoryIds.length > 0)
    await db
      .insertInto('fee_discount_category')
      .values(categoryIds.map((categoryId) => ({ ...id, category_id: categoryId })))
      .execute();
  if (steps.length > 0)
    await db
      .insertInto('fee_discount_step')
      .values(steps.map((step) => ({ ...id, ...step })))
      .execute();
}

/** What a discount is, for the audit log. */
const detailsOf = (discount: Discount): Record<string, string> => ({
  Name: discount.name,
  Code: discount.code,
  'Takes off': english(valueWords(discount)),
  'Fee heads': discount.heads.map(({ name }) => name).join(', ') || 'All heads with concessions',
  For: [discount.eligibility, ...discount.categories.map(({ name }) => name)].join(', '),
  'Group and priority': [discount.stackGroup, String(discount.priority)].filter(Boolean).join(', '),
  'At most a year': discount.maxAmount === null ? '' : showMoney(discount.maxAmount),
  Approval: discount.needsApproval
    ? 'Always'
    : discount.approvalAbove === null
      ? 'Never'
      : `Above ${showPercent(discount.approvalAbove)}`,
  'Academic year': discount.year,
  [english(isActiveLabel)]: discount.isActive ? 'Yes' : 'No',
});

export async function readDiscount(ctx: Pick<Context, 'db'>, id: number): Promise<Discount> {
  const found = await discounts(ctx).where('discount.id', '=', id).executeTakeFirst();
  if (!found) throw new AppError('not_found', notFoundMessage);
  return found;
}

/** Locks a discount; throws `stale` when the given version is not the current one. */
async function lockDiscount(ctx: UserContext, { id, version }: { id: number; version: number }): Promise<Discount> {
  await ctx.db.selectFrom('fee_discount').where('id', '=', id).select('id').forUpdate().execute();
  const found = await readDiscount(ctx, id);
  if (found.version !== version) throw new AppError('stale', staleMessage, { data: { saved: found } });
  return found;
}

const create: Handler<typeof discountApi.create> = async (ctx, draft) => {
  const parts = partsOf(draft);
  const made = await withConstraintMessages(ctx, rules, async () => {
    const row = await ctx.db
      .insertInto('fee_discount')
      .values(parts.row)
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
    await addParts(ctx, row.id, parts);
    return row;
  });
  const details = detailsOf(await readDiscount(ctx, made.id));
  await audit(ctx, { action: 'fee-discount.created', entity: rules.table, entityId: made.id, version: 1, details });
  return made;
};

const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id).sort((a, b) => a - b);
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const update: Handler<typeof discountApi.update> = async (ctx, { id, version, isActive, ...draft }) => {
  const before = await lockDiscount(ctx, { id, version });
  const parts = partsOf(draft);
  const had = [ids(before.heads), ids(before.categories), before.steps];
  await withConstraintMessages(ctx, rules, async () => {
    await ctx.db
      .updateTable('fee_discount')
      .set({ ...parts.row, is_active: isActive })
      .where('id', '=', id)
      .execute();
    if (isSame(had, [parts.headIds, parts.categoryIds, parts.steps])) return;
    for (const table of ['fee_discount_head', 'fee_discount_category', 'fee_discount_step'] as const)
      await ctx.db.deleteFrom(table).where('discount_id', '=', id).execute();
    await addParts(ctx, id, parts);
  });
  const [was, is] = [detailsOf(before), detailsOf(await readDiscount(ctx, id))];
  const changed = Object.keys(is).filter((name) => was[name] !== is[name]);
  if (changed.length === 0) return { id, version };
  const saved = await ctx.db
    .updateTable('fee_discount')
    .set({ version: sql`version + 1` })
    .where('id', '=', id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  const details = Object.fromEntries(changed.map((name) => [name, `${was[name] || '–'} → ${is[name] || '–'}`]));
  const act = { action: 'fee-discount.changed', entity: rules.table, entityId: id, version: saved.version };
  await audit(ctx, { ...act, details });
  return saved;
};

const remove: Handler<typeof discountApi.remove> = async (ctx, idAndVersion) => {
  const discount = await lockDiscount(ctx, idAndVersion);
  await ctx.db
    .deleteFrom('fee_concession')
    .where('discount_id', '=', discount.id)
    .where('status', '=', 'Suggested')
    .execute();
  await withConstraintMessages(ctx, rules, () =>
    ctx.db.deleteFrom('fee_discount').where('id', '=', discount.id).execute(),
  );
  const act = { action: 'fee-discount.removed', entity: rules.table, entityId: discount.id };
  await audit(ctx, { ...act, version: discount.version, details: detailsOf(discount) });
  return {};
};

const history: Handler<typeof discountApi.history> = async (ctx, asked) => {
  await readDiscount(ctx, asked.id);
  return readHistory(ctx, rules.table, asked);
};

const findOptions: Handler<typeof discountApi.options> = (ctx, asked) => readOptions(ctx.db, discountNames, asked);

export default routes(discountApi, { list, options: findOptions, history, create, update, remove });
