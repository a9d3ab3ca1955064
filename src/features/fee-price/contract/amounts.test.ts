import { expect, test } from 'vitest';
import { byDueDay, dueDaysOf, instalmentsOf, totalsOf } from './amounts.ts';
import { usualRows } from './frequency.ts';

const year = { startsOn: '2026-04-01', endsOn: '2027-03-31' };
const of = (kind: 'Monthly' | 'Quarterly' | 'Annual') => ({
  unit: 1,
  remainderSeq: 1,
  rows: usualRows(kind).map((row) => ({ ...row, label: '' })),
});
const total = (instalments: readonly { amount: number }[]) => instalments.reduce((sum, { amount }) => sum + amount, 0);

test('B4.7 a student who stays a whole year pays 12 × 5,000, 4 × 4,500 and 6,000, together 84,000', () => {
  const tuition = instalmentsOf(year, of('Monthly'), { annual: 6_000_000, months: null });
  const term = instalmentsOf(year, of('Quarterly'), { annual: 1_800_000, months: null });
  const annual = instalmentsOf(year, of('Annual'), { annual: 600_000, months: null });
  expect(tuition.map(({ amount }) => amount)).toEqual(Array(12).fill(500_000));
  expect(term.map(({ amount }) => amount)).toEqual(Array(4).fill(450_000));
  const due = byDueDay([...tuition, ...term, ...annual]);
  expect(total(due)).toBe(8_400_000);
  expect(due).toHaveLength(12);
  expect(due[0]).toEqual({ dueOn: '2026-04-10', amount: 1_550_000 });
  expect(due[1]).toEqual({ dueOn: '2026-05-10', amount: 500_000 });
});

test('an exam fee in September and February has two instalments', () => {
  const months = (1 << 5) | (1 << 10);
  expect(instalmentsOf(year, of('Monthly'), { annual: 240_000, months })).toEqual([
    { dueOn: '2026-09-10', amount: 120_000 },
    { dueOn: '2027-02-10', amount: 120_000 },
  ]);
});

test('months that no instalment has leave nothing to pay', () => {
  const short = { ...of('Quarterly'), rows: of('Quarterly').rows.slice(0, 1) };
  expect(instalmentsOf(year, short, { annual: 100, months: 1 << 11 })).toEqual([]);
});

test('the yearly total of existing students leaves out what only new students pay', () => {
  const tuition = { annual: 3_500_000, appliesTo: 'All students' as const };
  const admission = { annual: 1_500_000, appliesTo: 'New students' as const };
  expect(totalsOf([tuition])).toEqual([{ of: 'All students', total: 3_500_000 }]);
  expect(totalsOf([tuition, admission])).toEqual([
    { of: 'New students', total: 5_000_000 },
    { of: 'Existing students', total: 3_500_000 },
  ]);
});

test('the due days name what new students pay where it is another amount', () => {
  const on = (
    appliesTo: 'All students' | 'New students' | 'Existing students',
    ...instalments: [string, number][]
  ) => ({
    appliesTo,
    instalments: instalments.map(([dueOn, amount]) => ({ dueOn, amount })),
  });
  const tuition = on('All students', ['2026-06-10', 500], ['2026-07-10', 500]);
  expect(dueDaysOf([tuition]).map(({ forNew }) => forNew)).toEqual([null, null]);
  expect(
    dueDaysOf([tuition, on('New students', ['2026-06-10', 900]), on('Existing students', ['2026-08-10', 70])]),
  ).toEqual([
    { dueOn: '2026-06-10', amount: 500, forNew: 1_400 },
    { dueOn: '2026-07-10', amount: 500, forNew: null },
    { dueOn: '2026-08-10', amount: 70, forNew: 0 },
  ]);
});
