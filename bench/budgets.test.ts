import { expect, test } from 'vitest';
import { type Figure, lastOf, remarksOn, tableOf } from './budgets.ts';

const figure = (value: number, more: Partial<Figure> = {}): Figure => ({ name: 'Page', value, unit: 'ms', ...more });

test('a figure that grew by more than a third is marked, and one over its budget', () => {
  expect(remarksOn(figure(13), 10)).toEqual([]);
  expect(remarksOn(figure(14), 10)).toEqual(['GREW']);
  expect(remarksOn(figure(1), 0)).toEqual(['GREW']);
  expect(remarksOn(figure(14, { most: 12 }), undefined)).toEqual(['over its budget']);
  expect(remarksOn(figure(14, { most: 12 }), 10)).toEqual(['GREW', 'over its budget']);
});

test('each figure stands beside its SQL alone, the last result and its budget', () => {
  const table = tableOf([figure(14, { bare: 5, most: 20 }), figure(3, { name: 'New page' })], new Map([['Page', 10]]));
  expect(table.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['now', 'bare SQL', 'last', 'at most'],
    ['Page', '14 ms', '5 ms', '10 ms', '20 ms', 'GREW'],
    ['New page', '3 ms'],
    [''],
  ]);
});

test('the last value of a figure is that of the newest result that has it', () => {
  const [older, newer] = [[figure(1), figure(2, { name: 'Form' })], [figure(3)]];
  expect([...lastOf([{ figures: older }, { figures: newer }])]).toEqual([
    ['Page', 3],
    ['Form', 2],
  ]);
});
