import type * as z from 'zod/mini';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { fieldErrors } from '#kit/contract/fields.ts';
import { english } from '#kit/contract/text.ts';

/** The messages a schema gives for some answers, by field. */
export function messagesOf(schema: z.ZodMiniType, answers: object): Record<string, string> {
  const { error } = schema.safeParse(answers);
  return inEnglish(error ? fieldErrors(error) : {});
}

/** The English words of refused fields. */
export const inEnglish = (fields: FieldErrors): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([field, text]) => [field, english(text)]));
