import { sql } from 'kysely';
import { planOf, sizeFor } from '../database/seed/plan.ts';
import { seedYear } from '../src/features/fee-money/seed-year.ts';
import { seedPrices } from '../src/features/fee-price/seed.ts';
import { seedPlans } from '../src/features/fee-price/seed-plans.ts';
import type { Context } from '../src/kit/server/context.ts';
import { type Figure, percentile } from './budgets.ts';
import type { Child } from './child.ts';
import type { Recorded } from './server.ts';

/** Children with fee plans and payments of the year. */
const payingChildren = 5000;

/** Prices, plans and payments until yesterday; two accountants have accounts. */
export async function addFees(ctx: Context) {
  const plan = planOf(sizeFor(payingChildren, 1), ctx.now());
  await seedPrices(ctx, plan);
  await seedPlans(ctx, payingChildren);
  await seedYear(ctx, plan);
}

/** What the fee lists are asked for; the day is the one with the most receipts. */
export const feePaths = ({ busiest, child }: Fees) => ({
  'Fee balances of 5 000 children, first page': '/api/fee/student?tab=all',
  'Fee balances of 5 000 children, overdue': '/api/fee/student?tab=overdue',
  'Fee balances of 5 000 children, counts of the tabs': '/api/fee/student/count',
  'Day book of the busiest day': `/api/fee/report?kind=Day%20book&from=${busiest}&to=${busiest}`,
  'Fee statement of a child': `/api/fee/student/${child}/statement?on=`,
  'Dues of a family at the counter': `/api/fee/counter/dues?studentId=${child}&on=`,
});

/** What the measurement of fees asks about. */
export interface Fees {
  busiest: string;
  /** How many receipts the busiest day has. */
  receipts: number;
  child: number;
  /** Children who owe nothing until today, so that a payment posts no late fine. */
  payers: number[];
}

const payments = 110;

export async function readFees({ db }: Pick<Context, 'db'>): Promise<Fees> {
  const { rows: days } = await sql<{ busiest: string; receipts: number }>`
    select receipt_date::text as busiest, count(*)::integer as receipts from fee_receipt group by receipt_date
    order by 2 desc limit 1`.execute(db);
  const { rows } = await sql<{ id: number }>`select student_id as id from fee_account account
    where not exists (select from fee_due where account_id = account.id and paid < net and due_on <= current_date)
      and balance > 0 order by account.id limit ${payments}`.execute(db);
  const payers = rows.map(({ id }) => id);
  return { busiest: '', receipts: 0, ...days[0], child: payers[0] ?? 0, payers };
}

interface Paying extends Pick<Fees, 'payers' | 'receipts'> {
  port: number;
  /** The session of an accountant. */
  cookie: string;
  server: Child;
}

interface Dues {
  today: string;
  children: { studentId: number; version: number; lines: { key: string; owed: number }[] }[];
}

/** Payments in cash at the counter, one child after the other, beside the time in which the database answered them. */
export async function measurePayments({ port, cookie, server, payers, receipts }: Paying): Promise<Figure[]> {
  const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const taken: number[] = [];
  const inSql: number[] = [];
  let statements = 0;
  for (const [at, studentId] of payers.entries()) {
    const found = await fetch(`http://127.0.0.1:${port}/api/fee/counter/dues?studentId=${studentId}&on=`, { headers });
    const { today, children } = (await found.json()) as Dues;
    const [child] = children.filter((one) => one.studentId === studentId);
    const [line] = child?.lines ?? [];
    if (!child || !line) continue;
    const body = JSON.stringify({
      payerGuardianId: null,
      payerName: `Parent ${studentId}`,
      payerMobile: '',
      mode: 'Cash',
      amount: line.owed,
      reference: '',
      paidOn: today,
      backReason: '',
      remark: '',
      children: [{ studentId, version: child.version, lines: [{ key: line.key, amount: line.owed }] }],
    });
    await server.ask('record');
    const began = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/api/fee/payment`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
      body,
    });
    const words = await answer.text();
    if (answer.status !== 200) throw new Error(`A payment was refused: ${answer.status} ${words}`);
    const whole = performance.now() - began;
    const [recorded] = await server.ask<Recorded[]>('recorded');
    // The first payments warm up the server.
    if (at < 10) continue;
    taken.push(whole);
    inSql.push(recorded?.sqlMs ?? Number.NaN);
    statements = recorded?.statements.length ?? 0;
  }
  const figure = (share: number): Figure => ({
    name: `Payment at the counter: whole, p${share * 100}`,
    value: percentile(taken, share),
    unit: 'ms',
    bare: percentile(inSql, share),
  });
  return [
    figure(0.5),
    figure(0.95),
    { name: 'Payment at the counter: statements with session and transaction', value: statements, unit: '' },
    { name: 'Receipts of the busiest day', value: receipts, unit: '' },
  ];
}
