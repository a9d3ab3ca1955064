import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { fieldInfo, freeText, id, optionalFreeText } from '#kit/contract/fields.ts';
import { pageOf, paging } from '#kit/contract/paging.ts';
import { servedFile, tableKinds } from '#kit/contract/served-file.ts';
import { text } from '#kit/contract/text.ts';
import { path, shows, writers } from './words.ts';

const mostOptions = 6;
const longestOption = 100;

/** The choices as they are entered, each on a line. */
const optionWords = text`Choices, one on each line`;
export const optionLines = z
  ._default(optionalFreeText(optionWords, mostOptions * (longestOption + 1)), '')
  .register(fieldInfo, { label: optionWords, optional: true });
export const optionsIn = (lines: string): string[] => [
  ...new Set(
    lines
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
];

const optionMessages = {
  count: text`Enter 2 to ${{ most: mostOptions }} different choices.`,
  long: text`Use at most ${{ most: longestOption }} characters for a choice.`,
};

/** Why choices can't be asked; undefined where they can. */
export function wrongOptions(lines: string) {
  const entered = optionsIn(lines);
  if (entered.length < 2 || entered.length > mostOptions) return optionMessages.count;
  return entered.some((one) => [...one].length > longestOption) ? optionMessages.long : undefined;
}

/** Which children are listed. */
export const answerFilters = ['all', 'unanswered', 'answered', 'two'] as const;

const childAnswer = z.object({
  /** Of the child. */
  id: z.number(),
  name: z.string(),
  section: z.string(),
  rollNo: z.nullable(z.number()),
  /** '' where there is none yet, and for a choice on which guardians differ. */
  answer: z.string(),
  /** Two guardians answered differently. */
  differs: z.boolean(),
  isOnPaper: z.boolean(),
  at: z.string(),
  /** What each person said last. */
  said: z.array(z.object({ by: z.string(), answer: z.string(), note: z.string() })),
});
export type ChildAnswer = z.infer<typeof childAnswer>;

const show = z._default(z.enum(['', ...answerFilters]), '');
/** One of the answers; '' for all. */
const one = z._default(z.string().check(z.maxLength(longestOption)), '');
/** The number of a text whose answers are listed; by default of all that count. */
const ofText = z._default(z.string().check(z.regex(/^[0-9]{0,4}$/)), '');
const chosen = { id, show, answer: one, text: ofText };

export const answerApi = {
  list: endpoint({
    method: 'GET',
    path: `${path}/:id/answer`,
    access: writers,
    shows: [...shows, 'student', 'section'],
    input: z.object({ ...chosen, after: paging.after, search: z._default(paging.search, '') }),
    output: z.object({
      ...pageOf(childAnswer).shape,
      figures: z.object({
        children: z.number(),
        unanswered: z.number(),
        two: z.number(),
        answers: z.array(z.object({ answer: z.string(), children: z.number() })),
      }),
    }),
  }),
  export: endpoint({
    method: 'GET',
    path: `${path}/:id/answer/export`,
    access: writers,
    input: z.object({ ...chosen, as: z.enum(tableKinds) }),
    output: servedFile,
  }),
  /** Enters an answer that a family gave on paper; it replaces those before it. */
  enter: endpoint({
    method: 'POST',
    path: `${path}/:id/answer`,
    access: writers,
    changes: shows,
    input: z.object({
      id,
      /** The text that asks, as the page shows it. */
      number: id,
      studentId: id,
      answer: freeText(text`Answer`, longestOption),
      note: optionalFreeText(text`Note`, 200),
    }),
    output: z.object({}),
  }),
};
