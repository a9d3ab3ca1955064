import { drawCommunity } from '../database/seed/names.ts';
import { insertRows } from '../src/kit/server/database/bulk.ts';
import type { Database } from '../src/kit/server/database/database.ts';
import { randomFrom } from '../src/kit/server/random.ts';

/** Adds staff and enrolled students, for searches at the size of a large school. */
export async function addPeople(db: Database, size = { staff: 3000, students: 60_000 }) {
  const random = randomFrom(7);
  const draw = () => {
    const { girls, boys, men, surnames } = drawCommunity(random);
    return { first: random.oneOf([...girls, ...boys]), middle: random.oneOf(men), last: random.oneOf(surnames) };
  };
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const digits = (number: number, length: number) => String(number).padStart(length, '0');
  await insertRows(
    db,
    'staff',
    numbers(size.staff).map((number) => {
      const { middle, last } = draw();
      const mobile = `5${digits(number * 7919, 9)}`;
      return { name: `${middle} ${last}`, employee_number: `SRCH${digits(number, 5)}`, mobile };
    }),
  );
  const staff = await db.selectFrom('staff').where('employee_number', 'like', 'SRCH%').select('id').execute();
  await insertRows(
    db,
    'staff_employment',
    staff.map(({ id }, index) => ({
      staff_id: id,
      joined_on: '2015-06-01',
      last_day: index % 10 === 0 ? '2024-03-31' : null,
    })),
  );

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
    numbers(size.students).map((number) => {
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
