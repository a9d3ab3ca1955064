import { afterAll, beforeAll, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { approvalApi, approvalList } from '#features/approval/contract/approval.ts';
import { settingApi } from '#features/school/contract/setting.ts';
import { leavingApi } from '#features/student/contract/leaving.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { randomFrom } from '#kit/server/random.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { addRiders, openFleet } from '#testing/transport.ts';
import { rideApi, stopChanges } from '../contract/stop-change.ts';
import { busOf } from './bus.ts';
import { firstMonth } from './fee-link.ts';
import { cutOffDay } from './settings.ts';

let school: School;
let office: Person;
let head: Person;
let section: number;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', role: 'Staff', sets: ['office'] });
  head = await school.person({ name: 'Ramesh', role: 'Staff', sets: ['transportIncharge'] });
  const [year] = await school.sql(`select id from academic_year where id = academic_year_on()`);
  section = (await plant(school, sectionMaster, { academicYearId: Number(year?.id), capacity: 80 })).id;
});
afterAll(() => school.close());

const { api, list } = stopChanges.Student;
type Fleet = Awaited<ReturnType<typeof openFleet>>;
const day = '2027-02-10';
const rides = ({ pickup, drop, stops }: Fleet, studentId: number, over: object = {}) => ({
  studentId,
  staffId: null,
  action: 'Start' as const,
  pickupTripId: pickup.trip,
  pickupStopId: stops[0] ?? 0,
  dropTripId: drop.trip,
  dropStopId: stops[0] ?? 0,
  effectiveFrom: day,
  reason: 'Moved to another house',
  ...over,
});
const problemOf = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    ({ code, fields, text }) => [code, Object.keys(fields).join() || text.id],
  );
/** The pending request of a rider, decided by the person in charge of transport. */
async function decide(studentId: number, outcome: 'Approved' | 'Rejected' = 'Approved', remark = '') {
  const { rows } = await head.call(approvalList.api.list, { search: '', tab: 'forMe' });
  const [asked] = await school.sql(`select approval.id from approval join transport_stop_change own
    on own.id = transport_stop_change_id where own.student_id = ${studentId} and own.outcome is null`);
  const row = rows.find(({ id }) => id === Number(asked?.id));
  const found = await head.call(approvalApi.read, { id: row?.id ?? 0 });
  return head.call(approvalApi.decide, { id: found.id, version: found.version, seen: found.seen, outcome, remark });
}
const stopOn = async (studentId: number, at: string) => {
  const [bus] = await busOf(school.context(), { studentIds: [studentId] }, at);
  return bus?.pickup?.stop ?? '';
};
const nameOf = async (stop = 0) =>
  String((await school.sql(`select name from transport_stop where id = ${stop}`))[0]?.name);

test('F6.2 until the day of an approved change the old stop counts, and from that day the new one', async () => {
  const fleet = await openFleet(school, { seats: 2 });
  const [child = 0] = await addRiders(school, section, 1);
  await office.call(api.request, rides(fleet, child, { effectiveFrom: '2027-01-10' }));
  await decide(child);
  const other = { pickupStopId: fleet.stops[1], action: 'Change' as const };
  await office.call(api.request, rides(fleet, child, other));
  expect((await office.call(list.api.list, { search: '' })).rows).toMatchObject([{ status: 'Pending', delta: 0 }]);
  await decide(child);
  expect([await stopOn(child, '2027-02-09'), await stopOn(child, day)]).toEqual([
    await nameOf(fleet.stops[0]),
    await nameOf(fleet.stops[1]),
  ]);
  const { rows } = await office.call(list.api.list, { search: '', tab: 'upcoming' });
  expect(rows[0]).toMatchObject({ status: 'Upcoming', may: { cancel: true } });
});

