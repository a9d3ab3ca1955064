import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { idOrNull, optionalFreeText } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { languageKeys } from '#kit/contract/languages.ts';
import { text } from '#kit/contract/text.ts';

export const textMessageDraft = {
  registeredText: optionalFreeText(text`Registered text`, 1000),
  templateId: optionalFreeText(text`Template ID`, 30, {
    like: /^[0-9]+$/,
    unlike: text`Use digits only.`,
  }),
};

const access = [admin()];
const path = '/academic/text-message';
const shows = ['text-message', 'school'];
/** A text is registered in each language by itself. */
const language = z._default(z.enum(languageKeys), 'en');
const textMessage = z.object({
  kind: z.string(),
  /** The number of its history; null until it is saved the first time. */
  id: z.nullable(z.number()),
  when: anyText,
  /** The words to register, with `{#var#}` for what changes. */
  ourText: z.string(),
  registeredText: z.string(),
  templateId: z.string(),
  status: z.enum(['Agrees', 'Differs', 'Not registered']),
  /** Our words from where they differ from the registered text, with example values. */
  differsAt: z.string(),
  /** Our words have changed since the text was registered; messages keep the registered ones. */
  hasChanged: z.boolean(),
  rowVersion: z.nullable(z.number()),
});
export type TextMessageRow = z.infer<typeof textMessage>;

export const textMessageApi = {
  /** Every kind of text message that the system sends, and how it is registered with the operators. */
  list: endpoint({
    method: 'GET',
    path,
    access,
    shows,
    input: z.object({ language }),
    output: z.object({ rows: z.array(textMessage) }),
  }),
  history: historyOf(path, access, ['text-message']),
  save: endpoint({
    method: 'PUT',
    path: `${path}/:kind`,
    access,
    changes: ['text-message'],
    input: z.object({ ...textMessageDraft, language, kind: z.string().check(z.maxLength(60)), rowVersion: idOrNull }),
    output: z.object({ rowVersion: z.number() }),
  }),
};
