import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { showDate } from '#kit/contract/day.ts';
import { english } from '#kit/contract/text.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { openAccount, type Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { staffAccountApi } from '../contract/staff-account.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
});
afterAll(() => school.close());
beforeEach(() =>
  school.sql('delete from attempt; delete from outbox; update sign_in_session set confirmed_at = now()'),
);

const today = toLocalDate(new Date());
let made = 0;

async function addPerson({
  email,
  mobile,
  lastDay,
}: {
  email?: string;
  mobile?: string;
  lastDay?: string;
} = {}): Promise<number> {
  made++;
  const text = (value?: string) => (value === undefined ? 'null' : `'${value}'`);
  const [row] = await school.sql(`insert into staff (name, employee_number, email, mobile)
    values ('Person ${made}', 'P${made}', ${text(email)}, ${text(mobile)}) returning id`);
  const id = Number(row?.id);
  await school.sql(`insert into staff_employment (staff_id, joined_on, last_day)
    values (${id}, '${addDays(today, -30)}', ${text(lastDay)})`);
  return id;
}
const staffIdOf = async (name: string) =>
  Number((await school.sql(`select id from staff where name = '${name}'`))[0]?.id);

type Given = Omit<Parameters<typeof ask>[0], never>;
const ask = (input: {
  act: (typeof staffAccountApi.actOnMany.input)['_zod']['output']['act'];
  ids?: number[];
  selection?: object;
  channel?: 'Email' | 'SMS';
  sets?: string[];
  confirmToken?: string;
}) => {
  const { ids = [], selection, ...rest } = { ...(input.act === 'Invite' && { channel: 'Email' }), ...input };
  return admin.call(staffAccountApi.actOnMany, { selection: selection ?? { ids }, ...rest } as never);
};
async function apply(input: Given) {
  const { confirmToken } = await ask(input);
  return ask({ ...input, confirmToken: confirmToken ?? '' });
}
const reasons = ({ skipped }: Awaited<ReturnType<typeof ask>>) =>
  Object.fromEntries(skipped.map(({ id, reason }) => [id, english(reason)]));
const accountOf = async (staffId: number) => (await admin.call(staffAccountApi.account, { id: staffId })).account;
const queued = async () =>
  (await school.sql(`select recipient from outbox where status = 'queued' order by recipient`)).map(
    ({ recipient }) => recipient,
  );

test('an invitation of many creates the missing accounts, and tells whom it skips and why', async () => {
  const [first, second] = [
    await addPerson({ email: 'a1@staff.example' }),
    await addPerson({ email: 'a2@staff.example' }),
  ];
  const silent = await addPerson();
  const gone = await addPerson({ email: 'a3@staff.example', lastDay: addDays(today, -1) });
  const invitation = { act: 'Invite' as const, ids: [first, second, silent, gone], sets: ['office'] };

  const preview = await ask(invitation);
  expect(preview).toMatchObject({ isApplied: false, changed: 2, skippedCount: 2 });
  expect(reasons(preview)).toEqual({
    [silent]: 'The staff record has no email address.',
    [gone]: 'This person has left. Re-join them first.',
  });
  expect([await accountOf(first), await queued()]).toEqual([null, []]);

  const done = await ask({ ...invitation, confirmToken: preview.confirmToken ?? '' });
  expect(done).toMatchObject({ isApplied: true, changed: 2 });
  expect(await queued()).toEqual(['a1@staff.example', 'a2@staff.example']);
  expect(await accountOf(second)).toMatchObject({ roles: ['Staff'], sets: ['office'], isActive: true });
  expect(
    await school.sql(`select action, count(*)::integer from audit where action in ('staff.invited', 'account.created')
      and (entity_id in (${first}, ${second}) or entity = 'sign_in_account') group by action order by action`),
  ).toMatchObject([{ action: 'account.created' }, { action: 'staff.invited', count: 2 }]);
});

test('a person who has signed in, or was invited five times within an hour, is not invited again', async () => {
  const signedIn = await school.person({ name: 'Signs In Daily', role: 'Staff' });
  const id = await staffIdOf('Signs In Daily');
  await signedIn.send({ url: '/api/sign-in/me' });
  await school.sql(`insert into audit (actor, action, entity, entity_id, result, request_id)
    select 'Signs In Daily', 'sign-in.signed-in', 'sign_in_account', id, 'done', 'x' from sign_in_account where staff_id = ${id}`);
  const often = await addPerson({ email: 'often@staff.example', mobile: '9811111111' });
  for (let turn = 0; turn < 5; turn++)
    await admin.call(staffAccountApi.invite, { id: often, channel: 'SMS', sets: [] });
  const refused = await ask({ act: 'Invite', ids: [often, id] });
  expect(refused).toMatchObject({ changed: 0, confirmToken: null });
  expect(reasons(refused)).toEqual({
    [often]: 'Invited five times within an hour. Try again later.',
    [id]: 'Has signed in already.',
  });
});

