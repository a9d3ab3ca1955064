import { afterAll, beforeAll, expect, test } from 'vitest';
import { toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { type FineKind, fineRuleApi } from '../../contract/fine-rule.ts';

let school: School;
let accountant: Person;
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ name: 'Kiran', role: 'Staff', sets: ['accountant'] });
});
afterAll(() => school.close());

let count = 0;
const terms = (over: object = {}) => ({
  effectiveFrom: '2026-04-01',
  kind: 'Per day' as FineKind,
  amount: 2000,
  graceDays: 5,
  maxAmount: 50_000,
  slabs: [],
  ...over,
});
const slabs = (...of: [fromDay: number, amount: number][]) => ({
  kind: 'Slab',
  amount: null,
  maxAmount: null,
  slabs: of.map(([fromDay, amount]) => ({ fromDay, amount })),
});
const make = (over: object = {}) =>
  accountant.call(fineRuleApi.create, { name: `Late fee ${++count}`, ...terms(over) });
const readBack = async (id: number) => (await accountant.call(fineRuleApi.list, {})).rows.find((row) => row.id === id);
const fieldsOf = async (over: object) => {
  const body = { name: `Late fee ${++count}`, ...terms(over) };
  return (await accountant.send({ method: 'POST', url: '/api/fee/fine-rule', body })).json.error?.fields;
};
const inTenDays = () => toLocalDate(new Date(Date.now() + 10 * 24 * 60 * 60 * 1000));

test('terms stay as they were: others begin on a later day, and can be removed until then', async () => {
  const { id, version } = await make();
  const later = inTenDays();
  const second = await accountant.call(fineRuleApi.addTerms, {
    id,
    version,
    ...terms({ effectiveFrom: later, ...slabs([1, 5000], [16, 10_000]) }),
  });
  expect((await readBack(id))?.versions).toMatchObject([
    { effectiveFrom: later, effectiveTo: '', kind: 'Slab', amount: null, isFuture: true, slabs: [{ fromDay: 1 }, {}] },
    { effectiveFrom: '2026-04-01', kind: 'Per day', amount: 2000, maxAmount: 50_000, isFuture: false },
  ]);
  const third = await accountant.call(fineRuleApi.removeTerms, { id, version: second.version });
  expect((await readBack(id))?.versions).toMatchObject([{ effectiveFrom: '2026-04-01', effectiveTo: '' }]);
  await expect(accountant.call(fineRuleApi.removeTerms, { id, version: third.version })).rejects.toThrow(
    'These terms have begun. Add terms that start later.',
  );
  const details = await school.sql(`select action, details from audit
    where entity = 'fee_fine_rule' and entity_id = ${id} order by id`);
  expect(details).toMatchObject([
    {
      action: 'fine-rule.created',
      details: { 'From 2026-04-01': '₹20.00 a day, at most ₹500.00, after 5 days of grace' },
    },
    { action: 'fine-rule.terms-added' },
    { action: 'fine-rule.terms-removed' },
  ]);
});

test('new terms begin after those before', async () => {
  const { id, version } = await make();
  const body = { version, ...terms({ effectiveFrom: '2026-04-01' }) };
  const { json } = await accountant.send({ method: 'POST', url: `/api/fee/fine-rule/${id}/terms`, body });
  expect(json.error.fields).toEqual({ effectiveFrom: 'Choose a day after the first day of the previous terms.' });
});

test('B2.3 slabs rise by day and by amount', async () => {
  expect(await fieldsOf(slabs([1, 5000], [1, 6000]))).toEqual({
    'slabs.1.fromDay': 'Enter a later day than in the slab above.',
  });
  expect(await fieldsOf(slabs([1, 5000], [16, 5000]))).toEqual({
    'slabs.1.amount': 'Enter more than in the slab above.',
  });
  expect(await fieldsOf(slabs())).toEqual({ slabs: 'Add at least one slab.' });
  expect(await fieldsOf({ amount: null })).toEqual({ amount: 'Amount (₹) is required.' });
  const { id } = await make(slabs([1, 5000], [16, 10_000]));
  const version = (await readBack(id))?.versions[0]?.id;
  await expect(
    school.sql(`update fee_fine_slab set amount = 4000 where version_id = ${version} and from_day = 16`),
  ).rejects.toThrow('the amounts of slabs do not rise');
});
