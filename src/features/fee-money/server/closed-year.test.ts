import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { joinFamily, plannedChild } from '#testing/paying-family.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { chequeApi } from '../contract/cheque.ts';
import { paymentApi } from '../contract/payment.ts';

let school: School;
let prices: Prices;
let accountant: Person;
let child: number;
let father: number;
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ sets: ['accountant'] });
  prices = await openPrices(school);
  child = await plannedChild(school, prices, 'Asha');
  father = await joinFamily(school, 'Nikhil', '9825000001', [child]);
  await school.sql(`update academic_year set status = 'Closed', closed_at = '2045-07-12T06:00:00Z', closed_by = 'Test'
    where id = ${prices.place.academicYearId}`);
  school.clock.now = new Date('2045-07-14T06:00:00Z');
});
afterAll(() => school.close());

const balance = async () =>
  Number((await school.sql(`select balance from fee_account where student_id = ${child}`))[0]?.balance);
const act = async (id: number, what: string, body: object = {}) => {
  const [row] = await school.sql(`select version from fee_cheque where id = ${id}`);
  const url = `/api/fee/cheque/${id}/${what}`;
  return accountant.send({ method: 'POST', url, body: { version: row?.version, ...body } });
};

test('U1.11 payments of a closed year, the bounce of a cheque and its charge are entered as before', async () => {
  const owed = await balance();
  const { children } = await accountant.call(paymentApi.dues, { studentId: child, on: '' });
  const [line] = children[0]?.lines ?? [];
  const { status, json } = await accountant.send({
    method: 'POST',
    url: '/api/fee/payment',
    body: {
      payerGuardianId: father,
      payerName: '',
      payerMobile: '',
      mode: 'Cash',
      reference: '',
      paidOn: '2045-07-14',
      backReason: '',
      remark: '',
      amount: 200_000,
      children: [{ studentId: child, version: children[0]?.version, lines: [{ key: line?.key, amount: 200_000 }] }],
    },
  });
  expect([status, json.error?.message, await balance()]).toEqual([200, undefined, owed - 200_000]);
  const { id } = await accountant.call(chequeApi.take, {
    studentId: child,
    kind: 'Cheque',
    number: '100001',
    bank: 'Bank of Surat',
    datedOn: '2045-07-13',
    amount: 500_000,
    payerName: 'A parent',
  });
  await act(id, 'deposit', { slipNo: '17' });
  expect(await balance()).toBe(owed - 700_000);
  expect((await act(id, 'bounce', { reason: 'No funds', charge: 30_000 })).status).toBe(200);
  expect(await balance()).toBe(owed - 200_000 + 30_000);
});

test('U1.11 a plan of a closed year is refused with the day of closing, and its payments are named', async () => {
  const words =
    '2044-2045 was closed on 12 Jul 2045. Payments and refunds can still be entered. An Admin can reopen it.';
  const [plan] = await school.sql('select id, version from fee_plan');
  const changed = school.sql(`update fee_plan set left_on = '2045-01-01'`);
  await expect(changed).rejects.toMatchObject({ constraint: 'academic_year_is_closed' });
  const { status, json } = await accountant.send({
    method: 'POST',
    url: `/api/fee/plan/${plan?.id}/withdraw`,
    body: { version: plan?.version, reason: 'Wrong prices' },
  });
  expect([status, json.error.message]).toEqual([409, words]);
});
