import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

interface Household {
  guardianId: number;
  name: string;
  mobile: string;
  /** All children whom the adult may meet, those who left or are still to come too; the eldest first. */
  studentIds: number[];
}

/** The households of adults, or of all adults of some children; of a child the adult to call first comes first. */
export async function householdsOf(
  { db }: Pick<Context, 'db'>,
  asked: { studentIds: readonly number[] } | { guardianIds: readonly number[] },
): Promise<Household[]> {
  const children = 'studentIds' in asked ? asked.studentIds : [];
  const { rows } = await sql<Household>`
    select adult.id as "guardianId", adult.name, adult.mobile,
      array_agg(household.student_id order by student.birth_date, student.id) as "studentIds"
    from student_household household
    join guardian adult on adult.id = household.guardian_id
    join student on student.id = household.student_id
    join student_guardian link on (link.guardian_id, link.student_id) = (household.guardian_id, household.student_id)
    where ${
      'guardianIds' in asked
        ? sql`adult.id = any(${asked.guardianIds}::integer[])`
        : sql`adult.id in (select guardian_id from student_household
            where student_id = any(${children}::integer[]))`
    }
    group by adult.id
    order by bool_or(link.is_primary and link.student_id = any(${children}::integer[])) desc,
      min(link.contact_order), adult.id`.execute(db);
  return rows;
}