test('F6.2 the record of a child shows the next ride where the current one has a last day', async () => {
  const fleet = await openFleet(school, { seats: 2 });
  const [child = 0] = await addRiders(school, section, 1);
  const today = toLocalDate(new Date());
  const ride = (stop: number | undefined, from: string, to: string | null) =>
    school.sql(`insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, effective_from, effective_to,
        billed_from, fee) values (${child}, ${fleet.pickup.trip}, ${stop}, '${from}', ${to === null ? 'null' : `'${to}'`}, '${from}', 'Free')`);
  await ride(fleet.stops[0], today, addDays(today, 3));
  await ride(fleet.stops[1], addDays(today, 4), null);
  const { json } = await office.send({ method: 'GET', url: `/api/student/${child}/card/transport` });
  expect(json.facts.at(-1)).toEqual({
    label: { id: 'From {day}', values: { day: showDate(addDays(today, 4)) } },
    value: { id: '{words}', values: { words: await nameOf(fleet.stops[1]) } },
  });
});

test('F6.4 the form of a change shows what a month costs with its stops, and from which month', async () => {
  const fleet = await openFleet(school, { seats: 2 });
  const [child = 0] = await addRiders(school, section, 1);
  const [stop = 0] = fleet.stops;
  const read = async (day: string, stops: object) =>
    (await office.call(rideApi.ride, { studentId: child, day, ...stops })).asked;
  expect(await read('2026-12-05', { pickupStopId: stop, dropStopId: stop })).toEqual({
    amount: 150_000,
    month: '2026-12',
  });
  expect(await read('2026-12-06', { pickupStopId: stop })).toEqual({ amount: 90_000, month: '2027-01' });
  expect(await read('2026-12-06', {})).toBeNull();
});

test('F6.1 of two requests for the last seat the second approval is refused with the trip', async () => {
  const fleet = await openFleet(school, { seats: 1 });
  const [first = 0, second = 0] = await addRiders(school, section, 2);
  await office.call(api.request, rides(fleet, first));
  await office.call(api.request, rides(fleet, second));
  await decide(first);
  expect(await problemOf(decide(second))).toEqual(['conflict', expect.stringContaining('seats for')]);
  expect([await stopOn(second, day), await stopOn(first, day)]).toEqual(['', await nameOf(fleet.stops[0])]);
});

test('V1 random requests, decisions, cancellations and buses never exceed a seat on any day', async () => {
  const random = randomFrom(11);
  const fleet = await openFleet(school, { seats: 2 });
  const children = await addRiders(school, section, 6);
  const done: Record<string, number> = {};
  const attempt = async (what: string, act: () => Promise<unknown>) => {
    const name = await act().then(
      () => what,
      (error) => {
        if (!(error instanceof AppError)) throw error;
        return `${what} refused`;
      },
    );
    done[name] = (done[name] ?? 0) + 1;
  };
  for (let step = 0; step < 90; step++) {
    const child = random.oneOf(children);
    const [waiting] = await school.sql(
      `select id from transport_stop_change where student_id = ${child} and outcome is null`,
    );
    const [last] = await school.sql(`select id from transport_stop_change where student_id = ${child}
      and outcome = 'Approved' order by id desc limit 1`);
    const kind = random.upTo(10);
    if (kind === 0)
      await attempt('bus', () =>
        school.services.db
          .updateTable('transport_vehicle')
          .set({ seat_capacity: 2 + random.upTo(3) })
          .where('id', '=', random.oneOf([fleet.pickup.bus, fleet.drop.bus]))
          .execute()
          .catch((error: { constraint?: string }) => {
            expect(['transport_trip_seats', 'transport_vehicle_reserved']).toContain(error.constraint);
          }),
      );
    else if (kind === 1 && last) await attempt('cancel', () => office.call(api.cancel, { id: Number(last.id) }));
    else if (waiting)
      await attempt('decide', () =>
        random.isOnceIn(4) ? decide(child, 'Rejected', 'No room') : decide(child, 'Approved'),
      );
    else {
      const action = random.oneOf(['Start', 'Start', 'Change', 'Stop'] as const);
      const effectiveFrom = addDays(day, random.upTo(60));
      const stops = { pickupStopId: random.oneOf(fleet.stops), dropStopId: random.oneOf(fleet.stops) };
      await attempt(action, () => office.call(api.request, rides(fleet, child, { action, effectiveFrom, ...stops })));
    }
  }
  expect(done.decide).toBeGreaterThan(10);
  expect(done['decide refused']).toBeGreaterThan(2);
  const over = await school.sql(`select duty.trip_id, day::date from transport_duty duty
    cross join generate_series(timestamp '${day}', timestamp '${day}' + interval '90 days', '1 day') as day
    where duty.trip_id in (${fleet.pickup.trip}, ${fleet.drop.trip})
      and day between duty.effective_from and coalesce(duty.effective_to, 'infinity')
      and transport_riders(duty.trip_id, day::date) > duty.seats`);
  expect(over).toEqual([]);
});

