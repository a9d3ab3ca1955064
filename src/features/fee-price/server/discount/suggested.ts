import { sql } from 'kysely';
import type { Text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { readSetting } from '#kit/server/settings.ts';
import { type Discount, isToBeApproved } from '../../contract/discount.ts';
import type { YearPrices } from '../plan/read-prices.ts';
import { siblingsByBirth } from '../settings.ts';
import { type Conceded, givenOf, type Terms } from './conceded.ts';
import { takesOff } from './concession.ts';

/** A child who is not added yet, as discounts ask about it. */
interface Newcomer {
  yearId: number;
  categoryId: number | null;
  birthDate: string;
  joinedOn: string;
  /** The brothers and sisters who are here. */
  siblings: readonly { birthDate: string }[];
}

/** A discount that the family or the category of a child entitles it to. */
export interface SuggestedDiscount extends Omit<Terms, 'id' | 'from' | 'to'> {
  name: string;
  takesOff: Text;
  needsApproval: boolean;
}

/** The concessions that `renewSuggestions` would suggest for a child who is not added yet. */
export async function suggestedFor(
  ctx: Pick<Context, 'db'>,
  { yearId, categoryId, birthDate, siblings }: Omit<Newcomer, 'joinedOn'>,
): Promise<SuggestedDiscount[]> {
  const isByBirth = await readSetting(ctx, siblingsByBirth);
  const elder = isByBirth ? siblings.filter((sibling) => sibling.birthDate < birthDate) : siblings;
  const child = elder.length + 1;
  const { rows } = await sql<
    Omit<SuggestedDiscount, 'takesOff' | 'needsApproval'> & Pick<Discount, 'needsApproval' | 'approvalAbove'>
  >`
    select discount.id as "discountId", discount.name, discount.amount, discount.priority,
      case when discount.eligibility = 'Siblings' then coalesce((select step.percent from fee_discount_step step
        where step.discount_id = discount.id and step.child <= ${child}::integer order by step.child desc limit 1),
        discount.percent) else discount.percent end as percent,
      discount.stack_group as "group", discount.max_amount as "maxAmount", discount.eligibility,
      discount.needs_approval as "needsApproval", discount.approval_above as "approvalAbove",
      case when not all_heads then (select jsonb_agg(fee_head_id) from fee_discount_head own
        where own.discount_id = discount.id) end as "headIds"
    from fee_discount discount left join academic_lookup category on category.id = ${categoryId}::integer
    where discount.is_active and coalesce(discount.academic_year_id, ${yearId}::integer) = ${yearId}::integer
      and case discount.eligibility
        when 'Siblings' then ${child}::integer >= 2
        when 'Staff child' then category.name = 'Staff child'
        when 'RTE' then category.name = 'RTE'
        when 'Student category' then exists (select from fee_discount_category own
          where own.discount_id = discount.id and own.category_id = category.id)
        else false end
    order by discount.priority, discount.id`.execute(ctx.db);
  return rows.map(({ approvalAbove, ...row }) => ({
    ...row,
    takesOff: takesOff({ ...row, isEnd: false }),
    needsApproval: isToBeApproved({ needsApproval: row.needsApproval, approvalAbove }, row.percent),
  }));
}

const firstMonth = (joinedOn: string, now: Date) => {
  const today = toLocalDate(now);
  return `${(joinedOn > today ? joinedOn : today).slice(0, 7)}-01`;
};

/** What a newcomer without concessions would have if all that is suggested were granted; its student id is 0. */
export const concedeAll = (
  { now }: Pick<Context, 'now'>,
  { year }: Pick<YearPrices, 'year'>,
  { cap }: Conceded,
  { joinedOn }: Pick<Newcomer, 'joinedOn'>,
  suggested: readonly SuggestedDiscount[],
): Conceded => ({
  ofStudent: new Map([
    [
      0,
      suggested.map((one, at) =>
        givenOf(year, { ...one, id: at + 1, from: firstMonth(joinedOn, now()), to: year.endsOn }),
      ),
    ],
  ]),
  cap,
});

/** Stores suggestions for a student whose plan is new, unless they have the discount already in the year. */
export async function addSuggestions(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { studentId, yearId, joinedOn }: { studentId: number; yearId: number; joinedOn: string },
  suggested: readonly SuggestedDiscount[],
) {
  const rows = suggested.map(({ discountId, percent, amount }) => ({ discountId, percent, amount }));
  await sql`insert into fee_concession (student_id, academic_year_id, discount_id, source, percent, amount,
      effective_from, effective_to, status)
    select ${studentId}, year.id, wish."discountId", 'Suggested', wish.percent, wish.amount, ${firstMonth(joinedOn, now())}::date,
      (date_trunc('month', year.ends_on::timestamp) + interval '1 month - 1 day')::date, 'Suggested'
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as wish ("discountId" integer, percent integer, amount bigint)
    join academic_year year on year.id = ${yearId} and year.ends_on >= ${firstMonth(joinedOn, now())}::date
    where not exists (select from fee_concession other where other.student_id = ${studentId}
      and other.discount_id = wish."discountId" and other.academic_year_id = year.id)`.execute(db);
}
