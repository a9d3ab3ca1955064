import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';

/** What hangs on an adult in this feature. */
export const familyMerges: readonly Merging[] = [
  { table: 'family_link', words: text`Links of families`, how: 'stays' },
  { table: 'family_opening', words: text`Openings of a family page`, how: 'stays' },
];
