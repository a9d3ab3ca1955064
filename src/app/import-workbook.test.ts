import { createHash } from 'node:crypto';
import { unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import writeWorkbook from 'write-excel-file/node';
import { houseMaster } from '#features/academic/contract/masters.ts';
import { importBytes, mostImported, workbookMark } from '#kit/contract/import-limits.ts';
import type { Person } from '#testing/browser.ts';
import { readFile } from '#testing/imported-rows.ts';
import { inEnglish } from '#testing/messages.ts';
import { openSchool, type School } from '#testing/school.ts';
import { isSoak, soak } from '#testing/soak.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
});
afterAll(() => school.close());

type Cell = string | number | boolean | Date | null;
const cellOf = (value: Cell) =>
  value === null ? null : { value, ...(value instanceof Date && { format: 'dd/mm/yyyy' }) };
const asFile = (bytes: Uint8Array) => workbookMark + Buffer.from(bytes).toString('base64');
const workbook = async (rows: Cell[][]) => asFile(await writeWorkbook(rows.map((row) => row.map(cellOf))).toBuffer());
const send = (body: object) => admin.send({ method: 'POST', url: `/api${houseMaster.path}/import`, body });

test('a workbook is read as its first sheet shows it: long numbers in full, days as India writes them', async () => {
  const file = await workbook([
    ['Name', 'Mobile', 'Joined', 'Active', 'Height'],
    ['Asha', 9_825_012_345, new Date('2026-06-01T00:00:00Z'), true, 1.1],
    [null, null, null, null, null],
    ['012', '0261', null, false, null],
  ]);
  expect(await readFile(file)).toEqual([
    { line: 1, cells: ['Name', 'Mobile', 'Joined', 'Active', 'Height'] },
    { line: 2, cells: ['Asha', '9825012345', '01-06-2026', 'Yes', '1.1'] },
    { line: 4, cells: ['012', '0261', '', 'No'] },
  ]);
});

/** A workbook of these sheets, and its parts as `change` leaves them. */
const changed = async (sheets: Cell[][][], change: (parts: Record<string, string>) => void) => {
  const written = await writeWorkbook(
    sheets.map((rows) => ({ data: rows.map((row) => row.map(cellOf)) })) as never,
    { sheets: sheets.map((_, index) => `Sheet${index + 1}`) } as never,
  ).toBuffer();
  const parts = Object.fromEntries(
    Object.entries(unzipSync(written)).map(([name, part]) => [name, Buffer.from(part).toString()]),
  );
  change(parts);
  return asFile(zipSync(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, Buffer.from(part)]))));
};

const houses: Cell[][] = [
  ['Name', 'Colour'],
  ['Shown Tapi', 'Teal'],
];

test.each(['hidden', 'veryHidden'])('a %s sheet before the one with the headings is not read', async (state) => {
  const file = await changed(
    [
      [
        ['Name', 'Colour'],
        ['Hidden', 'Red'],
      ],
      houses,
    ],
    (parts) => {
      parts['xl/workbook.xml'] = (parts['xl/workbook.xml'] ?? '').replace('<sheet ', `<sheet state="${state}" `);
    },
  );
  const { rows } = await admin.call(houseMaster.api.import, { file });
  expect(rows.map(({ displayName }) => displayName)).toEqual(['Shown Tapi']);
});

test('the visible sheet with the headings is read, below the titles above them', async () => {
  const titled = [['SHREE VIDYALAYA, SURAT – HOUSES'], [null], ...houses];
  const file = await changed([[['How to fill in this file']], titled], () => undefined);
  const { rows } = await admin.call(houseMaster.api.import, { file });
  expect(rows).toMatchObject([{ line: 4, displayName: 'Shown Tapi', status: 'added' }]);
});

test('a refused workbook with several visible sheets names the sheet that was read', async () => {
  const refusalOf = async (sheets: Cell[][][]) =>
    (await send({ file: await changed(sheets, () => undefined) })).json.error.fields.file;
  const notes = [['How to fill in this file'], ['Ask the office']];
  const unknown = /^Unknown column “Length”\. Use these columns: /;
  const wrong = [
    ['Name', 'Length'],
    ['Tapi', '724'],
  ];
  expect(await refusalOf([wrong])).toMatch(unknown);
  expect(await refusalOf([notes, wrong])).toMatch(/^Sheet “Sheet2”: Unknown column “Length”/);
  expect(await refusalOf([[['Name', 'Colour']], notes])).toBe(
    'Sheet “Sheet1”: This file has no rows. Add rows below the headings.',
  );
});

