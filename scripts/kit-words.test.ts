import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { schoolWordsIn } from './kit-words.ts';

const path = 'src/kit/browser/ui/Planted.tsx';

test.each([
  ['an identifier', 'export const homeworkCount = 1;'],
  ['a part of a name', 'export const a = { lastStudentName: 1 };'],
  ['a text', "export const a = 'took a teacher out';"],
  ['a template', 'export const a = `all grades`;'],
  ['the text of an element', 'export const A = () => <p>Ask the hospital</p>;'],
])('a word of a school in %s of the kit is found', (_, text) => {
  expect(schoolWordsIn([{ path, text }], [])).toHaveLength(1);
});

test.each([
  ['a comment', '// As a student of a grade.\nexport const a = 1;'],
  ['an element of HTML', 'export const A = () => <section>{new Date().getFullYear()}</section>;'],
  ['a longer word', 'export const upgraded = true;'],
])('a word of a school in %s is left alone', (_, text) => {
  expect(schoolWordsIn([{ path, text }], [])).toEqual([]);
});

test('an exception that nothing needs is found', () => {
  expect(schoolWordsIn([{ path, text: '' }], [{ path, holds: 'grade', reason: 'None.' }])).toHaveLength(1);
});

test('the check is part of what npm run check runs', () => {
  expect(readFileSync(join(import.meta.dirname, 'checks.ts'), 'utf8')).toContain("'scripts/kit-words.ts'");
});
