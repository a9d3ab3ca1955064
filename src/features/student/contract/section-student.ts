import * as z from 'zod/mini';
import { admin, studentKeepers } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field } from '#kit/contract/field.ts';
import { chosenId, id, oneOf, optionalFreeText, optionalId } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { importApi } from '#kit/contract/import.ts';
import { listOf } from '#kit/contract/list.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { servedFile, tableKinds } from '#kit/contract/served-file.ts';
import { calendarDay, wholeNumber } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';

const access = [admin()];
const path = '/academic/section-student';

/** A day of the academic year; '' for today, or the year's nearest day. */
const on = z._default(calendarDay(text`Day`, true), '');
const filter = { academicYearId: id, gradeId: id };
/** A section holds at most 80 students. */
const chosen = listOf(id, {
  most: 80,
  least: 1,
  none: text`Choose at least one.`,
  many: text`Choose at most 80 students.`,
});

export const rollRules = options('Name', 'Girls first', 'Boys first', 'GR number');
export type RollRule = (typeof rollRules)[number];
/** How auto-assign treats students who shared a section last year. */
export const classmateRules = ['ignore', 'separate', 'keep'] as const;
export type ClassmateRule = (typeof classmateRules)[number];
/** The year-end decision for a student. */
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
  /** The enrollment's id. */
  id: z.number(),
  studentId: z.number(),
  name: z.string(),
  grNo: z.string(),
  gender: z.enum(['F', 'M', 'T']),
  rollNo: z.nullable(z.number()),
  program: z.string(),
  /** First day in the section; '' without one. */
  since: z.string(),
  /** Last day in the section; '' where that is the year's end. */
  until: z.string(),
});
export type PlacedStudent = z.infer<typeof student>;

export const mostStudents = 100;
export const mostPromoted = 1000;

/** The columns of a class list, which is also a valid import of roll numbers. */
export const classList = {
  section: text`Section`,
  rollNo: text`Roll number`,
  grNo: text`GR number`,
  name: text`Name`,
  gender: text`Gender`,
  birthDate: text`Birth date`,
};
/** The columns that an import of roll numbers needs. */
export const rollFile = {
  rollNo: field.number(classList.rollNo, { least: 1, most: 999 }),
  grNo: field.text(classList.grNo, { max: 20 }),
};
export const rollNumber = wholeNumber(text`Roll number`, { least: 1, most: 999 });