test('numbers are read with the zeros and letters that their format shows, and errors are refused by name', async () => {
  const format = (code: string) => ({ value: 12, type: Number, format: code });
  const rows = [['Name'], [format('0000')], [format('"EMP"0000')], [format('#,##0')], ['ERROR']].map((row) =>
    row.map((cell) => (typeof cell === 'string' ? { value: cell } : cell)),
  );
  const written = asFile(await writeWorkbook(rows as never).toBuffer());
  expect((await readFile(written)).map(({ cells }) => cells[0])).toEqual(['Name', '0012', 'EMP0012', '12', 'ERROR']);
  const wrong = await changed(
    [
      [
        ['Name', 'Colour'],
        [7, 'Teal'],
      ],
    ],
    (parts) => {
      const sheet = parts['xl/worksheets/sheet1.xml'] ?? '';
      parts['xl/worksheets/sheet1.xml'] = sheet.replace(/<c r="A2"[^>]*>.*?<\/c>/, '<c r="A2" t="e"><v>#N/A</v></c>');
    },
  );
  const { rows: refused } = await admin.call(houseMaster.api.import, { file: wrong });
  expect(refused.map(({ messages }) => inEnglish(messages))).toEqual([
    { name: 'This cell has the error #N/A. Correct it.' },
  ]);
});

test.each([
  ['[$-4009]0000', '0012'],
  ['[Blue]0000', '0012'],
  ['0000_)', '0012'],
  ['0000;-0000;0;@', '0012'],
  ['[$-en-IN]"GR"0000', 'GR0012'],
  ['00\\-00', '00-12'],
  ['0\\-0', '1-2'],
  ['"A"0\\-0', 'A1-2'],
  ['0000 0000 0000', '0000 0000 0012'],
  ['\\-0', '-12'],
  ['[<=99]0000', '12'],
  ['[$₹-4009]0000', '12'],
])('a number with the format %s is read as %s', async (format, shown) => {
  const rows = [[{ value: 'Name' }], [{ value: 12, type: Number, format }]];
  const file = asFile(await writeWorkbook(rows as never).toBuffer());
  expect((await readFile(file)).map(({ cells }) => cells[0])).toEqual(['Name', shown]);
});

test('a share is read as a percentage, and a formula that was never computed is refused', async () => {
  const shares = [0.85, 1, 0.125, 0.07].map((value) => [{ value, type: Number, format: '0%' }]);
  const written = asFile(await writeWorkbook([[{ value: 'Name' }], ...shares] as never).toBuffer());
  expect((await readFile(written)).map(({ cells }) => cells[0])).toEqual(['Name', '85%', '100%', '12.5%', '7%']);
  for (const empty of [
    '<c r="A2"><f>B2&amp;"x"</f></c>',
    '<c r="A2"><f>B2</f><v></v></c>',
    '<c r="A2"><f>B2</f><v/></c>',
  ]) {
    const file = await changed([houses], (parts) => {
      const sheet = parts['xl/worksheets/sheet1.xml'] ?? '';
      parts['xl/worksheets/sheet1.xml'] = sheet.replace(/<c r="A2"[^>]*>.*?<\/c>/, empty);
    });
    const { rows } = await admin.call(houseMaster.api.import, { file });
    expect(rows.map(({ messages }) => inEnglish(messages))).toEqual([
      { name: 'This formula has no value. Open the file in Excel and save it, then import it.' },
    ]);
  }
  const empty = await changed([houses], (parts) => {
    const sheet = parts['xl/worksheets/sheet1.xml'] ?? '';
    parts['xl/worksheets/sheet1.xml'] = sheet.replace(
      /<c r="B2"[^>]*>.*?<\/c>/,
      '<c r="B2" t="str"><f>""</f><v></v></c>',
    );
  });
  expect((await readFile(empty)).map(({ cells }) => cells)).toEqual([['Name', 'Colour'], ['Shown Tapi']]);
});

