import { makePlan } from '#features/fee-price/api.ts';
import type { Prices } from './prices.ts';
import type { School } from './school.ts';
import { enroll } from './students.ts';

/** A child with a fee plan. */
export async function plannedChild(school: School, prices: Prices, name: string): Promise<number> {
  const enrollment = await enroll(school, prices.place, name);
  const [row] = await school.sql(`select student_id from student_enrollment where id = ${enrollment}`);
  const student = Number(row?.student_id);
  const ctx = school.context();
  await school.services.db
    .transaction()
    .execute((db) => makePlan({ ...ctx, db }, student, prices.place.academicYearId, { actor: 'Test' }));
  return student;
}

/** Makes children one family with a father who is called first. Returns him. */
export async function joinFamily(
  { sql }: Pick<School, 'sql'>,
  name: string,
  mobile: string,
  children: readonly number[],
) {
  const [made] = await sql(
    `insert into guardian (first_name, last_name, mobile) values ('${name}', 'Shah', '${mobile}') returning id`,
  );
  const guardian = Number(made?.id);
  for (const child of children)
    await sql(`insert into student_guardian (student_id, guardian_id, relation_id, role, is_primary, receives_messages)
      select ${child}, ${guardian}, min(id), 'Parent', true, true from academic_lookup where kind = 'Relation' and name = 'Father'`);
  return guardian;
}
