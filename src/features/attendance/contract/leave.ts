import * as z from 'zod/mini';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, idAndVersion, oneOf, optionalFreeText, optionalId } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { leaveAccess } from './cards.ts';
import { isInOrder, leaveHalves, leaveKinds, leavePaper, leaveRules, leaveStates } from './leave-words.ts';

export { type LeaveState, leaveHalves, leaveKinds, leaveStates } from './leave-words.ts';

export const leaveMessages = {
  ...leaveRules,
  noStudent: text`No student here today has this number. Type a GR number, or section and roll number, such as 5B 17.`,
  several: text`Several students have this number. Type section and roll number, such as 5B 17.`,
  noPaper: text`Choose a file.`,
  ownChild: text`Another person grants leave to your own child.`,
};

const path = '/attendance/leave';
const shows = ['attendance', 'approval'] as const;

export const leaveList = defineList({
  name: 'attendance_leave',
  path,
  singular: text`leave`,
  plural: text`leaves`,
  access: leaveAccess,
  shows: [...shows, 'student', 'section', 'branch', 'grade'],
  columns: {
    student: { kind: 'text', label: text`Student` },
    section: { kind: 'text', label: text`Section` },
    fromDay: { kind: 'date', label: text`From`, isSorted: true, isLabelled: true },
    toDay: { kind: 'date', label: text`Until`, isLabelled: true },
    days: { kind: 'text', label: text`School days` },
    kind: { kind: 'oneOf', label: text`Kind`, options: leaveKinds },
    half: { kind: 'oneOf', label: text`Part of the day`, options: leaveHalves, isAside: true },
    reason: { kind: 'text', label: text`Reason` },
    notedBy: { kind: 'text', label: text`Noted by`, isAside: true },
    state: { kind: 'oneOf', label: text`State`, options: leaveStates, onPhone: 'end' },
  },
  filters: {
    branchId: filterBy({ label: text`Branch`, to: namedBy(branchMaster) }),
    gradeId: filterBy({ label: text`Grade`, to: namedBy(gradeMaster) }),
    kind: { kind: 'oneOf', label: text`Kind`, options: leaveKinds },
  },
  tabs: {
    current: text`Now and to come`,
    asked: text`Asked`,
    all: text`All`,
  },
  sort: 'fromDay',
  tabSorts: { all: '-fromDay' },
  extra: { version: z.number(), studentId: z.number(), mayCancel: z.boolean(), isByFamily: z.boolean() },
});

const leaveOfChild = z.object({
  id: z.number(),
  version: z.number(),
  fromDay: z.string(),
  toDay: z.string(),
  days: z.string(),
  half: z.enum(leaveHalves),
  kind: z.enum(leaveKinds),
  reason: z.string(),
  state: z.enum(leaveStates),
  hasPaper: z.boolean(),
  /** A guardian asked for it on the family page. */
  isByFamily: z.boolean(),
});
export type LeaveOfChild = z.infer<typeof leaveOfChild>;

export const leaveApi = {
  /** Notes a leave: granted at once where the user may grant it, else asked. */
  note: endpoint({
    method: 'POST',
    path,
    access: leaveAccess,
    changes: [...shows, 'notification'],
    input: z
      .object({
        studentId: optionalId,
        number: optionalFreeText(text`GR number, or section and roll number`, 40),
        fromDay: calendarDay(text`First day`),
        toDay: calendarDay(text`Last day`),
        half: oneOf(text`Part of the day`, leaveHalves),
        kind: oneOf(text`Kind`, leaveKinds),
        reason: optionalFreeText(text`Reason`, 300),
      })
      .check(isInOrder),
    output: z.object({
      id: z.number(),
      name: z.string(),
      state: z.enum(leaveStates),
      /** Marks of open registers that changed from absent to the leave. */
      changed: z.number(),
      /** Days on which the child is marked absent in a locked register. */
      locked: z.number(),
    }),
  }),
  /** The latest leaves of a child in the sections that the user reaches. */
  ofStudent: endpoint({
    method: 'GET',
    path: `${path}/of/:id`,
    access: leaveAccess,
    shows: [...shows, 'student'],
    opens: 'student',
    input: z.object({ id }),
    output: z.object({ leaves: z.array(leaveOfChild) }),
  }),
  /** Keeps a paper of a leave, instead of an earlier one. */
  savePaper: endpoint({
    method: 'POST',
    path: `${path}/:id/paper`,
    access: leaveAccess,
    changes: ['attendance'],
    files: { paper: leavePaper },
    input: z.object({ id }),
    output: z.object({}),
  }),
  paper: endpoint({
    method: 'GET',
    path: `${path}/:id/paper`,
    access: leaveAccess,
    opens: 'leave',
    input: z.object({ id }),
    output: servedFile,
  }),
  /** Ends an asked or granted leave; marks of open registers become absent. */
  cancel: endpoint({
    method: 'POST',
    path: `${path}/:id/cancel`,
    access: leaveAccess,
    changes: [...shows, 'notification'],
    input: z.object(idAndVersion),
    output: z.object({ changed: z.number() }),
  }),
};
