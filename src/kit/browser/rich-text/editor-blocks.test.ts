import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { linkAddress } from '#kit/contract/link-address.ts';
import { type Block, mostCharacters, plainParagraphs, type Run, richText } from '#kit/contract/rich-text.ts';
import { text } from '#kit/contract/text.ts';
import { randomFrom } from '#kit/server/random.ts';
import { blocksOf, documentOf, type EditorNode } from './editor-blocks.ts';

const draw = randomFrom(20261127);

function randomRuns(): Run[] {
  const styles = [
    {},
    { isBold: true },
    { isItalic: true },
    { isBold: true, isItalic: true },
    { link: 'https://school.example/' },
  ];
  const first = draw.upTo(styles.length);
  // Neighbours differ in style: the editor joins those that do not.
  return Array.from({ length: 1 + draw.upTo(3) }, (_, place) => ({
    text: ['Sports day', 'શાળા બંધ છે', ' <b>bold</b> ', '10:30'][draw.upTo(4)] as string,
    ...styles[(first + place) % styles.length],
  }));
}

function randomBlocks(): Block[] {
  let level = -1;
  return Array.from({ length: 1 + draw.upTo(12) }, (): Block => {
    const kind = (['paragraph', 'heading', 'bullet', 'number'] as const)[draw.upTo(4)] as Block['kind'];
    if (kind === 'paragraph' || kind === 'heading') {
      level = -1;
      return { kind, level: kind === 'heading' ? 1 + draw.upTo(2) : 0, runs: randomRuns() };
    }
    level = draw.upTo(Math.min(level + 1, 2) + 1);
    return { kind, level, runs: randomRuns() };
  });
}

test('a text stays the same through the editor’s document and back', () => {
  for (let turn = 0; turn < 500; turn += 1) {
    const blocks = randomBlocks();
    expect(blocksOf(documentOf(blocks))).toEqual(blocks);
  }
});

test('what a text can’t hold falls away with a pasted document', () => {
  const pasted: EditorNode = {
    type: 'doc',
    content: [
      { type: 'image', attrs: { src: 'https://evil.example/x.png' } },
      {
        type: 'paragraph',
        content: [
          { type: 'text', text: 'Read ' },
          {
            type: 'text',
            text: 'this',
            marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }, { type: 'blink' }],
          },
        ],
      },
      { type: 'paragraph' },
    ],
  };
  expect(blocksOf(pasted)).toEqual([{ kind: 'paragraph', level: 0, runs: [{ text: 'Read this' }] }]);
});

test.each([
  ['https://school.example/a?b=1', 'https://school.example/a?b=1'],
  ['mailto:office@school.example', 'mailto:office@school.example'],
  ['tel:+912612221100', 'tel:+912612221100'],
  ['http://school.example/', undefined],
  ['javascript:alert(1)', undefined],
  [' java\nscript:alert(1)', undefined],
  ['data:text/html,<script>', undefined],
  ['//evil.example', undefined],
  ['/school-erp', undefined],
  [`https://school.example/${'a'.repeat(500)}`, undefined],
])('a link to %j is stored as %j', (typed, stored) => {
  expect(linkAddress(typed)).toBe(stored);
});

const schema = z.object({ body: richText(text`Text`) });
const isAccepted = (body: unknown) => schema.safeParse({ body }).success;
const paragraph = (...runs: object[]) => ({ kind: 'paragraph', level: 0, runs });

test('a text is refused when it is empty, too long, of too many blocks or with an unsafe link', () => {
  expect(isAccepted([paragraph({ text: 'x'.repeat(mostCharacters) })])).toBe(true);
  expect(isAccepted([])).toBe(false);
  expect(isAccepted([paragraph({ text: '  ' })])).toBe(false);
  expect(isAccepted([paragraph({ text: 'x'.repeat(mostCharacters) }), paragraph({ text: 'x' })])).toBe(false);
  expect(isAccepted(Array.from({ length: 301 }, () => paragraph({ text: 'x' })))).toBe(false);
  expect(isAccepted([paragraph(...Array.from({ length: 51 }, () => ({ text: 'x' })))])).toBe(false);
  expect(isAccepted([paragraph({ text: 'x', link: 'javascript:alert(1)' })])).toBe(false);
  expect(isAccepted([{ kind: 'script', level: 0, runs: [{ text: 'x' }] }])).toBe(false);
  expect(isAccepted([paragraph({ text: 'a\u0000b' })])).toBe(false);
});

test('paragraphs of an email have the words of the text, with marks for lists', () => {
  const blocks: Block[] = [
    { kind: 'heading', level: 1, runs: [{ text: 'Sports day' }] },
    { kind: 'bullet', level: 0, runs: [{ text: 'Bring ' }, { text: 'water', isBold: true }] },
    { kind: 'number', level: 1, runs: [{ text: 'First' }] },
  ];
  expect(plainParagraphs(blocks)).toEqual(['Sports day', '• Bring water', '– First']);
});
