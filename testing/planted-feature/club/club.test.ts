import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { approvalList } from '#features/approval/contract/approval.ts';
import { enrolmentHook } from '#features/student/contract/hooks.ts';
import { ask } from '#kit/server/hook.ts';
import type { Person } from '#testing/browser.ts';
import { openOwnSchool, openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { readPromises } from '../../../scripts/acceptance.ts';
import { seedDemo } from '../../app/demo.ts';
import { features } from '../../app/features.server.ts';
import { listSearchedPages } from '../../app/pages.ts';
import { findEntry } from '../../app/served-pages.ts';
import { clubMaster } from './contract/masters.ts';
import { memberApi } from './contract/member.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin' });
});
afterAll(() => school.close());

test('P9.9 the operation of a planted feature answers', async () => {
  expect((await admin.send({ url: '/api/club-count' })).json).toEqual({ count: 0 });
});

test('P9.9 the master of a planted feature takes rows', async () => {
  const { status } = await admin.send({ method: 'POST', url: '/api/club', body: { name: 'Chess', isActive: true } });
  expect(status).toBe(200);
  expect((await admin.send({ url: '/api/club-count' })).json).toEqual({ count: 1 });
});

test('P9.9 the settings of a planted feature are saved, a choice and words', async () => {
  const save = (key: string, value: string) =>
    admin.send({ method: 'PUT', url: `/api/academic/setting/${key}`, body: { value, rowVersion: 0 } });
  expect((await save('club.meets-on', 'Sunday')).status).toBe(422);
  expect((await save('club.meets-on', 'Saturday')).json).toEqual({ rowVersion: 1, isHeld: false });
  expect((await save('club.door-sign', 'Knock twice')).json).toEqual({ rowVersion: 1, isHeld: false });
});

test('P9.9 the request of a planted feature is for the head whom its row names', async () => {
  const [head, other] = [await school.person({ role: 'Staff' }), await school.person({ role: 'Staff' })];
  await school.sql(`with one as (insert into club (name, head_id) values ('Drama', ${head.staffId}) returning id)
    insert into approval (kind, club_id, title, requested_by, requested_at)
    select 'club.open', id, '{"id":"Open Drama"}', ${admin.staffId}, now() from one`);
  const waiting = async (who: Person) => (await who.call(approvalList.api.list, { tab: 'forMe' })).rows.length;
  expect([await waiting(head), await waiting(other)]).toEqual([1, 0]);
});

test('P9.9 the guardian of a new member is told, and a picker says how many members a planted club has', async () => {
  const [club] = await school.sql(`insert into club (name) values ('Robotics') returning id`);
  const clubId = Number(club?.id);
  const studentId = await seat(school, await openSection(school), 'Aarav');
  const guardianId = await raise(school, [studentId], { firstName: 'Meera', mobile: '9825000777' });
  await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${guardianId}`);
  const office = await school.person({ role: 'Staff', sets: ['office'] });
  expect(await office.call(memberApi.join, { clubId, studentId })).toEqual({ told: 'Meera Shah', children: 1 });
  expect(await school.sql(`select recipient from outbox where template = 'club.joined'`)).toEqual([
    { recipient: '9825000777' },
  ]);
  const [option] = await office.call(memberApi.clubs, { search: 'Robotics' } as never);
  expect(option).toMatchObject({ name: 'Robotics', detail: '1 members' });

  const change = { studentId, enrollmentId: 0, yearId: 0, kind: 'left', day: '2026-11-29' } as const;
  const answers = await school.services.db
    .transaction()
    .execute((db) => ask({ ...school.context(), db }, enrolmentHook, [change]));
  expect(answers.find(({ by }) => by === 'club')?.output.texts[0]?.values).toEqual({ names: 'Robotics' });
  expect(await school.sql(`select from club_member where student_id = ${studentId}`)).toEqual([]);
});

test('P9.9 the demo holds the rows that a planted feature seeds', async () => {
  const demo = await openOwnSchool({}, { url: inject('postgres').url, template: 'template1' });
  const planted = features.filter(({ masters }) => masters.includes(clubMaster));
  expect(await seedDemo(demo.app, demo.services, { parts: planted })).toBe(true);
  expect(await demo.sql('select name from club')).toEqual([{ name: 'Planted chess' }]);
  await demo.close();
});

test('P9.9 the page of a planted feature is served', () => {
  expect(findEntry('/school-erp/club/club-list')).toBe('browser.html');
});

test('P9.9 the page of a planted feature, which is not in the menu, is found by search', () => {
  const built = features.flatMap(({ pages }) => pages);
  const found = listSearchedPages(built, { role: 'Staff', sets: [] });
  expect(found.map(({ page }) => page.title.id)).toContain('Planted Club List');
  const office = listSearchedPages(built, { role: 'Staff', sets: ['office'] });
  expect(office.flatMap(({ act }) => (act ? [[act.title.id, act.asks]] : []))).toContainEqual([
    'Join a planted club',
    'student',
  ]);
});

test('P9.9 the ids of a planted feature are promised', () => {
  expect(readPromises()).toContain('P9.9');
});
