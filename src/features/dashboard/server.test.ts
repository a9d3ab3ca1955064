import { afterAll, beforeAll, expect, test } from 'vitest';
import { notificationApi } from '#features/notification/contract.ts';
import { openKept } from '#kit/server/kept.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { dashboardApi } from './contract.ts';

let school: School;
let admin: Person;
let other: Person;

beforeAll(async () => {
  school = await openSchool();
  school.services.kept = openKept({ slow: 0 });
  admin = await school.person({ name: 'Ila', role: 'Admin' });
  other = await school.person({ name: 'Bharat', role: 'Admin' });
});
afterAll(() => school.close());

/** The number of accounts on a user's dashboard. */
async function accountsOn(person: Person) {
  const { cards } = await person.call(dashboardApi.read, {});
  return cards.find(({ title }) => title.id === 'Accounts')?.figures[0]?.value ?? 0;
}

test('a slow figure stays the same for a user until that user changes something', async () => {
  const before = await accountsOn(admin);
  await school.person({ name: 'Chirag', role: 'Staff', sets: ['office'] });
  expect(await accountsOn(other)).toBe(before + 1);
  expect(await accountsOn(admin)).toBe(before);
  await admin.call(notificationApi.read, { ids: [] });
  expect(await accountsOn(admin)).toBe(before + 1);
});

test('a teacher’s slow sections stay the same until that teacher changes something', async () => {
  const section = await openSection(school);
  const teacher = await school.person({ name: 'Nisha' });
  await teach(school, teacher, { sectionId: section });
  const people = async () => (await teacher.call(dashboardApi.day, {})).sections.map((own) => own.people);
  expect(await people()).toEqual([0]);
  await seat(school, section, 'Mihir', { grNo: 'N 1' });
  expect(await people()).toEqual([0]);
  await teacher.call(notificationApi.read, { ids: [] });
  expect(await people()).toEqual([1]);
});
