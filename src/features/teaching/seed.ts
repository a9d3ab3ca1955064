import type { Context } from '#kit/server/context.ts';

/** The class teachers and teachers of English of this year's sections. */
export async function seed({ db }: Context) {
  const sections = await db
    .selectFrom('academic_section as section')
    .innerJoin('academic_year as year', 'year.id', 'section.academic_year_id')
    .where('year.status', '=', 'Current')
    .select(['section.id as section_id', 'section.academic_year_id', 'section.branch_id', 'section.program_id'])
    .select(['section.grade_id', 'year.starts_on as effective_from'])
    .orderBy('section.id')
    .execute();
  const english = await db
    .selectFrom('configuration_subject')
    .where('name', '=', 'English')
    .select('id')
    .executeTakeFirstOrThrow();
  // The first of the staff is the Admin, who does not teach.
  const teachers = await db.selectFrom('staff').select('id').orderBy('id').offset(1).execute();
  // One section has no teacher yet, so that the list of what is missing is not empty.
  const led = sections
    .slice(0, -1)
    .map((section, index) => ({ ...section, staff_id: teachers[index % teachers.length]?.id ?? 0 }));
  await db
    .insertInto('academic_section_teacher')
    .values([
      ...led.map((row) => ({ ...row, role: 'Class teacher' })),
      ...led.map((row) => ({ ...row, role: 'Subject teacher', subject_id: english.id, periods_per_week: 6 })),
    ])
    .execute();
}
