import * as z from 'zod/mini';

/** The school days of the month on the family page; '' where no mark was made. */
export const familyDays = z.array(
  z.object({
    studentId: z.number(),
    day: z.string(),
    half: z.number(),
    kind: z.string(),
    symbol: z.string(),
    /** Of a mark of today: when the child came late, and when the register was taken, as 8:22; '' otherwise. */
    cameAt: z.string(),
    takenAt: z.string(),
  }),
);
export type FamilyDay = z.infer<typeof familyDays>[number];
