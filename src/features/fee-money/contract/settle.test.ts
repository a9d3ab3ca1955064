import { expect, test } from 'vitest';
import { type Effect, type Move, type SettledDue, settle } from './settle.ts';

const due = (id: number, dueOn: string, over: Partial<SettledDue>): SettledDue => ({
  id,
  receiptSeriesId: 1,
  dueOn,
  net: 500_000,
  paid: 0,
  applied: 0,
  ...over,
});
const back = (dueId: number | null, amount: number): Effect => ({ dueId, receiptSeriesId: 1, net: 0, paid: -amount });
const advance = (amount: number) => new Map([[1, amount]]);

test('B5.9 a payment that ends takes away the advance that paid later dues', () => {
  // 7,500 paid April and 2,500 in advance, which were applied to May.
  const dues = [due(1, '2026-04-10', { paid: 500_000 }), due(2, '2026-05-10', { paid: 250_000, applied: 250_000 })];
  const { moves, missing } = settle(dues, advance(0), [back(1, 500_000), back(null, 250_000)]);
  expect(moves).toEqual([{ dueId: 2, receiptSeriesId: 1, amount: -250_000 }]);
  expect(missing.size).toBe(0);
});

test('what is paid beyond a lowered due becomes advance, and a freed due is paid again by what a reversal takes', () => {
  expect(
    settle([due(1, '2026-04-10', { paid: 500_000 })], advance(0), [{ ...back(1, 0), net: -200_000 }]).moves,
  ).toEqual([{ dueId: 1, receiptSeriesId: 1, amount: -200_000 }]);
  // 5,000 were paid, 2,000 of them freed; the payment of 5,000 ends.
  const freed = due(1, '2026-04-10', { net: 300_000, paid: 300_000, applied: -200_000 });
  expect(settle([freed], advance(200_000), [back(1, 500_000)]).moves).toEqual([
    { dueId: 1, receiptSeriesId: 1, amount: 200_000 },
  ]);
});

test('B5.9 what was refunded is missing', () => {
  const { missing } = settle([due(1, '2026-04-10', {})], advance(0), [back(null, 250_000)]);
  expect(missing).toEqual(advance(250_000));
});

test('advance of another series is left as it is', () => {
  const other = due(3, '2026-06-10', { receiptSeriesId: 2, paid: 100_000, applied: 100_000 });
  const { moves, missing } = settle([other], new Map([[2, 50_000]]), [back(null, 10_000)]);
  expect(moves).toEqual([]);
  expect(missing).toEqual(new Map([[1, 10_000]]));
});

test('whatever ends or changes, settled dues are paid within their amount and no advance is negative', () => {
  let seed = 7;
  const random = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % (most + 1);
  };
  for (let round = 0; round < 3_000; round++) {
    const dues = Array.from({ length: 1 + random(5) }, (_, at) => {
      const net = random(1_000);
      const paid = random(net);
      return due(at + 1, `2026-0${1 + random(8)}-10`, {
        receiptSeriesId: 1 + random(1),
        net,
        paid,
        applied: random(paid),
      });
    });
    const held = new Map([
      [1, random(500)],
      [2, random(500)],
    ]);
    const effects = dues.map((one): Effect => {
      const net = -random(one.net);
      return { dueId: one.id, receiptSeriesId: one.receiptSeriesId, net, paid: -random(one.paid - one.applied) };
    });
    effects.push({ ...back(null, random(400)), receiptSeriesId: 1 + random(1) });
    const { moves, missing } = settle(dues, held, effects);
    const moved = (some: readonly Move[], id: number) =>
      some.reduce((sum, one) => sum + (one.dueId === id ? one.amount : 0), 0);
    for (const one of dues) {
      const effect = effects.find(({ dueId }) => dueId === one.id);
      const net = one.net + (effect?.net ?? 0);
      const paid = one.paid + (effect?.paid ?? 0) + moved(moves, one.id);
      expect([round, paid >= 0 && paid <= net]).toEqual([round, true]);
    }
    for (const series of [1, 2]) {
      const own = [...effects].filter(({ dueId, receiptSeriesId }) => dueId === null && receiptSeriesId === series);
      const left =
        (held.get(series) ?? 0) +
        own.reduce((sum, { paid }) => sum + paid, 0) -
        moves.reduce((sum, move) => sum + (move.receiptSeriesId === series ? move.amount : 0), 0);
      expect([round, left + (missing.get(series) ?? 0) >= 0]).toEqual([round, true]);
    }
  }
});
