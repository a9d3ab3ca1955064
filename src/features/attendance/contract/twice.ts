import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { text } from '#kit/contract/text.ts';

const gradeIds = listOf(id, { most: 200 });

export const twiceMessages = {
  taken: (grades: string) =>
    text`A register of today is taken in ${{ grades }}. Change this before the first register of a day.`,
};

export const twiceApi = {
  /** The grades that take two registers a day in a year. */
  read: endpoint({
    method: 'GET',
    path: '/attendance/twice',
    access: [admin()],
    shows: ['attendance', 'year', 'grade'],
    input: z.object({ academicYearId: id }),
    output: z.object({
      isClosed: z.boolean(),
      grades: z.array(z.object({ id: z.number(), name: z.string(), isActive: z.boolean() })),
      gradeIds: z.array(z.number()),
    }),
  }),
  /** Applies from today. Refuses a grade with a register taken today. */
  save: endpoint({
    method: 'PUT',
    path: '/attendance/twice',
    access: [admin()],
    changes: ['attendance'],
    input: z.object({
      academicYearId: id,
      gradeIds,
      /** Those that the user saw. */
      before: gradeIds,
    }),
    output: z.object({}),
  }),
};
