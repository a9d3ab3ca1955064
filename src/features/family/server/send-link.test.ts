import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RunAct } from '#kit/server/job/runs.ts';
import { render } from '#kit/server/messages/outbox.ts';
import type { Person } from '#testing/browser.ts';
import { linkValueOf, openFamilyPage } from '#testing/family.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { linkApi, linkList } from '../contract/link.ts';
import { messages } from './messages.ts';
import { linkRuns } from './send-many.ts';

let school: School;
let office: Person;
let section: number;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ sets: ['office'] });
  section = await openSection(school);
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

const open = (link: string) => school.send({ url: `/api/family?family=${link}` });
const waiting = (guardianId: number) =>
  school.sql(`select channel, recipient, status from outbox
    where template = 'family.link' and subject_id = ${guardianId} order by id`);
/** A child with a guardian who has no link yet. */
async function withoutLink(firstName = 'Meera', mobile = '9825000021') {
  const child = await seat(school, section, 'Aarohi');
  return { child, guardianId: await raise(school, [child], { firstName, mobile }) };
}
const cardOf = async (child: number, id: number) =>
  (await office.call(linkApi.ofStudent, { id: child })).guardians.find((one) => one.id === id);

describe('the office', () => {
  test('N13.6 sends a link by SMS or email, and the message has the link that works', async () => {
    const { child, guardianId } = await withoutLink();
    expect(await cardOf(child, guardianId)).toMatchObject({ sees: 'All', state: 'Not sent' });
    await office.call(linkApi.send, { id: guardianId, channel: 'Email' });
    expect(await waiting(guardianId)).toEqual([{ channel: 'sms', recipient: '9825000021', status: 'queued' }]);
    const link = messages['family.link'];
    const written = link && (await render(school.services, link, guardianId));
    const value = await linkValueOf(school, guardianId);
    expect(written?.text).toContain(`/family?family=${value}`);
    expect(written?.text).toContain('Aarohi');
    expect((await open(value)).status).toBe(200);
    expect(await cardOf(child, guardianId)).toMatchObject({ state: 'Works' });
  });

  test('N13.7 a new link ends the earlier one, and a revoked link opens nothing until another is sent', async () => {
    const { guardianId, link, child } = await openFamilyPage(school);
    await office.call(linkApi.renew, { id: guardianId, channel: 'SMS' });
    expect((await open(link)).status).toBe(404);
    const next = await linkValueOf(school, guardianId);
    await office.call(linkApi.revoke, { id: guardianId, reason: 'Phone lost' });
    expect((await open(next)).status).toBe(404);
    expect(await cardOf(child, guardianId)).toMatchObject({ state: 'Revoked', revokedReason: 'Phone lost' });
    expect(await waiting(guardianId)).toEqual([{ channel: 'sms', recipient: null, status: 'expired' }]);
    await office.call(linkApi.send, { id: guardianId, channel: 'SMS' });
    expect((await open(await linkValueOf(school, guardianId))).status).toBe(200);
  });

  test('N13.8 reaches only guardians of children in the own branches, and the card says why an adult sees nothing', async () => {
    const [branch] = await school.sql(`insert into academic_branch (name, code) values ('Far', 'FAR') returning id`);
    const elsewhere = await school.person({ sets: ['office'], branchIds: [Number(branch?.id)] });
    const { child, guardianId } = await withoutLink();
    const send = { method: 'POST', url: `/api/family-link/${guardianId}/send`, body: { channel: 'SMS' } } as const;
    expect((await elsewhere.send(send)).status).toBe(404);
    expect((await elsewhere.send({ url: `/api/family-link/student/${child}` })).status).toBe(404);
    const contact = await raise(school, [child], { firstName: 'Warden' }, { role: 'Contact', isPrimary: false });
    expect(await cardOf(child, contact)).toMatchObject({ sees: 'Contact' });
    expect((await office.send({ ...send, url: `/api/family-link/${contact}/send` })).status).toBe(404);
  });

  test('limits what a guardian sees of a child', async () => {
    const { child, guardianId } = await openFamilyPage(school);
    await office.call(linkApi.setReach, { id: child, guardianId, reach: 'School matters' });
    expect(await cardOf(child, guardianId)).toMatchObject({ sees: 'School matters' });
  });
});

test('N13.13 the office copies the link and prints it, which is audited and counts as a sending', async () => {
  const { guardianId, child } = await withoutLink('Copied', '9825000041');
  const { link, shortLink } = await office.call(linkApi.copy, { id: guardianId });
  expect((await open(link.split('=')[1] ?? '')).status).toBe(200);
  expect(shortLink).toMatch(/\/a\/\w{10}$/);
  const slip = await office.send({ method: 'POST', url: `/api/family-link/${guardianId}/slip`, body: {} });
  expect([slip.status, slip.headers['content-type']]).toEqual([200, 'application/pdf']);
  expect(await cardOf(child, guardianId)).toMatchObject({ state: 'Works', sentOn: expect.stringMatching(/./) });
  expect(await waiting(guardianId)).toEqual([]);
  expect(
    await school.sql(`select action from audit where entity = 'guardian' and entity_id = '${guardianId}' order by id`),
  ).toEqual(Array(2).fill({ action: 'family.link.copied' }));
});

