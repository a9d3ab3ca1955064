import type { Context } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database/database.ts';

const subjects = [
  ['English', 'ENG', 'Language'],
  ['Gujarati', 'GUJ', 'Language'],
  ['Mathematics', 'MAT', 'Scholastic'],
  ['Environment', 'EVS', 'Scholastic'],
  ['Art', 'ART', 'Co-scholastic'],
  ['Physical education', 'PE', 'Activity'],
] as const;

/** The subjects of the grades that have sections, and the hobbies that the highest of them chooses from this year. */
export async function seed({ db }: Context) {
  const grades = await db
    .selectFrom('academic_section as section')
    .innerJoin('academic_year as year', 'year.id', 'section.academic_year_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .select(['section.academic_year_id', 'section.program_id', 'section.grade_id'])
    .select(['year.starts_on', 'year.status', 'grade.position'])
    .distinct()
    .orderBy('year.starts_on')
    .orderBy('grade.position')
    .execute();
  const places = grades.map(({ academic_year_id, program_id, grade_id }) => ({
    academic_year_id,
    program_id,
    grade_id,
  }));
  const made = await db
    .insertInto('configuration_subject')
    .values(subjects.map(([name, code, kind]) => ({ name, code, short_name: code, kind })))
    .returning('id')
    .execute();
  await db
    .insertInto('configuration_grade_subject')
    .values(places.flatMap((place) => made.map(({ id }) => ({ ...place, subject_id: id, is_compulsory: true }))))
    .execute();
  const highest = places[grades.findLastIndex(({ status }) => status === 'Current')];
  if (highest) await seedElectives(db, highest);
}

const hobbies = [
  ['Music', 'MUS'],
  ['Chess', 'CHS'],
  ['Dance', 'DNC'],
] as const;

/** The highest grade chooses one hobby of three; every sixth child has not yet. */
async function seedElectives(db: Database, place: { academic_year_id: number; program_id: number; grade_id: number }) {
  const group = await db
    .insertInto('configuration_elective_group')
    .values({ name: 'Hobby', min_choices: 1, max_choices: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const made = await db
    .insertInto('configuration_subject')
    .values(hobbies.map(([name, code]) => ({ name, code, short_name: code, kind: 'Activity' })))
    .returning('id')
    .execute();
  await db
    .insertInto('configuration_grade_subject')
    .values(made.map(({ id }) => ({ ...place, subject_id: id, is_compulsory: false, elective_group_id: group.id })))
    .execute();
  const enrolled = await db
    .selectFrom('student_enrollment')
    .where('academic_year_id', '=', place.academic_year_id)
    .where('grade_id', '=', place.grade_id)
    .select(['id as enrollment_id', 'student_id', 'academic_year_id', 'branch_id', 'program_id', 'grade_id'])
    .orderBy('id')
    .execute();
  await db
    .insertInto('student_subject')
    .values(
      enrolled.flatMap((enrollment, index) =>
        index % 6 === 5 ? [] : [{ ...enrollment, subject_id: made[index % made.length]?.id ?? 0 }],
      ),
    )
    .execute();
}
