import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InputOf } from '#kit/contract/endpoint.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Outgoing } from '#kit/server/messages/mail.ts';
import { sendMessage } from '#kit/server/messages/outbox.ts';
import { announce, people } from '#testing/announcements.ts';
import type { Person } from '#testing/browser.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { type Announcement, announcementApi } from '../contract/announcement.ts';
import { receiptApi } from '../contract/receipt.ts';
import { announcementTemplates } from './message.ts';
import { announcementRuns } from './send.ts';

let school: School;
let office: Person;
let colleague: Person;
const today = toLocalDate(new Date());
const later = (seconds: number) => {
  school.clock.now = new Date(school.services.now().getTime() + seconds * 1000);
};

beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ sets: ['office'] });
  colleague = await school.person({ sets: ['office'] });
});
afterAll(() => school.close());

const read = (id: number) => office.call(announcementApi.read, { id: String(id) });
const work = (runId: number | null) => finishRun(school.services, announcementRuns, Number(runId));

/** Sends what waits of an announcement; the titles by address. */
async function send(id: number) {
  const rows = await school.sql(`select outbox.id from outbox join announcement_delivery told
    on outbox.dedupe_key = 'announcement ' || told.id where told.announcement_id = ${id} and outbox.status = 'queued' order by 1`);
  const sent: string[] = [];
  const keep = async ({ to, text }: Outgoing) => {
    sent.push(`${to} ${/Wednesday|Tuesday|Monday/.exec(text)?.[0]}`);
  };
  for (const row of rows)
    await sendMessage(school.services, announcementTemplates, { sms: keep, email: keep }, Number(row.id), {
      isLastTry: false,
    });
  return sent;
}

/** An announcement to 20 guardians, one of whom has no address: 6 read it, 4 of them acknowledged. */
async function ofTwenty() {
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
  const section = await openSection(school, { day: `'${today}'` });
  const child = await seat(school, section, 'Mira', { joinedOn: addDays(today, -9) });
  const adults: number[] = [];
  for (let place = 0; place < 20; place += 1) {
    const mobile = place === 19 ? '' : `98250555${String(place).padStart(2, '0')}`;
    adults.push(await raise(school, [child], { firstName: `Adult${place}`, mobile }, { isPrimary: place === 0 }));
  }
  await school.sql(`update student_guardian set receives_messages = true where student_id = ${child}`);
  const over = { asks: 'Acknowledgement', sendsEmail: false, sendsSms: true };
  const made = await announce(school, office, [{ ...people('Section', section), hasTeachers: false }], over);
  await school.sql(`insert into announcement_receipt (announcement_id, version, kind, guardian_id, at, via)
    select ${made.id}, 1, kind, guardian, now(), 'Family page'
    from unnest(array[${adults.slice(0, 6).join(', ')}]) with ordinality as each (guardian, place)
    cross join unnest(array['Seen', 'Acknowledged']) as kind where kind = 'Seen' or place <= 4`);
  return { id: made.id, runId: made.runId, adults };
}

/** What the form of the present announcement sends, with another title. */
async function typed(id: number, title: string) {
  const { version, body, categoryId, priority, branchId, audience, isPinned, asks, ...now } = await read(id);
  const { acknowledgeBy, sendsEmail, sendsSms, isPageOnly } = now;
  const times = { publishOn: '', publishTime: '', expiresOn: '', expiresTime: '' };
  const kept = { body, categoryId, priority, branchId, audience, isPinned, asks, acknowledgeBy };
  return { id, version, title, ...kept, sendsEmail, sendsSms, isPageOnly, ...times };
}

async function renew(id: number, title: string, over: Partial<InputOf<typeof announcementApi.newVersion>> = {}) {
  const input = { ...(await typed(id, title)), ...over };
  const { confirmToken } = await office.call(announcementApi.newVersion, input);
  return office.call(announcementApi.newVersion, { ...input, confirmToken: confirmToken ?? '' });
}

