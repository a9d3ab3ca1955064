import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { staleMessage } from '#kit/contract/errors.ts';
import { chosenId, freeText, id, oneOf, rule, tick } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { importAnswer } from '#kit/contract/import.ts';
import { listOf } from '#kit/contract/list.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';

/** The kinds of day that can be set. A working day is set where school is open on a weekly off. */
export const dayKinds = options('Holiday', 'Vacation', 'Half day', 'Exam day', 'Working day');
export type DayKind = (typeof dayKinds)[number];
export const [weeklyOffKind] = options('Weekly off');

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

const weeks = listOf(z.int().check(z.gte(1), z.lte(5)), { most: 5 });
const weeklyOff = z.record(z.enum(weekdays), weeks);
/** For each weekday, which of its up to five occurrences in a month are off. */
export type WeeklyOff = z.infer<typeof weeklyOff>;

export const everyWeek = [1, 2, 3, 4, 5];
/** The default weekly offs of a year. */
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
  /** Null is the whole school. */
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
  lastBeforeFirst: text`Enter a later last day.`,
  outsideYear: text`Enter dates within the academic year.`,
  nothingButOff: text`All these days are weekly offs. To change a weekly off, choose only that day.`,
  nothingThere: staleMessage,
  gradeIsGone: text`This entry is inactive. Choose another one.`,
  noDay: text`Enter a valid date, such as 21-11-2026.`,
  lineOutside: text`Enter dates within the academic year.`,
  lineTwice: text`Another line has the same entry.`,
  changesOthers: text`Other records depend on these days.`,
  tooLong: text`Too much data for one import. Import it in parts.`,
};

/** The names of entries that keep past days as they were under earlier weekly offs. */
export const keptNames = { off: text`Weekly off`, work: text`School day` };

/** The most characters of a list of holidays, and the most lines: a line costs more than its characters. */
export const mostListed = 30_000;
export const mostLines = 731;

export const dayName = freeText(text`Name`, 60);
const year = {
  academicYearId: id,
  rowVersion: id,
  /** The token of the warning that the user has seen. */
  warned: z._default(z.string().check(z.maxLength(100)), ''),
};
const span = {
  from: calendarDay(text`First day`),
  to: calendarDay(text`Last day`),
  gradeId: chosenId(text`Grade`),
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
  /** Input for the calendar of the year with this id. */
  history: historyOf(path, access, ['calendar']),
  saveWeeklyOff: endpoint({
    method: 'PUT',
    path: `${path}/weekly-off`,
    access,
    changes: ['calendar'],
    input: z.object({ ...year, weeklyOff, keepsPast: tick(text`Keep past days as they were`) }),
    output: changed,
  }),
  /** Sets days, replacing earlier entries; the days of `instead` are removed first. */
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
        kind: oneOf(text`Kind`, dayKinds),
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
  /** Previews a list of holidays line by line, and imports it once confirmed. */
  importDays: endpoint({
    method: 'POST',
    path: `${path}/import`,
    access,
    changes: ['calendar'],
    input: z.object({
      academicYearId: id,
      text: z.string().check(z.maxLength(mostListed)),
      /** Saved together with the days; without it the weekly offs do not change. */
      weeklyOff: z.optional(weeklyOff),
      confirmToken,
    }),
    /** With what depends on past days that change. */
    output: z.extend(importAnswer, { warnings: z.array(anyText) }),
  }),
};
