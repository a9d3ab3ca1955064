import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';

/** What hangs on a student's enrolment in this feature. */
export const subjectMerges: readonly Merging[] = [
  { table: 'student_subject', words: text`Electives`, how: 'follows', isRemoved: true },
];
