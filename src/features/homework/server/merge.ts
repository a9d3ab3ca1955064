import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';

/** What hangs on a student's record in this feature. */
export const homeworkMerges: readonly Merging[] = [
  { table: 'homework_result', words: text`Results of homework`, how: 'moves' },
  { table: 'homework_chosen', words: text`Homework for some children`, how: 'moves' },
  { table: 'homework_extension', words: text`More time for homework`, how: 'moves' },
  { table: 'homework_digest', words: text`Messages about homework`, how: 'stays' },
];
