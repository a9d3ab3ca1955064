import { afterAll, beforeAll, expect, test } from 'vitest';
import { showsBus } from '#features/family/api.ts';
import { openFamilyPage } from '#testing/family.ts';
import { openSchool, type School } from '#testing/school.ts';
import { saveSetting } from '#testing/settings.ts';
import { openFleet } from '#testing/transport.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

/** What the page shows of the bus, for each child. */
const ridesOn = async (link: string) => (await school.send({ url: `/api/family?family=${link}` })).json.parts.transport;

test('N13.10 stop, time and vehicle are shown to an adult who may collect the child, and the setting hides the bus', async () => {
  const { child, link } = await openFamilyPage(school);
  const { pickup, stops } = await openFleet(school, { seats: 3 });
  await school.sql(`insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, effective_from, billed_from, fee)
    values (${child}, ${pickup.trip}, ${stops[0]}, current_date, current_date, 'Free')`);
  expect(await ridesOn(link)).toMatchObject([{ studentId: child, route: expect.stringMatching(/./), ways: [] }]);
  const bond = (values: string) => school.sql(`update student_guardian set ${values} where student_id = ${child}`);
  await bond('may_collect = true');
  expect((await ridesOn(link))[0].ways).toEqual([
    {
      trip: 'pickup',
      time: expect.stringMatching(/^\d\d:\d\d/),
      stop: expect.stringMatching(/^Stop/),
      vehicle: expect.any(String),
      insteadOf: '',
      isNone: false,
    },
  ]);
  await saveSetting(school, showsBus, false);
  expect(await ridesOn(link)).toEqual([]);
  await saveSetting(school, showsBus, true);
  await bond(`family_page = 'School matters'`);
  expect(await ridesOn(link)).toEqual([]);
});

test('on a day without school the usual ride is marked as of another day', async () => {
  const { child, link } = await openFamilyPage(school);
  const { pickup, stops } = await openFleet(school, { seats: 3 });
  await school.sql(`insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, effective_from, billed_from, fee)
    values (${child}, ${pickup.trip}, ${stops[0]}, current_date, current_date, 'Free')`);
  const [grade] = await school.sql(`select grade_id as id from student_enrollment where student_id = ${child}`);
  const [today] = await school.sql(`select coalesce(max(days.work), 0) > 0 as "hasSchool" from academic_year year
    cross join academic_school_days(year.id, current_date, current_date) as days
    where current_date between year.starts_on and year.ends_on and days.grade_id = ${grade?.id}`);
  expect((await ridesOn(link))[0].isDayOff).toBe(!today?.hasSchool);
  await school.sql(`insert into academic_calendar_day (academic_year_id, day, kind, name)
    select academic_year_id, current_date, 'Holiday', 'Storm' from student_enrollment where student_id = ${child}`);
  expect((await ridesOn(link))[0].isDayOff).toBe(true);
});
