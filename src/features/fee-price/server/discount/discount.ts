import { sql } from 'kysely';
import { isActiveLabel } from '#kit/contract/master.ts';
import { showMoney, showPercent } from '#kit/contract/money.ts';
import { english } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import type { ConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { readOptions } from '#kit/server/master/options.ts';
import { serveParts } from '#kit/server/record/parts.ts';
import { notFound } from '#kit/server/record/version.ts';
import {
  type Discount,
  type DiscountDraft,
  discountApi,
  discountMessages,
  discountNames,
  valueWords,
} from '../../contract/discount.ts';
import { saveOrAsk, waitingOf } from '../control/proposal.ts';

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
  return discounts(ctx).where('discount.id', '=', id).executeTakeFirstOrThrow(notFound);
}

const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id).sort((a, b) => a - b);
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const parts = serveParts<Discount, DiscountDraft & { isActive?: boolean }>({
  word: 'fee-discount',
  rules,
  read: (ctx, id) =>
    discounts(ctx)
      .where((row) => (id === undefined ? row.lit(true) : row('discount.id', '=', id)))
      .orderBy('discount.priority')
      .orderBy(sql`lower(discount.name)`)
      .execute(),
  write: async (ctx, { isActive, ...draft }, before) => {
    const parts = partsOf(draft);
    if (!before) {
      const made = await ctx.db.insertInto('fee_discount').values(parts.row).returning('id').executeTakeFirstOrThrow();
      await addParts(ctx, made.id, parts);
      return made;
    }
    const { id } = before;
    const row = { ...parts.row, is_active: isActive };
    await ctx.db.updateTable('fee_discount').set(row).where('id', '=', id).execute();
    const had = [ids(before.heads), ids(before.categories), before.steps];
    if (isSame(had, [parts.headIds, parts.categoryIds, parts.steps])) return { id };
    for (const table of ['fee_discount_head', 'fee_discount_category', 'fee_discount_step'] as const)
      await ctx.db.deleteFrom(table).where('discount_id', '=', id).execute();
    await addParts(ctx, id, parts);
    return { id };
  },
  details: detailsOf,
  clear: ({ db }, { id }) =>
    db.deleteFrom('fee_concession').where('discount_id', '=', id).where('status', '=', 'Suggested').execute(),
});

const findOptions: Handler<typeof discountApi.options> = (ctx, asked) => readOptions(ctx.db, discountNames, asked);

const textOf = async (ctx: UserContext, id: number) => detailsOf(await readDiscount(ctx, id));

/** Only other words, more approval, or no further use: nothing that lowers what a child owes. */
function isFree(before: Record<string, string>, after: Record<string, string>, changed: readonly string[]) {
  const active = english(isActiveLabel);
  const share = (words = '') => (words === 'Always' ? 0 : Number(/^Above ([0-9.]+)/.exec(words)?.[1] ?? 1000));
  return changed.every(
    (label) =>
      ['Name', 'Code'].includes(label) ||
      (label === 'Approval' && share(after[label]) < share(before[label])) ||
      (label === active && after[label] === 'No'),
  );
}

const list: Handler<typeof discountApi.list> = async (ctx) => ({
  ...(await parts.list(ctx)),
  waiting: await waitingOf(ctx, 'Discount'),
});

const create: Handler<typeof discountApi.create> = (ctx, input) =>
  saveOrAsk(ctx, {
    kind: 'Discount',
    subject: null,
    input,
    name: input.name,
    detailsOf: (id) => textOf(ctx, id),
    isFree,
    save: () => parts.create(ctx, input),
  });

const update: Handler<typeof discountApi.update> = async (ctx, { id, version, ...input }) =>
  saveOrAsk(ctx, {
    kind: 'Discount',
    subject: { id, version },
    input,
    name: (await readDiscount(ctx, id)).name,
    detailsOf: (own) => textOf(ctx, own),
    isFree,
    save: () => parts.update(ctx, { id, version, ...input }),
  });

/** Saves what was asked for, as it was typed. */
export const applyDiscount = (ctx: UserContext, subject: { id: number; version: number } | null, input: object) =>
  subject
    ? parts.update(ctx, { ...(input as DiscountDraft), ...subject })
    : parts.create(ctx, input as DiscountDraft & { isActive?: boolean });

const { history, remove } = parts;
export default routes(discountApi, { list, options: findOptions, history, create, update, remove });
