import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { staffNames } from '#access/contract/staff-names.ts';
import { branchMaster, roomMaster } from '#features/school/contract/masters.ts';
import { studentOptionsAt } from '#features/student/contract/options.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf, omit } from '#kit/contract/field.ts';
import { freeText, id, idAndVersion, oneOf, optionalFreeText, rule, tick } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { namedBy } from '#kit/contract/master.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay, neededId } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';

/** Who plans meetings: office and principal in their branches. */
export const meetingKeepers = [staff('office', 'principal')] as const;
/** Teachers read the meetings in which they have times, and of these their own times. */
const meetingReaders = [staff('office', 'principal', 'classTeacher', 'subjectTeacher')] as const;

export const meetingStates = options('Draft', 'Open', 'Cancelled');
export const cameWords = options('Came', 'No-show');

export const meetingMessages = {
  branches: text`Choose sections of one branch.`,
  noSections: text`Choose at least one section.`,
  past: text`Choose today or a later day.`,
  noYear: text`This day is in no academic year.`,
  until: text`Booking ends before the meeting, or on its day.`,
  order: text`Enter a time after the first one.`,
  short: text`There is no time in it for one talk.`,
  notDraft: text`This meeting is open or cancelled already. Load the page again.`,
  notOpen: text`This meeting is not open for booking.`,
  noHosts: text`Add a teacher first.`,
  once: text`This teacher has times in this meeting already.`,
  room: text`This room is taken at that time.`,
  teacher: text`This teacher has other times then.`,
  booked: text`Families have booked times with this teacher. Close the times instead, so that the families hear of it.`,
  notInSections: text`Choose a child of the meeting’s sections who has an adult.`,
  notTeacher: text`Choose a member of staff who works in this branch on that day.`,
  notYet: text`Enter it after the talk.`,
  empty: text`Nobody has booked this time.`,
};

const path = '/meeting';
const shows = ['meeting'] as const;
const changes = ['meeting'] as const;
const done = z.object({});

export const meetingList = defineList({
  name: 'meeting',
  path,
  singular: text`meeting`,
  plural: text`meetings`,
  access: meetingReaders,
  shows,
  sort: '-day',
  columns: {
    name: { kind: 'text', label: text`Meeting` },
    day: { kind: 'date', label: text`Day`, isSorted: true },
    sections: { kind: 'text', label: text`Sections` },
    teachers: { kind: 'number', label: text`Teachers` },
    times: { kind: 'number', label: text`Times` },
    booked: { kind: 'number', label: text`Booked` },
    branch: { kind: 'text', label: text`Branch`, isAside: true },
    booksUntil: { kind: 'date', label: text`Booking until`, isAside: true },
    state: { kind: 'oneOf', label: text`State`, options: meetingStates, onPhone: 'end' },
  },
  filters: { branchId: filterBy({ label: text`Branch`, to: namedBy(branchMaster) }) },
  tabs: { coming: text`Coming`, past: text`Past`, all: text`All` },
  extra: {},
});

const host = z.object({
  id: z.number(),
  staffId: z.number(),
  teacher: z.string(),
  isClassTeacher: z.boolean(),
  subjects: z.string(),
  roomId: z.nullable(z.number()),
  place: z.string(),
  from: z.string(),
  to: z.string(),
  times: z.number(),
  booked: z.number(),
  isClosed: z.boolean(),
  reason: z.string(),
});
export type MeetingHost = z.infer<typeof host>;

const meeting = z.object({
  id: z.number(),
  version: z.number(),
  name: z.string(),
  day: z.string(),
  branch: z.string(),
  sections: z.string(),
  minutes: z.number(),
  gap: z.number(),
  walk: z.number(),
  booksUntil: z.string(),
  isApart: z.boolean(),
  state: z.enum(meetingStates),
  reason: z.string(),
  hosts: z.array(host),
  may: abilities('change', 'open', 'cancel', 'print', 'book'),
});
export type Meeting = z.infer<typeof meeting>;

const slot = z.object({
  id: z.number(),
  from: z.string(),
  to: z.string(),
  isClosed: z.boolean(),
  /** Who came can be noted. */
  isBegun: z.boolean(),
  studentId: z.nullable(z.number()),
  child: z.string(),
  section: z.string(),
  guardian: z.string(),
  came: z.enum(['', ...cameWords]),
  note: z.string(),
});
export type MeetingSlot = z.infer<typeof slot>;

export const meetingStudents = studentOptionsAt(`${path}/student`, meetingKeepers, ['enrollment']);

