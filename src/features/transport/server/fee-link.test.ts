import { afterAll, beforeAll, expect, test } from 'vitest';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { approvalApi, approvalList } from '#features/approval/contract/approval.ts';
import { makePlan } from '#features/fee-price/api.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openPrices } from '#testing/prices.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';
import { addRiders, openFleet } from '#testing/transport.ts';
import { fleetApi } from '../contract/fleet.ts';
import { riderApi, riderList } from '../contract/rider.ts';
import { stopChanges } from '../contract/stop-change.ts';
import { chargeRuns } from './charge-run.ts';
import { nextYearRuns } from './next-year.ts';

let school: School;
let office: Person;
let head: Person;
let section: number;
let year: { id: number; starts_on: string };
let fleet: Awaited<ReturnType<typeof openFleet>>;
beforeAll(async () => {
  school = await openSchool();
  // Before the days of its changes.
  school.clock.now = new Date('2026-11-20T10:00:00+05:30');
  office = await school.person({ name: 'Meena', role: 'Staff', sets: ['office'] });
  head = await school.person({ name: 'Ramesh', role: 'Staff', sets: ['transportIncharge'] });
  const prices = await openPrices(school);
  const [current] = await school.sql(
    `select id, starts_on::text as day from academic_year where id = academic_year_on()`,
  );
  year = { id: Number(current?.id), starts_on: String(current?.day) };
  section = (await plant(school, sectionMaster, { academicYearId: year.id, capacity: 80 })).id;
  fleet = await openFleet(school, { seats: 20 });
  // The second stop is dearer; the months of the year after next are charged too.
  await school.sql(`with slab as (insert into transport_fee_slab (name) values ('Far') returning id),
      price as (insert into transport_slab_price (academic_year_id, slab_id, month_amount, one_way_share, months)
        select ${year.id}, id, 200000, 6000, '{June,July,August,September,October,November,December,January}' from slab)
    update transport_stop set slab_id = slab.id from slab where transport_stop.id = ${fleet.stops[1]}`);
  await school.sql(`insert into transport_slab_price (academic_year_id, slab_id, month_amount, one_way_share, months)
    select ${prices.place.academicYearId}, slab_id, 150000, 6000, '{April,May}' from transport_stop
    where id = ${fleet.stops[0]}`);
  await school.sql(`insert into fee_head (name, short_name, category, frequency_id, applies_to, pro_rata, is_discountable,
      priority, receipt_series_id)
    select 'Bus', 'BUS', 'Transport', frequency.id, 'All students', 'Month', false, 90, series.id
    from fee_frequency frequency, fee_receipt_series series where frequency.kind = 'Monthly'`);
  place = prices.place;
});
afterAll(() => school.close());
let place: Parameters<typeof enroll>[1];

