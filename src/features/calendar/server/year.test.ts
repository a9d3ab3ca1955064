import { afterAll, beforeAll, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import type { AppError } from '#kit/contract/errors.ts';
import type { Person } from '#testing/browser.ts';
import { create, sampleOf } from '#testing/masters.ts';
import { inEnglish } from '#testing/messages.ts';
import { openSchool, type School } from '#testing/school.ts';
import { termMaster, yearMaster } from '../contract/masters.ts';
import { yearApi } from '../contract/year.ts';

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
const statusOf = () => school.sql('select name, status from academic_year order by starts_on');
const rowOf = async (id: number) => {
  const [row] = await school.sql(`select id, version, status from academic_year where id = ${id}`);
  return row as { id: number; version: number; status: string };
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

test('K1.2 exactly one year is current, whoever chooses at the same moment, and in SQL', async () => {
  const years = await Promise.all([1, 2, 3, 4].map(() => create(admin, yearMaster)));
  const answers = await Promise.all(
    years.flatMap(({ id }) =>
      [1, 2].map(() =>
        admin.send({ method: 'POST', url: `/api/academic/year/${id}/make-current`, body: { version: 1 } }),
      ),
    ),
  );
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect(answers.every(({ status }) => [200, 409].includes(status))).toBe(true);
  expect((await statusOf()).filter(({ status }) => status === 'Current')).toHaveLength(1);
  await expect(school.sql(`update academic_year set status = 'Current'`)).rejects.toThrow('academic_year_one_current');
  await expect(school.sql(`update academic_year set status = 'Planned' where status = 'Current'`)).rejects.toThrow(
    'no academic year is current',
  );
  await expect(school.sql(`delete from academic_year where status = 'Current'`)).rejects.toThrow();
});

test('the year before the new one is closed, a later one planned again, and both are written down', async () => {
  const [first, second] = [await create(admin, yearMaster), await create(admin, yearMaster)];
  const choose = async (id: number) => admin.call(yearApi.makeCurrent, { id, version: (await rowOf(id)).version });
  await choose(first.id);
  await choose(second.id);
  expect([(await rowOf(first.id)).status, (await rowOf(second.id)).status]).toEqual(['Closed', 'Current']);
  await choose(first.id);
  expect([(await rowOf(first.id)).status, (await rowOf(second.id)).status]).toEqual(['Current', 'Planned']);
  const { rows } = await admin.call(yearMaster.api.history, { id: second.id });
  expect(rows.slice(0, 2).map(({ details }) => details)).toEqual([
    { Status: 'Current → Planned' },
    { Status: 'Planned → Current' },
  ]);
  const { version } = await rowOf(first.id);
  expect(await refusal(yearMaster.api.remove, { id: first.id, version })).toEqual({
    status: 'This is the current year. Make another year current first.',
  });
});

test('of a closed year nothing is added, changed or removed, through the pages or in SQL', async () => {
  const year = await create(admin, yearMaster);
  const term = await create(admin, termMaster, { academicYearId: year.id });
  const section = await create(admin, sectionMaster, { academicYearId: year.id });
  await school.sql(`update academic_year set status = 'Closed' where id = ${year.id}`);
  const fields = { academicYearId: 'This academic year is closed. It can only be read.' };
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
  expect(await added).toEqual({ academicYearId: 'This academic year is closed. It can only be read.' });
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

test('a year that is not active is not made current', async () => {
  const year = await create(admin, yearMaster);
  await admin.call(yearMaster.api.update, { ...year, isActive: false });
  const refused = await admin.call(yearApi.makeCurrent, { id: year.id, version: 2 }).catch((error: AppError) => error);
  expect(refused).toMatchObject({
    code: 'conflict',
    message: 'Someone else has changed this. Check it and try again.',
  });
});

test('a closed year itself is neither changed nor removed, through the pages or in SQL', async () => {
  const year = await create(admin, yearMaster);
  await school.sql(`update academic_year set status = 'Closed' where id = ${year.id}`);
  const fields = { status: 'This year is closed. To change it, make it current.' };
  expect(await refusal(yearMaster.api.update, { ...year, ageCutoffOn: year.endsOn })).toEqual(fields);
  expect(await refusal(yearMaster.api.remove, { id: year.id, version: 1 })).toEqual(fields);
  await expect(school.sql(`delete from academic_year where id = ${year.id}`)).rejects.toThrow('is closed');
});
