import { sql } from 'kysely';
import { studentKeepers } from '#access/contract/grants.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit } from '#kit/server/security/audit.ts';
import type { EnrolmentChange } from '../../contract/hooks.ts';
import type { leavingApi } from '../../contract/leaving.ts';
import { askOthers } from '../enrolment/ask-others.ts';
import {
  basisOf,
  type Child,
  type ChildEnrollment,
  lockChild,
  type OpenLeaving,
  raiseVersion,
} from '../enrolment/child.ts';
import { withPlacementMessages } from '../enrolment/placement.ts';
import { requireStudent } from '../visible.ts';

/** What a leaving ended, as it was before. */
export interface Ended {
  enrollments?: { id: number; status: string; left_on: string | null }[];
  sections?: {
    enrollmentId: number;
    sectionId: number;
    rollNo: number | null;
    from: string;
    to: string | null;
    reason: string;
    /** It ends on the last day; otherwise it was removed. */
    isCut: boolean;
  }[];
  /** By enrolment and the word of the feature that kept it. */
  kept?: Record<number, Record<string, unknown>>;
}

type Section = ChildEnrollment['sections'][number];

/** Sections as they are kept for an undo. */
export const keptSections = (
  sections: readonly Section[],
  isCut: (own: Section) => boolean,
): NonNullable<Ended['sections']> =>
  sections.map((own) => ({
    enrollmentId: own.enrollment_id,
    sectionId: own.section_id,
    rollNo: own.roll_no,
    from: own.effective_from,
    to: own.effective_to,
    reason: own.reason,
    isCut: isCut(own),
  }));

export const notLeft = text`This student has no last day. Reload the page.`;
export const leavesEarlier = text`The student leaves before this day. Undo the leaving or re-admit the student.`;
export const handedOut = text`The leaving certificate was handed out. Re-admit the student instead.`;

export const undo: Handler<typeof leavingApi.undo> = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, () =>
    withPlacementMessages(ctx, async () => {
      const { id, reason } = input;
      await requireStudent(ctx, id, studentKeepers);
      const child = await lockChild(ctx, id);
      if (!child.leaving) throw new AppError('conflict', notLeft);
      const undone = await undoLeaving(ctx, child, child.leaving, reason);
      return {
        answer: { returns: [...undone.returns, ...undone.voided], blocks: undone.blocks },
        basis: [input, basisOf(child), undone.returns, undone.basis],
        isRefused: undone.blocks.length > 0,
      };
    }),
  );

/** Restores what a leaving ended. A certificate that was made and not handed out becomes void; its number stays used. */
export async function undoLeaving(ctx: UserContext, child: Child, leaving: OpenLeaving, reason: string) {
  const { db, now, user } = ctx;
  const { id } = child.student;
  const last = child.enrollments.find((enrollment) => enrollment.id === leaving.enrollment_id);
  const kept = leaving.ended as unknown as Ended;
  // Leavings that were recorded before Shala kept what they end.
  const before =
    kept.enrollments ?? (last?.status === 'Left' ? [{ id: last.id, status: 'Active', left_on: null }] : []);
  const restored = before.flatMap((was) => {
    const enrollment = child.enrollments.find((own) => own.id === was.id);
    return enrollment && ['Left', 'Cancelled'].includes(enrollment.status) ? [{ was, enrollment }] : [];
  });
  const closed = [...(last?.status === 'Left' ? [last] : []), ...restored.map(({ enrollment }) => enrollment)].find(
    ({ year }) => year.status === 'Closed',
  );
  if (closed)
    throw new AppError('conflict', text`${{ year: closed.year.name }} is closed. Re-admit the student instead.`);
  const voided = await voidCertificate(ctx, leaving.id);
  // First, since no enrolment may begin after an open leaving.
  await db
    .updateTable('student_leaving')
    .set({ undone_at: now(), undone_by: user.name, undo_reason: reason, version: sql`version + 1` })
    .where('id', '=', leaving.id)
    .execute();
  await sql`update student_enrollment own set status = input.status, left_on = input.left_on, cancelled_as = null
    from jsonb_to_recordset(${JSON.stringify(restored.map(({ was }) => was))}::jsonb)
      as input (id integer, status text, left_on date)
    where own.id = input.id`.execute(db);
  const sections = await restoreSections(ctx, child, leaving, kept.sections ?? []);
  await raiseVersion(ctx, [id]);
  const changes = restored.map(
    ({ enrollment }): EnrolmentChange => ({
      studentId: id,
      enrollmentId: enrollment.id,
      yearId: enrollment.academic_year_id,
      kind: 'back',
      day: addDays(leaving.last_day, 1),
      kept: kept.kept?.[enrollment.id] ?? {},
    }),
  );
  const others = await askOthers(ctx, changes);
  const status = await statusOf(ctx, id);
  await audit(ctx, {
    action: 'student.leaving-undone',
    entity: 'student',
    entityId: id,
    details: { 'Last day': leaving.last_day, Reason: reason },
  });
  return {
    returns: [
      ...restored.map(({ enrollment }) => text`${{ grade: enrollment.grade }}, ${{ year: enrollment.year.name }}`),
      ...sections,
      ...(status === 'Undecided' ? [text`No place in this year yet: the student is Undecided`] : []),
      ...others.texts,
    ],
    voided,
    blocks: others.blocks,
    basis: [sections, voided, others.basis],
  };
}

