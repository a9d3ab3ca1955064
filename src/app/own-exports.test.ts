import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { planOf } from '#database/seed/plan.ts';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { academic } from '#features/academic/server/feature.ts';
import { account } from '#features/account/server/feature.ts';
import { calendar } from '#features/calendar/server/feature.ts';
import { hris } from '#features/hris/server/feature.ts';
import { roomMaster } from '#features/school/contract/masters.ts';
import { school as schoolFeature } from '#features/school/server/feature.ts';
import { listedColumns, staffImportApi } from '#features/staff/contract/import.ts';
import { staff } from '#features/staff/server/feature.ts';
import { studentFile, studentImportApi } from '#features/student/contract/import.ts';
import { student } from '#features/student/server/feature.ts';
import type { ImportApi } from '#kit/contract/import.ts';
import { workbookMark } from '#kit/contract/import-limits.ts';
import { english } from '#kit/contract/text.ts';
import { readRun } from '#kit/server/job/runs.ts';
import type { Person } from '#testing/browser.ts';
import { finishRun } from '#testing/runs.ts';
import { openOwnSchool, openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { seedDemo } from './demo.ts';
import { allRuns } from './features.server.ts';

const size = { students: 75, staff: 15, sections: 16, years: 2 };
let demo: School;
let fresh: School;
let giver: Person;
let taker: Person;

beforeAll(async () => {
  demo = await openOwnSchool({}, { url: inject('postgres').url, template: 'template1' });
  const parts = [account, schoolFeature, hris, calendar, academic, student, staff];
  expect(await seedDemo(demo.app, demo.services, { plan: planOf(size, new Date()), parts })).toBe(true);
  await plant();
  giver = await demo.person({ name: 'Asha', role: 'Admin' });
  // Every colleague in a file has a post.
  await demo.sql(`insert into staff_post (staff_id, effective_from, department_id, designation_id, branch_id)
    select ${giver.staffId}, joined_on, department.id, designation.id, branch.id
    from staff_employment spell, (select id from academic_department limit 1) department,
      (select id from academic_designation limit 1) designation, (select id from academic_branch limit 1) branch
    where spell.staff_id = ${giver.staffId}`);
  fresh = await openSchool();
  taker = await fresh.person({ name: 'Bina', role: 'Admin' });
  // The first Admin of the new school has the first number of its series, which a colleague of the file has too.
  await fresh.sql(`update staff set employee_number = 'NEW-1' where id = ${taker.staffId}`);
  await copyLists();
});
afterAll(async () => {
  await demo.close();
  await fresh.close();
});

/** What the demo lacks: another program, names with apostrophes, earlier schools, and adults of every kind. */
async function plant() {
  const [section] =
    await demo.sql(`insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name,
      capacity, medium)
    select year.id, branch.id, grade.id, program.id, 'A', 30, 'Gujarati'
    from academic_year year, academic_branch branch, academic_grade grade, academic_program program
    where year.id = academic_year_on() and grade.name = 'Grade 2' and program.name = 'Day boarding' returning id`);
  const nora = await seat(demo, Number(section?.id), 'Nora', { grNo: 'DB 1', birthDate: '2018-02-28' });
  const omar = await seat(demo, Number(section?.id), 'Omar', { grNo: 'DB-2', birthDate: '2016-02-29' });
  await demo.sql(`update student set last_name = 'D’Souza', middle_name = 'O''Neil', caste = 'Vania', pen = '00000000001'
    where id = ${nora}`);
  await demo.sql(`insert into student_schooling (student_id, school, to_class)
    values (${nora}, 'St. Mary’s, "Old" School', 'UKG')`);
  const aunt = { relation: 'Aunt', role: 'Guardian' } as const;
  await raise(demo, [nora, omar], { firstName: 'Meera', mobile: '5559876501' }, { ...aunt, isPrimary: true });
  await raise(demo, [nora, omar], { firstName: 'Karim' }, { isPrimary: false });
  await raise(demo, [nora], { firstName: 'Sara Bai', mobile: '5559876502' }, { relation: 'Mother', isPrimary: false });
  const pia = await seat(demo, Number(section?.id), 'Pia', { grNo: 'DB/3', birthDate: '2017-12-31' });
  const contact = { relation: 'Aunt', role: 'Contact', isPrimary: false } as const;
  await raise(demo, [pia], { firstName: 'Zoya', mobile: '5559876503' }, contact);
  // A new child without a roll number gets the next one.
  await demo.sql(`update student_section set roll_no = student_id - ${nora} + 1 where section_id = ${section?.id}`);
}

/** The lists to which the files point, as the first steps of a new school make them. */
async function copyLists() {
  for (const table of ['academic_department', 'academic_designation', 'hris_staff_category', 'hris_employment_type'])
    for (const { name } of await demo.sql(`select name from ${table}`))
      await fresh.sql(`insert into ${table} (name) select '${name}' where not exists
        (select from ${table} where name = '${name}')`);
  for (const { name, colour } of await demo.sql('select name, colour from academic_house'))
    await fresh.sql(`insert into academic_house (name, colour) values ('${name}', '${colour}')`);
}

interface Asked {
  method?: 'GET' | 'POST';
  url: string;
  body?: object;
}

async function exported({ method = 'GET', url, body }: Asked) {
  const { status, text, bytes } = await giver.send({ method, url: `/api${url}`, ...(body && { body }) });
  expect(status, text).toBe(200);
  return { text, bytes };
}

/** Imports a file as it is: no column is matched by hand, no word is answered, no row has an error. */
async function brought(api: ImportApi, file: string) {
  const { confirmToken, counts, causes } = await taker.call(api.import, { file });
  expect(causes?.map(({ field, message }) => [field, english(message)])).toEqual([]);
  const done = await taker.call(api.import, { file, confirmToken: confirmToken ?? '' });
  return { ...done, counts };
}

const facts = {
  staff: `  select staff.name, employee_number, coalesce(mobile, '') as mobile, coalesce(email, '') as email, gender, birth_date::text,
    spell.joined_on::text, designation.name as designation, department.name as department, branch.name as branch,
    category.name as category, type.name as type
  from staff join staff_employment spell on spell.staff_id = staff.id
    and current_date between spell.joined_on and coalesce(spell.last_day, 'infinity')
  join staff_post post on post.staff_id = staff.id
    and current_date between post.effective_from and coalesce(post.effective_to, 'infinity')
  join academic_designation designation on designation.id = post.designation_id
  join academic_department department on department.id = post.department_id
  join academic_branch branch on branch.id = post.branch_id
  left join hris_staff_category category on category.id = post.staff_category_id
  left join hris_employment_type type on type.id = post.employment_type_id
  where staff.name <> 'Bina' order by employee_number`,
  sections: `select grade.name as grade, program.name as program, section.name, section.capacity, section.medium
    from academic_section section join academic_grade grade on grade.id = section.grade_id
    join academic_program program on program.id = section.program_id
    join academic_year year on year.id = section.academic_year_id and year.id = academic_year_on()
    order by grade.position, 2, 3`,
  students: `select gr_no, first_name, middle_name, last_name, gender, birth_date::text, admitted_on::text, birth_place,
      blood_group, caste, pen, apaar, (select name from academic_house where id = house_id) as house,
      (select name from academic_lookup where id = category_id) as category,
      (select name from academic_lookup where id = nationality_id) as nationality,
      (select name from academic_lookup where id = mother_tongue_id) as tongue,
      (select school || ' ' || to_class from student_schooling where student_id = student.id order by id desc limit 1) as earlier
    from student where coalesce(left_on, 'infinity') >= current_date order by gr_no`,
  enrolments: `select grade.name as grade, program.name as program, section.name as section, own.roll_no, student.gr_no
    from student join student_enrollment enrollment on enrollment.student_id = student.id and enrollment.is_standing
    join academic_year year on year.id = enrollment.academic_year_id and year.id = academic_year_on()
    join academic_grade grade on grade.id = enrollment.grade_id
    join academic_program program on program.id = enrollment.program_id
    left join student_section own on own.enrollment_id = enrollment.id
      and current_date between own.effective_from and coalesce(own.effective_to, 'infinity')
    left join academic_section section on section.id = own.section_id
    where coalesce(student.left_on, 'infinity') >= current_date order by student.gr_no`,
  guardians: `select adult.name, adult.mobile, adult.email, adult.is_deceased, count(*)::integer as children
    from guardian adult join student_guardian link on link.guardian_id = adult.id
    join student on student.id = link.student_id and coalesce(student.left_on, 'infinity') >= current_date
    group by adult.id order by mobile, name`,
  links: `select student.gr_no, adult.name, relation.name as relation, link.is_primary, link.is_barred, link.restriction,
      link.role, link.may_collect, link.receives_messages
    from student_guardian link join guardian adult on adult.id = link.guardian_id
    join academic_lookup relation on relation.id = link.relation_id
    join student on student.id = link.student_id and coalesce(student.left_on, 'infinity') >= current_date
    order by student.gr_no, relation.name, adult.name`,
};

test('the exports of the demo school, imported into an empty one as they are, end with the same records', async () => {
  const columns = listedColumns.join(',');
  const colleagues = await exported({ url: `/staff/export?as=csv&columns=${columns}` });
  await brought(staffImportApi, colleagues.text);

  const [year] = await demo.sql(`select id from academic_year where id = academic_year_on()`);
  for (const [master, only] of [
    [roomMaster, ''],
    [sectionMaster, `&academicYearId=${year?.id}`],
  ] as const) {
    const list = await exported({ url: `${master.path}/export?as=csv${only}` });
    await brought(master.api as never, list.text);
  }

  const ask = { selection: { isAll: true }, columns: [], isForImport: true, reason: 'Move to another server' };
  const children = await exported({ method: 'POST', url: '/student/field-export', body: { ...ask, as: 'csv' } });
  const heads = Object.values(studentFile).map(({ label }) => `"${english(label)}"`);
  expect(children.text.replace('\uFEFF', '').split('\r\n')[0]).toBe(heads.join(','));
  const { runId, counts } = await brought(studentImportApi, children.text);
  await finishRun(fresh.services, allRuns, Number(runId));
  const run = await readRun({ ...fresh.context(), user: { id: taker.id } } as never, { id: Number(runId) });
  expect(run).toMatchObject({ done: counts.added, failed: 0, isFinished: true });
  for (const [what, query] of Object.entries(facts)) {
    const rows = await fresh.sql(query);
    expect(rows, what).toEqual(await demo.sql(query));
    expect(rows.length, what).toBeGreaterThan(14);
  }

  // The workbook says the same: its days and numbers are read as they were written.
  const book = await exported({ method: 'POST', url: '/student/field-export', body: { ...ask, as: 'xlsx' } });
  const file = `${workbookMark}${book.bytes.toString('base64')}`;
  const again = await taker.call(studentImportApi.import, { file });
  expect(again.counts).toEqual({ added: 0, changed: 0, same: counts.added, wrong: 0 });
});
