import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { frequencyApi, usualRows } from '../../contract/frequency.ts';

let school: School;
let accountant: Person;
let office: Person;
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ name: 'Kiran', role: 'Staff', sets: ['accountant'] });
  office = await school.person({ role: 'Staff', sets: ['office'] });
});
afterAll(() => school.close());

const path = '/api/fee/frequency';
let count = 0;
const quarterly = (over: object = {}) => ({
  name: `Quarterly ${++count}`,
  code: `Q${count}`,
  kind: 'Quarterly' as const,
  sharing: 'Equal shares' as const,
  unit: '10' as const,
  remainderSeq: 1,
  rows: usualRows('Quarterly').map((row) => ({ ...row, label: `Q${row.seq}` })),
  ...over,
});
const shared = (...shares: (number | null)[]) =>
  quarterly({
    sharing: 'Percentages',
    rows: shares.map((share, place) => ({ ...quarterly().rows[place], label: `Q${place}`, share })),
  });
const post = (body: object) => accountant.send({ method: 'POST', url: path, body });
const fieldsOf = async (body: object) => (await post(body)).json.error?.fields;
const readBack = async (id: number) => (await office.call(frequencyApi.list, {})).rows.find((row) => row.id === id);
const audited = (id: number) =>
  school.sql(`select actor, action, version, details from audit
    where entity = 'fee_frequency' and entity_id = ${id} order by id`);

test('a frequency is saved with its instalments, read by the office, and changed as a whole', async () => {
  const draft = quarterly({ name: 'By quarter' });
  const { id, version } = await accountant.call(frequencyApi.create, draft);
  expect(await readBack(id)).toMatchObject({
    name: 'By quarter',
    isEqual: true,
    unit: 10,
    version: 1,
    rows: draft.rows,
  });
  const fewer = { ...draft, kind: 'Custom' as const, rows: draft.rows.slice(0, 2), remainderSeq: 2 };
  const saved = await accountant.call(frequencyApi.update, { ...fewer, id, version, isActive: false });
  expect(saved.version).toBe(2);
  expect(await readBack(id)).toMatchObject({ kind: 'Custom', isActive: false, remainderSeq: 2, rows: fewer.rows });
  expect(await audited(id)).toMatchObject([
    { actor: 'Kiran', action: 'fee-frequency.created', version: 1 },
    { action: 'fee-frequency.changed', version: 2, details: { Active: 'Yes → No', Frequency: 'Quarterly → Custom' } },
  ]);
});

test('a save that changes nothing makes no new version and no audit entry', async () => {
  const draft = quarterly();
  const { id, version } = await accountant.call(frequencyApi.create, draft);
  const again = await accountant.call(frequencyApi.update, { ...draft, id, version, isActive: true });
  expect(again).toEqual({ id, version: 1 });
  expect(await audited(id)).toHaveLength(1);
});

test('B1.2 shares that do not total 100 % are refused beside the last one', async () => {
  expect(await fieldsOf(shared(2500, 2500, 2500, 2499))).toEqual({ 'rows.3.share': 'The shares must total 100 %.' });
  expect(await fieldsOf(shared(2500, 2500, null, 5000))).toEqual({
    'rows.2.share': 'Enter a share, or choose equal shares.',
  });
  const { id } = await accountant.call(frequencyApi.create, shared(3333, 3333, 3334));
  expect((await readBack(id))?.rows.map(({ share }) => share)).toEqual([3333, 3333, 3334]);
});

test('instalments that share a month, or go beyond the year, are refused at their row', async () => {
  const [first, second, ...rest] = quarterly().rows;
  expect(await fieldsOf(quarterly({ rows: [first, { ...second, fromMonth: 2 }, ...rest] }))).toEqual({
    'rows.1.fromMonth': 'These months belong to another instalment already.',
  });
  expect(await fieldsOf(quarterly({ rows: [first, { ...second, fromMonth: 11 }] }))).toEqual({
    'rows.1.months': 'The year has only 12 months. Choose fewer months.',
  });
  expect(await fieldsOf(quarterly({ remainderSeq: 5 }))).toEqual({ remainderSeq: 'Choose one of the instalments.' });
  const taken = quarterly();
  await accountant.call(frequencyApi.create, taken);
  expect(await fieldsOf({ ...quarterly(), name: taken.name.toUpperCase(), code: taken.code })).toEqual({
    name: 'Already in use. Enter a different one.',
  });
});

test('B1.2 the database keeps the shares of a frequency whole, whatever writes to it', async () => {
  const { id } = await accountant.call(frequencyApi.create, shared(2500, 2500, 2500, 2500));
  const own = `fee_frequency_row where frequency_id = ${id}`;
  const whole = 'the shares of a frequency are not a whole';
  await expect(school.sql(`delete from ${own} and seq = 4`)).rejects.toThrow(whole);
  await expect(
    school.sql(`update fee_frequency_row set share = 2400 where frequency_id = ${id} and seq = 1`),
  ).rejects.toThrow(whole);
  await expect(school.sql(`update fee_frequency set is_equal = true where id = ${id}`)).rejects.toThrow(whole);
  await expect(school.sql(`update fee_frequency set remainder_seq = 5 where id = ${id}`)).rejects.toThrow(whole);
  await expect(
    school.sql(`insert into fee_frequency (name, code, kind, is_equal) values ('Empty', 'E', 'Annual', true)`),
  ).rejects.toThrow(whole);
});

test('who saves second gets the saved version, and nothing is lost', async () => {
  const draft = quarterly();
  const { id, version } = await accountant.call(frequencyApi.create, draft);
  await accountant.call(frequencyApi.update, { ...draft, id, version, isActive: true, code: `X${count}` });
  const { status, json } = await accountant.send({
    method: 'PUT',
    url: `${path}/${id}`,
    body: { ...draft, version, isActive: true },
  });
  expect([status, json.error.code, json.error.data.saved]).toMatchObject([
    409,
    'stale',
    { code: `X${count}`, version: 2 },
  ]);
});