test('numbers are read with their zeros where the cell says that it holds a number, as LibreOffice writes them', async () => {
  const format = (code: string) => ({ value: 12, type: Number, format: code });
  const rows = [[{ value: 'Name' }], ...['000000', '0000;-0000'].map((code) => [format(code)])];
  const parts = unzipSync(await writeWorkbook(rows as never).toBuffer());
  const sheet = Buffer.from(parts['xl/worksheets/sheet1.xml'] ?? []).toString();
  const changed = sheet.replaceAll(/(<c r="A[23]"[^>]*?)( t="n")?>/g, '$1 t="n">');
  const file = asFile(zipSync({ ...parts, 'xl/worksheets/sheet1.xml': Buffer.from(changed) }));
  expect((await readFile(file)).map(({ cells }) => cells[0])).toEqual(['Name', '000012', '0012']);
});

test('a workbook that counts its days from 1904, as an old Mac does, is read with the days that it shows', async () => {
  const file = await changed(
    [
      [
        ['Name', 'Joined'],
        ['Asha', 43_982],
      ],
    ],
    (parts) => {
      const book = parts['xl/workbook.xml'] ?? '';
      parts['xl/workbook.xml'] = book.replace('<workbookPr/>', '<workbookPr date1904="1"/>');
      const styles = parts['xl/styles.xml'] ?? '';
      const xfs = styles.lastIndexOf('</cellXfs>');
      parts['xl/styles.xml'] = `${styles.slice(0, xfs)}<xf numFmtId="14" applyNumberFormat="1"/>${styles.slice(xfs)}`;
      const style = styles.slice(styles.indexOf('<cellXfs'), xfs).split('<xf').length - 1;
      const sheet = parts['xl/worksheets/sheet1.xml'] ?? '';
      parts['xl/worksheets/sheet1.xml'] = sheet.replace(/<c r="B2"[^>]*>/, `<c r="B2" s="${style}">`);
    },
  );
  expect((await readFile(file))[1]?.cells).toEqual(['Asha', '01-06-2024']);
});

test('a column without a heading and without cells is passed over, as merged headings leave one', async () => {
  const file = asFile(
    await writeWorkbook([['Name', null, 'Colour'].map(cellOf), ['Merged Tapi', null, 'Teal'].map(cellOf)]).toBuffer(),
  );
  const { rows } = await admin.call(houseMaster.api.import, { file });
  expect(rows.map(({ displayName }) => displayName)).toEqual(['Merged Tapi']);
  const filled = await send({ file: 'Name,,Colour\nMerged Tapi,Rise,Teal\n' });
  expect(filled.status).toBe(422);
});

test.each([
  ['semicolons', 'Houses of 2026\r\n\r\nName;Colour\r\nTitled Tapi;Teal\r\n'],
  ['semicolons, under a title with a comma', 'Shree Vidyalaya, Surat;\r\nName;Colour\r\nTitled Tapi;Teal\r\n'],
  ['tabs', '\ufeffHouses of 2026\nName\tColour\nTitled Tapi\tTeal\n'],
  ['semicolons and quotation marks', '"Houses; all"\n"Name";"Colour"\n"Titled Tapi";"Teal"\n'],
])('a CSV file with %s between its cells is read below its titles', async (_what, file) => {
  const { rows } = await admin.call(houseMaster.api.import, { file });
  expect(rows).toMatchObject([{ displayName: 'Titled Tapi', status: 'added' }]);
});

test('a workbook is imported as a CSV file is, and a second time changes nothing', async () => {
  const file = await workbook([
    ['Name', 'Colour'],
    ['Workbook Ganga', 'Teal'],
    ['Workbook Tapi', 'Red'],
  ]);
  const preview = await admin.call(houseMaster.api.import, { file });
  expect(preview.counts).toMatchObject({ added: 2, wrong: 0 });
  const done = await admin.call(houseMaster.api.import, { file, confirmToken: preview.confirmToken ?? '' });
  expect(done.isApplied).toBe(true);
  expect((await admin.call(houseMaster.api.import, { file })).counts).toMatchObject({ same: 2 });
});

