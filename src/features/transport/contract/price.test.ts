import { expect, test } from 'vitest';
import { months } from './masters.ts';
import { monthCharge, monthPrice, type Ride, type SlabPrice } from './price.ts';

const slab = (rupees: number, without = ''): SlabPrice => ({
  monthAmount: rupees * 100,
  oneWayShare: 6000,
  months: months.filter((month) => month !== without),
});
const [a, b] = [slab(1500), slab(2000)];
const ride = (price: SlabPrice, from: string, to = '', over: Partial<Ride> = {}): Ride => ({
  from,
  to,
  billedFrom: from,
  isFree: false,
  pickup: price,
  drop: price,
  ...over,
});
const charges = (rides: Ride[], ...asked: string[]) => asked.map((month) => monthCharge(rides, month, 5) / 100);

test('V3 a ride that begins by the cut-off day is charged from that month, a later one from the next', () => {
  expect(charges([ride(a, '2026-10-05')], '2026-09', '2026-10', '2026-11')).toEqual([0, 1500, 1500]);
  expect(charges([ride(a, '2026-10-06')], '2026-10', '2026-11')).toEqual([0, 1500]);
});

test('V3 a dearer stop from 3 October costs more from October, one from 12 October from November', () => {
  const early = [ride(a, '2026-06-01', '2026-10-02'), ride(b, '2026-10-03')];
  expect(charges(early, '2026-09', '2026-10', '2026-11')).toEqual([1500, 2000, 2000]);
  const late = [ride(a, '2026-06-01', '2026-10-11'), ride(b, '2026-10-12')];
  expect(charges(late, '2026-10', '2026-11')).toEqual([1500, 2000]);
});

test('V3 a rider who leaves pays the current month in full and nothing afterwards', () => {
  for (const last of ['2026-11-20', '2026-11-03'])
    expect(charges([ride(a, '2026-06-01', last)], '2026-11', '2026-12')).toEqual([1500, 0]);
  expect(charges([ride(a, '2026-06-01', '2026-10-31')], '2026-11')).toEqual([0]);
  expect(charges([ride(a, '2026-10-12', '2026-10-20')], '2026-10', '2026-11')).toEqual([1500, 0]);
  const gap = [ride(a, '2026-06-01', '2026-10-03'), ride(b, '2026-10-20')];
  expect(charges(gap, '2026-10', '2026-11')).toEqual([1500, 2000]);
});

test('V3 one way costs its share to the rupee, both ways that of the dearer stop', () => {
  expect(monthPrice({ isFree: false, pickup: slab(1555), drop: undefined }, '2026-06')).toBe(93_300);
  expect(monthPrice({ isFree: false, pickup: a, drop: b }, '2026-06')).toBe(200_000);
  const added = [ride(b, '2026-06-01', '2026-12-09', { drop: undefined }), ride(b, '2026-12-10')];
  expect(charges(added, '2026-12', '2027-01')).toEqual([1200, 2000]);
});

test('V3 free riders, months without charge, stops without price and months before billing cost nothing', () => {
  expect(charges([ride(a, '2026-06-01', '', { isFree: true })], '2026-06')).toEqual([0]);
  expect(charges([ride(slab(1500, 'May'), '2026-06-01')], '2027-04', '2027-05')).toEqual([1500, 0]);
  expect(charges([ride(a, '2026-06-01', '', { pickup: null, drop: null })], '2026-06')).toEqual([0]);
  const late = [ride(a, '2026-06-01', '', { billedFrom: '2026-11-01' })];
  expect(charges(late, '2026-10', '2026-11')).toEqual([0, 1500]);
});
