import * as z from 'zod/mini';

/** Where every operation of the form lives. */
export const path = '/admission';

const notAVersion = 'This number is not valid.';

/**
 * What each request of the form may carry beside its answers: whose form it is, checked against the link, and the
 * version of the page the answers are a change of. Acting users and times in a request are never read.
 */
export const formKeys = {
  admissionID: z.optional(z.unknown()),
  inquiryNo: z.optional(z.unknown()),
  inquiryNoMD5: z.optional(z.unknown()),
  /** The version that was read, empty or 0 where none was saved yet; a caller that leaves it out claims nothing. */
  rowVersion: z.optional(
    z.pipe(
      // An object may forbid to be made a number of, and then throws.
      z.transform((value) =>
        value === null || value === '' ? 0 : typeof value === 'object' ? Number.NaN : Number(value),
      ),
      // No more than PostgreSQL's integer holds: an older version is looked for there.
      z
        .int({ error: notAVersion })
        .check(z.gte(0, { error: notAVersion }), z.lte(2_147_483_647, { error: notAVersion })),
    ),
  ),
};

/** All that is left to read once the form is submitted (decision 13). */
export const submittedNotice = z.object({
  inquiryNo: z.string(),
  submittedDateTime: z.string(),
  status: z.string(),
});

export const alreadySubmitted = 'Admission form already submitted!';
export const tooManySaves = 'You saved many times within an hour. What you typed is kept. Please try again later.';

/** The specification's answer: a list under its own name; `isSuccess` is false while nothing is saved. */
export function envelope<const Name extends string, Row extends z.ZodMiniType>(list: Name, row: Row) {
  const data = z.object({
    [list]: z.array(row),
    /** The version of what was read or written, to be sent back with the next save. */
    rowVersion: z.nullable(z.number()),
    submitted: z.optional(submittedNotice),
  } as Record<Name, z.ZodMiniArray<Row>> & {
    rowVersion: z.ZodMiniNullable<z.ZodMiniNumber>;
    submitted: z.ZodMiniOptional<typeof submittedNotice>;
  });
  return z.object({ isSuccess: z.boolean(), message: z.string(), data });
}

/** Fields that the server writes and every row of the form shows. */
export const stamps = {
  createdBy: z.number(),
  updatedBy: z.number(),
};

export const noInput = z.object(formKeys);
