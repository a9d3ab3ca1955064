import * as z from 'zod/mini';
import { anyText } from './any-text.ts';
import { type Access, endpoint } from './endpoint.ts';
import { id } from './fields.ts';
import { paging } from './paging.ts';

/** The changes of a record with their authors, newest first; its path is below the record's own. */
export const historyOf = (path: string, access: Access, shows: readonly string[], opens?: string) =>
  endpoint({
    method: 'GET',
    path: `${path}/:id/history`,
    access,
    shows,
    ...(opens !== undefined && { opens }),
    input: z.object({ id, before: paging.after }),
    output: z.object({
      rows: z.array(
        z.object({
          id: z.number(),
          at: z.iso.datetime(),
          actor: z.string(),
          /** The last word of the action's code. */
          action: z.string(),
          act: anyText,
          details: z.record(z.string(), z.string()),
        }),
      ),
      next: z.nullable(z.string()),
    }),
  });
export type History = ReturnType<typeof historyOf>;
