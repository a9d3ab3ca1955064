import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { drawNumbers, nextNumber } from '#kit/server/database/numbering.ts';
import type { Person } from '#testing/browser.ts';
import { contentsOf, failingAt } from '#testing/failing.ts';
import { openSchool, type School } from '#testing/school.ts';
import { type NumberSeries, numberSeriesApi } from '../contract/number-series.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
});
// The series of a new school, with a prefix that no number has used.
let prefix: string;
let count = 0;
beforeEach(() => {
  prefix = `T${++count}`;
  return school.sql(`truncate number_series_value;
    update number_series set prefix = '${prefix}', pattern = '{prefix}/{AY}/{seq:5}', reset_on = 'academicYear'`);
});
afterAll(() => school.close());

const inquiries = async () => {
  const { rows } = await admin.call(numberSeriesApi.list, {});
  return rows.find(({ code }) => code === 'inquiry') as NumberSeries;
};
const save = (series: NumberSeries, over: object) => {
  const { id, ...values } = series;
  const body = { ...values, seenValue: series.nextValue, ...over };
  return admin.send({ method: 'PUT', url: `/api/academic/number-series/${id}`, body });
};
const change = async (over: object) => {
  const { status, json } = await save(await inquiries(), over);
  return status === 200 ? 'saved' : json.error.fields;
};
const drawn = async (academicYearId?: number) =>
  (await school.inquiry(academicYearId ? { academicYearId } : {})).inquiryNo;
const currentYear = async () => {
  const [year] = await school.sql(`select id, name from academic_year where id = academic_year_on()`);
  return year as { id: number; name: string };
};

test('a series shows the value it gives next, and gives it', async () => {
  const { id, name } = await currentYear();
  await drawn(id);
  expect(await inquiries()).toMatchObject({ nextValue: 2, isGapless: true });
  expect(await drawn(id)).toBe(`${prefix}/${name}/00002`);
});

test('a prefix and a pattern count from the next number on, and the change is written down in words', async () => {
  const { id, name } = await currentYear();
  expect(await change({ prefix: 'ADM', pattern: '{prefix}-{AY}-{seq:4}', nextValue: 50 })).toBe('saved');
  expect(await drawn(id)).toBe(`ADM-${name}-0050`);
  const [row] = await school.sql(`select actor, details from audit where action = 'number-series.changed'`);
  expect(row).toEqual({
    actor: 'Asha',
    details: {
      Prefix: `${prefix} → ADM`,
      Pattern: '{prefix}/{AY}/{seq:5} → {prefix}-{AY}-{seq:4}',
      'Next value': '1 → 50',
    },
  });
});

test('K2.4 a number series cannot go backwards, by an Admin who is late or in SQL', async () => {
  const { id } = await currentYear();
  expect(await change({ nextValue: 40 })).toBe('saved');
  expect(await change({ nextValue: 39 })).toEqual({
    nextValue: 'Enter 40 or a higher number.',
  });
  const before = await inquiries();
  await drawn(id);
  await drawn(id);
  expect((await save(before, { nextValue: 41 })).json.error.fields).toEqual({
    nextValue: 'Enter 42 or a higher number.',
  });
  for (const statement of [
    'update number_series_value set next_value = next_value - 1',
    `update number_series_value set period = 'another'`,
    'delete from number_series_value',
  ])
    await expect(school.sql(statement)).rejects.toThrow('a number series never goes back');
  expect((await inquiries()).nextValue).toBe(42);
});

test('the next value of a series without gaps is fixed once a number of the period was issued, but for GR numbers', async () => {
  const { id } = await currentYear();
  expect(await change({ nextValue: 5 })).toBe('saved');
  expect(await inquiries()).toMatchObject({ isFixed: false });
  await drawn(id);
  expect(await inquiries()).toMatchObject({ isFixed: true, nextValue: 6 });
  expect(await change({ nextValue: 7 })).toEqual({
    nextValue: 'Numbers were issued already. A higher number would leave a gap.',
  });
  // Another period has none yet.
  expect(await change({ resetOn: 'never', nextValue: 9 })).toBe('saved');
  expect(await drawn(id)).toMatch(/00009$/);
  const { academicYear, financialYear } = (await admin.call(numberSeriesApi.list, {})).years;
  for (const code of ['student', 'staff'])
    await school.services.db
      .transaction()
      .execute((db) => drawNumbers(db, { code }, { academicYear, financialYear }, 3));
  const { rows } = await admin.call(numberSeriesApi.list, {});
  for (const series of rows.filter(({ code }) => code === 'student' || code === 'staff')) {
    expect(series).toMatchObject({ nextValue: 4, isFixed: false });
    expect((await save(series, { nextValue: 40 })).status).toBe(200);
  }
});

