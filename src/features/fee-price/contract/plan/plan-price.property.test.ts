import { expect, test } from 'vitest';
import { isSoak } from '#testing/soak.ts';
import { usualRows } from '../frequency.ts';
import { type GivenConcession, type PricedDue, type PricedFacts, price } from './plan-price.ts';
import type { HeadFacts, PriceFrequency, PriceLine, ProRata } from './price.ts';

const year = { startsOn: '2026-04-01', endsOn: '2027-03-31' };
const seeds = isSoak ? 10_000 : 400;

/** Whole numbers from 0 to below `most`, the same for the same seed. */
const randomOf = (seed: number) => {
  let state = seed * 2 + 1;
  return (most: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
};
type Random = ReturnType<typeof randomOf>;
const oneOf = <Item>(random: Random, items: readonly Item[]): Item => items[random(items.length)] as Item;

const kinds = ['Monthly', 'Bi-monthly', 'Quarterly', 'Half-yearly', 'Annual', 'One-time'] as const;
function anyFrequency(random: Random, id: number): PriceFrequency {
  const rows = usualRows(oneOf(random, kinds));
  const cuts = rows.slice(1).map(() => 1 + random(9000 / rows.length));
  const shares = [...cuts, 10_000 - cuts.reduce((sum, cut) => sum + cut, 0)];
  const isEqual = random(2) === 0;
  return {
    id,
    unit: oneOf(random, [1, 10, 50, 100]),
    remainderSeq: 1 + random(rows.length),
    rows: rows.map((row, at) => ({ ...row, label: String(row.seq), share: isEqual ? null : (shares[at] ?? 1) })),
  };
}
const anyLine = (random: Random, frequency: PriceFrequency): PriceLine => ({
  annual: 1 + random(random(4) ? 9_000_000 : 900),
  months: random(3) ? null : 1 + random(4095),
  frequency,
});
function anyHead(random: Random, feeHeadId: number): HeadFacts {
  const frequencies = [anyFrequency(random, feeHeadId * 10), anyFrequency(random, feeHeadId * 10 + 1)];
  const first = frequencies[0] as PriceFrequency;
  const stages: { fromMonth: number; line: PriceLine | null }[] = [{ fromMonth: 0, line: anyLine(random, first) }];
  for (let month = 1 + random(8); month < 12 && random(2) === 0; month += 1 + random(5))
    stages.push({ fromMonth: month, line: random(5) ? anyLine(random, oneOf(random, frequencies)) : null });
  const fromMonth = random(12);
  return {
    feeHeadId,
    proRata: oneOf<ProRata>(random, ['None', 'Month', 'Day']),
    isDiscountable: random(4) > 0,
    options: random(4) ? null : [{ fromMonth, toMonth: fromMonth + random(12 - fromMonth) }],
    stages,
  };
}
function anyConcession(random: Random, id: number): GivenConcession {
  const value = oneOf<GivenConcession['value']>(random, [
    { kind: 'Percent', percent: 1 + random(10_000) },
    { kind: 'Fixed', amount: 1 + random(3_000_000) },
    { kind: 'Full waiver' },
  ]);
  const fromMonth = random(12);
  return {
    id,
    discountId: id,
    value,
    headIds: value.kind === 'Fixed' || random(2) ? [1 + random(3)] : null,
    fromMonth,
    toMonth: fromMonth + random(12 - fromMonth),
    priority: 1 + random(4),
    group: oneOf(random, ['', 'A']),
    maxAmount: random(2) ? null : random(1_000_000),
    isUncapped: false,
  };
}
const dayOf = (random: Random, from = year.startsOn) =>
  new Date(Date.parse(`${from}T00:00:00Z`) + random(360) * 86_400_000).toISOString().slice(0, 10);
function anyFacts(seed: number): PricedFacts {
  const random = randomOf(seed);
  const joinedOn = random(3) ? year.startsOn : dayOf(random);
  const leftOn = random(3) ? null : dayOf(random, joinedOn);
  return {
    year,
    joinedOn,
    leftOn: leftOn !== null && leftOn > year.endsOn ? null : leftOn,
    cutoffDay: oneOf(random, [1, 15, 31]),
    heads: [1, 2, 3].map((id) => anyHead(random, id)),
    concessions: Array.from({ length: random(4) }, (_, at) => anyConcession(random, at + 1)),
    cap: oneOf(random, [10_000, 5000, 2500]),
  };
}

/** A part of a whole as a fraction, so that nothing is rounded before the end. */
interface Fraction {
  top: bigint;
  bottom: bigint;
}
const add = (one: Fraction, other: Fraction): Fraction => ({
  top: one.top * other.bottom + other.top * one.bottom,
  bottom: one.bottom * other.bottom,
});

/**
 * A slow model of what one period costs: month by month, with the part of the period up to each month as a fraction that
 * is rounded down to the rupee.
 */
function modelOf(
  facts: PricedFacts,
  head: HeadFacts,
  frequency: PriceFrequency,
  seq: number,
  amounts: Amounts,
): bigint {
  const row = frequency.rows.find((one) => one.seq === seq);
  if (!row) return 0n;
  const [joined, left] = [monthOf(facts.joinedOn), facts.leftOn === null ? 11 : monthOf(facts.leftOn)];
  const isLate = facts.joinedOn > year.startsOn && Number(facts.joinedOn.slice(8)) > facts.cutoffDay;
  let sum = 0n;
  for (let month = row.fromMonth; month < row.fromMonth + row.months; month++) {
    const line = head.stages.filter((stage) => stage.fromMonth <= month).at(-1)?.line;
    const isOption = !head.options || head.options.some((one) => one.fromMonth <= month && month <= one.toMonth);
    if (line?.frequency.id !== frequency.id || !isOption || !isIn(line, month)) continue;
    if (month < joined + (isLate ? 1 : 0) || month > left) continue;
    const own = Array.from({ length: row.months }, (_, at) => row.fromMonth + at).filter((one) => isIn(line, one));
    const part = (upTo: number) =>
      own
        .filter((one) => one <= upTo)
        .reduce<Fraction>((total) => add(total, { top: 1n, bottom: BigInt(own.length) }), { top: 0n, bottom: 1n });
    const amount = amounts(line, seq);
    const rounded = ({ top, bottom }: Fraction) => (top === bottom ? amount : ((amount * top) / bottom / 100n) * 100n);
    sum += rounded(part(month)) - rounded(part(month - 1));
  }
  return sum;
}
type Amounts = (line: PriceLine, seq: number) => bigint;
const isIn = ({ months }: PriceLine, month: number) => (((months ?? 4095) >> month) & 1) === 1;
const monthOf = (day: string) => (Number(day.slice(0, 4)) - 2026) * 12 + Number(day.slice(5, 7)) - 4;

const sumOf = (dues: readonly PricedDue[], of: (due: PricedDue) => number) =>
  dues.reduce((sum, due) => sum + BigInt(of(due)), 0n);
const keyOf = ({ feeHeadId, frequencyId, seq }: PricedDue) => `${feeHeadId} ${frequencyId} ${seq}`;

test('B4.13 whatever the prices, days, options and concessions: every due is in its bounds, and totals are exact', () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const facts = anyFacts(seed);
    const dues = price(facts);
    for (const due of dues) {
      const charged = due.gross - due.proRata;
      const ofMonths = due.months.reduce((sum, { amount }) => sum + amount, 0);
      const ofConcessions = due.concessions.reduce((sum, { amount }) => sum + amount, 0);
      const holds = [due.proRata >= 0, charged >= 0, due.concession >= 0, due.net >= 0, due.net <= due.gross];
      expect([seed, ...holds, ofMonths, ofConcessions]).toEqual([
        seed,
        true,
        true,
        true,
        true,
        true,
        charged,
        due.concession,
      ]);
    }
    // The same facts give the same dues.
    expect(price(facts)).toEqual(dues);
    // A student who stays the whole year under one price pays the annual amount of each head that is not optional.
    const whole = price({ ...facts, joinedOn: year.startsOn, leftOn: null, concessions: [] });
    for (const head of facts.heads) {
      const [first] = head.stages;
      if (head.options !== null || head.stages.length > 1 || !first?.line) continue;
      const own = whole.filter(({ feeHeadId }) => feeHeadId === head.feeHeadId);
      expect([seed, sumOf(own, ({ net }) => net)]).toEqual([seed, BigInt(first.line.annual)]);
    }
  }
});

