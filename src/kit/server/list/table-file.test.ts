import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { houseMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { workbookMark } from '#kit/contract/import-limits.ts';
import { sheet as sheetPaper } from '#kit/server/paper/paper.ts';
import type { Person } from '#testing/browser.ts';
import { create } from '#testing/masters.ts';
import { pagesOf } from '#testing/pdf.ts';
import { openSchool, type School } from '#testing/school.ts';
import { soak } from '#testing/soak.ts';
import { type EnrolmentPlace, enroll } from '#testing/students.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
});
afterAll(() => school.close());

const get = (url: string) => admin.send({ url: `/api${url}` });
const noted = async () => (await school.sql(`select 1 from audit where action like '%.exported'`)).length;

test('a list goes to paper as it was narrowed, under the school’s head, and it is written down', async () => {
  await school.sql(`insert into academic_house (name, colour)
    select 'House ' || n, 'Red' from generate_series(1, 120) n`);
  const before = await noted();
  const { status, headers } = await get(`${houseMaster.path}/export?as=pdf&search=House%201`);
  expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
    200,
    'application/pdf',
    expect.stringContaining('houses.pdf'),
  ]);
  const { template, data } = school.papers.last();
  const [{ name } = {}] = await school.sql('select name from academic_school');
  expect([template, data.head.name, data.title]).toEqual([sheetPaper, name, 'Houses']);
  expect(data.table.rows.map(([house]: string[]) => house).sort()).toEqual(
    Array.from({ length: 120 }, (_, n) => `House ${n + 1}`)
      .filter((name) => name.includes('House 1'))
      .sort(),
  );
  expect(data.made).toMatch(/^Printed on \d+ \w+ \d+ by Kiran$/);
  expect(await noted()).toBe(before + 1);
});

test('a list of many pages goes to paper whole', async () => {
  await school.sql(`insert into academic_house (name, colour)
    select 'Row ' || n, 'Red' from generate_series(1, 1200) n`);
  school.papers.isReal = true;
  const { status, bytes } = await get(`${houseMaster.path}/export?as=pdf&search=Row`);
  school.papers.isReal = false;
  expect(status).toBe(200);
  expect(new Set((await pagesOf(bytes)).join(' ').match(/Row \d+/g)).size).toBe(1200);
});

test('a class list and the section teachers go to paper, with their year and day', async () => {
  const section = (await create(admin, sectionMaster)) as unknown as EnrolmentPlace & { id: number };
  const { id, academicYearId, gradeId } = section;
  const enrollmentId = await enroll(school, section, 'Asha', { grNo: 'T1', birthDate: '2019-01-31' });
  await school.sql(`insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id,
      grade_id, section_id, roll_no, effective_from)
    select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${id}, 7, joined_on
    from student_enrollment where id = ${enrollmentId}`);
  const look = `academicYearId=${academicYearId}&gradeId=${gradeId}&sectionId=${id}&as=pdf`;
  for (const [url, title, row] of [
    [
      `/academic/section-student/export?${look}&on=&what=list`,
      'Class list',
      { 'Roll number': '7', 'GR number': 'T1', Name: 'Asha Shah', Gender: 'Girl', 'Birth date': '31 Jan 2019' },
    ],
    [
      `/academic/section-student/export?${look}&on=&what=strength`,
      'Section strength',
      { Girls: '1', Boys: '0', Total: '1' },
    ],
    [
      `/academic/section-teacher/export?${look}&on=&staffId=`,
      'Section teachers',
      { Role: 'Class teacher', Note: 'no teacher' },
    ],
  ] as const) {
    const { status } = await get(url);
    expect([url, status]).toEqual([url, 200]);
    const { data } = school.papers.last();
    const [first] = data.table.rows.map((cells: string[]) =>
      Object.fromEntries(cells.map((cell, column) => [data.table.heads[column], cell])),
    );
    expect([data.title, first]).toEqual([title, expect.objectContaining(row)]);
    expect(data.facts).toEqual([
      ['Year', expect.stringMatching(/^\d{4}-\d+$/)],
      ['On', expect.stringMatching(/^\d+ \w+ \d{4}$/)],
    ]);
  }
});

