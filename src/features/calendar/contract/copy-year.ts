import * as z from 'zod/mini';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';

/** What another year is to take over from one. */
export const copyYearInput = z.object({ fromYearId: id, toYearId: id, confirmToken });

export const copyYearAnswer = previewed({
  added: z.number(),
  alreadyThere: z.number(),
  /** What is not copied, and why; the first hundred. */
  left: z.array(z.object({ what: z.string(), why: z.string() })),
});

/** An operation that copies something from one year to another. */
export type CopyYearEndpoint = Endpoint<typeof copyYearInput, typeof copyYearAnswer>;
