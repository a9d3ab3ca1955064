import * as z from 'zod/mini';
import { admin } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { chosenId, id, oneOf, rule, text } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { listOf } from '#kit/contract/list.ts';
import { importAnswer } from '#kit/contract/master.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';

/** What a day may be that is unlike others of its weekday; a working day is one on a weekly off. */
export const dayKinds = ['Holiday', 'Vacation', 'Half day', 'Exam day', 'Working day'] as const;
export type DayKind = (typeof dayKinds)[number];
export const weeklyOffKind = 'Weekly off';

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

const weeks = listOf(z.int().check(z.gte(1), z.lte(5)), { most: 5 });
const weeklyOff = z.record(z.enum(weekdays), weeks);
/** Of each weekday's up to five in a month, those that are off. */
export type WeeklyOff = z.infer<typeof weeklyOff>;

export const everyWeek = [1, 2, 3, 4, 5];
/** What is off in a year for which nobody has said it. */
export const usualWeeklyOff: WeeklyOff = {
  monday: [],
  tuesday: [],
  wednesday: [],
  thursday: [],
  friday: [],
  saturday: [],
  sunday: everyWeek,
};

const dayOfYear = z.object({
  day: z.string(),
  kind: z.enum(dayKinds),
  name: z.string(),
  /** Whose day it is; null is the whole school. */
  gradeId: z.nullable(z.number()),
});
export type CalendarDay = z.infer<typeof dayOfYear>;

const calendar = z.object({
  startsOn: z.string(),
  endsOn: z.string(),
  isClosed: z.boolean(),
  rowVersion: z.number(),
  weeklyOff,
  days: z.array(dayOfYear),
});
export type Calendar = z.infer<typeof calendar>;

export const calendarMessages = {
  lastBeforeFirst: 'The last day cannot come before the first.',
  outsideYear: 'These days lie outside the academic year.',
  nothingButOff: 'These are weekly offs alone. Choose a single one of them to change it.',
  nothingThere: 'There is nothing to remove on these days.',
  gradeIsGone: 'This grade was removed meanwhile. Please choose another one.',
  isStale: 'Somebody has changed this calendar meanwhile. Look at it again.',
  noDay: 'This is no day. Write it as 2026-10-20 or 20/10/2026.',
  lineOutside: 'This day lies outside the academic year.',
  lineTwice: 'Another line is about the same day.',
  tooLong: 'This list has more lines than a year has days. Please split it.',
};

/** The most characters a list of holidays may have, and the most lines: each costs more than its characters. */
export const mostListed = 30_000;
export const mostLines = 731;

export const dayName = text('Name', 60);
const year = { academicYearId: id, rowVersion: id };
const span = {
  from: calendarDay('First day'),
  to: calendarDay('Last day'),
  gradeId: chosenId('Grade', 'Grade is required.'),
};
const changed = z.object({ rowVersion: z.number() });
const access = [admin()];
const path = '/academic/calendar';

export const calendarApi = {
  /** A whole year, for every grade. */
  read: endpoint({
    method: 'GET',
    path,
    access,
    shows: ['calendar', 'year', 'term', 'grade'],
    input: z.object({ academicYearId: id }),
    output: calendar,
  }),
  /** Of the calendar of the year of this id. */
  history: historyOf(path, access, ['calendar']),
  saveWeeklyOff: endpoint({
    method: 'PUT',
    path: `${path}/weekly-off`,
    access,
    changes: ['calendar'],
    input: z.object({ ...year, weeklyOff }),
    output: changed,
  }),
  /** Makes days what they are to be, over what they were; those of `instead` are first removed. */
  setDays: endpoint({
    method: 'PUT',
    path: `${path}/day`,
    access,
    changes: ['calendar'],
    input: z
      .object({
        ...year,
        from: span.from,
        to: span.to,
        kind: oneOf('Kind', dayKinds),
        name: dayName,
        gradeId: span.gradeId,
        instead: z.optional(z.object(span)),
      })
      .check(
        rule(({ from, to }, say) => {
          if (from && to && to < from) say('to', calendarMessages.lastBeforeFirst);
        }),
      ),
    output: changed,
  }),
  removeDays: endpoint({
    method: 'DELETE',
    path: `${path}/day`,
    access,
    changes: ['calendar'],
    input: z.object({ ...year, ...span }),
    output: changed,
  }),
  /** Previews what becomes of each line of a list of holidays, and enters them once that is confirmed. */
  importDays: endpoint({
    method: 'POST',
    path: `${path}/import`,
    access,
    changes: ['calendar'],
    input: z.object({ academicYearId: id, text: z.string().check(z.maxLength(mostListed)), confirmToken }),
    output: importAnswer,
  }),
};
