import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';

/** What hangs on a student's record in this feature. */
export const tagMerges: readonly Merging[] = [{ table: 'tag_link', words: text`Tags`, how: 'ends', isRemoved: true }];
