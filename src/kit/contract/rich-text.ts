// Text in blocks: paragraphs, headings and lists. It is stored and sent as data; no HTML of a user exists (decision 0110).
import * as z from 'zod/mini';
import { because, fieldInfo, isRequired } from './fields.ts';
import { linkAddress } from './link-address.ts';
import { listOf } from './list.ts';
import { isStorable } from './storable.ts';
import { type Text, text } from './text.ts';

const blockKinds = ['paragraph', 'heading', 'bullet', 'number'] as const;

const mostBlocks = 300;
const mostRuns = 50;
export const mostCharacters = 10_000;
/** The deepest level of a list, and of headings. */
export const deepestLevel = 2;

const invalidLink = text`Links may begin with https:, mailto: or tel: only.`;
const unstorable = text`This contains a character that can’t be stored. Type it again.`;

/** Characters of one style. A line break within a paragraph is `\n`. */
const run = z.object({
  text: z.string().check(z.minLength(1), z.maxLength(mostCharacters), z.refine(isStorable, because(unstorable))),
  isBold: z.optional(z.boolean()),
  isItalic: z.optional(z.boolean()),
  link: z.optional(z.string().check(z.refine((link) => linkAddress(link) === link, because(invalidLink)))),
});
export type Run = z.infer<typeof run>;

const block = z.object({
  kind: z.enum(blockKinds),
  level: z._default(z.int().check(z.gte(0), z.lte(deepestLevel)), 0),
  runs: listOf(run, { most: mostRuns }),
});
export type Block = z.infer<typeof block>;

/** The blocks of a text that was checked before it was stored. */
export const storedBlocks = z.array(
  z.object({ kind: z.enum(blockKinds), level: z.number(), runs: z.array(run) }),
) as z.ZodMiniType<Block[]>;

const charactersOf = (blocks: readonly Block[]) =>
  blocks.reduce((sum, { runs }) => sum + runs.reduce((length, run) => length + run.text.length, 0), 0);

/** A text in blocks, of at most `mostCharacters`. */
export function richText(label: Text) {
  const tooLong = text`Use at most ${{ max: mostCharacters }} characters.`;
  const tooManyParts = text`Use at most ${{ most: mostBlocks }} paragraphs.`;
  return listOf(block, { most: mostBlocks, many: tooManyParts })
    .check(
      z.refine((blocks) => charactersOf(blocks) <= mostCharacters, because(tooLong)),
      z.refine((blocks) => plainText(blocks).trim() !== '', because(isRequired(label))),
    )
    .register(fieldInfo, { label, max: mostCharacters, optional: false });
}

/** Whether a text is paragraphs without styles. */
export const isPlain = (blocks: readonly Block[]): boolean =>
  blocks.every(
    ({ kind, runs }) =>
      kind === 'paragraph' && runs.every((run) => Object.keys(run).join() === 'text') && runs.length < 2,
  );

/** Typed lines as paragraphs. */
export const paragraphsOf = (typed: string): Block[] =>
  typed.split('\n').map((line) => ({ kind: 'paragraph', level: 0, runs: line === '' ? [] : [{ text: line }] }));

const marks: Partial<Record<Block['kind'], string>> = { bullet: '• ', number: '– ' };

/** The text of a block without styles. */
const wordsOf = ({ runs }: Block) => runs.map((run) => run.text).join('');

/** The paragraphs of a text without styles, for emails, papers and searches. */
export const plainParagraphs = (blocks: readonly Block[]): string[] =>
  blocks.filter((block) => wordsOf(block).trim() !== '').map((block) => `${marks[block.kind] ?? ''}${wordsOf(block)}`);

export const plainText = (blocks: readonly Block[]): string => plainParagraphs(blocks).join('\n');
