import { type RawBuilder, sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { familyOrder } from './family-order.ts';

/**
 * Renews the suggestions of the current year: concessions for students who are entitled by family or category and lack them,
 * and changes of those whose place in the family changed. Nothing is granted; a standing concession is only suggested to end
 * or to change, from the next month on.
 */
export const renewSuggestions = (ctx: Pick<Context, 'db' | 'now'>) => renew(ctx, null);

/** Renews those of the families of these students, unless another renewal runs: the daily one follows. */
export const renewFamilies = (ctx: Pick<Context, 'db' | 'now'>, studentIds: readonly number[]) =>
  renew(ctx, studentIds);

async function renew(ctx: Pick<Context, 'db' | 'now'>, studentIds: readonly number[] | null) {
  const { db } = ctx;
  const year = await db
    .selectFrom('academic_year')
    .where('id', '=', sql<number>`academic_year_on(${toLocalDate(ctx.now())}::date)`)
    .select(['id', 'starts_on', 'ends_on'])
    .executeTakeFirst();
  if (!year) return;
  const order = await familyOrder(ctx, year.id);
  const yearId = sql`${year.id}::integer`;
  const today = toLocalDate(ctx.now());
  const month = sql`date_trunc('month', ${today}::timestamp)`;
  const last = sql`(date_trunc('month', ${year.ends_on}::timestamp) + interval '1 month - 1 day')::date`;
  // One renewal at a time, so that two do not suggest the same.
  const key = sql`hashtextextended('fee suggestions', 0)`;
  if (studentIds === null) await sql`select pg_advisory_xact_lock(${key})`.execute(db);
  else {
    const { rows } = await sql<{ isOurs: boolean }>`select pg_try_advisory_xact_lock(${key}) as "isOurs"`.execute(db);
    if (!rows[0]?.isOurs) return;
  }
  const concerns = (student: RawBuilder<unknown>) =>
    studentIds === null
      ? sql`true`
      : sql`${student} in (select own.id from student own join student changed on changed.family_id = own.family_id
          where changed.id = any(${studentIds}::integer[]))`;
  await sql`delete from fee_concession where status = 'Suggested' and academic_year_id = ${year.id}
    and ${concerns(sql`student_id`)}`.execute(db);
  await sql`
    with entitled as (
      select child.student_id, discount.id as discount_id, child.joined_on,
        case when discount.eligibility = 'Siblings' then coalesce((select step.percent from fee_discount_step step
          where step.discount_id = discount.id and step.child <= child.child order by step.child desc limit 1),
          discount.percent) else discount.percent end as percent, discount.amount
      from ${order} as child
      left join academic_lookup category on category.id = child.category_id
      join fee_discount discount on discount.is_active
        and coalesce(discount.academic_year_id, ${year.id}) = ${year.id}
        and case discount.eligibility
          when 'Siblings' then child.child >= 2
          when 'Staff child' then category.name = 'Staff child'
          when 'RTE' then category.name = 'RTE'
          when 'Student category' then exists (select from fee_discount_category own
            where own.discount_id = discount.id and own.category_id = child.category_id)
          else false end
      where ${concerns(sql`child.student_id`)}
    ), next as (
      select greatest(${month}, date_trunc('month', ${year.starts_on}::timestamp))::date as this_month,
        (${month} + interval '1 month')::date as next_month
    ), standing as (
      select concession.* from fee_concession concession
      join fee_discount discount on discount.id = concession.discount_id
      where concession.academic_year_id = ${year.id} and concession.status in ('Requested', 'Approved')
        and discount.eligibility in ('Siblings', 'Staff child', 'RTE', 'Student category')
        and ${concerns(sql`concession.student_id`)}
    )
    insert into fee_concession (student_id, academic_year_id, discount_id, source, percent, amount, effective_from,
      effective_to, status, replaces_id, is_end)
    -- A concession that is missing: from the month of joining, but never from a month that is past.
    select entitled.student_id, ${yearId}, entitled.discount_id, 'Suggested', percent, amount,
      greatest(date_trunc('month', joined_on::timestamp)::date, this_month), ${last}, 'Suggested', null, false
    from entitled, next
    where greatest(date_trunc('month', joined_on::timestamp)::date, this_month) <= ${last}
      -- One that was rejected, or ended by a person, is not suggested again in the year.
      and not exists (select from fee_concession other where other.student_id = entitled.student_id
        and other.discount_id = entitled.discount_id and other.academic_year_id = ${year.id}
        and other.status <> 'Suggested')
    union all
    -- Another percentage, since the student's place in the family changed.
    select standing.student_id, ${yearId}, standing.discount_id, 'Suggested', entitled.percent, entitled.amount,
      next_month, ${last}, 'Suggested', standing.id, false
    from standing join entitled on entitled.student_id = standing.student_id
      and entitled.discount_id = standing.discount_id, next
    where standing.status = 'Approved' and standing.effective_to >= next_month
      and standing.percent is distinct from entitled.percent and next_month <= ${last}
    union all
    -- Not entitled any more: it is suggested to end.
    select standing.student_id, ${yearId}, standing.discount_id, 'Suggested', null, null,
      next_month, ${last}, 'Suggested', standing.id, true
    from standing, next
    where standing.status = 'Approved' and standing.effective_to >= next_month and next_month <= ${last}
      and standing.source = 'Suggested'
      and not exists (select from entitled where entitled.student_id = standing.student_id
        and entitled.discount_id = standing.discount_id)
      -- The enrolment of a student who left has ended with its plan.
      and exists (select from student_enrollment enrollment where enrollment.student_id = standing.student_id
        and enrollment.academic_year_id = ${year.id} and enrollment.status = 'Active')`.execute(db);
}
