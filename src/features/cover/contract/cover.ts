import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { optionsInput, peopleOptions } from '#kit/contract/field.ts';
import { id, optionalId } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';

/** Who gives covers: office and principal in their branches. */
export const coverGivers = [staff('office', 'principal')] as const;

/** Why a teacher is offered, the nearest first. */
export const candidateWhys = options('Teaches this here', 'Teaches this section', 'Teaches this subject', 'Teacher');

const half = z.int().check(z.gte(1), z.lte(2));

const line = z.object({
  sectionId: z.number(),
  section: z.string(),
  /** Null for the register. */
  subjectId: z.nullable(z.number()),
  subject: z.string(),
  absentId: z.number(),
  absent: z.string(),
  fromHalf: half,
  toHalf: half,
  cover: z.nullable(
    z.object({
      id: z.number(),
      version: z.number(),
      staffId: z.number(),
      name: z.string(),
      /** The absent teacher is there after all, or the substitute is away. */
      isNeeded: z.boolean(),
      isAway: z.boolean(),
    }),
  ),
  /** The teachers who come first for it, while it is open. */
  candidates: z.array(
    z.object({ staffId: z.number(), name: z.string(), why: z.enum(candidateWhys), covers: z.number() }),
  ),
});
export type CoverLine = z.infer<typeof line>;

const given = z.object({
  sectionId: id,
  subjectId: optionalId,
  absentId: id,
  staffId: id,
  fromHalf: half,
  toHalf: half,
});

export const coverApi = {
  /** The classes without a teacher on a day, and their substitutes. */
  read: endpoint({
    method: 'GET',
    path: '/cover',
    access: coverGivers,
    shows: ['cover', 'workday', 'section', 'attendance'],
    input: z.object({ day: z._default(calendarDay(text`Day`, true), '') }),
    output: z.object({ day: z.string(), today: z.string(), lines: z.array(line) }),
  }),
  /** The arrangement sheet of a day, on A4: each class without its teacher, with its substitute and a line to sign. */
  sheet: endpoint({
    method: 'GET',
    path: '/cover/sheet',
    access: coverGivers,
    input: z.object({ day: z._default(calendarDay(text`Day`, true), '') }),
    output: servedFile,
  }),
  /** The teachers who are there on a day, for a line. */
  teachers: endpoint({
    method: 'GET',
    path: '/cover/teacher',
    access: coverGivers,
    shows: ['cover', 'workday'],
    input: z.object({ ...optionsInput, day: calendarDay(text`Day`), sectionId: id, subjectId: optionalId }),
    output: peopleOptions,
  }),
  give: endpoint({
    method: 'POST',
    path: '/cover',
    access: coverGivers,
    changes: ['cover'],
    input: z.object({
      day: calendarDay(text`Day`),
      rows: listOf(given, { most: 60, least: 1, none: text`Choose a teacher.` }),
    }),
    output: z.object({ ids: z.array(z.number()) }),
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/cover/:id/cancel',
    access: coverGivers,
    changes: ['cover'],
    input: z.object({ id, version: id }),
    output: z.object({}),
  }),
};

export const coverMessages = {
  past: text`This day is over. A substitute is given for today or a day to come.`,
  there: text`The teacher is present on this day, or has a substitute. Load the page again.`,
  away: text`The substitute is away then. Choose another teacher.`,
  notTeacher: text`Choose a teacher who works in this branch on this day.`,
  taken: text`A substitute has it already. Load the page again.`,
};
