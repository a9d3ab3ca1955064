import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { optionalFreeText } from '#kit/contract/fields.ts';
import { translatedLanguages } from '#kit/contract/languages.ts';
import { wholeNumber } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';

const access = [admin()];
const path = '/academic/language/school-words';
const language = z.enum(translatedLanguages);

const row = z.object({
  language,
  /** As the school wrote it in English. */
  english: z.object({ hours: z.string(), hospitalText: z.string() }),
  hours: z.string(),
  hospitalText: z.string(),
  /** Families read English: nothing is entered, or the English has changed since. */
  isMissing: z.boolean(),
  isOld: z.boolean(),
  rowVersion: z.number(),
});
export type SchoolWords = z.infer<typeof row>;

/** What the school wrote itself and families read, in each language beside English. */
export const schoolWordsApi = {
  list: endpoint({
    method: 'GET',
    path,
    access,
    shows: ['language', 'school'],
    input: z.object({}),
    output: z.object({ rows: z.array(row) }),
  }),
  save: endpoint({
    method: 'PUT',
    path,
    access,
    changes: ['language', 'school'],
    input: z.object({
      language,
      hours: optionalFreeText(text`Office hours`, 100),
      hospitalText: optionalFreeText(text`Emergency treatment statement`, 1000),
      rowVersion: wholeNumber(text`Version`, { least: 0, most: 1_000_000 }),
    }),
    output: z.object({}),
  }),
};
