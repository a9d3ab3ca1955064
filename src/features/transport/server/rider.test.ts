import { afterAll, beforeAll, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { studentList } from '#features/student/contract/list.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { randomFrom } from '#kit/server/random.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { takeRegister } from '#testing/registers.ts';
import { openSchool, type School } from '#testing/school.ts';
import { addRiders, openFleet } from '#testing/transport.ts';
import { riderApi, riderList, riderMessages } from '../contract/rider.ts';
import { routeApi } from '../contract/route.ts';
import { todayApi } from '../contract/today.ts';
import { remindOfPapers } from './reminder.ts';

let school: School;
let keeper: Person;
let principal: Person;
let section: number;
beforeAll(async () => {
  school = await openSchool();
  keeper = await school.person({ name: 'Ramesh', role: 'Staff', sets: ['transportIncharge'] });
  principal = await school.person({ role: 'Staff', sets: ['principal'] });
  section = await openYear(school);
});
afterAll(() => school.close());

/** A section of the current year. */
async function openYear(school: School): Promise<number> {
  const [year] = await school.sql(`select id from academic_year where id = academic_year_on()`);
  return (await plant(school, sectionMaster, { academicYearId: Number(year?.id), capacity: 80 })).id;
}

const on = '2026-12-01';
type Fleet = Awaited<ReturnType<typeof openFleet>>;
const seat = ({ pickup, drop, stops }: Fleet, studentId: number, over: object = {}) => ({
  studentId,
  staffId: null,
  pickupTripId: pickup.trip,
  pickupStopId: stops[0] ?? 0,
  dropTripId: drop.trip,
  dropStopId: stops[0] ?? 0,
  fee: 'By stop' as const,
  ...over,
});
async function assign(riders: ReturnType<typeof seat>[], effectiveFrom = on) {
  const input = { riders, effectiveFrom, billedFrom: '' };
  const { confirmToken } = await keeper.call(riderApi.assign, input);
  return keeper.call(riderApi.assign, { ...input, confirmToken: confirmToken ?? '' });
}
const problemOf = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    ({ code, text }) => [code, text?.id ?? ''],
  );
const ridersOn = async (trip: number, day: string) =>
  Number((await school.sql(`select transport_riders(${trip}, '${day}') as count`))[0]?.count);

test('V2 F5.2 a rider has other stops for pickup and drop, and the list shows times, buses and the price of a month', async () => {
  const fleet = await openFleet(school, { seats: 3 });
  const [child = 0] = await addRiders(school, section, 1);
  const { rows } = await assign([seat(fleet, child, { dropStopId: fleet.stops[1] })]);
  expect(rows).toMatchObject([{ amount: 150_000 }]);
  const list = await keeper.call(riderList.api.list, { search: '', tab: 'all', stopId: String(fleet.stops[1]) });
  expect(list.rows).toMatchObject([
    {
      personId: child,
      pickup: expect.stringContaining('06:45'),
      drop: expect.stringContaining('14:05'),
      since: on,
      amount: 150_000,
    },
  ]);
});

test('L1.33 the Student List is filtered by the students who have a seat on a bus today', async () => {
  const fleet = await openFleet(school, { seats: 3 });
  const [rider = 0, later = 0, walker = 0] = await addRiders(school, section, 3);
  const today = toLocalDate(new Date());
  await assign([seat(fleet, rider)], today);
  await assign([seat(fleet, later)], addDays(today, 1));
  const listed = async (transport: 'By bus' | 'Not by bus') => {
    const { rows } = await keeper.call(studentList.api.list, {
      search: '',
      tab: 'all',
      transport,
      sectionId: String(section),
    });
    return rows.map(({ id }) => id).filter((id) => [rider, later, walker].includes(id));
  };
  expect(await listed('By bus')).toEqual([rider]);
  expect((await listed('Not by bus')).sort((one, other) => one - other)).toEqual([later, walker]);
});

