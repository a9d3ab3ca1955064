import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalApi, approvalList } from '#features/approval/contract/approval.ts';
import { settingApi } from '#features/school/contract/setting.ts';
import { readSetting } from '#kit/server/settings.ts';
import type { Person } from '#testing/browser.ts';
import { plannedChild } from '#testing/paying-family.ts';
import { receive } from '#testing/payments.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { concessionApi } from '../../contract/concession.ts';
import { discountApi } from '../../contract/discount.ts';
import { fineRuleApi } from '../../contract/fine-rule.ts';
import { headMaster, receiptSeriesMaster } from '../../contract/masters.ts';
import { proposalApi } from '../../contract/proposal.ts';
import { concessionCap, noShowKeeps } from '../settings.ts';
import { findDeciderWarnings } from './decider-warning.ts';

let school: School;
let prices: Prices;
let accountant: Person;
let principal: Person;
let child: number;
let early: { id: number; version: number };
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ name: 'Kiran', role: 'Staff', sets: ['accountant'] });
  principal = await school.person({ name: 'Mina', role: 'Staff', sets: ['principal'] });
  prices = await openPrices(school);
  school.clock.now = new Date(`${prices.year}-04-12T06:00:00Z`);
  child = await plannedChild(school, prices, 'Asmi');
  // Before the first receipt one person sets up.
  early = await accountant.call(discountApi.create, draft({ name: 'Early', code: 'EAR' }));
  const [due] = await school.sql(`select due.id, account_id, receipt_series_id from fee_due due
    where net > 0 order by due_on, due.id limit 1`);
  await receive(school, {
    account: Number(due?.account_id),
    series: Number(due?.receipt_series_id),
    day: `${prices.year}-04-12`,
    on: [{ due: Number(due?.id), amount: 100 }],
  });
});
afterAll(() => school.close());

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
  needsApproval: false,
  approvalAbove: null,
  academicYearId: null,
  ...over,
});
const balance = async () =>
  Number((await school.sql(`select balance::integer from fee_account where student_id = ${child}`))[0]?.balance);
const listed = () => accountant.call(discountApi.list, {});
async function decide(outcome: 'Approved' | 'Rejected', who = principal) {
  const [row] = (await who.call(approvalList.api.list, { tab: 'forMe' } as never)).rows;
  const { version, seen } = await who.call(approvalApi.read, { id: row?.id ?? 0 });
  return who.send({
    method: 'POST',
    url: `/api/approval/${row?.id}/decide`,
    body: { version, seen, outcome, remark: outcome === 'Rejected' ? 'Too much' : '' },
  });
}

test('MC1 a waiver that never asks is asked for itself, and then each concession with it', async () => {
  const before = await balance();
  const waiver = draft({ name: 'Full waiver', code: 'FULL', valueKind: 'Full waiver', percent: null });
  expect(await accountant.call(discountApi.create, waiver)).toEqual({ id: 0, version: 0, status: 'Asked' });
  const { rows, waiting } = await listed();
  expect(rows.map(({ name }) => name)).toEqual(['Early']);
  expect(waiting).toMatchObject([{ subjectId: null, name: 'Full waiver', askedBy: 'Kiran' }]);
  expect(waiting[0]?.lines).toContainEqual({ label: 'Takes off', from: '', to: 'Everything' });
  expect((await decide('Approved')).status).toBe(200);
  const made = (await listed()).rows.find(({ name }) => name === 'Full waiver');
  expect([made?.needsApproval, (await listed()).waiting]).toEqual([false, []]);

  const asked = await accountant.call(concessionApi.request, {
    studentId: child,
    discountId: made?.id ?? 0,
    academicYearId: prices.place.academicYearId,
    effectiveFrom: `${prices.year}-04-01`,
    effectiveTo: '',
    reason: 'Hardship',
  });
  expect([asked.status, await balance()]).toEqual(['Requested', before]);
  expect((await decide('Approved')).status).toBe(200);
  // Tuition, the only head with concessions, is 60,000 a year, of which the cap leaves half.
  expect(await balance()).toBe(before - 3_000_000);
});

