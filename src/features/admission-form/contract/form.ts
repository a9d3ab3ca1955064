import * as z from 'zod/mini';
import { anyText, text } from '#kit/contract/text.ts';

/** Where every operation of the form lives. */
export const path = '/admission';

/**
 * Fields of every request beside its answers: the form's owner, checked against the link, and the version of the page
 * that was changed. Acting users and times in a request are never read.
 */
export const formKeys = {
  admissionID: z.optional(z.unknown()),
  inquiryNo: z.optional(z.unknown()),
  inquiryNoMD5: z.optional(z.unknown()),
  /** The version that was read, empty or 0 where none was saved yet; without it, versions are not compared. */
  rowVersion: z.optional(
    z.pipe(
      // An object may forbid to be made a number of, and then throws.
      z.transform((value) =>
        value === null || value === '' ? 0 : typeof value === 'object' ? Number.NaN : Number(value),
      ),
      // No more than PostgreSQL's integer holds: an older version is looked for there.
      z.int().check(z.gte(0), z.lte(2_147_483_647)),
    ),
  ),
};

/** All that a link shows after submission (decision 13). */
export const submittedNotice = z.object({
  inquiryNo: z.string(),
  submittedDateTime: z.string(),
  status: z.string(),
});

export const alreadySubmitted = text`Admission form already submitted!`;
export const tooManySaves = text`You have saved too many times within an hour. Your answers are kept. Try again later.`;

/** The message of every answer: in English, as the specification has it, and as a text to translate. */
export const spoken = { isSuccess: z.boolean(), message: z.string(), text: z.optional(anyText) };

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
  return z.object({ ...spoken, data });
}

/** Fields that the server writes and every row of the form shows. */
export const stamps = {
  createdBy: z.number(),
  updatedBy: z.number(),
};

export const noInput = z.object(formKeys);
