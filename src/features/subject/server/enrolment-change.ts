import { sql } from 'kysely';
import { enrolmentHook } from '#features/student/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import { answer } from '#kit/server/hook.ts';

/** Electives end with their enrolment and stay recorded; those of a cancelled enrolment are deleted until it returns. */
export const changeElectives = answer(enrolmentHook, { by: 'subject', step: 4 }, async ({ db }, changes) => {
  const of = (...kinds: string[]) =>
    changes.filter(({ kind }) => kinds.includes(kind)).map(({ enrollmentId }) => enrollmentId);
  const ended = of('left', 'cancelled');
  const rows = await db
    .selectFrom('student_subject as own')
    .innerJoin('configuration_subject as subject', 'subject.id', 'own.subject_id')
    .where('own.enrollment_id', '=', sql<number>`any(${ended}::integer[])`)
    .select(['own.enrollment_id as enrollmentId', 'own.subject_id as subjectId', 'subject.name'])
    .orderBy('own.enrollment_id')
    .orderBy('subject.name')
    .execute();
  const cancelled = of('cancelled');
  const dropped = rows.filter(({ enrollmentId }) => cancelled.includes(enrollmentId));
  if (dropped.length > 0) await db.deleteFrom('student_subject').where('enrollment_id', 'in', cancelled).execute();
  const kept = changes.flatMap(({ kind, enrollmentId, kept: own }) =>
    kind === 'back' ? ((own?.subject ?? []) as number[]).map((subjectId) => ({ enrollmentId, subjectId })) : [],
  );
  if (kept.length > 0)
    // A subject that the grade no longer offers does not return.
    await sql`insert into student_subject
        (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, subject_id)
      select enrollment.id, enrollment.student_id, enrollment.academic_year_id, enrollment.branch_id,
        enrollment.program_id, enrollment.grade_id, input."subjectId"
      from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as input ("enrollmentId" integer, "subjectId" integer)
      join student_enrollment enrollment on enrollment.id = input."enrollmentId"
      join configuration_grade_subject taken on taken.academic_year_id = enrollment.academic_year_id
        and taken.program_id = enrollment.program_id and taken.grade_id = enrollment.grade_id
        and taken.subject_id = input."subjectId"
      on conflict (enrollment_id, subject_id) do nothing`.execute(db);
  const names = [...new Set(rows.map(({ name }) => name))];
  return {
    texts: names.length > 0 ? [text`Electives: ${{ names: names.join(', ') }}`] : [],
    blocks: [],
    basis: rows,
    kept: Object.fromEntries(
      [...Map.groupBy(dropped, ({ enrollmentId }) => enrollmentId)].map(([enrollmentId, own]) => [
        enrollmentId,
        own.map(({ subjectId }) => subjectId),
      ]),
    ),
  };
});
