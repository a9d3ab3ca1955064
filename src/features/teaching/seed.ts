import type { FastifyInstance } from 'fastify';
import { lessonsOf } from '#database/seed/curriculum.ts';
import { demoTeacherEmail } from '#database/seed/demo-people.ts';
import { type SeedPlan, startYearOf } from '#database/seed/plan.ts';
import { type Department, drawStaff } from '#database/seed/staff.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import type { Database } from '#kit/server/database/database.ts';

/** Class teachers and subject teachers for the years with students. */
export async function seed({ db }: Context, _app: FastifyInstance, plan: SeedPlan) {
  const teachers = await readTeachers(db, plan);
  const subjects = await db.selectFrom('configuration_subject').select(['id', 'code']).execute();
  const subjectIds = new Map(subjects.map(({ id, code }) => [code, id]));
  const current = startYearOf(plan.today);
  const sections = await db
    .selectFrom('academic_section as section')
    .innerJoin('academic_year as year', 'year.id', 'section.academic_year_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .where('year.starts_on', '<=', plan.today)
    .select(['section.id as section_id', 'section.academic_year_id', 'section.branch_id', 'section.program_id'])
    .select(['section.grade_id', 'year.starts_on as effective_from', 'grade.position'])
    .orderBy('year.starts_on')
    .orderBy('grade.position')
    .orderBy('section.id')
    .execute();
  for (const [start, ofYear] of Map.groupBy(sections, ({ effective_from }) => Number(effective_from.slice(0, 4)))) {
    const mapped = mapTeachers(ofYear, teachers, subjectIds);
    // One subject has no teacher, so that the list of missing teachers is not empty.
    await insertRows(db, 'academic_section_teacher', start === current ? mapped.slice(0, -1) : mapped);
  }
}

/** The ids of each department's teachers. */
async function readTeachers(db: Database, plan: SeedPlan) {
  const rows = await db.selectFrom('staff').select(['id', 'email']).execute();
  const idOf = new Map(rows.map(({ id, email }) => [email, id]));
  const members = [{ email: demoTeacherEmail, department: 'Languages' }, ...drawStaff(plan)];
  return Map.groupBy(
    members.map(({ email, department }) => ({ id: idOf.get(email) ?? 0, department })),
    ({ department }) => department,
  );
}

interface Section {
  section_id: number;
  academic_year_id: number;
  branch_id: number;
  program_id: number;
  grade_id: number;
  effective_from: string;
  position: number;
}

/**
 * The teachers of a year's sections. A department's lessons are divided so that each teacher's lie together: for small
 * children most subjects of one section, for others one subject in several sections.
 */
function mapTeachers(sections: Section[], teachers: Map<string, { id: number }[]>, subjectIds: Map<string, number>) {
  const lessons = sections.flatMap((section) =>
    lessonsOf(section.position - 1).map((lesson) => ({ section, ...lesson })),
  );
  const taught = [...Map.groupBy(lessons, ({ department }) => department)].flatMap(([department, own]) => {
    const staff = teachers.get(department) ?? [];
    const ordered = isTaughtByOne(department) ? own : [...Map.groupBy(own, ({ code }) => code).values()].flat();
    return ordered.map((lesson, index) => ({
      ...lesson,
      staffId: staff[Math.floor((index * staff.length) / ordered.length)]?.id ?? 0,
    }));
  });
  const bySection = Map.groupBy(taught, ({ section }) => section.section_id);
  const leaders = new Set<number>();
  const all = [...new Set(taught.map(({ staffId }) => staffId))];
  return [
    ...sections.map((section) => {
      // A teacher leads a second section only when every teacher leads one.
      const own = bySection.get(section.section_id)?.map(({ staffId }) => staffId) ?? [];
      const isFree = (id: number) => !leaders.has(id);
      const staffId = own.find(isFree) ?? all.find(isFree) ?? own[0] ?? 0;
      leaders.add(staffId);
      return rowOf(section, staffId, { role: 'Class teacher', subject_id: null, periods_per_week: null });
    }),
    ...taught.map(({ section, staffId, code, periods }) =>
      rowOf(section, staffId, {
        role: 'Subject teacher',
        subject_id: subjectIds.get(code) ?? 0,
        periods_per_week: periods,
      }),
    ),
  ];
}

interface Entry {
  role: string;
  subject_id: number | null;
  periods_per_week: number | null;
}

const rowOf = ({ position: _, ...section }: Section, staffId: number, entry: Entry) => ({
  ...section,
  staff_id: staffId,
  ...entry,
});

/** Where one teacher has most subjects of a section. */
const isTaughtByOne = (department: Department) => department === 'Pre-primary' || department === 'Primary';
