import { expect, test } from 'vitest';
import { spread } from './spread.ts';

const children = (girls: number, boys: number) => [
  ...Array.from({ length: girls }, (_, n) => ({ id: n + 1, gender: 'F' })),
  ...Array.from({ length: boys }, (_, n) => ({ id: 101 + n, gender: 'M' })),
];
const section = (id: number, capacity: number, girls = 0, boys = 0) => ({
  ...{ id, capacity, girls, boys, strength: girls + boys },
});
const countsOf = (given: Map<number, number>, id: number) => {
  const ids = [...given].filter(([, section]) => section === id).map(([child]) => child);
  return [ids.filter((child) => child < 100).length, ids.filter((child) => child > 100).length];
};

test('girls and boys are spread evenly over the sections', () => {
  const given = spread(children(10, 20), [section(1, 40), section(2, 40)]);
  expect([countsOf(given, 1), countsOf(given, 2)]).toEqual([
    [5, 10],
    [5, 10],
  ]);
});

test('a section that has fewer girls gets more of them, until they are even', () => {
  const given = spread(children(4, 0), [section(1, 40, 6, 2), section(2, 40, 2, 6)]);
  expect([countsOf(given, 1), countsOf(given, 2)]).toEqual([
    [0, 0],
    [4, 0],
  ]);
});

test('no section gets more than it holds, and who finds no seat has none', () => {
  const given = spread(children(5, 5), [section(1, 4), section(2, 3, 0, 1)]);
  expect(given.size).toBe(6);
  expect(countsOf(given, 1).reduce((sum, n) => sum + n)).toBe(4);
  expect(countsOf(given, 2).reduce((sum, n) => sum + n)).toBe(2);
  expect(spread(children(1, 1), [])).toEqual(new Map());
});
