import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { joinFamily, plannedChild } from '#testing/paying-family.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { paymentApi } from '../contract/payment.ts';

let school: School;
let prices: Prices;
let cashiers: Person[];
let children: { student: number; father: number }[];
const count = 10;
beforeAll(async () => {
  school = await openSchool();
  cashiers = await Promise.all(
    Array.from({ length: count }, () => school.person({ role: 'Staff', sets: ['accountant'] })),
  );
  prices = await openPrices(school);
  school.clock.now = new Date(`${prices.year}-04-12T06:00:00Z`);
  children = [];
  for (let at = 0; at < count; at++) {
    const student = await plannedChild(school, prices, `Kavya${at}`);
    children.push({ student, father: await joinFamily(school, `Ravi${at}`, `987651000${at}`, [student]) });
  }
});
afterAll(() => school.close());

async function body(place: number, over: object = {}) {
  const { student, father } = children[place % count] ?? { student: 0, father: 0 };
  const found = await (cashiers[0] as Person).call(paymentApi.dues, { studentId: student, on: '' });
  const [child] = found.children;
  const line = child?.lines.find(({ owed }) => owed > 0);
  return {
    payerGuardianId: father,
    mode: 'Cash',
    amount: 100,
    paidOn: found.today,
    children: [
      {
        studentId: student,
        version: child?.version,
        lastReceiptId: child?.lastReceiptId,
        lines: [{ key: line?.key, amount: 100 }],
      },
    ],
    ...over,
  };
}
const send = (who: Person | undefined, sent: object) =>
  (who as Person).send({ method: 'POST', url: '/api/fee/payment', body: sent });
const numbers = async () =>
  (await school.sql('select number_value from fee_receipt order by number_value')).map((row) =>
    Number(row.number_value),
  );

test('B5.10 fifty payments at once of ten cashiers have the numbers 1 to 50, each acknowledged once', async () => {
  const acknowledged: string[] = [];
  for (let round = 0; round < 5; round++) {
    const bodies = await Promise.all(children.map((_, place) => body(place)));
    const answers = await Promise.all(bodies.map((sent, place) => send(cashiers[(place + round) % count], sent)));
    for (const { status, json } of answers) {
      expect(status).toBe(200);
      acknowledged.push(...json.papers.map(({ receiptNo }: { receiptNo: string }) => receiptNo));
    }
  }
  expect(new Set(acknowledged).size).toBe(50);
  expect(await numbers()).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
});

test('B5.11 of two cashiers with one child one is refused with the receipt that came between, and leaves no gap', async () => {
  const before = (await numbers()).length;
  const sent = await body(0);
  const answers = await Promise.all([send(cashiers[1], sent), send(cashiers[2], sent)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const taken = answers.find(({ status }) => status === 200)?.json.papers[0];
  const refused = answers.find(({ status }) => status === 409)?.json.error;
  expect([refused.code, refused.message]).toEqual([
    'stale',
    expect.stringMatching(new RegExp(`^Receipt ${taken.receiptNo} of 11:30 \\(.+\\) paid ₹1.00 of it`)),
  ]);
  expect(await numbers()).toEqual(Array.from({ length: before + 1 }, (_, at) => at + 1));
});

test('one reference that ten cashiers enter at once is taken once, and the cash of a payer is not exceeded', async () => {
  const bodies = await Promise.all(children.map((_, place) => body(place, { mode: 'UPI', reference: 'SAME 1' })));
  const answers = await Promise.all(bodies.map((sent, place) => send(cashiers[place], sent)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  const [gap] = await school.sql(`select max(number_value) - count(*)::integer as gap from fee_receipt`);
  expect(gap).toEqual({ gap: 0 });
});

test('a cancellation that is sent five times reverses once', async () => {
  const { json } = await send(cashiers[3], await body(3));
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      (cashiers[3] as Person).send({
        method: 'POST',
        url: `/api/fee/payment/${json.id}/cancel`,
        body: { version: 1, money: 'It never came', reason: 'Wrong' },
      }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const [row] =
    await school.sql(`select count(*)::integer as count, sum(entry.amount)::integer as sum from fee_ledger_entry entry
    join fee_receipt receipt on receipt.id = entry.receipt_id where receipt.payment_id = ${json.id}`);
  expect(row).toEqual({ count: 2, sum: 0 });
});
