import type { Context } from '#kit/server/context.ts';

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
