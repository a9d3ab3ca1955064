import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';

/** What hangs on a student's record in this feature. */
export const studentMerges: readonly Merging[] = [
  { table: 'student', words: text`Brothers and sisters`, how: 'remains', isRemoved: true },
  { table: 'student_enrollment', words: text`Enrolments`, how: 'moves', isRemoved: true },
  { table: 'student_section', words: text`Sections`, how: 'follows', isRemoved: true },
  { table: 'student_result', words: text`Results`, how: 'follows' },
  { table: 'student_result_change', words: text`Corrected results`, how: 'follows' },
  { table: 'academic_turn_child', words: text`Promotions of all grades`, how: 'follows' },
  { table: 'student_leaving', words: text`Leavings`, how: 'moves' },
  { table: 'student_certificate', words: text`Certificates`, how: 'moves' },
  { table: 'student_guardian', words: text`Adults of the child`, how: 'moves', isRemoved: true },
  { table: 'student_address', words: text`Addresses`, how: 'moves', isRemoved: true },
  { table: 'student_schooling', words: text`Earlier schools`, how: 'moves', isRemoved: true },
  { table: 'student_health', words: text`Health answers`, how: 'ends', isRemoved: true },
  { table: 'student_document', words: text`Documents`, how: 'moves', isRemoved: true },
  { table: 'student_gr_spent', words: text`Earlier GR numbers`, how: 'remains' },
  { table: 'student_merge', words: text`Merges`, how: 'remains' },
  { table: 'guardian', words: text`Merged adults`, how: 'remains' },
  { table: 'guardian_merge', words: text`Merges of adults`, how: 'remains' },
  { table: 'student_correction', words: text`Corrections`, how: 'remains' },
  { table: 'student_not_same', words: text`Answers about double entries`, how: 'remains', isRemoved: true },
  { table: 'file_import_line', words: text`Rows of an import`, how: 'remains', isRemoved: true },
];
