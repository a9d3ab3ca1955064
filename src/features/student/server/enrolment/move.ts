import { sql } from 'kysely';
import { lockYearForShare } from '#features/calendar/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal, staleMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';
import { ask } from '#kit/server/hook.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { type EnrolmentChange, regradeHook } from '../../contract/hooks.ts';
import type { sectionStudentApi } from '../../contract/section-student.ts';
import { listNames } from '../list-names.ts';
import { askOthers } from './ask-others.ts';
import {
  endPlacements,
  insertPlacements,
  type LockedEnrollment,
  type LockedSection,
  lockEnrollments,
  lockSections,
  strengthsFrom,
  withPlacementMessages,
} from './placement.ts';

/** Throws unless all students are enrolled in this year on that day. */
function assertMovable(enrollments: readonly LockedEnrollment[], ids: readonly number[], yearId: number, from: string) {
  if (
    enrollments.length !== new Set(ids).size ||
    enrollments.some((enrollment) => enrollment.academic_year_id !== yearId)
  )
    throw new AppError('conflict', staleMessage);
  const day = showDate(from);
  const gone = enrollments.filter(({ left_on }) => left_on !== null && left_on < from);
  const lastDay = gone.map(({ left_on }) => left_on ?? '').sort()[0];
  if (lastDay !== undefined) {
    const students = listNames(gone.map(({ name }) => name));
    throw new AppError(
      'conflict',
      text`Not in this grade on ${{ day }}: ${{ students }}. Choose ${{ lastDay: showDate(lastDay) }} or earlier.`,
    );
  }
  const later = enrollments.filter(({ joined_on }) => joined_on > from);
  const firstDay = later
    .map(({ joined_on }) => joined_on)
    .sort()
    .at(-1);
  if (firstDay !== undefined) {
    const students = listNames(later.map(({ name }) => name));
    throw fieldRefusal(
      'from',
      text`Not yet enrolled on ${{ day }}: ${{ students }}. Choose ${{ firstDay: showDate(firstDay) }} or later.`,
    );
  }
}

export const move: Handler<typeof sectionStudentApi.move> = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { answer, basis } = await moveAll(ctx, input);
    return { answer, basis: [input, answer, basis], isRefused: answer.blocks.length > 0 };
  });

type Input = Omit<Parameters<typeof move>[1], 'confirmToken'>;

/** Moves students of one year to a section from a day, or out of theirs; the caller previews or applies it. */
export async function moveAll(ctx: UserContext, input: Input) {
  const { academicYearId, sectionId, enrollmentIds, from, reason } = input;
  await lockYearForShare(ctx, academicYearId);
  const held = await lockEnrollments(ctx, enrollmentIds);
  assertMovable(held, enrollmentIds, academicYearId, from);
  const left = await sectionsOf(ctx, enrollmentIds);
  const sections = await lockSections(ctx, [...left, ...(sectionId === null ? [] : [sectionId])]);
  const section = sections.find(({ id }) => id === sectionId);
  if (sectionId !== null && (section?.academic_year_id !== academicYearId || !section.is_active))
    throw new AppError('conflict', text`This entry is inactive. Choose another one.`);
  const places = await placesFrom(ctx, enrollmentIds, from);
  const now = new Map(
    places.filter((place) => place.effective_from <= from).map((place) => [place.enrollment_id, place]),
  );
  const staysIn = (id: number) => {
    const there = now.get(id);
    if (!there) return null;
    // A student with a later move still has to be moved.
    return there.effective_to === null || there.effective_to === there.left_on ? there.section_id : undefined;
  };
  const moving = held.filter(({ id }) => staysIn(id) !== (section?.id ?? null));
  const to = section?.name ?? '';
  if (moving.length === 0)
    return { answer: { moved: 0, to, changed: [], corrected: [], forgotten: [], also: [], blocks: [] }, basis: [] };

  const ids = moving.map(({ id }) => id);
  const { mistaken, changing } = elsewhere(moving, section, from);
  const changes = await withPlacementMessages(ctx, async () => {
    await endPlacements(ctx, ids, from);
    if (!section) return moving.map((enrollment) => changeOf(enrollment, 'moved', from));
    await requireSeats(ctx, section, ids.length, from);
    const enrolled = await enrolledFor(ctx, section, moving, from);
    const placings = enrolled.map(({ enrollmentId }) => ({ enrollmentId, sectionId: section.id }));
    await insertPlacements(ctx, placings, from, reason);
    return enrolled;
  });
  const others = await askOthers(ctx, changes);
  const forgotten = moving.flatMap(({ id, name }) =>
    plansAmong(
      places.filter((place) => place.enrollment_id === id),
      from,
    ).map((plan) => ({ id, name, ...plan })),
  );
  await auditAll(
    ctx,
    moving.map(({ id, student_id, name }) => {
      const plans = forgotten.filter((plan) => plan.id === id).map((plan) => `${plan.to || '–'} from ${plan.from}`);
      return {
        action: 'section-student.moved',
        entity: 'student',
        entityId: student_id,
        details: {
          Student: name,
          Section: `${now.get(id)?.name ?? '–'} → ${section?.name ?? '–'}`,
          From: from,
          ...(reason && { Reason: reason }),
          ...(plans.length > 0 && { Forgotten: plans.join(', ') }),
        },
      };
    }),
  );
  return {
    answer: {
      moved: moving.length,
      to,
      changed: changing.map(toPlace(section)),
      corrected: mistaken.map(toPlace(section)),
      forgotten: forgotten.map(({ name, to, from }) => ({ name, to, from })),
      also: others.texts,
      blocks: others.blocks,
    },
    basis: others.basis,
  };
}

