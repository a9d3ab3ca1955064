import * as z from 'zod/mini';
import { signedIn } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';

export const clubApi = {
  count: endpoint({
    method: 'GET',
    path: '/club-count',
    access: signedIn,
    input: z.object({}),
    output: z.object({ count: z.number() }),
  }),
};
