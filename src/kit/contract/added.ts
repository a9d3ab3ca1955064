import * as z from 'zod/mini';
import { anyText } from './any-text.ts';
import { type Access, endpoint } from './endpoint.ts';
import { idAndVersion } from './fields.ts';

/** What hangs on a record that was to be removed; nothing where it was. */
export const removedAnswer = z.object({ blocks: z.array(anyText) });

/** Removes a record that was entered by mistake within a day and that nothing hangs on; its path is below the record's own. */
export const removeAddedOf = (path: string, access: Access, changes: readonly string[], opens: string) =>
  endpoint({
    method: 'DELETE',
    path: `${path}/:id/added`,
    access,
    opens,
    changes,
    input: z.object(idAndVersion),
    output: removedAnswer,
  });
