import * as z from 'zod/mini';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { selection } from '#kit/contract/list-view.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { linkKeepers } from './cards.ts';

export const troubleApi = {
  /** Uses the number and the address of selected guardians again, where messages did not arrive, after a preview. */
  tryAgain: endpoint({
    method: 'POST',
    path: '/family-link/try-again',
    access: linkKeepers,
    changes: ['family-link'],
    input: z.object({ selection, confirmToken }),
    output: bulkAnswer,
  }),
};
