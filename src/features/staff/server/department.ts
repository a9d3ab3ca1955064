import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

/** The department of each person's post that holds on a day; people without one are left out. */
export async function departmentsOf(
  { db }: Pick<Context, 'db'>,
  staffIds: readonly number[],
  day: string,
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('staff_post')
    .where(sql<boolean>`staff_id = any(${[...staffIds]}::integer[])
      and ${day}::date between effective_from and coalesce(effective_to, 'infinity')`)
    .select(['staff_id', 'department_id'])
    .execute();
  return new Map(rows.map(({ staff_id, department_id }) => [staff_id, department_id]));
}

/** The present head of each department; departments without one are left out. */
export async function headOf(
  { db }: Pick<Context, 'db'>,
  departmentIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('academic_department')
    .where('id', 'in', departmentIds.length > 0 ? departmentIds : [0])
    .where('staff_id', 'is not', null)
    .select(['id', 'staff_id'])
    .$narrowType<{ staff_id: number }>()
    .execute();
  return new Map(rows.map(({ id, staff_id }) => [id, staff_id]));
}
