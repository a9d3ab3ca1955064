import { afterAll, beforeAll, expect, test } from 'vitest';
import { render } from '#kit/server/messages/outbox.ts';
import type { Person } from '#testing/browser.ts';
import { joinFamily, plannedChild } from '#testing/paying-family.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise } from '#testing/seated.ts';
import { accountApi, accountList } from '../contract/account.ts';
import { followUpApi } from '../contract/follow-up.ts';
import { paymentApi } from '../contract/payment.ts';
import { owedToday } from './read-dues.ts';
import { feeMessages, remindRuns } from './remind.ts';

let school: School;
let prices: Prices;
let cashier: Person;
beforeAll(async () => {
  school = await openSchool();
  cashier = await school.person({ role: 'Staff', sets: ['accountant'] });
  prices = await openPrices(school);
  school.clock.now = new Date(`${prices.year}-04-12T06:00:00Z`);
});
afterAll(() => school.close());

const find = async (search: string) => (await cashier.call(paymentApi.find, { search })).families;
const childrenOf = async (search: string) =>
  (await find(search)).map(({ children, payer }) => [payer, children.map(({ studentId }) => studentId)]);

test('MC12 each parent pays for the own children, and a child of another household is refused', async () => {
  const [one, two] = [await plannedChild(school, prices, 'Asmi'), await plannedChild(school, prices, 'Bhavin')];
  const mother = await joinFamily(school, 'Meena', '9876511101', [one, two]);
  const apart = { isPrimary: false };
  const first = await raise(school, [one], { firstName: 'Farhan', mobile: '9876511102' }, apart);
  await raise(school, [two], { firstName: 'Falgun', mobile: '9876511103' }, apart);
  expect(await childrenOf('9876511102')).toEqual([['Farhan Shah', [one]]]);
  expect(await childrenOf('9876511101')).toEqual([['Meena Shah', [one, two]]]);
  // The child by itself: the mother, to be called first, and the father.
  expect(await childrenOf('Asmi')).toEqual([
    ['Meena Shah', [one, two]],
    ['Farhan Shah', [one]],
  ]);
  const dues = (guardianId: number | null, studentId = one) =>
    cashier.call(paymentApi.dues, { studentId, guardianId: guardianId ?? '', on: '' } as never);
  const own = await dues(first);
  expect(own.children.map(({ studentId }) => studentId)).toEqual([one]);
  expect(own.payers.map(({ guardianId }) => guardianId)).toContain(mother);
  const both = await dues(null);
  expect(both.children.map(({ studentId }) => studentId)).toEqual([one, two]);
  expect(both.payers.map(({ guardianId }) => guardianId)).toEqual([mother]);
  await expect(dues(first, two)).rejects.toMatchObject({ code: 'not_found' });
  const { siblings } = await cashier.call(accountApi.read, { id: one });
  expect(siblings.map(({ studentId }) => studentId)).toEqual([two]);

  const pay = (payerGuardianId: number, children: number[]) =>
    cashier.send({
      method: 'POST',
      url: '/api/fee/payment',
      body: {
        payerGuardianId,
        mode: 'Cash',
        paidOn: `${prices.year}-04-12`,
        amount: 100,
        children: both.children
          .filter(({ studentId }) => children.includes(studentId))
          .map(({ studentId, version, lines: [line] }) => ({
            studentId,
            version,
            lines: children.length === 1 ? [{ key: line?.key, amount: 100 }] : [],
          })),
      },
    });
  expect((await pay(first, [one, two])).json.error.fields).toEqual({ payerGuardianId: 'Choose one from the list.' });
  expect((await pay(first, [one])).status).toBe(200);
  expect((await pay(mother, [two])).status).toBe(200);
  const stranger = await plannedChild(school, prices, 'Chetan');
  const elsewhere = (await dues(null, stranger)).children;
  both.children.push(...elsewhere);
  expect((await pay(mother, [one, stranger])).status).toBe(404);
});

test('a child who left, or is still to come, is listed with its day and what it owes', async () => {
  const [here, left, coming] = [
    await plannedChild(school, prices, 'Dhruv'),
    await plannedChild(school, prices, 'Esha'),
    await plannedChild(school, prices, 'Fenil'),
  ];
  await joinFamily(school, 'Nilesh', '9876511104', [here, left, coming]);
  const [gone, later] = [`${prices.year}-04-05`, `${prices.year}-06-01`];
  await school.sql(`update student_enrollment set status = 'Transferred', left_on = '${gone}' where student_id = ${left};
    insert into student_leaving (student_id, enrollment_id, last_day, reason_id, decided_by)
      select student_id, enrollment.id, '${gone}', (select min(id) from academic_lookup where kind = 'Leaving reason'), 'Test'
      from student_enrollment enrollment where student_id = ${left};
    delete from student_section where student_id = ${coming};
    update student_enrollment set joined_on = '${later}' where student_id = ${coming}`);
  const [hit] = await find('Dhruv');
  const expected = [
    [here, '', ''],
    [left, gone, ''],
    [coming, '', later],
  ];
  const daysOf = (children: { studentId: number; leftOn: string; joinsOn: string }[]) =>
    children.map(({ studentId, leftOn, joinsOn }) => [studentId, leftOn, joinsOn]).toSorted();
  expect(daysOf(hit?.children ?? [])).toEqual(expected.toSorted());
  const { children } = await cashier.call(paymentApi.dues, { studentId: here, on: '' });
  expect(daysOf(children)).toEqual(expected.toSorted());
  expect(children.find(({ studentId }) => studentId === left)?.lines.some(({ isDue }) => isDue)).toBe(true);
});

