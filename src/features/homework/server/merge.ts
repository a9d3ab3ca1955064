import { sql } from 'kysely';
import { mergeHook } from '#features/student/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';

/** What hangs on a student's record in this feature. */
export const homeworkMerges: readonly Merging[] = [
  { table: 'homework_result', words: text`Results of homework`, how: 'moves' },
  { table: 'homework_chosen', words: text`Homework for some children`, how: 'moves' },
  { table: 'homework_extension', words: text`More time for homework`, how: 'moves' },
  { table: 'homework_reminder', words: text`Reminders of homework`, how: 'remains' },
  { table: 'homework_digest', words: text`Messages about homework`, how: 'remains' },
];

/** Homework that only the other record has goes to the kept one; of two results that of the kept record holds. */
export const mergeHomework = answer(mergeHook, { by: 'homework', step: 7 }, async ({ db }, { keptId, retiredId }) => {
  for (const table of ['homework_chosen', 'homework_extension', 'homework_result'])
    await sql`update ${sql.table(table)} own set student_id = ${keptId} where student_id = ${retiredId}
      and not exists (select from ${sql.table(table)} kept where kept.student_id = ${keptId}
        and kept.homework_section_id = own.homework_section_id)`.execute(db);
  return { sums: [], collisions: [], texts: [], blocks: [], basis: [] };
});