/** A child of the current year with a plan that charges nothing yet. */
async function childWithPlan(): Promise<number> {
  const [child = 0] = await addRiders(school, section, 1);
  await school.sql(`with account as (insert into fee_account (student_id) values (${child}) returning id)
    insert into fee_plan (account_id, academic_year_id, joined_on) select id, ${year.id}, '${year.starts_on}' from account`);
  return child;
}
const ride = (studentId: number, stop = fleet.stops[0]) => ({
  studentId,
  staffId: null,
  pickupTripId: fleet.pickup.trip,
  pickupStopId: stop ?? 0,
  dropTripId: fleet.drop.trip,
  dropStopId: stop ?? 0,
});
async function assign(studentId: number, effectiveFrom: string) {
  const input = { riders: [{ ...ride(studentId), fee: 'By stop' as const }], effectiveFrom, billedFrom: '' };
  const { confirmToken } = await head.call(riderApi.assign, input);
  return head.call(riderApi.assign, { ...input, confirmToken: confirmToken ?? '' });
}
async function change(studentId: number, effectiveFrom: string) {
  const asked = { ...ride(studentId, fleet.stops[1]), action: 'Change' as const, effectiveFrom, reason: 'Moved' };
  const { id } = await office.call(stopChanges.Student.api.request, asked);
  const { rows } = await head.call(approvalList.api.list, { search: '', tab: 'forMe' });
  const found = await head.call(approvalApi.read, { id: rows[0]?.id ?? 0 });
  await head.call(approvalApi.decide, {
    id: found.id,
    version: found.version,
    seen: found.seen,
    outcome: 'Approved',
    remark: '',
  });
  return id;
}
const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
async function readNextYear() {
  const [next] = await school.sql(`select later.id, later.starts_on::text as day from academic_year later
    join academic_year year on year.id = academic_year_on() and later.starts_on > year.ends_on order by later.starts_on limit 1`);
  return { id: Number(next?.id), startsOn: String(next?.day) };
}
/** Rupees of the bus by month, and what the child owes. */
async function owed(studentId: number) {
  const rows =
    await school.sql(`select to_char(due.period_from, 'Mon') as month, due.net / 100 as net, account.balance / 100 as balance
    from fee_due due join fee_account account on account.id = due.account_id
    where account.student_id = ${studentId} and due.net > 0 order by due.period_from`);
  return { months: rows.map(({ month, net }) => `${month} ${net}`), balance: Number(rows[0]?.balance ?? 0) };
}

test('F6.7 a seat on the bus is charged by the month, a change from the month of the cut-off rule, and undoing it cancels the charge', async () => {
  const [child, other] = [await childWithPlan(), await childWithPlan()];
  const { rows } = await assign(child, '2026-10-01');
  expect(rows).toMatchObject([{ amount: 150_000, ofYear: 600_000 }]);
  await assign(other, '2026-10-06');
  expect(await owed(child)).toEqual({ months: ['Oct 1500', 'Nov 1500', 'Dec 1500', 'Jan 1500'], balance: 6000 });
  expect(await owed(other)).toEqual({ months: ['Nov 1500', 'Dec 1500', 'Jan 1500'], balance: 4500 });

  const id = await change(child, '2026-12-03');
  await change(other, '2026-12-12');
  expect(await owed(child)).toEqual({ months: ['Oct 1500', 'Nov 1500', 'Dec 2000', 'Jan 2000'], balance: 7000 });
  expect(await owed(other)).toEqual({ months: ['Nov 1500', 'Dec 1500', 'Jan 2000'], balance: 5000 });

  await head.call(stopChanges.Student.api.cancel, { id });
  expect(await owed(child)).toEqual({ months: ['Oct 1500', 'Nov 1500', 'Dec 1500', 'Jan 1500'], balance: 6000 });
});

test('F6.8 the month of the last day on the bus is charged in full, and ending a ride again posts nothing', async () => {
  const child = await childWithPlan();
  await assign(child, '2026-10-01');
  const { rows } = await head.call(riderList.api.list, { search: '', tab: 'all' });
  const own = rows.find(({ personId, kind }) => kind === 'Student' && personId === child);
  const input = {
    selection: { ids: [own?.id ?? 0], isAll: false, query: {} },
    lastDay: '2026-11-03',
    reason: '',
  };
  const { confirmToken } = await head.call(riderApi.end, input);
  await head.call(riderApi.end, { ...input, confirmToken: confirmToken ?? '' });
  expect(await owed(child)).toEqual({ months: ['Oct 1500', 'Nov 1500'], balance: 3000 });
});

