import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { linkKeepers } from './cards.ts';

/** What the office does about a number or address that a guardian changed. */
export const contactApi = {
  /** Puts the earlier one back; the links and phones of the new one end. */
  undo: endpoint({
    method: 'POST',
    path: '/family-link/:id/contact-undo',
    access: linkKeepers,
    changes: ['family-link', 'student', 'approval'],
    input: z.object({ id, changeId: id }),
    output: z.object({}),
  }),
  /** The paper of a request that waits. */
  paper: endpoint({
    method: 'GET',
    path: '/family-link/:id/contact-paper',
    access: linkKeepers,
    opens: 'guardian',
    input: z.object({ id }),
    output: servedFile,
  }),
};
