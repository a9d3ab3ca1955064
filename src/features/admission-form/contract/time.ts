import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import { noInput } from './form.ts';

const path = '/admission-news/time';

/** A chosen time is changed until so many hours before it. */
export const changeHours = 12;

export const timeMessages = {
  over: text`The time to choose has ended. Call the school.`,
  closed: text`A time can’t be chosen for this application any more. Call the school.`,
  late: text`The meeting is too near to change it here. Call the school.`,
  gone: text`This time is no longer free, and all others are taken. Call the school.`,
};

const time = z.object({ startsAt: z.string(), endsAt: z.string(), place: z.string() });

/** Times that the school lets a family choose from. The feature above the form answers it. */
export const timeApi = {
  /** The times still free, the earliest first. */
  times: endpoint({
    method: 'GET',
    path,
    access: 'link',
    input: noInput,
    output: z.array(z.object({ id: z.number(), ...time.shape })),
  }),
  /** Takes a free time, in place of the one chosen before. */
  choose: endpoint({ method: 'POST', path, access: 'link', input: z.object({ slotId: id }), output: time }),
};
