import { afterAll, beforeAll, expect, test } from 'vitest';
import { calendarApi } from '#features/calendar/contract/calendar.ts';
import { english, type Text } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { plannedChild } from '#testing/paying-family.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openOwnSchool, type School } from '#testing/school.ts';

let school: School;
let admin: Person;
let prices: Prices;
beforeAll(async () => {
  school = await openOwnSchool();
  admin = await school.person({ role: 'Admin' });
  prices = await openPrices(school);
});
afterAll(() => school.close());

/** What a calendar says before a day changes for the whole school, and whether the day changed after that. */
async function setDay(day: string, kind: 'Holiday' | 'Working day') {
  const send = async (warned: string) =>
    admin.send({
      method: 'PUT',
      url: '/api/academic/calendar/day',
      body: {
        academicYearId: prices.place.academicYearId,
        rowVersion: (await admin.call(calendarApi.read, { academicYearId: prices.place.academicYearId })).rowVersion,
        ...{ from: day, to: day, kind, name: 'Rain', gradeId: null, warned },
      },
    });
  const asked = await send('');
  if (asked.status === 200) return [];
  const { texts, token } = (asked.json.error as { data: { texts: Text[]; token: string } }).data;
  expect((await send(token)).status).toBe(200);
  return texts.map(english);
}

test('a day that is closed for the whole school names the unpaid fees that are due on it, and leaves their due day', async () => {
  for (const name of ['Aarav', 'Bina']) await plannedChild(school, prices, name);
  const dues = () =>
    school.sql(
      'select due_on::text as day, count(*)::integer as dues from fee_due where paid < net group by 1 order by 1',
    );
  const before = await dues();
  const day = String(before.at(1)?.day);
  await setDay(day, 'Working day');
  expect(await setDay(day, 'Holiday')).toEqual([
    expect.stringMatching(
      /^2 students have unpaid fees that are due on \d+ \w+ 20\d\d\. This due day does not move\.$/,
    ),
  ]);
  expect(await dues()).toEqual(before);
  // Opened again it says nothing, nor does a day without dues.
  expect(await setDay(day, 'Working day')).toEqual([]);
});
