import { afterAll, beforeAll, expect, test } from 'vitest';
import { raiseWithLink } from '#testing/family.ts';
import { dayOfJuly, giveHomework, monday, openStage, openTaught, teachSubject } from '#testing/homework.ts';
import { openSchool, type School } from '#testing/school.ts';
import { checkApi } from '../contract/check.ts';
import { missingChildApi } from '../contract/missing-child.ts';

let school: School;

beforeAll(async () => {
  school = await openSchool();
  school.clock.now = monday;
});
afterAll(() => school.close());

test('all that a child has not submitted is read by subject, with the day on which its family could see it', async () => {
  const { teacher, first, subjectId } = await openTaught(school);
  const [aarav = 0, bina = 0] = first.children;
  const other = await school.person();
  const otherSubject = await teachSubject(school, other, [first]);
  const [one = 0] = await giveHomework(teacher, [first], {
    subjectId,
    title: 'Fractions',
    minutes: 5,
    dueOn: dayOfJuly(7),
  });
  const [two = 0] = await giveHomework(teacher, [first], {
    subjectId,
    title: 'Angles',
    minutes: 5,
    dueOn: dayOfJuly(8),
  });
  const [three = 0] = await giveHomework(other, [first], {
    ...{ subjectId: otherSubject, title: 'A poem', minutes: 5, dueOn: dayOfJuly(9) },
  });
  await giveHomework(teacher, [first], { subjectId, title: 'Not due yet', minutes: 5, dueOn: dayOfJuly(24) });
  const { guardianId } = await raiseWithLink(school, [aarav]);
  await school.sql(`insert into family_opening (guardian_id, day, times) values (${guardianId}, '2026-07-05', 1),
    (${guardianId}, '2026-07-07', 2), (${guardianId}, '2026-07-08', 1)`);
  school.clock.now = new Date('2026-07-08T04:30:00Z');
  const entered = { version: 0, handedInOn: dayOfJuly(8), marks: null, feedback: '' };
  await teacher.call(checkApi.save, { id: two, rows: [{ ...entered, studentId: aarav, result: 'Submitted' }] });
  school.clock.now = new Date('2026-07-13T04:30:00Z');
  const read = await teacher.call(missingChildApi.read, { id: aarav });
  expect(read).toMatchObject({ studentId: aarav, name: expect.stringContaining('Aarav'), section: first.name });
  const rows = [
    { id: one, title: 'Fractions', dueOn: dayOfJuly(7), status: 'Missing', seenOn: '2026-07-07' },
    { id: three, title: 'A poem', dueOn: dayOfJuly(9), status: 'Missing', seenOn: '2026-07-07' },
  ];
  expect(read.rows.toSorted((a, b) => a.id - b.id)).toMatchObject(rows);
  expect((await teacher.call(missingChildApi.read, { id: bina })).rows.map(({ seenOn }) => seenOn)).toEqual([
    '',
    '',
    '',
  ]);
});

test('a child is read by its own teachers, and by the office of its branch; of others nothing is', async () => {
  const { teacher, first } = await openTaught(school);
  const stranger = await school.person();
  const elsewhere = await openStage(school, { names: ['Zara'] });
  await teachSubject(school, stranger, [elsewhere]);
  const [child = 0] = first.children;
  const office = await school.person({ sets: ['office'] });
  expect((await office.call(missingChildApi.read, { id: child })).rows).toEqual([]);
  expect((await teacher.call(missingChildApi.read, { id: child })).rows).toEqual([]);
  for (const id of [child, 2_000_000_000])
    await expect(stranger.call(missingChildApi.read, { id })).rejects.toMatchObject({ code: 'not_found' });
});
