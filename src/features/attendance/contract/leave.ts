import * as z from 'zod/mini';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, idAndVersion, oneOf, optionalFreeText, optionalId, rule } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { leaveAccess } from './cards.ts';

export const leaveKinds = options('Sick', 'Family', 'Religious', 'Competition', 'Other');
export const leaveHalves = options('Whole day', 'First half', 'Second half');
export const leaveStates = options('Asked', 'Granted', 'Rejected', 'Cancelled');
export type LeaveState = (typeof leaveStates)[number];

export const leaveMessages = {
  noStudent: text`No student here today has this number. Type a GR number, or section and roll number, such as 5B 17.`,
  several: text`Several students have this number. Type section and roll number, such as 5B 17.`,
  notHere: text`This student is not in a section on these days.`,
  order: text`Enter a last day that is not before the first one.`,
  oneDay: text`Half a day is for one day only.`,
  noSchool: text`There is no school on these days.`,
  year: text`Enter days of one academic year. Leave over two years is two entries.`,
  overlap: text`The student has leave on these days already.`,
  ended: text`This leave has ended already.`,
  noPaper: text`Choose a file.`,
};

const leavePaper: UploadRule = {
  label: text`Paper`,
  kinds: ['pdf', 'png', 'jpeg'],
  maxBytes: 2 * megabyte,
  wrongType: text`Select a PDF, PNG, JPG or JPEG file.`,
  tooLarge: text`File size exceeds 2MB`,
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
  extra: { version: z.number(), studentId: z.number(), mayCancel: z.boolean() },
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
});
export type LeaveOfChild = z.infer<typeof leaveOfChild>;

const together = rule<{ fromDay: string; toDay: string; half: string }>(({ fromDay, toDay, half }, say) => {
  if (fromDay && toDay && toDay < fromDay) say('toDay', leaveMessages.order);
  else if (half && half !== 'Whole day' && fromDay !== toDay) say('half', leaveMessages.oneDay);
});

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
      .check(together),
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
