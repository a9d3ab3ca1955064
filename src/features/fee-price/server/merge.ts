import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';

/** What hangs on a student's record in this feature. */
export const feePriceMerges: readonly Merging[] = [
  { table: 'fee_account', words: text`Fee account`, how: 'moves' },
  { table: 'fee_concession', words: text`Concessions`, how: 'stays' },
];
