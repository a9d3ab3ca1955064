import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { paymentApi } from '#features/fee-money/contract/payment.ts';
import { openBrowser } from '../browser.ts';
import type { Sent } from '../exchange.ts';
import { joinFamily, plannedChild } from '../paying-family.ts';
import { openPrices } from '../prices.ts';
import { openOwnSchool, type School } from '../school.ts';
import { isSoak } from '../soak.ts';
import { type App, startApp } from './app.ts';
import { type Cluster, openCluster } from './cluster.ts';

let cluster: Cluster;
let school: School;
let app: App;
let counters: Awaited<ReturnType<typeof openCounter>>[];
const cashiers = 50;
const rounds = isSoak ? 40 : 2;
beforeAll(async () => {
  cluster = await openCluster();
  school = await openOwnSchool({}, cluster.postgres);
  await school.person();
  const prices = await openPrices(school);
  app = await startApp(school);
  counters = [];
  for (let at = 0; at < cashiers; at += 1) {
    const student = await plannedChild(school, prices, `Kavya${at}`);
    const father = await joinFamily(school, `Ravi${at}`, String(9876500000 + at), [student]);
    counters.push(await openCounter(student, father));
  }
});
afterAll(async () => {
  await app.kill();
  await school.close();
  await cluster.close();
});

/** A cashier and a family. A payment is sent under one key until it is acknowledged, as the counter sends it. */
async function openCounter(studentId: number, payerGuardianId: number) {
  const person = await school.person({ role: 'Staff', sets: ['accountant'] });
  const browser = openBrowser(app);
  for (const [name, value] of person.cookies) browser.cookies.set(name, value);
  /** The answer; undefined while the server or its database is away or busy. */
  const tried = async (sent: Sent) => {
    const answer = await browser.send(sent).catch(() => ({ status: 0, json: null, text: '' }));
    if (![200, 0, 429, 503].includes(answer.status)) throw new Error(answer.text);
    return answer.status === 200 ? answer.json : undefined;
  };
  const dues = async () => {
    for (;;) {
      const found = await tried({ url: `/api${paymentApi.dues.path}?studentId=${studentId}&on=` });
      if (found) return found as z.output<typeof paymentApi.dues.output>;
      await pause(200 + Math.random() * 200);
    }
  };
  return async (amount: number) => {
    const { today, children } = await dues();
    const [child] = children;
    const line = child?.lines.find(({ owed }) => owed >= 100);
    const lines = [{ key: line?.key, amount: 100 }];
    const headers = { 'idempotency-key': randomUUID() };
    const body = {
      payerGuardianId,
      mode: 'Cash',
      amount,
      paidOn: today,
      children: [{ studentId, version: child?.version, lines }],
    };
    for (let tries = 1; ; tries += 1) {
      const paid = await tried({ method: 'POST', url: '/api/fee/payment', headers, body });
      if (paid) return { tries, id: paid.id as number, number: paid.papers[0].receiptNo as string };
      await pause(200 + Math.random() * 200);
    }
  };
}

/** Kills the server, and the next time the database. */
async function kill(time: number) {
  if (time % 2 === 0) {
    await app.kill();
    await app.start();
    return;
  }
  await cluster.kill();
  await cluster.start();
}

test('B5.20 fifty cashiers at once, with kills of the server and the database: no receipt is lost, doubled or skipped', async () => {
  const taken: { tries: number; id: number; number: string }[] = [];
  const work = counters.map(async (take, at) => {
    for (let round = 0; round < rounds; round += 1) {
      const payment = await take(100 + at + 1);
      taken.push(payment);
    }
  });
  let isDone = false;
  const all = Promise.all(work).finally(() => {
    isDone = true;
  });
  for (let time = 0; !isDone && time < (isSoak ? 50 : 2); time += 1) {
    const before = taken.length;
    // The next kill waits until something was taken since the last one.
    while (!isDone && taken.length < before + (isSoak ? 10 : 5)) await pause(5);
    await pause(Math.random() * 40);
    if (!isDone) await kill(time);
  }
  await all;

  const count = cashiers * rounds;
  expect(Math.max(...taken.map(({ tries }) => tries))).toBeGreaterThan(1);
  expect(new Set(taken.map(({ id }) => id)).size).toBe(count);
  const receipts = await school.sql(
    'select payment_id, receipt_no, number_value from fee_receipt order by number_value',
  );
  expect(receipts.map(({ number_value }) => number_value)).toEqual(Array.from({ length: count }, (_, at) => at + 1));
  const byPayment = new Map(receipts.map(({ payment_id, receipt_no }) => [payment_id, receipt_no]));
  expect(taken.map(({ id }) => byPayment.get(id))).toEqual(taken.map(({ number }) => number));
  const perCashier = cashiers * 100 + (cashiers * (cashiers + 1)) / 2;
  const [stored] = await school.sql(`select (select count(*)::integer from fee_payment) as payments,
    (select sum(amount)::integer from fee_payment) as money,
    (select -sum(amount)::integer from fee_ledger_entry where kind = 'Receipt') as ledger,
    (select count(*)::integer from audit where action = 'fee-payment.taken') as audited,
    (select sum(amount)::integer from fee_advance) as advance`);
  expect(stored).toEqual({
    payments: count,
    money: rounds * perCashier,
    ledger: rounds * perCashier,
    audited: count,
    advance: rounds * (perCashier - cashiers * 100),
  });
});
