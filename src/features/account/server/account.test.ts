import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { passwordApi } from '#features/sign-in/contract/password.ts';
import { lastAdmin } from '#features/sign-in/contract/session.ts';
import { hasLeft } from '#features/staff/contract/leaving.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { createAccount } from '../api.ts';
import {
  accountApi,
  freshAddress,
  needsEmail,
  needsRole,
  needsUserName,
  takenAddress,
  takenUserName,
} from '../contract/account.ts';
import { accountCard } from './dashboard-card.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin', name: 'Asha' });
  // She signs in with a password, so she counts as an active Admin.
  await school.sql(`update sign_in_account set user_name = 'asha', password_hash = '$argon2id$x', password_set_at = now()
    where id = ${admin.id}`);
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

const find = async (person: Person) => {
  const { rows } = await admin.call(accountApi.list, { search: person.email, after: '', state: 'all' });
  const [row] = rows;
  if (!row) throw new Error('It is not in the list.');
  return row;
};
const change = async (person: Person, over: object) => {
  const { id, version, userName, isStaff, isAdmin, sets, isActive } = await find(person);
  return admin.call(accountApi.update, { id, version, userName, isStaff, isAdmin, sets, isActive, ...over });
};
const isIn = async (person: Person) => (await person.send({ url: '/api/sign-in/me' })).status === 200;

test('accounts are found by name, email, mobile or username, page by page', async () => {
  // Created in another order than they are listed in.
  for (let number = 29; number >= 0; number--)
    await createAccount(school.context(), 'Test', { name: `Many ${String(number).padStart(2, '0')}`, isStaff: true });
  const first = await admin.call(accountApi.list, { search: 'many', after: '', state: 'all' });
  expect([first.rows.length, first.total, first.isMore]).toEqual([25, 30, false]);
  const second = await admin.call(accountApi.list, { search: 'many', after: first.next ?? '', state: 'all' });
  expect([second.rows.length, second.next]).toEqual([5, null]);
  const names = [...first.rows, ...second.rows].map(({ name }) => name);
  expect(names).toEqual([...names].sort());
  expect(new Set(names).size).toBe(30);
  const person = await school.person();
  await school.sql(`update sign_in_account set user_name = 'zz.named' where id = ${person.id}`);
  for (const search of [person.name, person.email.toUpperCase(), person.mobile, 'ZZ.name'])
    expect((await admin.call(accountApi.list, { search, after: '', state: 'all' })).rows.map(({ id }) => id)).toContain(
      person.id,
    );
  expect((await admin.call(accountApi.list, { search: '%', after: '', state: 'all' })).rows).toEqual([]);
});

test('F2 an order or page nobody gave is refused and reaches no statement', async () => {
  for (const after of [
    'x',
    Buffer.from('{}').toString('base64url'),
    Buffer.from(`["a'); drop table staff; --", 1]`).toString('base64url'),
  ]) {
    const { status } = await admin.send({ url: `/api/account?after=${encodeURIComponent(after)}` });
    expect([200, 400]).toContain(status);
  }
  expect((await admin.send({ url: '/api/account?sort=password_hash&order[password_hash]=1' })).status).toBe(200);
  expect((await school.sql('select 1 from staff limit 1')).length).toBe(1);
});

test('A21 a closed account is out at once, everywhere', async () => {
  const person = await school.person();
  await change(person, { isActive: false });
  expect(await isIn(person)).toBe(false);
  await change(person, { isActive: true });
  expect(await isIn(person)).toBe(false); // Reactivating it signs nobody in.
});

test('A21 M1.6 sets that are given or taken count at the next request, and the session goes on', async () => {
  const person = await school.person();
  await change(person, { sets: ['office'] });
  expect((await person.send({ url: '/api/sign-in/me' })).json.sets).toEqual(['office']);
});

test('K2 of two changes to one account the second is refused, with the saved values', async () => {
  await school.sql(`insert into staff (name, employee_number) values ('Without an account', 'K2')`);
  const person = await school.person();
  const { version } = await find(person);
  await change(person, { sets: ['office'] });
  await expect(change(person, { version, sets: ['hr'] })).rejects.toMatchObject({
    code: 'stale',
    data: { now: { sets: ['office'], version: version + 1 } },
  });
});

