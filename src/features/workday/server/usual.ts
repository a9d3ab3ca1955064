import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type usualApi, usualShifts, usualTypes } from '../contract/usual.ts';

/** Writes the usual lists, each where it is empty; answers how many rows were added. */
export async function addUsual({ db, now }: Pick<Context, 'db' | 'now'>) {
  const { rows: shifts } = await sql`
    insert into workday_shift (name, staff_category_id, weekdays, starts, ends, works_vacation, is_default)
    select usual.name, (select min(category.id) from hris_staff_category category where category.is_active and category.kind =
        case usual.name when 'Office' then 'Administrative' when 'Drivers' then 'Transport' end),
      array['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'], usual.starts, usual.ends,
      usual.works_vacation, usual.is_default
    from jsonb_to_recordset(${JSON.stringify(usualShifts)}::jsonb) as usual (name text, starts text, ends text,
      works_vacation boolean, is_default boolean)
    where not exists (select from workday_shift) returning id`.execute(db);
  const given = JSON.stringify(usualTypes);
  const { rows: types } = await sql`
    insert into workday_leave_type (code, name, counts, carry_halves, most_halves_in_a_row, paper_after_halves, is_half_allowed,
      is_paid, may_go_below, gender)
    select usual.code, usual.name, usual.counts, usual.carry_halves, usual.most_halves_in_a_row, usual.paper_after_halves,
      usual.is_half_allowed, usual.is_paid, usual.may_go_below, usual.gender
    from jsonb_to_recordset(${given}::jsonb) as usual (code text, name text, counts text,
      carry_halves smallint, most_halves_in_a_row smallint, paper_after_halves smallint, is_half_allowed boolean, is_paid boolean, may_go_below boolean,
      gender text)
    where not exists (select from workday_leave_type) returning id`.execute(db);
  const { rows: rules } = await sql`
    insert into workday_leave_rule (academic_year_id, leave_type_id, halves)
    select year.id, type.id, usual.halves
    from jsonb_to_recordset(${given}::jsonb) as usual (code text, halves smallint)
    join workday_leave_type type on type.code = usual.code
    join academic_year year on year.status = 'Open' and year.id = academic_year_on(${toLocalDate(now())}::date)
    where usual.halves is not null and not exists (select from workday_leave_rule) returning id`.execute(db);
  return { shifts: shifts.length, types: types.length, rules: rules.length };
}

export const emptyLists: Handler<typeof usualApi.read> = async ({ db }) => {
  const { rows } = await sql<{ shift: boolean; 'leave-type': boolean; 'leave-rule': boolean }>`
    select not exists (select from workday_shift) as shift, not exists (select from workday_leave_type) as "leave-type",
      not exists (select from workday_leave_rule) as "leave-rule"`.execute(db);
  return rows[0] ?? { shift: false, 'leave-type': false, 'leave-rule': false };
};

export const usual: Handler<typeof usualApi.add> = async (ctx) => {
  await sql`lock table workday_shift, workday_leave_type, workday_leave_rule in share row exclusive mode`.execute(
    ctx.db,
  );
  const added = await addUsual(ctx);
  await audit(ctx, { action: 'workday.usual-added', entity: 'workday', entityId: 0 });
  return added;
};
