import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id, optionalFreeText } from '#kit/contract/fields.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { exitRow } from './exit.ts';
import { slots } from './register.ts';

/** The transport incharge reads the day without telephone numbers. */
export const dailyAccess = [staff('office', 'principal', 'transportIncharge')] as const;
/** HR reads no child: the page shows it the staff alone. */
const dayAccess = [staff('office', 'principal', 'transportIncharge', 'hr')] as const;

const section = z.object({
  id: z.number(),
  name: z.string(),
  teacher: z.string(),
  strength: z.number(),
  /** Its register of the day, or those of both halves. */
  registers: z.array(
    z.object({
      slot: z.enum(slots),
      takenAt: z.nullable(z.iso.datetime()),
      takenBy: z.string(),
      /** The afternoon’s is due from noon. */
      isDue: z.boolean(),
    }),
  ),
  /** Counts of the last register that was taken. */
  present: z.number(),
  absent: z.number(),
  late: z.number(),
  leave: z.number(),
  perMille: z.nullable(z.number()),
});
export type DailySection = z.infer<typeof section>;

const student = { studentId: z.number(), name: z.string(), section: z.string() };

const daily = z.object({
  today: z.string(),
  day: z.string(),
  /** False for HR, whose part is the staff. */
  seesChildren: z.boolean(),
  /** Why there is no school; '' on a school day. */
  closedFor: z.string(),
  sections: z.array(section),
  absentees: z.array(
    z.object({
      ...student,
      /** The half of the day for which the child is absent; the whole day for both. */
      slot: z.enum(slots),
      /** Days absent in a row, with this one. */
      days: z.number(),
      /** The guardian to call first; '' for readers without telephone numbers. */
      guardian: z.string(),
      mobile: z.string(),
      /** The last call of the day; '' for none. */
      outcome: z.string(),
      note: z.string(),
    }),
  ),
  /** Each once; the time is '' where a mark has none. */
  late: z.array(z.object({ ...student, arrivedAt: z.string(), isAtGate: z.boolean(), isMarked: z.boolean() })),
  /** The children who left before the day was over, the last one first. */
  left: z.array(exitRow),
});
export type Daily = z.infer<typeof daily>;

/** How a call to the family of an absent child ended. */
export const callOutcomes = options('Called', 'No answer', 'Informed');

export const dailyApi = {
  /** The registers, absentees, late arrivals and early leavers of a day. */
  read: endpoint({
    method: 'GET',
    path: '/attendance/daily',
    access: dayAccess,
    shows: ['attendance', 'approval', 'student', 'section', 'year'],
    input: z.object({ day: z._default(calendarDay(text`Day`, true), '') }),
    output: daily,
  }),
  /** Enters a student who arrives late now; today's absent mark becomes late. */
  enter: endpoint({
    method: 'POST',
    path: '/attendance/gate',
    access: [staff('office', 'principal')],
    changes: ['attendance'],
    input: z.object({ number: freeText(text`GR number, or section and roll number`, 40) }),
    output: z.object({ name: z.string(), section: z.string(), arrivedAt: z.string() }),
  }),
  /** Notes how a call to the family of a child ended who is absent on a day; the last one counts. */
  call: endpoint({
    method: 'POST',
    path: '/attendance/call',
    access: [staff('office', 'principal')],
    changes: ['attendance'],
    input: z.object({
      studentId: id,
      day: calendarDay(text`Day`),
      outcome: z.enum(callOutcomes),
      note: z._default(optionalFreeText(text`Note`, 200), ''),
    }),
    output: z.object({}),
  }),
  /** Reminds the class teachers whose register has not been taken today. */
  remind: endpoint({
    method: 'POST',
    path: '/attendance/daily/remind',
    access: [staff('office', 'principal')],
    changes: [],
    input: z.object({}),
    output: z.object({
      sections: z.number(),
      teachers: z.number(),
      /** The sections without a class teacher who can sign in. */
      missed: z.array(z.string()),
    }),
  }),
};
