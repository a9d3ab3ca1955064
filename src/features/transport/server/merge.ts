import { sql } from 'kysely';
import { mergeHook } from '#features/student/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';

/** What hangs on a student's record in this feature. */
export const transportMerges: readonly Merging[] = [
  { table: 'transport_assignment', words: text`Seats on the bus`, how: 'ends' },
  { table: 'transport_wait', words: text`Waiting for a seat on the bus`, how: 'moves' },
  { table: 'transport_told', words: text`Messages about the bus`, how: 'remains' },
  { table: 'transport_stop_change', words: text`Changes of stop`, how: 'remains' },
];

/** The other child’s place in the line is the kept one’s, unless that one waits or rides then. */
export const mergeWaits = answer(mergeHook, { by: 'transport', step: 8 }, async ({ db }, { keptId, retiredId }) => {
  await sql`update transport_wait own set student_id = ${keptId}, version = own.version + 1
    where own.student_id = ${retiredId} and own.state = 'Waiting'
      and not exists (select from transport_wait kept where kept.student_id = ${keptId} and kept.state = 'Waiting')
      and not exists (select from transport_assignment ride where ride.student_id = ${keptId}
        and coalesce(ride.effective_to, 'infinity') >= own.wanted_from)`.execute(db);
  return { sums: [], collisions: [], texts: [], blocks: [], basis: [] };
});
