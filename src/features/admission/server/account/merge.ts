import { sql } from 'kysely';
import { mergeHook } from '#features/student/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';

/** What hangs on a student's record in this feature. */
export const admissionMerges: readonly Merging[] = [
  { table: 'admission_inquiry', words: text`Applications`, how: 'moves' },
];

/** An application leads to the kept record, unless that has one of the same year. */
export const mergeApplications = answer(
  mergeHook,
  { by: 'admission', step: 3 },
  async ({ db }, { keptId, retiredId }) => {
    await sql`update admission_inquiry own set student_id = ${keptId}, version = version + 1
    where student_id = ${retiredId} and not exists (
      select from admission_inquiry where student_id = ${keptId} and academic_year_id = own.academic_year_id)`.execute(
      db,
    );
    await sql`update admission_inquiry set sibling_student_id = ${keptId}
    where sibling_student_id = ${retiredId} and student_id is distinct from ${keptId}`.execute(db);
    return { sums: [], collisions: [], texts: [], blocks: [], basis: [] };
  },
);
