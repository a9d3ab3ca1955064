import { sql } from 'kysely';
import { requestApproval } from '#features/approval/api.ts';
import { requireOpen } from '#features/calendar/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { isDuplicate } from '#kit/server/database/database.ts';
import { ask } from '#kit/server/hook.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type CorrectedResult, correctResultApi, resultCorrectors } from '../../contract/correct-result.ts';
import { resultCorrectedHook } from '../../contract/hooks.ts';
import { requireStudent } from '../visible.ts';
import { askOthers } from './ask-others.ts';
import { basisOf, lockChild, raiseVersion } from './child.ts';
import { enrolledFor, requireSeats } from './move.ts';
import { endPlacements, insertPlacements, lockEnrollments, lockSections, withPlacementMessages } from './placement.ts';
import { sectionsWithSeats } from './seats.ts';

export const resultKind = 'student.result';

const messages = {
  none: text`No result of this year can be corrected: it was not written, or the student is not in the year after it.`,
  waits: text`A correction of this result is waiting for the principal already.`,
  last: text`The grade has no next one, so a student who passes has completed school. Use Leave… of the record.`,
  differs: text`The result was corrected since the page was read. Reload the page.`,
  noRetest: text`No re-test of this result is open.`,
  changed: text`The result or the grade has changed since this was asked. Reject it, and let the office ask again.`,
};

/** A result that a year's end wrote, and the enrolment of the next year that it led to. */
interface Written {
  id: number;
  was: CorrectedResult;
  to: CorrectedResult;
  yearId: number;
  year: string;
  isClosed: boolean;
  nextId: number;
  next: string;
  nextClosedAt: Date | null;
  endsOn: string;
  laterId: number;
  joinedOn: string;
  branchId: number;
  programId: number;
  /** Where the child is now, and the grade that the other result leads to. */
  nowAt: string;
  nowGradeId: number;
  gradeId: number | null;
  grade: string;
  isAsked: boolean;
  /** A re-test whose result is missing. */
  isRetest: boolean;
}

/** The latest written result of a student who is in the year after it, or the result of a given year. */
async function readWritten({ db }: Pick<Context, 'db'>, studentId: number, yearId?: number) {
  const { rows } = await sql<Written>`
    select own.id, own.status as was, case own.status when 'Promoted' then 'Detained' else 'Promoted' end as "to",
      year.id as "yearId", year.name as year, year.status = 'Closed' as "isClosed", next.id as "nextId", next.name as next,
      next.closed_at as "nextClosedAt", next.ends_on as "endsOn", later.id as "laterId", later.joined_on as "joinedOn",
      later.branch_id as "branchId", later.program_id as "programId",
      (select place.name from student_place(own.student_id, next.ends_on, next.id) as place) as "nowAt",
      later.grade_id as "nowGradeId", target.id as "gradeId", coalesce(target.name, '') as grade,
      exists (select from student_result_change waiting where waiting.enrollment_id = own.id
        and waiting.applied_at is null and waiting.outcome is null) as "isAsked",
      exists (select from student_result result where result.enrollment_id = own.id and result.decision = 'Re-test')
        and not exists (select from student_result_change done where done.enrollment_id = own.id
          and done.applied_at is not null) as "isRetest"
    from student_enrollment own
    join academic_year year on year.id = own.academic_year_id
    join academic_grade grade on grade.id = own.grade_id
    join student_enrollment later on later.student_id = own.student_id and later.is_standing and later.status = 'Active'
    join academic_year next on next.id = later.academic_year_id and next.starts_on > year.ends_on
    left join academic_grade target on target.id = case own.status when 'Promoted' then grade.id else grade.next_grade_id end
    where own.student_id = ${studentId} and own.status in ('Promoted', 'Detained')
      and own.academic_year_id = coalesce(${yearId ?? null}::integer, own.academic_year_id)
      and not exists (select from student_enrollment between_them join academic_year other
        on other.id = between_them.academic_year_id and other.starts_on > year.ends_on and other.starts_on < next.starts_on
        where between_them.student_id = own.student_id and between_them.is_standing)
    order by year.starts_on desc limit 1`.execute(db);
  return rows[0];
}

const read: Handler<typeof correctResultApi.read> = async (ctx, { id }) => {
  await requireStudent(ctx, id, resultCorrectors);
  const found = await readWritten(ctx, id);
  if (!found) return { result: null };
  const { yearId, year, was, to, next, joinedOn, endsOn, gradeId, grade, isClosed, isAsked, isRetest } = found;
  const seats =
    gradeId === null
      ? []
      : await sectionsWithSeats(
          ctx,
          { academicYearId: found.nextId, gradeId, branchId: found.branchId, programId: found.programId },
          joinedOn,
        );
  return {
    result: {
      ...{ yearId, year, was, to, next, isAsked, isRetest },
      firstDay: joinedOn,
      lastDay: endsOn,
      leadsTo: grade,
      needsSecond: isClosed && !(await mayDecide(ctx, id)),
      sections: seats.map(({ id: sectionId, name, strength, capacity }) => ({
        id: sectionId,
        name,
        strength,
        capacity,
      })),
    },
  };
};