test('a person invited within a day is not invited to the same address again with many, but is alone', async () => {
  const email = 'again@staff.example';
  const [id, other] = [await addPerson({ email, mobile: '9822222222' }), await addPerson({ email: 'o@staff.example' })];
  const many = { act: 'Invite' as const, ids: [id, other] };
  await apply({ act: 'Invite', ids: [id] });
  const preview = await ask(many);
  expect(preview).toMatchObject({ changed: 1, skippedCount: 1 });
  expect(reasons(preview)).toEqual({ [id]: `Was invited on ${showDate(today)}.` });

  await admin.call(staffAccountApi.invite, { id, channel: 'Email', sets: [] });
  expect(await queued()).toEqual([email, email]);
  expect(await ask({ ...many, channel: 'SMS' })).toMatchObject({ changed: 1, skipped: [{ id: other }] });

  await school.sql(`update staff set email = 'corrected@staff.example' where id = ${id}`);
  expect(reasons(await ask(many))).toEqual({});
  await apply({ act: 'Invite', ids: [id] });
  expect(await ask(many)).toMatchObject({ changed: 1 });
  school.clock.now = new Date(Date.now() + 25 * 3_600_000);
  expect(await ask(many)).toMatchObject({ changed: 2 });
  school.clock.now = undefined;
});

test('suspending many ends their sessions at the next request, and leaves Admins as they are', async () => {
  const one = await school.person({ name: 'Suspended One', role: 'Staff' });
  const other = await school.person({ name: 'Suspended Other', role: 'Staff' });
  const ids = [await staffIdOf('Suspended One'), await staffIdOf('Suspended Other'), await staffIdOf('Kiran')];
  const without = await addPerson();
  const done = await apply({ act: 'Suspend', ids: [...ids, without] });
  expect(done).toMatchObject({ isApplied: true, changed: 2 });
  expect(reasons(done)).toEqual({
    [ids[2] ?? 0]: 'An Admin’s account is changed on its own.',
    [without]: 'No account yet. Invite this person first.',
  });
  const statuses = await Promise.all(
    [one, other, admin].map(async (who) => (await who.send({ url: '/api/sign-in/me' })).status),
  );
  expect(statuses).toEqual([401, 401, 200]);
  expect(await apply({ act: 'Restore', ids })).toMatchObject({ changed: 2 });
  expect(await accountOf(ids[0] ?? 0)).toMatchObject({ isActive: true });
});

test('permissions are given and removed beside those a person has', async () => {
  await openAccount(school, { name: 'Held Hr', isAdmin: false, sets: ['hr'] });
  const id = await staffIdOf('Held Hr');
  expect(await apply({ act: 'Give permissions', ids: [id], sets: ['office', 'hr'] })).toMatchObject({ changed: 1 });
  expect((await accountOf(id))?.sets.toSorted()).toEqual(['hr', 'office']);
  expect(reasons(await ask({ act: 'Give permissions', ids: [id], sets: ['office'] }))).toEqual({
    [id]: 'Nothing would change.',
  });
  await apply({ act: 'Remove permissions', ids: [id], sets: ['hr'] });
  expect((await accountOf(id))?.sets).toEqual(['office']);
});

test('all that match the filters are acted on but for the exceptions, and nobody else', async () => {
  const ids = [await addPerson({ email: 'm1@all.example' }), await addPerson({ email: 'm2@all.example' })];
  const [first = 0, second = 0] = ids;
  const query = { search: 'all.example' };
  expect(await apply({ act: 'Invite', selection: { isAll: true, query, ids: [second] } })).toMatchObject({
    changed: 1,
  });
  expect([(await accountOf(first)) !== null, await accountOf(second)]).toEqual([true, null]);
});

test('a preview is stale once one of the people has changed', async () => {
  const id = await addPerson({ email: 'stale@staff.example' });
  const { confirmToken } = await ask({ act: 'Invite', ids: [id] });
  await school.sql(`update staff set email = 'newer@staff.example' where id = ${id}`);
  await expect(ask({ act: 'Invite', ids: [id], confirmToken: confirmToken ?? '' })).rejects.toMatchObject({
    code: 'stale',
  });
});
