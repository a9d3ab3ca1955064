import { drawCommunity } from '../database/seed/names.ts';
import { insertRows } from '../src/kit/server/database/bulk.ts';
import type { Database } from '../src/kit/server/database/database.ts';
import { randomFrom } from '../src/kit/server/random.ts';

/** Adds enrolled students, for searches at the size of a large school. */
export async function addStudents(db: Database, count = 60_000) {
  const random = randomFrom(7);
  const draw = () => {
    const { girls, boys, men, surnames } = drawCommunity(random);
    return { first: random.oneOf([...girls, ...boys]), middle: random.oneOf(men), last: random.oneOf(surnames) };
  };
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const digits = (number: number, length: number) => String(number).padStart(length, '0');
  const [branch, program, year, grades] = await Promise.all([
    db.selectFrom('academic_branch').select('id').executeTakeFirstOrThrow(),
    db.selectFrom('academic_program').select('id').executeTakeFirstOrThrow(),
    db
      .selectFrom('academic_year')
      .where('status', '=', 'Current')
      .select(['id', 'starts_on'])
      .executeTakeFirstOrThrow(),
    db.selectFrom('academic_grade').select('id').execute(),
  ]);
  await insertRows(
    db,
    'student',
    numbers(count).map((number) => {
      const { first, middle, last } = draw();
      return {
        branch_id: branch.id,
        gr_no: `GR${digits(number, 6)}`,
        first_name: first,
        middle_name: middle,
        last_name: last,
        gender: 'F',
        birth_date: '2015-01-01',
      };
    }),
  );
  const students = await db.selectFrom('student').select('id').execute();
  await insertRows(
    db,
    'student_enrollment',
    students.map(({ id }, index) => ({
      student_id: id,
      academic_year_id: year.id,
      branch_id: branch.id,
      program_id: program.id,
      grade_id: grades[index % grades.length]?.id ?? 0,
      admission_type: 'New',
      joined_on: year.starts_on,
    })),
  );
}