test('F1.8 a refusal of many riders says who has a seat already and who is on the list twice, and gives no seat', async () => {
  const fleet = await openFleet(school, { seats: 4 });
  const [seated = 0, other = 0] = await addRiders(school, section, 2);
  await assign([seat(fleet, seated)], '2026-12-10');
  const refused = (riders: ReturnType<typeof seat>[]) =>
    assign(riders).then(
      () => 'done',
      ({ fields }) => fields,
    );
  expect(await refused([seat(fleet, other), seat(fleet, seated)])).toEqual({
    'riders.1.studentId': riderMessages.studentHasSeat,
  });
  const twice = await refused([seat(fleet, other), seat(fleet, other)]);
  expect(twice).toEqual({ 'riders.1.studentId': riderMessages.twice });
  expect(await ridersOn(fleet.pickup.trip, '2026-12-10')).toBe(1);
});

test('V1 the last seat is given once, also on a later day on which the bus is smaller', async () => {
  const fleet = await openFleet(school, { seats: 3 });
  const children = await addRiders(school, section, 4);
  await assign(children.slice(0, 2).map((child) => seat(fleet, child)));
  expect(await problemOf(assign(children.slice(2).map((child) => seat(fleet, child))))).toEqual([
    'conflict',
    expect.stringContaining('seats for'),
  ]);
  expect(await ridersOn(fleet.pickup.trip, on)).toBe(2);
  const free = { stopId: fleet.stops[0] ?? 0, direction: 'Pickup' as const, day: on };
  const { trips } = await keeper.call(riderApi.freeSeats, free);
  expect(trips).toMatchObject([{ tripId: fleet.pickup.trip, free: 1, time: '06:45' }]);
});

test('V1 twenty callers for the last seat: one gets it', async () => {
  const fleet = await openFleet(school, { seats: 1 });
  const children = await addRiders(school, section, 20);
  const answers = await Promise.all(children.map((child) => problemOf(assign([seat(fleet, child)]))));
  expect(answers.filter((answer) => answer === 'done')).toHaveLength(1);
  expect(await ridersOn(fleet.pickup.trip, on)).toBe(1);
});

test('F3.2 fewer seats than riders are refused with the count, also for another bus from a later day', async () => {
  const fleet = await openFleet(school, { seats: 3 });
  const children = await addRiders(school, section, 3);
  await assign(children.map((child) => seat(fleet, child)));
  const smaller = `update transport_vehicle set seat_capacity = 4 where id = ${fleet.pickup.bus}`;
  await expect(school.sql(smaller)).rejects.toMatchObject({ constraint: 'transport_trip_seats' });
  const other = await openFleet(school, { seats: 2 });
  const change = { id: fleet.pickup.route, vehicleId: other.spare, effectiveFrom: '2027-01-01' };
  const refused = await problemOf(keeper.call(routeApi.vehicle, change));
  expect(refused).toEqual(['conflict', expect.stringContaining('seats for')]);
});

test('F4.4 a stop with riders stays on its route', async () => {
  const fleet = await openFleet(school, { seats: 3 });
  const [child = 0] = await addRiders(school, section, 1);
  await assign([seat(fleet, child)]);
  const { version } = await keeper.call(routeApi.read, { id: fleet.pickup.route });
  const stops = fleet.stops.slice(1).map((stopId, place) => ({ stopId, offsetMin: place * 5 }));
  const plan = { id: fleet.pickup.route, version, effectiveFrom: '2027-01-01', stops };
  expect(await problemOf(keeper.call(routeApi.plan, plan))).toEqual(['conflict', expect.stringContaining('stop')]);
});

test('F2.4 a slot for some grades takes no child of another grade, and is not offered', async () => {
  const fleet = await openFleet(school, { seats: 3 });
  await school.sql(`update transport_time_slot set from_grade_id = other.id, to_grade_id = other.id
    from (select id from academic_grade where id <> (select grade_id from academic_section where id = ${section})
      order by position limit 1) as other
    where transport_time_slot.id = ${fleet.pickup.slot}`);
  const [child = 0] = await addRiders(school, section, 1);
  expect(await problemOf(assign([seat(fleet, child)]))).toEqual(['invalid', expect.anything()]);
  const asked = { stopId: fleet.stops[0] ?? 0, direction: 'Pickup' as const, day: on, studentId: child };
  expect((await keeper.call(riderApi.freeSeats, asked)).trips).toEqual([]);
});

