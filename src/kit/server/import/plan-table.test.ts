import { expect, test } from 'vitest';
import type { TableColumns } from '#kit/contract/endpoint.ts';
import type { ImportPlan } from '#kit/contract/import-plan.ts';
import { text } from '#kit/contract/text.ts';
import { splitName, withoutTitles } from '#kit/contract/whole-name.ts';
import { proposeColumns, proposeOrder } from './match-columns.ts';
import { readPlanned, readStage } from './plan-table.ts';
import { proposeWord } from './propose-word.ts';

const known: TableColumns = {
  columns: {
    firstName: { label: text`First name`, kind: 'text' },
    middleName: { label: text`Middle name`, kind: 'text' },
    lastName: { label: text`Last name`, kind: 'text' },
    gender: { label: text`Gender`, alsoNamed: ['Sex'], kind: 'oneOf' },
    birthDate: { label: text`Birth date`, alsoNamed: ['DOB', 'Date of birth'], kind: 'birthDate' },
    father: { label: text`Father’s name`, alsoNamed: ['Father'], kind: 'text' },
    fatherMobile: { label: text`Father’s mobile number`, kind: 'mobile' },
    level: { label: text`Level`, alsoNamed: ['Std', 'Class'], kind: 'ref' },
  },
  needed: ['firstName'],
  whole: { parts: ['firstName', 'middleName', 'lastName'], alsoNamed: ['Name'], elder: 'father' },
};

const paired: TableColumns = {
  ...known,
  columns: { ...known.columns, part: { label: text`Part`, alsoNamed: ['Div'], kind: 'text' } },
  pair: ['level', 'part'],
};

const planOf = (over: Partial<ImportPlan>): ImportPlan => ({
  fileName: '',
  columns: {},
  same: {},
  values: {},
  creates: {},
  dates: {},
  edits: {},
  answers: {},
  alike: {},
  kept: [],
  mode: 'good',
  ...over,
});

const register = [
  'SHREE VIDYALAYA SURAT;;;;;',
  'Register 2026-27;;;;;',
  'Sr;Name;Std;Sex;DOB;Fath. Mob.;Father',
  '1;PATEL RIYA MAHESH;V;F;05/06/2018;9825012345;MAHESH PATEL',
  '2;SHAH DEV RAJESH;5th;M;07/06/2018;9825012346;RAJESH SHAH',
  'Sr;Name;Std;Sex;DOB;Fath. Mob.;Father',
  'Total;2;;;;;',
].join('\n');

test('titles, repeated headings and totals are passed over, and the columns of a register are found', async () => {
  const stage = await readStage(register, known, undefined);
  expect([stage.headLine, stage.rows]).toEqual([3, 2]);
  expect(stage.skipped.map(({ line, why }) => [line, why])).toEqual([
    [1, 'title'],
    [2, 'title'],
    [6, 'heading'],
    [7, 'total'],
  ]);
  expect(stage.columns.map(({ plan }) => plan)).toEqual([
    null,
    { to: 'firstName', order: 'Last First Middle' },
    { to: 'level' },
    { to: 'gender' },
    { to: 'birthDate' },
    { to: 'fatherMobile' },
    { to: 'father' },
  ]);
  expect(stage.words.map(({ field, words }) => [field, words.map(({ word, count }) => `${word} ${count}`)])).toEqual([
    ['level', ['V 1', '5th 1']],
    ['gender', ['F 1', 'M 1']],
  ]);
  expect(stage.dates).toEqual([{ field: 'birthDate', example: '05/06/2018', proposal: null, isMixed: false }]);
});

test('a plan splits names, reads months first, replaces words, corrects a cell and leaves rows out', async () => {
  const stage = await readStage(register, known, undefined);
  const columns = Object.fromEntries(stage.columns.flatMap(({ plan }, index) => (plan ? [[index, plan]] : [])));
  const plan = planOf({
    columns,
    same: { father: 'not used' },
    values: { level: { v: 'Grade 5', '5th': null }, gender: { f: 'Female' } },
    dates: { birthDate: 'MDY' },
    edits: { '4 fatherMobile': '9825099999' },
  });
  const { names, rows, own } = await readPlanned(register, known, plan, true);
  const row = Object.fromEntries(names.flatMap((name, index) => (name ? [[name, rows[0]?.cells[index]]] : [])));
  expect(rows.map(({ line }) => line)).toEqual([4]);
  expect(row).toEqual({
    firstName: 'RIYA',
    middleName: 'MAHESH',
    lastName: 'PATEL',
    level: 'Grade 5',
    gender: 'Female',
    birthDate: '06-05-2018',
    fatherMobile: '9825099999',
    father: 'MAHESH PATEL',
  });
  // The file of refused rows has the user's own cells, and the corrected one.
  expect(own?.rows[0]?.cells.slice(0, 6)).toEqual(['1', 'PATEL RIYA MAHESH', 'V', 'F', '05/06/2018', '9825099999']);
  const kept = await readPlanned(register, known, planOf({ columns, kept: [7] }), false);
  expect(kept.rows.map(({ line }) => line)).toEqual([4, 5, 7]);
});

