import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { languageKeys } from '#kit/contract/languages.ts';
import { colours } from '#kit/contract/palette.ts';
import { servedFile } from '#kit/contract/served-file.ts';

/** Facts that every page may know before sign-in; none is secret. */
export const appConfiguration = z.object({
  schoolName: z.string(),
  schoolCity: z.string(),
  schoolPhone: z.string(),
  schoolEmail: z.string(),
  officeHours: z.string(),
  hospitalText: z.string(),
  /** The colour of the pages before signing in. */
  schoolColour: z.enum(colours),
  /** The address of the school's logo; without one the page shows the first letter of the name. */
  logoPath: z.nullable(z.string()),
  /** Other machines reach this server without TLS, which the pages warn about. */
  needsTls: z.boolean(),
  /** The name of the provider that Staff may sign in with, such as Google; '' for none. */
  signInProvider: z.string(),
  /** True until the first Admin exists: the sign-in page tells how to make one. */
  hasNoAccount: z.boolean(),
  /** The languages that families may choose from; English is always one. */
  languages: z.array(z.enum(languageKeys)),
  /** The one in which a page opens where nothing is known of its reader. */
  usualLanguage: z.enum(languageKeys),
  /** What the school wrote, in other languages; '' where families read the English. */
  words: z.partialRecord(z.enum(languageKeys), z.object({ officeHours: z.string(), hospitalText: z.string() })),
  /** The languages in which the school has not read these pages yet. */
  unread: z.object({ form: z.array(z.enum(languageKeys)), family: z.array(z.enum(languageKeys)) }),
});
export type AppConfiguration = z.infer<typeof appConfiguration>;

const path = '/app-configuration';
export const schoolApi = {
  appConfiguration: endpoint({ method: 'GET', path, access: 'public', input: z.object({}), output: appConfiguration }),
  logo: endpoint({ method: 'GET', path: `${path}/logo`, access: 'public', input: z.object({}), output: servedFile }),
  /** The icon of a page that a phone puts on its home screen, 512 pixels each way. */
  icon: endpoint({ method: 'GET', path: `${path}/icon`, access: 'public', input: z.object({}), output: servedFile }),
};
/** Where browsers find the icon. */
export const iconAddress = `/api${path}/icon`;
