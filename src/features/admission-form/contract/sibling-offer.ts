import * as z from 'zod/mini';
import { options } from '#kit/contract/text.ts';

/** The parents to whose mobile number a code can be sent. */
export const codeReceivers = options('Father', 'Mother');

/** A brother's or sister's form whose family details can be filled in here; nothing of it but the child's name. */
export const siblingOffer = z.object({
  firstName: z.string(),
  grade: z.string(),
  /** The mobile numbers that the school holds for that form, masked. */
  receivers: z.array(z.object({ parent: z.enum(codeReceivers), mobile: z.string() })),
  /** The details were filled in. */
  isUsed: z.boolean(),
});
export type SiblingOffer = z.infer<typeof siblingOffer>;