/** A file inside a workbook, as text. */
function partOf(book: Buffer, name: string): string {
  for (let at = book.indexOf('PK\u0001\u0002'); at >= 0; at = book.indexOf('PK\u0001\u0002', at + 4)) {
    const [size, nameLength, start] = [
      book.readUInt32LE(at + 20),
      book.readUInt16LE(at + 28),
      book.readUInt32LE(at + 42),
    ];
    if (book.toString('utf8', at + 46, at + 46 + nameLength) !== name) continue;
    const from = start + 30 + book.readUInt16LE(start + 26) + book.readUInt16LE(start + 28);
    const bytes = book.subarray(from, from + size);
    return (book.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes)).toString();
  }
  throw new Error(`The workbook has no ${name}.`);
}

test('a workbook has the list’s name, a filter row, widths, and days that a spreadsheet counts with', async () => {
  await school.sql(`insert into academic_house (name, colour) values ('A house with quite a long name', 'Red')`);
  const houses = await get(`${houseMaster.path}/export?as=xlsx&search=quite`);
  expect(partOf(houses.bytes, 'xl/workbook.xml')).toContain('name="Houses"');
  const sheet = partOf(houses.bytes, 'xl/worksheets/sheet1.xml');
  expect(sheet).toMatch(/<\/sheetData><autoFilter ref="A1:D2"\/>/);
  expect(sheet).toMatch(/<col min="1" max="1" width="32"/);
  expect(sheet).toContain('<pane');

  const years = await get(`${yearMaster.path}/export?as=xlsx&search=`);
  const [year] = await school.sql(`select (starts_on - date '1899-12-30') as serial, starts_on::text as day
    from academic_year order by lower(name) limit 1`);
  const ofYears = partOf(years.bytes, 'xl/worksheets/sheet1.xml');
  expect(ofYears).toMatch(new RegExp(`<c r="B2"[^>]*><v>${year?.serial}</v></c>`));
  expect(partOf(years.bytes, 'xl/styles.xml')).toContain('dd-mm-yyyy');
  // The same workbook is imported again without a change.
  const file = `${workbookMark}${years.bytes.toString('base64')}`;
  const { counts } = await admin.call(yearMaster.api.import, { file });
  expect(counts).toMatchObject({ added: 0, changed: 0, wrong: 0 });
  expect(counts.same).toBeGreaterThan(0);
});

const formulas = ['=1+1', '+1', '-1', '@sum(1)', 'x;=1+1', "'=1", `"=1`];

test('W21 E4 names like formulas are text in a workbook, and an exported CSV file of them is imported without a change', async () => {
  const rows = formulas.map((name) => `('${name.replaceAll("'", "''")}', 'Red')`);
  await school.sql(`insert into academic_house (name, colour) values ${rows}`);
  const book = await get(`${houseMaster.path}/export?as=xlsx&search=`);
  const sheet = partOf(book.bytes, 'xl/worksheets/sheet1.xml');
  const strings = partOf(book.bytes, 'xl/sharedStrings.xml');
  expect(sheet).not.toMatch(/<f[ >]/);
  for (const name of formulas) expect(strings.replaceAll('&quot;', '"')).toContain(`>${name}<`);

  const file = (await get(`${houseMaster.path}/export?as=csv&search=`)).text;
  const { counts } = await admin.call(houseMaster.api.import, { file });
  expect(counts).toMatchObject({ added: 0, changed: 0, wrong: 0 });
  expect(counts.same).toBeGreaterThanOrEqual(formulas.length);
});

soak('W16 of one account one workbook is made at a time and two wait, in a process of their own', async () => {
  const takes = Array.from({ length: 5 }, () => get(`${houseMaster.path}/export?as=xlsx&search=Row`));
  const statuses = (await Promise.all(takes)).map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 200, 200, 503, 503]);
});
