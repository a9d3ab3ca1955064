import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { id } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { options, text } from '#kit/contract/text.ts';
import { leaveKeepers } from './access.ts';
import { leaveTypeMaster } from './masters.ts';

export const creditMessages = {
  own: text`Another person of HR enters credits of yours.`,
  paidOut: text`Days that are paid out are taken from the balance. Enter a number below 0.`,
  noYear: text`There is no academic year for today. Add it, then enter the credit.`,
  none: text`Enter a number other than 0.`,
};

export const creditFields = {
  typeId: field.ref(text`Leave type`, { to: namedBy(leaveTypeMaster) }),
  kind: field.oneOf(text`Kind`, { options: options('Opening', 'Worked on a day off', 'Correction', 'Encashed') }),
  halves: field.number(text`Half days`, {
    least: -800,
    most: 800,
    hint: text`5 for 2.5 days more, -5 for 2.5 days fewer.`,
  }),
  reason: field.text(text`Reason`, { max: 300 }),
};

export const creditApi = {
  /** Adds to the balance of a person in the current year, or takes from it. */
  add: endpoint({
    method: 'POST',
    path: '/workday/credit',
    access: leaveKeepers,
    changes: ['workday'],
    input: z.object({ staffId: id, ...inputOf(creditFields) }),
    output: z.object({}),
  }),
};
