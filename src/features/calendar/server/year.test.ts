import { afterAll, beforeAll, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import type { AppError } from '#kit/contract/errors.ts';
import { english } from '#kit/contract/text.ts';
import { addDays } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { reopenWords } from '#testing/closed-year.ts';
import { create, sampleOf } from '#testing/masters.ts';
import { inEnglish } from '#testing/messages.ts';
import { openSchool, type School } from '#testing/school.ts';
import { termMaster, yearMaster } from '../contract/masters.ts';
import { yearApi } from '../contract/year.ts';
import { findNoNextYear } from './next-year-warning.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
});
afterAll(() => school.close());

/** The English words beside refused fields. */
const refusal = (operation: Endpoint, input: object) =>
  admin.call(operation, input as never).then(
    () => 'taken',
    (error: AppError) => inEnglish(error.fields),
  );
const yearsOn = async (day: string) => {
  school.clock.now = new Date(`${day}T06:00:00Z`);
  const years = await admin.call(yearApi.list, {});
  return years;
};

test('K1.1 academic years that overlap are refused, at once too, and in SQL', async () => {
  const year = await create(admin, yearMaster);
  const start = Number(String(year.startsOn).slice(0, 4));
  const over = (days: object) => ({ ...year, ...days, id: undefined, version: undefined });
  const names = [1, 2, 3].map((number) => `${start}-${String(number).padStart(2, '0')}`);
  const answers = await Promise.all(
    names.map((name) =>
      admin.send({
        method: 'POST',
        url: '/api/academic/year',
        body: over({ name, startsOn: `${start + 1}-05-31`, endsOn: `${start + 2}-05-31` }),
      }),
    ),
  );
  for (const { status, json } of answers)
    expect([status, json.error.fields]).toEqual([422, { startsOn: 'These days overlap another entry.' }]);
  await expect(
    school.sql(`insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
      values ('1990-91', '${start}-07-01', '${start}-08-01', '${start}-06-01')`),
  ).rejects.toThrow('academic_year_overlap');
});

test('W1 a year of more than two years is refused, in SQL too: what asks for its days would never end', async () => {
  const year = await sampleOf(admin, yearMaster);
  const [startsOn, endsOn] = ['2500-06-01', '9999-05-31'];
  const fields = { endsOn: 'An academic year can be at most two years long.' };
  expect(await refusal(yearMaster.api.create, { ...year, name: '2500-9999', startsOn, endsOn })).toEqual(fields);
  const { id, version } = await create(admin, yearMaster);
  expect(await refusal(yearMaster.api.update, { ...year, id, version, startsOn, endsOn })).toEqual(fields);
  await expect(school.sql(`update academic_year set ends_on = '${endsOn}' where id = ${id}`)).rejects.toThrow(
    'academic_year_length',
  );
});

