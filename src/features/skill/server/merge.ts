import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';

/** What hangs on a student's enrolment in this feature. */
export const skillMerges: readonly Merging[] = [
  { table: 'student_skill_evidence', words: text`Evidence of skills`, how: 'follows' },
];
