import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { noInput, path, spoken } from './form.ts';

export const sendLinkApi = {
  /** "Save and come back later": the same link again, to the contacts the inquiry holds and no others. */
  sendLink: endpoint({
    method: 'POST',
    path: `${path}/send-link`,
    access: 'link',
    envelope: true,
    input: noInput,
    output: z.object(spoken),
  }),
};
