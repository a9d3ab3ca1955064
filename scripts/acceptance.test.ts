import { expect, test } from 'vitest';
import { compare, idsOf, readPromises } from './acceptance.ts';

test('the ids of a test are those its title begins with', () => {
  expect(idsOf('S021 B10 D3 K1.2 R.1 names are required, as S099 says')).toEqual(['S021', 'B10', 'D3', 'K1.2', 'R.1']);
  expect(idsOf('names are required (S021)')).toEqual([]);
});

test('an id is a letter or a group of two, and the number of its check', () => {
  const groups = ['MC', 'MB', 'MP', 'WD', 'CO', 'TB', 'CM', 'GP', 'DL', 'FM', 'UP', 'OP', 'IN', 'LG', 'RG'];
  const ids = ['Z1', 'Z19', 'Q1.2', 'U12.10', ...groups.flatMap((group) => [`${group}1`, `${group}18`])];
  expect(idsOf(`${ids.join(' ')} holds`)).toEqual(ids);
  for (const word of ['MC', 'MC100', 'XY1', 'U1', 'Q2', 'Z1.2', 'S1.2', 'mc1'])
    expect([word, idsOf(word)]).toEqual([word, []]);
});

test('a promise without a passing test, and an id that nobody promised, are found', () => {
  const { unproved, unknown } = compare(['S001', 'S002'], ['S001 opens', 'S003 closes']);
  expect({ unproved, unknown }).toEqual({ unproved: ['S002'], unknown: ['S003'] });
});

test('the ids of every feature are promised beside those of no single feature', () => {
  const promises = readPromises();
  expect(promises).toEqual(expect.arrayContaining(['B1', 'S001', 'K4.1']));
  expect(compare(promises, []).twice).toEqual([]);
  expect(readPromises({ feature: 'student' })).toContain('K4.1');
  expect(readPromises({ feature: 'student' })).not.toContain('B1');
});

test('an id is for soak or for the tests, by the mark at the end of its line', () => {
  expect(readPromises({ by: 'soak' })).toContain('J10');
  expect(readPromises({ by: 'test' })).not.toContain('J10');
  expect([...readPromises({ by: 'soak' }), ...readPromises({ by: 'test' })].sort()).toEqual(readPromises().sort());
});

test('an id that stands in two files is found', () => {
  expect(compare([...readPromises(), ...readPromises({ feature: 'tag' })], []).twice).toEqual(
    readPromises({ feature: 'tag' }),
  );
});