/** A principal decides at once, but for an own child, as with every approval. */
async function mayDecide({ db, user }: UserContext, studentId: number): Promise<boolean> {
  if (user.role !== 'Staff' || !user.sets.includes('principal')) return false;
  // No staff member has the id 0: the rule is asked of the child's adults only.
  const { rows } = await sql<{ may: boolean }>`
    select may_be_second(0, null, ${studentId}, ${user.staffId}) as may`.execute(db);
  return rows[0]?.may ?? false;
}

interface Asked {
  id: number;
  yearId: number;
  to: CorrectedResult;
  from: string;
  sectionId: number | null;
  reason: string;
}

/** The result that is corrected, with its child locked; throws where it is no longer so, or the day or section don't fit. */
async function lockWritten(ctx: UserContext, { id, yearId, to, sectionId, from }: Asked) {
  const child = await lockChild(ctx, id, { sectionId });
  const found = await readWritten(ctx, id, yearId);
  if (!found) throw new AppError('conflict', messages.none);
  if (found.to !== to)
    throw new AppError('conflict', text`The result of ${{ year: found.year }} is ${{ result: { id: to } }} already.`);
  requireOpen({ name: found.next, closed_at: found.nextClosedAt });
  if (found.gradeId === null) throw new AppError('conflict', messages.last);
  const day = from || found.joinedOn;
  if (day < found.joinedOn || day > found.endsOn)
    throw fieldRefusal(
      'from',
      text`Choose a day from ${{ first: showDate(found.joinedOn) }} to ${{ last: showDate(found.endsOn) }}.`,
    );
  const target = {
    academic_year_id: found.nextId,
    branch_id: found.branchId,
    program_id: found.programId,
    grade_id: found.gradeId,
  };
  const [section] = sectionId === null ? [] : await lockSections(ctx, [sectionId]);
  const fits =
    section?.is_active &&
    (['academic_year_id', 'branch_id', 'program_id', 'grade_id'] as const).every((key) => section[key] === target[key]);
  if (sectionId !== null && !fits)
    throw fieldRefusal('sectionId', text`Choose a section of ${{ grade: found.grade }} in ${{ year: found.next }}.`);
  return { child, found, day, target, section: fits ? section : undefined };
}
type Locked = Awaited<ReturnType<typeof lockWritten>>;

/** Writes the corrected word, and moves the child from the day; the row of the correction comes first, as a closed year asks. */
async function apply(
  ctx: UserContext,
  changeId: number,
  { child, found, day, target, section }: Locked,
  reason: string,
) {
  const { db } = ctx;
  await sql`update student_result_change set applied_at = school_now() where id = ${changeId}`.execute(db);
  await db.updateTable('student_enrollment').set({ status: found.to }).where('id', '=', found.id).execute();
  const moving = await lockEnrollments(ctx, [found.laterId]);
  // Who was moved to the grade by hand, and gets no section, keeps the present one.
  const isThere = found.nowGradeId === target.grade_id && !section;
  if (!isThere) await endPlacements(ctx, [found.laterId], day);
  if (section) await requireSeats(ctx, section, 1, day);
  const changes = isThere ? [] : await enrolledFor(ctx, target, moving, day);
  if (section)
    await insertPlacements(
      ctx,
      changes.map(({ enrollmentId }) => ({ enrollmentId, sectionId: section.id })),
      day,
    );
  const studentId = child.student.id;
  await raiseVersion(ctx, [studentId]);
  const others = await askOthers(ctx, changes);
  await audit(ctx, {
    action: 'result.corrected',
    entity: 'student',
    entityId: studentId,
    version: child.student.version + 1,
    details: {
      'Academic year': found.year,
      Result: `${found.was} → ${found.to}`,
      Grade: `${found.nowAt} → ${section?.name ?? found.grade}`,
      From: day,
      Reason: reason,
    },
  });
  await ask(ctx, resultCorrectedHook, { studentId, changeId });
  return others;
}

