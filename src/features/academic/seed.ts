import type { Context } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database/database.ts';
import { bandsOf } from './contract/grading-scale.ts';

/** The lower end, grade and points of each band of CBSE's nine-point scale; its lowest has no points. */
const ninePoint = [
  [91, 'A1', 10],
  [81, 'A2', 9],
  [71, 'B1', 8],
  [61, 'B2', 7],
  [51, 'C1', 6],
  [41, 'C2', 5],
  [33, 'D', 4],
  [0, 'E', null],
] as const;

const houses = [
  ['Ganga', 'Blue'],
  ['Narmada', 'Green'],
  ['Tapi', 'Amber'],
  ['Sabarmati', 'Red'],
] as const;

/** A grading scale, houses, and the sections of the first grades in each academic year. */
export async function seed({ db }: Context) {
  await seedGradingScale(db);
  await db
    .insertInto('academic_house')
    .values(houses.map(([name, colour]) => ({ name, colour })))
    .execute();
  await seedSections(db);
}

/** The scale that the school's reports are to go by. */
const seedGradingScale = (database: Database) =>
  database.transaction().execute(async (db) => {
    const { id } = await db
      .insertInto('academic_grading_scale')
      .values({ name: 'CBSE nine-point scale' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const bands = bandsOf(ninePoint.map(([min, grade, points]) => ({ min, grade, points })));
    await db
      .insertInto('academic_grading_band')
      .values(
        bands.map(({ min, max, grade, points }) => ({
          scale_id: id,
          min_percent: min,
          max_percent: max,
          grade,
          points,
        })),
      )
      .execute();
  });

async function seedSections(db: Database) {
  const years = await db.selectFrom('academic_year').select('id').orderBy('starts_on').execute();
  const branch = await db.selectFrom('academic_branch').select('id').executeTakeFirstOrThrow();
  const program = await db
    .selectFrom('academic_program')
    .where('name', '=', 'Regular')
    .select('id')
    .executeTakeFirstOrThrow();
  const grades = await db
    .selectFrom('academic_grade')
    .where('name', 'in', ['Grade 1', 'Grade 2', 'Grade 3'])
    .select('id')
    .orderBy('position')
    .execute();
  const sections = years.flatMap((year) =>
    grades.flatMap((grade) =>
      ['A', 'B'].map((name) => ({
        academic_year_id: year.id,
        branch_id: branch.id,
        program_id: program.id,
        grade_id: grade.id,
        name,
        capacity: 24,
        medium: 'English',
      })),
    ),
  );
  await db.insertInto('academic_section').values(sections).execute();
}
