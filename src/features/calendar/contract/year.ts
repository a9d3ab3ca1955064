import * as z from 'zod/mini';
import { admin, signedIn } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';

const year = z.object({ id: z.number(), name: z.string(), status: z.enum(['Planned', 'Current', 'Closed']) });

export type AcademicYear = z.infer<typeof year>;

/** Under which name a device keeps the academic year somebody works in. */
export const workingYearName = 'workingYear';

/** The academic year somebody works in: the one they chose on this device, or the current one. */
export const workingYearOf = (years: readonly AcademicYear[], chosen: string | null): AcademicYear | undefined =>
  years.find(({ id }) => String(id) === chosen) ?? years.find(({ status }) => status === 'Current') ?? years[0];

export const yearApi = {
  /** What to work in: the newest first. */
  list: endpoint({
    method: 'GET',
    path: '/academic/year-list',
    access: signedIn,
    shows: ['year'],
    input: z.object({}),
    output: z.array(year),
  }),
  /** The one that was is closed when it lies before, and planned when it lies behind. */
  makeCurrent: endpoint({
    method: 'POST',
    path: '/academic/year/:id/make-current',
    access: [admin()],
    changes: ['year'],
    isConfirmed: true,
    isReported: true,
    input: z.object({ id, version: id }),
    output: z.object({}),
  }),
};
