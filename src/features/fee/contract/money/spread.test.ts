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
