import { expect, test } from 'vitest';
import { busyPagesOf, grownOf, grownPagesOf, linesOfBusy, linesOfGrowth, linesOfPages } from './grown.ts';

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

test('a page is marked that grows by half, or reads more than twenty times what it answers', () => {
  const small = [
    { page: '/student', statement: 'select page', ms: 8 },
    { page: '/student', statement: 'select count', ms: 4 },
    { page: '/fee', statement: 'select due', ms: 9 },
  ];
  const large = [
    { page: '/student', statement: 'select page', ms: 8, rows: 26, reads: 520 },
    { page: '/student', statement: 'select count', ms: 11, rows: 1, reads: 500 },
    { page: '/fee', statement: 'select due', ms: 13, rows: 1, reads: 501 },
    { page: '/quick', statement: 'select quick', ms: 9 },
  ];
  const pages = grownPagesOf(small, large);
  expect(pages).toEqual([
    { page: '/student', small: 12, large: 19, marks: ['GREW'] },
    { page: '/fee', small: 9, large: 13, marks: ['READS 501 FOR 1'] },
  ]);
  expect(linesOfPages(pages)).toBe('  12.0 -> 19.0 ms  /student  GREW\n  9.0 -> 13.0 ms  /fee  READS 501 FOR 1\n');
});

test('a page is named that takes more than 50 ms of processor', () => {
  const busy = busyPagesOf([
    { page: '/quick', ms: 50 },
    { page: '/slow', ms: 50.1 },
    { page: '/slowest', ms: 120 },
  ]);
  expect(linesOfBusy(busy)).toBe('  120.0 ms of processor  /slowest\n  50.1 ms of processor  /slow\n');
});
