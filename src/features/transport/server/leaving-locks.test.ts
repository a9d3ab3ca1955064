import { afterAll, beforeAll, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { type EnrolmentChange, enrolmentHook } from '#features/student/contract/hooks.ts';
import { addDays } from '#kit/server/day.ts';
import { ask } from '#kit/server/hook.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openPrices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { isSoak } from '#testing/soak.ts';
import { addRiders, openFleet } from '#testing/transport.ts';
import { riderApi } from '../contract/rider.ts';

let school: School;
let head: Person;
let rides: number[];
let changes: EnrolmentChange[];
beforeAll(async () => {
  school = await openSchool();
  head = await school.person({ name: 'Ramesh', role: 'Staff', sets: ['transportIncharge'] });
  await openPrices(school);
  const [year] = await school.sql(`select id, starts_on::text as day from academic_year where id = academic_year_on()`);
  const section = (await plant(school, sectionMaster, { academicYearId: Number(year?.id), capacity: 80 })).id;
  const fleet = await openFleet(school, { seats: 20 });
  await school.sql(`insert into fee_head (name, short_name, category, frequency_id, applies_to, pro_rata, is_discountable,
      priority, receipt_series_id)
    select 'Bus', 'BUS', 'Transport', frequency.id, 'All students', 'Month', false, 90, series.id
    from fee_frequency frequency, fee_receipt_series series where frequency.kind = 'Monthly'`);
  const children = await addRiders(school, section, 5);
  await school.sql(`with account as (insert into fee_account (student_id)
      select unnest(array[${children.join(', ')}]) returning id)
    insert into fee_plan (account_id, academic_year_id, joined_on) select id, ${year?.id}, '${year?.day}' from account`);
  const riders = children.map((studentId) => ({
    studentId,
    staffId: null,
    pickupTripId: fleet.pickup.trip,
    pickupStopId: fleet.stops[0] ?? 0,
    dropTripId: fleet.drop.trip,
    dropStopId: fleet.stops[0] ?? 0,
    fee: 'By stop' as const,
  }));
  const input = { riders, effectiveFrom: String(year?.day), billedFrom: '' };
  const { confirmToken } = await head.call(riderApi.assign, input);
  await head.call(riderApi.assign, { ...input, confirmToken: confirmToken ?? '' });
  const rows =
    await school.sql(`select ride.id, ride.student_id, enrollment.id as enrollment, ride.effective_from::text as day
    from transport_assignment ride join student_enrollment enrollment on enrollment.student_id = ride.student_id
    order by ride.id desc`);
  rides = rows.map(({ id }) => Number(id));
  changes = rows.toReversed().map((row) => ({
    studentId: Number(row.student_id),
    enrollmentId: Number(row.enrollment),
    yearId: Number(year?.id),
    kind: 'left',
    day: String(row.day),
  }));
});
afterAll(() => school.close());

const isRolledBack = new Error('Rolled back.');

/** Asks as an act that ends the enrolments would, and changes nothing. */
async function leave() {
  const act = school.services.db.transaction().execute(async (db) => {
    await ask({ ...school.context(), db }, enrolmentHook, changes);
    throw isRolledBack;
  });
  await expect(act).rejects.toBe(isRolledBack);
}

/** More rounds find rarer orders; without the locks by step, the first ones already end in a deadlock. */
const rounds = isSoak ? 200 : 20;

test('children who leave while the office ends their rides never end in a deadlock', async () => {
  const lastDay = String(changes[0]?.day);
  const endRides = () =>
    head.call(riderApi.end, { selection: { ids: rides, isAll: false, query: {} }, lastDay, reason: '' });
  const deadlocks = async () => {
    await school.sql('select pg_stat_clear_snapshot()');
    const [row] = await school.sql(`select deadlocks from pg_stat_database where datname = current_database()`);
    return Number(row?.deadlocks);
  };
  // The school of the worker has served other files.
  const before = await deadlocks();
  for (let round = 0; round < rounds; round++) await Promise.all([leave(), endRides()]);
  expect(await deadlocks()).toBe(before);
});

test('an undone promotion keeps a ride that began in the year before, and ends one of the new year', async () => {
  const rowsAfter = async (day: string, isPromotion?: true) => {
    let rows: unknown[] = [];
    const [first] = changes as [EnrolmentChange];
    const change: EnrolmentChange = { ...first, kind: 'cancelled', day, ...(isPromotion && { isPromotion }) };
    await school.services.db
      .transaction()
      .execute(async (db) => {
        await ask({ ...school.context(), actor: 'Test', db } as never, enrolmentHook, [change]);
        rows = await db
          .selectFrom('transport_assignment')
          .where('student_id', '=', first.studentId)
          .select('effective_to')
          .execute();
        throw isRolledBack;
      })
      .catch((error) => {
        if (error !== isRolledBack) throw error;
      });
    return rows;
  };
  const [{ day }] = changes as [EnrolmentChange];
  expect(await rowsAfter(day, true)).toEqual([{ effective_to: null }]);
  expect(await rowsAfter(day)).toEqual([{ effective_to: day }]);
  expect(await rowsAfter(addDays(day, -1), true)).toEqual([]);
});
