import { expect, test } from 'vitest';
import { unpromisedTitles } from './title-ids.ts';

const lines = (...texts: string[]) => texts.map((text) => ({ path: 'a.test.ts', text }));

test('a test title with an unknown id is reported', () => {
  const found = unpromisedTitles(lines("test('S001 A9 opens', () => {", 'test(', "  'F8 collects',"), ['S001']);
  expect(found).toEqual([
    'a.test.ts: “S001 A9 opens” begins with A9, which no acceptance.txt has.',
    'a.test.ts: “F8 collects” begins with F8, which no acceptance.txt has.',
  ]);
});

test('an id later in a title, or a key name in code, is ignored', () => {
  expect(unpromisedTitles(lines("test('the key F8 collects', () => {", "press('F8');"), [])).toEqual([]);
});
