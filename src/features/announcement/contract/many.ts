import * as z from 'zod/mini';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText } from '#kit/contract/fields.ts';
import { selection } from '#kit/contract/list-view.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { text } from '#kit/contract/text.ts';
import { keepers, path, shows } from './words.ts';

const changes = [...shows, 'notification'];

export const manyApi = {
  withdrawMany: endpoint({
    method: 'POST',
    path: `${path}/withdraw-many`,
    access: keepers,
    changes,
    input: z.object({ selection, reason: freeText(text`Reason`, 300), confirmToken }),
    output: bulkAnswer,
  }),
  /** Reminds the readers of each, by a run of its own. */
  remindMany: endpoint({
    method: 'POST',
    path: `${path}/remind-many`,
    access: keepers,
    changes,
    input: z.object({ selection, confirmToken }),
    output: bulkAnswer,
  }),
};
