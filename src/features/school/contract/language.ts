import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { tick } from '#kit/contract/fields.ts';
import { translatedLanguages } from '#kit/contract/languages.ts';
import { wholeNumber } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';

/** What the school reads in each language: the admission form with the consent, the family page, messages and refusals. */
export const languageAreas = ['form', 'family', 'message'] as const;
export type LanguageArea = (typeof languageAreas)[number];

const access = [admin()];
const path = '/academic/language';
const language = z.enum(translatedLanguages);
const area = z.enum(languageAreas);
export const textsOnPage = 50;

const row = z.object({
  language,
  area,
  texts: z.number(),
  /** Texts that have been changed or added since the school read them. */
  changed: z.number(),
  readBy: z.nullable(z.string()),
  readOn: z.string(),
  /** Names the texts that are there now; an act on others is refused. */
  seen: z.string(),
});
export type LanguageRow = z.infer<typeof row>;

export const languageApi = {
  /** The languages that are offered to families beside English, each with its areas. */
  list: endpoint({
    method: 'GET',
    path,
    access,
    shows: ['language', 'setting'],
    input: z.object({}),
    output: z.object({
      rows: z.array(row),
      /** Guardians whose language it is, by language. */
      families: z.array(z.object({ language, count: z.number() })),
    }),
  }),
  /** The texts of an area as they are now, those first that the school has not read. */
  texts: endpoint({
    method: 'GET',
    path: `${path}/text`,
    access,
    shows: ['language'],
    input: z.object({ language, area, page: z._default(wholeNumber(text`Page`, { least: 1, most: 1000 }), 1) }),
    output: z.object({
      rows: z.array(z.object({ english: z.string(), translation: z.string(), isNew: z.boolean() })),
      total: z.number(),
    }),
  }),
  /** Says that the school has read an area in a language, or that it has not. */
  mark: endpoint({
    method: 'PUT',
    path,
    access,
    changes: ['language', 'school'],
    input: z.object({
      language,
      area,
      seen: z.string().check(z.maxLength(40)),
      isRead: tick(text`Read by the school`),
    }),
    output: z.object({}),
  }),
};
