import { expect, test } from 'vitest';
import { explain, type Journal } from './live.ts';

const line = { isWrong: false, status: 200, code: '', students: [7], tries: 1 };
const journal: Journal = [
  { ...line, day: '2044-06-01', act: 'two records merged', request: 'lost' },
  ...['02', '03', '04', '05'].map((day) => ({
    ...line,
    ...{ day: `2044-06-${day}`, act: day === '05' ? 'a register' : 'a payment', request: day },
  })),
];

test('the history of a breach names the act that it is about, and no register', () => {
  const broken = { student: 7, request: 'lost', words: 'not in the log' };
  expect(explain(journal, { name: 'what screens and the log say', broken }).split('\n  ')).toEqual([
    'what screens and the log say: student 7, not in the log',
    '2044-06-01 two records merged',
    '2044-06-02 a payment',
    '2044-06-03 a payment',
    '2044-06-04 a payment',
  ]);
});

test('an act among the newest is named once', () => {
  const broken = { student: 7, request: '03', words: 'not in the log' };
  expect(explain(journal, { name: 'log', broken }).split('\n  ').slice(1)).toEqual([
    '2044-06-02 a payment',
    '2044-06-03 a payment',
    '2044-06-04 a payment',
  ]);
});
