import * as z from 'zod/mini';

/** On the family page: what each child owes by today with late fines, and what becomes due within a month, in paise. */
export const familyFees = z.array(
  z.object({
    studentId: z.number(),
    today: z.number(),
    rows: z.array(z.object({ label: z.string(), dueOn: z.string(), isFine: z.boolean(), amount: z.number() })),
  }),
);
export type FamilyFees = z.infer<typeof familyFees>[number];
