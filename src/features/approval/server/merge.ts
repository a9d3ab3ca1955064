import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';

/** What hangs on a student's record in this feature. */
export const approvalMerges: readonly Merging[] = [
  { table: 'approval', words: text`Requests that wait for a decision, or waited`, how: 'remains' },
];
