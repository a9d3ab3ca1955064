import * as z from 'zod/mini';
import { anyText } from './any-text.ts';
import { previewed } from './preview.ts';

/** The most skipped records that an answer lists. */
export const mostSkippedShown = 100;

/** The answer of an act on many records: how many it changes, and which it skips, with the reason. */
export const bulkAnswer = previewed({
  changed: z.number(),
  skipped: z.array(z.object({ id: z.number(), name: z.string(), reason: anyText })),
  /** All that are skipped, also those not listed. */
  skippedCount: z.number(),
});
export type BulkAnswer = z.infer<typeof bulkAnswer>;
