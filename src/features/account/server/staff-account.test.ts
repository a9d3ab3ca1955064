import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { separationReasonMaster } from '#features/hris/contract/masters.ts';
import { hasLeft } from '#features/staff/contract/leaving.ts';
import { staffRecordApi } from '#features/staff/contract/record.ts';
import { english } from '#kit/contract/text.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { render } from '#kit/server/messages/outbox.ts';
import { openAccount, type Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { teach } from '#testing/teachers.ts';
import { noEmail, noMobile, noSignIn, staffAccountApi } from '../contract/staff-account.ts';
import { account as accounts } from './feature.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
  await openAccount(school, { name: 'Another Admin' });
});
afterAll(() => school.close());
beforeEach(() =>
  school.sql('delete from attempt; delete from outbox; update sign_in_session set confirmed_at = now()'),
);

const today = toLocalDate(new Date());
let made = 0;

/** A member of staff without an account. */
async function withoutAccount({
  email,
  mobile,
  lastDay,
}: Partial<Record<'email' | 'mobile' | 'lastDay', string>> = {}) {
  made++;
  const text = (value?: string) => (value === undefined ? 'null' : `'${value}'`);
  const [row] = await school.sql(`insert into staff (name, employee_number, email, mobile)
    values ('New ${made}', 'N${made}', ${text(email)}, ${text(mobile)}) returning id`);
  const id = Number(row?.id);
  await school.sql(`insert into staff_employment (staff_id, joined_on, last_day)
    values (${id}, '${addDays(today, -30)}', ${text(lastDay)})`);
  return id;
}
const read = async (id: number) => (await admin.call(staffAccountApi.account, { id })).account;
async function known(id: number) {
  const account = await read(id);
  if (!account) throw new Error('There is no account.');
  return account;
}
const invite = (id: number, over: object = {}) =>
  admin.call(staffAccountApi.invite, { id, channel: 'Email', sets: [], ...over });
const nameOf = async (id: number) => (await school.sql(`select name from staff where id = ${id}`))[0]?.name;
const queued = () => school.sql(`select channel, template, recipient, subject_id from outbox where status = 'queued'`);
const isIn = async (who: Person) => (await who.send({ url: '/api/sign-in/me' })).status === 200;

test('an invitation creates an account with its permission sets, and the second one sends another message', async () => {
  const id = await withoutAccount({ email: 'nita@staff.example' });
  expect(await read(id)).toBeNull();
  await invite(id, { sets: ['office', 'hr'] });
  const first = await known(id);
  expect(first).toMatchObject({
    roles: ['Staff'],
    sets: ['office', 'hr'],
    isActive: true,
    endsOn: '',
    lastSignInAt: '',
    devices: 0,
  });
  await invite(id, { sets: ['nurse'] });
  expect(await known(id)).toEqual(first);
  const messages = await queued();
  expect(messages).toEqual(
    Array(2).fill({
      channel: 'email',
      template: 'account-invited',
      recipient: 'nita@staff.example',
      subject_id: first.id,
    }),
  );
  const template = accounts.messages['account-invited'];
  const written = template && (await render(school.services, template, first.id));
  expect(written).toEqual({
    language: 'en',
    subject: 'Your account at Test School is ready',
    text: `Dear ${await nameOf(id)}, Test School has created an account for you in Shala, its school system.

Sign in with a one-time code sent to this email address: ${school.config.publicUrl}/login`,
  });
  expect(
    await school.sql(`select details from audit where action = 'staff.invited' and entity_id = ${id}`),
  ).toHaveLength(2);
});

test('an invited person signs in with a code, and an invitation by SMS says so', async () => {
  const id = await withoutAccount({ mobile: '7111111111' });
  await invite(id, { channel: 'SMS' });
  const [message] = await queued();
  expect(message).toMatchObject({ channel: 'sms', template: 'account-invited-sms', recipient: '7111111111' });
  const template = accounts.messages['account-invited-sms'];
  const written = template && (await render(school.services, template, Number(message?.subject_id)));
  expect(written?.text).toBe(
    `${await nameOf(id)}, Test School has added you to Shala, its school system. Sign in with this number: ${school.config.publicUrl}/login`,
  );
  const { json } = await school.browser().send({
    method: 'POST',
    url: '/api/sign-in/authenticate-user',
    body: { AuthenicateUserBy: 'Mobile', MobileNo: '7111111111' },
  });
  expect(json[0].isSuccess).toBe(true);
  expect(await school.sql(`select 1 from outbox where template = 'sign-in-code' and status = 'queued'`)).toHaveLength(
    1,
  );
});

