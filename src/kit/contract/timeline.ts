import * as z from 'zod/mini';
import { anyText } from './any-text.ts';
import { type Access, endpoint } from './endpoint.ts';
import { id } from './fields.ts';
import { calendarDay } from './shell-fields.ts';
import { text } from './text.ts';

/** The days of a card or a timeline; the server chooses where they are empty. */
export const periodFields = {
  from: z._default(calendarDay(text`From`, true), ''),
  to: z._default(calendarDay(text`To`, true), ''),
};

/** Something that happened to a person, on its day. */
export const timelineEvent = z.object({
  day: z.string(),
  /** The word of its source. */
  kind: z.string(),
  /** Identifies it within its kind. */
  id: z.number(),
  what: anyText,
  /** More about it, as it was entered. */
  detail: z.string(),
  /** The day on which it was entered, where that was later; else ''. */
  enteredOn: z.string(),
  /** The address of its page, below the shell; '' for none. */
  to: z.string(),
});
export type TimelineEvent = z.infer<typeof timelineEvent>;

/** What happened to a person within a period, the latest day first. */
export const timelineOf = (path: string, access: Access, shows: readonly string[], opens: string) =>
  endpoint({
    method: 'GET',
    path: `${path}/:id/timeline`,
    access,
    shows,
    opens,
    input: z.object({
      id,
      ...periodFields,
      /** One kind; '' for all. */
      kind: z._default(z.string().check(z.maxLength(40)), ''),
      /** Of the page before, its `next`. */
      before: z._default(z.string().check(z.regex(/^(\d{4}-\d\d-\d\d [a-z-]{1,40} \d{1,9})?$/)), ''),
    }),
    output: z.object({ events: z.array(timelineEvent), next: z.nullable(z.string()) }),
  });
export type TimelineEndpoint = ReturnType<typeof timelineOf>;