test('a discount that facts do not suggest is asked for even where it never needs approval', async () => {
  const concession = { studentId: child, discountId: early.id, academicYearId: prices.place.academicYearId };
  const days = { effectiveFrom: `${prices.year}-04-01`, effectiveTo: '', reason: '' };
  const wished = async () => (await accountant.call(concessionApi.request, { ...concession, ...days })).status;
  expect(await wished()).toBe('Requested');
  await decide('Rejected');
  await school.sql(`insert into fee_concession (student_id, academic_year_id, discount_id, source, percent, effective_from,
      effective_to, status) values (${child}, ${prices.place.academicYearId}, ${early.id}, 'Suggested', 1000,
      '${prices.year}-04-01', '${prices.year + 1}-03-31', 'Suggested')`);
  expect(await wished()).toBe('Approved');
});

test('other words, more approval and no further use apply at once; all else of a discount waits, once, and is refused when it has changed', async () => {
  const { id } = early;
  const own = async () => {
    const row = (await listed()).rows.find((one) => one.id === id);
    return { version: row?.version ?? 0, row };
  };
  const values = draft({ name: 'Early bird', code: 'EAR' });
  const change = async (over: object = {}) =>
    accountant.call(discountApi.update, { ...values, ...over, id, version: (await own()).version, isActive: true });
  expect((await change()).status).toBe('Saved');
  expect((await change({ approvalAbove: 2000 })).status).toBe('Saved');
  const stricter = { needsApproval: true };
  expect((await change(stricter)).status).toBe('Saved');
  expect((await change({ needsApproval: false })).status).toBe('Asked');
  await expect(change({ needsApproval: false, name: 'Another' })).rejects.toThrow('waits for a second person already');
  expect((await own()).row).toMatchObject({ name: 'Early bird', needsApproval: true });
  expect((await listed()).waiting).toMatchObject([
    { subjectId: id, lines: [{ label: 'Approval', from: 'Always', to: 'Never' }] },
  ]);
  // Renamed in the meantime: the decision would be on something else.
  expect((await change({ ...stricter, name: 'Early birds' })).status).toBe('Saved');
  const refused = await decide('Approved');
  expect([refused.status, refused.json.error.message]).toEqual([409, 'It has changed since. Ask again.']);
  expect((await decide('Rejected')).status).toBe(200);
  expect((await change({ needsApproval: false, name: 'Early birds' })).status).toBe('Asked');
  expect((await decide('Approved')).status).toBe(200);
  expect((await own()).row).toMatchObject({ needsApproval: false });
  await expect(change({ name: '', needsApproval: true })).rejects.toThrow();
  await expect(school.sql(`update fee_proposal set status = 'Asked'`)).rejects.toMatchObject({
    constraint: 'fee_proposal_decided',
  });
});

const headOf = async () => {
  const { rows } = await accountant.call(headMaster.api.list, { search: 'Tuition' } as never);
  return rows[0] as unknown as { id: number; version: number; isDiscountable: boolean; priority: number };
};

test('MC17 a UPI address counts once a second person has approved it; other words of the series at once', async () => {
  const seriesOf = async () => {
    const { rows } = await accountant.call(receiptSeriesMaster.api.list, {} as never);
    return rows[0] as unknown as { id: number; version: number; upiId: string; shortName: string };
  };
  const change = async (over: object) =>
    accountant.call(receiptSeriesMaster.api.update, { ...(await seriesOf()), ...over } as never);
  expect((await change({ shortName: 'MAI' })).isHeld).toBe(false);
  expect((await change({ upiId: 'mine@bank' })).isHeld).toBe(true);
  expect(await seriesOf()).toMatchObject({ upiId: '', shortName: 'MAI' });
  await expect(change({ upiId: 'other@bank' })).rejects.toThrow('waits for a second person already');
  expect((await decide('Approved')).status).toBe(200);
  expect(await seriesOf()).toMatchObject({ upiId: 'mine@bank' });
});

