import * as z from 'zod/mini';
import { anyText } from '#kit/contract/any-text.ts';
import { text } from '#kit/contract/text.ts';

/** The base path of the form's operations. */
export const path = '/admission';

/**
 * Fields of every request besides its answers: the form's owner, checked against the link, and the version of the
 * changed page. Users and times in a request are never read.
 */
export const formKeys = {
  admissionID: z.optional(z.unknown()),
  inquiryNo: z.optional(z.unknown()),
  inquiryNoMD5: z.optional(z.unknown()),
  /** The version that was read; empty or 0 where nothing was saved yet. Without it, versions are not compared. */
  rowVersion: z.optional(
    z.pipe(
      // Converting an object to a number may throw.
      z.transform((value) =>
        value === null || value === '' ? 0 : typeof value === 'object' ? Number.NaN : Number(value),
      ),
      // No more than PostgreSQL's integer holds, since the database compares it.
      z.int().check(z.gte(0), z.lte(2_147_483_647)),
    ),
  ),
};

/** Everything a link shows after submission. */
const submittedNotice = z.object({
  inquiryNo: z.string(),
  submittedDateTime: z.string(),
  status: z.string(),
});

export const alreadySubmitted = text`Admission form already submitted!`;
export const tooManySaves = text`You have saved too many times within an hour. Your answers are kept. Try again later.`;

/** The message of every answer: in English, as in the specification, and as a text to translate. */
export const spoken = { isSuccess: z.boolean(), message: z.string(), text: z.optional(anyText) };

/** The specification's answer: a list under its own name; `isSuccess` is false while nothing is saved. */
export function envelope<const Name extends string, Row extends z.ZodMiniType>(list: Name, row: Row) {
  const data = z.object({
    [list]: z.array(row),
    /** The version of what was read or written, for the next save. */
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
