import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { showDate } from '#kit/contract/day.ts';
import { addDays } from '#kit/server/day.ts';
import { render } from '#kit/server/messages/outbox.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openPrices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise } from '#testing/seated.ts';
import { addBus, addCrew, addRiders, addRoute, addTrip, firstDay, openFleet, plantBranch } from '#testing/transport.ts';
import { type DayTrip, type Move, todayApi } from '../contract/today.ts';
import { busOf } from './bus.ts';
import { busMessages } from './bus-messages.ts';

let school: School;
let keeper: Person;
let section: number;
let year: { id: number; starts_on: string };
let today: string;
beforeAll(async () => {
  school = await openSchool();
  keeper = await school.person({ name: 'Ramesh', role: 'Staff', sets: ['transportIncharge'] });
  const [row] =
    await school.sql(`select id, starts_on::text, (school_now() at time zone 'Asia/Kolkata')::date::text as today
    from academic_year where id = academic_year_on()`);
  today = String(row?.today);
  year = { id: Number(row?.id), starts_on: String(row?.starts_on) };
  await openPrices(school);
  await school.sql(`insert into fee_head (name, short_name, category, frequency_id, applies_to, pro_rata, is_discountable,
      priority, receipt_series_id)
    select 'Bus', 'BUS', 'Transport', frequency.id, 'All students', 'Month', false, 90, series.id
    from fee_frequency frequency, fee_receipt_series series where frequency.kind = 'Monthly'`);
});
beforeEach(async () => {
  section = (await plant(school, sectionMaster, { academicYearId: year.id, capacity: 80 })).id;
});
afterAll(() => school.close());
afterEach(() => {
  school.clock.now = undefined;
});

/** A Wednesday some weeks after today. */
const coming = (by = 0) => {
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  return addDays(today, 21 + ((3 - weekday + 7) % 7) + by);
};
const days = () => ({ effectiveFrom: coming(), effectiveTo: coming(2) });
const post = (url: string, input: object) => keeper.send({ method: 'POST', url: `/api/transport/${url}`, body: input });
/** Shows what an act does and applies it, or answers what refuses it. */
async function apply(url: string, input: object) {
  const shown = await post(url, input);
  return shown.status === 200 ? post(url, { ...input, confirmToken: shown.json.confirmToken }) : shown;
}
async function tripOn(id: number, day: string): Promise<DayTrip> {
  const { trips } = await keeper.call(todayApi.day, { day });
  const found = trips.find((trip) => trip.id === id);
  if (!found) throw new Error(`Trip ${id} does not run on ${day}.`);
  return found;
}
const ridersOn = async (id: number, day: string) =>
  Number((await school.sql(`select transport_riders(${id}, '${day}') as riders`))[0]?.riders);

/** Children who ride on a trip from a stop. */
async function ride(trip: number, stop: number, count: number) {
  const children = await addRiders(school, section, count);
  for (const child of children)
    await school.sql(`insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, effective_from,
      billed_from, fee) values (${child}, ${trip}, ${stop}, '${firstDay}', '${firstDay}', 'By stop')`);
  return children;
}
/** A second route over the same stops, with a bus of its own in the same slot. */
async function openOther(fleet: Awaited<ReturnType<typeof openFleet>>, seats: number) {
  const [row] = await school.sql(`select branch_id as id from transport_route where id = ${fleet.pickup.route}`);
  const bus = await addBus(school, Number(row?.id), seats);
  const route = await addRoute(school, { branchId: Number(row?.id), stops: fleet.stops });
  return { bus, route, trip: await addTrip(school, route, fleet.pickup.slot, bus) };
}
const rideOf = async (child: number | undefined) =>
  Number((await school.sql(`select id from transport_assignment where student_id = ${child}`))[0]?.id);