test('a fee head keeps what decides on amounts until it is approved, by its page and in a file', async () => {
  const head = await headOf();
  const change = (over: object) => accountant.call(headMaster.api.update, { ...head, ...over } as never);
  expect((await change({ isDiscountable: false })).isHeld).toBe(true);
  expect(await headOf()).toMatchObject({ isDiscountable: true });
  expect((await decide('Rejected')).status).toBe(200);
  expect((await change({ priority: 12 })).isHeld).toBe(false);
  const { bytes } = await accountant.send({ url: '/api/fee/head/export?as=csv&ids=' });
  const file = bytes.toString().replace(/Month(?="?,)/g, 'None');
  const { rows } = await accountant.call(headMaster.api.import, { file } as never);
  expect(JSON.stringify(rows)).toContain('a second person decides');
});

test('a setting of fees that an Admin changes waits for a decider, and applies at once in a school without one', async () => {
  const admin = await school.person({ name: 'Asha', role: 'Admin' });
  const save = (value: number, rowVersion: number) =>
    admin.call(settingApi.save, { key: concessionCap.key, value, rowVersion } as never);
  const cap = () => readSetting({ db: school.services.db }, concessionCap);
  expect(await save(80, 0)).toEqual({ rowVersion: 0, isHeld: true });
  expect(await cap()).toBe(50);
  const held = async () =>
    (await admin.call(settingApi.list, {})).rows.find(({ key }) => key === concessionCap.key)?.held;
  expect(await held()).toMatchObject({ from: '50', to: '80', askedBy: 'Asha' });
  expect((await decide('Approved')).status).toBe(200);
  expect(await held()).toBeUndefined();
  expect(await cap()).toBe(80);
  await school.sql(`update sign_in_account set is_active = false where id = ${principal.id}`);
  expect(await save(90, 1)).toEqual({ rowVersion: 2, isHeld: false });
  expect(await cap()).toBe(90);
  await school.sql(`update sign_in_account set is_active = true where id = ${principal.id}`);
});

test('what the school keeps of a child that never joined waits for a decider as every setting of fees', async () => {
  const admin = await school.person({ name: 'Bina', role: 'Admin' });
  const body = { key: noShowKeeps.key, value: 'Admission fee', rowVersion: 0 };
  expect(await admin.call(settingApi.save, body as never)).toEqual({ rowVersion: 0, isHeld: true });
  expect(await readSetting({ db: school.services.db }, noShowKeeps)).toBe('Nothing');
  expect((await decide('Approved')).status).toBe(200);
  expect(await readSetting({ db: school.services.db }, noShowKeeps)).toBe('Admission fee');
});

test('Z8 terms of a late fine rule are added and removed once a second person approves', async () => {
  const [rule] = await school.sql(`insert into fee_fine_rule (name) values ('Late') returning id`);
  await school.sql(`insert into fee_fine_version (rule_id, effective_from, kind, amount, grace_days, max_amount)
    values (${rule?.id}, '2040-01-01', 'Per day', 2000, 5, 50000)`);
  const own = async () => (await accountant.call(fineRuleApi.list, {})).rows.find(({ name }) => name === 'Late');
  const first = await own();
  const rights = { id: first?.id ?? 0, version: first?.version ?? 0 };
  const lower = { effectiveFrom: '2041-01-01', kind: 'Per day' as const, amount: 100, graceDays: 30, maxAmount: 5000 };
  expect((await accountant.call(fineRuleApi.addTerms, { ...rights, ...lower, slabs: [] })).status).toBe('Asked');
  expect((await own())?.versions).toHaveLength(1);
  const { rows } = await accountant.call(proposalApi.list, { kind: 'Late fine rule' });
  expect(rows).toMatchObject([{ name: 'Late', lines: [{ label: 'From 1 Jan 2041', from: '' }] }]);
  expect((await decide('Approved')).status).toBe(200);
  expect((await own())?.versions).toMatchObject([{ amount: 100, effectiveFrom: '2041-01-01' }, { amount: 2000 }]);
});

test('MC17 the other Admins learn by email who asks to change a UPI address, and who approves it', async () => {
  await school.person({ name: 'Asmita', role: 'Admin' });
  const { rows } = await accountant.call(receiptSeriesMaster.api.list, {} as never);
  const told = async () => (await school.sql(`select id from outbox where template = 'act-reported'`)).length;
  const before = await told();
  await accountant.call(receiptSeriesMaster.api.update, { ...(rows[0] as object), upiId: 'thief@bank' } as never);
  const asked = await told();
  expect(asked).toBeGreaterThan(before);
  expect((await decide('Approved')).status).toBe(200);
  expect(await told()).toBeGreaterThan(asked);
});

test('a school that takes money is warned while no account can approve changes of fees', async () => {
  const names = async () => (await findDeciderWarnings(school.services)).map(({ name }) => name);
  expect(await names()).toEqual([]);
  await school.sql(`update sign_in_account set is_active = false where id = ${principal.id}`);
  expect(await names()).toEqual(['fee-no-decider']);
  await school.sql(`update sign_in_account set is_active = true where id = ${principal.id}`);
});
