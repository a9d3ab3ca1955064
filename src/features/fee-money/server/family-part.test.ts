import { afterAll, beforeAll, expect, test } from 'vitest';
import { showsDues } from '#features/family/api.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { linkValueOf, openFamilyPage, prove } from '#testing/family.ts';
import { joinFamily, plannedChild } from '#testing/paying-family.ts';
import { openPrices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { saveSetting } from '#testing/settings.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

/** What the page shows of fees, for each child. */
const feesOn = async (link: string) =>
  (await school.send({ url: `/api/family?family=${link}` })).json.parts['fee-money'];

test('N13.11 fees due by today and within a month are shown, but not in school matters nor against the setting', async () => {
  const { child, link } = await openFamilyPage(school);
  const due = (label: string, day: string) =>
    school.sql(`insert into fee_receipt_series (name, short_name) values ('${label}', '${label.slice(0, 3)}');
      insert into fee_account (student_id) values (${child}) on conflict do nothing;
      insert into fee_due (account_id, kind, receipt_series_id, gst_rate, label, due_on, gross)
      select account.id, 'Extra', series.id, 0, '${label}', ${day}, 50000 from fee_account account, fee_receipt_series series
      where account.student_id = ${child} and series.name = '${label}'`);
  await due('Lost book', 'current_date - 1');
  await due('Excursion', 'current_date + 20');
  await due('Uniform', 'current_date + 60');
  const [shown] = await feesOn(link);
  expect([shown.today, shown.rows.map(({ label }: { label: string }) => label)]).toEqual([
    50_000,
    ['Lost book', 'Excursion'],
  ]);
  await saveSetting(school, showsDues, false);
  expect(await feesOn(link)).toEqual([]);
  await saveSetting(school, showsDues, true);
  await school.sql(`update student_guardian set family_page = 'School matters' where student_id = ${child}`);
  expect(await feesOn(link)).toEqual([]);
});

test('FM25 a guardian’s calendar has the days on which fees are due, without amounts, and none that are paid or not shown', async () => {
  const { child, link, guardianId } = await openFamilyPage(school);
  await school.sql(`insert into fee_receipt_series (name, short_name) values ('Calendar', 'Cal');
    insert into fee_account (student_id) values (${child});
    insert into fee_due (account_id, kind, receipt_series_id, gst_rate, label, due_on, gross)
    select account.id, 'Extra', series.id, 0, label, current_date + ahead, 12300 from fee_account account, fee_receipt_series series,
      (values ('Lost book', 3), ('Excursion', 3), ('Uniform', 60)) as asked (label, ahead)
    where account.student_id = ${child} and series.name = 'Calendar'`);
  const { json } = await (await prove(school, { guardianId, link })).send({
    method: 'POST',
    url: `/api/family/feed?family=${link}`,
    body: {},
  });
  const read = async () => (await school.send({ url: `/api${json.address.split('/api')[1]}` })).text;
  const days = (text: string) => [...text.matchAll(/DTSTART;VALUE=DATE:(\d{8})/g)].map(([, day]) => day);
  const compact = (ahead: number) => addDays(toLocalDate(new Date()), ahead).replaceAll('-', '');
  const text = await read();
  expect(days(text)).toEqual([compact(3), compact(60)]);
  expect(text.match(/SUMMARY:.*/g)).toEqual(['SUMMARY:A: Fees due', 'SUMMARY:A: Fees due']);
  expect(text).not.toMatch(/123|book/);
  await school.sql(
    `update fee_due set gross = 0 where label = 'Uniform' and account_id = (select id from fee_account where student_id = ${child})`,
  );
  expect(days(await read())).toEqual([compact(3)]);
  await saveSetting(school, showsDues, false);
  expect(days(await read())).toEqual([]);
  await saveSetting(school, showsDues, true);
  await school.sql(`update student_guardian set family_page = 'School matters' where student_id = ${child}`);
  expect(days(await read())).toEqual([]);
});

test('N13.12 the fees of today have the late fines that are not charged yet', async () => {
  const prices = await openPrices(school);
  const [rule] = await school.sql(`insert into fee_fine_rule (name) values ('Late') returning id`);
  await school.sql(`insert into fee_fine_version (rule_id, effective_from, kind, amount, grace_days, max_amount)
      values (${rule?.id}, '2040-01-01', 'Per day', 2000, 5, 50000);
    update fee_head set fine_rule_id = ${rule?.id} where id = ${prices.heads.Tuition}`);
  const before = school.clock.now;
  school.clock.now = new Date(`${prices.year}-05-25T06:00:00Z`);
  const child = await plannedChild(school, prices, 'Aarav');
  const link = await linkValueOf(school, await joinFamily(school, 'Nikhil', '9876500000', [child]));
  const [dues] = await feesOn(link);
  school.clock.now = before;
  expect(dues.rows.filter(({ isFine }: { isFine: boolean }) => isFine)).toEqual([
    // The most that the rule takes, and ten days after the days of grace.
    { label: '', dueOn: `${prices.year}-04-10`, isFine: true, amount: 50_000 },
    { label: '', dueOn: `${prices.year}-05-10`, isFine: true, amount: 20_000 },
  ]);
  const ofToday = dues.rows.filter(({ dueOn }: { dueOn: string }) => dueOn <= `${prices.year}-05-25`);
  expect(dues.today).toBe(ofToday.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0));
});
