import { afterAll, beforeAll, expect, test } from 'vitest';
import { boardMaster } from '#features/academic/contract/masters.ts';
import { importBytes, longestCell, mostImported, workbookMark } from '#kit/contract/import-limits.ts';
import { readRows } from '#kit/server/import/read-table.ts';
import { mapRows } from '#kit/server/map-rows.ts';
import type { Person } from '#testing/browser.ts';
import { readFile } from '#testing/imported-rows.ts';
import { openSchool, type School } from '#testing/school.ts';
import { soak } from '#testing/soak.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
});
afterAll(() => school.close());

const send = (file: string) => admin.send({ method: 'POST', url: `/api${boardMaster.path}/import`, body: { file } });

soak('W24 a file of 5 MB of the shortest rows is parsed beside the server, which answers all the while', async () => {
  const file = `Name\n${'x\n'.repeat((importBytes - 10) / 2)}`;
  const usedBy = async (act: () => unknown) => {
    const before = process.threadCpuUsage();
    const result = await act();
    const { user, system } = process.threadCpuUsage(before);
    return { used: user + system, result };
  };
  const parsing = await usedBy(() => readRows(file));
  const importing = await usedBy(() => send(file));
  const { status, json } = importing.result as Awaited<ReturnType<typeof send>>;
  expect([status, json.error.fields.file]).toEqual([422, expect.stringMatching(/^This file has 26,\d\d,\d{3} rows/)]);
  expect(importing.used / parsing.used).toBeLessThan(0.5);
});

test('W24 a file with a quote that does not end is refused in its own words', async () => {
  const open = await send('Name\n"x');
  expect(open.json.error.fields.file).toMatch(/^Line \d+ can’t be read\. Check its commas and quotation marks\.$/);
});

const refusal = async (file: string) => {
  const { status, json } = await send(file);
  return [status, json.error?.fields?.file];
};
/** Rows of a board each, and spaces that an import ignores. */
const filled = (bytes: number) => `Name\n${`${' '.repeat(8000)}Board\n`.repeat(bytes / 8006)}`.padEnd(bytes, '\n');

const tooLarge = [422, 'This file is larger than 5 MB. Split it into several files.'];
const workbook = (bytes: number) => workbookMark + Buffer.alloc(bytes).toString('base64');

test('W24 a file with a byte more than 5 MB is refused with the limit', async () => {
  expect(await refusal(filled(importBytes + 1))).toEqual(tooLarge);
  // In Gujarati a letter takes three bytes.
  expect(await refusal(`Name\n${'ક'.repeat(importBytes / 3)}`)).toEqual(tooLarge);
  expect(await refusal(workbook(importBytes + 1))).toEqual(tooLarge);
});

soak('W24 a file of 5 MB is taken, be it text or a workbook', async () => {
  expect(await refusal(filled(importBytes))).toEqual([200, undefined]);
  expect(await refusal(workbook(importBytes))).not.toEqual(tooLarge);
  expect(await refusal(workbook(importBytes + 10))).toEqual(tooLarge);
});

test('W24 a file of 20,000 rows is read, and one with a row more is refused with the limit', async () => {
  const rows = (count: number) => `Name\n${'x\n'.repeat(count)}`;
  expect(await readFile(rows(mostImported))).toHaveLength(20_001);
  expect(await refusal(rows(mostImported + 1))).toEqual([
    422,
    'This file has 20,001 rows. Import at most 20,000 at a time.',
  ]);
});

test('W24 more than 200 headings, or a heading of more than 200 characters, is refused without being sent back', async () => {
  const heads = (count: number) => Array.from({ length: count }, (_, column) => `h${column}`).join();
  expect(await refusal(`${heads(200)}\nx\n`)).toEqual([422, expect.stringMatching(/^Unknown column “h0”/)]);
  const tooMany = (count: string) => [422, `This file has ${count} columns. Use at most 200.`];
  expect(await refusal(`${heads(201)}\nx\n`)).toEqual(tooMany('201'));
  expect(await refusal(`${heads(20_000)}\nx\n`)).toEqual(tooMany('20,000'));
  const long = await send(`Name,${'x'.repeat(201)}\nBoard\n`);
  expect([long.status, long.json.error.fields.file]).toEqual([
    422,
    'The heading of column 2 is too long. Use at most 200 characters.',
  ]);
  expect(long.text.length).toBeLessThan(400);
});

test('W24 a cell of more than 10,000 characters is refused with its line', async () => {
  expect(await refusal(`Name\nHall\n${'x'.repeat(longestCell)}\n`)).toEqual([200, undefined]);
  expect(await refusal(`Name\nHall\n${'x'.repeat(longestCell + 1)}\n`)).toEqual([
    422,
    'Line 3 has a text that is too long. Use at most 10,000 characters.',
  ]);
});

test('W1 other requests are served while long rows are read', async () => {
  let turns = 0;
  const count = setInterval(() => turns++, 0);
  await mapRows(Array.from({ length: 40 }), () => {
    for (const end = performance.now() + 5; performance.now() < end; );
  });
  clearInterval(count);
  expect(turns).toBeGreaterThan(9);
});
