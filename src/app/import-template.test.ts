import { unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { workbookMark } from '#kit/contract/import-limits.ts';
import type { Person } from '#testing/browser.ts';
import { readFile } from '#testing/imported-rows.ts';
import { openKeeper, plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { allRoutes } from './server.ts';

let school: School;
let admin: Person;
let accountant: Person;
let office: Person;
let principal: Person;
/** The section whose roll numbers have a template; the other tests know of no section. */
let sectionId = 0;
beforeAll(async () => {
  school = await openSchool();
  admin = await openKeeper(school);
  accountant = await school.person({ sets: ['accountant'] });
  office = await school.person({ sets: ['office'] });
  principal = await school.person({ sets: ['principal'] });
});
afterAll(() => school.close());

const sheetPath = 'xl/worksheets/sheet1.xml';
const asFile = (bytes: Uint8Array) => workbookMark + Buffer.from(bytes).toString('base64');
const partOf = (book: Uint8Array, path: string) => Buffer.from(unzipSync(book)[path] ?? []).toString();

/** The sheet as a spreadsheet stores what is typed into the second row: text as text, a date or number as a number. */
function typed(book: Uint8Array, values: (string | number)[]): Uint8Array {
  const sheet = partOf(book, sheetPath);
  const cells = [...sheet.matchAll(/<c r="([A-Z]+2)" s="(\d+)"/g)].map(([, at, style], index) => {
    const value = values[index] ?? '';
    return typeof value === 'number'
      ? `<c r="${at}" s="${style}"><v>${value}</v></c>`
      : `<c r="${at}" s="${style}" t="inlineStr"><is><t>${value}</t></is></c>`;
  });
  const filled = sheet.replace(/<row r="2">.*<\/row>/, `<row r="2">${cells.join('')}</row>`);
  return zipSync({ ...unzipSync(book), [sheetPath]: Buffer.from(filled) });
}

/** The format of each column, and the choices of each column that has them. */
function columnsOf(book: Uint8Array) {
  const [sheet, styles] = [partOf(book, sheetPath), partOf(book, 'xl/styles.xml')];
  const codes = new Map(
    [...styles.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, code]) => [id, code]),
  );
  const formats = [...styles.matchAll(/<xf (?:numFmtId="(\d+)")?/g)].map(([, id]) => codes.get(id));
  return {
    formats: [...sheet.matchAll(/<col min="\d+" style="(\d+)"/g)].map(([, style]) => formats[Number(style)]),
    choices: Object.fromEntries(
      [...sheet.matchAll(/sqref="([A-Z]+)2:[A-Z]+20001"><formula1>"([^"]*)"/g)].map(([, at, list]) => [at, list]),
    ),
  };
}

const templates = allRoutes.map(({ endpoint }) => endpoint.path).filter((path) => path.endsWith('/import/template'));
const get = async (path: string, as: string) => {
  const [, area = ''] = path.split('/');
  const who = { inquiry: office, fee: accountant, homework: principal }[area] ?? admin;
  const answer = await who.send({
    url: `/api${path.replace(':id', String(sectionId))}?as=${as}&academicYearId=1&yearId=1`,
  });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer;
};

test('M1 what is typed into the template of staff comes back as typed, and fixed choices are offered', async () => {
  const { bytes } = await get('/staff/import/template', 'xlsx');
  expect(columnsOf(bytes).choices).toEqual({ E: 'Female,Male,Other' });
  const row = ['0012', 'Asha, "A" & Co', '9825012345', 'a@b.example', 'Female', 31_048, 46_174, 'Teacher', '=Science'];
  const [heads, read] = await readFile(
    asFile(
      typed(
        bytes,
        row.map((cell) => (typeof cell === 'string' ? cell.replace('&', '&amp;') : cell)),
      ),
    ),
  );
  expect(heads?.cells.filter((head) => head.endsWith('*'))).toEqual([
    'Name *',
    'Joining date *',
    'Designation *',
    'Department *',
  ]);
  expect(read?.cells).toEqual([...row.slice(0, 5), '01-01-1985', '01-06-2026', 'Teacher', '=Science']);
});

test('M1 a template that was filled in is imported, whatever marks its required columns have', async () => {
  await school.sql(`insert into academic_designation (name, level) values ('Teacher', 1)`);
  await school.sql(`insert into academic_department (name) values ('Science')`);
  const { bytes } = await get('/staff/import/template', 'xlsx');
  const row = ['0012', 'Bela', '9825012345', '', 'Female', 31_048, 46_174, 'Teacher', 'Science'];
  const file = asFile(typed(bytes, row));
  const url = '/api/staff/import';
  const { json } = await admin.send({ method: 'POST', url, body: { file } });
  expect(json.counts).toMatchObject({ added: 1, wrong: 0 });
  await admin.send({ method: 'POST', url, body: { file, confirmToken: json.confirmToken } });
  expect(await school.sql(`select employee_number, mobile, birth_date::text from staff where name = 'Bela'`)).toEqual([
    { employee_number: '0012', mobile: '9825012345', birth_date: '1985-01-01' },
  ]);
});

test('every import has a template, and the one for Excel takes text, dates and numbers as they are typed', async () => {
  sectionId = (await plant(school, sectionMaster)).id;
  expect(templates.length).toBeGreaterThan(20);
  const isMaster = (path: string) => !/^\/staff|section-/.test(path);
  const ofEachKind = [...templates.filter((path) => !isMaster(path)), `${yearMaster.path}/import/template`];
  // Walks all: each list declares its own columns, and a template of CSV is one small request.
  for (const path of templates) {
    const [heads] = await readFile(`${(await get(path, 'csv')).text}x`);
    expect([path, heads?.cells.some((head) => head.endsWith(' *'))]).toEqual([path, true]);
    if (!ofEachKind.includes(path)) continue;
    const book = await get(path, 'xlsx');
    const { formats } = columnsOf(book.bytes);
    const values = formats.map((format) => (format === '@' ? '0012' : 46_174));
    const [first, second] = await readFile(asFile(typed(book.bytes, values)));
    expect([path, first]).toEqual([path, heads]);
    const read = formats.map((format) => ({ '@': '0012', 'dd-mm-yyyy': '01-06-2026', General: '46174' })[format ?? '']);
    expect([path, second?.cells]).toEqual([path, read]);
  }
});