test('an invitation by SMS fits into one message, for a school’s name of 30 characters', async () => {
  const id = await withoutAccount({ mobile: '7212121212' });
  await school.sql(`update staff set name = 'Bhavinkumar P. Rathodwala' where id = ${id};
    update academic_school set name = 'Shree Sarvajanik Vidyalaya, GJ'`);
  await invite(id, { channel: 'SMS' });
  const template = accounts.messages['account-invited-sms'];
  const written = template && (await render(school.services, template, (await known(id)).id));
  await school.sql(`update academic_school set name = 'Test School'`);
  const link = `${school.config.publicUrl}/login`;
  const sent = String(written?.text).replace(link, 'https://shala.sarvajanik.in/login');
  expect(sent).toContain('Bhavinkumar P. Rathodwala, Shree Sarvajanik Vidyalaya, GJ has added you');
  // Characters of the GSM alphabet; any other halves the length of a message.
  expect(sent).toMatch(/^[ -Z_a-z]{100,160}$/);
});

test('of ten invitations at once one creates the account, and of more than five an hour none is sent', async () => {
  const id = await withoutAccount({ email: 'ten@staff.example' });
  const done = await Promise.allSettled(Array.from({ length: 10 }, () => invite(id)));
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  for (const refused of done)
    if (refused.status === 'rejected') expect(refused.reason).toMatchObject({ code: 'too_many_tries' });
  expect(await school.sql(`select 1 from sign_in_account where staff_id = ${id}`)).toHaveLength(1);
  expect(await queued()).toHaveLength(5);
});

test('a person without the address, one who has left and one who is suspended are not invited', async () => {
  const id = await withoutAccount({ mobile: '7222222222' });
  await expect(invite(id)).rejects.toMatchObject({ fields: { channel: noEmail } });
  const other = await withoutAccount({ email: 'other@staff.example' });
  await expect(invite(other, { channel: 'SMS' })).rejects.toMatchObject({ fields: { channel: noMobile } });
  const gone = await withoutAccount({ email: 'gone@staff.example', lastDay: addDays(today, -1) });
  await expect(invite(gone)).rejects.toMatchObject({ code: 'conflict', text: hasLeft });
  const closed = await school.person();
  await admin.call(staffAccountApi.suspend, {
    id: closed.staffId,
    version: (await known(closed.staffId)).version,
    isSuspended: true,
  });
  await expect(invite(closed.staffId)).rejects.toMatchObject({ code: 'conflict', text: noSignIn });
  await expect(invite(99_999)).rejects.toMatchObject({ code: 'not_found' });
  expect(await queued()).toEqual([]);
});

test('a person who leaves later is invited until the last day', async () => {
  const id = await withoutAccount({ email: 'later@staff.example', lastDay: addDays(today, 5) });
  await invite(id);
  expect((await known(id)).endsOn).toBe(addDays(today, 5));
});

test('suspending ends every session, and restoring lets the person sign in again', async () => {
  const ravi = await school.person();
  const set = async (isSuspended: boolean) =>
    admin.call(staffAccountApi.suspend, {
      id: ravi.staffId,
      version: (await known(ravi.staffId)).version,
      isSuspended,
    });
  await set(true);
  expect([await isIn(ravi), (await known(ravi.staffId)).isActive]).toEqual([false, false]);
  expect(await school.sql(`select 1 from sign_in_session where account_id = ${ravi.id}`)).toEqual([]);
  await set(false);
  expect((await known(ravi.staffId)).isActive).toBe(true);
});

test('M1.6 a permission set counts at the next request, and so does its end', async () => {
  const ravi = await school.person();
  const grant = async (sets: 'hr'[]) =>
    admin.call(staffAccountApi.grant, { id: ravi.staffId, version: (await known(ravi.staffId)).version, sets });
  const reads = async () => (await ravi.send({ url: `/api${separationReasonMaster.path}` })).status;
  expect(await reads()).toBe(403);
  await grant(['hr']);
  expect(await reads()).toBe(200);
  await grant([]);
  expect(await reads()).toBe(403);
});