/** Guardians that have read and acknowledged: by the figures, the list and the export of the texts that count or of one. */
async function readers(id: number, text = '') {
  const count = async (show: 'read' | 'acknowledged') =>
    (await office.call(receiptApi.list, { id, show, text })).rows.length;
  const file = await office.send({ url: `/api/announcement/${id}/receipt/export?show=read&as=csv&text=${text}` });
  return {
    read: await count('read'),
    acknowledged: await count('acknowledged'),
    exported: file.text.match(/Adult/g)?.length ?? 0,
  };
}

test('FM10 a correction keeps what was read and sends nothing; a new version asks again, and each text keeps its proof', async () => {
  const { id, runId } = await ofTwenty();
  later(31);
  await work(runId);
  expect(await send(id)).toHaveLength(19);
  await office.call(announcementApi.update, await typed(id, 'School is closed on Tuesday'));
  expect(await readers(id)).toEqual({ read: 6, acknowledged: 4, exported: 6 });
  expect(await send(id)).toEqual([]);

  const preview = await office.call(announcementApi.newVersion, await typed(id, 'School is closed on Wednesday'));
  expect(preview).toMatchObject({
    texts: 19,
    parts: 19,
    unreached: 1,
    waiting: 0,
    before: { read: 6, acknowledged: 4 },
  });
  const renewed = await renew(id, 'School is closed on Wednesday');
  expect(await readers(id)).toEqual({ read: 0, acknowledged: 0, exported: 0 });
  expect(await readers(id, '1')).toEqual({ read: 6, acknowledged: 4, exported: 6 });
  expect((await read(id)).versions.map(({ number, read, acknowledged }) => [number, read, acknowledged])).toEqual([
    [3, 0, 0],
    [2, 0, 0],
    [1, 6, 4],
  ]);
  later(31);
  await work(renewed.runId);
  const sent = await send(id);
  expect([sent.length, new Set(sent.map((one) => one.split(' ')[1]))]).toEqual([19, new Set(['Wednesday'])]);
});

test('FM10 within 30 seconds a new version is undone: the earlier text with what was read of it, and no message', async () => {
  const { id, runId } = await ofTwenty();
  later(31);
  await work(runId);
  await send(id);
  // A correction before counts on from the first text.
  await office.call(announcementApi.update, await typed(id, 'School is closed on Tuesday'));
  const renewed = await renew(id, 'School is closed on Wednesday');
  later(10);
  const { version, may } = await read(id);
  expect(may).toMatchObject({ undoText: true, undo: false });
  const refused = await colleague.call(announcementApi.undo, { id, version }).catch((error) => error.code);
  expect(refused).toBe('conflict');
  await office.call(announcementApi.undo, { id, version });
  expect(await read(id)).toMatchObject({ title: 'School is closed on Tuesday', may: { undoText: false } });
  expect(await readers(id)).toEqual({ read: 6, acknowledged: 4, exported: 6 });
  later(31);
  await work(renewed.runId);
  expect(await send(id)).toEqual([]);
  const again = await renew(id, 'School is closed on Wednesday');
  later(31);
  expect(again.runId).not.toBeNull();
  expect((await read(id)).may.undoText).toBe(false);
});

test('FM10 of two clerks with a new version the second is stale, and there is one round', async () => {
  const { id } = await ofTwenty();
  const input = await typed(id, 'School is closed on Wednesday');
  const [mine, theirs] = [
    await office.call(announcementApi.newVersion, input),
    await colleague.call(announcementApi.newVersion, input),
  ];
  // The messages of the first text still wait and will have the new one.
  expect(mine).toMatchObject({ texts: 0, waiting: 20 });
  const answers = await Promise.all(
    [
      office.call(announcementApi.newVersion, { ...input, confirmToken: mine.confirmToken ?? '' }),
      colleague.call(announcementApi.newVersion, { ...input, confirmToken: theirs.confirmToken ?? '' }),
    ].map((answer) => answer.then(() => 'done').catch((error) => error.code)),
  );
  expect(answers.toSorted()).toEqual(['done', 'stale']);
  const rounds = await school.sql(`select kind from announcement_round where announcement_id = ${id} order by number`);
  expect(rounds).toEqual([{ kind: 'Publish' }, { kind: 'New version' }]);
});

