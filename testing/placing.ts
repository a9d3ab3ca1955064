import { afterAll, beforeAll, beforeEach } from 'vitest';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { sectionStudentApi } from '#features/student/contract/section-student.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';

export type PlacingStage = Record<'academicYearId' | 'branchId' | 'programId' | 'gradeId' | 'a' | 'b', number> & {
  from: string;
  until: string;
};
export type Decisions = { enrollmentId: number; decision: string }[];

/**
 * A school with an Admin for the tests of a file, and for each test two sections of one grade, of three seats each, in a year
 * from June to May. `current` has them.
 */
export function openPlacing() {
  let school: School;
  let admin: Person;
  let here: PlacingStage;
  beforeAll(async () => {
    school = await openSchool();
    admin = await school.person({ name: 'Kiran', role: 'Admin' });
  });
  afterAll(() => school.close());
  beforeEach(async () => {
    here = (await place()) as PlacingStage;
  });

  async function place() {
    const a = await plant(school, sectionMaster);
    const { academicYearId, branchId, programId, gradeId } = a as unknown as Record<string, number>;
    const place = { academicYearId, branchId, programId, gradeId };
    const b = await plant(school, sectionMaster, place);
    await school.sql(`update academic_section set capacity = 3 where id in (${a.id}, ${b.id})`);
    const [year] = await school.sql(
      `select starts_on::text as from, ends_on::text as until from academic_year where id = ${academicYearId}`,
    );
    return {
      ...(place as Record<string, number>),
      a: a.id,
      b: b.id,
      from: String(year?.from),
      until: String(year?.until),
    };
  }
  /** Enrols a child in the grade; returns the enrollment. */
  const child = (name: string, overrides?: Parameters<typeof enroll>[3]) => enroll(school, here, name, overrides);
  const children = (...names: string[]) =>
    names.reduce<Promise<number[]>>(async (all, name) => [...(await all), await child(name)], Promise.resolve([]));
  const day = (n: number) => new Date(Date.parse(here.from) + n * 86_400_000).toISOString().slice(0, 10);
  const ask = (
    sectionId: number | null,
    enrollmentIds: number[],
    from = here.from,
    reason = '',
    confirmToken?: string,
  ) =>
    admin.send({
      method: 'POST',
      url: '/api/academic/section-student',
      body: { academicYearId: here.academicYearId, sectionId, enrollmentIds, from, reason, confirmToken },
    });
  /** Previews a move and applies it. */
  const move = async (
    ...values: [sectionId: number | null, enrollmentIds: number[], from?: string, reason?: string]
  ) => {
    const answer = await ask(...values);
    const [sectionId, enrollmentIds, from, reason] = values;
    return answer.json.confirmToken ? ask(sectionId, enrollmentIds, from, reason, answer.json.confirmToken) : answer;
  };
  const studentsIn = async (sectionId: number | null, on = here.until) => {
    const filter = { academicYearId: here.academicYearId, gradeId: here.gradeId, search: '' };
    return (await admin.call(sectionStudentApi.students, { ...filter, sectionId: sectionId ?? '', on })).students;
  };
  const namesIn = async (sectionId: number | null, on?: string) =>
    (await studentsIn(sectionId, on)).map(({ name }) => name.split(' ')[0]);
  const rollsIn = async (sectionId: number) =>
    (await studentsIn(sectionId)).map(({ name, rollNo }) => `${rollNo} ${name.split(' ')[0]}`);
  const overview = (on = here.until) =>
    admin.call(sectionStudentApi.overview, { academicYearId: here.academicYearId, gradeId: here.gradeId, on });
  /** The next year, the next grade, and a section there of the same name as the first one, with two seats. */
  async function next() {
    const year = await plant(school, yearMaster);
    const grade = await plant(school, gradeMaster);
    await school.sql(`update academic_grade set next_grade_id = ${grade.id} where id = ${here.gradeId}`);
    const [section] =
      await school.sql(`insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name,
        capacity, medium)
      select ${year.id}, branch_id, ${grade.id}, program_id, upper(name), 2, medium from academic_section
      where id = ${here.a} returning id`);
    return { toYearId: year.id, gradeId: grade.id, section: Number(section?.id), startsOn: String(year.startsOn) };
  }
  const askPromotion = (toYearId: number, students: Decisions, keepsSection = true, confirmToken?: string) =>
    admin.send({
      method: 'POST',
      url: '/api/academic/section-student/promotion',
      body: {
        academicYearId: here.academicYearId,
        gradeId: here.gradeId,
        toYearId,
        keepsSection,
        students,
        confirmToken,
      },
    });
  /** Previews a promotion and applies it. */
  const promote = async (toYearId: number, students: Decisions, keepsSection = true) => {
    const preview = await askPromotion(toYearId, students, keepsSection);
    const { confirmToken } = preview.json;
    return confirmToken ? askPromotion(toYearId, students, keepsSection, confirmToken) : preview;
  };

  return {
    current: () => ({ school, admin, here }),
    place,
    /** Goes on in another grade. */
    use: (other: PlacingStage) => {
      here = other;
      return other;
    },
    child,
    children,
    day,
    ask,
    move,
    studentsIn,
    namesIn,
    rollsIn,
    overview,
    next,
    askPromotion,
    promote,
  };
}
