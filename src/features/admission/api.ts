import type { Context } from '#kit/server/context.ts';

/** The students of a year whose admission form asks for the school bus. */
export async function listTransportWishes({ db }: Pick<Context, 'db'>, yearId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('admission_inquiry as inquiry')
    .innerJoin('admission_basic_info as child', 'child.inquiry_id', 'inquiry.id')
    .where('inquiry.academic_year_id', '=', yearId)
    .where('inquiry.state', '=', 'Admitted')
    .where('child.wants_transport', '=', true)
    .select('inquiry.student_id')
    .orderBy('inquiry.student_id')
    .execute();
  return rows.flatMap(({ student_id }) => student_id ?? []);
}
