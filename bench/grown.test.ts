import { expect, test } from 'vitest';
import { grownOf, linesOfGrowth } from './grown.ts';

test('a statement is named that costs thrice as much for eight times the children, and neither a quick nor a flat one', () => {
  const of = (statement: string, ms: number, page = '/fee/student') => ({ page, statement, ms });
  const small = [
    of('select flat', 30),
    of('select quick', 0.1),
    of('select grown', 9),
    of('select grown', 4, '/student'),
  ];
  const large = [
    of('select flat', 60),
    of('select quick', 15),
    of('select grown', 40),
    of('select  grown', 25, '/fee/student'),
    of('select grown', 90, '/student'),
    of('select new', 21),
  ];
  const grown = grownOf(small, large);
  expect(grown).toEqual([
    { page: '/student', statement: 'select grown', small: 9, large: 90 },
    { page: '/fee/student', statement: 'select  grown', small: 0, large: 25 },
    { page: '/fee/student', statement: 'select new', small: 0, large: 21 },
  ]);
  expect(linesOfGrowth(grown.slice(1, 2))).toBe('  0.0 -> 25.0 ms  /fee/student\n    select grown\n');
});
