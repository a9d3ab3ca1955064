// Apart from the mapping's own operations, so that the dashboard need not load what only the mapping shows.
import * as z from 'zod/mini';
import { admin } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';

export const teacherGapApi = {
  /** How many sections of a year have no class teacher today, and how many of their subjects nobody. */
  count: endpoint({
    method: 'GET',
    path: '/academic/section-teacher/gap-count',
    access: [admin()],
    shows: ['teacher', 'grade-subject', 'section', 'staff', 'year'],
    input: z.object({ academicYearId: id }),
    output: z.object({ leaders: z.number(), subjects: z.number() }),
  }),
};
