import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalApi } from '#features/approval/contract/approval.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { announce, people, publish, write } from '#testing/announcements.ts';
import type { Person } from '#testing/browser.ts';
import { raiseWithLink } from '#testing/family.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { announcementApi } from '../contract/announcement.ts';
import type { AudienceRow } from '../contract/audience.ts';
import { announcementList } from '../contract/list.ts';
import { manyApi } from '../contract/many.ts';
import { receiptApi } from '../contract/receipt.ts';
import { moveAnnouncements } from './leaving.ts';
import { announcementRuns } from './send.ts';

let school: School;
let office: Person;
const today = toLocalDate(new Date());

beforeAll(async () => {
  school = await openSchool();
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
  office = await school.person({ sets: ['office'] });
});
afterAll(() => school.close());

/** A section with a child and its guardian, who gets messages. */
async function openClass(name: string) {
  const section = await openSection(school, { day: `'${today}'` });
  const child = await seat(school, section, name, { joinedOn: addDays(today, -9) });
  const guardian = await raise(school, [child], { firstName: `Parent${name}` });
  await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${guardian};
    update guardian set email = '${name.toLowerCase()}@family.example' where id = ${guardian}`);
  return { section, child, guardian };
}

async function change(id: number, audience: AudienceRow[]) {
  const { version } = await office.call(announcementApi.read, { id: String(id) });
  const asked = { id, version, audience };
  const shown = await office.call(announcementApi.changePeople, asked);
  return office.call(announcementApi.changePeople, { ...asked, confirmToken: shown.confirmToken ?? '' });
}
const send = async (runId: number | null) => {
  await school.sql('update run set begins_at = null');
  await finishRun(school.services, announcementRuns, Number(runId));
};
const toldOf = async (id: number) =>
  (await school.sql(`select guardian_id from announcement_delivery where announcement_id = ${id} order by id`)).map(
    ({ guardian_id }) => guardian_id,
  );

test('J1.8 people who are added get one message, and those who are removed lose it while their receipts stay', async () => {
  const [first, second] = [await openClass('Aarohi'), await openClass('Dev')];
  const { link } = await raiseWithLink(school, [first.child], { firstName: 'Uncle' }, { isPrimary: false });
  const made = await announce(school, office, [people('Section', first.section)]);
  await send(made.runId);
  const onPage = async () => (await school.send({ url: `/api/family?family=${link}` })).json.parts.announcement.length;
  expect(await onPage()).toBe(1);
  await school.send({ method: 'POST', url: `/api/family/notice/${made.id}/seen?family=${link}`, body: { number: 1 } });

  const wider = await change(made.id, [people('Section', first.section), people('Section', second.section)]);
  expect(wider).toMatchObject({ guardians: 3, added: { guardians: 1 }, removed: { guardians: 0 } });
  await send(wider.runId);
  expect(await toldOf(made.id)).toEqual([first.guardian, second.guardian]);

  const narrower = await change(made.id, [people('Section', second.section)]);
  expect(narrower).toMatchObject({ guardians: 1, added: { guardians: 0 }, removed: { guardians: 2 }, runId: null });
  expect(await onPage()).toBe(0);
  const { rows } = await office.call(receiptApi.list, { id: made.id, show: 'all' });
  expect(rows.map(({ name }) => name)).toEqual(['ParentDev Shah']);
  expect(
    await school.sql(`select count(*)::integer as count from announcement_receipt where announcement_id = ${made.id}`),
  ).toEqual([{ count: 1 }]);

  // Whom the first message reached, a return brings none.
  const back = await change(made.id, [people('Section', first.section), people('Section', second.section)]);
  expect(back).toMatchObject({ added: { guardians: 2 } });
  if (back.runId) await send(back.runId);
  expect(new Set(await toldOf(made.id)).size).toBe((await toldOf(made.id)).length);
});

test('J1.8 a draft has no people to change, and nobody is left with nobody', async () => {
  const { section } = await openClass('Mira');
  const draft = await write(school, office, [people('Section', section)]);
  await expect(change(draft.id, [people('All staff')])).rejects.toMatchObject({ code: 'conflict' });
});

test('J1.9 the office decides on what a class teacher publishes, and the teacher not', async () => {
  const teacher = await school.person();
  const { section } = await openClass('Tara');
  await teach(school, teacher, { sectionId: section });
  const ask = async () => {
    const draft = await write(school, teacher, [people('Section', section)]);
    expect(await publish(teacher, draft)).toMatchObject({ state: 'Waiting' });
    const [approval] = await school.sql(
      `select id from approval where announcement_id = ${draft.id} and status = 'Pending'`,
    );
    return { id: draft.id, approval: Number(approval?.id) };
  };
  const decide = async (person: Person, approval: number, outcome: 'Approved' | 'Rejected') => {
    const { version, seen } = await person.call(approvalApi.read, { id: approval });
    return person.call(approvalApi.decide, { id: approval, version, seen, outcome, remark: 'Too long' } as never);
  };
  const refused = await ask();
  await expect(decide(teacher, refused.approval, 'Approved')).rejects.toMatchObject({
    code: expect.stringMatching(/forbidden|not_found|conflict/),
  });
  await decide(office, refused.approval, 'Rejected');
  expect(await teacher.call(announcementApi.read, { id: String(refused.id) })).toMatchObject({
    state: 'Draft',
    figures: null,
  });
  const approved = await ask();
  await decide(office, approved.approval, 'Approved');
  const shown = await office.call(announcementApi.read, { id: String(approved.id) });
  expect(shown).toMatchObject({ state: 'Published', figures: { guardians: 1 }, runId: expect.any(Number) });
});

test('J1.9 what could not reach its guardians any more is not approved: its messages would leave after it expires, or to no address', async () => {
  const teacher = await school.person();
  const { section, guardian } = await openClass('Uma');
  await teach(school, teacher, { sectionId: section });
  const over = { expiresOn: addDays(today, 1), expiresTime: '06:00' };
  await publish(teacher, await write(school, teacher, [people('Section', section)], over));
  const [approval] = await school.sql(`select max(id) as id from approval where status = 'Pending'`);
  const approve = async () => {
    const { version, seen, effect } = await office.call(approvalApi.read, { id: Number(approval?.id) });
    const input = { id: Number(approval?.id), version, seen, outcome: 'Approved', remark: '' };
    const answer = await office.call(approvalApi.decide, input as never).then(
      () => 'approved',
      (error) => String(error.message),
    );
    return [answer, JSON.stringify(effect).includes('before messages may be sent')];
  };
  const now = school.clock.now;
  school.clock.now = new Date(`${today}T22:00:00+05:30`);
  expect(await approve()).toEqual([expect.stringContaining('It expires before messages may be sent at 7:00'), true]);
  school.clock.now = now;
  await school.sql(`update guardian set email = '' where id = ${guardian}`);
  expect(await approve()).toEqual([expect.stringContaining('Its messages reach no guardian'), false]);
  await school.sql(`update guardian set email = 'uma@family.example' where id = ${guardian}`);
  expect(await approve()).toEqual(['approved', false]);
});

test('J1.10 several are withdrawn or their readers reminded in one act, and what cannot be is named', async () => {
  const { section } = await openClass('Om');
  const draft = await write(school, office, [people('Section', section)]);
  const made = await announce(school, office, [people('Section', section)], { sendsEmail: false });
  const given = { selection: { ids: [draft.id, made.id] } };
  const reminded = await office.call(manyApi.remindMany, given);
  expect(reminded).toMatchObject({ changed: 1, skipped: [{ id: draft.id }] });
  await office.call(manyApi.remindMany, { ...given, confirmToken: reminded.confirmToken ?? '' });
  expect(await office.call(manyApi.remindMany, given)).toMatchObject({ changed: 0, skippedCount: 2 });
  const out = { ...given, reason: 'The date was wrong.' };
  const shown = await office.call(manyApi.withdrawMany, out);
  expect(shown).toMatchObject({ changed: 1, skipped: [{ id: draft.id }] });
  await office.call(manyApi.withdrawMany, { ...out, confirmToken: shown.confirmToken ?? '' });
  const { rows } = await office.call(announcementList.api.list, { tab: 'archive' } as never);
  expect(rows.map(({ id }) => id)).toContain(made.id);
});

test('J1.11 drafts and scheduled announcements of a colleague who leaves go to the office', async () => {
  const leaver = await school.person({ sets: ['office'] });
  const { section } = await openClass('Kabir');
  const draft = await write(school, leaver, [people('Section', section)]);
  const later = await write(school, leaver, [people('Section', section)], {
    publishOn: addDays(today, 2),
    publishTime: '10:00',
  });
  await publish(leaver, later);
  const out = await announce(school, leaver, [people('Section', section)], { sendsEmail: false });
  const left = await school.services.db
    .transaction()
    .execute((db) =>
      moveAnnouncements.act({ ...school.context(), db }, { staffId: leaver.staffId, lastDay: today } as never),
    );
  expect((left as { ends: object[] }).ends).toHaveLength(1);
  const authors = await school.sql(`select id, author_id = ${leaver.staffId} as "isLeaver" from announcement
    where id in (${draft.id}, ${later.id}, ${out.id}) order by id`);
  expect(authors.map(({ isLeaver }) => isLeaver)).toEqual([false, false, true]);
});
