import * as z from 'zod/mini';
import { admin } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { chosenId, id, oneOf, optionalId, optionalText } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { importBytes } from '#kit/contract/import-limits.ts';
import { listOf } from '#kit/contract/list.ts';
import { importAnswer, importInput } from '#kit/contract/master.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { servedFile, tableKinds } from '#kit/contract/served-file.ts';
import { calendarDay, wholeNumber } from '#kit/contract/shell-fields.ts';

const access = [admin()];
const path = '/academic/section-student';

/** A day of the year that is looked at; '' for today, or the year's nearest day. */
const on = z._default(calendarDay('Day', true), '');
/** The grade of a year whose students are looked at. */
const look = { academicYearId: id, gradeId: id };
/** A section holds 80 at most, so more are never moved together. */
const chosen = listOf(id, {
  most: 80,
  least: 1,
  none: 'Choose students first.',
  many: 'These are more than a section holds. Choose 80 at most.',
});

/** How students stand in a section's list of numbers. */
export const rollRules = ['Name', 'Girls first', 'Boys first', 'GR number'] as const;
/** What auto-assign does with those who were in one section the year before. */
export const classmateRules = ['ignore', 'separate', 'keep'] as const;
export type ClassmateRule = (typeof classmateRules)[number];
/** What becomes of a student at the end of a year. */
export const promotionDecisions = ['Promote', 'Detain', 'Leave'] as const;
export type PromotionDecision = (typeof promotionDecisions)[number];

const section = z.object({
  id: z.number(),
  name: z.string(),
  program: z.string(),
  branch: z.string(),
  capacity: z.number(),
  strength: z.number(),
  girls: z.number(),
  boys: z.number(),
  isRollLocked: z.boolean(),
});
export type SectionStrength = z.infer<typeof section>;

const student = z.object({
  /** The enrollment, by which everything here is done. */
  id: z.number(),
  studentId: z.number(),
  name: z.string(),
  grNo: z.string(),
  gender: z.enum(['F', 'M', 'T']),
  rollNo: z.nullable(z.number()),
  program: z.string(),
  /** In this section since then; '' without one. */
  since: z.string(),
  /** The last day in it, where that is before the year's end; '' otherwise. */
  until: z.string(),
});
export type PlacedStudent = z.infer<typeof student>;

/** How many students one list shows. */
export const mostStudents = 100;
/** How many of a grade are promoted at once. */
export const mostPromoted = 1000;

/** The columns of a class list. An import of roll numbers takes the file back: it reads the first three. */
export const classList = {
  section: 'Section',
  rollNo: 'Roll number',
  grNo: 'GR number',
  name: 'Name',
  gender: 'Gender',
  birthDate: 'Birth date',
};
/** Those without which nobody is found or numbered. */
export const rollColumns = ['rollNo', 'grNo'] as const satisfies (keyof typeof classList)[];
export const rollNumber = wholeNumber('Roll number', { least: 1, most: 999 });

