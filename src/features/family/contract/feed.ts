import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { proven } from './family.ts';

/** The operations of a guardian's calendar; its address carries the secret under this name. */
export const behindFeed = { link: 'feed' } as const;

/** The days of the children in the guardian's own calendar program. */
export const feedApi = {
  read: endpoint({
    method: 'GET',
    path: '/family/feed',
    access: proven,
    input: z.object({}),
    output: z.object({
      /** The day on which the address was made; '' without one. */
      since: z.string(),
      /** A sign for each child, since the calendar carries no names. */
      signs: z.array(z.object({ id: z.number(), sign: z.string(), child: z.string() })),
    }),
  }),
  /** Makes an address, which ends the earlier one. It is shown this once. */
  make: endpoint({
    method: 'POST',
    path: '/family/feed',
    access: proven,
    givesLink: true,
    input: z.object({}),
    output: z.object({ address: z.string() }),
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/family/feed',
    access: proven,
    isRepeatable: true,
    input: z.object({}),
    output: z.object({}),
  }),
  /** What calendar programs read, again and again. */
  file: endpoint({
    method: 'GET',
    path: '/family/calendar.ics',
    access: behindFeed,
    input: z.object({}),
    output: servedFile,
  }),
};
