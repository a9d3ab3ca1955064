import { sql } from 'kysely';
import { mergeHook } from '#features/student/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';

/** What hangs on a student's record in this feature. */
export const ticketMerges: readonly Merging[] = [{ table: 'ticket', words: text`Tickets`, how: 'moves' }];

/** Tickets about a child are about the kept record. */
export const mergeTickets = answer(mergeHook, { by: 'ticket', step: 11 }, async ({ db }, { keptId, retiredId }) => {
  await sql`update ticket set about_student_id = ${keptId}, version = version + 1
    where about_student_id = ${retiredId}`.execute(db);
  return { sums: [], collisions: [], texts: [], blocks: [], basis: [] };
});