test('a change of the prefix alone is not stale after new numbers', async () => {
  const { id, name } = await currentYear();
  const before = await inquiries();
  await drawn(id);
  expect((await save(before, { prefix: 'REG' })).status).toBe(200);
  expect(await drawn(id)).toBe(`REG/${name}/00002`);
});

test('a series with another reset gives no number twice in the existing years', async () => {
  const { id, name } = await currentYear();
  const [other] = await school.sql(`select id, name from academic_year where id <> academic_year_on() limit 1`);
  const otherId = Number(other?.id);
  for (const year of [id, otherId, otherId]) await drawn(year);
  expect((await inquiries()).carriedValue).toBe(3);
  expect(await change({ resetOn: 'never' })).toBe('saved');
  expect(await drawn(id)).toBe(`${prefix}/${name}/00003`);
  expect(await drawn(otherId)).toBe(`${prefix}/${other?.name}/00004`);
  expect(await change({ resetOn: 'financialYear', pattern: '{prefix}/{FY}/{seq:5}' })).toBe('saved');
  expect(await drawn(id)).toMatch(/00005$/);
  expect(await change({ resetOn: 'academicYear', pattern: '{prefix}/{AY}/{seq:5}' })).toBe('saved');
  expect([await drawn(id), await drawn(otherId)]).toEqual([
    `${prefix}/${name}/00006`,
    `${prefix}/${other?.name}/00006`,
  ]);
});

test.each([
  ['a pattern without a count', { pattern: '{prefix}/{AY}' }, { pattern: 'Use {seq} exactly once.' }],
  ['a pattern with an unknown part', { pattern: '{day}/{AY}/{seq}' }, { pattern: expect.stringMatching('^Use only') }],
  ['numbers that are too long', { prefix: 'INQUIRY-INQUIRY' }, { pattern: expect.stringMatching('longer than 30') }],
  ['no pattern', { pattern: ' ' }, { pattern: 'Pattern is required.' }],
  ['braces in a prefix', { prefix: '{seq}' }, { prefix: 'Use only letters, digits and / - . _' }],
  ['a reset that there is not', { resetOn: 'monthly' }, { resetOn: 'Choose one from the list.' }],
  ['a value of 0', { nextValue: 0 }, { nextValue: 'Enter a whole number from 1 to 99,99,999.' }],
])('%s is refused beside its field', async (_what, over, fields) => {
  expect(await change(over)).toEqual(fields);
});