/** Undoes what was just published. */
async function undo(id: number) {
  const { version } = await read(id);
  return office.call(announcementApi.undo, { id, version });
}

test('FM10 undone, a new version leaves what its form changed besides the text as it was', async () => {
  const { id } = await ofTwenty();
  const [tag] = await school.sql(`
    with made as (insert into configuration_tag_group (name) values ('Closures') returning id)
    insert into configuration_tag (name, colour, tag_group_id, scopes)
    select 'Closure', 'Teal', id, '{Announcement}' from made returning id`);
  const [other] = await school.sql(
    `select id from academic_lookup where kind = 'Notice category' and name <> 'General' limit 1`,
  );
  const shown = ({
    version: _,
    number: __,
    versions: ___,
    runId: ____,
    editedAt: _____,
    may: ______,
    ...rest
  }: Announcement) => rest;
  const before = await read(id);
  const over = {
    priority: 'Emergency',
    categoryId: Number(other?.id),
    isPinned: true,
    asks: 'Nothing',
  } as const;
  const day = addDays(today, 3);
  const ways = { sendsSms: false, sendsEmail: false, isPageOnly: true, expiresOn: day, tags: [Number(tag?.id)] };
  await renew(id, 'School is closed on Wednesday', { ...over, ...ways });
  expect(await read(id)).toMatchObject({ ...over, isPageOnly: true, tags: [{ name: 'Closure' }] });
  await undo(id);
  expect(shown(await read(id))).toEqual(shown(before));
});

test('FM10 a second new version that is undone counts what the earlier text has, as the first', async () => {
  const { id } = await ofTwenty();
  for (const day of ['Wednesday', 'Tuesday']) {
    await renew(id, `School is closed on ${day}`);
    await undo(id);
    expect(await readers(id)).toEqual({ read: 6, acknowledged: 4, exported: 6 });
  }
});

test('FM10 undone, a new version leaves the bell of those who have read the earlier text, and others have that to read', async () => {
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
  const { id } = await announce(school, office, [people('All staff')], { isPageOnly: true, sendsEmail: false });
  const reader = await school.person();
  await school.sql(`insert into announcement_recipient (announcement_id, staff_id)
    select ${id}, staff_id from sign_in_account where id = ${reader.id} on conflict do nothing`);
  await reader.call(announcementApi.seen, { id, number: 1 });
  const bells = async () =>
    school.sql(`select account_id as id, text ->> 'id' as text from notice where dedupe_key = 'announcement ${id}'
      and read_at is null and account_id in (${reader.id}, ${colleague.id}) order by account_id`);
  await renew(id, 'School is closed on Wednesday');
  expect((await bells()).map((bell) => bell.id)).toEqual([colleague.id, reader.id]);
  await undo(id);
  const [own, ...others] = await bells();
  expect([own?.id, others]).toEqual([colleague.id, []]);
});

test('FM10 a new version that no guardian would hear of, or that expires before messages may leave, is refused', async () => {
  const { id } = await ofTwenty();
  const refusal = (over: Partial<InputOf<typeof announcementApi.newVersion>>) =>
    renew(id, 'School is closed on Wednesday', over).then(
      () => 'done',
      (error) => `${error.code} ${error.message}`,
    );
  expect(await refusal({ sendsSms: false, sendsEmail: true })).toContain('conflict Its messages reach no guardian.');
  const none = { ...(await typed(id, 'School is closed on Monday')), sendsSms: false };
  for (const act of [announcementApi.update, announcementApi.newVersion])
    await expect(office.call(act, none)).rejects.toMatchObject({
      code: 'invalid',
      fields: { isPageOnly: { id: expect.stringContaining('Only on the page') } },
    });
  school.clock.now = new Date(`${today}T21:30:00+05:30`);
  const over = { expiresOn: addDays(today, 1), expiresTime: '06:00' };
  expect(await refusal(over)).toContain('conflict It expires before messages may be sent at 7:00');
  expect(await refusal({ ...over, expiresTime: '07:01' })).toBe('done');
});