test('B4.13 dues equal those of a slow model that keeps fractions', () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const facts = { ...anyFacts(seed), concessions: [] };
    const dues = price(facts);
    for (const head of facts.heads.filter(({ proRata }) => proRata === 'Month')) {
      /** The instalment of a line: what a student pays for it in a whole year of this line. */
      const instalments = new Map<PriceLine, PricedDue[]>();
      const amounts: Amounts = (line, seq) => {
        const alone = { ...head, options: null, stages: [{ fromMonth: 0, line }] };
        const own = instalments.get(line) ?? price({ ...facts, joinedOn: year.startsOn, leftOn: null, heads: [alone] });
        instalments.set(line, own);
        return BigInt(own.find((due) => due.seq === seq)?.gross ?? 0);
      };
      for (const due of dues.filter(({ feeHeadId }) => feeHeadId === head.feeHeadId)) {
        const frequency = head.stages.find(({ line }) => line?.frequency.id === due.frequencyId)?.line?.frequency;
        const model = frequency && modelOf(facts, head, frequency, due.seq, amounts);
        expect([seed, keyOf(due), BigInt(due.gross - due.proRata)]).toEqual([seed, keyOf(due), model]);
      }
    }
  }
});

test('B4.14 a fact that begins in a month leaves every due that ends before it', () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const facts = anyFacts(seed);
    const random = randomOf(seed + 77);
    const month = 1 + random(11);
    const [head] = facts.heads;
    const frequency = head?.stages[0]?.line?.frequency;
    if (!head || !frequency) continue;
    const added = { fromMonth: month, line: anyLine(random, frequency) };
    const stages = [...head.stages.filter(({ fromMonth }) => fromMonth < month), added];
    const lastDay = new Date(Date.UTC(2026, 3 + month, 0)).toISOString().slice(0, 10);
    const changes: PricedFacts[] = [
      { ...facts, heads: facts.heads.map((one) => (one === head ? { ...head, stages } : one)) },
      {
        ...facts,
        concessions: [...facts.concessions, { ...anyConcession(random, 99), fromMonth: month, toMonth: 11 }],
      },
      ...(facts.leftOn === null && facts.joinedOn <= lastDay ? [{ ...facts, leftOn: lastDay }] : []),
    ];
    const early = (dues: readonly PricedDue[]) =>
      dues.filter(({ to }) => monthOf(to) < month).map((due) => [keyOf(due), due.gross, due.proRata, due.concession]);
    for (const [at, changed] of changes.entries())
      expect([seed, at, early(price(changed))]).toEqual([seed, at, early(price(facts))]);
  }
});

test('B4.14 a change of grade to the same price changes nothing', () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const facts = anyFacts(seed);
    const month = 1 + (seed % 11);
    const heads = facts.heads.map((head) => {
      const line = head.stages.filter(({ fromMonth }) => fromMonth <= month).at(-1)?.line ?? null;
      const stages = head.stages.filter(({ fromMonth }) => fromMonth !== month);
      return { ...head, stages: [...stages, { fromMonth: month, line }].toSorted((a, b) => a.fromMonth - b.fromMonth) };
    });
    expect([seed, price({ ...facts, heads })]).toEqual([seed, price(facts)]);
  }
});
