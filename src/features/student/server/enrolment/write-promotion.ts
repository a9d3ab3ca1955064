import { sql } from 'kysely';
import { english } from '#kit/contract/text.ts';
import type { ActingContext } from '#kit/server/context.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { completedReason } from '../../contract/leaving.ts';
import type { PromotionDecision } from '../../contract/section-student.ts';
import type { Ended } from '../leaving/undo-leaving.ts';
import { askOthers } from './ask-others.ts';

/** An enrolment that ends with the year, and what was decided. */
export interface Concluded {
  id: number;
  student_id: number;
  branch_id: number;
  program_id: number;
  name: string;
  /** The section's letter on the last day. */
  letter: string | null;
  decision: PromotionDecision;
  promotionId: number;
  /** The grade of the new year; of who leaves it is not read. */
  gradeId: number;
  /** Of who leaves: what the leaving says. */
  leaving?: { isCompleted: boolean; remark: string; conduct: string; progress: string };
}

const statusOf: Record<PromotionDecision, string> = { Promote: 'Promoted', Detain: 'Detained', Leave: 'Left' };

/** Sets the result of enrollments and links them to the promotion. Leavers stay students until the year's last day. */
export async function conclude(
  ctx: ActingContext,
  rows: readonly Concluded[],
  { yearId, lastDay, by }: { yearId: number; lastDay: string; by: string },
) {
  const { db } = ctx;
  const nothing = await askOthers(ctx, []);
  if (rows.length === 0) return nothing;
  const ends = rows.map(({ id, decision, promotionId }) => ({
    id,
    status: statusOf[decision],
    promotion: promotionId,
  }));
  await sql`update student_enrollment own
    set status = input.status, left_on = case when input.status = 'Left' then ${lastDay}::date end,
      promotion_id = input.promotion
    from jsonb_to_recordset(${JSON.stringify(ends)}::jsonb) as input (id integer, status text, promotion integer)
    where own.id = input.id`.execute(db);
  const leaving = rows.filter(({ decision }) => decision === 'Leave');
  if (leaving.length === 0) return nothing;
  const others = await askOthers(
    ctx,
    leaving.map(({ id, student_id }) => ({
      studentId: student_id,
      enrollmentId: id,
      yearId,
      kind: 'left',
      day: lastDay,
    })),
  );
  await db
    .insertInto('student_leaving')
    .values(({ selectFrom }) =>
      leaving.map(({ id, student_id, promotionId, leaving: own }) => ({
        student_id,
        enrollment_id: id,
        promotion_id: promotionId,
        last_day: lastDay,
        reason_id: selectFrom('academic_lookup')
          .where('kind', '=', 'Leaving reason')
          .where('name', '=', own?.isCompleted === false ? 'Other' : english(completedReason))
          .select('id'),
        ...(own && { remark: own.remark, conduct: own.conduct, progress: own.progress }),
        ended: JSON.stringify({
          enrollments: [{ id, status: 'Active', left_on: null }],
          kept: { [id]: others.kept[id] ?? {} },
        } satisfies Ended),
        decided_by: by,
        decided_at: ctx.now(),
      })),
    )
    .execute();
  await db
    .updateTable('student')
    .set({ version: sql`version + 1` })
    .where(
      'id',
      'in',
      leaving.map(({ student_id }) => student_id),
    )
    .execute();
  return others;
}

/** Enrols who does not leave in the new year. Returns each new enrollment with the student's old section. */
export async function enroll(
  { db }: ActingContext,
  rows: readonly Concluded[],
  { yearId, on }: { yearId: number; on: string },
) {
  const going = rows.filter(({ decision }) => decision !== 'Leave');
  if (going.length === 0) return [];
  const made = await db
    .insertInto('student_enrollment')
    .values(
      going.map(({ student_id, branch_id, program_id, gradeId }) => ({
        student_id,
        branch_id,
        program_id,
        academic_year_id: yearId,
        grade_id: gradeId,
        admission_type: 'Existing',
        joined_on: on,
      })),
    )
    .returning(['id', 'student_id', 'branch_id', 'program_id', 'grade_id'])
    .execute();
  const madeFor = new Map(made.map((enrollment) => [enrollment.student_id, enrollment]));
  // In the order of the list, so that the same students get the seats as in the preview.
  return going.flatMap(({ id: formerId, student_id, name, letter, decision }) => {
    const enrollment = madeFor.get(student_id);
    return enrollment ? [{ ...enrollment, formerId, name, letter: letter ?? '', decision }] : [];
  });
}
export type Enrolled = Awaited<ReturnType<typeof enroll>>[number];

/** Asks the other features about the new enrolments. */
export const join = (ctx: ActingContext, enrolled: readonly Enrolled[], year: { id: number; starts_on: string }) =>
  askOthers(
    ctx,
    enrolled.map(({ id, student_id }) => ({
      studentId: student_id,
      enrollmentId: id,
      yearId: year.id,
      kind: 'joined',
      day: year.starts_on,
    })),
  );

/** Writes each result into the log, by `actor` where a run does it. */
export async function note(
  ctx: ActingContext,
  rows: readonly Concluded[],
  years: { from: string; to: string },
  actor?: string,
) {
  if (rows.length === 0) return;
  await auditAll(
    ctx,
    rows.map(({ student_id, name, decision }) => ({
      ...(actor && { actor }),
      action: 'section-student.promoted',
      entity: 'student',
      entityId: student_id,
      details: { Student: name, Result: statusOf[decision], 'From year': years.from, 'Into year': years.to },
    })),
  );
}
