import type { FastifyInstance } from 'fastify';
import { type Child, type ChildYear, drawChildren } from '#database/seed/children.ts';
import { demoPeople } from '#database/seed/demo-people.ts';
import { type SeedPlan, sectionName } from '#database/seed/plan.ts';
import { grades as gradeNames } from '#database/seed/school.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import type { Database } from '#kit/server/database/database.ts';

/** The students of every year, where they sat, and how each year ended for them. */
export async function seed({ db }: Context, _app: FastifyInstance, plan: SeedPlan) {
  const children = drawChildren(plan);
  const lists = await readLists(db);
  const idOf = await seedStudents(db, children, lists.place.branch_id);
  for (const year of lists.years) {
    const enrolled = children.flatMap((child) => {
      const own = child.years.find(({ start }) => start === year.start);
      return own ? [{ studentId: idOf.get(child.grNo) ?? 0, own }] : [];
    });
    await seedYear(db, lists, year, enrolled);
  }
  await seedLeavings(db, children, idOf);
}

/** The leaving of each child whose last year ended with one. */
async function seedLeavings(db: Database, children: Child[], idOf: Map<string, number>) {
  const reasons = await db
    .selectFrom('academic_lookup')
    .where('kind', '=', 'Leaving reason')
    .select(['id', 'name'])
    .orderBy('id')
    .execute();
  const completed = reasons.find(({ name }) => name === 'Completed the last class');
  const others = reasons.filter((reason) => reason !== completed);
  const enrollments = await db
    .selectFrom('student_enrollment')
    .where('status', '=', 'Left')
    .select(['id', 'student_id'])
    .execute();
  const enrollmentOf = new Map(enrollments.map(({ id, student_id }) => [student_id, id]));
  await insertRows(
    db,
    'student_leaving',
    children.flatMap(({ grNo, years }, index) => {
      const own = years.at(-1);
      if (!own?.leftOn) return [];
      const studentId = idOf.get(grNo) ?? 0;
      const isCompleted = own.isConcluded && own.grade === gradeNames.length - 1;
      return [
        {
          student_id: studentId,
          enrollment_id: enrollmentOf.get(studentId) ?? 0,
          last_day: own.leftOn,
          reason_id: (isCompleted ? completed : others[index % others.length])?.id ?? 0,
          conduct: 'Good',
          progress: 'Satisfactory',
          ended: '{}',
          decided_by: demoPeople[0]?.name ?? '',
          decided_at: `${own.leftOn}T11:00:00+05:30`,
        },
      ];
    }),
  );
}

interface Year {
  id: number;
  start: number;
  ends_on: string;
}

async function readLists(db: Database) {
  const [branch, program, grades, years, sections] = await Promise.all([
    db.selectFrom('academic_branch').select('id').executeTakeFirstOrThrow(),
    db.selectFrom('academic_program').where('name', '=', 'Regular').select('id').executeTakeFirstOrThrow(),
    db.selectFrom('academic_grade').select(['id', 'next_grade_id']).orderBy('position').execute(),
    db.selectFrom('academic_year').select(['id', 'starts_on', 'ends_on']).orderBy('starts_on').execute(),
    db.selectFrom('academic_section').select(['id', 'academic_year_id', 'grade_id', 'name']).execute(),
  ]);
  const sectionIds = new Map(sections.map((row) => [`${row.academic_year_id} ${row.grade_id} ${row.name}`, row.id]));
  return {
    place: { branch_id: branch.id, program_id: program.id },
    grades,
    years: years.map(({ starts_on, ...year }): Year => ({ ...year, start: Number(starts_on.slice(0, 4)) })),
    sectionId: (yearId: number, gradeId: number, index: number) =>
      sectionIds.get(`${yearId} ${gradeId} ${sectionName(index)}`) ?? 0,
  };
}
type Lists = Awaited<ReturnType<typeof readLists>>;

/** Returns the ids of the students by GR number. */
async function seedStudents(db: Database, children: Child[], branchId: number) {
  await insertRows(
    db,
    'student',
    children.map(({ grNo, firstName, gender, birthDate, family, years }) => ({
      branch_id: branchId,
      gr_no: grNo,
      first_name: firstName,
      middle_name: family.father,
      last_name: family.surname,
      gender,
      birth_date: birthDate,
      admitted_on: years[0]?.joinedOn ?? '',
      admitted_class: gradeNames[years[0]?.grade ?? 0] ?? '',
    })),
  );
  const students = await db.selectFrom('student').select(['id', 'gr_no']).execute();
  return new Map(students.map(({ id, gr_no }) => [gr_no, id]));
}

interface Enrolled {
  studentId: number;
  own: ChildYear;
}

async function seedYear(db: Database, { place, grades, sectionId }: Lists, year: Year, enrolled: Enrolled[]) {
  const promotions = await seedPromotions(db, grades, year, enrolled);
  await insertRows(
    db,
    'student_enrollment',
    enrolled.map(({ studentId, own }) => ({
      ...place,
      student_id: studentId,
      academic_year_id: year.id,
      grade_id: grades[own.grade]?.id ?? 0,
      admission_type: own.isNew ? 'New' : 'Existing',
      status: own.status,
      joined_on: own.joinedOn,
      left_on: own.leftOn,
      promotion_id: own.isConcluded ? promotions.get(own.grade) : null,
    })),
  );
  const rows = await db
    .selectFrom('student_enrollment')
    .where('academic_year_id', '=', year.id)
    .select(['id', 'student_id'])
    .execute();
  const enrollmentOf = new Map(rows.map(({ id, student_id }) => [student_id, id]));
  await insertRows(
    db,
    'student_section',
    enrolled.flatMap(({ studentId, own }) =>
      own.seats.map((seat) => {
        const gradeId = grades[own.grade]?.id ?? 0;
        return {
          ...place,
          enrollment_id: enrollmentOf.get(studentId) ?? 0,
          student_id: studentId,
          academic_year_id: year.id,
          grade_id: gradeId,
          section_id: sectionId(year.id, gradeId, seat.section),
          roll_no: seat.rollNo,
          effective_from: seat.from,
          effective_to: seat.to,
          reason: seat.reason,
        };
      }),
    ),
  );
}

/** Each grade of a past year was promoted on its last day. Returns the acts by the index of their grade. */
async function seedPromotions(
  db: Database,
  grades: Lists['grades'],
  { id, start, ends_on }: Year,
  enrolled: Enrolled[],
) {
  const concluded = [...new Set(enrolled.flatMap(({ own }) => (own.isConcluded ? own.grade : [])))];
  if (concluded.length === 0) return new Map<number, number>();
  const next = await db
    .selectFrom('academic_year')
    .where('starts_on', '=', `${start + 1}-06-01`)
    .select('id')
    .executeTakeFirstOrThrow();
  const made = await db
    .insertInto('academic_promotion')
    .values(
      concluded.map((grade) => ({
        academic_year_id: id,
        to_year_id: next.id,
        grade_id: grades[grade]?.id ?? 0,
        to_grade_id: grades[grade]?.next_grade_id ?? null,
        made_at: `${ends_on}T11:00:00+05:30`,
        made_by: demoPeople[0]?.name ?? '',
      })),
    )
    .returning(['id', 'grade_id'])
    .execute();
  const actOf = new Map(made.map((act) => [act.grade_id, act.id]));
  return new Map(concluded.map((grade) => [grade, actOf.get(grades[grade]?.id ?? 0) ?? 0]));
}
