import { sql } from 'kysely';
import { guardianMergeHook, mergeHook } from '#features/student/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';

/** What hangs on the record of a student or an adult in this feature. */
export const yearEndMerges: readonly Merging[] = [
  { table: 'year_answer', words: text`Answers about the next year`, how: 'moves' },
  { table: 'year_asking', words: text`Questions about the next year`, how: 'remains' },
];

const nothing = { sums: [], texts: [], blocks: [], basis: [] };

/** All answers are of the kept child; the last of each guardian counts. */
export const mergeAnswers = answer(mergeHook, { by: 'year-end', step: 11 }, async ({ db }, { keptId, retiredId }) => {
  await sql`update year_answer set student_id = ${keptId} where student_id = ${retiredId}`.execute(db);
  return { ...nothing, collisions: [] };
});

/** What the other adult said is said by the kept one. */
export const mergeAnsweringAdults = answer(
  guardianMergeHook,
  { by: 'year-end', step: 11 },
  async ({ db }, { keptId, retiredId }) => {
    await sql`update year_answer set guardian_id = ${keptId} where guardian_id = ${retiredId}`.execute(db);
    return nothing;
  },
);
