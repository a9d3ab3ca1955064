import { afterAll, beforeAll, expect, test } from 'vitest';
import { calendarApi } from '#features/calendar/contract/calendar.ts';
import type { Person } from '#testing/browser.ts';
import {
  checkHomework,
  dayOfJuly,
  giveHomework,
  monday,
  openStage,
  readHomework,
  teachSubject,
} from '#testing/homework.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { checkApi } from '../contract/check.ts';
import { homeworkList } from '../contract/list.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openOwnSchool();
  school.clock.now = monday;
  admin = await school.person({ role: 'Admin' });
});
afterAll(() => school.close());

/** Changes days as the calendar's page does: asked first, then confirmed; returns what was asked. */
async function setDays(from: number, to: number, kind: string, gradeId: number | null) {
  const [year] = await school.sql(
    `select id from academic_year where '${dayOfJuly(from)}' between starts_on and ends_on`,
  );
  const send = async (warned: string) =>
    admin.send({
      method: 'PUT',
      url: '/api/academic/calendar/day',
      body: {
        academicYearId: year?.id,
        rowVersion: (await admin.call(calendarApi.read, { academicYearId: Number(year?.id) })).rowVersion,
        ...{ from: dayOfJuly(from), to: dayOfJuly(to), kind, name: 'Rain', gradeId, warned },
      },
    });
  const asked = await send('');
  if (asked.status === 200) return [];
  const { data } = asked.json.error as { data: { texts: { message: string; values: object }[]; token: string } };
  expect((await send(data.token)).status).toBe(200);
  return data.texts.map(({ values }) => values);
}

async function openClasses() {
  const teacher = await school.person();
  const one = await openStage(school, { stage: 'Middle', names: ['Asha', 'Bina'] });
  const other = await openStage(school, { stage: 'Secondary', names: ['Chirag'] });
  const subjectId = await teachSubject(school, teacher, [one, other]);
  return { teacher, one, other, subjectId };
}

test('FM13 homework due on a day that is closed counts until the next school day of its grade, is not late until then, and as before once the day is opened', async () => {
  const { teacher, one, other, subjectId } = await openClasses();
  const [own = 0, others = 0] = await giveHomework(teacher, [one, other], { subjectId, dueOn: dayOfJuly(10) });
  await school.sql(`update homework_section set digest_on = '${dayOfJuly(6)}' where id in (${own}, ${others})`);
  const listed = async () =>
    (await teacher.call(homeworkList.api.list, { tab: 'all' } as never)).rows.map(({ section, dueOn, countsUntil }) => [
      section,
      dueOn,
      countsUntil,
    ]);
  const stored = async () =>
    school.sql(`select due_on::text as due, counts_until::text as until, news, digest_on::text as digest
      from homework_section where id in (${own}, ${others}) order by id`);

  // Friday 10 and Saturday 11 closed for one grade; Sunday 12 is off.
  expect(await setDays(10, 11, 'Holiday', one.gradeId)).toEqual([
    { section: one.name, title: expect.any(String), day: '13 Jul 2026' },
  ]);
  const regular = { due: dayOfJuly(10), until: dayOfJuly(10), news: 'New', digest: dayOfJuly(6) };
  expect(await stored()).toEqual([
    { due: dayOfJuly(10), until: dayOfJuly(13), news: 'Changed', digest: null },
    regular,
  ]);
  expect((await listed()).toSorted()).toEqual(
    [
      [one.name, dayOfJuly(10), dayOfJuly(13)],
      [other.name, dayOfJuly(10), ''],
    ].toSorted(),
  );

  school.clock.now = new Date('2026-07-13T04:30:00Z');
  const [asha = 0, bina = 0] = one.children;
  await checkHomework(teacher, own, [{ studentId: asha, result: 'Submitted', handedInOn: dayOfJuly(13) }]);
  const statuses = async (id: number) =>
    (await readHomework(teacher, id)).children.map(({ studentId, status }) => [studentId, status]);
  expect(await statuses(own)).toEqual([
    [asha, 'Submitted'],
    [bina, 'Pending'],
  ]);
  expect(await statuses(others)).toEqual([[other.children[0], 'Missing']]);
  // More time must be more than what all have.
  const extend = { id: own, studentId: bina, dueOn: dayOfJuly(13), reason: 'Was ill.' };
  await expect(teacher.call(checkApi.extend, extend)).rejects.toMatchObject({ code: 'invalid' });

  await setDays(10, 11, 'Working day', one.gradeId);
  expect((await stored())[0]).toMatchObject({ due: dayOfJuly(10), until: dayOfJuly(10) });
  expect(await statuses(own)).toEqual([
    [asha, 'Late'],
    [bina, 'Missing'],
  ]);
  school.clock.now = monday;
});

test('more time for a child rolls forward too, the later of both counts, and homework of other days is not named', async () => {
  const { teacher, one, subjectId } = await openClasses();
  const [id = 0] = await giveHomework(teacher, [one], { subjectId, dueOn: dayOfJuly(21) });
  await giveHomework(teacher, [one], { subjectId, dueOn: dayOfJuly(28) });
  const [asha = 0] = one.children;
  await teacher.call(checkApi.extend, { id, studentId: asha, dueOn: dayOfJuly(23), reason: 'Was ill.' });
  expect(await setDays(22, 24, 'Holiday', one.gradeId)).toEqual([]);
  const dueOf = async () => (await readHomework(teacher, id)).children.map(({ dueOn }) => dueOn);
  expect(await dueOf()).toEqual([dayOfJuly(25), dayOfJuly(21)]);
  await setDays(25, 25, 'Holiday', one.gradeId);
  expect(await dueOf()).toEqual([dayOfJuly(27), dayOfJuly(21)]);
});

test('more than three pieces are counted by the day until which they count', async () => {
  const { teacher, one, subjectId } = await openClasses();
  for (let n = 0; n < 4; n++) await giveHomework(teacher, [one], { subjectId, dueOn: dayOfJuly(30), minutes: 5 });
  expect(await setDays(30, 30, 'Holiday', one.gradeId)).toEqual([{ n: 4, day: '31 Jul 2026' }]);
});

test('FM13 a correction of days that have passed tells families nothing; one whose new day is to come does', async () => {
  const { teacher, one, subjectId } = await openClasses();
  const [id = 0] = await giveHomework(teacher, [one], { subjectId, dueOn: dayOfJuly(15) });
  await school.sql(`update homework_section set digest_on = '${dayOfJuly(6)}' where id = ${id}`);
  const stored = async () =>
    (
      await school.sql(`select counts_until::text as until, news, digest_on::text as digest
        from homework_section where id = ${id}`)
    )[0];
  school.clock.now = new Date('2026-07-25T04:30:00Z');
  await setDays(15, 15, 'Holiday', one.gradeId);
  expect(await stored()).toEqual({ until: dayOfJuly(16), news: 'New', digest: dayOfJuly(6) });
  school.clock.now = new Date('2026-07-18T04:30:00Z');
  await setDays(16, 18, 'Holiday', one.gradeId);
  expect(await stored()).toEqual({ until: dayOfJuly(20), news: 'Changed', digest: null });
  school.clock.now = monday;
});
