import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { studentOptionsAt } from '#features/student/contract/options.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { nameOptions, optionsInput } from '#kit/contract/field.ts';
import {
  chosenId,
  freeText,
  id,
  idAndVersion,
  oneOf,
  optionalFreeText,
  optionalId,
  optionalOneOf,
  rule,
  tick,
} from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { neededId, wholeNumber } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { priorities } from './masters.ts';
import { behalves, commentKinds, sources, ticketChips, ticketStates } from './state.ts';

/** All Staff raise tickets; an Admin keeps the masters and reads no ticket. */
export const ticketUsers = [staff()] as const;

const path = '/ticket';
export const ticketShows = ['ticket', 'category', 'staff', 'student', 'department'] as const;
export const ticketChanges = ['ticket', 'badge', 'notification'] as const;

export const ticketMessages = {
  closed: text`This ticket is closed. Raise a new one.`,
  state: text`The ticket has another status now. Reload the page.`,
  onePlace: text`Choose a room or describe the place, not both.`,
  needsStudent: text`Choose the student.`,
  needsPlace: text`Choose a room or describe the place.`,
  noReceiver: text`Choose a person or a department.`,
  oneReceiver: text`Choose a person or a department, not both.`,
  onlyPerson: text`Transfer a confidential ticket to a person.`,
  isAbout: text`A confidential ticket can’t go to the person it is about.`,
  hasLeft: text`This person does not work here today.`,
  nobody: text`A confidential ticket needs a person. Ask an Admin to name a head of the department.`,
  tooLate: text`A closed ticket can be reopened for 7 days. Raise a new one.`,
  same: text`The ticket has this already.`,
  onlyRaiser: text`Only the person who raised the ticket can do this.`,
};

const fileRule: UploadRule = {
  label: text`File`,
  kinds: ['png', 'jpeg', 'pdf'],
  maxBytes: 4 * megabyte,
  wrongType: text`Select a JPG, PNG or PDF file.`,
  tooLarge: text`File size exceeds 4MB`,
};
export const fileNames = ['file1', 'file2', 'file3', 'file4', 'file5'] as const;
const files = Object.fromEntries(fileNames.map((name) => [name, fileRule])) as Record<
  (typeof fileNames)[number],
  UploadRule
>;

const person = z.nullable(z.object({ id: z.number(), name: z.string() }));
const moment = z.nullable(z.iso.datetime());
const file = z.object({ id: z.string(), name: z.string() });

const record = z.object({
  id: z.number(),
  version: z.number(),
  may: abilities(
    'reply',
    'note',
    'accept',
    'hold',
    'resume',
    'resolve',
    'priority',
    'transfer',
    'confirm',
    'reopen',
    'cancel',
    'confidential',
  ),
  ticketNo: z.string(),
  subject: z.string(),
  description: z.string(),
  status: z.enum(ticketStates),
  chip: z.enum(ticketChips),
  /** Business minutes to the due time, of a paused ticket those it will still have; negative once it is over. */
  minutesLeft: z.nullable(z.number()),
  priority: z.enum(priorities),
  category: z.string(),
  department: z.string(),
  assignee: person,
  raisedBy: person,
  isMine: z.boolean(),
  onBehalf: z.enum(behalves),
  source: z.enum(sources),
  student: z.nullable(
    z.object({
      id: z.number(),
      name: z.string(),
      section: z.string(),
      isOpenable: z.boolean(),
      /** Whom to call about the child, for readers of the child's family. */
      contact: z.nullable(z.object({ name: z.string(), relation: z.string(), mobile: z.string() })),
    }),
  ),
  /** The newest others about the same child that the reader may open; open tickets first. */
  others: z.array(
    z.object({ id: z.number(), ticketNo: z.string(), subject: z.string(), status: z.enum(ticketStates) }),
  ),
  colleague: person,
  place: z.string(),
  isConfidential: z.boolean(),
  raisedAt: z.iso.datetime(),
  responseDueAt: moment,
  respondedAt: moment,
  resolutionDueAt: moment,
  resolvedAt: moment,
  closesAt: moment,
  closedAt: moment,
  pausedMinutes: z.number(),
  hold: z.nullable(z.object({ reason: z.string(), note: z.string(), since: z.iso.datetime() })),
  resolution: z.string(),
  cancelReason: z.string(),
  reopenCount: z.number(),
  rating: z.nullable(z.number()),
  participants: z.array(z.string()),
  files: z.array(file),
  /** What was said and who got it, oldest first; a reader without the right gets no internal note. */
  talk: z.array(
    z.object({
      key: z.string(),
      kind: z.enum(['Public', 'Internal', 'Transfer']),
      at: z.iso.datetime(),
      by: z.string(),
      isOwn: z.boolean(),
      body: z.string(),
      /** The person or department that got the ticket. */
      to: z.string(),
      files: z.array(file),
    }),
  ),
});
export type TicketRecord = z.infer<typeof record>;

const done = z.object({ id: z.number(), version: z.number() });

const act = <const Word extends string, Input extends z.ZodMiniType<object> | z.ZodMiniObject>(
  word: Word,
  input: Input,
) =>
  endpoint({
    method: 'POST',
    path: `${path}/:id/${word}`,
    access: ticketUsers,
    changes: ticketChanges,
    input,
    output: done,
  });

/** Who gets a ticket: a person, or the queue of a department. */
export const receiverFields = { staffId: chosenId(text`Person`), departmentId: chosenId(text`Department`) };
export const oneReceiver = rule<{ staffId: number | null; departmentId: number | null }>(
  ({ staffId, departmentId }, say) => {
    if (!staffId && !departmentId) say('staffId', ticketMessages.noReceiver);
    if (staffId && departmentId) say('departmentId', ticketMessages.oneReceiver);
  },
);

