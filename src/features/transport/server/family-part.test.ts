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
  expect(await ridesOn(link)).toEqual([{ studentId: child, route: expect.stringMatching(/./), ways: [] }]);
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
