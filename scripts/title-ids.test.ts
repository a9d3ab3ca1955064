import { expect, test } from 'vitest';
import { testsLeftOut, unpromisedTitles, unusableIds } from './title-ids.ts';

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

test('a test that npm test would leave out is reported, unless the machine lacks an ability', () => {
  const leftOut = testsLeftOut(
    lines(
      'test.runIf(isSoak)(',
      "test.skip('opens', () => {",
      'describe.skipIf(isSlow)(',
      'test.runIf(canBring(name))(',
    ),
  );
  expect(leftOut).toHaveLength(3);
  expect(leftOut[0]).toBe(
    'a.test.ts: “test.runIf(isSoak)(” would not run. A test for soak alone is written with soak().',
  );
});

test('a promised id that no title can begin with is reported', () => {
  expect(unusableIds(['S001', 'Q1.18', 'XY1'])).toEqual([
    'The id XY1 of an acceptance.txt has none of the forms in scripts/acceptance.ts.',
  ]);
});
