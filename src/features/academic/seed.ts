import type { FastifyInstance } from 'fastify';
import { capacityOf, type SeedPlan, sectionName, sectionsPerGrade } from '#database/seed/plan.ts';
import { drawStaff } from '#database/seed/staff.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
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

/** A grading scale, houses, and the sections of each academic year. */
export async function seed({ db }: Context, _app: FastifyInstance, plan: SeedPlan) {
  await seedGradingScale(db);
  await seedHouses(db, plan);
  await seedSections(db, plan);
}

/** Each house is led by a member of staff of the arts and sports. */
async function seedHouses(db: Database, plan: SeedPlan) {
  const emails = drawStaff(plan).flatMap(({ department, email }) => (department === 'Arts and sports' ? email : []));
  const leaders = await db.selectFrom('staff').where('email', 'in', emails).select('id').orderBy('id').execute();
  await db
    .insertInto('academic_house')
    .values(houses.map(([name, colour], index) => ({ name, colour, staff_id: leaders[index % leaders.length]?.id })))
    .execute();
}

/** The grading scale of the school's reports. */
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

/** Sections of every grade in every year, each in a classroom of its own. */
async function seedSections(db: Database, plan: SeedPlan) {
  const years = await db.selectFrom('academic_year').select('id').orderBy('starts_on').execute();
  const branch = await db.selectFrom('academic_branch').select('id').executeTakeFirstOrThrow();
  const program = await db
    .selectFrom('academic_program')
    .where('name', '=', 'Regular')
    .select('id')
    .executeTakeFirstOrThrow();
  const grades = await db.selectFrom('academic_grade').select('id').orderBy('position').execute();
  const rooms = await db
    .selectFrom('academic_room')
    .where('kind', '=', 'Classroom')
    .select('id')
    .orderBy('id')
    .execute();
  const counts = sectionsPerGrade(plan, grades.length);
  const named = grades.flatMap(({ id }, grade) =>
    Array.from({ length: counts[grade] ?? 0 }, (_, index) => ({ grade_id: id, name: sectionName(index) })),
  );
  const sections = years.flatMap((year) =>
    named.map((section, index) => ({
      ...section,
      academic_year_id: year.id,
      branch_id: branch.id,
      program_id: program.id,
      capacity: capacityOf(plan),
      room_id: rooms[index]?.id ?? null,
      medium: 'English',
    })),
  );
  await insertRows(db, 'academic_section', sections);
}
