import { defineHook } from '#kit/contract/hook.ts';
import type { Text } from '#kit/contract/text.ts';

/** What waits for a member of staff in some half days, such as a section to lead: texts in the order of the features. */
export const awayHook = defineHook<
  { staffId: number; halves: readonly { day: string; half: number }[] },
  { texts: Text[] }
>('away');

/** Ends what others do for these members of staff on days on which they are at work after all. */
export const atWorkHook = defineHook<{ staffIds: readonly number[] }, number>('at-work');
