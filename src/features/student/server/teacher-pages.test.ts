import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { searchApi } from '#features/search/contract.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';

let school: School;
let teacher: Person;
let led: number;
let taught: number;
beforeAll(async () => {
  school = await openSchool();
  led = await openSection(school);
  taught = await openSection(school);
  const other = await openSection(school);
  await school.sql(`update academic_section set name = case id when ${led} then 'A' when ${taught} then 'B' else 'C' end
    where id in (${led}, ${taught}, ${other})`);
  const nisha = await seat(school, led, 'Nisha', { grNo: 'N 1' });
  await seat(school, led, 'Mihir', { grNo: 'N 2' });
  await seat(school, taught, 'Tara', { grNo: 'N 3' });
  await seat(school, other, 'Farida', { grNo: 'N 4' });
  await raise(school, [nisha], { firstName: 'Ramesh', mobile: '5550012345' });
  teacher = await school.person();
  await teach(school, teacher, { sectionId: led });
  await teach(school, teacher, { role: 'Subject teacher', sectionId: led });
  await teach(school, teacher, { role: 'Subject teacher', sectionId: taught });
  await teach(school, teacher, { sectionId: other, role: 'Co-class teacher', until: 'current_date - 1' });
  // A mapping of last year that nobody has ended.
  await teach(school, teacher, { sectionId: await openSection(school, { day: '(current_date - 366)' }) });
  await school.sql(`update configuration_subject set name = 'Subject ' || substr(name, 1, 2)`);
});
afterAll(() => school.close());

const hitsOf = async (person: Person, search: string) =>
  (await person.call(searchApi.find, { search })).flatMap(({ kind, hits }) => (kind === 'student' ? hits : []));

test('L1.25 a teacher’s dashboard has the sections led and taught today, with role, subjects and the number of pupils', async () => {
  const { sections } = await teacher.call(dashboardApi.day, {});
  expect(sections.map(({ id, name, work, people }) => [id, name, work, people])).toEqual([
    [led, expect.stringMatching(/, A$/), expect.stringMatching(/^Class teacher, Subject \w\w$/), 2],
    [taught, expect.stringMatching(/, B$/), expect.stringMatching(/^Subject \w\w$/), 1],
  ]);
});

test('L1.25 the office has no own sections', async () => {
  const office = await school.person({ sets: ['office'] });
  expect(await office.call(dashboardApi.day, {})).toEqual({ hasFailed: false, cells: [], sections: [], coming: [] });
});

test('P3.2 L1.25 a teacher finds the own pupils by name, and no other child', async () => {
  expect((await hitsOf(teacher, 'tara')).map(({ title }) => title)).toEqual(['Tara Shah']);
  expect(await hitsOf(teacher, 'farida')).toEqual([]);
});

test.each(['office', 'principal', 'accountant'] as const)(
  'L1.25 the %s finds every child of the branches with section and masked mobile number',
  async (set) => {
    const person = await school.person({ sets: [set] });
    const [hit] = await hitsOf(person, 'nisha');
    expect(hit?.detail).toMatch(/^N 1 · .*, A · ••••••2345$/);
    expect(JSON.stringify(hit)).not.toContain('5550012345');
    expect((await hitsOf(person, 'farida')).map(({ title }) => title)).toEqual(['Farida Shah']);
  },
);
