import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { waysOf } from '#features/family/api.ts';
import { linkList } from '#features/family/contract/link.ts';
import { troubleApi } from '#features/family/contract/trouble.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';

let school: School;
let office: Person;
const today = toLocalDate(new Date());
const secret = 'k3v9sXq2pLwZ7tRb5mNc8dYf';
const sending = { kind: 'announcement.notice', urgency: 'Must' } as const;
let children = 0;

beforeAll(async () => {
  school = await openSchool();
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
  school.services.reportSecret = secret;
  office = await school.person({ sets: ['office'] });
});
afterAll(() => school.close());

/** An adult with a mobile number and an email, who gets messages about a child. */
async function adult(firstName: string) {
  children += 1;
  const section = await openSection(school, { day: `'${today}'` });
  const studentId = await seat(school, section, `Child${'abcdefghijklmnop'[children]}`, {
    joinedOn: addDays(today, -9),
  });
  const guardianId = await raise(school, [studentId], {
    firstName,
    mobile: `98250300${String(children).padStart(2, '0')}`,
  });
  await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${guardianId};
    update guardian set email = '${firstName.toLowerCase()}@family.example' where id = ${guardianId}`);
  return { guardianId, studentId };
}

/** A text message that a gateway took from us, so many days ago. */
async function sent(guardianId: number, daysAgo = 0) {
  const [row] = await school.sql(`
    insert into outbox (channel, template, recipient, subject_id, status, reader_id, queued_at, sent_at)
    values ('sms', 'announcement.notice', null, 1, 'sent', ${guardianId},
      '${addDays(today, -daysAgo)}T09:00:00+05:30', '${addDays(today, -daysAgo)}T09:00:00+05:30') returning id`);
  return Number(row?.id);
}

type State = 'Accepted' | 'Failed' | 'Delivered' | 'Read';
const tell = (id: number, state: State, over: { isFinal?: boolean; by?: string } = {}) =>
  report({ reports: [{ id, state, reason: reasonOf(state), isFinal: over.isFinal ?? false }] }, { by: over.by });
const reasonOf = (state: State) => (state === 'Failed' ? 'absent subscriber' : '');

/** What a gateway is answered that sends this body. */
async function report(
  body: object | string,
  { by = secret, kind = 'application/json' }: { by?: string | undefined; kind?: string } = {},
) {
  const { status, json } = await school.send({
    method: 'POST',
    url: `/api/message/report/${by}`,
    headers: { 'content-type': kind },
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  });
  return status === 200 ? 'kept' : json.error.code;
}
const stateOf = async (id: number) => (await school.sql(`select delivery from outbox where id = ${id}`))[0]?.delivery;
const channelOf = async ({ guardianId, studentId }: { guardianId: number; studentId: number }) => {
  const found = (await waysOf(school.services, sending, [{ guardianId, studentId }])).get(guardianId);
  return found?.ways.map(({ channel }) => channel).join() || found?.reason;
};
const listed = async () =>
  (await office.call(linkList.api.list, { tab: 'unreached' })).rows.map(({ name, trouble }) => [name, trouble]);

test('FM09 a report in any order and twice keeps the highest state, and one that is unknown changes nothing', async () => {
  const { guardianId } = await adult('Nilam');
  const [one, other] = [await sent(guardianId), await sent(guardianId)];
  const answers = [await tell(one, 'Failed'), await tell(one, 'Delivered')];
  for (const state of ['Delivered', 'Failed', 'Delivered'] as const) answers.push(await tell(other, state));
  expect(answers).toEqual(Array(5).fill('kept'));
  expect([await stateOf(one), await stateOf(other)]).toEqual(['Delivered', 'Delivered']);
  const third = await sent(guardianId);
  expect([await tell(third, 'Failed', { by: 'k3v9sXq2pLwZ7tRb5mNc8dYx' }), await stateOf(third)]).toEqual([
    'not_found',
    '',
  ]);
  expect(await tell(2_000_000_000, 'Failed')).toBe('kept');
  const lower = school.sql(`update outbox set delivery = 'Accepted' where id = ${one}`);
  await expect(lower).rejects.toThrow('only rises');
  school.services.reportSecret = '';
  expect(await tell(third, 'Failed', { by: '' })).toBe('not_found');
  school.services.reportSecret = secret;
});

test('FM09 after three failures in 14 days the next channel is used, the office reads why, and a new number is tried', async () => {
  const family = await adult('Rajesh');
  const old = await sent(family.guardianId, 15);
  await tell(old, 'Failed');
  for (const days of [9, 5]) await tell(await sent(family.guardianId, days), 'Failed');
  expect(await channelOf(family)).toBe('sms');
  const third = await sent(family.guardianId);
  await tell(third, 'Failed');
  await tell(third, 'Failed');
  expect(await channelOf(family)).toBe('email');
  expect(await listed()).toEqual([['Rajesh Shah', `absent subscriber, 98250300${String(children).padStart(2, '0')}`]]);
  const { rows } = await office.call(dashboardApi.todo, {});
  const own = rows.filter(({ kind }) => kind === 'family-unreached');
  expect(own.map(({ title }) => title)).toEqual(['Rajesh Shah']);
  await school.sql(`update guardian set mobile = '9825039999' where id = ${family.guardianId}`);
  expect([await channelOf(family), await listed()]).toEqual(['sms', []]);
  // A message to the earlier number that fails by now says nothing of the new one.
  await tell(await sent(family.guardianId, 1), 'Failed', { isFinal: true });
  expect(await channelOf(family)).toBe('sms');
});

test('FM09 a number that does not exist is left at once, and without another channel nothing is sent', async () => {
  const family = await adult('Hetal');
  await school.sql(`update guardian set email = '' where id = ${family.guardianId}`);
  const id = await sent(family.guardianId);
  await tell(id, 'Failed', { isFinal: true });
  expect(await channelOf(family)).toBe('Does not work');
  await tell(id, 'Delivered');
  expect(await channelOf(family)).toBe('sms');
});

test('FM09 a late failure of an earlier number says nothing of a new one, also where nothing failed before', async () => {
  const family = await adult('Kinjal');
  const late = [await sent(family.guardianId, 2), await sent(family.guardianId, 1)];
  await school.sql(
    `update guardian set mobile = '9825039998', email = 'other@family.example' where id = ${family.guardianId}`,
  );
  for (const id of late) await tell(id, 'Failed', { isFinal: true });
  expect(await channelOf(family)).toBe('sms');
});

test('FM09 a failure that is known to be for good later is counted then', async () => {
  const family = await adult('Meena');
  const id = await sent(family.guardianId);
  await tell(id, 'Failed');
  expect(await channelOf(family)).toBe('sms');
  await tell(id, 'Failed', { isFinal: true });
  expect(await channelOf(family)).toBe('email');
});

test('FM09 of a batch the rows that can be read count, and a long reason is cut', async () => {
  const { guardianId } = await adult('Jigna');
  const [one, other] = [await sent(guardianId), await sent(guardianId)];
  const bad = [
    { id: 3_000_000_000, state: 'Failed' },
    { id: one, state: 'Lost' },
    { id: '7 or 1', state: 'Read' },
    null,
  ];
  const reports = [
    ...bad,
    { id: one, state: 'Failed', reason: `${'😀'.repeat(99)}\u0000ab` },
    { id: other, state: 'Delivered' },
  ];
  const { status } = await school.send({ method: 'POST', url: `/api/message/report/${secret}`, body: { reports } });
  expect([status, await stateOf(one), await stateOf(other)]).toEqual([200, 'Failed', 'Delivered']);
  const [kept] = await school.sql(`select delivery_reason as reason from outbox where id = ${one}`);
  expect(kept?.reason).toBe(`${'😀'.repeat(99)}a`);
});

test('FM09 a gateway reports in a form as well: the fields of one report, or a list as JSON in it', async () => {
  const { guardianId } = await adult('Urvashi');
  const [one, other, third] = [await sent(guardianId), await sent(guardianId), await sent(guardianId)];
  const form = 'application/x-www-form-urlencoded';
  const fields = (values: Record<string, string>) => String(new URLSearchParams(values));
  const failed = {
    id: String(one),
    state: 'Failed',
    reason: 'absent & busy, ૯૮૨',
    isFinal: 'true',
    number: '919825030001',
  };
  expect(await report(fields(failed), { kind: form })).toBe('kept');
  const [trouble] = await school.sql(
    `select since is not null as "isLeft" from message_trouble where guardian_id = ${guardianId}`,
  );
  expect(trouble).toEqual({ isLeft: true });
  const list = JSON.stringify([{ id: other, state: 'Delivered' }, { id: 'x' }]);
  expect(await report(fields({ reports: list }), { kind: `${form}; charset=UTF-8` })).toBe('kept');
  const [kept] = await school.sql(`select delivery_reason as reason from outbox where id = ${one}`);
  expect([await stateOf(one), kept?.reason, await stateOf(other)]).toEqual([
    'Failed',
    'absent & busy, ૯૮૨',
    'Delivered',
  ]);

  const wrong = [
    await report(fields({ ...failed, id: String(third) }), { kind: form, by: 'x' }),
    await report(`id=${third}&id=${third}&state=Failed`, { kind: form }),
    await report(fields({ reports: '[{' }), { kind: form }),
    await report(fields({ reports: JSON.stringify(Array(201).fill({ id: third, state: 'Failed' })) }), { kind: form }),
    await report(fields({ id: String(third), state: 'Failed' }), { kind: 'text/plain' }),
    await report(fields({ id: String(third), state: 'Failed', reason: 'x'.repeat(66_000) }), { kind: form }),
    await report({ id: third, state: 'Failed' }),
  ];
  expect(wrong).toEqual(['not_found', 'malformed', 'malformed', 'malformed', 'unsupported', 'too_large', 'malformed']);
  for (const nothing of ['', 'id=&state=Failed', 'state=Failed', `id=${third}`, `id=${third}.5&state=Failed`])
    expect([nothing, await report(nothing, { kind: form })]).toEqual([nothing, 'kept']);
  expect(await stateOf(third)).toBe('');
  expect(school.log()).not.toContain(secret);
});

test('FM09 a report that a message was taken reads no other message, and others are found by their reader', async () => {
  const family = await adult('Lata');
  const failed = [await sent(family.guardianId), await sent(family.guardianId), await sent(family.guardianId)];
  await school.sql(`update outbox set delivery = 'Failed' where id in (${failed.join(', ')})`);
  await tell(await sent(family.guardianId), 'Accepted');
  const trouble = () => school.sql(`select times from message_trouble where guardian_id = ${family.guardianId}`);
  expect(await trouble()).toEqual([]);
  await tell(await sent(family.guardianId), 'Failed');
  expect(await trouble()).toEqual([{ times: 4 }]);
  const plan = await school.services.db.transaction().execute(async (db) => {
    await sql`set local enable_seqscan = off`.execute(db);
    return sql`explain select from outbox where reader_id = any('{1,2}') and channel = 'sms'
      and queued_at > now() - interval '14 days'`.execute(db);
  });
  expect(JSON.stringify(plan.rows)).toMatch(/outbox_(texts|reader)/);
});

test('FM09 the office uses a number again whose messages did not arrive, and three further failures leave it out again', async () => {
  const [family, other] = [await adult('Pooja'), await adult('Reena')];
  await tell(await sent(family.guardianId, 1), 'Failed', { isFinal: true });
  const ids = [family.guardianId, other.guardianId];
  const asked = { selection: { ids } };
  const preview = await office.call(troubleApi.tryAgain, asked);
  expect(preview).toMatchObject({ changed: 1, skipped: [{ name: 'Reena Shah' }], skippedCount: 1 });
  expect(await channelOf(family)).toBe('email');
  const done = { ...asked, confirmToken: preview.confirmToken ?? '' };
  expect(await office.call(troubleApi.tryAgain, done)).toMatchObject({ changed: 1 });
  expect(await channelOf(family)).toBe('sms');
  expect((await listed()).map(([name]) => name)).not.toContain('Pooja Shah');
  const audited = await school.sql(`select entity_id from audit where action = 'family.channel.tried'`);
  expect(audited).toEqual([{ entity_id: family.guardianId }]);
  expect(await office.call(troubleApi.tryAgain, done).catch((error) => error.code)).toBe('stale');
  school.clock.now = new Date(`${today}T18:00:00+05:30`);
  for (const place of [1, 2, 3]) {
    expect([place, await channelOf(family)]).toEqual([place, 'sms']);
    const [row] = await school.sql(`
      insert into outbox (channel, template, recipient, subject_id, status, reader_id, queued_at, sent_at)
      values ('sms', 'announcement.notice', null, 1, 'sent', ${family.guardianId},
        '${today}T1${place}:00:00+05:30', '${today}T1${place}:00:00+05:30') returning id`);
    await tell(Number(row?.id), 'Failed');
  }
  expect(await channelOf(family)).toBe('email');
});