/** What the student is today, once the leaving is undone. */
async function statusOf({ db, now }: UserContext, id: number): Promise<string | undefined> {
  const { rows } = await sql<{
    status: string;
  }>`select student_status(${id}, ${toLocalDate(now())}::date) as status`.execute(db);
  return rows[0]?.status;
}

async function voidCertificate({ db, now }: UserContext, leavingId: number): Promise<Text[]> {
  const live = await db
    .selectFrom('student_certificate')
    .where('leaving_id', '=', leavingId)
    .where('voided_at', 'is', null)
    .select(['id', 'number', 'handed_out_on'])
    .forUpdate()
    .executeTakeFirst();
  if (!live) return [];
  if (live.handed_out_on !== null) throw new AppError('conflict', handedOut);
  await db
    .updateTable('student_certificate')
    .set({ voided_at: now(), void_reason: 'The leaving was undone' })
    .where('id', '=', live.id)
    .execute();
  return [text`Leaving certificate ${{ number: live.number }}: void`];
}

type KeptSection = NonNullable<Ended['sections']>[number];

interface Wanted {
  own: KeptSection;
  enrollment: ChildEnrollment;
  /** The row to extend; a new one without it. */
  row: ChildEnrollment['sections'][number] | undefined;
  from: string;
  sectionId: number;
}

/** Restores the sections after the last day, as far as there are seats; a taken roll number becomes the next one. */
export async function restoreSections(
  { db }: UserContext,
  { enrollments }: Child,
  leaving: Pick<OpenLeaving, 'student_id' | 'last_day'>,
  kept: readonly KeptSection[],
): Promise<Text[]> {
  const nextDay = addDays(leaving.last_day, 1);
  const wanted = kept.flatMap((own): Wanted[] => {
    const enrollment = enrollments.find(({ id }) => id === own.enrollmentId);
    if (!enrollment) return [];
    if (!own.isCut) return [{ own, enrollment, row: undefined, from: own.from, sectionId: own.sectionId }];
    // The section of the last day, which may have been corrected since.
    const row = enrollment.sections.find(({ effective_to }) => effective_to === leaving.last_day);
    return row
      ? [{ own: { ...own, rollNo: row.roll_no }, enrollment, row, from: nextDay, sectionId: row.section_id }]
      : [];
  });
  if (wanted.length === 0) return [];
  const asked = wanted.map(({ own, enrollment, from, sectionId }, index) => ({
    index,
    from,
    to: own.to ?? enrollment.year.ends_on,
    section: sectionId,
    roll: own.rollNo,
  }));
  const { rows: seats } = await sql<{ name: string; is_full: boolean; is_taken: boolean; next: number | null }>`
    select academic_section_name(grade.name, section.name) as name,
      (select max((select count(*) from student_section other where other.section_id = section.id
          and day between other.effective_from and coalesce(other.effective_to, 'infinity')))
        from (select input."from" as day
          union select effective_from from student_section
            where section_id = section.id and effective_from between input."from" and input."to") as days)
        >= section.capacity as is_full,
      exists (select from student_section other where other.section_id = section.id and other.roll_no = input.roll
        and daterange(other.effective_from, other.effective_to, '[]') && daterange(input."from", input."to", '[]')) as is_taken,
      (select nullif(least(coalesce(max(roll_no), 0) + 1, 1000), 1000) from student_section
        where section_id = section.id and coalesce(effective_to, 'infinity') >= input."from") as next
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
      as input (index integer, "from" date, "to" date, section integer, roll integer)
    join academic_section section on section.id = input.section
    join academic_grade grade on grade.id = section.grade_id
    order by input.index`.execute(db);
  const plans = wanted.map((plan, index) => ({ ...plan, seat: seats[index] }));
  const seated = plans.flatMap(({ seat, ...plan }) => (seat && !seat.is_full ? [{ ...plan, seat }] : []));
  const extended = seated.flatMap(({ row, own, seat }) => (row && !seat.is_taken ? [{ id: row.id, to: own.to }] : []));
  await sql`update student_section own set effective_to = input."to"
    from jsonb_to_recordset(${JSON.stringify(extended)}::jsonb) as input (id integer, "to" date)
    where own.id = input.id`.execute(db);
  await insertRows(
    db,
    'student_section',
    seated
      .filter(({ row, seat }) => !row || seat.is_taken)
      .map(({ own, enrollment, from, sectionId, seat }) => ({
        enrollment_id: enrollment.id,
        student_id: leaving.student_id,
        academic_year_id: enrollment.academic_year_id,
        branch_id: enrollment.branch_id,
        program_id: enrollment.program_id,
        grade_id: enrollment.grade_id,
        section_id: sectionId,
        roll_no: seat.is_taken ? seat.next : own.rollNo,
        effective_from: from,
        effective_to: own.to,
        reason: own.reason,
      })),
  );
  return plans.flatMap(({ own, from, seat }): Text[] => {
    if (!seat) return [];
    const { name: section, is_full, is_taken, next } = seat;
    if (is_full) return [text`${{ section }} is full: left unassigned`];
    const line = text`${{ section }} from ${{ day: showDate(from) }}`;
    if (!is_taken) return [line];
    return [line, text`${{ section }}: roll number ${{ before: own.rollNo ?? 0 }} → ${{ after: next ?? '–' }}`];
  });
}
