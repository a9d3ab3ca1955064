import * as z from 'zod/mini';
import { behindLink } from '#features/family/contract/family.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, oneOf, optionalFreeText } from '#kit/contract/fields.ts';
import { options, text } from '#kit/contract/text.ts';

/** What a family or the office says of a child for the next year. */
export const answers = options('Staying', 'Leaving', 'Not sure');

/** The question about each child of a guardian, with the own answer and never that of another guardian. */
export const familyQuestions = z.array(
  z.object({
    studentId: z.number(),
    year: z.string(),
    words: z.string(),
    /** The last day on which the guardian answers. */
    until: z.string(),
    /** `Office` once the school's office has answered. */
    state: z.enum(['Open', 'Over', 'Office']),
    /** '' before the first answer. */
    answer: z.union([z.literal(''), z.enum(answers)]),
    nextSchool: z.string(),
  }),
);
export type FamilyQuestion = z.infer<typeof familyQuestions>[number];

export const stayingApi = {
  /** Keeps a guardian's answer for one child; the last one counts. */
  answer: endpoint({
    method: 'POST',
    path: '/family/staying',
    access: behindLink,
    isRepeatable: true,
    input: z.object({
      studentId: id,
      answer: oneOf(text`Answer`, answers),
      nextSchool: optionalFreeText(text`Next school`, 120),
    }),
    output: z.object({}),
  }),
};
