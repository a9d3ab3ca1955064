import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { announce, people, write } from '#testing/announcements.ts';
import type { Person } from '#testing/browser.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { announcementApi } from '../contract/announcement.ts';
import { receiptApi } from '../contract/receipt.ts';
import { announcementRuns } from './send.ts';

let school: School;
let office: Person;
let colleague: Person;
const today = toLocalDate(new Date());
const at = (time: string, day = today) => {
  school.clock.now = new Date(`${day}T${time}:00+05:30`);
};

beforeAll(async () => {
  school = await openSchool();
  at('10:00');
  office = await school.person({ sets: ['office'] });
  colleague = await school.person();
});
afterAll(() => school.close());

const read = (id: number, by: Person = office) => by.call(announcementApi.read, { id: String(id) });

/** Saves the present announcement with other words. */
async function edit(id: number, title: string, isReadingReset: boolean) {
  const now = await read(id);
  const { version, body, categoryId, priority, branchId, audience, isPinned, asks, acknowledgeBy } = now;
  const channels = { sendsEmail: now.sendsEmail, sendsSms: now.sendsSms, isPageOnly: now.isPageOnly };
  const times = { publishOn: '', publishTime: '', expiresOn: '', expiresTime: '' };
  const draft = { body, categoryId, priority, branchId, audience, isPinned, asks, acknowledgeBy };
  const typed = { id, version, title, ...draft, ...channels, ...times };
  if (!isReadingReset) return office.call(announcementApi.update, typed);
  const { confirmToken } = await office.call(announcementApi.newVersion, typed);
  return office.call(announcementApi.newVersion, { ...typed, confirmToken: confirmToken ?? '' });
}

test('a correction keeps what was read, and with a new version reading starts again while the old proof is kept', async () => {
  at('10:00');
  const { id } = await announce(school, office, [people('All staff')], { asks: 'Acknowledgement' });
  await colleague.call(announcementApi.seen, { id, number: 1 });
  await edit(id, 'School is closed on Tuesday', false);
  expect(await read(id, colleague)).toMatchObject({ number: 2, own: { isRead: true, isAcknowledged: false } });

  await edit(id, 'School is closed on Wednesday', true);
  expect(await read(id, colleague)).toMatchObject({ number: 3, own: { isRead: false } });
  const late = await colleague
    .call(announcementApi.acknowledge, { id, number: 1 })
    .catch((error: { code: string }) => error.code);
  expect(late).toBe('stale');
  await colleague.call(announcementApi.acknowledge, { id, number: 3 });
  expect(await read(id, colleague)).toMatchObject({ own: { isRead: true, isAcknowledged: true } });
  const proof = await school.sql(`select version, kind from announcement_receipt where announcement_id = ${id}
    order by version, kind`);
  expect(proof).toEqual([
    { version: 1, kind: 'Seen' },
    { version: 3, kind: 'Acknowledged' },
    { version: 3, kind: 'Seen' },
  ]);
  expect((await read(id)).versions.map(({ number, title }) => [number, title])).toEqual([
    [3, 'School is closed on Wednesday'],
    [2, 'School is closed on Tuesday'],
    [1, 'School is closed on Monday'],
  ]);
});

test('the database keeps published texts and receipts as they were', async () => {
  const { id } = await announce(school, office, [people('All staff')]);
  await colleague.call(announcementApi.seen, { id, number: 1 });
  const texts = school.sql(`update announcement_version set title = 'Other' where announcement_id = ${id}`);
  await expect(texts).rejects.toThrow('the text of a published announcement is kept');
  const removed = school.services.db.deleteFrom('announcement_receipt').where('announcement_id', '=', id).execute();
  await expect(removed).rejects.toThrow(/permission denied/);
});

/** A section with a child of two guardians and one of a third, and an announcement to it that asks for acknowledgement. */
async function ofThree() {
  const section = await openSection(school, { day: `'${today}'` });
  const [mira, om] = [
    await seat(school, section, 'Mira', { joinedOn: addDays(today, -9) }),
    await seat(school, section, 'Om', { joinedOn: addDays(today, -9) }),
  ];
  const adults = [
    await raise(school, [mira], { firstName: 'Nilam', mobile: '9825011111' }),
    await raise(
      school,
      [mira],
      { firstName: 'Rajesh', mobile: '9825022222' },
      { isPrimary: false, relation: 'Mother' },
    ),
    await raise(school, [om], { firstName: 'Hetal', mobile: '9825033333' }),
  ];
  await school.sql(`update student_guardian set receives_messages = true where guardian_id in (${adults.join(', ')})`);
  const made = await announce(school, office, [people('Section', section)], {
    asks: 'Acknowledgement',
    sendsEmail: false,
    sendsSms: true,
  });
  return { adults, id: made.id, runId: made.runId };
}

