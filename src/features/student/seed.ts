import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { type Child, type ChildYear, drawChildren } from '#database/seed/children.ts';
import { demoPeople } from '#database/seed/demo-people.ts';
import { type SeedPlan, sectionName } from '#database/seed/plan.ts';
import { grades as gradeNames } from '#database/seed/school.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import type { Database } from '#kit/server/database/database.ts';
import { seedAskedMerge, seedDoubles, seedMarkedDouble } from './seed-double.ts';
import { seedFamilies } from './seed-family.ts';
import { seedLeavings } from './seed-leaving.ts';
import { seedRecords } from './seed-record.ts';
import { seedResults } from './seed-result.ts';

/** The students of every year, where they sat, and how each year ended for them. */
export async function seed(ctx: Context, _app: FastifyInstance, plan: SeedPlan) {
  const { db } = ctx;
  const children = drawChildren(plan);
  const lists = await readLists(db);
  const idOf = await seedStudents(db, plan, children, lists.place.branch_id);
  await seedFamilies(db, plan, children, idOf);
  await seedRecords(ctx, plan, children, idOf);
  for (const year of lists.years) {
    const enrolled = children.flatMap((child) => {
      const own = child.years.find(({ start }) => start === year.start);
      return own ? [{ studentId: idOf.get(child.grNo) ?? 0, own }] : [];
    });
    await seedYear(db, lists, year, enrolled);
  }
  await seedLeavings(ctx, plan, children, idOf);
  await seedResults(db, plan);
  await seedMarkedDouble(db, plan.today);
}

/** Twenty mothers are staff of the school with the same last name, and four children were entered twice. */
export async function finish({ db }: Context, _app: FastifyInstance, plan: SeedPlan) {
  await sql`
    with people as (
      select id, mobile, split_part(name, ' ', 1) as first_name, regexp_replace(name, '^.* ', '') as last_name,
        row_number() over (partition by regexp_replace(name, '^.* ', '') order by id) as number
      from staff where gender = 'Female' and mobile is not null),
    mothers as (
      select guardian.id, last_name, row_number() over (partition by last_name order by guardian.id) as number
      from guardian where not is_deceased and exists (
        select from student_guardian link join academic_lookup relation on relation.id = link.relation_id
        where link.guardian_id = guardian.id and relation.name = 'Mother' and not link.is_barred)),
    picked as (
      select mothers.id as guardian_id, people.* from mothers join people using (last_name, number)
      order by people.id limit 20)
    update guardian set first_name = picked.first_name, mobile = picked.mobile, staff_id = picked.id, occupation = 'Teacher',
      organization = (select name from academic_school)
    from picked where guardian.id = picked.guardian_id`.execute(db);
  await seedDoubles(db, plan.today);
}

/** A merge that waits, once all money is there. */
export const last = (ctx: Context) => seedAskedMerge(ctx);

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

const alerts = [
  ['Critical', 'Peanut allergy: EpiPen in the office'],
  ['Warning', 'Asthma: inhaler in the bag'],
  ['Info', 'Wears glasses, seat in the front'],
  ['Info', 'Left-handed'],
] as const;
const bloodGroups = ['A+', 'B+', 'O+', 'AB+', 'A-', 'B-', 'O-'];

/** Three of four children pay as usual; the rest are RTE, of staff, or of the management's quota. */
const categoryOf = (percent: number) =>
  percent < 75 ? 'General' : percent < 85 ? 'RTE' : percent < 90 ? 'Staff child' : 'Management';

/** Returns the ids of the students by GR number. The series continues after the highest one. */
async function seedStudents(db: Database, plan: SeedPlan, children: Child[], branchId: number) {
  const random = plan.random('student');
  const houses = await db.selectFrom('academic_house').select('id').orderBy('id').execute();
  const lookups = await db.selectFrom('academic_lookup').select(['id', 'kind', 'name']).execute();
  const lookup = (kind: string, name: string) => lookups.find((row) => row.kind === kind && row.name === name)?.id;
  await insertRows(
    db,
    'student',
    children.map(({ grNo, firstName, gender, birthDate, family, years }, index) => {
      const [alertLevel, alert] = random.upTo(100) < 12 ? random.oneOf(alerts) : (['', ''] as const);
      return {
        branch_id: branchId,
        gr_no: grNo,
        first_name: firstName,
        middle_name: family.father,
        last_name: family.surname,
        gender,
        birth_date: birthDate,
        admitted_on: years[0]?.joinedOn ?? '',
        admitted_class: gradeNames[years[0]?.grade ?? 0] ?? '',
        house_id: houses[index % houses.length]?.id ?? null,
        category_id: lookup('Student category', categoryOf(random.upTo(100))) ?? null,
        nationality_id: lookup('Nationality', 'Indian') ?? null,
        mother_tongue_id: lookup('Language', 'Gujarati') ?? null,
        birth_place: 'Surat',
        blood_group: random.oneOf(bloodGroups),
        udise_uid: '',
        // Numbers that no child has.
        pen: random.upTo(100) < 85 ? `999${grNo.padStart(8, '0')}` : '',
        apaar: random.upTo(100) < 60 ? `999${grNo.padStart(9, '0')}` : '',
        alert,
        alert_level: alertLevel,
        caste: '',
        sub_caste: '',
        is_cwsn: false,
        cwsn_kind: '',
        version: 1,
        family_id: 0,
      };
    }),
  );
  const highest = Math.max(0, ...children.map(({ grNo }) => Number(grNo)));
  await db
    .insertInto('number_series_value')
    .columns(['series_id', 'period', 'next_value'])
    .expression(({ selectFrom, val }) =>
      selectFrom('number_series')
        .where('code', '=', 'student')
        .where('branch_id', 'is', null)
        .select(['id', val('').as('period'), sql<number>`${highest + 1}::integer`.as('next_value')]),
    )
    .onConflict((conflict) => conflict.columns(['series_id', 'period']).doUpdateSet({ next_value: highest + 1 }))
    .execute();
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