test('F6.3 a rider has one open request, starts without a seat, and changes with one', async () => {
  const fleet = await openFleet(school, { seats: 2 });
  const [child = 0] = await addRiders(school, section, 1);
  expect(await problemOf(office.call(api.request, rides(fleet, child, { action: 'Stop' })))).toEqual([
    'invalid',
    'action',
  ]);
  const early = rides(fleet, child, { effectiveFrom: '2026-11-01' });
  expect(await problemOf(office.call(api.request, early))).toEqual(['invalid', 'effectiveFrom']);
  await office.call(api.request, rides(fleet, child));
  expect(await problemOf(office.call(api.request, rides(fleet, child)))).toEqual([
    'conflict',
    expect.stringContaining('waits for approval'),
  ]);
});

test('F6.5 a rejection needs a reason and changes nothing', async () => {
  const fleet = await openFleet(school, { seats: 2 });
  const [child = 0] = await addRiders(school, section, 1);
  await office.call(api.request, rides(fleet, child));
  expect(await problemOf(decide(child, 'Rejected'))).toEqual(['invalid', 'remark']);
  await decide(child, 'Rejected', 'No bus there');
  expect(
    await school.sql(`select outcome, made_assignment_id from transport_stop_change
    where student_id = ${child}`),
  ).toEqual([{ outcome: 'Rejected', made_assignment_id: null }]);
  expect(await stopOn(child, day)).toBe('');
});

test('F6.6 “Stop” ends the ride on the day before, and cancelling it gives the seat back', async () => {
  const fleet = await openFleet(school, { seats: 1 });
  const [child = 0, other = 0] = await addRiders(school, section, 2);
  await office.call(api.request, rides(fleet, child, { effectiveFrom: '2027-01-10' }));
  await decide(child);
  const { id } = await office.call(api.request, rides(fleet, child, { action: 'Stop' }));
  await decide(child);
  expect([await stopOn(child, '2027-02-09'), await stopOn(child, day)]).toEqual([await nameOf(fleet.stops[0]), '']);
  await office.call(api.cancel, { id });
  expect(await stopOn(child, day)).toBe(await nameOf(fleet.stops[0]));

  const again = await office.call(api.request, rides(fleet, child, { action: 'Stop' }));
  await decide(child);
  await office.call(api.request, rides(fleet, other));
  await decide(other);
  expect(await problemOf(office.call(api.cancel, { id: again.id }))).toEqual([
    'conflict',
    expect.stringContaining('seats for'),
  ]);
});

