import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';

/**
 * Input of an operation with a preview: without a token it only previews; with the token of a preview it applies that.
 */
export const confirmToken = z.optional(z.string().check(z.maxLength(100)));

const state = {
  isApplied: z.boolean(),
  /** The token of the preview; null where a refusal leaves nothing to confirm. */
  confirmToken: z.nullable(z.string()),
};

/** The answer of an operation with a preview: the effects, planned or done. */
export const previewed = <Shape extends z.core.$ZodShape>(shape: Shape) => z.object({ ...shape, ...state });

export interface Previewed {
  isApplied: boolean;
  confirmToken: string | null;
}

/** Whether a call with this input only previews. */
export const isPreview = ({ input }: Endpoint, values: object): boolean =>
  'shape' in input && 'confirmToken' in input.shape && !('confirmToken' in values && values.confirmToken);