test('an Admin limits the permissions to branches with them, which counts at the next request and is audited', async () => {
  const [ravi, nita] = [await school.person({ sets: ['hr'] }), await withoutAccount({ email: 'branch@staff.example' })];
  const [branch] = await school.sql(
    `insert into academic_branch (name, code) values ('North school', 'N') returning id`,
  );
  const branchIds = [Number(branch?.id)];
  const grant = async (over: object) =>
    admin.call(staffAccountApi.grant, {
      id: ravi.staffId,
      version: (await known(ravi.staffId)).version,
      sets: ['hr'],
      ...over,
    });
  const isKept = async () => (await ravi.call(staffRecordApi.read, { id: nita })).may.update;
  expect([await isKept(), (await known(ravi.staffId)).branches]).toEqual([true, []]);
  await grant({ branchIds });
  const limited = [{ id: branch?.id, name: 'North school' }];
  expect([await isKept(), (await known(ravi.staffId)).branches]).toEqual([false, limited]);
  const [row] = await school.sql(
    `select details from audit where action = 'account.changed' and entity_id = ${ravi.id} order by id desc limit 1`,
  );
  expect(row?.details).toEqual({ before: 'active Staff hr', after: 'active Staff hr', branches: '– → N' });
  await grant({});
  expect((await known(ravi.staffId)).branches).toEqual(limited);
  await grant({ branchIds: [] });
  expect(await isKept()).toBe(true);

  await invite(nita, { sets: ['office'], branchIds });
  expect(await known(nita)).toMatchObject({ sets: ['office'], branches: limited });
});

test('rights that follow from the mapping and from departments are listed with their source, not for an Admin alone', async () => {
  const ravi = await school.person();
  const section = await teach(school, ravi, { from: 'current_date' });
  await teach(school, ravi, { role: 'Subject teacher', sectionId: section, from: 'current_date' });
  await school.sql(`insert into academic_department (name, staff_id) values ('Science', ${ravi.staffId})`);
  const sources = async () => (await known(ravi.staffId)).derived.map(({ source }) => english(source));
  expect(await sources()).toEqual([
    expect.stringMatching(/^Class teacher of .+ since \d+ \w+ \d{4}$/),
    'Head of Science',
    expect.stringMatching(/^Teacher of .+ in .+ since \d+ \w+ \d{4}$/),
  ]);
  await school.sql(
    `update sign_in_account set is_staff = false, is_admin = true, user_name = 'derived' where id = ${ravi.id}`,
  );
  expect(await sources()).toEqual([]);
});

test('a right that follows from the mapping can’t be granted', async () => {
  const ravi = await school.person();
  const { version } = await known(ravi.staffId);
  const { status } = await admin.send({
    method: 'POST',
    url: `/api/staff/${ravi.staffId}/grant`,
    body: { version, sets: ['classTeacher'] },
  });
  expect(status).toBe(422);
});

test('of two changes of an account from the same page the second is told', async () => {
  const ravi = await school.person();
  const { version } = await known(ravi.staffId);
  await admin.call(staffAccountApi.grant, { id: ravi.staffId, version, sets: ['office'] });
  await expect(
    admin.call(staffAccountApi.suspend, { id: ravi.staffId, version, isSuspended: true }),
  ).rejects.toMatchObject({ code: 'stale' });
  expect((await known(ravi.staffId)).isActive).toBe(true);
});

test('access that ended with employment is restored only after the person has come back', async () => {
  const ravi = await school.person();
  await school.sql(`update staff_employment set joined_on = '${addDays(today, -30)}',
    last_day = '${addDays(today, -1)}' where staff_id = ${ravi.staffId};
    update sign_in_account set ends_on = '${addDays(today, -1)}' where id = ${ravi.id}`);
  const restore = async () =>
    admin.call(staffAccountApi.suspend, {
      id: ravi.staffId,
      version: (await known(ravi.staffId)).version,
      isSuspended: false,
    });
  expect(await known(ravi.staffId)).toMatchObject({ isActive: false, endsOn: addDays(today, -1) });
  await expect(restore()).rejects.toMatchObject({ fields: { isActive: hasLeft } });
  await school.sql(`insert into staff_employment (staff_id, joined_on) values (${ravi.staffId}, '${today}')`);
  expect(await isIn(ravi)).toBe(false);
  await restore();
  expect(await known(ravi.staffId)).toMatchObject({ isActive: true, endsOn: '' });
  expect(await isIn(ravi)).toBe(true);
});

test('the last sign-in and the signed-in devices are shown, and HR sees none of it', async () => {
  const ravi = await school.person();
  const hr = await school.person({ sets: ['hr'] });
  expect(await known(ravi.staffId)).toMatchObject({ devices: 1 });
  await expect(hr.call(staffAccountApi.account, { id: ravi.staffId })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(read(99_999)).rejects.toMatchObject({ code: 'not_found' });
});
