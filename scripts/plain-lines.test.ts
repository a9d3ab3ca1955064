import { expect, test } from 'vitest';
import { addedLines, unplainLines, wordsOf } from './plain-lines.ts';

const diff = (path: string, ...lines: string[]) =>
  [`--- a/${path}`, `+++ b/${path}`, '@@ -1,0 +1,9 @@', ...lines].join('\n');
const problems = (...given: Parameters<typeof diff>) => unplainLines(wordsOf(addedLines(diff(...given))));

test.each([
  ['a title', 'a.test.ts', "+test('whoever signs in', () => {", 'whoever'],
  ['a title of a table', 'a.test.ts', '+])(`it begins anew`, () => {', 'anew'],
  ['a title of soak', 'a.test.ts', "+  soak('it begins anew', () => {", 'anew'],
  ['a title of a browser test', 'a.spec.ts', '+test("it begins anew", () => {', 'anew'],
  ['a doc comment', 'a.ts', '+/** Begins anew. */', 'anew'],
  ['a line of a doc comment', 'a.ts', '+ * Begins anew.', 'anew'],
  ['a comment', 'a.tsx', '+  // Begins anew.', 'anew'],
  ['a comment after code', 'a.ts', '+  begin(); // Anew.', 'Anew'],
  ['a comment of a migration', 'a.sql', '+-- Begins anew.', 'anew'],
])('%s with such a word is refused', (_what, path, line, word) => {
  expect(problems(path, line)).toEqual([expect.stringContaining(`says “${word}”`)]);
});

test('a title on the line after its call is read', () => {
  expect(problems('a.test.ts', '+soak(', "+  'it begins anew',", '+  async () => {')).toHaveLength(1);
});

test('lines that were there, removed lines and code may use any word', () => {
  expect(problems('a.ts', '-// Begins anew.', ' // Begins anew.', "+const word = 'anew';", '+anew();')).toEqual([]);
  expect(problems('a.test.ts', "+expect(word).toBe('anew');", "+  'anew',")).toEqual([]);
});

test('a commit subject is checked as it is', () => {
  expect(unplainLines([{ path: 'commit', text: 'Begin anew' }])).toEqual([
    'commit: “Begin anew” says “anew”; say: again, new.',
  ]);
});
