import { expect, test } from 'vitest';
import { everyMonth, split } from '../split.ts';
import { applyConcessions, type ConcededCharge, type Concession, type ConcessionValue } from './concession.ts';

const tuition = 1;
const term = 2;
const paise = (rupees: number) => rupees * 100;
const rupees = (amounts: readonly number[]) => amounts.map((amount) => amount / 100);
const year = Array.from({ length: 12 }, (_, month) => month);

/** A due for each month, of amounts in paise. */
const monthly = (amounts: readonly number[], feeHeadId = tuition): ConcededCharge[] =>
  amounts.map((amount, month) => ({
    feeHeadId,
    isDiscountable: true,
    months: [{ month, amount, annual: sumOf(amounts) }],
  }));
const flat = (amount: number, count = 12) => monthly(Array(count).fill(paise(amount)));
const whole = (amount: number, more: Partial<ConcededCharge> = {}): ConcededCharge => ({
  feeHeadId: tuition,
  isDiscountable: true,
  months: [{ month: 0, amount: paise(amount), annual: paise(amount) }],
  ...more,
});

let count = 0;
const concession = (value: ConcessionValue, more: Partial<Concession> = {}): Concession => {
  const id = ++count;
  return {
    id,
    discountId: id,
    value,
    headIds: null,
    fromMonth: 0,
    toMonth: 11,
    priority: 50,
    group: '',
    maxAmount: null,
    isUncapped: false,
    ...more,
  };
};
const percent = (value: number, more: Partial<Concession> = {}) =>
  concession({ kind: 'Percent', percent: value * 100 }, more);
const fixed = (amount: number, more: Partial<Concession> = {}) =>
  concession({ kind: 'Fixed', amount: paise(amount), months: year }, { headIds: [tuition], ...more });

const staff = percent(20, { group: 'A', priority: 1 });
const sibling = percent(10, { group: 'B', priority: 2 });
const merit = percent(40, { group: 'C', priority: 3 });
const uncapped = { cap: 10_000 };
const half = { cap: 5000 };

const eachOf = (dues: readonly ConcededCharge[], given: readonly Concession[], options = uncapped) =>
  rupees(applyConcessions(dues, given, options).map(({ concession }) => concession));
const stepsOf = (
  dues: readonly ConcededCharge[],
  { id }: Concession,
  given: readonly Concession[],
  options = uncapped,
) => applyConcessions(dues, given, options).map(({ steps }) => steps.find(({ concessionId }) => concessionId === id));
const amountsOf = (...of: Parameters<typeof stepsOf>) => rupees(stepsOf(...of).map((step) => step?.amount ?? 0));
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

test('B3.14 20 % and then 10 % of the rest make 3,600 of 5,000 a month, 43,200 a year', () => {
  const [first] = applyConcessions(flat(5000), [sibling, staff], half);
  expect(first?.steps.map(({ concessionId, left }) => [concessionId, left])).toEqual([
    [staff.id, paise(4000)],
    [sibling.id, paise(3600)],
  ]);
  expect(60_000 - sumOf(eachOf(flat(5000), [staff, sibling], half))).toBe(43_200);
});

test('B3.15 of two discounts in one group only the better is taken off, and the other says why', () => {
  const inGroup = { ...sibling, group: 'A' };
  expect(eachOf(flat(5000), [staff, inGroup], half)).toEqual(Array(12).fill(1000));
  expect(stepsOf(flat(5000), inGroup, [staff, inGroup])[0]).toEqual({
    concessionId: inGroup.id,
    amount: 0,
    left: paise(4000),
    limits: ['group'],
  });
});

test('B3.16 a cap of 50 % cuts the last of three discounts, and says so', () => {
  const all = [staff, sibling, merit];
  expect(amountsOf(flat(5000), merit, all)).toEqual(Array(12).fill(1440));
  expect(amountsOf(flat(5000), merit, all, half)).toEqual(Array(12).fill(1100));
  expect(eachOf(flat(5000), all, half)).toEqual(Array(12).fill(2500));
  const [first] = applyConcessions(flat(5000), all, half);
  expect(first?.steps.map(({ limits }) => limits)).toEqual([[], [], ['cap']]);
});

test('B3.1 20 % and 10 % of different groups leave 7,200 of 10,000', () => {
  expect(eachOf([whole(10_000)], [staff, sibling])).toEqual([2800]);
});

test('B3.2 20 % and 10 % of one group leave 8,000 of 10,000', () => {
  expect(eachOf([whole(10_000)], [staff, { ...sibling, group: 'A' }])).toEqual([2000]);
});

test('B3.3 a cap of 50 % limits three discounts, and says so', () => {
  const [due] = applyConcessions([whole(10_000)], [staff, sibling, merit], half);
  expect(due?.concession).toBe(paise(5000));
  expect(due?.steps.at(-1)).toMatchObject({ concessionId: merit.id, amount: paise(2200), limits: ['cap'] });
});

