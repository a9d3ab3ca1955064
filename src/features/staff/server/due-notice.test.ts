import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { notificationApi } from '#features/notification/contract.ts';
import { english } from '#kit/contract/text.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { doDaily } from '#kit/server/job/daily.ts';
import { type RunAct, workOnRun } from '#kit/server/job/runs.ts';
import { render } from '#kit/server/messages/outbox.ts';
import type { Person } from '#testing/browser.ts';
import { form, openSchool, paper, type School } from '#testing/school.ts';
import { recordStatements } from '#testing/statements.ts';
import { dailyDocumentsDue, dueMessages, dueRuns } from './due-notice.ts';

let school: School;
let police: number;
let hr: Person;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  const [type] = await school.sql(`select id from hris_document_type where name = 'Police verification'`);
  police = Number(type?.id);
  hr = await school.person({ name: 'Hina', sets: ['hr'] });
  admin = await school.person({ name: 'Priya', role: 'Admin' });
});
afterAll(() => school.close());
beforeEach(async () => {
  await school.sql(`delete from staff_document_told; delete from staff_document; delete from notice; delete from outbox;
    delete from daily_task; delete from run_row; delete from run; delete from attempt`);
  school.clock.now = undefined;
});

const today = toLocalDate(new Date());
/** Ten in the morning, India, on the first Wednesday from today and so many days later. */
const wednesday = addDays(today, (10 - new Date(`${today}T00:00:00Z`).getUTCDay()) % 7);
const at = (day: string) => {
  school.clock.now = new Date(`${day}T04:30:00Z`);
};
const daily = (day: string) => {
  at(day);
  return doDaily(school.services, dailyDocumentsDue);
};
/** A verified document that expires on a day. */
async function expiring(person: { staffId: number }, expiresOn: string) {
  const body = form({ documentTypeId: police, expiresOn }, { file: await paper('Police verification') });
  const { status } = await admin.send({ method: 'POST', url: `/api/staff/${person.staffId}/document`, body });
  expect(status).toBe(200);
}
const told = async (accountId: number) =>
  (await school.sql(`select text from notice where account_id = ${accountId} and read_at is null`)).map(({ text }) =>
    english(text as never),
  );
const one = 'Documents of 1 staff member expire soon or have expired.';
const two = 'Documents of 2 staff members expire soon or have expired.';

test('HR and Admins are told once a day, and again only when another document is due', async () => {
  const [asha, ravi] = [await school.person(), await school.person()];
  await expiring(asha, addDays(wednesday, 5));
  expect(await daily(wednesday)).toBe(true);
  expect(await daily(wednesday)).toBe(false);
  expect([await told(hr.id), await told(admin.id), await told(asha.id)]).toEqual([[one], [one], []]);
  expect((await hr.call(notificationApi.list, {})).rows).toMatchObject([
    { path: '/school-erp/staff/staff-list?tab=due' },
  ]);

  await school.sql('update notice set read_at = now()');
  await daily(addDays(wednesday, 1));
  expect(await told(hr.id)).toEqual([]);
  await expiring(ravi, addDays(wednesday, 6));
  await daily(addDays(wednesday, 2));
  expect(await told(hr.id)).toEqual([two]);
  // The first one expires: that is news again, and renews the unread notice.
  await daily(addDays(wednesday, 6));
  expect(await told(hr.id)).toEqual([two]);
  const [row] = await school.sql(`select created_at::date - '${addDays(wednesday, 6)}' as days from notice
    where account_id = ${hr.id} and read_at is null`);
  expect(row).toEqual({ days: 0 });
});

test('HR of one branch is told of the people of that branch alone', async () => {
  const [place] = await school.sql(`insert into academic_branch (name, code) values ('Far', 'FAR') returning id`);
  const away = await school.person({ sets: ['hr'], branchIds: [Number(place?.id)] });
  await expiring(await school.person(), addDays(wednesday, 5));
  await daily(wednesday);
  expect([await told(hr.id), await told(away.id)]).toEqual([[one], []]);
});

