import { sql } from 'kysely';
import { readYear, requireOpen } from '#features/calendar/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { mostPromoted, type sectionStudentApi } from '../../contract/section-student.ts';
import {
  insertPlacements,
  lockSections,
  notInGradeMessage,
  strengthsFrom,
  withPlacementMessages,
} from './placement.ts';
import { type Concluded, conclude, type Enrolled, enroll, join, note } from './write-promotion.ts';

interface PromotionFilter {
  academicYearId: number;
  gradeId: number;
  toYearId: number;
}

/** The two years, the grade and its next one; throws unless the second year is later and both are open. */
async function readWay(
  ctx: Pick<Context, 'db'>,
  { academicYearId, gradeId, toYearId }: PromotionFilter,
  locks = false,
) {
  // Always the earlier year first, so that two requests never wait for each other.
  const from = await readYear(ctx, academicYearId, locks);
  const to = await readYear(ctx, toYearId, locks);
  if (to.starts_on <= from.ends_on) throw fieldRefusal('toYearId', text`Choose a later academic year.`);
  for (const year of [from, to]) requireOpen(year);
  const grade = await ctx.db
    .selectFrom('academic_grade as grade')
    .leftJoin('academic_grade as next', 'next.id', 'grade.next_grade_id')
    .where('grade.id', '=', gradeId)
    .select(['grade.id', 'grade.name', 'next.id as nextId', 'next.name as nextName'])
    .executeTakeFirstOrThrow(notFound);
  return { from, to, grade };
}

/** The students of a grade at the year's end, with their grade in the new year where they have one. */
function selectStudents({ db }: Pick<Context, 'db'>, { academicYearId, gradeId, toYearId }: PromotionFilter) {
  return (
    db
      .selectFrom('student_enrollment as enrollment')
      .innerJoin('student', 'student.id', 'enrollment.student_id')
      .innerJoin('academic_year as year', 'year.id', 'enrollment.academic_year_id')
      .leftJoinLateral(
        sql<{ section_id: number | null }>`student_place(student.id, year.ends_on, year.id)`.as('own'),
        (join) => join.onTrue(),
      )
      .leftJoin('academic_section as section', 'section.id', 'own.section_id')
      .leftJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
      .leftJoin('student_enrollment as later', (join) =>
        join
          .onRef('later.student_id', '=', 'student.id')
          .on('later.academic_year_id', '=', toYearId)
          .on('later.is_standing', '=', true),
      )
      .leftJoin('academic_grade as there', 'there.id', 'later.grade_id')
      .where('enrollment.academic_year_id', '=', academicYearId)
      .where('enrollment.grade_id', '=', gradeId)
      .where('enrollment.is_standing', '=', true)
      .select(['enrollment.id', 'enrollment.student_id', 'enrollment.branch_id', 'enrollment.program_id'])
      .select([
        'enrollment.status',
        'enrollment.left_on',
        'student.gr_no',
        'student.name',
        'there.name as there',
        'section.name as letter',
      ])
      .select(({ fn }) => [
        fn<string | null>('academic_section_name', ['grade.name', 'section.name']).as('section'),
        sql<number>`count(*) over ()`.as('total'),
      ])
      // Undecided students first, so that each promotion shows more of a large grade.
      .orderBy(sql`enrollment.status = 'Active' and later.id is null desc`)
      .orderBy(sql`lower(section.name) nulls last`)
      .orderBy('student.sort_name')
      .orderBy('student.id')
  );
}
type Row = Awaited<ReturnType<ReturnType<typeof selectStudents>['execute']>>[number];

/** Why there is nothing to decide for a student; null where there is. */
function reasonDecided({ status, there, left_on }: Row): Text | null {
  if (there !== null) return text`Already in ${{ grade: there }} for the new year`;
  if (status === 'Active') return null;
  if (status === 'Left') return text`Last day: ${{ day: showDate(left_on ?? '') }}`;
  return status === 'Promoted' ? text`Already promoted` : text`Already detained`;
}

export const promotion: Handler<typeof sectionStudentApi.promotion> = async (ctx, filter) => {
  const { from, grade } = await readWay(ctx, filter);
  const rows = await selectStudents(ctx, filter).limit(mostPromoted).execute();
  return {
    nextGrade: grade.nextName ?? '',
    lastDay: from.ends_on,
    students: rows.map((row) => ({
      id: row.id,
      name: row.name,
      grNo: row.gr_no,
      section: row.section ?? '',
      why: reasonDecided(row),
    })),
    total: rows[0]?.total ?? 0,
  };
};

export const promote: Handler<typeof sectionStudentApi.promote> = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, () => promoteAll(ctx, input));

type Input = Omit<Parameters<typeof promote>[1], 'confirmToken'>;

