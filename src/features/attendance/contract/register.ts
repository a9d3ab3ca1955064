import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { because, id, optionalId } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { leaveStates } from './leave.ts';

/** Class and subject teachers reach their own sections; office and principal those of their branches. */
export const registerAccess = [staff('classTeacher', 'subjectTeacher', 'office', 'principal')] as const;
/** Who opens a register: a substitute that of the days on which they take it. */
const registerOpeners = [staff('classTeacher', 'subjectTeacher', 'substitute', 'office', 'principal')] as const;

/** The parts of a day that a register is for: the whole, or each half where a grade takes two. */
export const slots = options('Full day', 'Morning', 'Afternoon');
export type Slot = (typeof slots)[number];
const slot = z.enum(slots);

/** '' for today. */
const day = z._default(calendarDay(text`Day`, true), '');
const shows = ['attendance', 'approval', 'student', 'section', 'year'] as const;
const mostMarks = 120;

/** A time of the school's day, as 08:12; '' for none. */
export const optionalTime = z._default(
  z.string().check(z.regex(/^(([01][0-9]|2[0-3]):[0-5][0-9])?$/, because(text`Enter a time, such as 08:12.`))),
  '',
);

const mark = z.object({ codeId: z.number(), arrivedAt: z.string() });

const code = z.object({
  id: z.number(),
  code: z.string(),
  key: z.string(),
  name: z.string(),
  kind: z.enum(['Present', 'Absent', 'Leave', 'Late', 'Half day', 'On duty']),
  needsTime: z.boolean(),
  /** This user may choose it. */
  isOffered: z.boolean(),
});
export type RegisterCode = z.infer<typeof code>;

const child = z.object({
  studentId: z.number(),
  rollNo: z.nullable(z.number()),
  name: z.string(),
  /** The mark in this register. */
  mark: z.nullable(mark),
  /** The code of the register before: of the school day before, or in the afternoon of the morning; '' for none. */
  before: z.string(),
  /** Days absent in a row until then. */
  absentFor: z.number(),
  /** The morning’s code of a child who was away, for the afternoon; null for none. */
  awayCodeId: z.nullable(z.number()),
  /** The time of arrival that was entered at the gate in this part of the day; '' for none. */
  gateAt: z.string(),
  /** The time at which the child left school on this day, and the code that this gives; '' and null for none. */
  leftAt: z.string(),
  leftCodeId: z.nullable(z.number()),
  /** The section that marked the child for this day; '' for this one or none. */
  takenIn: z.string(),
  /** That mark's code. */
  takenCode: z.string(),
  /** An asked or granted leave of that day, and the code that it gives where it is granted or the family asked for it. */
  leave: z.nullable(z.object({ state: z.enum(leaveStates), isByFamily: z.boolean(), codeId: z.nullable(z.number()) })),
  /** The mark that a waiting correction asks for; '' for none. */
  asked: z.string(),
  /** The enrolment was cancelled since the child never came, so that the mark counts nowhere. */
  isNeverJoined: z.boolean(),
});
export type RegisterChild = z.infer<typeof child>;

const section = z.object({
  id: z.number(),
  name: z.string(),
  /** The user leads or teaches it on that day. */
  isOwn: z.boolean(),
  /** The first of its registers that is due and not taken; the first of all where none is. */
  slot,
  /** The time at which that register was taken; null for none. */
  takenAt: z.nullable(z.iso.datetime()),
});
export type RegisterSection = z.infer<typeof section>;

const register = z.object({
  id: z.number(),
  version: z.number(),
  takenAt: z.iso.datetime(),
  takenBy: z.string(),
  locksAt: z.iso.datetime(),
  isLocked: z.boolean(),
});

const sheet = z.object({
  today: z.string(),
  day: z.string(),
  /** What the calendar has for this day and the section's grade; null outside every year. */
  school: z.nullable(z.object({ kind: z.string(), name: z.string(), work: z.number() })),
  /** The user's sections of that day, their own first. */
  sections: z.array(section),
  section: z.nullable(z.object({ id: z.number(), name: z.string() })),
  slot,
  /** The registers of the section’s day. */
  slots: z.array(z.object({ slot, isTaken: z.boolean() })),
  register: z.nullable(register),
  mayTake: z.boolean(),
  mayUndo: z.boolean(),
  mayLock: z.boolean(),
  /** The register is locked, and the user may ask for corrections. */
  mayCorrect: z.boolean(),
  codes: z.array(code),
  /** The school day before; '' for none. */
  dayBefore: z.string(),
  /** Of a day without school: the next school day; '' for none. */
  dayAfter: z.string(),
  children: z.array(child),
  /** Encrypts what this device keeps of unsent registers. */
  deviceKey: z.string(),
});
export type RegisterSheet = z.infer<typeof sheet>;

export const registerApi = {
  /** The register of a section on a day, by default of the user's own section today; '' for the slot that is due. */
  read: endpoint({
    method: 'GET',
    path: '/attendance/register',
    access: registerOpeners,
    shows,
    input: z.object({ sectionId: optionalId, day, slot: z._default(z.enum(['', ...slots]), '') }),
    output: sheet,
  }),
  /** Submits the marks; a version of 0 takes the register for the first time. */
  submit: endpoint({
    method: 'POST',
    path: '/attendance/register',
    access: registerOpeners,
    changes: ['attendance'],
    input: z.object({
      sectionId: id,
      day: calendarDay(text`Day`),
      slot: z._default(slot, 'Full day'),
      rowVersion: z.int().check(z.gte(0), z.lte(2_147_483_647)),
      marks: listOf(z.object({ studentId: id, codeId: id, arrivedAt: optionalTime }), {
        most: mostMarks,
        least: 1,
        none: text`There is no student to mark.`,
      }),
    }),
    output: z.object({ id: z.number(), version: z.number() }),
  }),
  /** Deletes a first submission before it locks. */
  undo: endpoint({
    method: 'POST',
    path: '/attendance/register/:id/undo',
    access: registerOpeners,
    changes: ['attendance'],
    input: z.object({ id, rowVersion: id }),
    output: z.object({}),
  }),
  /** Locks a register before its time. */
  lock: endpoint({
    method: 'POST',
    path: '/attendance/register/:id/lock',
    access: [staff('office', 'principal')],
    changes: ['attendance'],
    input: z.object({ id, rowVersion: id }),
    output: z.object({}),
  }),
};
