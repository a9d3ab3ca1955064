import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { chosenId, fieldInfo, freeText, id, optionalFreeText, optionalId, rule } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { text } from '#kit/contract/text.ts';
import { optionalTime } from './register.ts';

export const gateKeepers = [staff('office', 'principal')] as const;

export const exitMessages = {
  person: text`Enter the name of the person who takes the child.`,
  relation: text`Enter how this person is related to the child.`,
  principal: text`Only the principal allows this. Choose who allowed it.`,
  why: text`Enter why the principal allows it.`,
  barred: text`This person may not collect the child. Call the principal and do not hand the child over.`,
  later: text`This time is later than now.`,
  notPrincipal: text`Choose a principal of this branch.`,
  notAdult: text`Choose an adult of this child.`,
  isOut: text`This child has left already. Enter the return first.`,
  isBack: text`This return is entered already.`,
};

const child = z.object({
  studentId: z.number(),
  name: z.string(),
  section: z.string(),
  /** Why no pass is made: the mark of an absence, or the time at which the child left; '' for none. */
  mark: z.string(),
  outSince: z.string(),
  /** Those who may collect come first, in the order in which they are called. */
  adults: z.array(
    z.object({
      guardianId: z.number(),
      name: z.string(),
      relation: z.string(),
      mayCollect: z.boolean(),
      isBarred: z.boolean(),
    }),
  ),
  /** The principals who can allow another person. */
  principals: z.array(z.object({ staffId: z.number(), name: z.string() })),
});
export type ExitChild = z.infer<typeof child>;

/** A child who left before the day was over. */
export const exitRow = z.object({
  id: z.number(),
  studentId: z.number(),
  name: z.string(),
  section: z.string(),
  leftAt: z.string(),
  /** '' for readers without the reasons of families. */
  reason: z.string(),
  person: z.string(),
  relation: z.string(),
  passNo: z.string(),
  /** The principal, where the person may not collect the child. */
  allowedBy: z.string(),
  /** '' while the child is away. */
  returnedAt: z.string(),
});
export type ExitRow = z.infer<typeof exitRow>;

/** How today's mark changed when the child came back. */
const markOfReturn = z.enum(['Same', 'Given back', 'Correction withdrawn', 'Correction requested']);
export type MarkOfReturn = z.infer<typeof markOfReturn>;

export const exitApi = {
  /** The children here today with a number, each with the adults who may take it home. */
  child: endpoint({
    method: 'GET',
    path: '/attendance/exit/child',
    access: gateKeepers,
    shows: ['attendance', 'student'],
    input: z.object({ number: freeText(text`GR number, or section and roll number`, 40) }),
    output: z.object({ children: z.array(child) }),
  }),
  /** Makes a gate pass for a child who leaves before the day is over; the family reads of it at once. */
  leave: endpoint({
    method: 'POST',
    path: '/attendance/exit',
    access: gateKeepers,
    changes: ['attendance', 'approval'],
    input: z
      .object({
        studentId: chosenId(text`Student`),
        leftAt: optionalTime.check().register(fieldInfo, { label: text`Left at`, optional: true }),
        reason: freeText(text`Reason`, 200),
        /** None for another person. */
        guardianId: optionalId.check().register(fieldInfo, { label: text`With`, optional: true }),
        person: optionalFreeText(text`Name`, 100),
        relation: optionalFreeText(text`Relation`, 50),
        allowedBy: optionalId.check().register(fieldInfo, { label: text`Principal who allows it`, optional: true }),
        allowedWhy: optionalFreeText(text`Why the principal allows it`, 200),
      })
      .check(
        rule((exit, say) => {
          if (exit.guardianId === null && exit.person === '') say('person', exitMessages.person);
          if (exit.guardianId === null && exit.relation === '') say('relation', exitMessages.relation);
          if (exit.guardianId === null && exit.allowedBy === null) say('allowedBy', exitMessages.principal);
          if (exit.allowedBy != null && exit.allowedWhy === '') say('allowedWhy', exitMessages.why);
        }),
      ),
    output: z.object({
      id: z.number(),
      passNo: z.string(),
      name: z.string(),
      leftAt: z.string(),
      /** How today's mark changed. */
      mark: z.enum(['Same', 'Half day', 'Correction requested']),
      isTold: z.boolean(),
    }),
  }),
  /** Enters that the child is back now. */
  returned: endpoint({
    method: 'POST',
    path: '/attendance/exit/:id/returned',
    access: gateKeepers,
    opens: 'gate-pass',
    changes: ['attendance', 'approval'],
    input: z.object({ id }),
    output: z.object({ name: z.string(), returnedAt: z.string(), mark: markOfReturn }),
  }),
  /** The pass for the guard at the gate, on a roll of 80 mm. */
  slip: endpoint({
    method: 'GET',
    path: '/attendance/exit/:id/slip',
    access: gateKeepers,
    opens: 'gate-pass',
    input: z.object({ id }),
    output: servedFile,
  }),
};