test('F1.4 the manifest has the riders of the day in the order of the stops, and is counted', async () => {
  const fleet = await openFleet(school, { seats: 3 });
  const [first = 0, second = 0] = await addRiders(school, section, 2);
  await assign([seat(fleet, first, { pickupStopId: fleet.stops[2] }), seat(fleet, second)]);
  const { status } = await keeper.send({ url: `/api/transport/trip/${fleet.pickup.trip}/manifest?day=${on}` });
  expect(status).toBe(200);
  const { data } = school.papers.last();
  expect(data.trips[0].table.rows.map(([time]: string[]) => time)).toEqual(['06:45', '06:55']);
  const [row] = await school.sql(`select details from audit where action = 'transport-trip.manifest-printed'
    and entity_id = ${fleet.pickup.trip}`);
  expect(row?.details).toMatchObject({ Riders: 2 });
});

test('F1.9 the list of the way home names who may collect each child and who never may, on the screen and on paper', async () => {
  const fleet = await openFleet(school, { seats: 3 });
  const [child = 0, other = 0] = await addRiders(school, section, 2);
  await assign([seat(fleet, child), seat(fleet, other)]);
  const bond = (name: string, mobile: string, over: string) =>
    school.sql(`with adult as (insert into guardian (first_name, last_name, mobile) values ('${name}', 'Shah', '${mobile}')
        returning id)
      insert into student_guardian (student_id, guardian_id, relation_id, role, contact_order, may_collect, receives_messages,
          is_barred)
        select ${child}, adult.id, (select min(id) from academic_lookup where kind = 'Relation'), 'Contact', ${over} from adult`);
  await bond('Nanaji', '5550000002', '2, true, false, false');
  await bond('Meena', '5550000001', '1, true, false, false');
  await bond('Suresh', '5550000003', '3, false, false, true');
  await bond('Kaka', '5550000004', '4, false, false, false');
  const { riders } = await keeper.call(todayApi.riders, { id: fleet.drop.trip, day: on });
  const names = riders.map(({ collectors, barred }) => [collectors.map(({ name }) => name), barred]);
  const [{ relation } = {}] = await school.sql(
    `select name as relation from academic_lookup where id = (select min(id) from academic_lookup where kind = 'Relation')`,
  );
  expect(names).toContainEqual([
    [`Meena Shah (${relation})`, `Nanaji Shah (${relation})`],
    [`Suresh Shah (${relation})`],
  ]);
  expect(names).toContainEqual([[], []]);
  const print = async (trip: number) => {
    const { status } = await keeper.send({ url: `/api/transport/trip/${trip}/manifest?day=${on}` });
    expect(status).toBe(200);
    const [{ table }] = school.papers.last().data.trips;
    return table.rows.map((cells: string[]) => cells.slice(7));
  };
  expect(await print(fleet.drop.trip)).toContainEqual([
    `Meena Shah (${relation}), 5550000001\nNanaji Shah (${relation}), 5550000002\n✗ Suresh Shah (${relation})`,
    '[    ]',
  ]);
  expect(await print(fleet.pickup.trip)).toContainEqual(['[    ]']);
  await school.sql(`update student_guardian set is_barred = true, may_collect = false, receives_messages = false
    where student_id = ${child} and contact_order = 1`);
  const again = await keeper.call(todayApi.riders, { id: fleet.drop.trip, day: on });
  expect(again.riders.find(({ barred }) => barred.length === 2)?.collectors).toHaveLength(1);
});

test('the history of a trip says what changed on it, by whom and when, and not in another branch', async () => {
  const fleet = await openFleet(school, { seats: 3 });
  await keeper.send({ url: `/api/transport/trip/${fleet.drop.trip}/manifest?day=${on}` });
  const { rows } = await keeper.call(todayApi.history, { id: fleet.drop.trip });
  expect(rows).toMatchObject([{ actor: 'Ramesh', action: 'manifest-printed', details: { Riders: '0' } }]);
  const [branch] = await school.sql(`insert into academic_branch (name, code) values ('Far away', 'FAR') returning id`);
  const stranger = await school.person({ sets: ['transportIncharge'], branchIds: [Number(branch?.id)] });
  const { status } = await stranger.send({ url: `/api/transport/trip/${fleet.drop.trip}/history` });
  expect(status).toBe(404);
});

