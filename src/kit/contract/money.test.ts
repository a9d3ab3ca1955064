import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { messagesOf } from '#testing/messages.ts';
import {
  money,
  mostMoney,
  percent,
  readMoney,
  readPercent,
  showMoney,
  showPercent,
  showRupees,
  typedMoney,
} from './money.ts';
import { verbatim } from './text.ts';

test.each([
  [0, '₹0.00'],
  [5, '₹0.05'],
  [12_500_000, '₹1,25,000.00'],
  [12_500_050, '₹1,25,000.50'],
  [-10_000, '-₹100.00'],
  [mostMoney, '₹9,00,00,00,00,000.00'],
  // The highest whole number of JavaScript: a division would round its paise.
  [Number.MAX_SAFE_INTEGER, '₹9,00,71,99,25,47,409.91'],
])('%d paise are shown as %s', (paise, shown) => {
  expect(showMoney(paise)).toBe(shown);
});

describe('a typed amount', () => {
  test.each([
    ['1,25,000.50', 12_500_050],
    ['125000.5', 12_500_050],
    ['125,000', 12_500_000],
    ['₹ 500', 50_000],
    ['Rs. 500', 50_000],
    ['૧,૨૫,૦૦૦', 12_500_000],
    ['0.05', 5],
    ['1,000', 100_000],
    ['5000/-', 500_000],
    ['₹5,000/-', 500_000],
    ['Rs. 1,25,000/- only', 12_500_000],
    ['5000 Rs', 500_000],
    ['5000 Rs.', 500_000],
    ['5000 INR', 500_000],
    ['5000₹', 500_000],
    ['5000.', 500_000],
    ['5 000', 500_000],
    ['Rupees 1,23,456.50 only', 12_345_650],
    ['₹ ૫,૦૦૦/-', 500_000],
  ])('%s is read', (typed, paise) => {
    expect(readMoney(typed)).toBe(paise);
  });

  test.each([
    '',
    '1.234',
    '10.005',
    '1,5',
    '12,50',
    '5000,00',
    '5 0',
    '1.2.3',
    '-5',
    '5e3',
    '5k',
    '1,,000',
    '.50',
    '5..',
    'five',
    '1,25,000,50',
    ' , ',
    '/-',
    '₹',
    'only',
  ])('“%s” is refused', (typed) => {
    expect(readMoney(typed)).toBeUndefined();
  });

  test('is read again from what a box shows', () => {
    for (const paise of [0, 1, 99, 100, 12_500_050, mostMoney]) expect(readMoney(typedMoney(paise))).toBe(paise);
  });
});

test('a percentage is read and shown in hundredths', () => {
  expect(['33.33', '20', '20 %', '12.5', '100'].map(readPercent)).toEqual([3333, 2000, 2000, 1250, 10_000]);
  expect(['12.345', '1000', '', '-1', '1.2.3'].map(readPercent)).toEqual(Array(5).fill(undefined));
  expect([3333, 2000, 1250].map(showPercent)).toEqual(['33.33 %', '20 %', '12.5 %']);
});

test('a field takes paise or typed rupees, and names its limits', () => {
  const label = verbatim('Amount');
  const fields = z.object({
    amount: money(label, { least: 100 }),
    share: percent(label),
    rest: money(label, { optional: true }),
  });
  expect(fields.parse({ amount: 12_500, share: '33.33', rest: '' })).toEqual({
    amount: 12_500,
    share: 3333,
    rest: null,
  });
  expect(fields.parse({ amount: '125', share: 3333 })).toEqual({ amount: 12_500, share: 3333, rest: null });
  expect(messagesOf(fields, { amount: '0.50', share: '101', rest: '1.234' })).toEqual({
    amount: 'Enter an amount from ₹1.00 to ₹9,00,00,00,00,000.00.',
    share: 'Enter a percentage from 0 to 100.',
    rest: 'Enter an amount, such as 1,25,000.50.',
  });
  expect(messagesOf(fields, { amount: '', share: 1.5 })).toEqual({
    amount: 'Amount is required.',
    share: 'Enter a percentage, such as 12.5.',
  });
});

test('an amount in a sentence has paise only where it has some', () => {
  expect([12_500_00, 12_500_50, -100_00].map(showRupees)).toEqual(['₹12,500', '₹12,500.50', '-₹100']);
});
