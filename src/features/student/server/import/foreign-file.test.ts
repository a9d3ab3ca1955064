import { afterAll, beforeAll, expect, test } from 'vitest';
import { workbookMark } from '#kit/contract/import-limits.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { studentImportApi } from '../../contract/import.ts';
import { importRuns } from './import.ts';

let school: School;
let office: Person;
let section: number;
let grade: string;
beforeAll(async () => {
  school = await openSchool();
  const [branch] = await school.sql(`insert into academic_branch (name, code) values ('North', 'N') returning id`);
  section = await openSection(school, { branchId: Number(branch?.id) });
  await school.sql(`update academic_section set name = 'A', capacity = 80 where id = ${section}`);
  await school.sql(`insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
    select academic_year_id, branch_id, grade_id, program_id, letter, 80, medium
    from academic_section, unnest('{B,C,D,E}'::text[]) as letter where id = ${section}`);
  const [row] = await school.sql(`select grade.name from academic_section section
    join academic_grade grade on grade.id = section.grade_id where section.id = ${section}`);
  grade = String(row?.name);
  office = await school.person({ sets: ['office'], branchIds: [Number(branch?.id)] });
});
afterAll(() => school.close());

const heads = [
  'G.R. No',
  'Surname',
  'Name',
  'Sex',
  'DOB',
  'Adm Date',
  'Std/Div',
  'R.No',
  'Cast Category',
  'Father',
  'Mobile',
];
type Row = Record<(typeof heads)[number], string>;
const syllables = [
  'ba',
  'da',
  'ga',
  'ka',
  'la',
  'ma',
  'na',
  'pa',
  'ra',
  'sa',
  'ta',
  'va',
  'ya',
  'ja',
  'ha',
  'cha',
  'bha',
];
/** A name of its own for each number. */
const nameOf = (number: number) =>
  `${syllables[number % 17]}${syllables[Math.floor(number / 17) % 17]}${syllables[Math.floor(number / 289) % 17]}l`;
const rowOf = (number: number, over: Partial<Row> = {}): Row => ({
  'G.R. No': `${1000 + number}.0`,
  Surname: 'Patel',
  Name: `${nameOf(number)} Ramesh`,
  Sex: number % 2 ? 'F' : 'M',
  DOB: `${String((number % 28) + 1).padStart(2, '0')}.0${(number % 9) + 1}.2016`,
  'Adm Date': '01/06/22',
  'Std/Div': `${grade}-${number < 12 ? 'A' : 'BCDE'[number % 4]}`,
  'R.No': `${number + 1}.0`,
  'Cast Category': number % 5 < 2 ? 'SEBC' : number % 5 === 2 ? 'GEN' : 'S.C.',
  Father: `Ramesh${nameOf(number)} Patel`,
  Mobile: `98${String(76_500_000 + number)}.0`,
  ...over,
});
const fileOf = (rows: readonly Row[]) =>
  [heads, ...rows.map((row) => heads.map((head) => row[head] ?? ''))].map((cells) => cells.join(',')).join('\r\n');

/** What the user sees of a file, and the plan with everything that is not a guess. */
async function planOf(file: string) {
  const first = await office.call(studentImportApi.importOpen, { file });
  const columns = Object.fromEntries(first.columns.flatMap(({ plan }, index) => (plan ? [[String(index), plan]] : [])));
  const plan = { fileName: 'students.csv', columns, mode: 'good' as const };
  const stage = await office.call(studentImportApi.importOpen, { file, plan });
  const values = Object.fromEntries(
    stage.words.map(({ field, words }) => [
      field,
      Object.fromEntries(
        words.flatMap(({ word, proposal, isGuess }) =>
          proposal !== null && !isGuess ? [[word.toLowerCase(), proposal]] : [],
        ),
      ),
    ]),
  );
  return { stage, plan: { ...plan, values } };
}