const acknowledges = (id: number, guardian: number | undefined) =>
  school.sql(`insert into announcement_receipt (announcement_id, version, kind, guardian_id, at, via)
    select ${id}, 1, kind, ${guardian}, now(), 'Family page' from unnest(array['Seen', 'Acknowledged']) as kind`);

test('J1.5 a reminder goes to guardians of children nobody has acknowledged for, once a day and three times at most', async () => {
  at('10:00');
  const { id, adults } = await ofThree();
  await acknowledges(id, adults[0]);
  expect((await read(id)).figures).toMatchObject({
    guardians: 3,
    guardiansRead: 1,
    children: 2,
    childrenAcknowledged: 1,
  });

  const remind = async () => {
    const { confirmToken } = await office.call(announcementApi.remind, { id });
    return office.call(announcementApi.remind, { id, confirmToken: confirmToken ?? '' });
  };
  // Mira’s other guardian is not reminded: Mira is done.
  const first = await remind();
  expect(first).toMatchObject({ guardians: 1, staff: 0 });
  const asked = await school.sql(`select name from run_row where run_id = ${first.runId}`);
  expect(asked).toEqual([{ name: 'Hetal Shah' }]);
  const again = await remind().catch((error: { code: string }) => error.code);
  expect(again).toBe('conflict');
  for (const day of [2, 4]) {
    at('10:00', addDays(today, day));
    await remind();
  }
  at('10:00', addDays(today, 6));
  expect(await remind().catch((error: { code: string }) => error.code)).toBe('conflict');
  at('10:00');
});

test('two guardians of one address get one message, which names the one that reads it', async () => {
  at('10:00');
  const { adults, runId, id } = await ofThree();
  await school.sql(`update guardian set mobile = '9825011111' where id = ${adults[1]}`);
  at('10:01');
  await finishRun(school.services, announcementRuns, Number(runId));
  const rows =
    await school.sql(`select name, status, reason -> 'values' ->> 'name' as other from run_row where run_id = ${runId}
    order by name`);
  expect(rows).toEqual([
    { name: 'Hetal Shah', status: 'Done', other: null },
    { name: 'Nilam Shah', status: 'Done', other: null },
    { name: 'Rajesh Shah', status: 'Skipped', other: 'Nilam Shah' },
  ]);
  const { rows: receipts } = await office.call(receiptApi.list, { id });
  expect(receipts.map(({ name, delivery }) => [name, delivery])).toEqual([
    ['Hetal Shah', 'Waiting'],
    ['Nilam Shah', 'Waiting'],
    ['Rajesh Shah', 'Not sent'],
  ]);
});

test('an emergency uses every ticked channel of an adult, at once and at night', async () => {
  at('10:00');
  const section = await openSection(school, { day: `'${today}'` });
  const child = await seat(school, section, 'Tara', { joinedOn: addDays(today, -9) });
  const adult = await raise(school, [child], { firstName: 'Bela', mobile: '9825044444' });
  await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${adult};
    update guardian set email = 'bela@family.example' where id = ${adult}`);
  const over = { priority: 'Emergency' as const, sendsEmail: true, sendsSms: true };
  const made = await announce(school, office, [people('Section', section)], over);
  expect(made).toMatchObject({ emails: 1, texts: 1 });
  at('10:01');
  await finishRun(school.services, announcementRuns, Number(made.runId));
  expect(
    await school.sql(`select outbox.channel, keeps_quiet, is_awaited from outbox join announcement_delivery told
      on outbox.dedupe_key = 'announcement ' || told.id where told.announcement_id = ${made.id} order by 1`),
  ).toEqual([
    { channel: 'email', keeps_quiet: false, is_awaited: true },
    { channel: 'sms', keeps_quiet: false, is_awaited: true },
  ]);
});

test('a draft is deleted with its parts, and one that was published is kept', async () => {
  at('10:00');
  const draft = await write(school, office, [people('All staff')]);
  await office.call(announcementApi.remove, draft);
  expect(await school.sql(`select from announcement_version where announcement_id = ${draft.id}`)).toEqual([]);
  const { id } = await announce(school, office, [people('All staff')]);
  const { version } = await read(id);
  await office.call(announcementApi.undo, { id, version });
  const kept = await office
    .call(announcementApi.remove, { id, version: version + 1 })
    .catch((error: { code: string }) => error.code);
  expect(kept).toBe('conflict');
});
