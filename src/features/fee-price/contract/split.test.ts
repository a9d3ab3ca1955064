import { expect, test } from 'vitest';
import { everyMonth, type Shares, split } from './split.ts';

const every = (count: number, shares?: readonly number[], more: Partial<Shares> = {}): Shares => ({
  unit: 1,
  remainderSeq: 1,
  rows: Array.from({ length: count }, (_, place) => ({
    seq: place + 1,
    fromMonth: (place * 12) / count,
    months: 12 / count,
    share: shares?.[place] ?? null,
  })),
  ...more,
});
const rupees = (amounts: readonly number[]) => amounts.map((paise) => paise / 100);
const withoutMay = everyMonth & ~(1 << 1);

test('B4.2 ₹1,00,000 in twelve months is 8,337 and eleven times 8,333', () => {
  expect(rupees(split(10_000_000, every(12)))).toEqual([8337, ...Array(11).fill(8333)]);
});

test('₹1,00,000 in twelve months of hundreds is eleven times 8,300, and 8,700 in the last', () => {
  const shares = every(12, undefined, { unit: 100, remainderSeq: 12 });
  expect(rupees(split(10_000_000, shares))).toEqual([...Array(11).fill(8300), 8700]);
});

test('₹10,001 in thirds by percent differs from equal thirds', () => {
  expect(rupees(split(1_000_100, every(3, [3333, 3333, 3334])))).toEqual([3334, 3333, 3334]);
  expect(rupees(split(1_000_100, every(3)))).toEqual([3335, 3333, 3333]);
});

test('₹6,000.50 over the months without May is 550.50 and ten times 545', () => {
  expect(rupees(split(600_050, every(12), withoutMay))).toEqual([550.5, 0, ...Array(10).fill(545)]);
});

test('a month that is left out gives its rest to the first month that is charged', () => {
  const amounts = split(600_050, every(12, undefined, { remainderSeq: 2 }), withoutMay);
  expect(rupees(amounts)).toEqual([550.5, 0, ...Array(10).fill(545)]);
});

test('a quarter with one of its months left out has two thirds of a whole quarter', () => {
  expect(rupees(split(1_100_000, every(4), withoutMay))).toEqual([2000, 3000, 3000, 3000]);
});

test('an exam fee falls in its two months only', () => {
  const september = 1 << 5;
  const february = 1 << 10;
  const amounts = split(240_000, every(12), september | february);
  expect(rupees(amounts)).toEqual([0, 0, 0, 0, 0, 1200, 0, 0, 0, 0, 1200, 0]);
});

test('B4.2 instalments total the annual amount, whatever the shares, the unit and the months', () => {
  let seed = 7;
  const random = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  for (let round = 0; round < 2000; round++) {
    const count = [1, 2, 3, 4, 6, 12][random(6)] ?? 1;
    const cut = Array.from({ length: count - 1 }, () => 1 + random(9000 / count));
    const shares = [...cut, 10_000 - cut.reduce((sum, share) => sum + share, 0)];
    const unit = [1, 10, 50, 100][random(4)] ?? 1;
    const given = every(count, random(2) ? shares : undefined, { unit, remainderSeq: 1 + random(12) });
    const annual = random(2) ? random(90_000_000) * 1_000_000 : random(100_000);
    const amounts = split(annual, given, 1 + random(everyMonth));
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(annual);
    expect(amounts.every((amount) => amount >= 0)).toBe(true);
  }
});

test('a mask without a month is refused', () => {
  expect(() => split(100, every(12), 0)).toThrow('No month');
});