test('a workbook that is damaged or is something else is refused in words, and the server goes on', async () => {
  const good = Buffer.from((await workbook([['Name'], ['A']])).slice(workbookMark.length), 'base64');
  const damaged = asFile(good.subarray(0, good.length / 2));
  const isDamaged = 'This file is empty or damaged. Choose another one.';
  for (const [file, message] of [
    [damaged, isDamaged],
    [`${workbookMark}nothing`, isDamaged],
    [
      asFile(zipSync({ 'word/document.xml': new Uint8Array(10) })),
      'This is a Word file (.docx). Open it and save it as .xlsx.',
    ],
  ]) {
    const { status, json } = await send({ file });
    expect([status, json.error.fields.file]).toEqual([422, message]);
  }
  expect((await send({ file: 'Name,Colour\nAfter,Teal\n' })).status).toBe(200);
});

soak('a workbook that unpacks to too much is refused in words, and the server goes on', async () => {
  const good = Buffer.from((await workbook([['Name'], ['A']])).slice(workbookMark.length), 'base64');
  const sheet = new Uint8Array(51 * 1024 * 1024);
  const bomb = asFile(zipSync({ ...unzipSync(good), 'xl/worksheets/sheet1.xml': sheet }));
  const answer = await send({ file: bomb });
  expect([answer.status, answer.json.error.fields.file]).toEqual([
    422,
    'Too much data for one import. Import it in parts.',
  ]);
  expect((await send({ file: 'Name,Colour\nBomb,Teal\n' })).status).toBe(200);
});

test('a plan names the columns by their place and leaves the others out, and the token stands for it', async () => {
  const file = 'House name,Colour,Motto\nMatched,Teal,Rise\n';
  expect((await send({ file })).json.error.fields.file).toContain('Unknown column “House name”.');
  const plan = { columns: { 0: { to: 'name' }, 1: { to: 'colour' } } };
  const { rows, confirmToken } = await admin.call(houseMaster.api.import, { file, plan });
  expect(rows).toMatchObject([{ displayName: 'Matched', status: 'added', cellsAsStored: { colour: 'Teal' } }]);
  expect((await send({ file, plan: { columns: { 0: { to: 'name' } } }, confirmToken })).status).toBe(409);
  const twice = await send({ file, plan: { columns: { ...plan.columns, 2: { to: 'colour' } } } });
  expect(twice.json.error.fields.file).toBe('Two columns are matched with “Colour”.');
});

test('a wrong row comes back as it is in the file, and a file with a column of reasons is imported once corrected', async () => {
  const file = 'Name,Colour\nGood row,Teal\nBad row,Purplish\n';
  const url = `/api${houseMaster.path}/import/errors`;
  const asCsv = await admin.send({ method: 'POST', url, body: { file, as: 'csv' } });
  const reason = 'Colour: Use one of these: Teal, Blue, Indigo, Purple, Pink, Red, Orange, Amber, Green, Grey.';
  expect(asCsv.text).toBe(`\uFEFF"Name","Colour","Errors"\r\n"Bad row","Purplish","${reason}"\r\n`);
  // Corrected in part, the file has a column of reasons of its own.
  const asBook = await admin.send({ method: 'POST', url, body: { file: asCsv.text, as: 'xlsx' } });
  expect(await readFile(asFile(asBook.bytes))).toEqual([
    { line: 1, cells: ['Name', 'Colour', 'Errors'] },
    { line: 2, cells: ['Bad row', 'Purplish', reason] },
  ]);
  const corrected = 'Name,Colour,Errors\nBad row,Red,Choose one\n';
  expect((await admin.call(houseMaster.api.import, { file: corrected })).counts).toMatchObject({ added: 1, wrong: 0 });
});