test('a value for all rows fills a field that the file lacks, and columns without a heading are columns too', async () => {
  const file = 'Name,Std\nRiya,5,extra\n';
  const stage = await readStage(file, known, undefined);
  expect(stage.columns.map(({ head, samples }) => [head, samples])).toEqual([
    ['Name', ['Riya']],
    ['Std', ['5']],
    ['', ['extra']],
  ]);
  const plan = planOf({ columns: { 0: { to: 'firstName' } }, same: { gender: 'Female' } });
  const { names, rows, own } = await readPlanned(file, known, plan, true);
  expect([names, rows[0]?.cells]).toEqual([
    ['firstName', null, null, 'gender'],
    ['Riya', '5', 'extra', 'Female'],
  ]);
  expect(own?.heads).toEqual(['Name', 'Std', '', 'Gender']);
});

test.each([
  [['01/02/2018', '25/12/2018'], []],
  [['01/02/2018', '12/25/2018'], ['MDY']],
  [['25/12/2018', '12/25/2018', '26/12/2018'], ['DMY']],
  [['2018-05-06'], []],
  [['05/05/2018'], []],
])('of the dates %j the order is asked as %j', async (dates, asked) => {
  const file = `First name,DOB\n${dates.map((day) => `Riya,${day}`).join('\n')}\n`;
  const stage = await readStage(file, known, undefined);
  expect(stage.dates.map(({ proposal }) => proposal)).toEqual(asked);
});

test('years of two digits get their century', async () => {
  const file = 'First name,DOB\nRiya,05-06-18\nAsha,05-06-84\n';
  const plan = planOf({ columns: { 0: { to: 'firstName' }, 1: { to: 'birthDate' } } });
  const { rows } = await readPlanned(file, known, plan, false);
  expect(rows.map(({ cells }) => cells[1])).toEqual(['05-06-2018', '05-06-1984']);
});

test.each([
  ['Std V', 'Grade 5'],
  ['5th', 'Grade 5'],
  ['Class-5', 'Grade 5'],
  ['XII', 'Grade 12'],
  ['Grade 1', 'Grade 1'],
  ['LKG', 'Junior KG'],
  ['Jr. KG', 'Junior KG'],
  ['Sr KG', 'Senior KG'],
  ['V A', 'Grade 5'],
  ['Pass', null],
])('the word %s is proposed as %s', (word, proposed) => {
  const choices = ['Nursery', 'Junior KG', 'Senior KG', ...Array.from({ length: 12 }, (_, n) => `Grade ${n + 1}`)];
  expect(proposeWord(word, choices)).toBe(proposed);
});

test.each([
  ['M', 'Male'],
  ['F', 'Female'],
  ['Girl', 'Female'],
  ['પુરુષ', 'Male'],
  ['X', null],
])('the word %s of a gender is proposed as %s', (word, proposed) => {
  expect(proposeWord(word, ['Male', 'Female', 'Other'])).toBe(proposed);
});

test.each([
  ['M', 'Boy'],
  ['F', 'Girl'],
  ['male', 'Boy'],
  ['કન્યા', 'Girl'],
])('the word %s of a child’s gender is proposed as %s', (word, proposed) => {
  expect(proposeWord(word, ['Girl', 'Boy', 'Transgender'])).toBe(proposed);
});

test.each([
  ['Jr.KG', 'LKG'],
  ['Junior KG', 'LKG'],
  ['Sr. KG', 'UKG'],
  ['HKG', 'UKG'],
  ['K.G.', null],
])('the class %s of small children is proposed as %s', (word, proposed) => {
  expect(proposeWord(word, ['Nursery', 'LKG', 'UKG', 'Std 1'])).toBe(proposed);
});

test('a number and a date with the same first word are told apart', () => {
  const admission = {
    columns: {
      number: { label: text`GR number`, alsoNamed: ['Adm No'], kind: 'text' },
      day: { label: text`Admitted on`, alsoNamed: ['Admission date', 'Adm Date'], kind: 'date' },
    },
    needed: [],
  };
  const matched = (head: string) => proposeColumns(admission, [head], [[]])[0]?.to ?? null;
  expect(['Adm. Date', 'Adm Dt', 'Adm. No.', 'Dt. of Adm'].map(matched)).toEqual(['day', 'day', 'number', null]);
});