test('F1.4 the manifests of all trips of a direction are one paper, a trip a page, whose names are counted once', async () => {
  const fleet = await openFleet(school, { seats: 3 });
  const [first = 0, second = 0] = await addRiders(school, section, 2);
  await assign([seat(fleet, first), seat(fleet, second)]);
  const asked = (direction: string, day: string) =>
    keeper.send({ url: `/api/transport/manifest?day=${day}&direction=${direction}` });
  const [before] = await school.sql(`select coalesce(max(id), 0) as id from audit`);
  expect((await asked('Pickup', on)).status).toBe(200);
  const { data } = school.papers.last();
  const printed = data.trips.map(({ facts, table }: { facts: string[][]; table: { rows: unknown[] } }) => [
    facts[6]?.[1],
    table.rows.length,
  ]);
  expect(printed.every(([riders = '', rows]: [string, number]) => Number(riders) === rows)).toBe(true);
  const [trips] =
    await school.sql(`select count(*)::integer as count, sum(transport_riders(trip.id, '${on}'))::integer as riders
    from transport_trip trip join transport_route route on route.id = trip.route_id and route.is_active
    join transport_duty duty on duty.trip_id = trip.id and '${on}' between duty.effective_from
      and coalesce(duty.effective_to, 'infinity')
    join transport_slot_plan plan on plan.id = duty.slot_plan_id and to_char('${on}'::date, 'FMDay') = any(plan.weekdays)
    where trip.direction = 'Pickup'`);
  expect(data.trips).toHaveLength(Number(trips?.count));
  const acts = await school.sql(
    `select details from audit where id > ${before?.id} and action = 'transport-trip.manifest-printed'`,
  );
  expect(acts).toMatchObject([{ details: { Riders: trips?.riders, Trips: trips?.count } }]);
});

test('the search for a child to add shows the bus that the child has', async () => {
  const fleet = await openFleet(school, { seats: 3 });
  const [rides = 0, walks = 0] = await addRiders(school, section, 2);
  await assign([seat(fleet, rides)]);
  const [bus] = await school.sql(`select fleet_no as name from transport_vehicle where id = ${fleet.pickup.bus}`);
  const detailOf = async (child: number) => {
    const { json } = await keeper.send({ url: `/api/transport/student/option?chosenId=${child}&limit=1` });
    return json[0].detail;
  };
  expect(await detailOf(rides)).toContain(`${bus?.name}, `);
  expect(await detailOf(walks)).not.toContain('Bus');
});

test('F1.4 on the manifest a child who is marked absent has that word in place of the box', async () => {
  const fleet = await openFleet(school, { seats: 3 });
  const [here = 0, away = 0] = await addRiders(school, section, 2);
  await assign([seat(fleet, here, { pickupStopId: fleet.stops[1] }), seat(fleet, away)], '2026-11-02');
  const day = '2026-11-20';
  const [row] = await school.sql(`select first_name as name from student where id = ${away}`);
  await takeRegister(principal, section, day, { [String(row?.name)]: 'A' });
  await keeper.send({ url: `/api/transport/trip/${fleet.pickup.trip}/manifest?day=${day}` });
  const { data } = school.papers.last();
  expect(data.trips[0].table.rows.map((cells: string[]) => cells.at(-1))).toEqual(['Absent', '[    ]']);
});

