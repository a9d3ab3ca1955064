import { afterAll, beforeAll, expect, test } from 'vitest';
import { doDaily } from '#kit/server/job/daily.ts';
import { render } from '#kit/server/messages/outbox.ts';
import type { Person } from '#testing/browser.ts';
import { joinFamily, plannedChild } from '#testing/paying-family.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { chequeApi } from '../contract/cheque.ts';
import { bounceMessages } from './bounce-message.ts';
import { dailyDue, dueMessages } from './due-message.ts';
import { sendsReceipts } from './settings.ts';

let school: School;
let prices: Prices;
let accountant: Person;
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ name: 'Farida', role: 'Staff', sets: ['accountant'] });
  prices = await openPrices(school);
  at('2044-04-09');
});
afterAll(() => school.close());

function at(day: string) {
  school.clock.now = new Date(`${day}T06:00:00Z`);
}
const sent = (template: string) =>
  school.sql(
    `select subject_id as id, recipient, keeps_quiet as quiet from outbox where template = '${template}' order by id`,
  );
const takeCheque = (studentId: number, number: string, datedOn: string, amount: number) =>
  accountant.call(chequeApi.take, {
    studentId,
    kind: 'Cheque',
    number,
    bank: 'Bank of Surat',
    datedOn,
    amount,
    payerName: 'A parent',
  });
const versionOf = async (id: number) =>
  Number((await school.sql(`select version from fee_cheque where id = ${id}`))[0]?.version);

test('MB15 the primary contact gets one message of a bounce where the school has a gateway or says so, and none once the cheque is deposited again', async () => {
  const child = await plannedChild(school, prices, 'Asha');
  await joinFamily(school, 'Nikhil', '9876513001', [child]);
  const bounce = async (number: string) => {
    const { id } = await takeCheque(child, number, '2044-04-09', 50_000);
    await accountant.call(chequeApi.deposit, { id, version: await versionOf(id), slipNo: '' });
    await accountant.call(chequeApi.bounce, {
      id,
      version: await versionOf(id),
      reason: 'Funds insufficient',
      charge: null,
    });
    return id;
  };
  school.services.sendsTexts = false;
  await bounce('200001');
  expect([await sent('fee.bounced'), await sent('fee.receipt')]).toEqual([[], []]);
  school.services.sendsTexts = true;
  const id = await bounce('200002');
  const [told, ...more] = await sent('fee.bounced');
  expect([told?.recipient, told?.quiet, more]).toEqual(['9876513001', true, []]);
  expect(await sent('fee.receipt')).toHaveLength(1);
  const words = () => render(school.services, bounceMessages['fee.bounced'], Number(told?.id), 'sms');
  expect((await words())?.text).toContain(
    'the bank returned cheque 200002 of Rs 500.00 for Asha. These fees are due again.',
  );
  await accountant.call(chequeApi.deposit, { id, version: await versionOf(id), slipNo: '' });
  expect(await words()).toBeUndefined();
  // The school turns it off.
  await school.sql(`insert into setting (key, value) values ('${sendsReceipts.key}', 'false')`);
  await bounce('200003');
  expect(await sent('fee.bounced')).toHaveLength(1);
  await school.sql(`delete from setting where key = '${sendsReceipts.key}'`);
});

test('MB15 on the day on which fees fall due each guardian gets one message for all children, none for what a held cheque pays, and none once it is paid', async () => {
  const [elder, younger, held, barred] = [
    await plannedChild(school, prices, 'Bela'),
    await plannedChild(school, prices, 'Chirag'),
    await plannedChild(school, prices, 'Dev'),
    await plannedChild(school, prices, 'Esha'),
  ];
  await joinFamily(school, 'Meera', '9876513002', [elder, younger]);
  await joinFamily(school, 'Rakesh', '9876513003', [held]);
  const father = await joinFamily(school, 'Suresh', '9876513004', [barred]);
  await school.sql(
    `update student_guardian set is_primary = false, is_barred = true, may_collect = false, receives_messages = false where guardian_id = ${father}`,
  );
  const [first] =
    await school.sql(`select min(due_on)::text as day from fee_due where account_id in (select id from fee_account where student_id = ${elder})
    and due_on > '2044-04-09'`);
  const day = String(first?.day);
  const owed = async (student: number) =>
    Number(
      (
        await school.sql(`select sum(net - paid)::bigint as owed from fee_due where due_on = '${day}'
      and account_id = (select id from fee_account where student_id = ${student})`)
      )[0]?.owed,
    );
  await takeCheque(held, '300001', day, await owed(held));
  at(day);
  expect(await doDaily(school.services, dailyDue)).toBe(true);
  // A second run on the same day sends nothing.
  await school.sql(`delete from daily_task where name = 'fee-due-day'`);
  await doDaily(school.services, dailyDue);
  const told = (await sent('fee.due-day')).filter(
    ({ recipient }) => String(recipient).startsWith('98765130') && recipient !== '9876513001',
  );
  expect(told.map(({ recipient }) => recipient)).toEqual(['9876513002']);
  const words = () => render(school.services, dueMessages['fee.due-day'], Number(told[0]?.id), 'sms');
  expect((await words())?.text).toMatch(/^Dear parent, fees of (?:₹|Rs )[0-9,.]+ for Bela, Chirag are due on /);
  // A cheque of the elder pays all of it; the younger one's is left, and nothing once that is paid too.
  for (const [student, number] of [
    [elder, '300002'],
    [younger, '300003'],
  ] as const) {
    const [all] = await school.sql(`select sum(net - paid)::bigint as owed from fee_due where due_on <= '${day}'
      and account_id = (select id from fee_account where student_id = ${student})`);
    await takeCheque(student, number, day, Number(all?.owed));
    if (student === elder) expect((await words())?.text).toContain('for Chirag are due');
  }
  expect(await words()).toBeUndefined();
});
