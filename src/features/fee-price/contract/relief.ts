import * as z from 'zod/mini';
import { text } from '#kit/contract/text.ts';

/** What an act on a plan came to: it is done, or kept until a second person decides. */
export const doneOrAsked = z.object({ isAsked: z.boolean() });

export const reliefMessages = {
  alone: text`This lowers fees, which nobody does alone. Ask for a correction on the student’s account: a second person decides.`,
  waits: text`A change of this plan waits for a second person already.`,
  paid: text`Something was paid on the plan since. Ask again.`,
  moved: text`The dues have changed since. Ask again.`,
};
