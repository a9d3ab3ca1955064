import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { people, publish, write } from '#testing/announcements.ts';
import type { Person } from '#testing/browser.ts';
import { form, openSchool, paper, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { announcementApi } from '../contract/announcement.ts';

let school: School;
let office: Person;
const today = toLocalDate(new Date());

beforeAll(async () => {
  school = await openSchool();
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
  school.papers.isReal = true;
  office = await school.person({ sets: ['office'] });
});
afterAll(() => school.close());

/** A section of some children, each with a parent who gets messages. */
async function openClass(names: readonly string[]) {
  const section = await openSection(school, { day: `'${today}'` });
  for (const name of names) {
    const child = await seat(school, section, name, { joinedOn: addDays(today, -9) });
    const guardian = await raise(school, [child], { firstName: `Parent${name}` });
    await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${guardian};
      update guardian set email = '${name.toLowerCase()}@family.example' where id = ${guardian}`);
  }
  return section;
}

async function listOf(section: number): Promise<File> {
  const { status, bytes } = await office.send({ url: `/api/student/export?as=pdf&tab=all&sectionId=${section}` });
  expect(status).toBe(200);
  return new File([new Uint8Array(bytes)], 'students.pdf', { type: 'application/pdf' });
}

const attach = (id: number, file: File) =>
  office.send({ method: 'POST', url: `/api/announcement/${id}/file`, body: form({}, { file }) });

test('FM11 our own list of children is taken for staff, and refused where families would read it, then and later', async () => {
  const section = await openClass(['Aarohi', 'Bina', 'Dev']);
  const list = await listOf(section);
  const toFamilies = await write(school, office, [people('Section', section)]);
  const refused = await attach(toFamilies.id, list);
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('names 3 people')]);
  // Any other PDF is taken.
  expect((await attach(toFamilies.id, await paper('Route'))).status).toBe(200);

  const toStaff = await write(school, office, [people('All staff')], { sendsEmail: false });
  expect((await attach(toStaff.id, list)).status).toBe(200);
  await publish(office, await office.call(announcementApi.read, { id: String(toStaff.id) }));
  const { version } = await office.call(announcementApi.read, { id: String(toStaff.id) });
  const wider = { id: toStaff.id, version, audience: [people('All staff'), people('Section', section)] };
  await expect(office.call(announcementApi.changePeople, wider)).rejects.toThrow('names 3 people');
});
