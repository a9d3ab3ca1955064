import { afterAll, beforeAll, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { approvalApi, approvalList } from '#features/approval/contract/approval.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { plannedChild } from '#testing/paying-family.ts';
import { receive } from '#testing/payments.ts';
import { openPrices } from '#testing/prices.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { addRiders, openFleet } from '#testing/transport.ts';
import { fleetApi } from '../contract/fleet.ts';
import { slabPriceMaster } from '../contract/masters.ts';
import { riderApi } from '../contract/rider.ts';
import { chargeRuns } from './charge-run.ts';

let school: School;
let head: Person;
let principal: Person;
let section: number;
let year: { id: number; starts_on: string };
let fleet: Awaited<ReturnType<typeof openFleet>>;
let slab: number;
beforeAll(async () => {
  school = await openSchool();
  head = await school.person({ name: 'Ramesh', role: 'Staff', sets: ['transportIncharge'] });
  principal = await school.person({ name: 'Mina', role: 'Staff', sets: ['principal'] });
  const prices = await openPrices(school);
  const [current] = await school.sql(
    `select id, starts_on::text as day from academic_year where id = academic_year_on()`,
  );
  year = { id: Number(current?.id), starts_on: String(current?.day) };
  section = (await plant(school, sectionMaster, { academicYearId: year.id, capacity: 80 })).id;
  fleet = await openFleet(school, { seats: 20 });
  await school.sql(`insert into fee_head (name, short_name, category, frequency_id, applies_to, pro_rata, is_discountable,
      priority, receipt_series_id)
    select 'Bus', 'BUS', 'Transport', frequency.id, 'All students', 'Month', false, 90, series.id
    from fee_frequency frequency, fee_receipt_series series where frequency.kind = 'Monthly'`);
  slab = Number((await school.sql(`select slab_id as id from transport_stop where id = ${fleet.stops[0]}`))[0]?.id);
  await school.sql(`update transport_slab_price set month_amount = 200000 where slab_id = ${slab}`);
  // The school takes its first money.
  const payer = await plannedChild(school, prices, 'Payer');
  const [due] =
    await school.sql(`select due.id, account_id, due.receipt_series_id from fee_due due join fee_account account
    on account.id = due.account_id where account.student_id = ${payer} order by due_on limit 1`);
  const on = [{ due: Number(due?.id), amount: 100 }];
  const paid = { account: Number(due?.account_id), series: Number(due?.receipt_series_id), on };
  await receive(school, { ...paid, day: `${prices.year}-04-01` });
  school.clock.now = new Date(`${year.starts_on.slice(0, 4)}-09-20T06:00:00Z`);
});
afterAll(() => school.close());

/** A child of the current year with a plan that charges nothing yet. */
async function childWithPlan(): Promise<number> {
  const [child = 0] = await addRiders(school, section, 1);
  await school.sql(`with account as (insert into fee_account (student_id) values (${child}) returning id)
    insert into fee_plan (account_id, academic_year_id, joined_on) select id, ${year.id}, '${year.starts_on}' from account`);
  return child;
}
async function assign(studentId: number, fee: 'By stop' | 'Free') {
  const rider = {
    studentId,
    staffId: null,
    pickupTripId: fleet.pickup.trip,
    pickupStopId: fleet.stops[0] ?? 0,
    dropTripId: fleet.drop.trip,
    dropStopId: fleet.stops[0] ?? 0,
    fee,
  };
  const input = { riders: [rider], effectiveFrom: `${year.starts_on.slice(0, 4)}-10-01`, billedFrom: '' };
  const { confirmToken, rows } = await head.call(riderApi.assign, input);
  await head.call(riderApi.assign, { ...input, confirmToken: confirmToken ?? '' });
  return rows[0];
}
const balance = async (student: number) =>
  Number((await school.sql(`select balance from fee_account where student_id = ${student}`))[0]?.balance);
/** Paise of the bus a month. */
const months = async (student: number) => {
  const rows = await school.sql(`select due.net from fee_due due join fee_account account on account.id = due.account_id
    where account.student_id = ${student} and due.net > 0 order by due.period_from`);
  return rows.map(({ net }) => Number(net));
};
const waiting = async () => (await principal.call(approvalList.api.list, { tab: 'forMe' } as never)).rows;
async function decide(outcome: 'Approved' | 'Rejected' = 'Approved') {
  const rows = await waiting();
  expect(rows).toHaveLength(1);
  const id = rows[0]?.id ?? 0;
  const { version, seen } = await principal.call(approvalApi.read, { id });
  const body = { version, seen, outcome, remark: 'Seen' };
  const { status, json } = await principal.send({ method: 'POST', url: `/api/approval/${id}/decide`, body });
  return status === 200 ? '' : json.error.message;
}
const finishCharge = async () => {
  const [run] = await school.sql(`select max(id) as id from run where kind = 'transport.charge'`);
  await finishRun(school.services, chargeRuns, Number(run?.id));
};
const price = async () => {
  const { rows } = await head.call(slabPriceMaster.api.list, {} as never);
  return (rows as unknown as { id: number; version: number; slabId: number; monthAmount: number }[]).find(
    (row) => row.slabId === slab,
  );
};
const change = async (over: object) => head.call(slabPriceMaster.api.update, { ...(await price()), ...over } as never);

test('MC14 a free seat is charged by its stop until a second person approves it', async () => {
  const child = await childWithPlan();
  expect(await assign(child, 'Free')).toMatchObject({ amount: 200_000, isAsked: true });
  const owed = await balance(child);
  expect(owed).toBeGreaterThan(0);
  const [seat] = await school.sql(`select id, fee from transport_assignment where student_id = ${child}`);
  expect(seat?.fee).toBe('By stop');
  await expect(
    school.sql(`update transport_assignment set fee = 'Free' where student_id = ${child}`),
  ).rejects.toMatchObject({ constraint: 'transport_free_alone' });
  expect(await decide()).toBe('');
  expect([await balance(child), await months(child)]).toEqual([0, []]);
  expect(await waiting()).toEqual([]);
  expect((await school.sql(`select fee from transport_assignment where id = ${seat?.id}`))[0]?.fee).toBe('Free');

  const other = await childWithPlan();
  await assign(other, 'Free');
  const charged = await balance(other);
  expect(await decide('Rejected')).toBe('');
  expect(await balance(other)).toBe(charged);
});

test('MC14 a free seat that has changed since it was asked for is not approved', async () => {
  const child = await childWithPlan();
  await assign(child, 'Free');
  await school.sql(`update transport_assignment set version = version + 1 where student_id = ${child}`);
  expect(await decide()).toBe('It has changed since. Ask again.');
  expect(await decide('Rejected')).toBe('');
});

test('MC14 a slab from 2,000 to 100 waits for a second person, and then charges its riders less', async () => {
  const child = await childWithPlan();
  await assign(child, 'By stop');
  const before = await months(child);
  expect(new Set(before)).toEqual(new Set([200_000]));
  expect((await change({ monthAmount: 210_000 })).isHeld).toBeUndefined();
  expect((await change({ monthAmount: 10_000 })).isHeld).toBe(true);
  expect((await price())?.monthAmount).toBe(210_000);
  expect((await head.call(fleetApi.waitingPrices, {})).rows).toMatchObject([
    { lines: [{ label: 'A month, both ways (₹)', from: '₹2,100.00', to: '₹100.00' }] },
  ]);
  await expect(change({ monthAmount: 20_000 })).rejects.toThrow('waits for a second person already');
  for (const statement of [
    `update transport_slab_price set month_amount = 10000 where slab_id = ${slab}`,
    `update transport_slab_price set is_active = false where slab_id = ${slab}`,
    `update transport_slab_price set months = months[1:2] where slab_id = ${slab}`,
    `delete from transport_slab_price where slab_id = ${slab}`,
  ])
    await expect(school.sql(statement), statement).rejects.toMatchObject({
      constraint: 'transport_price_lowered_alone',
    });
  expect(await decide()).toBe('');
  expect((await price())?.monthAmount).toBe(10_000);
  await finishCharge();
  expect(await months(child)).toEqual(before.map(() => 10_000));
  expect(await head.call(fleetApi.uncharged, {})).toEqual({ riders: 0, amount: 0 });
});

test('MC14 a new price below that of another year, and a lower one in a file, need a second person', async () => {
  const years = (await school.sql(`select id from academic_year where id <> ${year.id} and status <> 'Closed'
    and starts_on > '${year.starts_on}' order by starts_on`)) as { id: number }[];
  const next = years[0]?.id ?? 0;
  const made = { academicYearId: next, slabId: slab, oneWayShare: 6000, months: 'June,July', isActive: true };
  expect(await head.call(slabPriceMaster.api.create, { ...made, monthAmount: 5000 } as never)).toMatchObject({
    id: 0,
    isHeld: true,
  });
  expect(await decide()).toBe('');
  expect(
    (
      await school.sql(`select month_amount from transport_slab_price where academic_year_id = ${next}
    and slab_id = ${slab}`)
    )[0]?.month_amount,
  ).toBe(5000);
  const { bytes } = await head.send({ url: '/api/transport/slab-price/export?as=csv&ids=' });
  const file = bytes.toString().replace(/\b100\b/g, '90');
  const { rows } = await head.call(slabPriceMaster.api.import, { file } as never);
  expect(JSON.stringify(rows)).toContain('a second person decides');
});
