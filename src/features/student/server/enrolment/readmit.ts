import { studentKeepers } from '#access/contract/grants.ts';
import { otherBranch, reachesBranch } from '#access/server/scope.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { ActingContext, UserContext } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import type { leavingApi } from '../../contract/leaving.ts';
import { notLeft } from '../leaving/undo-leaving.ts';
import { requireStudent } from '../visible.ts';
import { askUnblocked } from './ask-others.ts';
import { lockChild, raiseVersion } from './child.ts';
import { insertPlacements, withPlacementMessages } from './placement.ts';

const chooseAgain = text`Choose one from the list.`;

export const readmit: Handler<typeof leavingApi.readmit> = async (ctx, { id, ...input }) => {
  await requireStudent(ctx, id, studentKeepers);
  const year = await readOpenYear(ctx, input.joinedOn);
  const place = await findPlace(ctx, input, id, year.id);
  const { joinedOn, sectionId, admissionType } = input;
  return { enrollmentId: await readmitStudent(ctx, id, { joinedOn, place, sectionId, admissionType }) };
};

interface Return {
  joinedOn: string;
  place: ReturnPlace;
  /** Null to assign one later. */
  sectionId: number | null;
  /** '' for existing within the year, and new in a later one. */
  admissionType: '' | 'New' | 'Existing';
}

/** A leaving whose certificate was handed out can't be undone. */
const isHandedOut = async (db: UserContext['db'], leavingId: number) =>
  (await db
    .selectFrom('student_certificate')
    .where('leaving_id', '=', leavingId)
    .where('handed_out_on', 'is not', null)
    .where('voided_at', 'is', null)
    .select('id')
    .executeTakeFirst()) !== undefined;

/** Enrols a student who left; returns the enrolment. The caller has checked who may. */
export const readmitStudent = (ctx: ActingContext, id: number, back: Return): Promise<number> =>
  withPlacementMessages(ctx, async () => {
    const { db } = ctx;
    const { joinedOn, place, sectionId } = back;
    const year = await readOpenYear(ctx, joinedOn);
    const { leaving, enrollments } = await lockChild(ctx, id, { yearId: year.id, sectionId });
    if (!leaving) throw new AppError('conflict', notLeft);
    const lastDay = leaving.last_day;
    if (joinedOn <= lastDay)
      throw fieldRefusal('joinedOn', text`Choose a day after ${{ day: showDate(lastDay) }}, the last day.`);
    const last = enrollments.find((enrollment) => enrollment.id === leaving.enrollment_id);
    const missesNoDay = joinedOn === addDays(lastDay, 1) && last?.academic_year_id === year.id;
    if (missesNoDay && !(await isHandedOut(db, leaving.id)))
      throw fieldRefusal('joinedOn', text`The student misses no day. Undo the leaving instead.`);
    await db
      .updateTable('student_leaving')
      .set(({ eb }) => ({ readmitted_on: joinedOn, version: eb('version', '+', 1) }))
      .where('id', '=', leaving.id)
      .execute();
    // Within one year only the latest enrolment stands; the earlier one keeps its last day.
    const earlier = enrollments.filter((own) => own.academic_year_id === year.id && own.is_standing);
    if (earlier.length > 0)
      await db
        .updateTable('student_enrollment')
        .set({ status: 'Transferred' })
        .where(
          'id',
          'in',
          earlier.map((own) => own.id),
        )
        .execute();
    const admissionType = back.admissionType || (earlier.length > 0 ? 'Existing' : 'New');
    const enrollment = await db
      .insertInto('student_enrollment')
      .values({
        ...place,
        student_id: id,
        academic_year_id: year.id,
        admission_type: admissionType,
        joined_on: joinedOn,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (sectionId !== null) await insertPlacements(ctx, [{ enrollmentId: enrollment.id, sectionId }], joinedOn);
    await raiseVersion(ctx, [id]);
    await askUnblocked(ctx, [
      { studentId: id, enrollmentId: enrollment.id, yearId: year.id, kind: 'joined', day: joinedOn },
    ]);
    const details = { 'First day': joinedOn, 'Last day': lastDay, 'Academic year': year.name };
    await audit(ctx, {
      action: 'student.readmitted',
      entity: 'student',
      entityId: id,
      details: { ...details, 'Admission type': admissionType },
    });
    return enrollment.id;
  });

async function readOpenYear({ db }: Pick<ActingContext, 'db'>, day: string) {
  const year = await db
    .selectFrom('academic_year')
    .where('starts_on', '<=', day)
    .where('ends_on', '>=', day)
    .select(['id', 'name', 'status'])
    .executeTakeFirst();
  if (!year) throw fieldRefusal('joinedOn', text`No academic year has this day. Add the year in the Academic Master.`);
  if (year.status === 'Closed')
    throw fieldRefusal('joinedOn', text`${{ year: year.name }} is closed. Choose a later day.`);
  return year;
}

type Input = Omit<Parameters<typeof readmit>[1], 'id'>;
interface ReturnPlace {
  branch_id: number;
  program_id: number;
  grade_id: number;
}

/** That of the section; without one the chosen branch and program, or else those of the last enrolment. */
async function findPlace(ctx: UserContext, input: Input, id: number, yearId: number): Promise<ReturnPlace> {
  const { gradeId, sectionId } = input;
  const place = await (sectionId === null
    ? ctx.db
        .selectFrom('student_enrollment as enrollment')
        .innerJoin('student_leaving as leaving', 'leaving.enrollment_id', 'enrollment.id')
        .where('enrollment.student_id', '=', id)
        .select(['enrollment.branch_id', 'enrollment.program_id'])
        .select(({ val }) => val(gradeId ?? 0).as('grade_id'))
        .orderBy('leaving.id', 'desc')
        .limit(1)
        .executeTakeFirst()
    : ctx.db
        .selectFrom('academic_section')
        .where('id', '=', sectionId)
        .where('academic_year_id', '=', yearId)
        .where('grade_id', '=', gradeId)
        .where('is_active', '=', true)
        .select(['branch_id', 'program_id', 'grade_id'])
        .executeTakeFirst());
  if (!place) throw fieldRefusal('sectionId', chooseAgain);
  const chosen =
    sectionId === null
      ? { branch_id: input.branchId ?? place.branch_id, program_id: input.programId ?? place.program_id }
      : {};
  const whole = { ...place, ...chosen };
  if (!reachesBranch(ctx.user, whole.branch_id))
    throw fieldRefusal(sectionId === null ? 'branchId' : 'sectionId', otherBranch);
  return whole;
}
