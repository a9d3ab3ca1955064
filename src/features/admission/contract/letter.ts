import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id, oneOf, rule } from '#kit/contract/fields.ts';
import { selection } from '#kit/contract/list-view.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { text } from '#kit/contract/text.ts';
import { decisionKinds } from './process-list.ts';
import { admissionHeads, processReaders } from './seat.ts';

/** What a letter can name. A sentence with a variable that has no value is left out. */
export const letterVariables = ['child', 'grade', 'year', 'amount', 'replyBy', 'conditions'] as const;
export type LetterVariable = (typeof letterVariables)[number];
export type LetterValues = Record<LetterVariable, string>;
export interface LetterText {
  subject: string;
  body: string;
}

const variable = /\{([^{}]{0,40})\}/g;
const isKnown = (name: string): name is LetterVariable => (letterVariables as readonly string[]).includes(name);

/** The first variable of a text that no letter has. */
const unknownVariable = (words: string): string | undefined =>
  [...words.matchAll(variable)].map(([, name = '']) => name).find((name) => !isKnown(name));

const fill = (words: string, values: LetterValues) =>
  words.replaceAll(variable, (whole, name: string) => (isKnown(name) ? values[name] : whole));
const lacksValue = (sentence: string, values: LetterValues) =>
  [...sentence.matchAll(variable)].some(([, name = '']) => isKnown(name) && values[name] === '');

/** The words of a letter about one child: whole sentences, and a line for each paragraph. */
export const writeLetter = ({ subject, body }: LetterText, values: LetterValues): LetterText => ({
  subject: fill(subject, values),
  body: body
    .split('\n')
    .map((line) => {
      const sentences = line.split(/(?<=[.!?।]) /);
      const kept = sentences.filter((sentence) => !lacksValue(sentence, values));
      return fill(kept.join(' '), values);
    })
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim(),
});

const path = '/process';
const letterText = z.object({
  kind: z.enum(decisionKinds),
  version: z.number(),
  subject: z.string(),
  body: z.string(),
});

export const mostLetters = 500;

export const letterApi = {
  /** The words of the three letters. */
  texts: endpoint({
    method: 'GET',
    path: `${path}/letter-text`,
    access: processReaders,
    shows: ['letter-text'],
    input: z.object({}),
    output: z.array(letterText),
  }),
  saveText: endpoint({
    method: 'PUT',
    path: `${path}/letter-text`,
    access: admissionHeads,
    changes: ['letter-text'],
    input: z
      .object({
        kind: oneOf(text`Letter`, decisionKinds),
        version: id,
        subject: freeText(text`Subject`, 150),
        body: freeText(text`Letter`, 4000),
      })
      .check(
        rule<LetterText>((draft, say) => {
          for (const name of ['subject', 'body'] as const) {
            const unknown = unknownVariable(draft[name] ?? '');
            if (unknown !== undefined) say(name, text`No letter has {${{ name: unknown }}}. Remove it.`);
          }
        }),
      ),
    output: z.object({}),
  }),
  /** The letter of the last released decision, as a PDF. */
  print: endpoint({
    method: 'GET',
    path: `${path}/:id/letter`,
    access: processReaders,
    opens: 'inquiry',
    ownTransactions: true,
    input: z.object({ id }),
    output: servedFile,
  }),
  /** The letters of the selected applications in one PDF, to print and post. */
  printMany: endpoint({
    method: 'POST',
    path: `${path}/letters`,
    access: processReaders,
    changes: [],
    ownTransactions: true,
    input: selection,
    output: servedFile,
  }),
};