test('Q1.18 a sheet of foreign making with 300 children doubles nobody and names every refused cell', async () => {
  for (let number = 0; number < 12; number++) {
    const { DOB, Sex } = rowOf(number);
    const day = String(DOB).split('.').reverse().join('-');
    const id = await seat(school, section, nameOf(number), { birthDate: day });
    await school.sql(`alter table student disable trigger user;
      update student set gr_no = '${number < 6 ? 1000 + number : `GR-0${1000 + number}`}', last_name = 'Patel', gender = '${Sex}'
        where id = ${id};
      alter table student enable trigger user`);
  }
  const rows = Array.from({ length: 296 }, (_, number) => rowOf(number));
  rows[20] = rowOf(20, { DOB: '31.02.2016' });
  rows[21] = rowOf(21, { DOB: '29-02-2015' });
  // Four children are in the file twice: with the number written otherwise, or without it.
  for (const [number, over] of [
    [30, { 'G.R. No': 'GR-1030' }],
    [31, { 'G.R. No': '૧૦૩૧' }],
    [32, { 'G.R. No': '' }],
    [33, { 'G.R. No': '', Surname: 'પટેલ' }],
  ] as const)
    rows.push(rowOf(number, over));
  const file = fileOf(rows);
  const { stage, plan } = await planOf(file);
  expect(stage.rows).toBe(300);
  expect(stage.columns.map(({ plan: own }) => own?.to)).toEqual([
    ...['grNo', 'lastName', 'firstName', 'gender', 'birthDate', 'admittedOn', 'gradeId', 'rollNo', 'casteCategoryId'],
    ...['father', 'fatherMobile'],
  ]);
  // The dots of the birth dates decide about the slashes of the admissions.
  expect(stage.dates).toEqual([]);
  expect(stage.words.find(({ field }) => field === 'casteCategoryId')?.words).toMatchObject([
    { word: 'SEBC', proposal: 'OBC' },
    { word: 'S.C.', proposal: 'SC' },
    { word: 'GEN', proposal: 'General' },
  ]);
  const found = await office.call(studentImportApi.import, { file, plan });
  const wrong = found.rows.filter(({ status }) => status === 'wrong');
  expect(
    wrong.map(({ line, messages }) => [line, messages.firstName ? 'firstName' : Object.keys(messages)[0]]),
  ).toEqual([
    // Six of the children who are there have another form of the number: a question.
    ...[8, 9, 10, 11, 12, 13].map((line) => [line, 'grNo']),
    [22, 'birthDate'],
    [23, 'birthDate'],
    ...[298, 299, 300, 301].map((line) => [line, 'firstName']),
  ]);
  expect(found.counts.added).toBe(282);
  const { questions = [], kept = [] } = found;
  expect(questions.map(({ kind, open }) => [kind, open])).toEqual([
    ['child', 6],
    ['twice', 2],
  ]);
  expect(kept.map(({ field, count, message }) => [field, count, english(message)])).toContainEqual([
    'rollNo',
    6,
    'Not changed: import roll numbers in Section Student Mapping.',
  ]);
  const answered = { ...plan, alike: { child: 'same' } };
  const second = await office.call(studentImportApi.import, { file, plan: answered });
  expect(second.counts).toMatchObject({ added: 282, changed: 12, wrong: 6 });
  const { runId = 0 } = await office.call(studentImportApi.import, {
    file,
    plan: answered,
    confirmToken: second.confirmToken ?? '',
  });
  await finishRun(school.services, importRuns, runId);
  const [sums] = await school.sql(`select count(*)::integer as children,
      count(distinct (first_name, last_name, birth_date))::integer as people,
      (count(*) filter (where caste.name = 'OBC'))::integer as obc, count(distinct gr_key(gr_no))::integer as numbers
    from student left join academic_lookup caste on caste.id = caste_category_id`);
  const isObc = (row: Row) => row['Cast Category'] === 'SEBC';
  const obc = rows.slice(0, 296).filter((row, number) => isObc(row) && number !== 20 && number !== 21).length;
  expect(sums).toEqual({ children: 294, people: 294, obc, numbers: 294 });
});

