import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { id } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { text } from '#kit/contract/text.ts';
import { leaveKeepers } from './access.ts';
import { shiftMaster } from './masters.ts';

export const personShiftMessages = {
  own: text`Another person of HR enters a shift of yours.`,
  inactive: text`This shift is inactive. Choose another one.`,
  notEmployed: text`The person is not employed on this day.`,
};

export const personShiftFields = {
  shiftId: field.ref(text`Shift`, {
    to: namedBy(shiftMaster),
    optional: true,
    hint: text`Empty: the shift of the staff category again.`,
  }),
  from: field.date(text`From`, { hint: text`It replaces what was entered for this person from this day on.` }),
};

export const personShiftApi = {
  /** Gives a person a shift of their own from a day on, or that of the staff category again. */
  set: endpoint({
    method: 'POST',
    path: '/workday/person-shift',
    access: leaveKeepers,
    changes: ['workday'],
    input: z.object({ staffId: id, ...inputOf(personShiftFields) }),
    output: z.object({}),
  }),
};
