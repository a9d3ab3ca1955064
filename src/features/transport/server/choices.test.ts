import { afterAll, beforeAll, expect, test } from 'vitest';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { addCrew } from '#testing/transport.ts';
import { crewApi } from '../contract/crew.ts';
import { riderApi } from '../contract/rider.ts';
import { usualSlotApi, usualSlots } from '../contract/usual-slots.ts';

let school: School;
let keeper: Person;
beforeAll(async () => {
  school = await openSchool();
  keeper = await school.person({ name: 'Ramesh', role: 'Staff', sets: ['transportIncharge'] });
});
afterAll(() => school.close());

test('V5 a trip is offered drivers who drive and attendants who attend', async () => {
  const [both, driver, attendant, gone] = [
    await addCrew(school),
    await addCrew(school),
    await addCrew(school),
    await addCrew(school),
  ];
  await school.sql(`update transport_crew set is_attendant = false where id in (${driver}, ${gone})`);
  await school.sql(`update transport_crew set is_driver = false where id = ${attendant}`);
  await school.sql(`update transport_crew set is_active = false where id = ${gone}`);
  const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id).sort((one, other) => one - other);
  expect(ids(await keeper.call(crewApi.drivers, { state: 'active' }))).toEqual([both, driver]);
  expect(ids(await keeper.call(crewApi.attendants, { state: 'active' }))).toEqual([both, attendant]);
  const chosen = { state: 'active' as const, chosenId: String(attendant), limit: '1' };
  expect(ids(await keeper.call(crewApi.drivers, chosen as never))).toEqual([attendant]);
});

test('F2.5 an empty list of time slots gets the usual slots at once, and no other list does', async () => {
  const grade = (name: string, minAgeMonths: number | null) => plant(school, gradeMaster, { name, minAgeMonths });
  await school.sql('update academic_grade set min_age_months = null, max_age_months = null');
  const [kindergarten, first] = [await grade('Usual KG', 60), await grade('Usual 1', 72)];
  expect(await keeper.call(usualSlotApi.addUsualSlots, {})).toEqual({ added: usualSlots.length });
  const rows = await school.sql(`select name, direction, starts, ends, from_grade_id as "from", to_grade_id as "to"
    from transport_time_slot order by starts`);
  expect(rows).toEqual([
    { name: 'Morning pickup', direction: 'Pickup', starts: '06:45', ends: '08:00', from: null, to: null },
    { name: 'Pre-primary drop', direction: 'Drop', starts: '12:30', ends: '13:30', from: null, to: kindergarten.id },
    { name: 'Afternoon drop', direction: 'Drop', starts: '14:00', ends: '15:30', from: first.id, to: null },
  ]);
  await expect(keeper.call(usualSlotApi.addUsualSlots, {})).rejects.toMatchObject({ code: 'conflict' });
});

test('a name that begins as typed is offered before one that has it within a word', async () => {
  const [year] = await school.sql(`select id from academic_year where id = academic_year_on()`);
  const section = (await plant(school, sectionMaster, { academicYearId: Number(year?.id) })).id;
  await seat(school, section, 'Aarav Kakadiya');
  await seat(school, section, 'Diya');
  const [first] = await keeper.call(riderApi.students, { search: 'diya' });
  expect(first?.name).toMatch(/^Diya Shah/);
});

test('a typed GR number is offered before children whose parents’ mobile numbers have its digits', async () => {
  const [year] = await school.sql(`select id from academic_year where id = academic_year_on()`);
  const section = (await plant(school, sectionMaster, { academicYearId: Number(year?.id) })).id;
  const anita = await seat(school, section, 'Anita');
  await raise(school, [anita], { firstName: 'Nikhil', mobile: '5557740123' });
  await seat(school, section, 'Zubin', { grNo: '7740' });
  const office = await school.person({ role: 'Staff', sets: ['office', 'transportIncharge'] });
  const found = await office.call(riderApi.students, { search: '7740' });
  expect(found.map(({ name }) => name)).toEqual(['Zubin Shah', 'Anita Shah']);
});

test('F2.5 the usual slots begin with the current academic year, and a school without pre-primary gets no slot for it', async () => {
  await school.sql('delete from transport_time_slot');
  await school.sql('update academic_grade set min_age_months = 72, max_age_months = null');
  await keeper.call(usualSlotApi.addUsualSlots, {});
  const rows =
    await school.sql(`select name, valid_from = (select starts_on from academic_year where id = academic_year_on())
    as "isOfYear" from transport_time_slot order by starts`);
  expect(rows).toEqual([
    { name: 'Morning pickup', isOfYear: true },
    { name: 'Afternoon drop', isOfYear: true },
  ]);
});
