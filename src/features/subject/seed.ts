import type { FastifyInstance } from 'fastify';
import { electiveGroups, lessonsOf, streams, subjects } from '#database/seed/curriculum.ts';
import { type SeedPlan, startYearOf } from '#database/seed/plan.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import type { Database } from '#kit/server/database/database.ts';
import type { Random } from '#kit/server/random.ts';

/** Subjects, the subjects of each grade and year, and students' electives. */
export async function seed({ db }: Context, _app: FastifyInstance, plan: SeedPlan) {
  const ids = await seedSubjects(db);
  const groups = await seedGroups(db);
  const program = await db
    .selectFrom('academic_program')
    .where('name', '=', 'Regular')
    .select('id')
    .executeTakeFirstOrThrow();
  const grades = await db.selectFrom('academic_grade').select('id').orderBy('position').execute();
  const years = await db.selectFrom('academic_year').select(['id', 'starts_on']).orderBy('starts_on').execute();
  await insertRows(
    db,
    'configuration_grade_subject',
    years.flatMap((year) =>
      grades.flatMap(({ id }, grade) =>
        lessonsOf(grade).map(({ code, group }) => ({
          academic_year_id: year.id,
          program_id: program.id,
          grade_id: id,
          subject_id: ids.get(code) ?? 0,
          is_compulsory: group === undefined,
          elective_group_id: group ? (groups.get(group) ?? 0) : null,
        })),
      ),
    ),
  );
  const random = plan.random('choices');
  const gradeIndex = new Map(grades.map(({ id }, index) => [id, index]));
  for (const { id, starts_on } of years) {
    const isCurrent = Number(starts_on.slice(0, 4)) === startYearOf(plan.today);
    await seedChoices(db, id, (gradeId) => {
      // A few have not chosen yet.
      if (isCurrent && random.isOnceIn(25)) return [];
      return choose(random, gradeIndex.get(gradeId) ?? 0).map((code) => ids.get(code) ?? 0);
    });
  }
}

async function seedSubjects(db: Database) {
  const rows = await db
    .insertInto('configuration_subject')
    .values(
      subjects.map(({ name, code, kind, hasPractical = false }) => ({
        name,
        code,
        short_name: code,
        kind,
        has_practical: hasPractical,
      })),
    )
    .returning(['id', 'code'])
    .execute();
  return new Map(rows.map(({ id, code }) => [code, id]));
}

async function seedGroups(db: Database) {
  const rows = await db
    .insertInto('configuration_elective_group')
    .values(
      Object.entries(electiveGroups).map(([name, { min, max }]) => ({ name, min_choices: min, max_choices: max })),
    )
    .returning(['id', 'name'])
    .execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** The codes of a grade's electives. */
function choose(random: Random, grade: number): string[] {
  const electives = lessonsOf(grade).filter(({ group }) => group !== undefined);
  if (electives.length === 0) return [];
  return electives[0]?.group === 'Main subjects' ? random.oneOf(streams) : [random.oneOf(electives).code];
}

/** The electives of every student of a year. */
async function seedChoices(db: Database, yearId: number, chosenBy: (gradeId: number) => number[]) {
  const enrolled = await db
    .selectFrom('student_enrollment')
    .where('academic_year_id', '=', yearId)
    .select(['id as enrollment_id', 'student_id', 'academic_year_id', 'branch_id', 'program_id', 'grade_id'])
    .orderBy('student_id')
    .execute();
  await insertRows(
    db,
    'student_subject',
    enrolled.flatMap((row) => chosenBy(row.grade_id).map((subject_id) => ({ ...row, subject_id }))),
  );
}