test('an account needs a role, an Admin a username that nobody else has', async () => {
  const person = await school.person();
  await expect(change(person, { isStaff: false })).rejects.toMatchObject({ fields: { isStaff: needsRole } });
  await expect(change(person, { isAdmin: true })).rejects.toMatchObject({ fields: { userName: needsUserName } });
  await expect(change(person, { isAdmin: true, userName: 'ASHA' })).rejects.toMatchObject({
    fields: { userName: takenUserName },
  });
  expect(await change(person, { isAdmin: true, userName: 'Neel' })).toMatchObject({ isAdmin: true, userName: 'neel' });
  expect(await school.sql(`select template from outbox where recipient = '${person.email}'`)).toEqual([
    { template: 'sign-in-reset' },
  ]);
});

test('the last Admin who can sign in cannot be removed, nor by two requests at once', async () => {
  await expect(change(admin, { isAdmin: false, isStaff: true })).rejects.toMatchObject({
    fields: { isAdmin: lastAdmin },
  });
  await expect(change(admin, { isActive: false })).rejects.toMatchObject({ fields: { isAdmin: lastAdmin } });

  // An Admin who was just deactivated by another one can no longer act, so one of two always stays.
  for (let round = 0; round < 5; round++) {
    const pair = [await school.person({ role: 'Admin' }), await school.person({ role: 'Admin' })] as const;
    const [first, second] = pair;
    for (const { id } of pair)
      await school.sql(`update sign_in_account set user_name = 'admin' || id, password_hash = '$argon2id$x',
        password_set_at = now() where id = ${id}`);
    if (round % 2 === 0) await school.sql(`update sign_in_account set is_active = false where id = ${admin.id}`);
    const close = (by: Person, { id }: Person) => {
      const values = { version: 1, userName: `admin${id}`, isStaff: false, isAdmin: true, sets: [], isActive: false };
      return by.call(accountApi.update, { id, ...values });
    };
    const done = await Promise.allSettled([close(first, second), close(second, first)]);
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await school.sql(`update sign_in_account set is_active = (id = ${admin.id}) where is_admin`);
  }
});

test('the last Admin is not one without a password, nor one whose account is closed', async () => {
  for (const over of ['password_hash = null, password_set_at = null', 'is_active = false']) {
    const other = await school.person({ role: 'Admin' });
    await school.sql(`update sign_in_account set user_name = 'admin' || id, password_hash = '$argon2id$x',
      password_set_at = now() where id = ${other.id}`);
    await school.sql(`update sign_in_account set ${over} where id = ${other.id}`);
    await expect(change(admin, { isActive: false })).rejects.toMatchObject({ fields: { isAdmin: lastAdmin } });
  }
});

test('A22 A24 an Admin signs a person out everywhere, within ten minutes of the password', async () => {
  const person = await school.person();
  await school.sql(
    `update sign_in_session set confirmed_at = now() - interval '601 seconds' where account_id = ${admin.id}`,
  );
  await expect(admin.call(accountApi.endSessions, { id: person.id })).rejects.toMatchObject({
    code: 'confirm_required',
  });
  expect(await isIn(person)).toBe(true);
  await school.sql(
    `update sign_in_session set confirmed_at = now() - interval '590 seconds' where account_id = ${admin.id}`,
  );
  await admin.call(accountApi.endSessions, { id: person.id });
  expect(await isIn(person)).toBe(false);
});

