import * as z from 'zod/mini';
import { admin } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, text } from '#kit/contract/fields.ts';
import { someOf } from '#kit/contract/list.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';

const access = [admin()];

/** What a new year takes over from an old one, in the order in which it is copied (the new-year wizard). */
export const rollOverParts = ['Terms', 'Sections', 'Weekly offs', 'Subjects of grades', 'Teachers'] as const;
export type RollOverPart = (typeof rollOverParts)[number];

export const yearIsEarlier = 'The new year begins after the last day of the one it is made from.';
/** Why a part of something is not copied. */
export const termOutside = 'It would lie outside the new year, or over another term.';

export const rollOverApi = {
  /** Makes a planned year of a name, unless it is there, and copies into it what it lacks of another one. */
  rollOver: endpoint({
    method: 'POST',
    path: '/academic/year/:id/roll-over',
    access,
    changes: ['year', 'term', 'calendar', 'section', 'grade-subject', 'teacher'],
    isConfirmed: true,
    isReported: true,
    input: z.object({
      id,
      name: text('Name', 9, { like: /^[0-9]{4}-([0-9]{2}|[0-9]{4})$/, unlike: 'Write the name as 2026-27.' }),
      startsOn: calendarDay('First day'),
      endsOn: calendarDay('Last day'),
      ageCutoffOn: calendarDay('Age counts on'),
      parts: someOf('What is copied', rollOverParts),
      confirmToken,
    }),
    output: previewed({
      isNew: z.boolean(),
      parts: z.array(z.object({ part: z.enum(rollOverParts), added: z.number(), alreadyThere: z.number() })),
      /** What is not copied, and why; the first hundred. */
      left: z.array(z.object({ what: z.string(), why: z.string() })),
    }),
  }),
  /** Removes a planned year with all that was copied into it, as long as no student is enrolled and nobody asked for it. */
  discard: endpoint({
    method: 'POST',
    path: '/academic/year/:id/discard',
    access,
    changes: ['year', 'term', 'calendar', 'section', 'grade-subject', 'teacher'],
    isConfirmed: true,
    isReported: true,
    input: z.object({ id, version: id }),
    output: z.object({}),
  }),
};
