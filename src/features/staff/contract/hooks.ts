import { defineHook } from '#kit/contract/hook.ts';
import type { Text } from '#kit/contract/text.ts';

/** Ends what a member of staff does after a last day. */
export const relieveHook = defineHook<
  { staffId: number; lastDay: string },
  {
    ends: Text[];
    /** What is without a replacement afterwards; an override lists it instead. */
    blocks: Text[];
    /** The rows with their versions, for the token of the preview. */
    basis: unknown;
  }
>('relieve');

/** Follows a change of the post that a member of staff has from a day on. */
export const postChanged = defineHook<{ staffId: number; from: string }, null>('post-changed');
