import { expect, test } from 'vitest';
import { type Payable, spread } from './spread.ts';

const line = (key: string, dueOn: string, owed: number, priority = 10, isFine = false): Payable => ({
  key,
  dueOn,
  owed,
  priority,
  isFine,
});

test('B5.8 money pays the oldest dues of a family first, by priority, and the fine of a day after its dues', () => {
  const lines = [
    line('fine of November', '2026-11-10', 22_000, 100, true),
    line('transport', '2026-11-10', 180_000, 90),
    line('tuition', '2026-11-10', 500_000, 30),
    line('term', '2026-10-10', 150_000, 40),
    line('fine of October', '2026-10-10', 50_000, 100, true),
    line('tuition of the sister', '2026-11-10', 420_000, 30),
  ];
  const { parts, left } = spread(1_200_000, lines);
  expect(Object.fromEntries(parts)).toEqual({
    term: 150_000,
    'fine of October': 50_000,
    tuition: 500_000,
    'tuition of the sister': 420_000,
    transport: 80_000,
  });
  expect(left).toBe(0);
  expect(spread(2_000_000, lines).left).toBe(2_000_000 - 1_322_000);
  expect(spread(0, lines).parts.size).toBe(0);
});

test('B5.48 ₹7,500 for dues of 5,000 in April and in May pay April in full and half of May', () => {
  const lines = [line('May', '2026-05-10', 500_000), line('April', '2026-04-10', 500_000)];
  const { parts, left } = spread(750_000, lines);
  expect([...parts]).toEqual([
    ['April', 500_000],
    ['May', 250_000],
  ]);
  expect(left).toBe(0);
});