const correct: Handler<typeof correctResultApi.correct> = (ctx, { confirmToken, ...entered }) =>
  previewOrApply(ctx, confirmToken, () =>
    withPlacementMessages(ctx, async () => {
      const { db, user } = ctx;
      const input = { ...entered, to: entered.to as CorrectedResult };
      const { branch_id } = await requireStudent(ctx, input.id, resultCorrectors);
      const locked = await lockWritten(ctx, input);
      const { child, found, day, section } = locked;
      if (found.isAsked) throw new AppError('conflict', messages.waits);
      const needsSecond = found.isClosed && !(await mayDecide(ctx, input.id));
      const { id: changeId } = await db
        .insertInto('student_result_change')
        .values({
          enrollment_id: found.id,
          from_status: found.was,
          to_status: found.to,
          reason: input.reason,
          effective_from: day,
          section_id: section?.id ?? null,
          made_by: user.name,
          made_at: ctx.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
        .catch((error: unknown) => {
          if (isDuplicate(error, 'student_result_change_waits')) throw new AppError('conflict', messages.waits);
          throw error;
        });
      // What waits for the principal is done and undone, so that the preview and the request say what follows.
      if (needsSecond) await sql`savepoint waiting`.execute(db);
      const others = await apply(ctx, changeId, locked, input.reason);
      await sql`set constraints all immediate`.execute(db);
      if (needsSecond) await sql`rollback to savepoint waiting`.execute(db);
      if (needsSecond && others.blocks.length === 0)
        await askPrincipal(ctx, { changeId, branchId: branch_id, also: others.texts, ...locked }, input.reason);
      return {
        answer: {
          was: found.nowAt,
          becomes: section?.name ?? found.grade,
          from: day,
          needsSecond,
          also: others.texts,
          blocks: others.blocks,
        },
        basis: [
          input,
          basisOf(child),
          [found.id, found.was, found.laterId, found.gradeId, found.isClosed, needsSecond],
          others.basis,
        ],
        isRefused: others.blocks.length > 0,
      };
    }),
  );

/** Asks the principal to correct a result of a closed year, with what the preview said. */
async function askPrincipal(
  ctx: UserContext,
  { changeId, branchId, also, child, found }: Locked & { changeId: number; branchId: number; also: readonly Text[] },
  reason: string,
) {
  await sql`update student_result_change set effect = ${JSON.stringify(also)}::jsonb where id = ${changeId}`.execute(
    ctx.db,
  );
  const studentId = child.student.id;
  await audit(ctx, {
    action: 'result.correction-asked',
    entity: 'student',
    entityId: studentId,
    details: { 'Academic year': found.year, Result: `${found.was} → ${found.to}`, Reason: reason },
  });
  await requestApproval(ctx, {
    kind: resultKind,
    subjectId: changeId,
    branchId,
    studentId,
    title: text`Result of ${{ year: found.year }}: ${{ result: { id: found.to } }}`,
    reason,
  });
}

/** Applies a correction that the principal has approved. */
export async function applyAsked(ctx: UserContext, changeId: number): Promise<void> {
  const asked = await ctx.db
    .selectFrom('student_result_change as own')
    .innerJoin('student_enrollment as enrollment', 'enrollment.id', 'own.enrollment_id')
    .innerJoin('student', 'student.id', 'enrollment.student_id')
    .where('own.id', '=', changeId)
    .select('student.name')
    .select(['enrollment.student_id as id', 'enrollment.academic_year_id as yearId', 'own.enrollment_id'])
    .select(['own.to_status', 'own.effective_from as from', 'own.section_id as sectionId', 'own.reason'])
    .executeTakeFirstOrThrow();
  await withPlacementMessages(ctx, async () => {
    const locked = await lockWritten(ctx, { ...asked, to: asked.to_status as CorrectedResult });
    if (locked.found.id !== asked.enrollment_id) throw new AppError('conflict', messages.changed);
    const { blocks } = await apply(ctx, changeId, locked, asked.reason);
    const [block] = blocks;
    if (block) throw new AppError('conflict', block);
  }).catch((error: unknown) => {
    // The principal has no form whose fields could be changed.
    const [refusal] = error instanceof AppError ? Object.values(error.fields) : [];
    throw refusal ? new AppError('conflict', text`${{ name: asked.name }}: ${{ refusal }}`) : error;
  });
}

/** A re-test that bears out what the end of the year wrote: the word is kept as a change to itself. */
const confirm: Handler<typeof correctResultApi.confirm> = async (ctx, { id, yearId, result, reason }) => {
  const { db, user } = ctx;
  await requireStudent(ctx, id, resultCorrectors);
  const child = await lockChild(ctx, id, { sectionId: null });
  const found = await readWritten(ctx, id, yearId);
  if (!found) throw new AppError('conflict', messages.none);
  if (found.was !== result) throw new AppError('conflict', messages.differs);
  if (found.isAsked) throw new AppError('conflict', messages.waits);
  if (!found.isRetest) throw new AppError('conflict', messages.noRetest);
  await db
    .insertInto('student_result_change')
    .values({
      enrollment_id: found.id,
      from_status: found.was,
      to_status: found.was,
      reason,
      effective_from: found.joinedOn,
      made_by: user.name,
      made_at: ctx.now(),
      applied_at: ctx.now(),
    })
    .execute();
  await raiseVersion(ctx, [id]);
  await audit(ctx, {
    action: 'result.confirmed',
    entity: 'student',
    entityId: id,
    version: child.student.version + 1,
    details: { 'Academic year': found.year, Result: found.was, Reason: reason },
  });
  return {};
};

export const correctResultRoutes = routes(correctResultApi, { read, correct, confirm });
