import { beforeAll, expect, test } from 'vitest';
import { gradeMaster, programMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { branchMaster, lookupMaster } from '#features/school/contract/masters.ts';
import type { Person } from '#testing/browser.ts';
import { create, openKeeper, plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';
import { discountApi } from '../../contract/discount.ts';
import { headMaster } from '../../contract/masters.ts';

let school: School;
let accountant: Person;
let tuition: number;
let term: number;
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ name: 'Kiran', role: 'Staff', sets: ['accountant'] });
  const keeper = await openKeeper(school);
  tuition = (await create(keeper, headMaster)).id;
  term = (await create(keeper, headMaster)).id;
  return school.close;
});

let count = 0;
const draft = (over: object = {}) => ({
  name: `Discount ${++count}`,
  code: `D${count}`,
  valueKind: 'Percent' as const,
  percent: 1000,
  amount: null,
  heads: 'All heads with concessions' as const,
  headIds: [] as number[],
  eligibility: 'Any student' as const,
  categoryIds: [] as number[],
  thirdPercent: null,
  fourthPercent: null,
  stackGroup: '',
  priority: 50,
  maxAmount: null,
  needsApproval: true,
  approvalAbove: null,
  academicYearId: null,
  ...over,
});
const make = (over: object = {}) => accountant.call(discountApi.create, draft(over));
const readBack = async (id: number) => (await accountant.call(discountApi.list, {})).rows.find((row) => row.id === id);
const fieldsOf = async (over: object) =>
  (await accountant.send({ method: 'POST', url: '/api/fee/discount', body: draft(over) })).json.error?.fields;

test('a discount is saved with its heads, its ladder and its categories, and keeps nothing that its kind does not have', async () => {
  const ladder = await make({ eligibility: 'Siblings', thirdPercent: 2000, fourthPercent: 2500, amount: 100 });
  expect(await readBack(ladder.id)).toMatchObject({
    percent: 1000,
    amount: null,
    heads: [],
    steps: [
      { child: 3, percent: 2000 },
      { child: 4, percent: 2500 },
    ],
    usedBy: 0,
  });
  const { id: categoryId } = await plant(school, lookupMaster, { kind: 'Student category' });
  const fixed = await make({
    valueKind: 'Fixed amount',
    amount: 500_000,
    heads: 'Some heads',
    headIds: [tuition],
    eligibility: 'Student category',
    categoryIds: [categoryId],
    thirdPercent: 2000,
  });
  expect(await readBack(fixed.id)).toMatchObject({
    percent: null,
    amount: 500_000,
    heads: [{ id: tuition }],
    categories: [{ id: categoryId }],
    steps: [],
  });
});

test('the parts of a discount fit its kind', async () => {
  expect(await fieldsOf({ percent: null })).toEqual({ percent: 'Percentage (%) is required.' });
  expect(await fieldsOf({ heads: 'Some heads' })).toEqual({ headIds: 'Choose at least one fee head.' });
  const fixed = { valueKind: 'Fixed amount', amount: 500_000, heads: 'Some heads' };
  const oneHead = 'Choose one fee head: the amount is spread over its months.';
  expect(await fieldsOf({ ...fixed, headIds: [tuition, term] })).toEqual({ headIds: oneHead });
  expect(await fieldsOf({ ...fixed, heads: 'All heads with concessions' })).toEqual({ headIds: oneHead });
  expect(await fieldsOf({ eligibility: 'Student category' })).toEqual({
    categoryIds: 'Choose at least one category.',
  });
  expect(await fieldsOf({ eligibility: 'Siblings', valueKind: 'Full waiver' })).toEqual({
    valueKind: 'A discount of siblings is a percentage.',
  });
  const rising = 'Enter at least the percentage of the previous child.';
  expect(await fieldsOf({ eligibility: 'Siblings', thirdPercent: 900, fourthPercent: 800 })).toEqual({
    thirdPercent: rising,
    fourthPercent: rising,
  });
  const { id } = await make({ heads: 'Some heads', headIds: [term] });
  await expect(school.sql(`delete from fee_discount_head where discount_id = ${id}`)).rejects.toThrow(
    'the parts of a discount do not fit',
  );
});

test('names and codes differ by more than case', async () => {
  const { id } = await make();
  const { name, code } = (await readBack(id)) ?? {};
  expect(await fieldsOf({ name: name?.toUpperCase() })).toEqual({ name: 'Already in use. Enter a different one.' });
  expect(await fieldsOf({ code: code?.toLowerCase() })).toEqual({ code: 'Already in use. Enter a different one.' });
});

test('B3.9 a discount that students have keeps its terms; its name may change, and its approval be tightened', async () => {
  const values = draft({ heads: 'Some heads', headIds: [tuition] });
  const { id, version } = await accountant.call(discountApi.create, values);
  const place = {
    academicYearId: (await plant(school, yearMaster)).id,
    branchId: (await plant(school, branchMaster)).id,
    programId: (await plant(school, programMaster)).id,
    gradeId: (await plant(school, gradeMaster)).id,
  };
  const enrollment = await enroll(school, place, 'Ira');
  await school.sql(`insert into fee_concession (student_id, academic_year_id, discount_id, source, percent,
      effective_from, effective_to, status, requested_by)
    select student_id, academic_year_id, ${id}, 'Asked', 1000, '2026-04-01', '2027-03-31', 'Approved',
      (select id from staff limit 1) from student_enrollment where id = ${enrollment}`);
  const inUse = 'Students have this discount. Duplicate it to change its terms.';
  const change = (over: object) =>
    accountant.call(discountApi.update, { ...values, id, version, isActive: true, ...over });
  await expect(change({ percent: 2000 })).rejects.toThrow(inUse);
  await expect(change({ headIds: [term] })).rejects.toThrow(inUse);
  const saved = await change({ name: 'Renamed', needsApproval: false, approvalAbove: 2500 });
  expect(await readBack(id)).toMatchObject({ name: 'Renamed', approvalAbove: 2500, percent: 1000, usedBy: 1 });
  await expect(accountant.call(discountApi.remove, { id, version: saved.version })).rejects.toThrow();
});

test('a discount is changed and deleted with its parts, and each act is in its history', async () => {
  const { id, version } = await make({ eligibility: 'Siblings', thirdPercent: 2000 });
  const values = draft({ name: 'Merit', code: 'MER', eligibility: 'Merit', heads: 'Some heads', headIds: [term] });
  const saved = await accountant.call(discountApi.update, { ...values, id, version, isActive: false });
  expect(await readBack(id)).toMatchObject({ eligibility: 'Merit', steps: [], heads: [{ id: term }], isActive: false });
  await expect(accountant.call(discountApi.update, { ...values, id, version, isActive: false })).rejects.toThrow(
    /changed/,
  );
  await accountant.call(discountApi.remove, { id, version: saved.version });
  expect(await readBack(id)).toBeUndefined();
  const acts = await school.sql(`select action from audit where entity = 'fee_discount' and entity_id = ${id}
    order by id`);
  expect(acts.map(({ action }) => action)).toEqual([
    'fee-discount.created',
    'fee-discount.changed',
    'fee-discount.removed',
  ]);
});