export const sectionStudentApi = {
  /** The sections of a grade with how full they are on a day, and how many students have none. */
  overview: endpoint({
    method: 'GET',
    path,
    access,
    shows: ['student', 'section', 'year'],
    input: z.object({ ...look, on }),
    output: z.object({ on: z.string(), isClosed: z.boolean(), sections: z.array(section), unplaced: z.number() }),
  }),
  /** Who is in a section on a day, or without one; at most a hundred, and how many there are. */
  students: endpoint({
    method: 'GET',
    path: `${path}/student`,
    access,
    shows: ['student', 'section'],
    input: z.object({ ...look, sectionId: optionalId, on, search: optionalText('Search', 100) }),
    output: z.object({ students: z.array(student), total: z.number() }),
  }),
  /**
   * Puts students into a section from a day on, wherever they were, or takes them out of theirs (''). A section of another
   * grade or program ends the enrollment and begins another one.
   */
  move: endpoint({
    method: 'POST',
    path,
    access,
    changes: ['student', 'section'],
    input: z.object({
      academicYearId: id,
      sectionId: chosenId('Section', 'Section is required.'),
      enrollmentIds: chosen,
      from: calendarDay('From'),
      reason: optionalText('Reason', 200),
      confirmToken,
    }),
    output: previewed({
      moved: z.number(),
      /** Where they go; '' out of their section. */
      to: z.string(),
      /** Whose enrollment ends, and where; it begins anew in the other grade or program. */
      changed: z.array(z.object({ name: z.string(), from: z.string() })),
      /** Who was enrolled there on that very day: entered in the wrong place, of which nothing stays. */
      corrected: z.array(z.object({ name: z.string(), from: z.string() })),
      /** What was planned for a later day and is forgotten. */
      forgotten: z.array(z.object({ name: z.string(), to: z.string(), from: z.string() })),
    }),
  }),
  /** Assigns those without a section to the grade's free seats. */
  autoAssign: endpoint({
    method: 'POST',
    path: `${path}/spread`,
    access,
    changes: ['student', 'section'],
    input: z.object({
      ...look,
      from: calendarDay('From'),
      classmates: z._default(z.enum(classmateRules), 'ignore'),
      confirmToken,
    }),
    output: previewed({
      sections: z.array(
        z.object({
          name: z.string(),
          girls: z.number(),
          boys: z.number(),
          added: z.array(z.string()),
          /** Of those added, how many were in which section the year before. */
          lastSections: z.array(z.object({ name: z.string(), count: z.number() })),
        }),
      ),
      /** For whom there is no seat. */
      unseated: z.array(z.string()),
      /** Who is not placed by this, and why. */
      skipped: z.array(z.object({ name: z.string(), why: z.string() })),
      /** Whether somebody was in a section the year before. */
      hasPast: z.boolean(),
    }),
  }),
  /**
   * Numbers a section's students by a rule, those who stay to the year's end first. Who has left before follows behind
   * them, since a number is one student's on every day.
   */
  number: endpoint({
    method: 'POST',
    path: `${path}/:id/roll-number`,
    access,
    changes: ['student'],
    input: z.object({ id, rule: oneOf('Order', rollRules), confirmToken }),
    output: previewed({
      rolls: z.array(
        z.object({
          name: z.string(),
          grNo: z.string(),
          before: z.nullable(z.number()),
          after: z.number(),
          /** The last day in the section; '' to the year's end. */
          until: z.string(),
        }),
      ),
    }),
  }),
  /** One student's number in the section they are in on a day. */
  setRoll: endpoint({
    method: 'PUT',
    path: `${path}/:id/roll-number`,
    access,
    changes: ['student'],
    input: z.object({ id, enrollmentId: id, on, rollNo: rollNumber }),
    output: z.object({}),
  }),
  /** Gives those of a section on a day the numbers of a file. */
  importRolls: endpoint({
    method: 'POST',
    path: `${path}/:id/roll-number/import`,
    access,
    changes: ['student'],
    hasTable: true,
    mostBytes: importBytes * 2,
    input: z.object({ id, on, ...importInput }),
    output: importAnswer,
  }),
  /** Locked numbers stay as they are; who comes later gets the next one. */
  lock: endpoint({
    method: 'POST',
    path: `${path}/:id/roll-lock`,
    access,
    changes: ['student', 'section'],
    input: z.object({ id, isLocked: z.boolean() }),
    output: z.object({}),
  }),
  /** Who of a grade is to be promoted into another year, and who cannot be and why. */
  promotion: endpoint({
    method: 'GET',
    path: `${path}/promotion`,
    access,
    shows: ['student', 'section', 'grade', 'year'],
    input: z.object({ ...look, toYearId: id }),
    output: z.object({
      /** '' where the grade leads nowhere. */
      nextGrade: z.string(),
      /** The last day of who leaves the school. */
      lastDay: z.string(),
      students: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          grNo: z.string(),
          section: z.string(),
          /** Why nothing is to be done: '' where something is. */
          why: z.string(),
        }),
      ),
      /** How many there are; those for whom something is to be done come first. */
      total: z.number(),
    }),
  }),
  /** Does it: whoever was promoted, detained or has left already stays as they are. */
  promote: endpoint({
    method: 'POST',
    path: `${path}/promotion`,
    access,
    changes: ['student', 'section'],
    isConfirmed: true,
    isReported: true,
    input: z.object({
      ...look,
      toYearId: id,
      /** Into the section of the same name, where it is there and has a seat. */
      keepsSection: z.boolean(),
      students: listOf(z.object({ enrollmentId: id, decision: z.enum(promotionDecisions) }), {
        most: mostPromoted,
        least: 1,
        none: 'Choose students first.',
      }),
    }),
    output: z.object({
      done: z.number(),
      alreadyThere: z.number(),
      /** In the new year without a section. */
      unplaced: z.number(),
    }),
  }),
  /** Where a student was and why, and what else became of them; by the student's own number. */
  history: historyOf(`${path}/student`, access, ['student', 'section']),
  /** When a grade was promoted from a year, the latest first: at most fifty times. */
  promotions: endpoint({
    method: 'GET',
    path: `${path}/promoted`,
    access,
    shows: ['student', 'year'],
    input: z.object(look),
    output: z.array(
      z.object({
        id: z.number(),
        at: z.iso.datetime(),
        by: z.string(),
        toYear: z.string(),
        promoted: z.number(),
        detained: z.number(),
        left: z.number(),
      }),
    ),
  }),
  /** The promotion list: made when it is first opened, and kept as it was then. */
  promotionList: endpoint({
    method: 'GET',
    path: `${path}/promoted/:id`,
    access,
    input: z.object({ id }),
    output: servedFile,
  }),
  /** The class list of a section, of a grade, or the strength of every section of the year. */
  export: endpoint({
    method: 'GET',
    path: `${path}/export`,
    access,
    input: z.object({
      ...look,
      sectionId: optionalId,
      on,
      what: z.enum(['list', 'strength']),
      as: z.enum(tableKinds),
    }),
    output: servedFile,
  }),
};