async function movesOf(children: readonly number[], tripId: number | null, stopId: number | undefined) {
  const moves: Move[] = [];
  for (const child of children)
    moves.push({ rideId: await rideOf(child), way: 'Pickup', tripId, stopId: tripId === null ? null : (stopId ?? 0) });
  return moves;
}
const van = (trip: DayTrip, ownId: number, over: object = {}) => ({
  tripId: trip.id,
  role: 'Vehicle',
  replacedId: trip.vehicle?.id ?? null,
  ownId,
  isAll: false,
  isAway: true,
  isTold: false,
  moves: [],
  reason: '',
  ...days(),
  ...over,
});
const dayRide = (moves: readonly Move[], over: object = {}) => ({
  isNotRunning: false,
  isTold: false,
  moves,
  reason: '',
  ...days(),
  ...over,
});
const ledger = async (children: readonly number[]) => {
  const rows = await school.sql(`select entry.* from fee_ledger_entry entry join fee_account account
    on account.id = entry.account_id where account.student_id in (${children.join(', ')}) order by entry.id`);
  return { rows: rows.length, text: JSON.stringify(rows) };
};
/** A child with a plan, who is charged for the seat from the first of the month after next. */
async function chargedChild(trip: number, stop: number) {
  const [child = 0] = await addRiders(school, section, 1);
  await school.sql(`with account as (insert into fee_account (student_id) values (${child}) returning id)
    insert into fee_plan (account_id, academic_year_id, joined_on) select id, ${year.id}, '${year.starts_on}' from account`);
  await assign(child, trip, stop, today);
  return child;
}
const assign = (child: number, trip: number, stop: number, effectiveFrom: string) =>
  apply('rider/assign', {
    riders: [
      {
        studentId: child,
        staffId: null,
        pickupTripId: trip,
        pickupStopId: stop,
        dropTripId: null,
        dropStopId: null,
        fee: 'By stop',
      },
    ],
    effectiveFrom,
    billedFrom: '',
  });

