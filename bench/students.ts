import { sql } from 'kysely';
import { drawCommunity } from '../database/seed/names.ts';
import { insertRows } from '../src/kit/server/database/bulk.ts';
import type { Database } from '../src/kit/server/database/database.ts';
import { randomFrom } from '../src/kit/server/random.ts';

/** Adds students who sit in sections of forty; of each three, two have the same father. */
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
      .where('id', '=', sql<number>`academic_year_on(school_now()::date)`)
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
        birth_date: `2015-${digits((number % 12) + 1, 2)}-01`,
      };
    }),
  );
  const students = await db.selectFrom('student').select('id').execute();
  const place = { academic_year_id: year.id, branch_id: branch.id, program_id: program.id };
  const gradeOf = (index: number) => grades[index % grades.length]?.id ?? 0;
  await insertRows(
    db,
    'student_enrollment',
    students.map(({ id }, index) => ({
      ...place,
      student_id: id,
      grade_id: gradeOf(index),
      admission_type: 'New',
      joined_on: year.starts_on,
    })),
  );
  await seatAll(db, place, grades, year.starts_on);
  await addFathers(
    db,
    students.map(({ id }) => id),
  );
}

const seatsOfSection = 40;

interface Place {
  academic_year_id: number;
  branch_id: number;
  program_id: number;
}

async function seatAll(db: Database, place: Place, grades: readonly { id: number }[], from: string) {
  const enrolled = await db
    .selectFrom('student_enrollment')
    .select(['id', 'student_id', 'grade_id'])
    .orderBy('id')
    .execute();
  const byGrade = Map.groupBy(enrolled, ({ grade_id }) => grade_id);
  await insertRows(
    db,
    'academic_section',
    grades.flatMap(({ id }) =>
      Array.from({ length: Math.ceil((byGrade.get(id)?.length ?? 0) / seatsOfSection) }, (_, index) => ({
        ...place,
        grade_id: id,
        name: `S${index + 1}`,
        capacity: seatsOfSection,
        medium: 'English',
      })),
    ),
  );
  const sections = await db.selectFrom('academic_section').select(['id', 'grade_id', 'name']).execute();
  const sectionAt = new Map(sections.map(({ id, grade_id, name }) => [`${grade_id} ${name}`, id]));
  await insertRows(
    db,
    'student_section',
    [...byGrade].flatMap(([grade_id, rows]) =>
      rows.map(({ id, student_id }, index) => ({
        ...place,
        enrollment_id: id,
        student_id,
        grade_id,
        section_id: sectionAt.get(`${grade_id} S${Math.floor(index / seatsOfSection) + 1}`) ?? 0,
        roll_no: (index % seatsOfSection) + 1,
        effective_from: from,
        reason: '',
      })),
    ),
  );
}

/** Every third father has two children. */
async function addFathers(db: Database, students: readonly number[]) {
  const fatherOf = students.map((_, index) => index - Math.floor(index / 3) - (index % 3 === 2 ? 1 : 0));
  const count = (fatherOf.at(-1) ?? -1) + 1;
  const none = { middle_name: '', email: '', qualification: '', occupation: '', organization: '', job_profile: '' };
  await insertRows(
    db,
    'guardian',
    Array.from({ length: count }, (_, index) => ({
      ...none,
      first_name: 'Ramesh',
      last_name: `Patel${index}`,
      mobile: `55${String(index).padStart(8, '0')}`,
      is_deceased: false,
      version: 1,
    })),
  );
  const fathers = await db.selectFrom('guardian').select('id').orderBy('mobile').execute();
  const relation = await db
    .selectFrom('academic_lookup')
    .where('kind', '=', 'Relation')
    .where('name', '=', 'Father')
    .select('id')
    .executeTakeFirstOrThrow();
  const links = students.map((student_id, index) => ({
    student_id,
    guardian_id: fathers[fatherOf[index] ?? 0]?.id ?? 0,
    relation_id: relation.id,
    role: 'Parent',
    is_primary: true,
    contact_order: 1,
    may_collect: true,
    receives_messages: true,
    is_barred: false,
    restriction: '',
    version: 1,
  }));
  // The triggers of a thousand links take longer than a statement may on a busy machine.
  for (let done = 0; done < links.length; done += 250)
    await insertRows(db, 'student_guardian', links.slice(done, done + 250));
}
