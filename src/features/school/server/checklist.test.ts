import { afterAll, beforeAll, expect, test } from 'vitest';
import { calendarApi } from '#features/calendar/contract/calendar.ts';
import type { Person } from '#testing/browser.ts';
import { create } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { checklistApi } from '../contract/checklist.ts';
import { branchMaster, departmentMaster, designationMaster } from '../contract/masters.ts';
import { numberSeriesApi } from '../contract/number-series.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
});
afterAll(() => school.close());

const read = () => admin.call(checklistApi.read, {});
const nothing = {
  profile: false,
  branch: false,
  department: false,
  designation: false,
  calendar: false,
  numberSeries: false,
};

test('each step is done by what its own page saves, and by nothing else', async () => {
  await school.sql(`update academic_school set city = ''; delete from academic_branch`);
  expect(await read()).toEqual(nothing);

  await school.sql(`update academic_school set city = 'Surat'`);
  expect(await read()).toEqual({ ...nothing, profile: true });

  await create(admin, branchMaster);
  await create(admin, departmentMaster);
  expect(await read()).toEqual({ ...nothing, profile: true, branch: true, department: true });

  await create(admin, designationMaster);
  const [year] = await school.sql(`select id, starts_on from academic_year where status = 'Current'`);
  const [later] = await school.sql(`select id, starts_on from academic_year where status = 'Planned'`);
  const holiday = (of: typeof year) => {
    const [day, place] = [String(of?.starts_on), { academicYearId: Number(of?.id), rowVersion: 1 }];
    const what = { from: day, to: day, kind: 'Holiday', name: 'First day', gradeId: null };
    return admin.call(calendarApi.setDays, { ...place, ...what });
  };
  await holiday(later);
  expect(await read()).toMatchObject({ designation: true, calendar: false });
  await holiday(year);
  expect(await read()).toMatchObject({ calendar: true, numberSeries: false });

  const { rows } = await admin.call(numberSeriesApi.list, {});
  for (const { nextValue, ...series } of rows)
    await admin.call(numberSeriesApi.save, { ...series, nextValue, seenValue: nextValue, prefix: 'ADM' });
  expect(Object.values(await read())).toEqual(Array(6).fill(true));
});

test('days that were entered without weekly offs are a calendar, and a given number settles its series', async () => {
  await school.sql(`delete from academic_calendar; update number_series set version = 1;
    truncate number_series_value`);
  expect(await read()).toMatchObject({ calendar: true, numberSeries: false });
  await school.sql('delete from academic_calendar_day');
  await school.inquiry();
  await school.person();
  await school.sql(`insert into number_series_value (series_id, period, next_value)
    select id, '', 1002 from number_series where code = 'student'`);
  expect(await read()).toMatchObject({ calendar: false, numberSeries: true });
});

test('inactive entries do not count', async () => {
  for (const table of ['branch', 'department', 'designation'])
    await school.sql(`update academic_${table} set is_active = false`);
  expect(await read()).toMatchObject({ branch: false, department: false, designation: false });
});
