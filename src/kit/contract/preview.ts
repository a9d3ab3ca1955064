import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';

/** Input of an operation that can be previewed: absent, it only tells what would happen; from a preview, it does just that. */
export const confirmToken = z.optional(z.string().check(z.maxLength(100)));

const state = {
  isApplied: z.boolean(),
  /** Stands for what was shown; null where something is refused, so that there is nothing to confirm. */
  confirmToken: z.nullable(z.string()),
};

/** The answer of an operation that can be previewed: what would happen, or what has happened. */
export const previewed = <Shape extends z.core.$ZodShape>(shape: Shape) => z.object({ ...shape, ...state });

export interface Previewed {
  isApplied: boolean;
  confirmToken: string | null;
}

/** Whether a call with this input only previews. */
export const isPreview = ({ input }: Endpoint, values: object): boolean =>
  'shape' in input && 'confirmToken' in input.shape && !('confirmToken' in values && values.confirmToken);
