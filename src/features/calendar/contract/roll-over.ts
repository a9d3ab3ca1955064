import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id, idAndVersion } from '#kit/contract/fields.ts';
import { someOf } from '#kit/contract/list.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';

const access = [admin()];

/** The parts that a new year can copy from an earlier one, in the order of copying. */
export const rollOverParts = options(
  'Terms',
  'Sections',
  'Weekly offs',
  'Subjects of grades',
  'Teachers',
  'Slab prices of transport',
  'Fee structures',
  'Seats',
  'Registers a day',
  'Leave rules',
);
export type RollOverPart = (typeof rollOverParts)[number];

export const yearIsEarlier = text`The new year must start after the copied year ends.`;
/** Why a term is not copied. */
export const termOutside = text`This term is outside the new year or overlaps another term.`;

export const rollOverApi = {
  /** Creates a planned year unless one has this name, and copies into it the parts that it lacks. */
  rollOver: endpoint({
    method: 'POST',
    path: '/academic/year/:id/roll-over',
    access,
    changes: ['year', 'term', 'calendar', 'section', 'grade-subject', 'teacher', 'seat', 'fee-structure', 'attendance'],
    isConfirmed: true,
    isReported: true,
    input: z.object({
      id,
      name: freeText(text`Name`, 9, {
        like: /^[0-9]{4}-([0-9]{2}|[0-9]{4})$/,
        unlike: text`Enter a name such as 2026-27.`,
      }),
      startsOn: calendarDay(text`First day`),
      endsOn: calendarDay(text`Last day`),
      ageCutoffOn: calendarDay(text`Age cut-off date`),
      parts: someOf(text`Parts to copy`, rollOverParts, { required: text`Choose at least one.` }),
      confirmToken,
    }),
    output: previewed({
      isNew: z.boolean(),
      parts: z.array(z.object({ part: z.enum(rollOverParts), added: z.number(), alreadyThere: z.number() })),
      /** The first hundred entries that are not copied, with the reason. */
      left: z.array(z.object({ what: z.string(), why: anyText })),
    }),
  }),
  /** Deletes a planned year with its data, as long as it has no enrolments and no inquiries. */
  discard: endpoint({
    method: 'POST',
    path: '/academic/year/:id/discard',
    access,
    changes: ['year', 'term', 'calendar', 'section', 'grade-subject', 'teacher', 'seat', 'fee-structure', 'attendance'],
    isConfirmed: true,
    isReported: true,
    input: z.object(idAndVersion),
    output: z.object({}),
  }),
};
