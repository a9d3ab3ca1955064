import * as z from 'zod/mini';
import { admin, staff } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { chosenId, freeText, id, oneOf } from '#kit/contract/fields.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { changes, path, shows } from './record.ts';

/** The results that are corrected into each other, such as after a re-test. */
const correctedResults = options('Promoted', 'Detained');
export type CorrectedResult = (typeof correctedResults)[number];

/** Of a closed year the office asks, and the principal decides. */
export const resultCorrectors = [admin(), staff('office', 'principal')] as const;

export const correctResultApi = {
  /** The latest result of a student that can be corrected, and where the child may then sit; null without one. */
  read: endpoint({
    method: 'GET',
    path: `${path}/:id/result`,
    access: resultCorrectors,
    opens: 'student',
    shows: [...shows, 'result', 'year', 'approval'],
    input: z.object({ id }),
    output: z.object({
      result: z.nullable(
        z.object({
          yearId: z.number(),
          year: z.string(),
          was: z.enum(correctedResults),
          to: z.enum(correctedResults),
          /** The year that the child is in now, its first day for the child and its last one. */
          next: z.string(),
          firstDay: z.string(),
          lastDay: z.string(),
          /** The grade that the corrected result leads to; '' where there is none. */
          leadsTo: z.string(),
          /** The year is closed, so that the principal decides. */
          needsSecond: z.boolean(),
          /** A correction waits for the principal already. */
          isAsked: z.boolean(),
          /** A re-test whose result is missing: it may confirm the result as well. */
          isRetest: z.boolean(),
          sections: z.array(z.object({ id: z.number(), name: z.string(), strength: z.number(), capacity: z.number() })),
        }),
      ),
    }),
  }),
  /** Confirms a result after a re-test: the child remains in its class. */
  confirm: endpoint({
    method: 'POST',
    path: `${path}/:id/result/confirm`,
    access: resultCorrectors,
    opens: 'student',
    changes: [...changes, 'result'],
    input: z.object({
      id,
      yearId: id,
      result: oneOf(text`Result`, correctedResults),
      reason: freeText(text`Reason`, 300),
    }),
    output: z.object({}),
  }),
  /**
   * Corrects what a year’s end decided, after a preview of what follows: the child moves to the other grade from a day of the
   * new year, by default from its first one.
   */
  correct: endpoint({
    method: 'POST',
    path: `${path}/:id/result`,
    access: resultCorrectors,
    opens: 'student',
    changes: [...changes, 'section', 'student-section', 'attendance', 'result', 'approval', 'notification'],
    input: z.object({
      id,
      yearId: id,
      to: oneOf(text`Result`, correctedResults),
      from: calendarDay(text`First day in the grade`, true),
      sectionId: chosenId(text`Section`),
      reason: freeText(text`Reason`, 300),
      confirmToken,
    }),
    output: previewed({
      /** The class of the child before and after, such as “Grade 6, A”. */
      was: z.string(),
      becomes: z.string(),
      from: z.string(),
      needsSecond: z.boolean(),
      also: z.array(anyText),
      blocks: z.array(anyText),
    }),
  }),
};