export const sectionStudentApi = {
  /** The grades that have sections in a year, in their order. */
  grades: endpoint({
    method: 'GET',
    path: `${path}/grade`,
    access,
    shows: ['section', 'grade', 'year'],
    input: z.object({ academicYearId: id }),
    output: z.array(z.number()),
  }),
  /** The sections of a grade with their strength on a day, and how many students are unassigned. */
  overview: endpoint({
    method: 'GET',
    path,
    access,
    shows: ['student', 'section', 'year'],
    input: z.object({ ...filter, on }),
    output: z.object({ on: z.string(), isClosed: z.boolean(), sections: z.array(section), unplaced: z.number() }),
  }),
  /** The students in a section on a day, or the unassigned ones: the first hundred, and the total. */
  students: endpoint({
    method: 'GET',
    path: `${path}/student`,
    access,
    shows: ['student', 'section'],
    input: z.object({ ...filter, sectionId: optionalId, on, search: optionalFreeText(text`Search`, 100) }),
    output: z.object({ students: z.array(student), total: z.number() }),
  }),
  /**
   * Moves students into a section from a day, or out of theirs (''). A section of another grade or program ends the
   * enrollment and starts a new one.
   */
  move: endpoint({
    method: 'POST',
    path,
    access,
    changes: ['student', 'section'],
    input: z.object({
      academicYearId: id,
      sectionId: chosenId(text`Section`),
      enrollmentIds: chosen,
      from: calendarDay(text`From`),
      reason: optionalFreeText(text`Reason`, 200),
      confirmToken,
    }),
    output: previewed({
      moved: z.number(),
      /** The new section; '' for none. */
      to: z.string(),
      /** Students whose enrollment ends, with its grade or program; a new one starts in the other. */
      changed: z.array(z.object({ name: z.string(), from: z.string() })),
      /** Students enrolled on that same day: their enrollment is replaced, not ended. */
      corrected: z.array(z.object({ name: z.string(), from: z.string() })),
      /** Later moves that this one cancels. */
      forgotten: z.array(z.object({ name: z.string(), to: z.string(), from: z.string() })),
      /** What else follows, such as from another grade's fees. */
      also: z.array(anyText),
      blocks: z.array(anyText),
    }),
  }),
  /** Assigns students without a section to the grade's free seats. */
  autoAssign: endpoint({
    method: 'POST',
    path: `${path}/spread`,
    access,
    changes: ['student', 'section'],
    input: z.object({
      ...filter,
      from: calendarDay(text`From`),
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
          /** Last year's sections of the added students. */
          lastSections: z.array(z.object({ name: z.string(), count: z.number() })),
        }),
      ),
      /** Students without a seat. */
      unseated: z.array(z.string()),
      /** Students who stay unassigned, with the reason. */
      skipped: z.array(z.object({ name: z.string(), why: anyText })),
      /** Whether any student was in a section last year. */
      hasPast: z.boolean(),
    }),
  }),
  /** Numbers a section's students by a rule. Students who leave before the year's end come last. */
  number: endpoint({
    method: 'POST',
    path: `${path}/:id/roll-number`,
    access,
    changes: ['student'],
    input: z.object({ id, rule: oneOf(text`Order`, rollRules), confirmToken }),
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
  /** Numbers every section of a year by a rule; without one, by the school's. Locked sections keep their numbers. */
  numberAll: endpoint({
    method: 'POST',
    path: `${path}/roll-number-all`,
    access: studentKeepers,
    changes: ['student'],
    input: z.object({
      academicYearId: id,
      rule: z._default(z.union([z.literal(''), z.enum(rollRules)]), ''),
      confirmToken,
    }),
    output: previewed({
      /** The order that was applied. */
      rule: z.string(),
      sections: z.array(z.object({ id: z.number(), name: z.string(), students: z.number(), changed: z.number() })),
      /** Sections whose numbers are locked. */
      locked: z.array(z.string()),
    }),
  }),
  /** Sets one student's roll number in the section of that day. */
  setRoll: endpoint({
    method: 'PUT',
    path: `${path}/:id/roll-number`,
    access,
    changes: ['student'],
    input: z.object({ id, enrollmentId: id, on, rollNo: rollNumber }),
    output: z.object({}),
  }),
  /** Locked numbers can't be changed; new students still get the next one. */
  lock: endpoint({
    method: 'POST',
    path: `${path}/:id/roll-lock`,
    access,
    changes: ['student', 'section'],
    input: z.object({ id, isLocked: z.boolean() }),
    output: z.object({}),
  }),
  /** The students of a grade with their section, undecided ones first. */
  promotion: endpoint({
    method: 'GET',
    path: `${path}/promotion`,
    access,
    shows: ['student', 'section', 'grade', 'year'],
    input: z.object({ ...filter, toYearId: id }),
    output: z.object({
      /** '' where the grade has no next one. */
      nextGrade: z.string(),
      /** The last day of students who leave the school. */
      lastDay: z.string(),
      students: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          grNo: z.string(),
          section: z.string(),
          /** Why there is nothing to decide; null where there is. */
          why: z.nullable(anyText),
        }),
      ),
      total: z.number(),
    }),
  }),
  /** Records the decisions. Students already promoted, detained or leaving are left unchanged. */
  promote: endpoint({
    method: 'POST',
    path: `${path}/promotion`,
    access,
    changes: ['student', 'section'],
    isConfirmed: true,
    isReported: true,
    input: z.object({
      ...filter,
      toYearId: id,
      /** Assigns the section of the same name where it has a free seat. */
      keepsSection: z.boolean(),
      students: listOf(z.object({ enrollmentId: id, decision: z.enum(promotionDecisions) }), {
        most: mostPromoted,
        least: 1,
        none: text`Choose at least one.`,
      }),
      confirmToken,
    }),
    output: previewed({
      done: z.number(),
      alreadyThere: z.number(),
      /** Students without a section in the new year. */
      unplaced: z.number(),
      /** The new year's sections that students keep, with their strength then. */
      sections: z.array(z.object({ name: z.string(), added: z.number(), strength: z.number(), capacity: z.number() })),
      /** Promoted students who can't keep their section. */
      unseated: z.array(z.object({ name: z.string(), why: anyText })),
      /** What else follows, such as missing fee plans. */
      also: z.array(anyText),
      blocks: z.array(anyText),
    }),
  }),
  /** Undoes a promotion as a whole; refused where a student has changed since. */
  undoPromotion: endpoint({
    method: 'POST',
    path: `${path}/promoted/:id/undo`,
    access,
    changes: ['student', 'section'],
    isConfirmed: true,
    isReported: true,
    input: z.object({ id, confirmToken }),
    output: previewed({
      /** The students by what the promotion decided. */
      returns: z.array(z.object({ result: anyText, names: z.array(z.string()) })),
      /** How many sections of the new year are unassigned with it. */
      unassigned: z.number(),
      also: z.array(anyText),
      blocks: z.array(anyText),
    }),
  }),
  /** The history of a student, by the student's id. */
  history: historyOf(`${path}/student`, access, ['student', 'section'], 'student'),
  /** The promotions of a grade, the latest fifty. */
  promotions: endpoint({
    method: 'GET',
    path: `${path}/promoted`,
    access,
    shows: ['student', 'year'],
    input: z.object(filter),
    output: z.array(
      z.object({
        id: z.number(),
        at: z.iso.datetime(),
        by: z.string(),
        toYear: z.string(),
        promoted: z.number(),
        detained: z.number(),
        left: z.number(),
        /** '' while it stands. */
        undoneAt: z.string(),
        undoneBy: z.string(),
        /** Of one that was undone, only if it was opened before. */
        hasList: z.boolean(),
      }),
    ),
  }),
  /** The promotion list, made when it is first opened and stored unchanged. */
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
      ...filter,
      sectionId: optionalId,
      on,
      what: z.enum(['list', 'strength']),
      as: z.enum(tableKinds),
    }),
    output: servedFile,
  }),
};

/** Imports the roll numbers of a section's students on a day. */
export const rollImportApi = importApi({
  path: `${path}/:id/roll-number/import`,
  access,
  changes: ['student'],
  hidden: { id, on },
  columns: Object.fromEntries(Object.entries(classList).map(([name, label]) => [name, { label }])),
  needed: Object.keys(rollFile),
});
