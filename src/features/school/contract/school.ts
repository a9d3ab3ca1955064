import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { colours } from '#kit/contract/palette.ts';
import { servedFile } from '#kit/contract/served-file.ts';

/** What every page may know before anyone signs in; nothing here is secret. */
export const appConfiguration = z.object({
  schoolName: z.string(),
  schoolCity: z.string(),
  schoolPhone: z.string(),
  schoolEmail: z.string(),
  officeHours: z.string(),
  hospitalText: z.string(),
  /** The colour of the pages before signing in. */
  schoolColour: z.enum(colours),
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
export const schoolApi = {
  appConfiguration: endpoint({ method: 'GET', path, access: 'public', input: z.object({}), output: appConfiguration }),
  logo: endpoint({ method: 'GET', path: `${path}/logo`, access: 'public', input: z.object({}), output: servedFile }),
};
