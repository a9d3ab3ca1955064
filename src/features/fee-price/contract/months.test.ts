import { expect, test } from 'vitest';
import { usualRows } from './frequency.ts';
import { daysOf, monthOf, type YearDays } from './months.ts';

const april = { startsOn: '2026-04-01', endsOn: '2027-03-31' };
const june = { startsOn: '2026-06-15', endsOn: '2027-05-31' };
const dueDays = (year: YearDays) => usualRows('Quarterly').map((row) => daysOf(year, row).dueOn);

test('B1.1 quarters are due on the 10th of their first month, counted from the first month of the year', () => {
  expect(dueDays(april)).toEqual(['2026-04-10', '2026-07-10', '2026-10-10', '2027-01-10']);
  expect(dueDays(june)).toEqual(['2026-06-10', '2026-09-10', '2026-12-10', '2027-03-10']);
});

test('W31 where due days move off holidays, a Sunday becomes Monday and a holiday at the end of a month the next month', () => {
  const daysOff = new Set(['2027-01-10', '2026-10-30', '2026-10-31', '2026-11-01']);
  expect(dueDays({ ...april, daysOff })).toEqual(['2026-04-10', '2026-07-10', '2026-10-10', '2027-01-11']);
  const period = { fromMonth: 6, months: 1, dueMonth: 6, dueDay: 30 };
  expect(daysOf({ ...april, daysOff }, period)).toMatchObject({ to: '2026-10-31', dueOn: '2026-11-02' });
});

test('a period has whole months, but for a year that starts within one', () => {
  const period = { fromMonth: 0, months: 3, dueMonth: 0, dueDay: 10 };
  expect(daysOf(april, period)).toMatchObject({ from: '2026-04-01', to: '2026-06-30' });
  expect(daysOf(june, period)).toMatchObject({ from: '2026-06-15', to: '2026-08-31' });
  expect(daysOf(june, { ...period, fromMonth: 9 })).toMatchObject({ from: '2027-03-01', to: '2027-05-31' });
  expect(monthOf(april, 12)).toBe('2027-04');
});

test('the usual instalments of each kind are the twelve months of a year, each once', () => {
  for (const kind of ['Monthly', 'Bi-monthly', 'Quarterly', 'Half-yearly', 'Annual', 'One-time'] as const) {
    const months = usualRows(kind).flatMap(({ fromMonth, months }) =>
      Array.from({ length: months }, (_, month) => fromMonth + month),
    );
    expect([kind, months]).toEqual([kind, Array.from({ length: 12 }, (_, month) => month)]);
  }
});
