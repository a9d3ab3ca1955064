import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { inEnglish } from '#testing/messages.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openSection } from '#testing/teachers.ts';
import { teacherImportApi } from '../contract/section-teacher.ts';

let school: School;
let admin: Person;
let academicYearId: number;
let startsOn: string;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
  for (const name of ['Bhavna Joshi', 'Vijay Vaghela', 'Rehana Malek']) await school.person({ name });
  await school.sql(`update staff set employee_number = 'SV7' where name = 'Rehana Malek'`);
  const section = await openSection(school);
  await school.sql(`update academic_section set name = 'A' where id = ${section}`);
  await school.sql(`update academic_grade set name = 'Std 5' where id = (select grade_id from academic_section
    where id = ${section})`);
  await school.sql(`insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
    select academic_year_id, branch_id, grade_id, program_id, letter, 40, medium
    from academic_section, unnest('{B,C}'::text[]) as letter where id = ${section}`);
  const [row] = await school.sql(`select academic_year_id, starts_on::text from academic_section section
    join academic_year year on year.id = section.academic_year_id where section.id = ${section}`);
  [academicYearId, startsOn] = [Number(row?.academic_year_id), String(row?.starts_on)];
});
afterAll(() => school.close());

const open = (file: string) => admin.call(teacherImportApi.importOpen, { academicYearId, file });
const planOf = ({ columns, same }: Awaited<ReturnType<typeof open>>) => ({
  columns: Object.fromEntries(columns.flatMap(({ plan }, place) => (plan ? [[String(place), plan]] : []))),
  same,
});

test('a sheet of class teachers has class and division, titles before the names, and employee codes', async () => {
  const file = ['Sr,Std,Div,Class Teacher', '1,V,A,Mrs. Bhavna Joshi', '2,5th,b,SV7', '3,5,C,Shri Vijay Vaghela'].join(
    '\n',
  );
  const stage = await open(file);
  const plan = planOf(stage);
  expect(plan).toEqual({
    columns: { 1: { to: 'grade' }, 2: { to: 'section' }, 3: { to: 'staffId' } },
    same: { role: 'Class teacher', effectiveFrom: startsOn.split('-').reverse().join('-') },
  });
  // Nobody is asked about a name behind its title, or a code.
  expect(stage.words).toEqual([]);
  const input = { academicYearId, file, plan } as Parameters<typeof admin.call<typeof teacherImportApi.import>>[1];
  const { counts, confirmToken } = await admin.call(teacherImportApi.import, input);
  expect(counts).toMatchObject({ added: 3, wrong: 0 });
  await admin.call(teacherImportApi.import, { ...input, confirmToken: confirmToken ?? '' });
  const rows = await school.sql(`select section.name, staff.name as teacher, role, effective_from::text as day
    from academic_section_teacher own join staff on staff.id = own.staff_id
    join academic_section section on section.id = own.section_id order by 1`);
  expect(rows).toEqual(
    ['A Bhavna Joshi', 'B Rehana Malek', 'C Vijay Vaghela'].map((row) => ({
      ...{ name: row.charAt(0), teacher: row.slice(2), role: 'Class teacher', day: startsOn },
    })),
  );
  expect((await admin.call(teacherImportApi.import, input)).counts).toMatchObject({ same: 3, wrong: 0 });
});

test('class and division in one column are read as two, and one that is not there is named', async () => {
  const file = ['Class,Class teacher', '5-A,Bhavna Joshi', 'V D,Bhavna Joshi'].join('\n');
  const input = { academicYearId, file, plan: planOf(await open(file)) } as Parameters<
    typeof admin.call<typeof teacherImportApi.import>
  >[1];
  const { rows } = await admin.call(teacherImportApi.import, input);
  expect(rows.map(({ line, status, messages }) => [line, status, inEnglish(messages)])).toEqual([
    [3, 'wrong', { section: '“V D” does not exist.' }],
    [2, 'same', {}],
  ]);
});