describe('a run', () => {
  test('N13.9 sends to each guardian once though it is worked on twice, and skips those without an address', async () => {
    const [first, second] = [await withoutLink('First', '9825000031'), await withoutLink('Second', '9825000032')];
    const silent = await withoutLink('Silent', '');
    const ids = [first, second, silent].map(({ guardianId }) => guardianId);
    const given = { selection: { ids }, channel: 'SMS' as const };
    const shown = await office.call(linkApi.sendMany, given);
    expect(shown).toMatchObject({ isApplied: false, changed: 2, skippedCount: 1, runId: null });
    const started = await office.call(linkApi.sendMany, { ...given, confirmToken: shown.confirmToken ?? '' });
    await school.sql(`update run set begins_at = null`);
    const run = () => finishRun(school.services, linkRuns, started.runId ?? 0);
    await Promise.all([run(), run()]);
    await run();
    for (const { guardianId } of [first, second]) expect(await waiting(guardianId)).toHaveLength(1);
    expect(await waiting(silent.guardianId)).toEqual([]);
    // Whom the run has just sent to is skipped by the next.
    expect(await office.call(linkApi.sendMany, given)).toMatchObject({ changed: 0, skippedCount: 3 });
  });

  test('N13.14 a run whose connection is cut twice sends to each guardian once', async () => {
    const ids: number[] = [];
    for (const place of [1, 2, 3, 4]) ids.push((await withoutLink(`Adult${place}`, `982500005${place}`)).guardianId);
    const given = { selection: { ids }, channel: 'SMS' as const };
    const { confirmToken } = await office.call(linkApi.sendMany, given);
    const { runId } = await office.call(linkApi.sendMany, { ...given, confirmToken: confirmToken ?? '' });
    await school.sql(`update run set begins_at = null`);
    let turn = 0;
    const cut: RunAct = async (ctx, id, input) => {
      const reason = await linkRuns['family.send'](ctx, id, input);
      turn += 1;
      // After the work and before the commit, as a killed process ends.
      if (turn === 1 || turn === 3) {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(ctx.db);
        await school.sql(`select pg_terminate_backend(${rows[0]?.pid})`);
      }
      return reason;
    };
    let cuts = 0;
    for (let tries = 0; tries < 5; tries += 1)
      await finishRun(school.services, { 'family.send': cut }, runId ?? 0).catch(() => {
        cuts += 1;
      });
    expect(cuts).toBe(2);
    for (const id of ids) expect(await waiting(id)).toHaveLength(1);
    expect(
      await school.sql(
        `select status, count(*)::integer as count from run_row where run_id = ${runId} group by status`,
      ),
    ).toEqual([{ status: 'Done', count: 4 }]);
  });

  test('N13.15 of two guardians at one number who see the same, the first contact gets the link', async () => {
    const child = await seat(school, section, 'Kabir');
    const mobile = '9825000061';
    const first = await raise(school, [child], { firstName: 'Meera', mobile });
    const second = await raise(school, [child], { firstName: 'Rajesh', mobile }, { isPrimary: false });
    const given = { selection: { ids: [first, second] }, channel: 'SMS' as const };
    const shown = await office.call(linkApi.sendMany, given);
    expect(shown).toMatchObject({ changed: 1, skipped: [{ id: second }] });
    expect(shown.skipped[0]?.reason.values).toEqual({ name: 'Meera Shah' });
    // With a child of the second alone, neither message says what the other does.
    await school.sql(`insert into student_guardian (student_id, guardian_id, relation_id, role, is_primary)
      select ${await seat(school, section, 'Tara')}, ${second}, min(id), 'Guardian', true from academic_lookup where kind = 'Relation'`);
    expect(await office.call(linkApi.sendMany, given)).toMatchObject({ changed: 1, skipped: [{ id: first }] });
    await school.sql(`update student_guardian set family_page = 'School matters' where guardian_id = ${second}`);
    expect(await office.call(linkApi.sendMany, given)).toMatchObject({ changed: 2 });
  });

  test('a guardian whose last child left since the start is skipped', async () => {
    const { child, guardianId } = await withoutLink();
    const given = { selection: { ids: [guardianId] }, channel: 'SMS' as const };
    const { confirmToken } = await office.call(linkApi.sendMany, given);
    const { runId } = await office.call(linkApi.sendMany, { ...given, confirmToken: confirmToken ?? '' });
    await school.sql(`update run set begins_at = null;
      update student_section set effective_to = current_date - 1 where student_id = ${child};
      update student_enrollment set status = 'Left', left_on = current_date - 1 where student_id = ${child}`);
    await finishRun(school.services, linkRuns, runId ?? 0);
    expect(await waiting(guardianId)).toEqual([]);
  });
});

test('the list has the guardians with a child here, with the state of the link and its openings', async () => {
  const { guardianId, link } = await openFamilyPage(school);
  await school.send({ method: 'POST', url: `/api/family/opened?family=${link}`, body: {} });
  const { rows } = await office.call(linkList.api.list, { search: 'Aarohi', pageSize: 100 } as never);
  expect(rows.find(({ id }) => id === guardianId)).toMatchObject({
    state: 'Works',
    openings: 1,
    children: expect.stringContaining('Aarohi'),
  });
});

test('who looks through all families finds the pairs that each family has, on any day', async () => {
  const { child } = await withoutLink('Naina', '9825000077');
  await school.sql(`update student_guardian set is_barred = true, is_primary = false where student_id = ${child}`);
  await withoutLink('Leela', '9825000078');
  const rows = await school.sql(`select days.day::text,
      (select count(*) from family_pairs(days.day)) as each, (select count(*) from all_family_pairs(days.day)) as all,
      (select count(*) from (select * from family_pairs(days.day) except select * from all_family_pairs(days.day)) missed) as missed
    from (select starts_on + number as day from academic_year cross join generate_series(-30, 400, 30) number) days`);
  expect(rows.some(({ each }) => Number(each) > 1)).toBe(true);
  for (const row of rows) expect(row).toMatchObject({ all: row.each, missed: 0 });
});