test('F1.6 a slab that costs another amount charges its riders the difference after a preview, once', async () => {
  const child = await childWithPlan();
  await assign(child, '2026-10-01');
  const before = await head.call(fleetApi.uncharged, {});
  expect(before).toEqual({ riders: 0, amount: 0 });
  const set = (amount: number) =>
    school.sql(`update transport_slab_price price set month_amount = ${amount} from transport_stop stop
      where stop.slab_id = price.slab_id and stop.id = ${fleet.stops[0]} and price.academic_year_id = ${year.id}`);
  await set(180_000);
  expect((await head.call(fleetApi.uncharged, {})).riders).toBeGreaterThan(0);
  const shown = await head.call(fleetApi.charge, {});
  expect((await owed(child)).balance).toBe(6000);
  const { runId } = await head.call(fleetApi.charge, { confirmToken: shown.confirmToken ?? '' });
  await finishRun(school.services, chargeRuns, Number(runId));
  expect(await owed(child)).toEqual({ months: ['Oct 1800', 'Nov 1800', 'Dec 1800', 'Jan 1800'], balance: 7200 });
  expect(await head.call(fleetApi.uncharged, {})).toEqual({ riders: 0, amount: 0 });
  expect((await head.call(fleetApi.charge, {})).confirmToken).toBeNull();
  await set(150_000);
});

test('F1.7 one run takes the riders into the next year: charged where they have a place, ended where the slot leaves out their grade', async () => {
  const next = await readNextYear();
  const [goesOn = 0, leaves = 0, waits = 0, withdrawn = 0] = await addRiders(school, section, 4);
  const grade = await plant(school, gradeMaster);
  const [own] = await school.sql(`select grade_id as id from academic_section where id = ${section}`);
  const enrolNext = (student: number, gradeId: number) =>
    school.sql(`insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, joined_on,
        admission_type)
      select student_id, ${next.id}, branch_id, program_id, ${gradeId}, '${next.startsOn}', 'Existing'
      from student_enrollment where student_id = ${student} and academic_year_id = ${year.id}`);
  await enrolNext(goesOn, Number(own?.id));
  await enrolNext(leaves, grade.id);
  await enrolNext(withdrawn, Number(own?.id));
  for (const child of [goesOn, leaves, waits, withdrawn]) await assign(child, '2026-10-01');
  await school.sql(`insert into transport_stop_change (request_no, student_id, action, effective_from, reason, requested_by,
      requested_at)
    select 'SC-NEXT', ${withdrawn}, 'Stop', '${next.startsOn}', 'Comes by bicycle', min(id), now() from staff`);
  await school.sql(`update transport_time_slot set from_grade_id = ${own?.id}, to_grade_id = ${own?.id}
    where id in (${fleet.pickup.slot}, ${fleet.drop.slot})`);
  await school.sql(`insert into transport_slab_price (academic_year_id, slab_id, month_amount, one_way_share, months)
    select ${next.id}, slab_id, 165000, 6000, '{June,July}' from transport_stop where id = ${fleet.stops[0]}
    on conflict do nothing`);
  await school.sql(`with account as (insert into fee_account (student_id) values (${goesOn}) returning id)
    insert into fee_plan (account_id, academic_year_id, joined_on) select id, ${next.id}, '${next.startsOn}' from account`);
  const shown = await head.call(fleetApi.nextYear, {});
  expect(shown.ends.map(({ id }) => id)).toEqual([leaves]);
  const reasons = new Map(shown.skipped.map(({ id, reason }) => [id, reason.id]));
  expect(reasons.get(waits)).toContain('no place');
  expect(reasons.get(withdrawn)).toContain('Asks to stop');
  const { runId } = await head.call(fleetApi.nextYear, { confirmToken: shown.confirmToken ?? '' });
  await finishRun(school.services, nextYearRuns, Number(runId));
  const ends = await school.sql(`select student_id, effective_to::text as "to" from transport_assignment
    where student_id in (${goesOn}, ${leaves}, ${waits}) order by student_id`);
  expect(ends.map(({ to }) => to)).toEqual([null, dayBefore(next.startsOn), null]);
  expect((await owed(goesOn)).months.filter((one) => one.endsWith('1650'))).toHaveLength(2);
  await school.sql(`update transport_time_slot set from_grade_id = null, to_grade_id = null`);
});

