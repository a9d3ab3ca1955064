import * as z from 'zod/mini';
import { signedIn } from '#features/sign-in/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { servedFile } from '#kit/contract/served-file.ts';

/** What every page may know before anyone signs in; nothing here is secret. */
export const appConfiguration = z.object({
  schoolName: z.string(),
  schoolCity: z.string(),
  schoolPhone: z.string(),
  schoolEmail: z.string(),
  officeHours: z.string(),
  hospitalText: z.string(),
  /** Where the school's logo is; without one its first letter stands there. */
  logoPath: z.nullable(z.string()),
  /** People reach this server from other machines without TLS: the pages say so. */
  needsTls: z.boolean(),
  /** Staff may sign in with Google. */
  hasGoogle: z.boolean(),
  /** The dashboard shows the specification's words. */
  showsDashboardWords: z.boolean(),
});
export type AppConfiguration = z.infer<typeof appConfiguration>;

const path = '/app-configuration';
const year = z.object({ id: z.number(), name: z.string(), status: z.enum(['Planned', 'Current', 'Closed']) });
export type AcademicYear = z.infer<typeof year>;

/** Under which name a device keeps the academic year somebody works in. */
export const workingYearName = 'workingYear';

/** The academic year somebody works in: the one they chose on this device, or the current one. */
export const workingYearOf = (years: readonly AcademicYear[], chosen: string | null): AcademicYear | undefined =>
  years.find(({ id }) => String(id) === chosen) ?? years.find(({ status }) => status === 'Current') ?? years[0];

const board = z.object({ boardID: z.number(), board: z.string() });

export const academicApi = {
  appConfiguration: endpoint({ method: 'GET', path, access: 'public', input: z.object({}), output: appConfiguration }),
  logo: endpoint({ method: 'GET', path: `${path}/logo`, access: 'public', input: z.object({}), output: servedFile }),
  boards: endpoint({
    method: 'GET',
    path: '/academic/board-list',
    access: signedIn,
    input: z.object({}),
    output: z.array(board),
  }),
  /** What to work in: the newest first. */
  years: endpoint({
    method: 'GET',
    path: '/academic/year-list',
    access: signedIn,
    input: z.object({}),
    output: z.array(year),
  }),
};
