import * as z from 'zod/mini';
import { text } from '#kit/contract/text.ts';

/** What an act on a plan came to: it is done, or kept until a second person decides. */
export const doneOrAsked = z.object({ isAsked: z.boolean() });

/** A change of a plan that waits for a second person. */
export const waitingRelief = z.object({
  id: z.number(),
  kind: z.string(),
  effectiveFrom: z.string(),
  /** Paise less than today; of a due day, what is due later. */
  lowers: z.number(),
  /** The due day that moves; '' for other changes. */
  dueOn: z.string(),
  reason: z.string(),
  askedBy: z.string(),
  askedOn: z.string(),
});
export type WaitingRelief = z.infer<typeof waitingRelief>;

export const reliefMessages = {
  alone: text`This lowers fees, so a second person decides. Ask for a correction on the student’s account.`,
  waits: text`A change of this plan waits for a second person already.`,
  moved: text`The dues have changed since. Ask again.`,
};