test('A22 B4 an Admin sees a person’s devices, and signs out only one of them', async () => {
  const person = await school.person({ role: 'Staff' });
  const other = await school.person();
  await school.sql(`insert into sign_in_session (id, account_id, role, method, device, address, seen_at)
    values (sha256('old'), ${person.id}, 'Staff', 'Email', 'Firefox', '10.0.0.9', now() - interval '2 hours'),
      (sha256('phone'), ${person.id}, 'Staff', 'Mobile', 'Chrome Android', '10.0.0.8', now() - interval '1 minute')`);
  const list = await admin.call(accountApi.sessions, { id: person.id });
  expect(list.map(({ device, method, isOwn }) => [device.slice(0, 6), method, isOwn])).toEqual([
    [expect.any(String), 'Email', false],
    ['Chrome', 'Mobile', false],
  ]);
  const phone = list[1]?.number ?? 0;
  // Under another account's id the session does not exist.
  await expect(admin.call(accountApi.endSession, { id: other.id, number: phone })).rejects.toMatchObject({
    code: 'not_found',
  });
  await admin.call(accountApi.endSession, { id: person.id, number: phone });
  expect(await admin.call(accountApi.sessions, { id: person.id })).toHaveLength(1);
  expect(await isIn(person)).toBe(true);
  await expect(admin.call(accountApi.sessions, { id: 2_000_000_000 })).rejects.toMatchObject({ code: 'not_found' });
});

const ask = async (over: object = {}) => {
  const number = Math.floor(Math.random() * 1e9);
  const draft = {
    name: `Rekha ${number}`,
    email: `r${number}@example.com`,
    mobile: String(6_000_000_000 + number),
    reason: 'I teach.',
  };
  await school.browser().call(passwordApi.signUp, { ...draft, ...over });
  const { rows } = await admin.call(accountApi.requests, { search: draft.name, after: '' });
  return { ...draft, id: rows[0]?.id ?? 0 };
};
const requested = { userName: '', isStaff: true, isAdmin: false, sets: ['office' as const] };

