// In a file of its own, so that the dashboard does not load the mapping's contract.
import * as z from 'zod/mini';
import { admin } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';

export const teacherGapApi = {
  /** How many sections of a year have no class teacher today, and how many of their subjects no teacher. */
  count: endpoint({
    method: 'GET',
    path: '/academic/section-teacher/gap-count',
    access: [admin()],
    shows: ['teacher', 'grade-subject', 'section', 'staff', 'year'],
    input: z.object({ academicYearId: id }),
    output: z.object({ leaders: z.number(), subjects: z.number() }),
  }),
};
