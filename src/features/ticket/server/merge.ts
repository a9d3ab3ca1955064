import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';

/** What hangs on a student's record in this feature. */
export const ticketMerges: readonly Merging[] = [{ table: 'ticket', words: text`Tickets`, how: 'moves' }];
