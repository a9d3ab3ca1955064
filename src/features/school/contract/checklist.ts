import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';

/** What a school sets up first, in this order. */
export const checklistSteps = ['profile', 'branch', 'department', 'designation', 'calendar', 'numberSeries'] as const;
export type ChecklistStep = (typeof checklistSteps)[number];

export const checklistApi = {
  /** Which steps are done. */
  read: endpoint({
    method: 'GET',
    path: '/academic/checklist',
    access: [admin()],
    shows: ['school', 'branch', 'department', 'designation', 'calendar', 'number-series', 'year'],
    input: z.object({}),
    output: z.object({
      profile: z.boolean(),
      branch: z.boolean(),
      department: z.boolean(),
      designation: z.boolean(),
      calendar: z.boolean(),
      numberSeries: z.boolean(),
    }) satisfies z.ZodMiniType<Record<ChecklistStep, boolean>>,
  }),
};
