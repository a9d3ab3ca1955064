import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { create, openKeeper, sampleOf } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { headMaster } from '../../contract/masters.ts';

let school: School;
let keeper: Person;
beforeAll(async () => {
  school = await openSchool();
  keeper = await openKeeper(school);
});
afterAll(() => school.close());

const send = (body: object) => keeper.send({ method: 'POST', url: '/api/fee/head', body });

test('B2.1 a short name that another head has in other letters is refused', async () => {
  const head = await create(keeper, headMaster, {});
  const other = { ...(await sampleOf(keeper, headMaster)), shortName: String(head.shortName).toLowerCase() };
  const { status, json } = await send(other);
  expect([status, json.error.fields]).toEqual([422, { shortName: 'Already in use. Enter a different one.' }]);
});

test('a GST rate is typed as a percentage, kept in hundredths, and shown as a percentage', async () => {
  const sample = await sampleOf(keeper, headMaster);
  const { json } = await send({ ...sample, gstRate: '12.5' });
  const { rows } = await keeper.call(headMaster.api.list, { search: String(sample.name) });
  expect(rows).toMatchObject([{ gstRate: 1250 }]);
  const [entry] = await school.sql(`select details from audit where entity = 'fee_head' and entity_id = ${json.id}`);
  expect(entry?.details).toMatchObject({ 'GST (%)': '12.5 %' });
  const { text } = await keeper.send({ url: `/api/fee/head/export?as=csv&ids=${json.id}` });
  expect(text).toContain(',"12.5",');
  expect((await send({ ...sample, name: 'Other', shortName: 'OTH', gstRate: '28.01' })).json.error.fields).toEqual({
    gstRate: 'Enter a percentage from 0 to 28.',
  });
});

test('only one active head is charged for transport', async () => {
  const bus = async () => ({ ...(await sampleOf(keeper, headMaster)), category: 'Transport' });
  const first = await send(await bus());
  expect(first.status).toBe(200);
  expect((await send(await bus())).json.error.fields).toEqual({
    category: 'Another active head has this category. Deactivate it first.',
  });
});
