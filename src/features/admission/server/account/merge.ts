import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';

/** What hangs on a student's record in this feature. */
export const admissionMerges: readonly Merging[] = [
  { table: 'admission_inquiry', words: text`Applications`, how: 'moves' },
];
