import * as z from 'zod/mini';
import { admin, staff } from '#access/contract/grants.ts';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, optionalId } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { namedBy } from '#kit/contract/master.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { shows as recordShows } from './record.ts';
import { resultDecisions } from './result.ts';

/** How a turn gives the sections of the new year; with “None” they are assigned later. */
export const sectionWays = options('Same letter', 'Balanced', 'None');
export type SectionWay = (typeof sectionWays)[number];

const readers = [admin(), staff('office', 'principal')] as const;
const changes = ['student', 'student-record', 'section', 'result', 'turn', 'run'];
const shows = [...recordShows, 'year', 'grade', 'result', 'turn', 'run'];

/** The most children whose undoing is left out, and the most grades of a school. */
const most = { leaves: 1000, grades: 100 };

const count = { roll: z.number(), promoted: z.number(), detained: z.number(), reTest: z.number(), leaving: z.number() };

/** A grade on the last day of the year, and what a turn does with its children. */
const grade = z.object({
  id: z.number(),
  name: z.string(),
  ...count,
  /** Decided before: promoted by hand, in the new year, or gone. */
  decided: z.number(),
  /** The next grade; '' without one. */
  goesTo: z.string(),
  /** Its free seats afterwards; null without a next grade. */
  seatsLeft: z.nullable(z.number()),
  /** Why no child of it can be promoted, and the page where that is corrected, below the shell. */
  stops: z.nullable(anyText),
  to: z.string(),
  /** Those without a seat in the new year, with the reason. */
  unseated: z.array(z.object({ name: z.string(), why: anyText })),
});
export type TurnGrade = z.infer<typeof grade>;

/** A turn that was started, with its sums by grade. */
const turn = z.object({
  id: z.number(),
  at: z.iso.datetime(),
  by: z.string(),
  keeps: z.enum(sectionWays),
  runId: z.number(),
  isFinished: z.boolean(),
  /** Children whose result is written, of all. */
  done: z.number(),
  total: z.number(),
  undoneAt: z.string(),
  undoneBy: z.string(),
  grades: z.array(
    z.object({
      gradeId: z.number(),
      promotionId: z.number(),
      name: z.string(),
      ...count,
      unseated: z.number(),
      isUndone: z.boolean(),
    }),
  ),
});
export type Turn = z.infer<typeof turn>;

export const turnApi = {
  /** What a turn of all grades would do now, and the turns of the year, the latest first. Nothing is written. */
  read: endpoint({
    method: 'GET',
    path: '/year-end/:id/turn',
    access: readers,
    shows,
    input: z.object({ id, keeps: z._default(z.enum(sectionWays), 'Same letter') }),
    output: z.object({
      year: z.string(),
      isClosed: z.boolean(),
      /** The year after it; '' while none is made. */
      next: z.string(),
      grades: z.array(grade),
      turns: z.array(turn),
    }),
  }),
  /** Starts the run that promotes all grades, or these, after a preview. Grades that stop are left out. */
  start: endpoint({
    method: 'POST',
    path: '/year-end/:id/turn',
    access: [admin()],
    changes,
    isConfirmed: true,
    isReported: true,
    input: z.object({
      id,
      keeps: z.enum(sectionWays),
      /** All that can, if empty. */
      gradeIds: z._default(listOf(id, { most: most.grades }), []),
      confirmToken,
    }),
    output: previewed({
      grades: z.number(),
      ...count,
      unseated: z.number(),
      /** What the accounts of those who leave come to. */
      settlements: z.array(anyText),
      /** The grades that are left out, with the reason. */
      stopped: z.array(z.object({ name: z.string(), why: anyText })),
      runId: z.nullable(z.number()),
    }),
  }),
  /** Undoes a turn, one grade or one student of it, after a preview with a line for each child. Those in `leaves` remain. */
  undo: endpoint({
    method: 'POST',
    path: '/year-end/turn/:id/undo',
    access: [admin()],
    changes,
    isConfirmed: true,
    isReported: true,
    input: z.object({
      id,
      gradeId: optionalId,
      studentId: optionalId,
      /** Students, by id. */
      leaves: z._default(listOf(id, { most: most.leaves }), []),
      confirmToken,
    }),
    output: previewed({
      children: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          result: z.enum(['Promoted', 'Detained', 'Left']),
          grade: z.string(),
          /** What ends or remains with it: a plan, a ride. */
          also: z.array(anyText),
          /** What keeps the child from being undone: a receipt, a mark, a certificate. */
          blocks: z.array(anyText),
        }),
      ),
      /** Those who remain, and are to be moved by hand. */
      left: z.array(z.string()),
      unassigned: z.number(),
      also: z.array(anyText),
      blocks: z.array(anyText),
    }),
  }),
};

/** Every child of the turns of a year, with what was decided and where the child is in the new year. */
export const turnList = defineList({
  name: 'academic_turn_child',
  path: '/year-end/turn-child',
  singular: text`student`,
  plural: text`students of the turn`,
  access: readers,
  shows,
  columns: {
    name: { kind: 'text', label: text`Name` },
    grNo: { kind: 'text', label: text`GR number`, head: text`GR`, onPhone: 'away' },
    from: { kind: 'text', label: text`From`, isSorted: true },
    decision: { kind: 'oneOf', label: text`Decision`, options: resultDecisions, onPhone: 'end' },
    section: { kind: 'text', label: text`In the new year` },
    rollNo: { kind: 'number', label: text`Roll number`, head: text`Roll` },
    why: { kind: 'text', label: text`Without a section`, isAside: true },
  },
  filters: {
    yearId: filterBy({ label: text`Academic year`, to: namedBy(yearMaster) }),
    gradeId: filterBy({ label: text`Grade`, to: namedBy(gradeMaster) }),
    decision: { kind: 'oneOf', label: text`Decision`, options: resultDecisions },
    state: { kind: 'oneOf', label: text`State`, options: options('Without a section', 'Not written') },
  },
  tabs: { all: text`All` },
  extra: {
    studentId: z.number(),
    /** The turn that wrote the result, as long as that stands. */
    turnId: z.nullable(z.number()),
  },
  sort: 'from',
});