test('B3.17 a percentage runs over the months of a head, so that it is exact for the year', () => {
  const rows = year.map((month) => ({ seq: month + 1, fromMonth: month, months: 1, share: null }));
  const dues = monthly(split(10_000_000, { unit: 1, remainderSeq: 1, rows }, everyMonth));
  const both = [staff, sibling];
  expect(amountsOf(dues, staff, both)).toEqual([
    1667, 1667, 1666, 1667, 1666, 1667, 1667, 1666, 1667, 1666, 1667, 1667,
  ]);
  expect(amountsOf(dues, sibling, both)).toEqual([667, 666, 667, 666, 667, 667, 666, 667, 667, 666, 667, 667]);
  expect(sumOf(eachOf(dues, both))).toBe(28_000);
});

test('B3.18 a yearly maximum is used up in the order of the dues', () => {
  const most = (amount: number) => ({ ...merit, maxAmount: paise(amount) });
  expect(eachOf(flat(5000), [most(12_000)])).toEqual([...Array(6).fill(2000), ...Array(6).fill(0)]);
  const second = most(11_500);
  expect(eachOf(flat(5000), [second])).toEqual([...Array(5).fill(2000), 1500, ...Array(6).fill(0)]);
  expect(stepsOf(flat(5000), second, [second]).map((step) => step?.limits)).toEqual([
    ...Array(5).fill([]),
    ...Array(7).fill(['maximum']),
  ]);
});

test('B3.19 a fixed amount is spread over the months of the year, whatever happens later', () => {
  expect(eachOf(flat(5000), [fixed(5000)])).toEqual([416, 417, 417, 416, 417, 417, 416, 417, 417, 416, 417, 417]);
  expect(sumOf(eachOf(flat(5000, 8), [fixed(5000)]))).toBe(3333);
});

test('B3.20 a fixed amount and then 20 % of the rest take 11,600 off 18,000, or 750 a month under a cap of 50 %', () => {
  const both = [fixed(10_000, { priority: 1 }), percent(20, { priority: 2 })];
  expect(sumOf(eachOf(flat(1500), both))).toBe(11_600);
  expect(eachOf(flat(1500), both, half)).toEqual(Array(12).fill(750));
});

test('a waiver of a free place takes everything, whatever the cap', () => {
  const waiver = concession({ kind: 'Full waiver' }, { isUncapped: true, priority: 1 });
  expect(eachOf(flat(5000), [waiver, merit], half)).toEqual(Array(12).fill(5000));
  expect(eachOf(flat(5000), [{ ...waiver, isUncapped: false }], half)).toEqual(Array(12).fill(2500));
});

test('B2.2 a head that allows no concessions keeps its amount, and does not raise the cap', () => {
  const dues = [whole(10_000), whole(10_000, { feeHeadId: term, isDiscountable: false })];
  expect(eachOf(dues, [percent(90)], half)).toEqual([5000, 0]);
});

test('a discount of one head leaves other heads', () => {
  expect(eachOf([whole(10_000), whole(4000, { feeHeadId: term })], [percent(10, { headIds: [term] })])).toEqual([
    0, 400,
  ]);
});

test('a concession from the middle of a quarter counts for the months from its own on', () => {
  const quarter = (first: number): ConcededCharge => ({
    feeHeadId: term,
    isDiscountable: true,
    months: [0, 1, 2].map((month) => ({ month: first + month, amount: paise(1500), annual: paise(18_000) })),
  });
  expect(eachOf([0, 3, 6, 9].map(quarter), [percent(10, { fromMonth: 4, toMonth: 9 })])).toEqual([0, 300, 450, 150]);
});

test('two concessions of one discount share its yearly maximum', () => {
  const [first, again] = [{ toMonth: 1 }, { fromMonth: 8 }].map((months) =>
    percent(40, { discountId: 99, maxAmount: paise(5000), ...months }),
  );
  expect(
    eachOf(
      flat(5000),
      [first, again].flatMap((one) => one ?? []),
    ),
  ).toEqual([2000, 2000, 0, 0, 0, 0, 0, 0, 1000, 0, 0, 0]);
});

test('the better discount of a group is chosen by the head’s year, and a tie by priority', () => {
  const group = { group: 'A' };
  const ten = percent(10, { ...group, priority: 2 });
  const amount = fixed(6000, { ...group, priority: 1 });
  const better = (annual: number) =>
    applyConcessions([whole(annual)], [ten, amount], uncapped)[0]?.steps.find((step) => step.amount > 0)?.concessionId;
  expect(better(72_000)).toBe(ten.id);
  expect(better(60_000)).toBe(amount.id);
  expect(better(48_000)).toBe(amount.id);
});