const changeOf = (
  { id, student_id, academic_year_id }: Pick<LockedEnrollment, 'id' | 'student_id' | 'academic_year_id'>,
  kind: EnrolmentChange['kind'],
  day: string,
): EnrolmentChange => ({ studentId: student_id, enrollmentId: id, yearId: academic_year_id, kind, day });

/** The enrollment's grade, program or branch, whichever differs from the section's. */
const toPlace = (section: LockedSection | undefined) => (enrollment: LockedEnrollment) => ({
  name: enrollment.name,
  from:
    enrollment.grade_id !== section?.grade_id
      ? enrollment.grade
      : enrollment.program_id !== section.program_id
        ? enrollment.program
        : enrollment.branch,
});

/** All past, present and planned sections of enrollments. */
async function sectionsOf({ db }: UserContext, enrollmentIds: readonly number[]) {
  const rows = await db
    .selectFrom('student_section')
    .where('enrollment_id', 'in', enrollmentIds)
    .select('section_id')
    .distinct()
    .execute();
  return rows.map((row) => row.section_id);
}

/** The sections of enrollments that end on a day or later. */
const placesFrom = ({ db }: UserContext, ids: readonly number[], from: string) =>
  db
    .selectFrom('student_section as own')
    .innerJoin('student_enrollment as enrollment', 'enrollment.id', 'own.enrollment_id')
    .innerJoin('academic_section as section', 'section.id', 'own.section_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .where('own.enrollment_id', 'in', ids)
    .where(sql<boolean>`coalesce(own.effective_to, 'infinity') >= ${from}`)
    .select(['own.enrollment_id', 'own.section_id', 'own.effective_from', 'own.effective_to', 'enrollment.left_on'])
    .select(({ fn }) => fn<string>('academic_section_name', ['grade.name', 'section.name']).as('name'))
    .orderBy('own.effective_from')
    .execute();
type PlacementRow = Awaited<ReturnType<typeof placesFrom>>[number];

/** The planned moves after a day, which a move on that day cancels. */
function plansAmong(places: readonly PlacementRow[], from: string): { to: string; from: string }[] {
  const moves = places.filter((place) => place.effective_from > from);
  const last = places.at(-1);
  const isTakenOut = last && last.effective_to !== null && last.effective_to !== last.left_on;
  return [
    ...moves.map((move) => ({ to: move.name, from: move.effective_from })),
    ...(isTakenOut ? [{ to: '', from: addDays(last.effective_to ?? from, 1) }] : []),
  ];
}

export async function requireSeats(ctx: UserContext, section: LockedSection, wanted: number, from: string) {
  const strength = (await strengthsFrom(ctx, [section.id], from)).get(section.id) ?? 0;
  const free = section.capacity - strength;
  if (wanted <= free) return;
  throw fieldRefusal(
    'sectionId',
    text(
      {
        message:
          '{section} has {free, plural, =0 {no free seats} one {# free seat} other {# free seats}} for {wanted, plural, one {# student} other {# students}}.',
      },
      { section: section.name, free: Math.max(free, 0), wanted },
    ),
  );
}

/** The grade, program and branch of a year in which enrollments shall be. */
type EnrolmentTarget = Pick<LockedSection, 'academic_year_id' | 'branch_id' | 'program_id' | 'grade_id'>;

/** Splits enrollments by whether they match a section; `mistaken` ones start on the day of the move. */
function elsewhere(moving: readonly LockedEnrollment[], section: EnrolmentTarget | undefined, from: string) {
  const isHere = (enrollment: LockedEnrollment) =>
    !section ||
    (enrollment.branch_id === section.branch_id &&
      enrollment.program_id === section.program_id &&
      enrollment.grade_id === section.grade_id);
  const others = moving.filter((enrollment) => !isHere(enrollment));
  return {
    here: moving.filter(isHere),
    ended: others.filter(({ status }) => status !== 'Active'),
    mistaken: others.filter(({ joined_on }) => joined_on === from),
    changing: others.filter(({ joined_on }) => joined_on !== from),
  };
}

/** The changed enrollments for a place: in another grade, program or branch each ends, and a new one starts. */
export async function enrolledFor(
  ctx: UserContext,
  target: EnrolmentTarget,
  moving: readonly LockedEnrollment[],
  from: string,
): Promise<EnrolmentChange[]> {
  const { academic_year_id, branch_id, program_id, grade_id } = target;
  const to = { academic_year_id, branch_id, program_id, grade_id };
  const { here, ended, mistaken, changing } = elsewhere(moving, target, from);
  if (ended.length > 0) {
    const students = listNames(ended.map(({ name }) => name));
    throw new AppError(
      'conflict',
      text`Already promoted, detained or leaving: ${{ students }}. Their grade can’t be changed.`,
    );
  }
  const taken = new Map<number, Record<string, unknown>>();
  if (mistaken.length > 0) {
    const ids = mistaken.map(({ id }) => id);
    for (const { by, output } of await ask(ctx, regradeHook, ids))
      for (const [id, own] of Object.entries(output)) taken.set(Number(id), { ...taken.get(Number(id)), [by]: own });
    await ctx.db.updateTable('student_enrollment').set(to).where('id', 'in', ids).execute();
  }
  const kindOf = (enrollment: LockedEnrollment) =>
    enrollment.grade_id === grade_id && enrollment.program_id === program_id ? 'moved' : 'regraded';
  const kept = [...here, ...mistaken].map((enrollment) => {
    const own = taken.get(enrollment.id);
    return { ...changeOf(enrollment, kindOf(enrollment), from), ...(own && { kept: own }) };
  });
  if (changing.length === 0) return kept;
  await ctx.db
    .updateTable('student_enrollment')
    .set({ status: 'Transferred', left_on: addDays(from, -1) })
    .where(
      'id',
      'in',
      changing.map(({ id }) => id),
    )
    .execute();
  const begun = await ctx.db
    .insertInto('student_enrollment')
    .values(changing.map(({ student_id }) => ({ ...to, student_id, admission_type: 'Existing', joined_on: from })))
    .returning(['id', 'student_id', 'academic_year_id'])
    .execute();
  const before = new Map(changing.map((enrollment) => [enrollment.student_id, enrollment]));
  return [
    ...kept,
    ...begun.flatMap((enrollment) => {
      const was = before.get(enrollment.student_id);
      return was ? [changeOf(enrollment, kindOf(was), from)] : [];
    }),
  ];
}
