import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { staffNames } from '#access/contract/staff-names.ts';
import { staffCategoryMaster } from '#features/hris/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { id, idAndVersion, optionalId, rule } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { leaveKeepers, leaveReaders } from './access.ts';
import { leaveTypeMaster } from './masters.ts';

export const staffLeaveStates = options('Asked', 'Granted', 'Rejected', 'Cancelled');
export type StaffLeaveState = (typeof staffLeaveStates)[number];

export const starts = options('In the morning', 'At noon');
export const ends = options('In the evening', 'At noon');

export const staffLeaveMessages = {
  order: text`Enter a last day that is not before the first one.`,
  noHalf: text`Leave of one day that begins at noon ends in the evening.`,
  noType: text`Choose a leave type.`,
  noYear: text`There is no academic year for these days yet.`,
  twoYears: (day: string) =>
    text`The academic year ends on ${{ day }}. Ask twice: until that day, and from the next one.`,
  notEmployed: text`These days are outside the employment.`,
  noWork: (day: string, why: string) => text`${{ day }} is no working day: ${{ why }}.`,
  noWorkAtAll: text`None of these days is a working day.`,
  overlap: (type: string, days: string) => text`There is leave on these days already: ${{ type }}, ${{ days }}.`,
  left: (days: string) => text`${{ days }} left.`,
  leftOf: (name: string, days: string) => text`${{ name }} has ${{ days }} left.`,
  tooLong: (most: string) => text`At most ${{ most }} days in a row, together with the leave beside it.`,
  tooLate: (days: number) =>
    text(
      { message: 'Ask HR: only the last {days, plural, one {# day} other {# days}} can be asked for later.' },
      { days },
    ),
  tooSoon: (days: number) =>
    text({ message: 'Ask for this leave {days, plural, one {# day} other {# days}} before.' }, { days }),
  gender: text`This leave type is not for this person.`,
  wholeDays: text`This leave type has whole days only.`,
  ended: text`This leave has ended already.`,
  begun: text`This leave has begun. Enter the last day instead.`,
  notBegun: text`This leave has not begun. Cancel it instead.`,
  back: text`Enter a day of the leave before its last one.`,
  backOwn: text`Enter yesterday or a later day. HR can enter an earlier one.`,
  ownEntry: text`Ask for your own leave on your profile: another person decides on it.`,
  noPaper: text`Choose a file.`,
};

const leavePaper: UploadRule = {
  label: text`Paper`,
  kinds: ['pdf', 'png', 'jpeg'],
  maxBytes: 2 * megabyte,
  wrongType: text`Select a PDF, PNG, JPG or JPEG file.`,
  tooLarge: text`File size exceeds 2MB`,
};

const leaveFields = {
  typeId: field.ref(text`Leave type`, { to: namedBy(leaveTypeMaster) }),
  fromDay: field.date(text`First day`, { hasQuickDays: true }),
  begins: field.oneOf(text`Begins`, { options: starts, isRadio: true }),
  toDay: field.date(text`Last day`, { hasQuickDays: true }),
  ends: field.oneOf(text`Ends`, { options: ends, isRadio: true }),
};
const reason = { reason: field.longText(text`Reason`, { max: 300, optional: true }) };
const entryFields = { staffId: field.ref(text`Colleague`, { to: staffNames }) };

const inOrder = rule<{ fromDay: string; toDay: string; begins: string; ends: string }>((span, say) => {
  const { fromDay, toDay, begins, ends } = span;
  if (!fromDay || !toDay) return;
  if (toDay < fromDay) say('toDay', staffLeaveMessages.order);
  else if (toDay === fromDay && begins === 'At noon' && ends === 'At noon') say('ends', staffLeaveMessages.noHalf);
});

const path = '/workday/leave';
const shows = ['workday', 'approval'] as const;
const changes = ['workday', 'approval', 'notification'] as const;
const anyStaff = [staff()] as const;

/** Leave of the staff of the user's branches. */
export const staffLeaveList = defineList({
  name: 'workday_leave',
  path,
  singular: text`leave`,
  plural: text`leaves`,
  access: leaveReaders,
  shows: [...shows, 'staff', 'branch'],
  columns: {
    person: { kind: 'text', label: text`Name` },
    fromDay: { kind: 'date', label: text`From`, isSorted: true, isLabelled: true },
    toDay: { kind: 'date', label: text`Until`, isLabelled: true },
    type: { kind: 'text', label: text`Leave type` },
    costs: { kind: 'text', label: text`Costs (days)`, isLabelled: true },
    left: { kind: 'text', label: text`Left (days)`, isLabelled: true },
    reason: { kind: 'text', label: text`Reason`, isAside: true },
    askedBy: { kind: 'text', label: text`Entered by`, isAside: true },
    state: { kind: 'oneOf', label: text`State`, options: staffLeaveStates, onPhone: 'end' },
  },
  filters: {
    branchId: filterBy({ label: text`Branch`, to: namedBy(branchMaster) }),
    categoryId: filterBy({ label: text`Staff category`, to: namedBy(staffCategoryMaster) }),
    typeId: filterBy({ label: text`Leave type`, to: namedBy(leaveTypeMaster) }),
  },
  tabs: {
    asked: text`Asked`,
    coming: text`Now and to come`,
    papers: text`Papers missing`,
    all: text`All`,
  },
  sort: 'fromDay',
  tabSorts: { all: '-fromDay' },
  extra: {
    version: z.number(),
    staffId: z.number(),
    may: abilities('cancel', 'shorten', 'paper'),
    isPapered: z.boolean(),
  },
});

