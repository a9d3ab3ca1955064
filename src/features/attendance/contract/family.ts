import * as z from 'zod/mini';

/** The school days of the month on the family page; '' where no mark was made. */
export const familyDays = z.array(
  z.object({ studentId: z.number(), day: z.string(), half: z.number(), kind: z.string(), symbol: z.string() }),
);
export type FamilyDay = z.infer<typeof familyDays>[number];
