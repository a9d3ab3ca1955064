import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inquiryApi } from '#features/admission/contract/inquiry.ts';
import { reviewApi } from '#features/admission/contract/review.ts';
import { inquiryRuns } from '#features/admission/server/inquiry/send-many.ts';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import { english, text } from '#kit/contract/text.ts';
import { type RunAct, workOnRun } from '#kit/server/job/runs.ts';
import { notify } from '#kit/server/messages/notifications.ts';
import type { Person } from '#testing/browser.ts';
import { requestCorrection } from '#testing/correction.ts';
import { failingAtCommit } from '#testing/failing.ts';
import { openAdmission } from '#testing/open-admission.ts';
import { openSchool, type School } from '#testing/school.ts';
import { recordStatements } from '#testing/statements.ts';
import { notificationApi } from './contract.ts';
import { notification } from './server.ts';

let school: School;
let dipa: Person;
let meena: Person;
let head: Person;
beforeAll(async () => {
  school = await openSchool();
  dipa = await school.person({ name: 'Dipa Shah', sets: ['office'] });
  meena = await school.person({ name: 'Meena', sets: ['office'] });
  head = await school.person({ name: 'Kiran', sets: ['admissionHead'] });
  await openAdmission(school);
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from notice; delete from attempt'));

const list = (person: Person) => person.call(notificationApi.list, {});
/** What a person is told, the newest first. */
const told = async (person: Person) => (await list(person)).rows.map(({ text, path }) => [english(text), path]);
const unread = async (person: Person) => (await person.call(notificationApi.unread, {})).unread;
/** Tells people outside a request. */
const tell = (values: Partial<Parameters<typeof notify>[1]> = {}) =>
  notify(school.context(), { kind: 'test', text: text`Something.`, path: '/school-erp/dashboard', to: {}, ...values });
/** Previews a bulk act and applies it. */
async function apply(person: Person, endpoint: Endpoint, input: object) {
  const { confirmToken } = (await person.call(endpoint, input as never)) as { confirmToken: string };
  return person.call(endpoint, { ...input, confirmToken } as never);
}
const inquiries = async (count: number) => {
  const made = [];
  for (let number = 0; number < count; number++) made.push(await school.inquiry());
  return made;
};

test('P4.1 a notice is listed, counted and marked as read for its own account alone', async () => {
  await tell({ to: { accounts: [meena.id] } });
  const [row] = (await list(meena)).rows;
  expect(row).toMatchObject({ text: { id: 'Something.' }, path: '/school-erp/dashboard', isRead: false });
  expect(await list(dipa)).toEqual({ rows: [], unread: 0, next: null });
  const ids = [row?.id ?? 0];
  expect(await dipa.call(notificationApi.read, { ids, upTo: 2 ** 30 })).toEqual({ unread: 0 });
  expect(await unread(meena)).toBe(1);
  expect(await meena.call(notificationApi.read, { ids })).toEqual({ unread: 0 });
  expect((await list(meena)).rows).toMatchObject([{ isRead: true }]);
});

test('the newest notices come first, by pages of twenty', async () => {
  for (let number = 1; number <= 45; number++)
    await tell({ to: { accounts: [meena.id] }, text: text`Notice ${{ number }}` });
  const first = await list(meena);
  expect([first.rows.length, first.unread, english(first.rows[0]?.text ?? { id: '' })]).toEqual([20, 45, 'Notice 45']);
  const second = await meena.call(notificationApi.list, { before: first.next });
  const third = await meena.call(notificationApi.list, { before: second.next });
  expect([...first.rows, ...second.rows, ...third.rows].map(({ text }) => text.values?.number)).toEqual(
    Array.from({ length: 45 }, (_, index) => 45 - index),
  );
  expect(third.next).toBeNull();
});

test('"all" that are marked as read are those up to the newest one that was shown', async () => {
  await tell({ to: { accounts: [meena.id] }, key: 'renewed' });
  await tell({ to: { accounts: [meena.id] } });
  const [newest] = (await list(meena)).rows;
  // Renewed after the list was read: its new words have not been seen.
  await tell({ to: { accounts: [meena.id] }, key: 'renewed', text: text`Something else.` });
  expect(await meena.call(notificationApi.read, { upTo: newest?.id ?? 0 })).toEqual({ unread: 1 });
  expect((await told(meena))[0]?.[0]).toBe('Something else.');
});

test('a notice names the child while its reader may see the inquiry, and keeps no name', async () => {
  const family = await school.inquiry();
  await school.sql(`update admission_inquiry set first_name = 'Hetvi', last_name = 'Kapadia' where id = ${family.id}`);
  const path = `/school-erp/admission/inquiry/${family.id}`;
  const accountant = await school.person({ sets: ['accountant'] });
  await tell({ to: { accounts: [meena.id, accountant.id] }, text: text`The family wrote.`, path });
  const aboutOf = async (person: Person) => (await list(person)).rows.find((row) => row.path === path)?.about;
  expect(await aboutOf(meena)).toMatch(/^Hetvi Kapadia/);
  expect(await aboutOf(accountant)).toBe('');
  expect(JSON.stringify(await school.sql('select * from notice'))).not.toContain('Hetvi');
  await school.sql('delete from notice');
});

test('P4.2 an unread notice of the same matter is renewed, and a read one is followed by another', async () => {
  const family = await school.inquiry();
  const write = async () =>
    expect((await family.post('message-to-school', { about: 'Page 1', messageText: 'Is this right?' })).status).toBe(
      200,
    );
  for (let message = 0; message < 3; message++) await write();
  expect(await told(meena)).toEqual([
    [`The family of ${family.inquiryNo} wrote to the school.`, `/school-erp/admission/inquiry/${family.id}`],
  ]);
  const [row] = (await list(meena)).rows;
  await meena.call(notificationApi.read, { ids: [row?.id ?? 0] });
  await write();
  expect([(await told(meena)).length, await unread(meena)]).toEqual([2, 1]);
});

test('P4.3 nobody is told about their own act, and the person who gets the work is', async () => {
  const [first, ...rest] = await inquiries(3);
  const ids = rest.map(({ id }) => id);
  await apply(dipa, inquiryApi.assign, { selection: { ids }, assignedToId: dipa.staffId });
  expect(await told(dipa)).toEqual([]);
  await apply(dipa, inquiryApi.assign, { selection: { ids }, assignedToId: meena.staffId });
  await apply(dipa, inquiryApi.assign, { selection: { ids: [first?.id] }, assignedToId: meena.staffId });
  expect(await told(meena)).toEqual([
    [`Dipa Shah assigned inquiry ${first?.inquiryNo} to you.`, `/school-erp/admission/inquiry/${first?.id}`],
    [
      'Dipa Shah assigned 2 inquiries to you.',
      `/school-erp/admission/inquiry?assignedToId=${meena.staffId}&academicYearId=0`,
    ],
  ]);
  expect(await told(dipa)).toEqual([]);
});

test('a preview tells nobody', async () => {
  const [family] = await inquiries(1);
  const selection = { ids: [family?.id ?? 0] };
  await dipa.call(inquiryApi.assign, { selection, assignedToId: meena.staffId } as never);
  expect(await told(meena)).toEqual([]);
});

test('an inquiry that is saved for another person tells them once', async () => {
  const [family] = await inquiries(1);
  const record = await dipa.call(inquiryApi.read, { id: family?.id ?? 0 });
  const [source] = await school.sql(`select id from academic_lookup where kind = 'Lead source' limit 1`);
  const change = { ...record.values, leadSourceId: source?.id, ageReason: '', assignedToId: meena.staffId };
  const { version } = (await dipa.call(inquiryApi.update, {
    ...change,
    id: record.id,
    version: record.version,
  } as never)) as { version: number };
  await dipa.call(inquiryApi.update, { ...change, remark: 'Called.', id: record.id, version } as never);
  expect(await told(meena)).toEqual([
    [`Dipa Shah assigned inquiry ${family?.inquiryNo} to you.`, `/school-erp/admission/inquiry/${record.id}`],
  ]);
});

test('P4.4 an act that fails leaves no notice', async () => {
  const family = await school.inquiry();
  const message = { about: 'Page 1', messageText: 'Is this right?' };
  expect((await failingAtCommit(school, () => family.post('message-to-school', message))).status).toBe(500);
  expect(await school.sql('select id from notice')).toEqual([]);
});

test('P4.5 a submitted form, a message and a correction go to the reviewer, or else to the office', async () => {
  const family = await school.inquiry();
  await family.fillAll();
  expect((await family.submit()).status).toBe(200);
  const page = `/school-erp/admission/review-list/${family.id}`;
  const submitted = [`The family of ${family.inquiryNo} submitted the form.`, page];
  expect([await told(dipa), await told(meena), await told(head)]).toEqual([[submitted], [submitted], []]);

  await apply(dipa, reviewApi.assign, { selection: { ids: [family.id] }, reviewerId: head.staffId });
  await requestCorrection(school, family, { staffId: dipa.staffId, pages: [2] });
  await family.post('message-to-school', { about: 'Page 2', messageText: 'Is this right?' });
  expect((await family.post('correction', {})).status).toBe(200);
  expect(await told(head)).toEqual([
    [`The family of ${family.inquiryNo} returned the correction.`, page],
    [`The family of ${family.inquiryNo} wrote to the school.`, page],
    [`Dipa Shah assigned form ${family.inquiryNo} to you for review.`, page],
  ]);
  expect([await told(dipa), await told(meena)]).toEqual([[submitted], [submitted]]);

  // The reviewer leaves: nobody else may miss what the family writes.
  await requestCorrection(school, family, { staffId: dipa.staffId, pages: [2] });
  await school.sql(`update sign_in_account set is_active = false where id = ${head.id}`);
  await school.sql('delete from notice');
  await family.post('message-to-school', { about: 'Page 2', messageText: 'Is this right?' });
  await school.sql(`update sign_in_account set is_active = true where id = ${head.id}`);
  expect([await told(dipa), await told(head)]).toMatchObject([
    [[`The family of ${family.inquiryNo} wrote to the school.`, page]],
    [],
  ]);
});

test('P4.6 an account that may not sign in gets no notice', async () => {
  const [suspended, left] = [await school.person({ sets: ['nurse'] }), await school.person({ sets: ['nurse'] })];
  await school.sql(`update sign_in_account set is_active = false where id = ${suspended.id}`);
  await school.sql(`update sign_in_account set ends_on = current_date - 1 where id = ${left.id}`);
  await tell({ to: { accounts: [suspended.id, left.id], staff: [left.staffId], sets: ['nurse'] } });
  expect(await school.sql('select id from notice')).toEqual([]);
});

test('a notice leads to a page of the product and to no other address', async () => {
  const paths = ['https://evil.example/', '//evil.example/', '/admission', '/school-erp/../x', 'javascript:alert(1)'];
  for (const path of paths) await expect(tell({ to: { accounts: [meena.id] }, path })).rejects.toThrow();
});

test('one statement tells any number of people', async () => {
  const statements = async () => (await recordStatements(school, () => tell({ to: { sets: ['counsellor'] } }))).texts;
  const none = await statements();
  await school.sql(`with made as (insert into staff (name, employee_number)
      select 'Many', 'M' || n from generate_series(1, 300) as n returning id)
    insert into sign_in_account (staff_id, is_staff, sets) select id, true, '{counsellor}' from made`);
  const many = await statements();
  expect(many).toEqual(none);
  expect(many).toHaveLength(1);
  expect(await school.sql('select count(*)::int as count from notice')).toEqual([{ count: 300 }]);
});

test('P4.7 a run in which records failed tells the person who started it, once', async () => {
  const ids = (await inquiries(3)).map(({ id }) => id);
  await school.sql(`update admission_inquiry set father_email = 'f@family.example' where id in (${ids.join()})`);
  const start = () => apply(dipa, inquiryApi.sendMany, { selection: { ids } }) as Promise<{ runId: number }>;
  const failing: RunAct = async (_, id) => {
    if (id === ids[1]) throw new AppError('conflict', text`Not now.`);
    return undefined;
  };
  // The moment in which a run can be undone is over.
  const begin = () => school.sql('update run set begins_at = null');
  const { runId } = await start();
  await begin();
  const work = () => workOnRun(school.services, { 'admission.send-form': failing }, runId);
  await Promise.all([work(), work()]);
  expect(await told(dipa)).toEqual([['Send the form: 2 done, 1 failed.', '/school-erp/admission/inquiry']]);
  expect(await told(meena)).toEqual([]);

  const clean = await start();
  await begin();
  await workOnRun(school.services, inquiryRuns, clean.runId);
  expect(await told(dipa)).toHaveLength(1);
});

test('P4.7 a run has not finished while another worker still does its last record', async () => {
  const ids = (await inquiries(2)).map(({ id }) => id);
  await school.sql(`update admission_inquiry set father_email = 'f@family.example' where id in (${ids.join()})`);
  const { runId } = (await apply(dipa, inquiryApi.sendMany, { selection: { ids } })) as { runId: number };
  await school.sql('update run set begins_at = null');
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow: RunAct = async (_, id) => {
    if (id !== Math.max(...ids)) return undefined;
    begun.resolve();
    await released.promise;
    throw new AppError('conflict', text`Not now.`);
  };
  const work = () => workOnRun(school.services, { 'admission.send-form': slow }, runId);
  const first = work();
  await begun.promise;
  await work();
  expect(await school.sql(`select finished_at from run where id = ${runId}`)).toEqual([{ finished_at: null }]);
  released.resolve();
  await first;
  expect(await told(dipa)).toEqual([['Send the form: 1 done, 1 failed.', '/school-erp/admission/inquiry']]);
});

test('a notice is deleted 30 days after it was read, and 180 days after it was made', async () => {
  const aged = async (days: number, readAgo?: number) =>
    school.sql(`insert into notice (account_id, kind, text, path, created_at, read_at) values (${meena.id}, '${days}',
      '{}', '/school-erp/x', now() - interval '${days} days', ${readAgo === undefined ? 'null' : `now() - interval '${readAgo} days'`})`);
  await aged(40, 31);
  await aged(40, 29);
  await aged(181);
  await aged(179);
  await notification.tidyUp?.(school.services.db);
  expect(await school.sql('select kind, read_at is null as is_unread from notice order by id')).toEqual([
    { kind: '40', is_unread: false },
    { kind: '179', is_unread: true },
  ]);
});

test('P4.8 the count that the page reads by itself keeps no session alive', async () => {
  const seen = async () =>
    (
      await school.sql(`select now() - seen_at > interval '14 minutes' as is_old from sign_in_session
      where account_id = ${meena.id}`)
    )[0]?.is_old;
  await school.sql(`update sign_in_session set seen_at = now() - interval '15 minutes' where account_id = ${meena.id}`);
  await unread(meena);
  expect(await seen()).toBe(true);
  await list(meena);
  expect(await seen()).toBe(false);
  await school.sql(`update sign_in_session set seen_at = now() - interval '31 minutes' where account_id = ${meena.id}`);
  await expect(unread(meena)).rejects.toMatchObject({ code: 'signed_out' });
});