const leaveOfPerson = z.object({
  id: z.number(),
  version: z.number(),
  type: z.string(),
  fromDay: z.string(),
  toDay: z.string(),
  /** The halves of the first and of the last day: 1 or 2. */
  fromHalf: z.number(),
  toHalf: z.number(),
  costs: z.string(),
  reason: z.string(),
  state: z.enum(staffLeaveStates),
  hasPaper: z.boolean(),
  may: abilities('cancel', 'shorten', 'paper'),
});
export type LeaveOfPerson = z.infer<typeof leaveOfPerson>;

const workdayOfPerson = z.object({
  id: z.number(),
  day: z.string(),
  isOwn: z.boolean(),
  mayEnter: z.boolean(),
  balances: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      earned: z.string(),
      credited: z.string(),
      taken: z.string(),
      left: z.string(),
    }),
  ),
  /** The shift of the day; '' for none. */
  shift: z.string(),
  /** The last day of it where it is their own; '' for none. */
  shiftUntil: z.string(),
  /** Shifts of their own that begin later, with their last day or ''. */
  nextShifts: z.array(z.object({ name: z.string(), from: z.string(), until: z.string() })),
  /** The latest first, at most twenty. */
  leaves: z.array(leaveOfPerson),
  /** The marks of the last 31 days that differ from present. */
  marks: z.array(z.object({ day: z.string(), kind: z.string(), inAt: z.string(), note: z.string() })),
});
export type WorkdayOfPerson = z.infer<typeof workdayOfPerson>;

const estimate = z.object({
  /** Days, as 2.5; '' while there is nothing to count. */
  costs: z.string(),
  /** What is left of the type after it; '' where no balance is kept. */
  left: z.string(),
  /** Days without work that count too. */
  between: z.array(z.string()),
  /** What waits for the person on these days. */
  waits: z.array(anyText),
  /** Who decides. */
  decider: anyText,
  /** What would be refused, and at which field. */
  refusal: z.nullable(z.object({ field: z.string(), message: anyText })),
});

const spanInput = inputOf(leaveFields);

export const staffLeaveApi = {
  /** Leave, balances and marks of a person, for the person and for those who decide on leave. */
  ofPerson: endpoint({
    method: 'GET',
    path: '/workday/person/:id',
    access: anyStaff,
    shows: [...shows, 'leave-type', 'leave-rule', 'calendar'],
    opens: 'staff',
    input: z.object({ id }),
    output: workdayOfPerson,
  }),
  /** The same of the user. */
  own: endpoint({
    method: 'GET',
    path: '/workday/own',
    access: anyStaff,
    shows: [...shows, 'leave-type', 'leave-rule', 'calendar'],
    input: z.object({}),
    output: workdayOfPerson,
  }),
  /** What a leave would cost, and why it would be refused; of a colleague for HR. */
  estimate: endpoint({
    method: 'GET',
    path: `${path}/estimate`,
    access: anyStaff,
    shows: [...shows, 'calendar'],
    input: z.object({ ...spanInput, staffId: optionalId }).check(inOrder),
    output: estimate,
  }),
  /** Asks for leave of the user. */
  ask: endpoint({
    method: 'POST',
    path,
    access: anyStaff,
    changes,
    files: { paper: leavePaper },
    input: z.object({ ...spanInput, ...inputOf(reason) }).check(inOrder),
    output: z.object({ id: z.number(), decider: anyText }),
  }),
  /** Enters leave of a colleague, which is granted at once. */
  enter: endpoint({
    method: 'POST',
    path: `${path}/enter`,
    access: leaveKeepers,
    changes,
    input: z.object({ ...inputOf(entryFields), ...spanInput, ...inputOf(reason) }).check(inOrder),
    output: z.object({ id: z.number(), name: z.string(), present: z.number() }),
  }),
  /** Ends asked leave, and granted leave that has not begun; HR ends any. */
  cancel: endpoint({
    method: 'POST',
    path: `${path}/:id/cancel`,
    access: anyStaff,
    changes,
    input: z.object(idAndVersion),
    output: z.object({}),
  }),
  /** Sets an earlier last day of granted leave that has begun. */
  shorten: endpoint({
    method: 'POST',
    path: `${path}/:id/back`,
    access: anyStaff,
    changes,
    input: z.object({ ...idAndVersion, lastDay: calendarDay(text`Last day of leave`) }),
    output: z.object({}),
  }),
  /** Keeps a paper of a leave, instead of an earlier one. */
  savePaper: endpoint({
    method: 'POST',
    path: `${path}/:id/paper`,
    access: anyStaff,
    changes: ['workday'],
    files: { paper: leavePaper },
    input: z.object({ id }),
    output: z.object({}),
  }),
  paper: endpoint({
    method: 'GET',
    path: `${path}/:id/paper`,
    access: anyStaff,
    input: z.object({ id }),
    output: servedFile,
  }),
};
