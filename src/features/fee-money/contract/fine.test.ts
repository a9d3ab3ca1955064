import { expect, test } from 'vitest';
import { type FineTerms, fineAsOf, type LateDues, staysOf } from './fine.ts';

const perDay: FineTerms = { kind: 'Per day', amount: 2_000, graceDays: 5, maxAmount: 50_000, slabs: [] };
const of = (dueOn: string, net: number, paid: { day: string; amount: number }[] = []): LateDues => ({
  dueOn,
  fineFrom: null,
  dues: [{ net, money: paid }],
  stays: [],
});
const july = of('2026-07-10', 500_000);

test('B5.6 a fine counts from the day after grace, with the day of payment', () => {
  expect(fineAsOf(perDay, july, '2026-07-25')).toEqual({ amount: 20_000, days: 10 });
  expect(fineAsOf(perDay, july, '2026-07-15')).toEqual({ amount: 0, days: 0 });
  expect(fineAsOf(perDay, july, '2026-07-16')).toEqual({ amount: 2_000, days: 1 });
  // It stops once nothing is unpaid at the start of a day.
  const paid = of('2026-07-10', 500_000, [{ day: '2026-07-16', amount: 500_000 }]);
  expect(fineAsOf(perDay, paid, '2026-08-31')).toEqual({ amount: 2_000, days: 1 });
  const part = of('2026-07-10', 500_000, [{ day: '2026-07-16', amount: 499_999 }]);
  expect(fineAsOf(perDay, part, '2026-07-25').days).toBe(10);
});

test('B5.6 a fine has a limit: 47 days of ₹20 are ₹500', () => {
  expect(fineAsOf(perDay, july, '2026-08-31')).toEqual({ amount: 50_000, days: 47 });
  expect(fineAsOf({ ...perDay, maxAmount: null }, july, '2026-08-31').amount).toBe(94_000);
});

test('B5.7 days on which a concession waits for its decision do not count', () => {
  const stayed = { ...july, stays: [{ from: '2026-07-20', to: '2026-07-27' }] };
  expect(fineAsOf(perDay, july, '2026-07-31').amount).toBe(32_000);
  expect(fineAsOf(perDay, stayed, '2026-07-31')).toEqual({ amount: 16_000, days: 8 });
});

test('one fine is for all dues of a day, for as long as one of them is unpaid, and not before a chosen day', () => {
  const two: LateDues = {
    ...july,
    dues: [
      { net: 500_000, money: [{ day: '2026-07-18', amount: 500_000 }] },
      { net: 100_000, money: [{ day: '2026-07-20', amount: 100_000 }] },
    ],
  };
  expect(fineAsOf(perDay, two, '2026-07-31').days).toBe(5);
  expect(fineAsOf(perDay, { ...july, fineFrom: '2026-07-24' }, '2026-07-25').days).toBe(2);
  expect(fineAsOf(perDay, { ...july, fineFrom: '2026-07-01' }, '2026-07-25').days).toBe(10);
});

test('a fine of slabs is the highest reached, and a fine of one time never grows', () => {
  const slabs: FineTerms = {
    ...perDay,
    kind: 'Slab',
    amount: null,
    maxAmount: null,
    slabs: [
      { fromDay: 1, amount: 5_000 },
      { fromDay: 16, amount: 15_000 },
    ],
  };
  expect(fineAsOf(slabs, july, '2026-07-30').amount).toBe(5_000);
  expect(fineAsOf(slabs, july, '2026-07-31').amount).toBe(15_000);
  const once: FineTerms = { ...perDay, kind: 'One time', amount: 10_000, maxAmount: null };
  expect(fineAsOf(once, july, '2026-07-15').amount).toBe(0);
  expect(fineAsOf(once, july, '2026-12-31').amount).toBe(10_000);
});

test('requests that were not approved stop a fine on 15 days at most, each counted once; an approved request on all its days', () => {
  const ask = (from: string, to: string, isApproved = false) => ({ from, to, isApproved });
  const daysOf = (...asked: Parameters<typeof staysOf>[0]) => staysOf(asked).length;
  expect(daysOf(ask('2026-11-01', '2026-11-10'), ask('2026-11-05', '2026-11-12'))).toBe(12);
  expect(daysOf(ask('2026-11-01', '2026-11-10'), ask('2026-11-20', '2026-12-31'))).toBe(15);
  expect(staysOf([ask('2026-11-01', '2026-12-31', true)])).toMatchObject([{ from: '2026-11-01', to: '2026-12-31' }]);
});
