import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';

/** What hangs on a student's record in this feature. */
export const transportMerges: readonly Merging[] = [
  { table: 'transport_assignment', words: text`Seats on the bus`, how: 'ends' },
  { table: 'transport_wait', words: text`Waiting for a seat on the bus`, how: 'remains' },
  { table: 'transport_told', words: text`Messages about the bus`, how: 'remains' },
  { table: 'transport_stop_change', words: text`Changes of stop`, how: 'remains' },
];