/** Numbers below a limit, always the same for a seed. */
function randomFrom(seed: number) {
  let last = seed;
  return (most: number) => {
    last = (last * 48_271) % 2_147_483_647;
    return last % most;
  };
}

/** Any dues of three heads in months, quarters or a year, with up to five concessions. */
function anyCase(seed: number) {
  const random = randomFrom(seed + 1);
  const maximums = [null, null, random(2_000_000), random(500_000), 0];
  const anyConcession = (fromMonth: number): Concession => {
    const values: ConcessionValue[] = [
      { kind: 'Percent', percent: 1 + random(10_000) },
      { kind: 'Fixed', amount: 1 + random(3_000_000), months: year.slice(fromMonth) },
      { kind: 'Full waiver' },
    ];
    const value = values[random(8) ? random(2) : 2] ?? { kind: 'Full waiver' };
    const discountId = 1 + random(4);
    return concession(value, {
      discountId,
      headIds: random(2) || value.kind === 'Fixed' ? [1 + random(3)] : null,
      fromMonth,
      toMonth: fromMonth + random(12 - fromMonth),
      priority: 1 + random(5),
      group: ['', 'A', 'B'][random(3)] ?? '',
      maxAmount: maximums[discountId] ?? null,
      isUncapped: value.kind === 'Full waiver' && random(2) === 0,
    });
  };
  const length = [1, 3, 12][random(3)] ?? 1;
  const starts = year.filter((month) => month % length === 0);
  const dues = [1, 2, 3].flatMap((feeHeadId) =>
    starts.map(
      (first): ConcededCharge => ({
        feeHeadId,
        isDiscountable: random(5) > 0,
        months: year
          .slice(first, first + length)
          .map((month) => ({ month, amount: random(900_000), annual: 1_000_000 * feeHeadId + 1000 * month })),
      }),
    ),
  );
  const cap = random(2) ? 10_000 : random(10_000);
  const given = Array.from({ length: random(6) }, () => anyConcession(random(12)));
  const from = random(12);
  return { dues, given, maximums, cap, limits: { cap }, from, later: anyConcession(from) };
}
const cases = Array.from({ length: 1000 }, (_, seed) => anyCase(seed));
const chargedOf = ({ months }: ConcededCharge) => sumOf(months.map(({ amount }) => amount));

test('B3.7 whatever the dues and concessions, no due falls below zero and every limit is kept', () => {
  for (const { dues, given, maximums, cap, limits } of cases) {
    const conceded = applyConcessions(dues, given, limits);
    conceded.forEach(({ concession, steps }, place) => {
      const due = dues[place] ?? whole(0);
      expect(concession >= 0 && concession <= (due.isDiscountable ? chargedOf(due) : 0)).toBe(true);
      expect(steps.every(({ amount, left }) => amount >= 0 && left >= 0)).toBe(true);
    });
    const steps = conceded.flatMap((due) => due.steps);
    const takenBy = (some: readonly Concession[]) =>
      sumOf(steps.filter(({ concessionId }) => some.some(({ id }) => id === concessionId)).map(({ amount }) => amount));
    maximums.forEach((maximum, discountId) => {
      const ofIt = given.filter((one) => one.discountId === discountId);
      expect(takenBy(ofIt) <= (maximum ?? Number.POSITIVE_INFINITY)).toBe(true);
    });
    for (const one of given) if (one.value.kind === 'Fixed') expect(takenBy([one]) <= one.value.amount).toBe(true);
    const spareable = sumOf(dues.filter(({ isDiscountable }) => isDiscountable).map(chargedOf));
    expect(takenBy(given.filter(({ isUncapped }) => !isUncapped)) * 10_000 <= spareable * cap).toBe(true);
    expect(applyConcessions(dues, given.toReversed(), limits)).toEqual(conceded);
  }
});

test('B3.8 charges and concessions of later months change no earlier due', () => {
  for (const { dues, given, limits, from, later } of cases) {
    const without = dues.map((due) => ({ ...due, months: due.months.filter(({ month }) => month < from) }));
    const ended = given
      .filter(({ fromMonth }) => fromMonth < from)
      .map((one) => ({ ...one, toMonth: Math.min(one.toMonth, from - 1) }));
    const isEarly = ({ months }: ConcededCharge) => months.every(({ month }) => month < from);
    const early = (conceded: ReturnType<typeof applyConcessions>) =>
      conceded.filter((_, place) => isEarly(dues[place] ?? whole(0))).map(({ concession }) => concession);
    const expected = early(applyConcessions(dues, given, limits));
    expect(early(applyConcessions(without, given, limits))).toEqual(expected);
    expect(early(applyConcessions(dues, [...ended, later], limits))).toEqual(expected);
  }
});