/** Gives each child a mother of its own, who receives messages. */
async function plantMothers(children: readonly number[]) {
  for (const child of children) {
    await school.sql(`update student_guardian set is_primary = false where student_id = ${child}`);
    const mobile = `98251${String(10_000 + child).slice(-5)}`;
    const mother = await raise(school, [child], { firstName: 'Meena', mobile }, { relation: 'Mother' });
    await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${mother}`);
  }
}
const queued = (children: readonly number[]) =>
  school.sql(`select told.id, sent.template, tie.student_id as child from transport_told told
    join outbox sent on sent.template like 'transport.%' and sent.subject_id = told.id
    join student_guardian tie on tie.guardian_id = told.guardian_id
    where tie.student_id in (${children.join(', ')}) order by told.id`);
const wordsOf = async (id: unknown, kind: keyof typeof busMessages = 'transport.changed') =>
  (await render(school.services, busMessages[kind], Number(id), 'email', null))?.text;

test('TB4 a bus in the workshop: a van of 12 and 6 children on another bus, for these days only', async () => {
  const fleet = await openFleet(school, { seats: 20 });
  const { pickup, stops } = fleet;
  const other = await openOther(fleet, 30);
  const children = [await chargedChild(pickup.trip, stops[0] ?? 0), ...(await ride(pickup.trip, stops[0] ?? 0, 17))];
  const theirs = await ride(other.trip, stops[1] ?? 0, 14);
  await plantMothers(children);
  const before = await ledger([...children, ...theirs]);
  expect(before.rows).toBeGreaterThan(0);
  const small = await addBus(school, 1, 12);
  const trip = await tripOn(pickup.trip, coming());
  const alone = await apply('stand-in', van(trip, small));
  expect([alone.status, alone.json.error.message]).toEqual([
    409,
    expect.stringContaining(`has 12 seats for 18 riders on ${showDate(coming())}`),
  ]);
  const offered = await keeper.call(todayApi.elsewhere, { id: trip.id, isAll: '', from: coming(), to: coming(2) });
  expect(offered.trips.map(({ id, riders }) => [id, riders.length])).toEqual([[pickup.trip, 18]]);
  expect(offered.trips[0]?.riders[0]?.trips).toMatchObject([
    { tripId: other.trip, stopId: stops[0], free: 16, isSameStop: true },
  ]);
  const six = children.slice(0, 6);
  const moves = await movesOf(six, other.trip, stops[0]);
  school.clock.now = new Date(`${coming()}T05:45:00+05:30`);
  const { status, json } = await apply('stand-in', van(trip, small, { moves, isTold: true }));
  expect([status, json.isApplied, json.count, json.families]).toEqual([200, true, 18, 18]);
  for (const day of [coming(-1), coming(), coming(1), coming(2), coming(3)]) {
    const isThen = day >= coming() && day <= coming(2);
    expect([await ridersOn(pickup.trip, day), await ridersOn(other.trip, day)]).toEqual(isThen ? [12, 20] : [18, 14]);
  }
  expect(await tripOn(pickup.trip, coming())).toMatchObject({ riders: 12, elsewhere: 6, guests: 0, seats: 12 });
  expect(await tripOn(other.trip, coming())).toMatchObject({ riders: 20, elsewhere: 0, guests: 6, seats: 30 });
  const sent = await queued(children);
  expect([sent.length, new Set(sent.map(({ child }) => child)).size]).toEqual([18, 18]);
  const [bus] = await school.sql(`select fleet_no as name from transport_vehicle where id = ${other.bus}`);
  const moved = sent.find(({ child }) => child === six[0]);
  expect(await wordsOf(moved?.id)).toContain(String(bus?.name));
  expect(await ledger([...children, ...theirs])).toEqual(before);
  const [first] = await busOf(school.context(), { studentIds: six.slice(0, 1) }, coming());
  expect(first?.pickup).toMatchObject({ vehicle: bus?.name, insteadOf: trip.vehicle?.name, isNone: false });
  expect((await post(`stand-in/${json.act}/undo`, {})).status).toBe(200);
  expect([await ridersOn(pickup.trip, coming()), await ridersOn(other.trip, coming())]).toEqual([18, 14]);
});

test('TB4 a trip that does not run: every child rides on another bus or on none, and the family reads which', async () => {
  const fleet = await openFleet(school, { seats: 5 });
  const { pickup, stops } = fleet;
  const other = await openOther(fleet, 5);
  const children = await ride(pickup.trip, stops[0] ?? 0, 3);
  await plantMothers(children);
  const url = `trip/${pickup.trip}/day-ride`;
  const [first, second, third] = children;
  const some = await movesOf([first ?? 0, second ?? 0], other.trip, stops[0]);
  const refused = await apply(url, dayRide(some, { isNotRunning: true }));
  const [left] = await school.sql(`select name from student where id = ${third}`);
  expect([refused.status, refused.json.error.fields.moves]).toEqual([422, expect.stringContaining(String(left?.name))]);
  const moves = [...some, ...(await movesOf([third ?? 0], null, undefined))];
  school.clock.now = new Date(`${coming()}T05:45:00+05:30`);
  const { json } = await apply(url, dayRide(moves, { isNotRunning: true, isTold: true }));
  expect([json.isApplied, json.count, json.families]).toEqual([true, 3, 3]);
  expect(await tripOn(pickup.trip, coming())).toMatchObject({ isNotRunning: true, riders: 0, elsewhere: 3 });
  const [none] = await busOf(school.context(), { studentIds: [third ?? 0] }, coming());
  expect(none?.pickup).toMatchObject({ isNone: true, vehicle: '' });
  const sent = await queued(children);
  expect(sent.map(({ template }) => template).sort()).toEqual([
    'transport.changed',
    'transport.changed',
    'transport.none',
  ]);
  const missing = sent.find(({ child }) => child === third);
  expect(await wordsOf(missing?.id, 'transport.none')).toContain('no bus');
  expect((await post(`stand-in/${json.act}/undo`, {})).status).toBe(200);
  expect(await tripOn(pickup.trip, coming())).toMatchObject({ isNotRunning: false, riders: 3, elsewhere: 0 });
  expect(await wordsOf(missing?.id, 'transport.none')).toBeUndefined();
});

test('TB5 of twenty who give the last seat of some days one gets it', async () => {
  const fleet = await openFleet(school, { seats: 20 });
  const { pickup, stops } = fleet;
  const other = await openOther(fleet, 3);
  await ride(other.trip, stops[0] ?? 0, 2);
  const children = await ride(pickup.trip, stops[0] ?? 0, 20);
  const url = `trip/${pickup.trip}/day-ride`;
  const asked: object[] = [];
  for (const child of children) {
    const input = dayRide(await movesOf([child], other.trip, stops[0]));
    asked.push({ ...input, confirmToken: (await post(url, input)).json.confirmToken });
  }
  const answers = await Promise.all(asked.map((input) => post(url, input)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
  expect(await ridersOn(other.trip, coming(1))).toBe(3);
});

test('TB5 a full trip names the day from which it has a seat for good', async () => {
  const { pickup, stops } = await openFleet(school, { seats: 20 });
  const children = await ride(pickup.trip, stops[0] ?? 0, 20);
  const [leaves, free] = [coming(), coming(1)];
  await school.sql(`update transport_assignment set effective_to = '${leaves}' where student_id = ${children[0]}`);
  await school.sql(`update transport_assignment set effective_to = '${coming(20)}' where student_id = ${children[1]}`);
  const [child] = await addRiders(school, section, 1);
  const give = (day: string) => assign(child ?? 0, pickup.trip, stops[0] ?? 0, day);
  const refused = await give(leaves);
  expect([refused.status, refused.json.error.message]).toEqual([
    409,
    expect.stringMatching(new RegExp(`20 seats for 21 riders on ${showDate(leaves)}.*from ${showDate(free)}`)),
  ]);
  const seats = await keeper.send({
    url: `/api/transport/free-seat?stopId=${stops[0]}&direction=Pickup&day=${leaves}&studentId=${child}`,
  });
  expect(seats.json.trips).toMatchObject([{ tripId: pickup.trip, free: 0, freeFrom: free }]);
  expect((await give(free)).status).toBe(200);
});

test('of two other rides on one day the later one counts until it is undone', async () => {
  const fleet = await openFleet(school, { seats: 5 });
  const { pickup, stops } = fleet;
  const [second, third] = [await openOther(fleet, 5), await openOther(fleet, 5)];
  const children = await ride(pickup.trip, stops[0] ?? 0, 1);
  const first = await apply(`trip/${pickup.trip}/day-ride`, dayRide(await movesOf(children, second.trip, stops[0])));
  expect(first.status).toBe(200);
  const day = coming(1);
  const again = dayRide(await movesOf(children, third.trip, stops[0]), { effectiveFrom: day, effectiveTo: day });
  const usual = await apply(`trip/${pickup.trip}/day-ride`, again);
  expect([usual.status, usual.json.error.message]).toEqual([409, expect.stringContaining('Check them again')]);
  const inner = await apply(`trip/${second.trip}/day-ride`, again);
  expect(inner.status).toBe(200);
  const on = async (at: string) => [await ridersOn(second.trip, at), await ridersOn(third.trip, at)];
  expect([await on(coming()), await on(day), await on(coming(2))]).toEqual([
    [1, 0],
    [0, 1],
    [1, 0],
  ]);
  await post(`stand-in/${inner.json.act}/undo`, {});
  expect(await on(day)).toEqual([1, 0]);
});

test('a ride that ends gives back the seat of its other days, and needs it again when the end is undone', async () => {
  const fleet = await openFleet(school, { seats: 5 });
  const { pickup, stops } = fleet;
  const other = await openOther(fleet, 1);
  const [child, next] = await ride(pickup.trip, stops[0] ?? 0, 2);
  const move = async (who: number | undefined) =>
    apply(`trip/${pickup.trip}/day-ride`, dayRide(await movesOf([who ?? 0], other.trip, stops[0])));
  expect((await move(child)).status).toBe(200);
  expect((await move(next)).status).toBe(409);
  await school.sql(`update transport_assignment set effective_to = '${coming(-1)}' where student_id = ${child}`);
  expect((await move(next)).status).toBe(200);
  const back = school.sql(`update transport_assignment set effective_to = null where student_id = ${child}`);
  await expect(back).rejects.toThrow('more riders than seats');
});

test('a trip of another branch, and one that does not stop there, is refused', async () => {
  const fleet = await openFleet(school, { seats: 5 });
  const { pickup, stops } = fleet;
  const other = await openOther(fleet, 5);
  const children = await ride(pickup.trip, stops[0] ?? 0, 1);
  const url = `trip/${pickup.trip}/day-ride`;
  const foreign = await openFleet(school, { seats: 5 });
  const wrong = await apply(url, dayRide(await movesOf(children, foreign.pickup.trip, stops[0])));
  expect([wrong.status, wrong.json.error.message]).toEqual([409, expect.stringContaining('not on the route')]);
  const branch = await plantBranch(school);
  const near = await school.person({ name: 'Near', role: 'Staff', sets: ['transportIncharge'], branchIds: [branch] });
  const body = dayRide(await movesOf(children, other.trip, stops[0]));
  expect((await near.send({ method: 'POST', url: `/api/transport/${url}`, body })).status).toBe(404);
  await school.sql(`update transport_route set branch_id = ${branch} where id = ${pickup.route}`);
  const elsewhere = await near.send({ method: 'POST', url: `/api/transport/${url}`, body });
  expect([elsewhere.status, elsewhere.json.error.message]).toEqual([409, expect.stringContaining('another trip')]);
});

test('a family that got a message about a change gets another one when it is undone, and the others get none', async () => {
  const { pickup, spare, stops } = await openFleet(school, { seats: 5 });
  const children = await ride(pickup.trip, stops[0] ?? 0, 2);
  await plantMothers(children);
  const trip = await tripOn(pickup.trip, coming());
  school.clock.now = new Date(`${coming()}T05:45:00+05:30`);
  const { json } = await apply('stand-in', van(trip, spare, { isTold: true, isAway: false }));
  const sent = await queued(children);
  await school.sql(
    `update outbox set status = 'sent' where template = 'transport.changed' and subject_id = ${sent[0]?.id}`,
  );
  expect((await post(`stand-in/${json.act}/undo`, {})).status).toBe(200);
  const usual = (await queued(children)).filter(({ template }) => template === 'transport.usual');
  expect(usual.map(({ child }) => child)).toEqual([sent[0]?.child]);
  const words = await wordsOf(usual[0]?.id, 'transport.usual');
  expect(words).toContain('no longer counts');
  expect(words).toContain(trip.vehicle?.name);
  expect(await wordsOf(sent[1]?.id)).toBeUndefined();
});

test('seats are given on a trip that does not run on some days, and their riders have no bus on these days', async () => {
  const fleet = await openFleet(school, { seats: 2 });
  const { pickup, stops } = fleet;
  const other = await openOther(fleet, 5);
  const children = await ride(pickup.trip, stops[0] ?? 0, 1);
  const stopping = dayRide(await movesOf(children, null, undefined), { isNotRunning: true });
  expect((await apply(`trip/${pickup.trip}/day-ride`, stopping)).status).toBe(200);
  const [child = 0, third = 0] = await addRiders(school, section, 2);
  const seats = await keeper.send({
    url: `/api/transport/free-seat?stopId=${stops[0]}&direction=Pickup&day=${coming()}&studentId=${child}`,
  });
  const shown = seats.json.trips.find(({ tripId }: { tripId: number }) => tripId === pickup.trip);
  expect(shown).toMatchObject({ free: 1, least: 1, freeFrom: '' });
  expect((await assign(child, pickup.trip, stops[0] ?? 0, today)).status).toBe(200);
  expect((await assign(third, pickup.trip, stops[0] ?? 0, today)).status).toBe(409);
  expect([await ridersOn(pickup.trip, coming()), await ridersOn(pickup.trip, coming(3))]).toEqual([0, 2]);
  expect(await tripOn(pickup.trip, coming())).toMatchObject({ isNotRunning: true, elsewhere: 2 });
  const [none] = await busOf(school.context(), { studentIds: [child] }, coming());
  expect(none?.pickup).toMatchObject({ isNone: true, vehicle: '' });
  const theirs = await ride(other.trip, stops[0] ?? 0, 1);
  const guest = dayRide(await movesOf(theirs, pickup.trip, stops[0]));
  expect((await apply(`trip/${other.trip}/day-ride`, guest)).status).toBe(409);
});

test('undoing a change is also sent to families that heard of it through another act or as guests, without the siblings', async () => {
  const fleet = await openFleet(school, { seats: 5 });
  const { pickup, spare, stops } = fleet;
  const other = await openOther(fleet, 5);
  const [child = 0, guest = 0] = [
    ...(await ride(pickup.trip, stops[0] ?? 0, 1)),
    ...(await ride(other.trip, stops[0] ?? 0, 1)),
  ];
  await plantMothers([child, guest]);
  expect(
    (await apply(`trip/${other.trip}/day-ride`, dayRide(await movesOf([guest], pickup.trip, stops[0])))).status,
  ).toBe(200);
  school.clock.now = new Date(`${coming()}T05:45:00+05:30`);
  const bus = van(await tripOn(pickup.trip, coming()), spare, { isTold: true, isAway: false });
  const first = await apply('stand-in', bus);
  const driver = await addCrew(school);
  const trip = await tripOn(pickup.trip, coming());
  const second = await apply('stand-in', {
    ...van(trip, driver, { isTold: true, isAway: false }),
    role: 'Driver',
    replacedId: trip.driver?.id ?? null,
  });
  expect([first.status, second.status]).toEqual([200, 200]);
  await school.sql(`update outbox set status = 'sent', sent_at = now() + interval '1 year' from transport_told told
    where told.act = '${second.json.act}' and template = 'transport.changed' and subject_id = told.id`);
  expect((await post(`stand-in/${first.json.act}/undo`, {})).status).toBe(200);
  const usual = (await queued([child, guest])).filter(({ template }) => template === 'transport.usual');
  expect(usual.map((one) => one.child).sort()).toEqual([child, guest].sort());
  for (const { id } of usual) expect(await wordsOf(id, 'transport.usual')).toContain('no longer counts');
  await school.sql(`update transport_told set student_ids = '{}' where id = ${usual[0]?.id}`);
  expect(await wordsOf(usual[0]?.id, 'transport.usual')).toBeUndefined();
});