test('Q1.17 no word of a legal category is read by its letters: an unknown one waits, and the school’s own entry counts', async () => {
  const rows = ['SCBC', 'SPECIAL', 'STATE', 'બક્ષીપંચ', 'OPEN', 'Sch. Caste', '10 %'].map((word, number) =>
    rowOf(number, { 'Cast Category': word }),
  );
  const { stage } = await planOf(fileOf(rows));
  const asked = stage.words.find(({ field }) => field === 'casteCategoryId')?.words ?? [];
  expect(asked.map(({ word, proposal, isGuess }) => [word, proposal, isGuess])).toEqual([
    ['SCBC', null, undefined],
    ['SPECIAL', null, undefined],
    ['STATE', null, undefined],
    ['બક્ષીપંચ', 'OBC', undefined],
    ['OPEN', 'General', undefined],
    ['Sch. Caste', 'SC', undefined],
    ['10 %', 'EWS', undefined],
  ]);
  await school.sql(`insert into academic_lookup (kind, name) values ('Caste category', 'SEBC')`);
  const own = await planOf(fileOf([rowOf(0, { 'Cast Category': 'SEBC' })]));
  expect(own.stage.words.find(({ field }) => field === 'casteCategoryId')).toBeUndefined();
});

test('Q1.18 a lone quotation mark keeps its row, and files that are no table get a plain sentence', async () => {
  const quoted = fileOf([rowOf(0, { Father: '5" Patel' }), rowOf(1), rowOf(2, { Name: '"Riya' }), rowOf(3)]);
  expect((await planOf(quoted)).stage.rows).toBe(4);
  const piped = fileOf([rowOf(0), rowOf(1)]).replaceAll(',', '|');
  expect((await planOf(piped)).stage.columns.length).toBe(heads.length);
  const refusalOf = async (file: string) =>
    (await office.send({ method: 'POST', url: '/api/student/import/open', body: { file } })).json.error?.fields?.file;
  expect(await refusalOf('<html><body><table><tr><td>GR No</td></tr></table>')).toBe(
    'This is a web page with a table. Open it and save it as .xlsx.',
  );
  expect(await refusalOf('[{"gr":1}]')).toBe('This is a file of a program (JSON). Open it and save it as .xlsx.');
  const archive = async (name: string) => {
    const { zipSync, strToU8 } = await import('fflate');
    const bytes = zipSync({ [name]: strToU8('<a/>') });
    return refusalOf(`${workbookMark}${Buffer.from(bytes).toString('base64')}`);
  };
  expect(await archive('content.xml')).toBe('This is a LibreOffice file (.ods). Open it and save it as .xlsx.');
  expect(await archive('word/document.xml')).toBe('This is a Word file (.docx). Open it and save it as .xlsx.');
});

test('Q1.18 a number of a child with another name and birth date is a question, and is not changed without an answer', async () => {
  const id = await seat(school, section, 'Devang', { birthDate: '2015-01-01' });
  const [row] = await school.sql(`select gr_no as number from student where id = ${id}`);
  const file = fileOf([
    rowOf(500, { 'G.R. No': String(row?.number), 'Cast Category': 'OBC', 'Std/Div': `${grade}-A` }),
  ]);
  const { plan } = await planOf(file);
  const [asked] = (await office.call(studentImportApi.import, { file, plan })).rows;
  expect([asked?.status, english(asked?.messages.grNo ?? { id: '' })]).toEqual([
    'wrong',
    expect.stringMatching(/^GR .* is Devang Shah, born on 1 Jan 2015\. Is the row about this child\?$/),
  ]);
  const sure = { ...plan, answers: { '2': 'same' } };
  expect((await office.call(studentImportApi.import, { file, plan: sure })).counts).toMatchObject({ changed: 1 });
});
