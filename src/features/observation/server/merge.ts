import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';

/** What hangs on a student's enrolment in this feature. */
export const observationMerges: readonly Merging[] = [
  { table: 'observation_note', words: text`Observations`, how: 'follows' },
];
