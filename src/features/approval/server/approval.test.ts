import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gradeMaster, programMaster } from '#features/academic/contract/masters.ts';
import { accountApi } from '#features/account/contract/account.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { headMaster } from '#features/fee-price/contract/masters.ts';
import { structureApi } from '#features/fee-price/contract/structure.ts';
import { notificationApi } from '#features/notification/contract.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { english, text } from '#kit/contract/text.ts';
import { contextOutside, type UserContext } from '#kit/server/context.ts';
import type { Person } from '#testing/browser.ts';
import { create, openKeeper, plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { approvalApi, approvalList } from '../contract/approval.ts';
import { requestsOf } from './decide.ts';
import { ownKinds } from './scope.ts';

let school: School;
let accountant: Person;
let principal: Person;
let branchId: number;
let place: { academicYearId: number; branchId: number; programId: number };
let head: { feeHeadId: number; frequencyId: number };
beforeAll(async () => {
  school = await openSchool();
  const keeper = await openKeeper(school);
  accountant = await school.person({ name: 'Kiran', role: 'Staff', sets: ['accountant'] });
  principal = await school.person({ name: 'Mina', role: 'Staff', sets: ['principal'] });
  branchId = (await plant(school, branchMaster)).id;
  place = {
    academicYearId: (await plant(school, yearMaster)).id,
    branchId,
    programId: (await plant(school, programMaster)).id,
  };
  const made = await create(keeper, headMaster);
  head = { feeHeadId: made.id, frequencyId: Number(made.frequencyId) };
});
afterAll(() => school.close());

let count = 0;
/** Prices whose publishing is asked for, and their request. */
async function asked(who = accountant) {
  const values = {
    ...place,
    name: `Prices ${++count}`,
    categoryId: null,
    admissionType: 'All students' as const,
    gradeIds: [(await plant(school, gradeMaster)).id],
  };
  const { id, version } = await who.call(structureApi.create, values);
  const lines = [{ ...head, annual: 6_000_000, months: null }];
  const saved = await who.call(structureApi.update, { ...values, id, version, lines });
  await who.call(structureApi.publish, { id, version: saved.version, validFrom: '' });
  const [row] = await school.sql(`select id from approval where fee_structure_id = ${id}`);
  return { structureId: id, id: Number(row?.id) };
}
const read = (who: Person, id: number) => who.call(approvalApi.read, { id });
async function decide(who: Person, id: number, over: object = {}) {
  const { version, seen } = await read(principal, id);
  const body = { version, seen, outcome: 'Approved', remark: '', ...over };
  return who.send({ method: 'POST', url: `/api/approval/${id}/decide`, body });
}
const statusOf = async (structureId: number) =>
  (await school.sql(`select status from fee_structure where id = ${structureId}`))[0]?.status;
const unread = async (who: Person) => (await who.call(notificationApi.unread, {})).unread;

test('APR1 a request is in the inbox of those who decide in its branch, whose bell tells them until one has decided', async () => {
  const other = await school.person({ role: 'Staff', sets: ['financeApprover'] });
  const elsewhere = await school.person({
    role: 'Staff',
    sets: ['financeApprover'],
    branchIds: [(await plant(school, branchMaster)).id],
  });
  const before = await unread(principal);
  const { id, structureId } = await asked();
  const ids = async (who: Person, tab: 'forMe' | 'own' | 'decided') =>
    (await who.call(approvalList.api.list, { tab })).rows.map((row) => row.id);
  expect([await ids(principal, 'forMe'), await ids(other, 'forMe')]).toEqual([
    expect.arrayContaining([id]),
    expect.arrayContaining([id]),
  ]);
  expect([await ids(elsewhere, 'forMe'), await ids(accountant, 'forMe')]).toEqual([[], []]);
  expect(await ids(accountant, 'own')).toContain(id);
  expect((await elsewhere.send({ url: `/api/approval/${id}` })).status).toBe(404);
  expect([await unread(principal), await unread(other), await unread(elsewhere)]).toEqual([before + 1, 1, 0]);

  const found = await read(principal, id);
  expect(found).toMatchObject({ amount: 6_000_000, status: 'Pending', may: { decide: true, withdraw: false } });
  expect(await statusOf(structureId)).toBe('Waiting for approval');
  expect((await decide(principal, id)).status).toBe(200);
  expect(await statusOf(structureId)).toBe('Published');
  expect([await unread(principal), await unread(other)]).toEqual([before, 0]);
  expect([await ids(principal, 'forMe'), await ids(accountant, 'own')].flat()).not.toContain(id);
  expect(await ids(accountant, 'decided')).toContain(id);
  const { rows } = await accountant.call(notificationApi.list, {});
  expect(rows[0]?.text).toEqual({ id: 'Your request was approved.' });
});

test('APR2 nobody decides on their own request, neither through the product nor in SQL', async () => {
  const both = await school.person({ role: 'Staff', sets: ['accountant', 'principal'] });
  const { id, structureId } = await asked(both);
  const { status, json } = await decide(both, id);
  expect([status, json.error.message]).toEqual([409, 'Another person decides on your request.']);
  const [{ requested_by: own } = {}] = await school.sql(`select requested_by from approval where id = ${id}`);
  await expect(
    school.sql(`update approval set status = 'Approved', decided_by = ${own}, decided_at = now() where id = ${id}`),
  ).rejects.toMatchObject({ constraint: 'approval_second_person' });
  expect(await statusOf(structureId)).toBe('Waiting for approval');
});

test('a kind by row is decided by whom its rows name, whatever their sets; its requester never does', async () => {
  const manager = await school.person({ role: 'Staff' });
  const { id } = await asked();
  const [structure] = school.services.approvals.filter(({ kind }) => kind === 'fee.structure');
  if (!structure) throw new Error('No manifest has fee.structure.');
  const seenBy = async ({ id: account, staffId, name }: Person, isByRow?: true, role = 'Staff') => {
    const scope = { branches: [], led: [], taught: [] };
    const user = { id: account, staffId, name, role, sets: [], scope } as unknown as UserContext['user'];
    const mayDecide = ({ user: { staffId: own } }: UserContext) =>
      sql<boolean>`${own}::integer in (${manager.staffId}, ${accountant.staffId})`;
    const ctx = { ...contextOutside(school.services, 'test'), user, approvals: [{ ...structure, isByRow, mayDecide }] };
    const found = await requestsOf(ctx).where('approval.id', '=', id).executeTakeFirst();
    return [ownKinds(ctx).length, found?.isForMe];
  };
  expect(await seenBy(manager)).toEqual([0, undefined]);
  expect(await seenBy(manager, true)).toEqual([1, true]);
  expect(await seenBy(manager, true, 'Admin')).toEqual([0, undefined]);
  expect(await seenBy(principal, true)).toEqual([1, undefined]);
  expect(await seenBy(accountant, true)).toEqual([1, false]);
});

test('APR3 a rejection needs a remark and makes prices a draft again; a decided request never changes', async () => {
  const { id, structureId } = await asked();
  const refused = await decide(principal, id, { outcome: 'Rejected' });
  expect([refused.status, refused.json.error.fields]).toEqual([422, { remark: 'Enter a remark when you reject.' }]);
  expect((await decide(principal, id, { outcome: 'Rejected', remark: 'Lab is missing.' })).status).toBe(200);
  expect(await statusOf(structureId)).toBe('Draft');
  expect(await read(accountant, id)).toMatchObject({
    status: 'Rejected',
    remark: 'Lab is missing.',
    decidedBy: 'Mina',
  });
  for (const change of [`status = 'Approved'`, `remark = 'Other'`])
    await expect(school.sql(`update approval set ${change} where id = ${id}`)).rejects.toThrow(
      'a decided request does not change',
    );
  const [right] = await school.sql(`select has_table_privilege('shala_app', 'approval', 'delete') as yes`);
  expect(right).toEqual({ yes: false });
});

test('APR4 the requester withdraws while it waits, and may then ask again; nobody else withdraws it', async () => {
  const { id, structureId } = await asked();
  const { version } = await read(accountant, id);
  const url = `/api/approval/${id}/withdraw`;
  expect((await principal.send({ method: 'POST', url, body: { version } })).status).toBe(404);
  await accountant.call(approvalApi.withdraw, { id, version });
  expect(await statusOf(structureId)).toBe('Draft');
  const { version: now } = await accountant.call(structureApi.read, { id: structureId });
  const again = await accountant.call(structureApi.publish, { id: structureId, version: now, validFrom: '' });
  expect(again.status).toBe('Waiting for approval');
});

test('APR5 of 20 who decide on one request at once, one does, and the others are told', async () => {
  const { id } = await asked();
  const deciders = await Promise.all(
    Array.from({ length: 20 }, () => school.person({ role: 'Staff', sets: ['financeApprover'] })),
  );
  const { version, seen } = await read(principal, id);
  const answers = await Promise.all(
    deciders.map((who, index) =>
      who.send({
        method: 'POST',
        url: `/api/approval/${id}/decide`,
        body: { version, seen, outcome: index % 2 ? 'Approved' : 'Rejected', remark: 'Seen' },
      }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
  expect(
    await school.sql(`select 1 from audit where entity = 'approval' and entity_id = ${id}
    and action in ('approval.approved', 'approval.rejected')`),
  ).toHaveLength(1);
});

test('APR6 a decision on something else than was seen is refused as stale', async () => {
  const { id } = await asked();
  const { status, json } = await decide(principal, id, { seen: 'other' });
  expect([status, json.error.code]).toEqual([409, 'stale']);
});

test('APR7 many are approved at once as previewed; own and decided requests are skipped', async () => {
  const both = await school.person({ role: 'Staff', sets: ['accountant', 'principal'] });
  const [first, second, own] = [await asked(), await asked(), await asked(both)];
  const ids = [first.id, second.id, own.id];
  const input = { selection: { ids, isAll: false, query: {} }, outcome: 'Approved' as const, remark: '' };
  const preview = await both.call(approvalApi.decideMany, input);
  expect(preview).toMatchObject({ isApplied: false, changed: 2, skipped: [{ id: own.id }] });
  expect(await statusOf(first.structureId)).toBe('Waiting for approval');
  const { confirmToken } = preview;
  const applied = await both.call(approvalApi.decideMany, { ...input, confirmToken: confirmToken ?? '' });
  expect(applied).toMatchObject({ isApplied: true, changed: 2 });
  const states = [
    await statusOf(first.structureId),
    await statusOf(second.structureId),
    await statusOf(own.structureId),
  ];
  expect(states).toEqual(['Published', 'Published', 'Waiting for approval']);
});

test('APR8 the dashboard counts what waits for the user, and their own requests', async () => {
  await asked();
  const cardOf = async (who: Person) =>
    (await who.send({ url: '/api/dashboard' })).json.cards.find(
      (card: { title: { id: string } }) => card.title.id === 'Approvals',
    );
  expect((await cardOf(principal)).figures[0]).toMatchObject({ label: { id: 'To decide' } });
  expect((await cardOf(accountant)).figures).toEqual([expect.objectContaining({ label: { id: 'My requests' } })]);
  expect(await cardOf(await school.person({ role: 'Staff' }))).toBeUndefined();
});

test('the dashboard names own requests with those who decide, until three days after the decision', async () => {
  const asker = await school.person({ role: 'Staff', sets: ['accountant'] });
  const linesOf = async (who: Person) => {
    const { cards } = await who.call(dashboardApi.read, {});
    return cards.find(({ title }) => title.id === 'Asked by you')?.lines ?? [];
  };
  expect(await linesOf(asker)).toEqual([]);
  const { id } = await asked(asker);
  const [line] = await linesOf(asker);
  expect(line).toMatchObject({ tone: 'warn', to: `approval/inbox?tab=own&request=${id}` });
  expect(english(line?.state ?? text`Name`)).toMatch(/^With Finance approver or Principal since \d/);
  expect((await linesOf(principal)).map(({ to }) => to)).not.toContain(line?.to);
  expect((await decide(principal, id)).status).toBe(200);
  const other = await school.person({ role: 'Staff', sets: ['accountant'] });
  expect(await linesOf(other)).toEqual([]);
  expect((await linesOf(asker)).map(({ state, tone }) => [english(state), tone])).toEqual([['Approved today', 'good']]);
  school.clock.now = new Date(Date.now() + 4 * 86_400_000);
  expect(await linesOf(asker)).toEqual([]);
  school.clock.now = undefined;
});

test('MC6 a twin record, one whom the asker granted the set, and a parent of the child decide neither by page nor in bulk nor in SQL', async () => {
  const { id } = await asked();
  const other = await school.person({ name: 'Tara', role: 'Staff', sets: ['principal'] });
  const staffOf = async (who: Person) =>
    Number((await school.sql(`select staff_id as id from sign_in_account where id = ${who.id}`))[0]?.id);
  const [asker, decider] = [await staffOf(accountant), await staffOf(other)];
  const seesIt = async () =>
    (await other.call(approvalList.api.list, { tab: 'forMe' } as never)).rows.some((row) => row.id === id);
  const cannotDecide = async () => {
    expect(await seesIt()).toBe(false);
    expect((await decide(other, id)).status).toBe(404);
    const selection = { ids: [id], isAll: false, query: {} };
    const many = await other.send({
      method: 'POST',
      url: '/api/approval/decide-many',
      body: { selection, outcome: 'Approved', remark: '' },
    });
    expect(many.json.changed ?? 0).toBe(0);
    await expect(
      school.sql(
        `update approval set status = 'Approved', decided_by = ${decider}, decided_at = now() where id = ${id}`,
      ),
    ).rejects.toMatchObject({ constraint: 'approval_second_person' });
  };
  expect(await seesIt()).toBe(true);
  await school.sql(`update staff set name = 'KIRAN', birth_date = '1980-02-03' where id = ${decider};
    update staff set birth_date = '1980-02-03' where id = ${asker}`);
  await cannotDecide();
  await school.sql(`update staff set name = 'Tara' where id = ${decider}`);
  expect(await seesIt()).toBe(true);

  const admin = await school.person({ name: 'Asha', role: 'Admin' });
  await school.sql(`update sign_in_account set user_name = 'asha', password_hash = '$argon2id$x', password_set_at = now()
    where id = ${admin.id}`);
  const grant = async (sets: 'principal'[]) => {
    const { rows } = await admin.call(accountApi.list, { search: other.email, after: '', state: 'all' });
    const { id: account = 0, version = 0, userName = '' } = rows[0] ?? {};
    const kept = { userName, isStaff: true, isAdmin: false, isActive: true };
    await admin.call(accountApi.update, { id: account, version, ...kept, sets });
  };
  await grant([]);
  await grant(['principal']);
  const [granted] = await school.sql(`select sets_granted_by as by from sign_in_account where id = ${other.id}`);
  expect(granted?.by).toBe(await staffOf(admin));
  expect(await seesIt()).toBe(true);
  await school.sql(`update sign_in_account set sets_granted_by = ${asker} where id = ${other.id}`);
  await cannotDecide();
  await school.sql(`update sign_in_account set sets_granted_by = null, sets_granted_at = null where id = ${other.id}`);

  const child = await seat(school, await openSection(school), 'Nisha');
  const mother = await raise(school, [child], { firstName: 'Tara' }, { relation: 'Mother' });
  await school.sql(`update guardian set staff_id = ${decider} where id = ${mother};
    update approval set student_id = ${child} where id = ${id}`);
  await cannotDecide();
  await school.sql(`update approval set student_id = null where id = ${id}`);
  expect((await decide(other, id)).status).toBe(200);
});
