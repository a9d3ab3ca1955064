import * as z from 'zod/mini';
import { anyText } from '#kit/contract/any-text.ts';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';

export const copyYearInput = z.object({ fromYearId: id, toYearId: id, confirmToken });

export const copyYearAnswer = previewed({
  added: z.number(),
  alreadyThere: z.number(),
  /** The first hundred entries that are not copied, with the reason. */
  left: z.array(z.object({ what: z.string(), why: anyText })),
});

/** An operation that copies something from one year to another. */
export type CopyYearEndpoint = Endpoint<typeof copyYearInput, typeof copyYearAnswer>;