test('a document that is not due tells nobody', async () => {
  await expiring(await school.person(), addDays(wednesday, 400));
  await daily(wednesday);
  expect(await school.sql('select id from notice')).toEqual([]);
});

const monday = addDays(wednesday, 5);
const mails = async () =>
  (await school.sql(`select recipient from outbox where template = 'staff.documents-due' order by recipient`)).map(
    ({ recipient }) => recipient,
  );
const theRun = async () => Number((await school.sql('select id from run'))[0]?.id);

test('each Monday HR and Admins get one email, also when the process dies in between', async () => {
  await expiring(await school.person(), addDays(wednesday, 5));
  await daily(wednesday);
  expect(await school.sql('select id from run')).toEqual([]);
  await daily(monday);
  const id = await theRun();
  const work = (act: RunAct) => workOnRun(school.services, { 'staff.documents-due': act }, id);
  let turns = 0;
  const dying: RunAct = async (ctx, accountId, input) => {
    const skipped = await dueRuns['staff.documents-due'](ctx, accountId, input);
    // The connection of a killed process is gone before it commits.
    if (++turns === 2) {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(ctx.db);
      await school.sql(`select pg_terminate_backend(${rows[0]?.pid})`);
    }
    return skipped;
  };
  await expect(work(dying)).rejects.toThrow();
  expect(await mails()).toHaveLength(1);
  const rest = dueRuns['staff.documents-due'];
  await Promise.all([work(rest), work(rest)]);
  const keepers = await school.sql(`select staff.email from sign_in_account account join staff on staff.id = staff_id
    where account.is_admin or ('hr' = any(sets) and not exists (select from sign_in_account_branch where account_id = account.id))
    order by staff.email`);
  expect(await mails()).toEqual(keepers.map(({ email }) => email));
  expect(keepers.length).toBeGreaterThan(1);
});

test('a week whose Monday was missed gets its email on the next day, once', async () => {
  await expiring(await school.person(), addDays(wednesday, 5));
  await daily(wednesday);
  const emails = async (day: string) => {
    await daily(day);
    return (await school.sql('select id from run')).length;
  };
  const counts = [];
  for (const day of [1, 2, 6, 7, 8]) counts.push(await emails(addDays(monday, day)));
  expect(counts).toEqual([1, 1, 1, 2, 2]);
});

test('the email gives a number and names nobody, and is not sent once nothing is due', async () => {
  const asha = await school.person({ name: 'Asha Trivedi' });
  await expiring(asha, addDays(monday, 5));
  at(monday);
  const read = () => render(school.services, dueMessages['staff.documents-due'], hr.id);
  const message = await read();
  expect(message?.text).toContain(one);
  expect(message?.text).toContain('/school-erp/staff/staff-list?tab=due');
  expect(message?.text).not.toContain('Asha');
  await school.sql('delete from staff_document');
  expect(await read()).toBeUndefined();
});

test('an address that has just changed gets no email', async () => {
  await expiring(await school.person(), addDays(monday, 5));
  await school.sql(`update staff set email_changed_at = now() where id = ${hr.staffId}`);
  await daily(monday);
  await workOnRun(school.services, dueRuns, await theRun());
  await school.sql(`update staff set email_changed_at = null where id = ${hr.staffId}`);
  expect(await mails()).not.toContain(hr.email);
  expect(await mails()).toContain(admin.email);
});

test('the statements of a day are the same for one document and for many', async () => {
  const statements = async (day: string) => (await recordStatements(school, () => daily(day))).texts;
  await expiring(await school.person(), addDays(wednesday, 5));
  const few = await statements(wednesday);
  await school.sql(`insert into staff_document (staff_id, document_type_id, file_id, expires_on, status, decided_by, decided_at)
    select staff.id, document_type_id, file_id, expires_on, document.status, decided_by, decided_at from staff_document document
    cross join staff where staff.id <> document.staff_id`);
  expect(await statements(addDays(wednesday, 1))).toEqual(few);
});
