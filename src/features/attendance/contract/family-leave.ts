import * as z from 'zod/mini';
import { behindLink, proven } from '#features/family/contract/family.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, oneOf, optionalFreeText } from '#kit/contract/fields.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { isInOrder, leaveHalves, leaveKinds, leavePaper, leaveStates } from './leave-words.ts';

const path = '/family/leave';
/** The days of a leave of one child. */
const days = {
  studentId: id,
  fromDay: calendarDay(text`First day`),
  toDay: calendarDay(text`Last day`),
  half: oneOf(text`Part of the day`, leaveHalves),
};

/** A leave as a guardian reads it, of every adult and of the school. */
const familyLeave = z.object({
  id: z.number(),
  studentId: z.number(),
  fromDay: z.string(),
  toDay: z.string(),
  /** School days. */
  days: z.string(),
  half: z.enum(leaveHalves),
  kind: z.enum(leaveKinds),
  state: z.enum(leaveStates),
  /** Why it was rejected; '' otherwise. */
  remark: z.string(),
  mayWithdraw: z.boolean(),
});
export type FamilyLeave = z.infer<typeof familyLeave>;

export const familyLeaveApi = {
  /** The leaves of the children from this month on, the latest first. */
  list: endpoint({
    method: 'GET',
    path,
    access: proven,
    input: z.object({}),
    output: z.array(familyLeave),
  }),
  /** How many school days a leave would be, and the days within it without school. */
  count: endpoint({
    method: 'GET',
    path: `${path}/count`,
    access: behindLink,
    input: z.object(days).check(isInOrder),
    output: z.object({ days: z.string(), off: z.array(z.object({ day: z.string(), name: z.string() })) }),
  }),
  /** Asks for leave of a child; its class teacher or the principal decides. */
  ask: endpoint({
    method: 'POST',
    path,
    access: proven,
    files: { paper: leavePaper },
    input: z
      .object({ ...days, kind: oneOf(text`Kind`, leaveKinds), reason: optionalFreeText(text`Reason`, 300) })
      .check(isInOrder),
    output: z.object({ days: z.string() }),
  }),
  /** Ends a leave before its first day. */
  withdraw: endpoint({
    method: 'POST',
    path: `${path}/:id/withdraw`,
    access: proven,
    input: z.object({ id }),
    output: z.object({}),
  }),
};
