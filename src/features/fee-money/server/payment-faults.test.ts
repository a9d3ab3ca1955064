import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { failingAt } from '#testing/failing.ts';
import { joinFamily, plannedChild } from '#testing/paying-family.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { paymentApi } from '../contract/payment.ts';

let school: School;
let prices: Prices;
let cashier: Person;
let father: number;
let child: number;
beforeAll(async () => {
  school = await openSchool();
  cashier = await school.person({ role: 'Staff', sets: ['accountant'] });
  prices = await openPrices(school);
  school.clock.now = new Date(`${prices.year}-04-12T06:00:00Z`);
  child = await plannedChild(school, prices, 'Mira');
  father = await joinFamily(school, 'Nikhil', '9876512345', [child]);
});
afterAll(() => school.close());

async function bodyOf(reference: string) {
  const dues = await cashier.call(paymentApi.dues, { studentId: child, on: '' });
  const [own] = dues.children;
  const line = own?.lines.find(({ owed }) => owed > 0);
  return {
    payerGuardianId: father,
    mode: 'UPI',
    reference,
    amount: 200,
    paidOn: dues.today,
    children: [{ studentId: child, version: own?.version, lines: [{ key: line?.key, amount: 100 }] }],
  };
}
const send = (key: string, body: object) =>
  cashier.send({ method: 'POST', url: '/api/fee/payment', headers: { 'idempotency-key': key }, body });
const stored = async () =>
  (
    await school.sql(`select (select count(*)::integer from fee_payment) as payments,
      (select count(*)::integer from fee_receipt) as receipts,
      (select coalesce(max(number_value), 0)::integer from fee_receipt) as last,
      (select count(*)::integer from fee_ledger_entry where kind = 'Receipt') as entries,
      (select count(*)::integer from audit where action = 'fee-payment.taken') as audited`)
  )[0];

test('B5.16 a payment that breaks off at any statement leaves nothing behind, and its repetition is taken once', async () => {
  let taken = 0;
  const whole = (count: number) => ({
    payments: count,
    receipts: count,
    last: count,
    entries: 2 * count,
    audited: count,
  });
  let broken = 0;
  for (let n = 1; ; n += 1) {
    const [key, body] = [randomUUID(), await bodyOf(`UTR ${n}`)];
    const { status } = await failingAt(n, () => send(key, body));
    if (status === 200) {
      expect(await stored()).toEqual(whole(taken + 1));
      break;
    }
    broken += 1;
    expect([n, await stored()]).toEqual([n, whole(taken)]);
    taken += 1;
    for (let again = 0; again < 2; again += 1) expect((await send(key, body)).status).toBe(200);
    expect([n, await stored()]).toEqual([n, whole(taken)]);
  }
  expect(broken).toBeGreaterThan(10);
});
