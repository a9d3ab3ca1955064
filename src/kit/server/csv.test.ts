import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

test('E4 a cell that begins like a formula is text to a spreadsheet, and quotes and lines stay inside theirs', () => {
  const rows = ['=1+1', '+91', '-2', '@x', '\tx', '\rx', 'a "b", c', 'one, two', 'two\nlines', null, 7].map((value) => [
    value,
  ]);
  expect(csvOf(['Name'], rows).toString()).toBe(
    [
      '\uFEFFName',
      "'=1+1",
      "'+91",
      "'-2",
      "'@x",
      "'\tx",
      '"\'\rx"',
      '"a ""b"", c"',
      '"one, two"',
      '"two\nlines"',
      '',
      '7',
      '',
    ].join('\r\n'),
  );
});