export const planFields = {
  name: field.text(text`Name`, { max: 100 }),
  booksUntil: field.date(text`Booking until`, { toward: 'future' }),
  minutes: field.number(text`Minutes for each talk`, { least: 5, most: 60 }),
  gap: field.number(text`Minutes between talks`, { least: 0, most: 30 }),
  walk: field.number(text`Minutes to the next teacher`, {
    least: 0,
    most: 30,
    hint: text`A family gets no time with another teacher within these minutes.`,
  }),
  isApart: field.yesNo(text`Each parent may book a time of their own`),
};
export const spanFields = { from: field.time(text`From`), to: field.time(text`Until`) };
export const whereFields = {
  roomId: field.ref(text`Room`, { to: namedBy(roomMaster), optional: true }),
  place: field.text(text`Other place`, { max: 100, optional: true, hint: text`Where it is not a room of the school.` }),
};
export const hostFields = { staffId: field.ref(text`Teacher`, { to: staffNames }), ...spanFields, ...whereFields };
const isInOrder = rule<{ from: string; to: string }>(({ from, to }, say) => {
  if (from && to && to <= from) say('to', meetingMessages.order);
});
const reason = freeText(text`Reason, which the families read`, 200);

export const meetingApi = {
  /** What a new meeting chooses from: the sections of this year in the user's branches. */
  offer: endpoint({
    method: 'GET',
    path: `${path}/offer`,
    access: meetingKeepers,
    shows: ['section'],
    input: done,
    output: z.object({
      today: z.string(),
      sections: z.array(z.object({ id: z.number(), name: z.string(), group: z.string() })),
    }),
  }),
  read: endpoint({
    method: 'GET',
    path: `${path}/:id`,
    access: meetingReaders,
    shows,
    input: z.object({ id }),
    output: meeting,
  }),
  /** A draft with the teachers of the sections, all at the same time; each may be changed. */
  create: endpoint({
    method: 'POST',
    path,
    access: meetingKeepers,
    changes,
    input: z
      .object({
        ...inputOf(planFields),
        ...inputOf(spanFields),
        day: calendarDay(text`Day`),
        sectionIds: listOf(id, { most: 80, least: 1, none: meetingMessages.noSections }),
        hasSubjects: tick(text`Subject teachers too`),
      })
      .check(isInOrder),
    output: z.object({ id: z.number() }),
  }),
  update: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access: meetingKeepers,
    changes,
    input: z.object({ ...idAndVersion, ...inputOf(planFields) }),
    output: done,
  }),
  addHost: endpoint({
    method: 'POST',
    path: `${path}/:id/host`,
    access: meetingKeepers,
    changes,
    input: z.object({ id, ...inputOf(hostFields) }).check(isInOrder),
    output: done,
  }),
  /** The room at any time; the span while the meeting is a draft. */
  changeHost: endpoint({
    method: 'PUT',
    path: `${path}/host/:id`,
    access: meetingKeepers,
    changes,
    input: z.object({ id, ...inputOf(omit(hostFields, 'staffId')) }).check(isInOrder),
    output: done,
  }),
  removeHost: endpoint({
    method: 'DELETE',
    path: `${path}/host/:id`,
    access: meetingKeepers,
    changes,
    input: z.object({ id }),
    output: done,
  }),
  /** Opens it for booking: makes the times and tells the families. */
  open: endpoint({
    method: 'POST',
    path: `${path}/:id/open`,
    access: meetingKeepers,
    changes,
    input: z.object({ ...idAndVersion, confirmToken }),
    output: previewed({ times: z.number(), children: z.number(), guardians: z.number(), unreached: z.number() }),
  }),
  /** Closes the times of a teacher who is away; families with a time get a message and can book again. */
  closeHost: endpoint({
    method: 'POST',
    path: `${path}/host/:id/close`,
    access: meetingKeepers,
    changes,
    input: z.object({ id, reason, confirmToken }),
    output: previewed({ booked: z.number(), guardians: z.number() }),
  }),
  cancel: endpoint({
    method: 'POST',
    path: `${path}/:id/cancel`,
    access: meetingKeepers,
    changes,
    input: z.object({ ...idAndVersion, reason, confirmToken }),
    output: previewed({ booked: z.number(), guardians: z.number() }),
  }),
  /** The times of a teacher with who booked them. */
  slots: endpoint({
    method: 'GET',
    path: `${path}/host/:id/slot`,
    access: meetingReaders,
    shows,
    input: z.object({ id }),
    output: z.object({ teacher: z.string(), rows: z.array(slot) }),
  }),
  students: meetingStudents,
  /** Books a time for a family that has no phone; the first guardian who sees the child comes. */
  book: endpoint({
    method: 'POST',
    path: `${path}/slot/:id/book`,
    access: meetingKeepers,
    changes,
    input: z.object({ id, studentId: neededId(text`Student`) }),
    output: done,
  }),
  free: endpoint({
    method: 'POST',
    path: `${path}/slot/:id/free`,
    access: meetingKeepers,
    changes,
    input: z.object({ id }),
    output: done,
  }),
  came: endpoint({
    method: 'POST',
    path: `${path}/slot/:id/came`,
    access: meetingReaders,
    changes,
    input: z.object({ id, came: oneOf(text`Attendance`, cameWords), note: optionalFreeText(text`Note`, 300) }),
    output: done,
  }),
  /** A sheet for each door: the times of the teacher with the children. */
  sheet: endpoint({
    method: 'GET',
    path: `${path}/:id/sheet`,
    access: meetingReaders,
    shows,
    ownTransactions: true,
    input: z.object({ id }),
    output: servedFile,
  }),
};