test('A16 a request makes nothing until it is approved, and then an account with what the Admin chose', async () => {
  const request = await ask();
  expect(await school.sql(`select 1 from staff where email = '${request.email}'`)).toEqual([]);
  await admin.call(accountApi.approve, { id: request.id, ...requested });
  expect(
    await school.sql(`select is_staff, is_admin, sets from sign_in_account a join staff on staff.id = staff_id
      where email = '${request.email}'`),
  ).toEqual([{ is_staff: true, is_admin: false, sets: ['office'] }]);
  await expect(admin.call(accountApi.approve, { id: request.id, ...requested })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('A16 of twenty approvals at once one makes an account', async () => {
  const request = await ask();
  const done = await Promise.allSettled(
    Array.from({ length: 20 }, () => admin.call(accountApi.approve, { id: request.id, ...requested })),
  );
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await school.sql(`select 1 from staff where email = '${request.email}'`)).toHaveLength(1);
});

/** A member of staff without an account. */
async function recordOf(contact: { email?: string; mobile?: string }) {
  const [row] = await school.sql(`insert into staff (name, employee_number, email, mobile)
    values ('Rekha', 'R' || (select count(*) from staff), ${contact.email ? `'${contact.email}'` : 'null'},
      ${contact.mobile ? `'${contact.mobile}'` : 'null'}) returning id`);
  const id = Number(row?.id);
  await school.sql(`insert into staff_employment (staff_id, joined_on) values (${id}, current_date - 9)`);
  return id;
}
const accountOf = (staffId: number) =>
  school.sql(`select is_staff, is_admin, sets from sign_in_account where staff_id = ${staffId}`);

test('an approved request with the email address of a staff record gives that record an account', async () => {
  const request = await ask();
  const staffId = await recordOf({ email: request.email, mobile: '7555555501' });
  await admin.call(accountApi.approve, { id: request.id, ...requested });
  expect(await accountOf(staffId)).toEqual([{ is_staff: true, is_admin: false, sets: ['office'] }]);
  // The record keeps its own number.
  expect(await school.sql(`select mobile from staff where id = ${staffId}`)).toEqual([{ mobile: '7555555501' }]);
  expect(await school.sql(`select template from outbox where recipient = '${request.email}'`)).toEqual([
    { template: 'account-approved' },
  ]);
});

test('an approved request with the mobile number of a record tells that number, and never the email address typed', async () => {
  const request = await ask();
  const staffId = await recordOf({ mobile: request.mobile });
  await admin.call(accountApi.approve, { id: request.id, ...requested });
  expect(await accountOf(staffId)).toHaveLength(1);
  expect(await school.sql(`select email from staff where id = ${staffId}`)).toEqual([{ email: null }]);
  expect(
    await school.sql(
      `select channel, template from outbox where recipient in ('${request.email}', '${request.mobile}')`,
    ),
  ).toEqual([{ channel: 'sms', template: 'account-invited-sms' }]);
});

test('a request for an Admin attaches to a record only with an email address that is not new', async () => {
  const asAdmin = { userName: 'rekha.new', isStaff: false, isAdmin: true, sets: [] };
  const first = await ask();
  await recordOf({ mobile: first.mobile });
  await expect(admin.call(accountApi.approve, { id: first.id, ...asAdmin })).rejects.toMatchObject({
    fields: { isAdmin: needsEmail },
  });
  const second = await ask();
  const staffId = await recordOf({ email: second.email });
  await school.sql(`update staff set email_changed_at = now() where id = ${staffId}`);
  const approve = () => admin.call(accountApi.approve, { id: second.id, ...asAdmin });
  await expect(approve()).rejects.toMatchObject({ fields: { isAdmin: freshAddress } });
  await school.sql(`update staff set email_changed_at = null where id = ${staffId}`);
  await approve();
  expect(await accountOf(staffId)).toEqual([{ is_staff: false, is_admin: true, sets: [] }]);
});

test('a request that fits two records, or the record of a person who has left, is not approved', async () => {
  const twice = await ask();
  await recordOf({ email: twice.email });
  await recordOf({ mobile: twice.mobile });
  const approve = ({ id }: { id: number }) => admin.call(accountApi.approve, { id, ...requested });
  await expect(approve(twice)).rejects.toMatchObject({ code: 'conflict', fields: { isStaff: takenAddress } });
  const gone = await ask();
  const staffId = await recordOf({ email: gone.email });
  await school.sql(`update staff_employment set last_day = current_date - 2 where staff_id = ${staffId}`);
  await expect(approve(gone)).rejects.toMatchObject({ code: 'conflict', text: hasLeft });
  expect(await accountOf(staffId)).toEqual([]);
});

test('an account past its last day is listed as closed, and is opened again only while the person works here', async () => {
  const person = await school.person();
  await school.sql(`update staff_employment set joined_on = current_date - 9, last_day = current_date - 2
    where staff_id = ${person.staffId}; update sign_in_account set ends_on = current_date - 2 where id = ${person.id}`);
  expect((await find(person)).isActive).toBe(false);
  const { rows } = await admin.call(accountApi.list, { search: person.email, after: '', state: 'closed' });
  expect(rows).toHaveLength(1);
  const active = await admin.call(accountApi.list, { search: '', after: '', state: 'active' });
  const [counted] = await accountCard.count(school.context() as UserContext, undefined);
  expect(counted?.value).toBe(active.total);
  await expect(change(person, { isActive: true })).rejects.toMatchObject({ fields: { isActive: hasLeft } });
  await school.sql(`update staff_employment set last_day = null where staff_id = ${person.staffId}`);
  expect(await change(person, { isActive: true })).toMatchObject({ isActive: true });
  expect(await school.sql(`select ends_on from sign_in_account where id = ${person.id}`)).toEqual([{ ends_on: null }]);
});

test('an address in use is refused, and the request stays', async () => {
  const person = await school.person();
  const request = await ask({ mobile: person.mobile });
  await expect(admin.call(accountApi.approve, { id: request.id, ...requested })).rejects.toMatchObject({
    code: 'conflict',
    fields: { isStaff: takenAddress },
  });
  expect((await admin.call(accountApi.requests, { search: request.name, after: '' })).rows).toHaveLength(1);
  await admin.call(accountApi.decline, { id: request.id });
  expect((await admin.call(accountApi.requests, { search: request.name, after: '' })).rows).toHaveLength(0);
});

test('H1 a change of rights is written down with what they were and are', async () => {
  const person = await school.person({ sets: ['hr'] });
  await change(person, { sets: ['office'] });
  const rows = await school.sql(
    `select actor, role, details from audit where action = 'account.changed' and entity_id = ${person.id}`,
  );
  expect(rows).toEqual([
    { actor: 'Asha', role: 'Admin', details: { before: 'active Staff hr', after: 'active Staff office' } },
  ]);
});