test('of saves at once one succeeds and the others are refused', async () => {
  const before = await inquiries();
  const answers = await Promise.all(['A', 'B', 'C'].map((prefix) => save(before, { prefix })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.json.error).toMatchObject({
    code: 'stale',
    data: { rowVersion: before.rowVersion + 1, savedDateTime: expect.any(String) },
  });
});

test('numbers that are drawn while a series is raised come before or after, none twice', async () => {
  const { id } = await currentYear();
  await school.sql(`update number_series set is_gapless = false where code = 'inquiry'`);
  const draws = Array.from({ length: 10 }, () => drawn(id));
  const raised = change({ nextValue: 500 });
  const numbers = (await Promise.all(draws)).map((number) => Number(number.slice(-5)));
  expect(await raised).toBe('saved');
  expect(new Set(numbers).size).toBe(10);
  const low = numbers.filter((value) => value < 500);
  expect(low.sort((left, right) => left - right)).toEqual(low.map((_, index) => index + 1));
  expect((await inquiries()).nextValue).toBe(500 + numbers.length - low.length);
  await school.sql(`update number_series set is_gapless = true where code = 'inquiry'`);
});

test('a change waits for a number that is being drawn, and goes on from it', async () => {
  const { id, name } = await currentYear();
  await drawn(id);
  const years = { academicYear: name, financialYear: '' };
  let changed: ReturnType<typeof change> | undefined;
  await school.services.db.transaction().execute(async (db) => {
    expect(await nextNumber(db, { code: 'inquiry' }, years)).toBe(`${prefix}/${name}/00002`);
    changed = change({ resetOn: 'never' });
    const waiting = () =>
      school.sql(`select 1 from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like '%number_series%for update%'`);
    await expect.poll(waiting).toHaveLength(1);
  });
  expect(await changed).toBe('saved');
  expect(await drawn(id)).toBe(`${prefix}/${name}/00003`);
});

test('a series that is not there, or not changed, changes nothing', async () => {
  const series = await inquiries();
  expect((await save({ ...series, id: 9999 }, {})).status).toBe(404);
  expect((await save(series, {})).json).toEqual({ rowVersion: series.rowVersion });
});

test('H3 leaves nothing behind whichever of its statements fails', async () => {
  const contents = async () => ({ ...(await contentsOf(school)), sign_in_session: '' });
  const before = await contents();
  for (let n = 2; ; n++) {
    const series = await inquiries();
    const { status } = await failingAt(n, () => save(series, { resetOn: 'never', prefix: 'ADM', nextValue: 9 }));
    if (status === 200) break;
    expect([n, status, await contents()]).toEqual([n, 500, before]);
  }
});

test('a prefix that would repeat a number gives no number', async () => {
  await change({ pattern: '{prefix}{seq}/2', resetOn: 'never' });
  const first = await drawn();
  await change({ prefix: `${prefix}1/`, pattern: '{prefix}{seq}' });
  await expect(drawn()).rejects.toThrow(
    `Number ${first} was already issued. Change its number series in Organizational Master.`,
  );
  expect((await inquiries()).nextValue).toBe(2);
});

test('the history of a series names the user; of an unknown series there is none', async () => {
  const { id } = await inquiries();
  await change({ prefix: `${prefix}Z` });
  const [last] = (await admin.call(numberSeriesApi.history, { id })).rows;
  expect(last).toMatchObject({ actor: 'Asha', action: 'changed', details: { Prefix: `${prefix} → ${prefix}Z` } });
  expect((await admin.send({ url: '/api/academic/number-series/999999/history' })).status).toBe(404);
});

test('a branch numbers its staff by its own series, in the form and the import too, and other branches by the school’s', async () => {
  await school.sql(`insert into academic_designation (name, level) values ('Teacher', 1);
    insert into academic_department (name) values ('Science');
    insert into academic_branch (name, code) values ('Navrangpura', 'NVR')`);
  const idOf = async (table: string, name: string) =>
    Number((await school.sql(`select id from ${table} where name = '${name}'`))[0]?.id);
  const branchId = await idOf('academic_branch', 'Navrangpura');
  const [main] = await school.sql(`select id from academic_branch where name <> 'Navrangpura' order by id limit 1`);
  const add = (over: object) =>
    admin.send({
      method: 'POST',
      url: '/api/academic/number-series',
      body: {
        code: 'staff',
        branchId,
        prefix: 'NVR',
        pattern: '{prefix}-{seq:3}',
        resetOn: 'never',
        nextValue: 7,
        ...over,
      },
    });
  await school.sql(
    `update number_series set prefix = 'EMP', pattern = '{prefix}-{seq:3}', reset_on = 'never' where code = 'staff'`,
  );
  expect((await add({ prefix: 'EMP' })).json.error.fields).toHaveProperty('prefix');
  expect((await add({})).status).toBe(200);
  expect((await add({ prefix: 'NV2' })).json.error.fields).toHaveProperty('branchId');

  const post = {
    designationId: await idOf('academic_designation', 'Teacher'),
    departmentId: await idOf('academic_department', 'Science'),
  };
  const numberAt = async (branch: number, name: string) => {
    const body = {
      name,
      mobile: '',
      email: `${name}@school.example`,
      gender: '',
      joinedOn: '2026-06-01',
      employeeNumber: '',
    };
    const { json } = await admin.send({
      method: 'POST',
      url: '/api/staff',
      body: { ...body, ...post, branchId: branch },
    });
    return (await school.sql(`select employee_number as number from staff where id = ${json.id}`))[0]?.number;
  };
  expect(await numberAt(branchId, 'bela')).toBe('NVR-007');
  expect(await numberAt(Number(main?.id), 'charu')).toMatch(/^EMP-/);
  const file = `Name,Email address,Joining date,Designation,Department,Branch
Dev,dev@school.example,01-06-2026,Teacher,Science,Navrangpura
Esha,esha@school.example,01-06-2026,Teacher,Science,Navrangpura
`;
  const take = (body: object) => admin.send({ method: 'POST', url: '/api/staff/import', body });
  const { confirmToken } = (await take({ file })).json;
  expect((await take({ file, confirmToken })).status).toBe(200);
  const imported = await school.sql(
    `select employee_number as number from staff where name in ('Dev', 'Esha') order by name`,
  );
  expect(imported).toEqual([{ number: 'NVR-008' }, { number: 'NVR-009' }]);
  const { rows } = await admin.call(numberSeriesApi.list, {});
  expect(rows.map(({ code, branch, nextValue }) => [code, branch, nextValue])).toContainEqual([
    'staff',
    'Navrangpura',
    10,
  ]);
});
