import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { wholeNumber } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { presenceKeepers } from './access.ts';
import { anyMonth } from './month.ts';

/** The name of the staff list's filter that this feature answers. */
export const awayFilter = 'away';

/** How a person is away on a day; never why. */
const awayKinds = options('Away', 'First half', 'Second half', 'Asked');
export type AwayKind = (typeof awayKinds)[number];

const person = z.object({
  staffId: z.number(),
  name: z.string(),
  /** For each day of the month; '' for a day on which the person is not away. */
  days: z.array(z.enum(['', ...awayKinds])),
});
export type AwayPerson = z.infer<typeof person>;

export const awayApi = {
  /** Who of the staff is away in a month, without types and reasons of leave. */
  read: endpoint({
    method: 'GET',
    path: '/workday/away',
    access: presenceKeepers,
    shows: ['workday', 'staff', 'calendar'],
    input: z.object({ month: anyMonth, page: z._default(wholeNumber(text`Page`, { least: 1, most: 1000 }), 1) }),
    output: z.object({
      today: z.string(),
      month: z.string(),
      people: z.array(person),
      count: z.number(),
      /** How many of all people are away on each day, and how many have only asked for leave. */
      totals: z.array(z.number()),
      asked: z.array(z.number()),
    }),
  }),
};
