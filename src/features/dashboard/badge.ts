import * as z from 'zod/mini';
import { signedIn } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';

/** What the menu reads, apart from the dashboard, so that the shell's first view need not bring the schemas of its charts. */
export const badgeApi = {
  /** How many records wait for the user, by the path of the page. */
  badges: endpoint({
    method: 'GET',
    path: '/dashboard/badge',
    access: signedIn,
    isBackground: true,
    shows: ['badge'],
    input: z.object({}),
    output: z.record(z.string(), z.number()),
  }),
};
