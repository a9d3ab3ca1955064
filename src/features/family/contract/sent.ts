import * as z from 'zod/mini';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { options } from '#kit/contract/text.ts';
import { linkKeepers } from './cards.ts';

export const sentStates = options('Waiting', 'Sent', 'Arrived', 'Did not arrive', 'Not sent');

export const sentApi = {
  /** The latest messages to a guardian: when, why and how they went, never what they say. */
  list: endpoint({
    method: 'GET',
    path: '/family-link/:id/message',
    access: linkKeepers,
    shows: ['family-link'],
    opens: 'guardian',
    input: z.object({ id }),
    output: z.object({
      rows: z.array(
        z.object({
          id: z.number(),
          at: z.string(),
          /** When a message of its kind is sent. */
          when: anyText,
          channel: z.enum(['SMS', 'Email']),
          state: z.enum(sentStates),
          /** What the gateway says of one that did not arrive; '' otherwise. */
          reason: z.string(),
        }),
      ),
    }),
  }),
};