test('F6.9 rides on another bus that were entered after a change are kept when the change is cancelled, and others named', async () => {
  const [other, fleet] = [await openFleet(school, { seats: 1 }), await openFleet(school, { seats: 1 })];
  const [child = 0, guest = 0] = await addRiders(school, section, 2);
  await office.call(
    api.request,
    rides(fleet, child, { effectiveFrom: '2027-01-10', dropTripId: null, dropStopId: null }),
  );
  await decide(child);
  const change = { action: 'Change', pickupStopId: fleet.stops[1], dropStopId: fleet.stops[1] };
  const { id } = await office.call(api.request, rides(fleet, child, change));
  await decide(child);
  const act = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
  const ride = `(select made_assignment_id from transport_stop_change where id = ${id})`;
  const enter = (number: number, way: string, trip: number | null, stop: number | null = null) =>
    school.sql(`insert into transport_day_ride (assignment_id, way, trip_id, stop_id, effective_from, effective_to, act,
      entered_by, entered_at) values (${ride}, '${way}', ${trip}, ${stop}, '2027-02-16', '2027-02-17', '${act(number)}',
      (select min(id) from staff), now())`);
  await enter(1, 'Pickup', other.pickup.trip, other.stops[0]);
  await enter(2, 'Drop', null);
  // Another child takes the seat that is free on these days.
  await school.sql(`insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, effective_from,
    effective_to, billed_from, fee) values (${guest}, ${fleet.pickup.trip}, ${fleet.stops[0]}, '2027-02-16', '2027-02-17',
    '2027-02-16', 'Free')`);
  const { dropped } = await office.call(api.cancel, { id });
  expect(dropped).toEqual([`Drop, ${showDate('2027-02-16')} – ${showDate('2027-02-17')}: –`]);
  const on = async (at: string) =>
    school.sql(`select way, trip_id, stop_id, is_other from transport_rides_on('${at}') where student_id = ${child}`);
  expect(await on('2027-02-16')).toEqual([
    { way: 'Pickup', trip_id: other.pickup.trip, stop_id: other.stops[0], is_other: true },
  ]);
  expect(await on('2027-02-18')).toEqual([
    { way: 'Pickup', trip_id: fleet.pickup.trip, stop_id: fleet.stops[0], is_other: false },
  ]);
});

test('F6.4 the first month with the new amount follows the cut-off day of the setting', async () => {
  expect([firstMonth('2026-10-03', 5), firstMonth('2026-10-12', 5), firstMonth('2026-12-31', 5)]).toEqual([
    '2026-10',
    '2026-11',
    '2027-01',
  ]);
  const admin = await school.person({ role: 'Admin' });
  const fleet = await openFleet(school, { seats: 1 });
  const [child = 0] = await addRiders(school, section, 1);
  await office.call(api.request, rides(fleet, child, { effectiveFrom: '2027-01-10' }));
  const effectOf = async () => {
    const [asked] = await school.sql(`select approval.id from approval join transport_stop_change own
      on own.id = transport_stop_change_id where own.student_id = ${child}`);
    const { effect } = await head.call(approvalApi.read, { id: Number(asked?.id) });
    return JSON.stringify(effect);
  };
  expect(await effectOf()).toContain('Feb 2027');
  await admin.call(settingApi.save, { key: cutOffDay.key, value: 20, rowVersion: 0 });
  expect(await effectOf()).toContain('Jan 2027');
});

test('V6 a ride ends on the last day of its rider, and returns when the leaving is undone', async () => {
  const today = toLocalDate(new Date());
  const days = { from: addDays(today, 1), last: addDays(today, 15), after: addDays(today, 16) };
  const fleet = await openFleet(school, { seats: 1 });
  const [child = 0] = await addRiders(school, section, 1);
  await office.call(api.request, rides(fleet, child, { effectiveFrom: days.from }));
  await decide(child);
  const [reason] = await school.sql(`select min(id) as id from academic_lookup where kind = 'Leaving reason'`);
  const leaving = {
    id: child,
    lastDay: days.last,
    reasonId: Number(reason?.id),
    conduct: 'Good',
    progress: 'Satisfactory',
    nextSchool: '',
    remark: '',
  };
  const { ends, confirmToken } = await office.call(leavingApi.leave, leaving);
  expect(JSON.stringify(ends)).toContain('Transport of');
  await office.call(leavingApi.leave, { ...leaving, confirmToken: confirmToken ?? undefined });
  expect([await stopOn(child, days.last), await stopOn(child, days.after)]).toEqual([await nameOf(fleet.stops[0]), '']);
  const undo = { id: child, reason: 'Wrong child' };
  const preview = await office.call(leavingApi.undo, undo);
  await office.call(leavingApi.undo, { ...undo, confirmToken: preview.confirmToken ?? undefined });
  expect(await stopOn(child, days.after)).toBe(await nameOf(fleet.stops[0]));
});