test('short words stand for long words, where only one entry fits', () => {
  expect(proposeWord('Asst Teacher', ['Assistant Teacher', 'Teacher', 'Clerk'])).toBe('Assistant Teacher');
  expect(proposeWord('T', ['Teacher', 'Trainer'])).toBeNull();
});

test('names are split by their order, and titles are taken off', () => {
  expect(splitName('Riya Mahesh Patel', 'First Middle Last', 3)).toEqual(['Riya', 'Mahesh', 'Patel']);
  expect(splitName('PATEL RIYA MAHESH BHAI', 'Last First Middle', 3)).toEqual(['RIYA', 'MAHESH BHAI', 'PATEL']);
  expect(splitName('Riya', 'First Middle Last', 3)).toEqual(['Riya', '', '']);
  expect(splitName('Asha Ben Patel', 'First Last', 2)).toEqual(['Asha Ben', 'Patel']);
  expect(['Mr. PATEL R', 'Smt Asha', 'Dr.Rao', 'Late Shri Om', 'Shriya'].map(withoutTitles)).toEqual([
    'PATEL R',
    'Asha',
    'Rao',
    'Om',
    'Shriya',
  ]);
  expect(proposeOrder(['RIYA MAHESH PATEL'], ['MAHESH PATEL'])).toBe('First Middle Last');
});

test('usual Indian headings are matched, and two columns of one name keep their places', () => {
  const heads = ['Mobile', 'Mobile', 'Sex', 'D.O.B.', 'Father Mob. No.', 'Class', 'Remarks'];
  const found = proposeColumns(
    known,
    heads,
    heads.map(() => []),
  ).map((plan) => plan?.to ?? null);
  expect(found).toEqual([null, null, 'gender', 'birthDate', 'fatherMobile', 'level', null]);
});

test('a cell such as 5-A becomes two fields, unless the second one has a column of its own', async () => {
  const file = ['Name,Class', 'Riya,5-A', 'Dev,V B', 'Om,Nursery', 'Ved,Std V'].join('\n');
  const columns = { 0: { to: 'firstName' }, 1: { to: 'level' } };
  const table = await readPlanned(file, paired, planOf({ columns }), false);
  expect(table.names).toEqual(['firstName', 'level', 'part']);
  expect(table.rows.map(({ cells }) => cells.slice(1))).toEqual([
    ['5', 'A'],
    ['V', 'B'],
    ['Nursery', ''],
    ['Std V', ''],
  ]);
  const stage = await readStage(file, paired, planOf({ columns }));
  expect(stage.words[0]?.words.map(({ word }) => word)).toEqual(['5', 'V', 'Nursery', 'Std V']);
  const own = ['Name,Class,Div', 'Riya,5-A,B'].join('\n');
  const both = { ...columns, 2: { to: 'part' } };
  expect((await readPlanned(own, paired, planOf({ columns: both }), false)).rows[0]?.cells).toEqual([
    'Riya',
    '5-A',
    'B',
  ]);
});

test.each([
  ['the upper row has most of them', 'Name,Std,DOB,Father,', ',,,Name,Mobile No'],
  ['the lower row has most of them', ',,,Father,', 'Name,Std,DOB,Name,Mobile No'],
])('two rows of headings are read as one where %s', async (_where, upper, lower) => {
  const title = upper.startsWith(',') ? 'SHREE VIDYALAYA,x,,,' : 'SHREE VIDYALAYA,,,,';
  const stage = await readStage(
    [title, upper, lower, 'Riya,5,13/06/2018,Mahesh,9825012345'].join('\n'),
    known,
    undefined,
  );
  if (upper.startsWith(',')) return expect(stage.rows).toBe(1);
  expect([stage.headLine, stage.rows]).toEqual([3, 1]);
  expect(stage.columns.map(({ head }) => head)).toEqual(['Name', 'Std', 'DOB', 'Father Name', 'Father Mobile No']);
  expect(stage.columns.map(({ plan }) => plan?.to)).toEqual([
    'firstName',
    'level',
    'birthDate',
    'father',
    'fatherMobile',
  ]);
});

test('a title over the headings is not part of them', async () => {
  const stage = await readStage(',SHREE VIDYALAYA,,\nName,Std,DOB,Father\nRiya,5,13/06/2018,Mahesh', known, undefined);
  expect(stage.columns.map(({ head }) => head)).toEqual(['Name', 'Std', 'DOB', 'Father']);
});

test('a row with a day and one known word is an entry, and unknown headings above it are found', async () => {
  const file = [
    'SHREE VIDYALAYA,Register 2026-27',
    'Naam,Tarikh,Calls first',
    'Riya,13/06/2018,Father',
    'Dev,14/06/2018,Mother',
  ].join('\n');
  const stage = await readStage(file, known, undefined);
  expect([stage.headLine, stage.rows]).toEqual([2, 2]);
});
