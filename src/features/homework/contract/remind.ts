import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { path } from './homework.ts';
import { homeworkGivers } from './words.ts';

export const remindApi = {
  /** Sends the guardians of children who have not submitted it a message, once a day, after a preview. */
  remind: endpoint({
    method: 'POST',
    path: `${path}/:id/remind`,
    access: homeworkGivers,
    changes: ['homework'],
    input: z.object({ id, confirmToken }),
    output: previewed({ children: z.number(), guardians: z.number(), unreached: z.number() }),
  }),
};