test('a ride of the next year is listed with the class of its first day, and found by its grade', async () => {
  const next = await readNextYear();
  const [child = 0] = await addRiders(school, section, 1);
  const grade = await plant(school, gradeMaster);
  await school.sql(`
    insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, joined_on, admission_type)
      select student_id, ${next.id}, branch_id, program_id, ${grade.id}, '${next.startsOn}', 'Existing'
      from student_enrollment where student_id = ${child} and academic_year_id = ${year.id};
    insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, effective_from, billed_from, fee)
      values (${child}, ${fleet.pickup.trip}, ${fleet.stops[0]}, '${next.startsOn}', '${next.startsOn}', 'Free')`);
  const of = async (gradeId: number) => {
    const { rows } = await head.call(riderList.api.list, { search: '', tab: 'later', gradeId: String(gradeId) });
    return rows.filter(({ personId }) => personId === child).map(({ place }) => place);
  };
  const [own] = await school.sql(`select grade_id as id from academic_section where id = ${section}`);
  expect([await of(grade.id), await of(Number(own?.id))]).toEqual([[grade.name], []]);
});

test('U1.12 charges of the next year name that year alone; differences in this year are listed separately and not posted', async () => {
  const next = await readNextYear();
  const [own] = await school.sql(`select grade_id as id from academic_section where id = ${section}`);
  const [up, down] = [await childWithPlan(), await childWithPlan()];
  for (const child of [up, down]) {
    await assign(child, '2026-10-01');
    await school.sql(`insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, joined_on,
        admission_type)
      select student_id, ${next.id}, branch_id, program_id, ${own?.id}, '${next.startsOn}', 'Existing'
      from student_enrollment where student_id = ${child} and academic_year_id = ${year.id}`);
  }
  await school.sql(`insert into transport_slab_price (academic_year_id, slab_id, month_amount, one_way_share, months)
    select ${next.id}, slab_id, 210000, 6000, '{June,July}' from transport_stop
    where id in (${fleet.stops[0]}, ${fleet.stops[1]}) on conflict do nothing`);
  // One pays more for four months, the other less, as if their stops had changed without a charge.
  await school.sql(`update transport_assignment set pickup_stop_id = ${fleet.stops[1]}, drop_stop_id = ${fleet.stops[1]}
    where student_id = ${up}`);
  await school.sql(`update transport_assignment set billed_from = '2026-12-01' where student_id = ${down}`);
  const [posted, before] = [await owed(up), await owed(down)];
  const [{ name } = { name: '' }] = await school.sql(`select name from academic_year where id = ${year.id}`);
  const preview = await head.call(fleetApi.nextYear, {});
  expect(preview.total).toBe(0);
  // 4 × ₹500 more and 2 × ₹1,500 less.
  expect(preview.others).toEqual([{ year: name, riders: 2, total: 200_000 - 300_000 }]);
  if (preview.confirmToken) {
    const { runId } = await head.call(fleetApi.nextYear, { confirmToken: preview.confirmToken });
    await finishRun(school.services, nextYearRuns, Number(runId));
  }
  expect([await owed(up), await owed(down)]).toEqual([posted, before]);
  // They are charged by an act of their own, with others who have no place in the next year yet.
  expect((await head.call(fleetApi.uncharged, {})).riders).toBeGreaterThanOrEqual(2);
});

test('a fee plan that is made after the seat on the bus charges the bus', async () => {
  const [student] = await school.sql(`select student_id as id from student_enrollment
    where id = ${await enroll(school, place, 'Rider')}`);
  await school.sql(`insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, effective_from,
      billed_from, fee)
    select ${student?.id}, ${fleet.pickup.trip}, ${fleet.stops[0]}, starts_on, starts_on, 'By stop'
    from academic_year where id = ${place.academicYearId}`);
  const ctx = school.context();
  await ctx.db.transaction().execute((db) => makePlan({ ...ctx, db }, Number(student?.id), place.academicYearId, {}));
  const bus =
    await school.sql(`select due.net / 100 as net from fee_due due join fee_account account on account.id = due.account_id
    join fee_head head on head.id = due.fee_head_id where account.student_id = ${student?.id} and head.category = 'Transport'`);
  expect(bus.map(({ net }) => Number(net))).toEqual([900, 900]);
});