async function promoteAll(ctx: UserContext, input: Input) {
  const { students, keepsSection, ...filter } = input;
  const { from, to, grade } = await readWay(ctx, filter, true);
  const decisionOf = new Map(students.map(({ enrollmentId, decision }) => [enrollmentId, decision]));
  const chosen = await selectStudents(ctx, filter)
    .where('enrollment.id', 'in', [...decisionOf.keys()])
    .execute();
  if (chosen.length < decisionOf.size) throw new AppError('conflict', notInGradeMessage);
  const acting = chosen.filter((row) => reasonDecided(row) === null);
  if (grade.nextId === null && acting.some(({ id }) => decisionOf.get(id) === 'Promote'))
    throw new AppError('conflict', text`This grade has no next grade. Set it in the Academic Master.`);

  const { answer, basis } = await withPlacementMessages(ctx, async () => {
    const promotionId = acting.length > 0 ? await notePromotion(ctx, filter, grade.nextId) : 0;
    const concluded = acting.map((row): Concluded => {
      const decision = decisionOf.get(row.id) ?? 'Leave';
      return { ...row, decision, promotionId, gradeId: (decision === 'Promote' ? grade.nextId : grade.id) ?? 0 };
    });
    const by = ctx.user.name;
    const ended = await conclude(ctx, concluded, { yearId: from.id, lastDay: from.ends_on, by });
    const enrolled = await enroll(ctx, concluded, { yearId: to.id, on: to.starts_on });
    // Detained students are assigned by hand: their section of last year has moved on.
    const promoted = enrolled.filter(({ decision }) => decision === 'Promote');
    const seats = keepsSection ? await keepSections(ctx, promoted, to) : { seated: 0, sections: [], unseated: [] };
    const joined = await join(ctx, enrolled, { id: to.id, starts_on: to.starts_on });
    await note(ctx, concluded, { from: from.name, to: to.name });
    return {
      answer: {
        done: acting.length,
        alreadyThere: chosen.length - acting.length,
        unplaced: enrolled.length - seats.seated,
        sections: seats.sections,
        unseated: seats.unseated,
        also: [...ended.texts, ...joined.texts],
        blocks: [...ended.blocks, ...joined.blocks],
      },
      basis: [ended.basis, joined.basis],
    };
  });
  const chosenNow = acting.map(({ id }) => [id, decisionOf.get(id)]);
  return {
    answer,
    basis: [input, answer, chosenNow, basis],
    isRefused: acting.length === 0 || answer.blocks.length > 0,
  };
}

/** Inserts the promotion and returns its id. */
async function notePromotion(
  { db, now, user }: UserContext,
  { academicYearId, gradeId, toYearId }: PromotionFilter,
  toGradeId: number | null,
) {
  const { id } = await db
    .insertInto('academic_promotion')
    .values({
      academic_year_id: academicYearId,
      to_year_id: toYearId,
      grade_id: gradeId,
      to_grade_id: toGradeId,
      made_at: now(),
      made_by: user.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Assigns students to the sections of the same name while seats last. Returns the sections, and who has no seat. */
async function keepSections(ctx: UserContext, enrolled: Enrolled[], year: { id: number; starts_on: string }) {
  const [first] = enrolled;
  if (!first) return { seated: 0, sections: [], unseated: [] };
  const sections = await ctx.db
    .selectFrom('academic_section')
    .where('academic_year_id', '=', year.id)
    .where('grade_id', '=', first.grade_id)
    .where('is_active', '=', true)
    .select('id')
    .execute();
  const held = await lockSections(
    ctx,
    sections.map(({ id }) => id),
  );
  const strengths = await strengthsFrom(
    ctx,
    held.map(({ id }) => id),
    year.starts_on,
  );
  const wanting = held.map((section) => ({
    section,
    strength: strengths.get(section.id) ?? 0,
    wanted: enrolled.filter(
      ({ branch_id, program_id, letter }) =>
        branch_id === section.branch_id &&
        program_id === section.program_id &&
        letter.toLowerCase() === section.letter.toLowerCase(),
    ),
  }));
  const seated = wanting.map(({ section, strength, wanted }) => {
    const free = Math.max(section.capacity - strength, 0);
    return { section, strength, given: wanted.slice(0, free), full: wanted.slice(free) };
  });
  const placings = seated.flatMap(({ section, given }) =>
    given.map(({ id }) => ({ enrollmentId: id, sectionId: section.id })),
  );
  if (placings.length > 0) await insertPlacements(ctx, placings, year.starts_on);
  const fullOf = new Map(seated.flatMap(({ section, full }) => full.map(({ id }) => [id, section.name] as const)));
  const assigned = new Set(placings.map(({ enrollmentId }) => enrollmentId));
  return {
    seated: placings.length,
    sections: seated
      .filter(({ given }) => given.length > 0)
      .map(({ section, strength, given }) => ({
        name: section.name,
        added: given.length,
        strength: strength + given.length,
        capacity: section.capacity,
      })),
    unseated: enrolled
      .filter(({ id }) => !assigned.has(id))
      .map(({ id, name, letter }) => ({ name, why: reasonUnseated(fullOf.get(id), letter) })),
  };
}

function reasonUnseated(full: string | undefined, letter: string): Text {
  if (full) return text`${{ section: full }} is full`;
  return letter ? text`No section ${{ letter }} in the new year` : text`Had no section`;
}
