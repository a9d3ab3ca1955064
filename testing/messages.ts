import type * as z from 'zod/mini';
import { fieldErrors } from '#kit/contract/fields.ts';

/** The messages a schema gives for some answers, by field. */
export function messagesOf(schema: z.ZodMiniType, answers: object): Record<string, string> {
  const { error } = schema.safeParse(answers);
  return error ? fieldErrors(error) : {};
}
