import { afterAll, beforeAll, expect, test } from 'vitest';
import { boardMaster } from '#features/academic/contract/masters.ts';
import { importBytes, mostImported } from '#kit/contract/import-limits.ts';
import { readRows } from '#kit/server/import/read-table.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
});
afterAll(() => school.close());

const send = (file: string) => admin.send({ method: 'POST', url: `/api${boardMaster.path}/import`, body: { file } });

test('W24 a file of 2 MB of the shortest rows is parsed beside the server, which answers all the while', async () => {
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
  expect([status, json.error.fields.file]).toEqual([422, expect.stringMatching(/^This file has 10,\d\d,\d{3} rows/)]);
  expect(importing.used / parsing.used).toBeLessThan(0.5);
});

test('W24 a file of more rows than an import takes, or with a quote that does not end, is refused in its own words', async () => {
  const many = await send(`Name\n${'x\n'.repeat(mostImported + 1)}`);
  expect(many.json.error.fields.file).toMatch(/^This file has 5,001 rows/);
  const open = await send('Name\n"x');
  expect(open.json.error.fields.file).toMatch(/^Line \d+ can’t be read\. Check its commas and quotation marks\.$/);
});
