import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { monthNames, showDate } from '#kit/contract/day.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { because, id } from '#kit/contract/fields.ts';
import { servedFile, tableKinds } from '#kit/contract/served-file.ts';
import { wholeNumber } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';

/** Who reads the month of the staff, closes and reopens it. */
export const monthKeepers = [staff('hr', 'principal')] as const;

/** A month as October 2026, from one of its days. */
export const monthName = (day: string): string => `${monthNames[Number(day.slice(5, 7)) - 1] ?? ''} ${day.slice(0, 4)}`;

export const monthMessages = {
  closed: (day: string) => text`${{ month: monthName(day) }} is closed. HR or the principal can reopen it.`,
  isClosed: text`This month is closed. HR or the principal can reopen it.`,
  costsByPost: (month: string, names: string) =>
    text`${{ month: monthName(month) }} is closed, and leave in it would cost another number of days: ${{ names }}. Reopen the month first, or enter the post from a later day.`,
  costsByPersonShift: (month: string, names: string) =>
    text`${{ month: monthName(month) }} is closed, and leave in it would cost another number of days: ${{ names }}. Reopen the month first, or give the shift from a later day.`,
  costsByShift: (month: string, names: string) =>
    text`${{ month: monthName(month) }} is closed, and leave in it would cost another number of days: ${{ names }}. Reopen the month first, or add another shift and give it to each person from a later day.`,
  notClosed: text`This month is not closed.`,
  notOver: (last: string) => text`The month ends on ${{ day: showDate(last) }}. Close it afterwards.`,
  asked: (names: string) => text`Decide on the leave in this month first: ${{ names }}.`,
  ownClosing: text`You closed this month. Another person reopens it.`,
  whole: text`A month is closed for all branches. Ask HR or the principal of all branches.`,
};

/** A month as 2026-10; '' for the current one. */
export const anyMonth = z._default(
  z.string().check(z.regex(/^([0-9]{4}-(0[1-9]|1[0-2]))?$/, because(text`Choose a month.`))),
  '',
);
const month = z.string().check(z.regex(/^[0-9]{4}-(0[1-9]|1[0-2])$/, because(text`Choose a month.`)));

/** People of a page; a file has all. */
export const peopleOfPage = 100;

const sums = {
  /** Calendar days of the month on which the person is employed. */
  employed: z.number(),
  /** Days, in which a half day is 0.5. */
  working: z.number(),
  present: z.number(),
  /** Marks of late arrival, and those of half days. */
  late: z.number(),
  halfDays: z.number(),
  absent: z.number(),
  unmarked: z.number(),
  /** Marks of presence on a day of leave: HR cancels the leave, or the mark is changed. */
  presentOnLeave: z.number(),
  unpaid: z.number(),
  payable: z.number(),
};

const person = z.object({
  staffId: z.number(),
  name: z.string(),
  number: z.string(),
  /** For each day: the mark, the code of leave, both halves of it, '·' for a day off, '' without a mark. */
  marks: z.array(z.string()),
  /** Days of each leave type, in the order of the types. */
  leave: z.array(z.number()),
  ...sums,
});
export type MonthPerson = z.infer<typeof person>;

const kept = z.object({ id: z.number(), closedAt: z.iso.datetime(), closedBy: z.string(), isOpen: z.boolean() });

const sheet = z.object({
  today: z.string(),
  month: z.string(),
  lastDay: z.string(),
  types: z.array(z.object({ code: z.string(), name: z.string() })),
  people: z.array(person),
  count: z.number(),
  /** Of all people, not of the page only. */
  unmarked: z.number(),
  presentOnLeave: z.number(),
  /** The closings of the month, the latest first; one that was reopened `isOpen`. */
  closings: z.array(kept),
  mayClose: z.boolean(),
  /** The workbooks of closings are of all branches. */
  mayRead: z.boolean(),
  mayReopen: z.boolean(),
});
export type MonthSheet = z.infer<typeof sheet>;

export const staffMonthApi = {
  /** What each member of staff worked in a month, and the days that are paid. */
  read: endpoint({
    method: 'GET',
    path: '/workday/month',
    access: monthKeepers,
    shows: ['workday', 'staff', 'calendar', 'shift', 'leave-type', 'approval', 'setting'],
    input: z.object({ month: anyMonth, page: z._default(wholeNumber(text`Page`, { least: 1, most: 1000 }), 1) }),
    output: sheet,
  }),
  export: endpoint({
    method: 'GET',
    path: '/workday/month/file',
    access: monthKeepers,
    input: z.object({ month: anyMonth, as: z.enum(tableKinds) }),
    output: servedFile,
  }),
  /** Closes a month and keeps the workbook of its sheet. */
  close: endpoint({
    method: 'POST',
    path: '/workday/month/close',
    access: monthKeepers,
    changes: ['workday'],
    input: z.object({ month }),
    output: z.object({}),
  }),
  /** Reopens a month that another person has closed. */
  reopen: endpoint({
    method: 'POST',
    path: '/workday/month/reopen',
    access: monthKeepers,
    changes: ['workday'],
    input: z.object({ month }),
    output: z.object({}),
  }),
  /** The workbook that a closing kept. */
  kept: endpoint({
    method: 'GET',
    path: '/workday/month/kept/:id',
    access: monthKeepers,
    input: z.object({ id }),
    output: servedFile,
  }),
};
