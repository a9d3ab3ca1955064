import { sql } from 'kysely';
import { clampToYear, lockOpenYear } from '#features/calendar/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import type { sectionStudentApi } from '../../contract/section-student.ts';
import { planSeats } from './auto-assign-plan.ts';
import { readSections, type SectionFilter, studentsOf } from './grade-people.ts';
import { effectiveOn, insertPlacements, lockSections, strengthsFrom, withPlacementMessages } from './placement.ts';

export const autoAssign: Handler<typeof sectionStudentApi.autoAssign> = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { assigned, ...answer } = await assignAll(ctx, input);
    return { answer, basis: [input, assigned] };
  });

type Input = Omit<Parameters<typeof autoAssign>[1], 'confirmToken'>;

async function assignAll(ctx: UserContext, { from, classmates, ...filter }: Input) {
  const year = await lockOpenYear(ctx, filter.academicYearId);
  const on = clampToYear(ctx, year, from);
  const [sections, unplaced] = await Promise.all([
    readSections(ctx, filter, on),
    studentsOf(ctx, filter, null, on)
      .select(['enrollment.id', 'enrollment.student_id', 'enrollment.program_id', 'enrollment.branch_id'])
      .select(['enrollment.joined_on', 'enrollment.left_on', 'student.gender', 'student.name'])
      .orderBy('student.sort_name')
      .orderBy('student.id')
      .execute(),
  ]);
  const later = await laterPlaces(ctx, filter, on);
  const past = await readPast(ctx, filter, { on, before: year.starts_on });
  const whySkipped = (student: (typeof unplaced)[number]): Text | undefined => {
    const place = later.get(student.id);
    if (place) return text`In ${{ section: place.name }} from ${{ day: showDate(place.from) }}`;
    if (student.joined_on > on) return text`Joins on ${{ day: showDate(student.joined_on) }}`;
    return student.left_on !== null && student.left_on < year.ends_on
      ? text`Last day: ${{ day: showDate(student.left_on) }}`
      : undefined;
  };
  const skipped = unplaced.flatMap((student) => {
    const why = whySkipped(student);
    return why ? [{ name: student.name, why }] : [];
  });
  const waiting = unplaced
    .filter((student) => !whySkipped(student))
    .map((student) => ({ ...student, old: past.get(student.student_id)?.id ?? null }));
  const strengths = await strengthsFrom(
    ctx,
    sections.map(({ id }) => id),
    on,
  );
  const seats = sections.map((section) => ({
    ...section,
    strength: strengths.get(section.id) ?? 0,
    olds: countsOf([...past.values()].filter((placement) => placement.sectionId === section.id).map(({ id }) => id)),
  }));
  const sectionIds = new Map<number, number>();
  for (const { program_id, branch_id } of distinctPlaces(waiting)) {
    const isHere = (candidate: { program_id: number; branch_id: number }) =>
      candidate.program_id === program_id && candidate.branch_id === branch_id;
    for (const [id, sectionId] of planSeats(waiting.filter(isHere), seats.filter(isHere), classmates))
      sectionIds.set(id, sectionId);
  }
  const added = sections.map((section) => ({
    section,
    children: waiting.filter(({ id }) => sectionIds.get(id) === section.id),
  }));
  const placings = [...sectionIds].map(([enrollmentId, sectionId]) => ({ enrollmentId, sectionId }));
  await lockSections(ctx, [...new Set(sectionIds.values())]);
  await withPlacementMessages(ctx, () => insertPlacements(ctx, placings, on));
  await auditAll(
    ctx,
    added.flatMap(({ section, children }) =>
      children.map(({ student_id, name }) => ({
        action: 'section-student.moved',
        entity: 'student',
        entityId: student_id,
        details: { Student: name, Section: `– → ${section.name}`, From: on },
      })),
    ),
  );
  return {
    assigned: [on, ...sectionIds],
    sections: added.map(({ section, children }) => ({
      name: section.name,
      girls: section.girls + children.filter(({ gender }) => gender === 'F').length,
      boys: section.boys + children.filter(({ gender }) => gender === 'M').length,
      added: children.map(({ name }) => name),
      lastSections: [...countsOf(children.flatMap(({ student_id }) => past.get(student_id)?.name ?? []))]
        .map(([name, count]) => ({ name, count }))
        .sort((left, right) => right.count - left.count),
    })),
    unseated: waiting.filter(({ id }) => !sectionIds.has(id)).map(({ name }) => name),
    skipped,
    hasPast: waiting.some(({ old }) => old !== null),
  };
}

const distinctPlaces = <Place extends { program_id: number; branch_id: number }>(all: readonly Place[]) => [
  ...new Map(all.map((place) => [`${place.program_id} ${place.branch_id}`, place])).values(),
];

const countsOf = <Key>(keys: readonly Key[]) =>
  new Map([...Map.groupBy(keys, (key) => key)].map(([key, all]) => [key, all.length] as const));

/** The next section of each enrollment of a grade after a day. */
async function laterPlaces({ db }: UserContext, { academicYearId, gradeId }: SectionFilter, on: string) {
  const rows = await db
    .selectFrom('student_section as own')
    .innerJoin('academic_section as section', 'section.id', 'own.section_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .where('own.academic_year_id', '=', academicYearId)
    .where('own.grade_id', '=', gradeId)
    .where('own.effective_from', '>', on)
    .select(['own.enrollment_id', 'own.effective_from as from'])
    .select(({ fn }) => fn<string>('academic_section_name', ['grade.name', 'section.name']).as('name'))
    // The first one is set last.
    .orderBy('own.effective_from', 'desc')
    .execute();
  return new Map(rows.map(({ enrollment_id, ...place }) => [enrollment_id, place]));
}

/** By student of a grade, the last section of the year before and the section on a day. */
async function readPast(
  { db }: UserContext,
  { academicYearId, gradeId }: SectionFilter,
  days: { on: string; before: string },
) {
  const rows = await db
    .selectFrom('student_enrollment as enrollment')
    // Only the year right before: a student who was away longer counts as new.
    .innerJoin('academic_year as year', (join) =>
      join.on(
        'year.ends_on',
        '=',
        sql<string>`(select max(ends_on) from academic_year where ends_on < ${days.before})`,
      ),
    )
    .innerJoinLateral(
      sql<{ section_id: number; name: string }>`student_place(enrollment.student_id, year.ends_on, year.id)`.as('past'),
      (join) => join.on('past.section_id', 'is not', null),
    )
    .leftJoin('student_section as own', (join) =>
      join.onRef('own.enrollment_id', '=', 'enrollment.id').on(effectiveOn(days.on)),
    )
    .where('enrollment.academic_year_id', '=', academicYearId)
    .where('enrollment.grade_id', '=', gradeId)
    .select(['enrollment.student_id', 'past.section_id as id', 'past.name', 'own.section_id as sectionId'])
    .execute();
  return new Map(rows.map(({ student_id, ...placement }) => [student_id, placement]));
}
