import * as z from 'zod/mini';

/** What a family wrote to the school beside its form, and the reply. */
export const familyMessage = z.object({
  id: z.number(),
  at: z.iso.datetime(),
  about: z.string(),
  words: z.string(),
  isRead: z.boolean(),
  reply: z.string(),
  repliedAt: z.nullable(z.iso.datetime()),
  repliedBy: z.string(),
});
export type FamilyMessage = z.infer<typeof familyMessage>;