test('of a long file the rows that need a look are listed and all are counted, given back or imported', async () => {
  // In soak ten times as long.
  const [length, wrongEvery] = isSoak ? [2500, 20] : [250, 2];
  const isWrong = (n: number) => n % wrongEvery === wrongEvery - 1;
  const lines = Array.from({ length }, (_, n) => `Long ${n},${isWrong(n) ? 'Purplish' : 'Teal'}`);
  const file = `Name,Colour\n${lines.join('\n')}\n`;
  const { rows, counts } = await admin.call(houseMaster.api.import, { file });
  expect(counts).toEqual({ added: length - 125, changed: 0, same: 0, wrong: 125 });
  expect(rows.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 'wrong'));
  expect([rows[0]?.line, rows[99]?.line]).toEqual([1 + wrongEvery, 1 + 100 * wrongEvery]);
  const url = `/api${houseMaster.path}/import/errors`;
  const { text } = await admin.send({ method: 'POST', url, body: { file, as: 'csv' } });
  expect(text.split('\r\n').filter((line) => line.includes('"Purplish"'))).toHaveLength(125);

  const good = file.replaceAll('Purplish', 'Red');
  const { confirmToken } = await admin.call(houseMaster.api.import, { file: good });
  await admin.call(houseMaster.api.import, { file: good, confirmToken: confirmToken ?? '' });
  const stored = await school.sql(`select name, colour from academic_house where name like 'Long %' order by id`);
  expect(stored.map(({ name, colour }) => `${name},${colour}`)).toEqual(good.trim().split('\n').slice(1));
  const audited = await school.sql(`select 1 from audit where action = 'academic-house.created'
    and details ->> 'Name' like 'Long %'`);
  expect(audited).toHaveLength(length);
});

const rowsXml = (count: number, row: (number: number) => string) =>
  Array.from({ length: count }, (_, index) => row(index + 1)).join('');
const cellXml = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

test.each([
  ['a cell in the last row and column', rowsXml(1, () => `<row r="1048576">${cellXml('XFD1048576', 'x')}</row>`)],
  ['a row beyond all rows', rowsXml(1, () => `<row r="99999999999">${cellXml('A99999999999', 'x')}</row>`)],
  ['a cell in the last column of many rows', rowsXml(9000, (n) => `<row r="${n}">${cellXml(`XFD${n}`, 'x')}</row>`)],
  ['an endless cell', `<row r="1">${cellXml('A1', '&amp;'.repeat(2_000_000))}</row>`],
  ['an endless tag', `<row r="1" ${rowsXml(400_000, (n) => `a${n}="1" `)}/>`],
  [
    'a long text in every cell',
    rowsXml(
      19_000,
      (n) => `<row r="${n}">${letters.map((at) => `<c r="${at}${n}" t="s"><v>0</v></c>`).join('')}</row>`,
    ),
  ],
])('W24 a workbook with %s is refused as too much', async (_what, sheetData) => {
  const good = unzipSync(Buffer.from((await workbook([['x']])).slice(workbookMark.length), 'base64'));
  const sheet = Buffer.from(good['xl/worksheets/sheet1.xml'] ?? []).toString();
  const file = asFile(
    zipSync({
      ...good,
      'xl/worksheets/sheet1.xml': Buffer.from(
        sheet.replace(/<sheetData>.*<\/sheetData>/s, `<sheetData>${sheetData}</sheetData>`),
      ),
      'xl/sharedStrings.xml': Buffer.from(`<sst><si><t>${'x'.repeat(32_000)}</t></si></sst>`),
    }),
  );
  const { status, json } = await send({ file });
  expect([status, json.error.fields.file]).toEqual([422, 'Too much data for one import. Import it in parts.']);
});

/** Cells that no other has, so that the file stays large when it is packed. */
const longCell = (row: number, column: number) => createHash('sha512').update(`${row}-${column}`).digest('base64');

test('W24 Y26 a workbook of the most rows, and one of the most bytes, is read in the process that parses it', async () => {
  const rows = Array.from({ length: mostImported }, (_, row) => [`Large ${row}`, 'Teal', '', 'Yes']);
  const many = await workbook([['Name', 'Colour', 'House master', 'Active'], ...rows]);
  const { counts } = await admin.call(houseMaster.api.import, { file: many });
  expect(counts).toEqual({ added: mostImported, changed: 0, same: 0, wrong: 0 });

  const wide = Array.from({ length: 20 }, (_, column) => `Head ${column}`);
  const long = Array.from({ length: 3400 }, (_, row) => wide.map((_, column) => longCell(row, column)));
  const large = await workbook([wide, ...long]);
  const bytes = ((large.length - workbookMark.length) * 3) / 4;
  expect(bytes).toBeLessThanOrEqual(importBytes);
  expect(bytes).toBeGreaterThan(0.8 * importBytes);
  const { status, json } = await send({ file: large });
  expect([status, json.error.fields.file.slice(0, 24)]).toEqual([422, 'Unknown column “Head 0”.']);
});