test('U1.2 on every day exactly one year is current, also in a vacation between two years', async () => {
  const years = [
    { name: '2201-02', startsOn: '2201-06-01', endsOn: '2202-03-31' },
    { name: '2202-03', startsOn: '2202-06-01', endsOn: '2203-03-31' },
  ];
  for (const days of years) {
    const values: Record<string, unknown> = { ...days, ageCutoffOn: days.startsOn, isActive: true };
    await admin.call(yearMaster.api.create, values);
  }
  const phases = async (day: string) => {
    const all = await yearsOn(day);
    expect(all.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    return years.map(({ name }) => all.find((year) => year.name === name)?.phase);
  };
  const days = ['2201-06-01', '2202-03-31', '2202-04-01', '2202-05-31', '2202-06-01', '2203-03-31'];
  const seen = [];
  for (const day of days) seen.push(await phases(day));
  expect(seen).toEqual([
    ['Current', 'Planned'],
    ['Current', 'Planned'],
    ['Current', 'Planned'],
    ['Current', 'Planned'],
    ['Ended', 'Current'],
    ['Ended', 'Current'],
  ]);
  // Also closed it is the year of a day until the next one begins.
  await school.sql(`update academic_year set status = 'Closed' where name = '2201-02'`);
  expect(await phases('2202-04-15')).toEqual(['Closed', 'Planned']);
  const [{ days: wrong } = {}] = await school.sql(`select count(*)::integer as days
    from generate_series(date '2201-06-01', date '2203-12-31', interval '1 day') as day
    where academic_year_on(day::date) <> (select id from academic_year
      where name = case when day < '2202-06-01' then '2201-02' else '2202-03' end)`);
  expect(wrong).toBe(0);
});

test('60 days before the last day of a year without a next one, Admins are warned', async () => {
  const [{ last } = {}] = await school.sql('select max(ends_on)::text as last from academic_year where is_active');
  const warningsOn = async (day: string) => {
    const warnings = await findNoNextYear({ ...school.services, now: () => new Date(`${day}T06:00:00Z`) });
    return warnings.map(({ text }) => english(text));
  };
  expect(await warningsOn(addDays(String(last), -61))).toEqual([]);
  expect(await warningsOn(addDays(String(last), -60))).toEqual([
    expect.stringMatching(/^No year follows .*\. Registers can’t be taken after .*\.$/),
  ]);
});

test('when a year was closed is known, and a reopened one forgets it', async () => {
  const { id } = await create(admin, yearMaster);
  const read = async () =>
    (
      await school.sql(`select closed_at is null as "isOpen", closed_by as by
    from academic_year where id = ${id}`)
    )[0];
  await school.sql(`update academic_year set status = 'Closed', closed_by = 'Asha' where id = ${id}`);
  expect(await read()).toEqual({ isOpen: false, by: 'Asha' });
  await school.sql(`update academic_year set status = 'Open' where id = ${id}`);
  expect(await read()).toEqual({ isOpen: true, by: null });
});

test('the current year can be neither deactivated nor deleted', async () => {
  school.clock.now = undefined;
  const [{ id } = {}] = await school.sql('select academic_year_on() as id');
  const [row] = (await admin.call(yearMaster.api.list, {} as never)).rows.filter((year) => year.id === id);
  const says = 'This is the current year. It can’t be inactive or deleted.';
  expect(await refusal(yearMaster.api.update, { ...row, isActive: false })).toEqual({ isActive: says });
  await expect(school.sql(`delete from academic_year where id = ${id}`)).rejects.toThrow('the year of today');
});

test('of a closed year nothing is added, changed or removed, through the pages or in SQL', async () => {
  const year = await create(admin, yearMaster);
  const term = await create(admin, termMaster, { academicYearId: year.id });
  const section = await create(admin, sectionMaster, { academicYearId: year.id });
  await school.sql(`update academic_year set status = 'Closed' where id = ${year.id}`);
  const fields = { academicYearId: reopenWords };
  const sample = await sampleOf(admin, sectionMaster, { academicYearId: year.id });
  const other = await create(admin, sectionMaster);
  for (const refused of [
    await refusal(sectionMaster.api.create, sample),
    await refusal(sectionMaster.api.update, { ...section, name: 'Z' }),
    await refusal(sectionMaster.api.update, { ...other, academicYearId: year.id }),
    await refusal(sectionMaster.api.remove, { id: section.id, version: 1 }),
    await refusal(termMaster.api.update, { ...term, name: 'Z' }),
  ])
    expect(refused).toEqual(fields);
  for (const statement of [
    `delete from academic_section where id = ${section.id}`,
    `update academic_term set name = 'Z' where id = ${term.id}`,
  ])
    await expect(school.sql(statement)).rejects.toThrow('the academic year is closed');
});

test('a section waits for a year that is being closed, and is then refused', async () => {
  const year = await create(admin, yearMaster);
  const sample = await sampleOf(admin, sectionMaster, { academicYearId: year.id });
  let added: Promise<unknown> | undefined;
  await school.services.db.transaction().execute(async (db) => {
    await db.updateTable('academic_year').set({ status: 'Closed' }).where('id', '=', year.id).execute();
    added = refusal(sectionMaster.api.create, sample);
    await expect.poll(() => school.sql('select 1 from pg_locks where not granted')).toHaveLength(1);
  });
  expect(await added).toEqual({ academicYearId: reopenWords });
});

test('a term lies inside its year and overlaps no other, whichever of them is changed', async () => {
  const year = await create(admin, yearMaster);
  const start = Number(String(year.startsOn).slice(0, 4));
  const term = await create(admin, termMaster, { academicYearId: year.id });
  expect(await refusal(termMaster.api.update, { ...term, startsOn: `${start}-05-01` })).toEqual({
    startsOn: 'Enter dates within the academic year.',
  });
  expect(await refusal(yearMaster.api.update, { ...year, startsOn: `${start + 1}-05-30` })).toEqual({
    startsOn: 'A term or calendar day would be outside the year. Change it first.',
  });
  const second = { ...term, name: 'Second', endsOn: `${start + 1}-05-31` };
  expect(await refusal(termMaster.api.create, second)).toEqual({
    startsOn: 'These days overlap another entry.',
  });
  expect(await refusal(termMaster.api.update, { ...term, endsOn: `${start}-05-30` })).toEqual({
    endsOn: 'Enter a later last day.',
  });
});

test('a closed year itself is neither changed nor removed, through the pages or in SQL', async () => {
  const year = await create(admin, yearMaster);
  await school.sql(`update academic_year set status = 'Closed' where id = ${year.id}`);
  const fields = { phase: 'This year is closed. To change it, reopen it.' };
  expect(await refusal(yearMaster.api.update, { ...year, ageCutoffOn: year.endsOn })).toEqual(fields);
  expect(await refusal(yearMaster.api.remove, { id: year.id, version: 1 })).toEqual(fields);
  await expect(school.sql(`delete from academic_year where id = ${year.id}`)).rejects.toThrow('is closed');
});