test('a ride ends on its last day for the selected riders', async () => {
  const fleet = await openFleet(school, { seats: 2 });
  const children = await addRiders(school, section, 2);
  await assign(children.map((child) => seat(fleet, child)));
  const { rows } = await keeper.call(riderList.api.list, { search: '', tab: 'all', vehicleId: '', sort: '-since' });
  const ids = rows.filter(({ personId }) => children.includes(personId)).map(({ id }) => id);
  const input = { selection: { ids, isAll: false, query: {} }, lastDay: '2027-01-31', reason: 'Moved' };
  const { confirmToken, changed } = await keeper.call(riderApi.end, input);
  expect(changed).toBe(2);
  await keeper.call(riderApi.end, { ...input, confirmToken: confirmToken ?? '' });
  expect([await ridersOn(fleet.pickup.trip, '2027-01-31'), await ridersOn(fleet.pickup.trip, '2027-02-01')]).toEqual([
    2, 0,
  ]);
});

test('V1 random rides, ends and buses never exceed a seat on any day', async () => {
  const random = randomFrom(7);
  const fleet = await openFleet(school, { seats: 3 });
  const children = await addRiders(school, section, 8);
  const begin = '2026-06-01';
  const day = () => addDays(begin, random.upTo(300));
  let refused = 0;
  for (let step = 0; step < 150; step++) {
    const kind = random.upTo(10);
    const child = random.oneOf(children);
    const [from, length] = [day(), random.upTo(60)];
    const statement =
      kind < 6
        ? `insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, effective_from, effective_to,
            billed_from, fee) values (${child}, ${fleet.pickup.trip}, ${random.oneOf(fleet.stops)}, '${from}',
            ${random.isOnceIn(4) ? 'null' : `'${addDays(from, length)}'`}, '${from}', 'By stop')`
        : kind < 8
          ? `update transport_assignment set effective_to = '${from}'
              where student_id = ${child} and effective_from <= '${from}' and pickup_trip_id = ${fleet.pickup.trip}
                and coalesce(effective_to, 'infinity') >= '${from}'`
          : kind < 9
            ? `update transport_vehicle set seat_capacity = ${3 + random.upTo(4)} where id = ${fleet.pickup.bus}`
            : `delete from transport_assignment where student_id = ${child} and effective_from > '${from}'`;
    await school.sql(statement).catch((error: { constraint?: string }) => {
      expect(['transport_trip_seats', 'transport_assignment_student']).toContain(error.constraint);
      refused++;
    });
  }
  expect(refused).toBeGreaterThan(10);
  const over = await school.sql(`select day from generate_series('${begin}'::date, '2027-06-30', '1 day') as day
    join transport_duty duty on duty.trip_id = ${fleet.pickup.trip}
      and day between duty.effective_from and coalesce(duty.effective_to, 'infinity')
    where transport_riders(${fleet.pickup.trip}, day::date) > duty.seats`);
  expect(over).toEqual([]);
  expect(
    await school.sql(`select 1 from transport_assignment where pickup_trip_id = ${fleet.pickup.trip}`),
  ).not.toEqual([]);
});

test('F3.4 a paper that expires is reminded of once for each day of the setting, and again once it is renewed', async () => {
  const fleet = await openFleet(school, { seats: 2 });
  const expire = (day: string) =>
    school.sql(`update transport_vehicle_document set expires_on = '${day}', issued_on = null
      where vehicle_id = ${fleet.pickup.bus} and kind = 'PUC'`);
  const reminded = async () =>
    Number(
      (
        await school.sql(`select count(*)::integer as count from transport_reminded where what = 'document'
          and subject_id = (select id from transport_vehicle_document where vehicle_id = ${fleet.pickup.bus} and kind = 'PUC')`)
      )[0]?.count,
    );
  await expire('2026-12-31');
  const counts: number[] = [];
  for (const day of ['2026-11-30', '2026-12-01', '2026-12-02', '2026-12-16', '2026-12-24', '2026-12-25']) {
    await remindOfPapers(school.context(), day);
    counts.push(await reminded());
  }
  expect(counts).toEqual([0, 1, 1, 2, 3, 3]);
  const [notice] = await school.sql(
    `select count(*)::integer as count from notice where kind = 'transport.papers-due'`,
  );
  expect(notice?.count).toBeGreaterThan(0);
  await expire('2027-01-20');
  await remindOfPapers(school.context(), '2026-12-25');
  expect(await reminded()).toBe(4);
});