test('counter, list, account, slip and reminder show one amount due, with the late fines as of today', async () => {
  const [rule] = await school.sql(`insert into fee_fine_rule (name) values ('Late') returning id`);
  await school.sql(`insert into fee_fine_version (rule_id, effective_from, kind, amount, grace_days, max_amount)
    values (${rule?.id}, '2040-01-01', 'Per day', 2000, 5, 50000)`);
  await school.sql(`update fee_head set fine_rule_id = ${rule?.id} where id = ${prices.heads.Tuition}`);
  school.clock.now = new Date(`${prices.year}-04-28T06:00:00Z`);
  const child = await plannedChild(school, prices, 'Girish');
  await joinFamily(school, 'Naresh', '9876511105', [child]);
  const [account] = await school.sql(`select id from fee_account where student_id = ${child}`);
  const id = Number(account?.id);
  const owed = (await owedToday({ db: school.services.db }, [id], `${prices.year}-04-28`)).get(id);
  // 13 days from the 16th.
  expect(owed).toEqual({ due: 3_050_000, fine: 26_000, since: `${prices.year}-04-10` });
  const figures = { due: owed?.due, fine: owed?.fine };
  expect(await find('Girish')).toMatchObject([figures]);
  expect(await cashier.call(accountApi.read, { id: child })).toMatchObject(figures);
  const { rows } = await cashier.call(accountList.api.list, { search: 'Girish' } as never);
  expect(rows).toMatchObject([figures]);
  await cashier.send({
    method: 'POST',
    url: '/api/fee/demand',
    body: { ids: [child], isAll: false, query: {} },
  });
  expect(JSON.stringify(school.papers.last())).toContain('₹30,760.00');
  const selection = { ids: [child], isAll: false, query: {} };
  const { confirmToken } = await cashier.call(followUpApi.remind, { selection });
  const { runId } = await cashier.call(followUpApi.remind, { selection, confirmToken: confirmToken ?? '' });
  await school.sql('update run set begins_at = null where finished_at is null');
  await finishRun(school.services, remindRuns, Number(runId));
  const [sent] = await school.sql(`select subject_id as id from outbox where template = 'fee.reminder'`);
  const message = await render(school.services, feeMessages['fee.reminder'], Number(sent?.id), 'sms');
  expect(message?.text).toContain('Rs 30,760.00');
});

test('a late fine counts until the value day of a payment, which is never after its day in the books', async () => {
  const child = await plannedChild(school, prices, 'Harit');
  const father = await joinFamily(school, 'Nayan', '9876511106', [child]);
  school.clock.now = new Date(`${prices.year}-04-28T06:00:00Z`);
  const { children } = await cashier.call(paymentApi.dues, { studentId: child, on: '' });
  const lines = (children[0]?.lines ?? []).filter(({ isDue, isFine }) => isDue && !isFine);
  const { status, json } = await cashier.send({
    method: 'POST',
    url: '/api/fee/payment',
    body: {
      payerGuardianId: father,
      mode: 'UPI',
      reference: 'VALUE 1',
      paidOn: `${prices.year}-04-28`,
      amount: 3_050_000,
      children: [
        {
          studentId: child,
          version: children[0]?.version,
          lines: lines.map(({ key, owed }) => ({ key, amount: owed })),
        },
      ],
    },
  });
  expect(status).toBe(200);
  const [stored] = await school.sql(`select value_on::text as day from fee_payment where id = ${json.id}`);
  expect(stored).toEqual({ day: `${prices.year}-04-28` });
  await expect(school.sql(`update fee_payment set value_on = paid_on + 1 where id = ${json.id}`)).rejects.toMatchObject(
    { constraint: 'fee_payment_value_day' },
  );
});

test('an account without a child says whose money it has, and in which branch', async () => {
  const [branch] = await school.sql('select id from academic_branch order by id limit 1');
  const [child] = await school.sql('select student_id as id, id as account from fee_account order by id limit 1');
  const make = (columns: string, values: string) =>
    school.sql(`insert into fee_account (${columns}) values (${values})`);
  await make('unplaced_note, branch_id, unplaced_of', `'UPI of 12 Apr, no name', ${branch?.id}, ${child?.account}`);
  for (const [columns, values] of [
    ['unplaced_note', `'No branch'`],
    ['branch_id', `${branch?.id}`],
    ['student_id, unplaced_of', `${child?.id}, ${child?.account}`],
  ] as const)
    await expect(make(columns, values)).rejects.toMatchObject({ code: '23514' });
});
