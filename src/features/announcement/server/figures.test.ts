import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { randomFrom } from '#kit/server/random.ts';
import { announce, people } from '#testing/announcements.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { announcementApi } from '../contract/announcement.ts';
import { announcementList } from '../contract/list.ts';
import { type Figures, readFigures } from './figures.ts';

let school: School;
let office: Person;
const today = toLocalDate(new Date());
const draw = randomFrom(73);

beforeAll(async () => {
  school = await openSchool();
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
  office = await school.person({ sets: ['office'] });
  await school.person();
});
afterAll(() => school.close());

/** A section of four children: two have two guardians in common, and one guardian has three. */
async function openFamilies() {
  const section = await openSection(school, { day: `'${today}'` });
  const children: number[] = [];
  for (const name of ['Mira', 'Om', 'Kavya', 'Dev'])
    children.push(await seat(school, section, name, { joinedOn: addDays(today, -9) }));
  const [mira = 0, om = 0, kavya = 0, dev = 0] = children;
  const mother = { isPrimary: false, relation: 'Mother' };
  await raise(school, [mira, om], { firstName: 'Nilam', mobile: '5550011111' });
  await raise(school, [mira, om], { firstName: 'Rajesh', mobile: '5550022222' }, mother);
  await raise(school, [kavya, dev], { firstName: 'Hetal', mobile: '5550033333' });
  await raise(school, [om, kavya, dev], { firstName: 'Jignesh', mobile: '5550044444' }, mother);
  return { section, mira };
}

interface Recipient {
  id: number;
  guardian_id: number | null;
  staff_id: number | null;
}

/** The figures, counted from the rows one by one. */
async function countFigures(id: number): Promise<Figures> {
  const rows = await school.sql(`select id, guardian_id, staff_id from announcement_recipient
    where announcement_id = ${id} and removed_at is null`);
  const receipts = await school.sql(`select receipt.kind, receipt.guardian_id, receipt.staff_id
    from announcement_receipt receipt join announcement notice on notice.id = receipt.announcement_id
    where receipt.announcement_id = ${id} and receipt.version >= notice.counts_from`);
  const links = await school.sql(`select recipient_id, student_id from announcement_recipient_child`);
  const has = (one: Recipient, kind: string) =>
    receipts.some(
      (receipt) =>
        receipt.kind === kind && receipt.guardian_id === one.guardian_id && receipt.staff_id === one.staff_id,
    );
  const all = rows as unknown as Recipient[];
  const guardians = all.filter(({ guardian_id }) => guardian_id !== null);
  const staff = all.filter(({ staff_id }) => staff_id !== null);
  const childrenOf = (some: Recipient[]) =>
    new Set(some.flatMap((one) => links.filter((own) => own.recipient_id === one.id).map((own) => own.student_id)))
      .size;
  return {
    guardians: guardians.length,
    guardiansRead: guardians.filter((one) => has(one, 'Seen')).length,
    children: childrenOf(all),
    childrenAcknowledged: childrenOf(all.filter((one) => has(one, 'Acknowledged'))),
    staff: staff.length,
    staffRead: staff.filter((one) => has(one, 'Seen')).length,
    staffAcknowledged: staff.filter((one) => has(one, 'Acknowledged')).length,
  };
}

/** Some of the recipients read some versions, and some acknowledge them. */
async function readSome(id: number, versions: number) {
  const rows = await school.sql(
    `select guardian_id, staff_id from announcement_recipient where announcement_id = ${id}`,
  );
  for (const { guardian_id, staff_id } of rows)
    for (let version = 1; version <= versions; version++)
      for (const kind of ['Seen', 'Acknowledged'])
        if (draw.upTo(2) === 1)
          await school.sql(`insert into announcement_receipt (announcement_id, version, kind, guardian_id, staff_id, at, via)
            values (${id}, ${version}, '${kind}', ${guardian_id}, ${staff_id}, now(), 'Feed') on conflict do nothing`);
}

test('J1.12 figures count each reader and child once, of the text that counts and of people who have it still', async () => {
  const { section, mira } = await openFamilies();
  const asks = { asks: 'Acknowledgement', sendsEmail: false };
  const ids: number[] = [];
  for (let turn = 0; turn < 4; turn++)
    ids.push((await announce(school, office, [people('Section', section), people('All staff')], asks)).id);
  const [plain = 0, again = 0, changed = 0, withdrawn = 0] = ids;
  // A second text after which reading begins again, and one that leaves what was read.
  for (const [id, from] of [
    [again, 2],
    [changed, 1],
  ])
    await school.sql(`with own as (
        insert into announcement_version (announcement_id, number, title, body, search_text, staff_id, written_at)
        select announcement_id, 2, 'Other words', body, search_text, staff_id, now() from announcement_version
        where announcement_id = ${id} and number = 1)
      update announcement set current_version = 2, counts_from = ${from} where id = ${id}`);
  await school.sql(`update announcement_recipient set removed_at = now() where id in (
    select min(id) from announcement_recipient where announcement_id in (${plain}, ${changed}) group by announcement_id, guardian_id is null)`);
  // A child who moves keeps its place among those it was released to.
  await school.sql(`update student_section set effective_to = '${addDays(today, -1)}' where student_id = ${mira}`);
  await school.sql(
    `update announcement set state = 'Withdrawn', withdrawn_reason = 'Wrong day' where id = ${withdrawn}`,
  );
  for (let turn = 0; turn < 3; turn++) {
    if (turn > 0) for (const id of ids) await readSome(id, id === again || id === changed ? 2 : 1);
    const figures = await readFigures(school.services, ids);
    for (const id of ids) expect([id, figures.get(id)]).toEqual([id, await countFigures(id)]);
  }
  const { rows } = await office.call(announcementList.api.list, { tab: 'archive' } as never);
  const { staffRead, guardiansRead } = await countFigures(withdrawn);
  expect(rows.find(({ id }) => id === withdrawn)?.read).toBe(staffRead + guardiansRead);
  const { figures } = await office.call(announcementApi.read, { id: String(again) });
  expect(figures).toEqual(await countFigures(again));
});
