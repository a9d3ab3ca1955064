import * as z from 'zod/mini';
import { behindLink, proven } from '#features/family/contract/family.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id } from '#kit/contract/fields.ts';
import { options, text } from '#kit/contract/text.ts';

const consents = options('Yes', 'No');

/** The words of which one is an answer. */
export const answersOf = (word: string, choices: readonly string[]): readonly string[] =>
  word === 'Consent' ? consents : word === 'Choice' ? choices : [];

export const askMessages = {
  answer: text`Choose one of the answers.`,
  ended: text`The last day for answers has passed. The school can still enter yours.`,
  tooMany: text`Too many attempts. Try again later.`,
};

export const familyAskApi = {
  acknowledge: endpoint({
    method: 'POST',
    path: '/family/notice/:id/acknowledge',
    access: behindLink,
    isRepeatable: true,
    input: z.object({ id, number: id }),
    output: z.object({}),
  }),
  /** Keeps the guardian’s answer for one child; the last one counts. */
  answer: endpoint({
    method: 'POST',
    path: '/family/notice/:id/answer',
    access: proven,
    isRepeatable: true,
    input: z.object({ id, number: id, studentId: id, answer: freeText(text`Answer`, 100) }),
    output: z.object({}),
  }),
};
