import { afterAll, beforeAll, expect, test } from 'vitest';
import { settingApi } from '#features/school/contract/setting.ts';
import type { Setting } from '#kit/contract/setting.ts';
import type { Person } from '#testing/browser.ts';
import { linkValueOf, openFamilyPage } from '#testing/family.ts';
import { joinFamily, plannedChild } from '#testing/paying-family.ts';
import { openPrices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openFleet } from '#testing/transport.ts';
import { linkDays, showsBus, showsDues } from './settings.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin' });
});
afterAll(() => school.close());

const set = async ({ key }: Setting, value: unknown) => {
  const { rows } = (await admin.call(settingApi.list, {})) as { rows: { key: string; rowVersion: number }[] };
  const rowVersion = rows.find((row) => row.key === key)?.rowVersion ?? 0;
  return admin.call(settingApi.save, { key, value: value as never, rowVersion });
};
const busOn = async (link: string) => (await school.send({ url: `/api/family?family=${link}` })).json.children[0].bus;

test('N13.10 stop, time and vehicle are shown to an adult who may collect the child, and the setting hides the bus', async () => {
  const { child, link } = await openFamilyPage(school);
  const { pickup, stops } = await openFleet(school, { seats: 3 });
  await school.sql(`insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, effective_from, billed_from, fee)
    values (${child}, ${pickup.trip}, ${stops[0]}, current_date, current_date, 'Free')`);
  expect(await busOn(link)).toEqual({ route: expect.stringMatching(/./), ways: [] });
  const bond = (values: string) => school.sql(`update student_guardian set ${values} where student_id = ${child}`);
  await bond('may_collect = true');
  expect((await busOn(link)).ways).toEqual([
    {
      trip: 'pickup',
      time: expect.stringMatching(/^\d\d:\d\d/),
      stop: expect.stringMatching(/^Stop/),
      vehicle: expect.any(String),
    },
  ]);
  await set(showsBus, false);
  expect(await busOn(link)).toBeNull();
  await set(showsBus, true);
  await bond(`family_page = 'School matters'`);
  expect(await busOn(link)).toBeNull();
});

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
  const dues = async () => (await school.send({ url: `/api/family?family=${link}` })).json.children[0].dues;
  const shown = await dues();
  expect([shown.today, shown.rows.map(({ label }: { label: string }) => label)]).toEqual([
    50_000,
    ['Lost book', 'Excursion'],
  ]);
  await set(showsDues, false);
  expect(await dues()).toBeNull();
  await set(showsDues, true);
  await school.sql(`update student_guardian set family_page = 'School matters' where student_id = ${child}`);
  expect(await dues()).toBeNull();
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
  const { dues } = (await school.send({ url: `/api/family?family=${link}` })).json.children[0];
  school.clock.now = before;
  expect(dues.rows.filter(({ isFine }: { isFine: boolean }) => isFine)).toEqual([
    // The most that the rule takes, and ten days after the days of grace.
    { label: '', dueOn: `${prices.year}-04-10`, isFine: true, amount: 50_000 },
    { label: '', dueOn: `${prices.year}-05-10`, isFine: true, amount: 20_000 },
  ]);
  const ofToday = dues.rows.filter(({ dueOn }: { dueOn: string }) => dueOn <= `${prices.year}-05-25`);
  expect(dues.today).toBe(ofToday.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0));
});

test('the setting says for how long a link works', async () => {
  const { guardianId } = await openFamilyPage(school);
  await set(linkDays, 30);
  await linkValueOf(school, guardianId);
  expect(
    await school.sql(`select expires_at between now() + interval '29 days' and now() + interval '31 days' as "isMonth"
      from family_link where guardian_id = ${guardianId}`),
  ).toEqual([{ isMonth: true }]);
});
