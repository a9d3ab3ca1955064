import { type RawBuilder, sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { readSetting } from '#kit/server/settings.ts';
import { siblingsByBirth } from '../settings.ts';

/** Rows of the active students of a year: `student_id`, `family_id` and `child`, their place in the family from 1 on. */
export async function familyOrder(ctx: Pick<Context, 'db'>, yearId: number): Promise<RawBuilder<unknown>> {
  const isByBirth = await readSetting(ctx, siblingsByBirth);
  const first = isByBirth
    ? sql`student.birth_date`
    : sql`(select min(joined_on) from student_enrollment own where own.student_id = student.id
        and own.status <> 'Cancelled'), student.birth_date`;
  return sql`(select enrollment.student_id, student.family_id, student.category_id, enrollment.joined_on,
      row_number() over (partition by student.family_id order by ${first}, student.gr_no, student.id)::integer as child
    from student_enrollment enrollment join student on student.id = enrollment.student_id
    where enrollment.academic_year_id = ${yearId} and enrollment.status = 'Active')`;
}

/** The place of a student among the children of the family who are here in a year, from 1 on. */
export async function childOf(ctx: Pick<Context, 'db'>, studentId: number, yearId: number): Promise<number> {
  const order = await familyOrder(ctx, yearId);
  const { rows } = await sql<{ child: number }>`select child from ${order} as ordered
    where student_id = ${studentId}`.execute(ctx.db);
  return rows[0]?.child ?? 1;
}