interface TicketPlace {
  roomId: number | null;
  place: string;
}

/** Choices of a form that every member of staff raises tickets with. */
const choices = (word: 'room' | 'department') =>
  endpoint({
    method: 'GET',
    path: `${path}/${word}`,
    access: ticketUsers,
    shows: [word],
    input: z.object(optionsInput),
    output: nameOptions,
  });

export const ticketApi = {
  students: studentOptionsAt(`${path}/student`, ticketUsers),
  rooms: choices('room'),
  departments: choices('department'),
  /** The canned replies with their texts. */
  replies: endpoint({
    method: 'GET',
    path: `${path}/reply`,
    access: ticketUsers,
    shows: ['canned-reply'],
    input: z.object({}),
    output: z.array(z.object({ id: z.number(), name: z.string(), text: z.string() })),
  }),
  /** What a category asks for, and by when its ticket would be answered and solved. */
  estimate: endpoint({
    method: 'GET',
    path: `${path}/estimate`,
    access: ticketUsers,
    shows: ['category', 'ticket-policy'],
    input: z.object({ categoryId: id, priority: z._default(z.enum(['', ...priorities]), '') }),
    output: z.object({
      priority: z.enum(priorities),
      department: z.string(),
      assignee: z.string(),
      requiresStudent: z.boolean(),
      requiresPlace: z.boolean(),
      isConfidential: z.boolean(),
      template: z.string(),
      responseDueAt: moment,
      resolutionDueAt: moment,
    }),
  }),
  /** Open tickets with similar words, those of the same category, student or room first. */
  similar: endpoint({
    method: 'GET',
    path: `${path}/similar`,
    access: ticketUsers,
    shows: ticketShows,
    input: z.object({
      subject: z._default(z.string().check(z.maxLength(150)), ''),
      categoryId: optionalId,
      studentId: optionalId,
      roomId: optionalId,
    }),
    output: z.array(
      z.object({ id: z.number(), ticketNo: z.string(), subject: z.string(), status: z.enum(ticketStates) }),
    ),
  }),
  raise: endpoint({
    method: 'POST',
    path,
    access: ticketUsers,
    changes: ticketChanges,
    input: z
      .object({
        categoryId: neededId(text`Category`),
        subject: freeText(text`Subject`, 150),
        description: freeText(text`Description`, 4000),
        aboutStudentId: chosenId(text`About the student`),
        aboutStaffId: chosenId(text`About the colleague`),
        roomId: chosenId(text`Room`),
        place: optionalFreeText(text`Other place`, 80),
        priority: optionalOneOf(text`Priority`, priorities),
        onBehalf: oneOf(text`Asked by`, behalves),
        source: oneOf(text`Received by`, sources),
        isConfidential: tick(text`Confidential`),
      })
      .check(
        rule<TicketPlace>(({ roomId, place }, say) => {
          if (roomId && place) say('place', ticketMessages.onePlace);
        }),
      ),
    output: z.object({ id: z.number(), ticketNo: z.string() }),
    files,
  }),
  read: endpoint({
    method: 'GET',
    path: `${path}/:id/record`,
    access: ticketUsers,
    opens: 'ticket',
    shows: ticketShows,
    input: z.object({ id }),
    output: record,
  }),
  history: historyOf(path, ticketUsers, ticketShows),
  file: endpoint({
    method: 'GET',
    path: `${path}/:id/file/:file`,
    access: ticketUsers,
    opens: 'ticket',
    shows: ticketShows,
    input: z.object({ id, file: z.uuid() }),
    output: servedFile,
  }),
  comment: endpoint({
    method: 'POST',
    path: `${path}/:id/comment`,
    access: ticketUsers,
    changes: ticketChanges,
    input: z.object({ id, kind: oneOf(text`Kind`, commentKinds), body: freeText(text`Text`, 4000) }),
    output: done,
    files,
  }),
  accept: act('accept', z.object({ id })),
  /** Undoes an accept, a hold or a transfer of the last minute. */
  undo: act('undo', z.object(idAndVersion)),
  hold: act(
    'hold',
    z.object({ ...idAndVersion, reasonId: neededId(text`Reason`), note: optionalFreeText(text`Note`, 300) }),
  ),
  resume: act('resume', z.object(idAndVersion)),
  resolve: act('resolve', z.object({ ...idAndVersion, text: freeText(text`Solution`, 2000) })),
  /** The due time that a priority would give. */
  dueAt: endpoint({
    method: 'GET',
    path: `${path}/:id/due`,
    access: ticketUsers,
    shows: ticketShows,
    input: z.object({ id, priority: z.enum(priorities) }),
    output: z.object({ resolutionDueAt: moment, isOverdue: z.boolean() }),
  }),
  setPriority: act(
    'priority',
    z.object({ ...idAndVersion, priority: oneOf(text`Priority`, priorities), reason: freeText(text`Reason`, 300) }),
  ),
  transfer: act(
    'transfer',
    z.object({ ...idAndVersion, ...receiverFields, reason: freeText(text`Reason`, 300) }).check(oneReceiver),
  ),
  confirm: act('confirm', z.object({ id, rating: wholeNumber(text`Rating`, { least: 1, most: 5, optional: true }) })),
  reopen: act('reopen', z.object({ id, reason: freeText(text`Reason`, 300) })),
  cancel: act('cancel', z.object({ ...idAndVersion, reason: freeText(text`Reason`, 300) })),
  setConfidential: act('confidential', z.object({ ...idAndVersion, isConfidential: tick(text`Confidential`) })),
};
