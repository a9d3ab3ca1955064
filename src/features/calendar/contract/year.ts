import * as z from 'zod/mini';
import { admin, signedIn } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, idAndVersion } from '#kit/contract/fields.ts';

const year = z.object({
  id: z.number(),
  name: z.string(),
  status: z.enum(['Planned', 'Current', 'Closed']),
  startsOn: z.string(),
  endsOn: z.string(),
});

export type AcademicYear = z.infer<typeof year>;

/** The key under which a device stores its working year. */
export const workingYearName = 'workingYear';

/** The working year: the one chosen on this device, else the current one. */
export const workingYearOf = (years: readonly AcademicYear[], chosen: string | null): AcademicYear | undefined =>
  years.find(({ id }) => String(id) === chosen) ?? years.find(({ status }) => status === 'Current') ?? years[0];

export const yearApi = {
  /** The choices of a working year, newest first. */
  list: endpoint({
    method: 'GET',
    path: '/academic/year-list',
    access: signedIn,
    shows: ['year'],
    input: z.object({}),
    output: z.array(year),
  }),
  /** What is not finished in the current year, before a later one replaces it. */
  closing: endpoint({
    method: 'GET',
    path: '/academic/year/:id/make-current',
    access: [admin()],
    shows: ['year'],
    input: z.object({ id }),
    output: z.object({ unfinished: z.array(anyText) }),
  }),
  /** The year that was current becomes closed if it is earlier, and planned if it is later. */
  makeCurrent: endpoint({
    method: 'POST',
    path: '/academic/year/:id/make-current',
    access: [admin()],
    changes: ['year'],
    isConfirmed: true,
    isReported: true,
    input: z.object(idAndVersion),
    output: z.object({}),
  }),
};
