import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, optionalFreeText } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { calendarDay, clockTime } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { presenceKeepers, presenceReaders } from './access.ts';

export const presenceKinds = options('Present', 'Absent', 'Late', 'Half day', 'On duty');
export type PresenceKind = (typeof presenceKinds)[number];

export const presenceMessages = {
  future: text`Presence is marked on the day itself or later.`,
  changed: text`Another person has changed these marks. Check them and mark again.`,
};

const person = z.object({
  staffId: z.number(),
  name: z.string(),
  number: z.string(),
  post: z.string(),
  /** '' for a day off, which the person may still be marked on. */
  works: z.enum(['', 'Whole day', 'First half']),
  starts: z.string(),
  /** 'Asked', 'Leave' or '', for each half. */
  away: z.array(z.string()),
  kind: z.enum(['', ...presenceKinds]),
  inAt: z.string(),
  outAt: z.string(),
  note: z.string(),
  /** 0 for a person without a mark. */
  version: z.number(),
});
export type PresentPerson = z.infer<typeof person>;

const day = z.object({
  today: z.string(),
  day: z.string(),
  mayMark: z.boolean(),
  people: z.array(person),
});
export type StaffDay = z.infer<typeof day>;

export const presenceApi = {
  /** The staff of the user's branches who work on a day, have leave or are marked, with their marks. */
  read: endpoint({
    method: 'GET',
    path: '/workday/day',
    access: presenceReaders,
    shows: ['workday', 'staff', 'calendar', 'shift'],
    input: z.object({ day: z._default(calendarDay(text`Day`, true), '') }),
    output: day,
  }),
  /** Marks people, each at the version that was read; an empty kind removes the mark. */
  mark: endpoint({
    method: 'POST',
    path: '/workday/presence',
    access: presenceKeepers,
    changes: ['workday'],
    input: z.object({
      day: calendarDay(text`Day`),
      marks: listOf(
        z.object({
          staffId: id,
          kind: z.enum(['', ...presenceKinds]),
          inAt: z._default(clockTime(text`Time`, true), ''),
          note: z._default(optionalFreeText(text`Note`, 200), ''),
          version: z.int().check(z.gte(0), z.lte(2_147_483_647)),
        }),
        { most: 300 },
      ),
    }),
    output: z.object({ marked: z.number() }),
  }),
};
