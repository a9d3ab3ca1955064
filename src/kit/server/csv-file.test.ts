import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { neutralise, restoreText } from '#kit/contract/csv.ts';
import { csvFile } from './csv-file.ts';

const linesOf = async (...cells: unknown[]) => {
  const rows = cells.map((cell) => [cell]);
  return (await csvFile(['Name'], rows)).toString().slice(1);
};

test('W21 E4 each cell is quoted, and a cell that begins like a formula is text to a spreadsheet', async () => {
  const cells = ['=1+1', '+91', '-2+3', '@x', '\tx', '\rx', '＝1', 'a "b", c', 'one, two', 'two\nlines', null, 7];
  expect(await linesOf(...cells)).toBe(
    [
      '"Name"',
      `"'=1+1"`,
      `"'+91"`,
      `"'-2+3"`,
      `"'@x"`,
      `"'\tx"`,
      `"'\rx"`,
      `"'＝1"`,
      '"a ""b"", c"',
      '"one, two"',
      '"two\nlines"',
      '""',
      '"7"',
      '',
    ].join('\r\n'),
  );
});

test('W21 E4 an amount below zero is a number to a spreadsheet', async () => {
  const cells = [-300, -2.5, '-300', '-2.50', '-0'];
  expect(await linesOf(...cells)).toBe(['"Name"', '"-300"', '"-2.5"', '"-300"', '"-2.50"', '"-0"', ''].join('\r\n'));
  expect(await linesOf('-1-1', '-1e5', '-', '--1', '-1%', '-1;-1', ' -1')).toBe(
    [`"Name"`, `"'-1-1"`, `"'-1e5"`, `"'-"`, `"'--1"`, `"'-1%"`, `"'-1;'-1"`, `"' -1"`, ''].join('\r\n'),
  );
});

test.each([
  ['x;=1+1', `x;'=1+1`],
  ['x;=1+1;', `x;'=1+1;`],
  ['x; "=1+1";', `x;' "=1+1";`],
  ['x\n=1+1', `x\n'=1+1`],
  ['x\t-1', `x\t'-1`],
  ['x|@sum', `x|'@sum`],
  [';;=1', `;;'=1`],
  ['=1;=2', `'=1;'=2`],
  ['well-known; plus + minus', 'well-known; plus + minus'],
  ['a, -b', 'a, -b'],
])('W21 E4 %j is neutralised also where another separator begins a cell', (text, plain) => {
  expect(neutralise(text)).toBe(plain);
  expect(restoreText(plain)).toBe(text);
});

/**
 * Parses cells as a spreadsheet does: a quote counts at the start of a cell, and text after its end is plain text
 * again.
 */
const cellsOf = (file: string, delimiter: string): string[] => {
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"?)?([^${delimiter}\\r\\n]*)(?:[${delimiter}]|\\r\\n?|\\n|$)`, 'y');
  const cells: string[] = [];
  while (cell.lastIndex < file.length) {
    const [, quoted = '', rest = ''] = cell.exec(file) ?? [];
    cells.push(quoted.replaceAll('""', '"') + rest);
  }
  return cells;
};

/** Parses cells as programs with another separator do: some know quotes, some do not. */
const readings = (file: string): string[] => [
  ...[',', ';', '\t', '|'].flatMap((delimiter) => cellsOf(file.slice(1), delimiter)),
  ...[';', '\t', '|'].flatMap((delimiter) => file.split(/[\r\n]+/).flatMap((line) => line.split(delimiter))),
];
const isFormula = (cell: string) => /^["\s\uFEFF]*[=+\-@＝＋－＠]/.test(cell) && !/^"?-\d+(?:\.\d+)?"?$/.test(cell);

/** The same texts in every run. */
function* hostileTexts(count: number) {
  const signs = [...`=+-@＝'";|,\t\r\n a1`];
  let seed = 42;
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  for (let made = 0; made < count; made++)
    yield Array.from({ length: Math.floor(next() * 12) }, () => signs[Math.floor(next() * signs.length)]).join('');
}

test('W21 E4 no reading of a file with hostile texts has a formula, and each text is read back as it was', async () => {
  for (const text of hostileTexts(5000)) {
    const file = (await csvFile(['Name', 'Note'], [['A', text]])).toString();
    expect([text, readings(file).filter(isFormula)]).toEqual([text, []]);
    const [, row] = parse(file, { bom: true, record_delimiter: '\r\n' }) as unknown as string[][];
    expect(row?.map(restoreText)).toEqual(['A', text]);
  }
});

test('W1 other requests are served while a long CSV file is made', async () => {
  const slow = {
    toString() {
      for (const end = performance.now() + 5; performance.now() < end; );
      return 'slow';
    },
  };
  let turns = 0;
  const count = setInterval(() => turns++, 0);
  await csvFile(
    ['Name'],
    Array.from({ length: 40 }, () => [slow]),
  );
  clearInterval(count);
  expect(turns).toBeGreaterThan(9);
});
