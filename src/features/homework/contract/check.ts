import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id, optionalFreeText } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { changes, path } from './homework.ts';
import { homeworkGivers, homeworkMessages, mostRows, results } from './words.ts';

const row = z.object({
  studentId: id,
  /** Of the stored result; 0 without one. */
  version: z.int().check(z.gte(0), z.lte(2_147_483_647)),
  /** '' deletes the result. */
  result: z.enum(['', ...results]),
  handedInOn: z._default(calendarDay(text`Submitted on`, true), ''),
  marks: z._default(z.nullable(z.number().check(z.gte(0), z.lte(999), z.multipleOf(0.5))), null),
  feedback: z._default(optionalFreeText(text`Feedback`, 500), ''),
});
export type CheckedRow = z.output<typeof row>;

export const checkApi = {
  /** Saves results all at once; those that another user changed since are named, and nothing is saved. */
  save: endpoint({
    method: 'PUT',
    path: `${path}/:id/check`,
    access: homeworkGivers,
    changes,
    input: z.object({ id, rows: listOf(row, { least: 1, most: mostRows }) }),
    output: z.object({ saved: z.number() }),
  }),
  /** Gives one child more time. */
  extend: endpoint({
    method: 'PUT',
    path: `${path}/:id/extension/:studentId`,
    access: homeworkGivers,
    changes,
    input: z.object({ id, studentId: id, dueOn: calendarDay(text`Due on`), reason: freeText(text`Reason`, 200) }),
    output: z.object({}),
  }),
  endExtension: endpoint({
    method: 'DELETE',
    path: `${path}/:id/extension/:studentId`,
    access: homeworkGivers,
    changes,
    input: z.object({ id, studentId: id }),
    output: z.object({}),
  }),
};

/** The refusal of a mark. */
export const marksRefusal = (isMarked: boolean) => (isMarked ? homeworkMessages.mostMarks : homeworkMessages.noMarks);
