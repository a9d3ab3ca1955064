import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { chosenId, fieldInfo, freeText, id } from '#kit/contract/fields.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { optionalTime, slots } from './register.ts';

/** Class teachers reach the sections that they led on the day or lead today. */
export const correctionAccess = [staff('classTeacher', 'office', 'principal')] as const;

const waiting = z.object({
  id: z.number(),
  studentId: z.number(),
  name: z.string(),
  section: z.string(),
  day: z.string(),
  slot: z.enum(slots),
  /** Codes by their names; '' where the child had no mark. */
  from: z.string(),
  to: z.string(),
  reason: z.string(),
  requestedBy: z.string(),
});
export type WaitingCorrection = z.infer<typeof waiting>;

export const correctionApi = {
  /** Asks for another mark in a locked register; a second person decides. */
  request: endpoint({
    method: 'POST',
    path: '/attendance/correction',
    access: correctionAccess,
    changes: ['attendance', 'approval'],
    input: z.object({
      sectionId: id,
      day: calendarDay(text`Day`),
      slot: z
        ._default(z.enum(slots), 'Full day')
        .check()
        .register(fieldInfo, { label: text`Part of the day`, options: slots, optional: false }),
      studentId: chosenId(text`Student`),
      codeId: chosenId(text`New mark`),
      arrivedAt: optionalTime.check().register(fieldInfo, { label: text`Time of arrival`, optional: true }),
      reason: freeText(text`Reason`, 300),
    }),
    output: z.object({ id: z.number() }),
  }),
  /** The corrections of the user's branches that wait for a decision, the oldest first. */
  waiting: endpoint({
    method: 'GET',
    path: '/attendance/correction',
    access: [staff('office', 'principal')],
    shows: ['attendance', 'approval', 'student'],
    input: z.object({}),
    output: z.object({ rows: z.array(waiting) }),
  }),
};
