import { afterAll, beforeAll, expect, test } from 'vitest';
import { studentRecordApi } from '#features/student/contract/record.ts';
import { english, verbatim } from '#kit/contract/text.ts';
import {
  checkHomework,
  dayOfJuly,
  giveHomework,
  monday,
  openStage,
  openTaught,
  readHomework,
  refusalOf,
  teachSubject,
} from '#testing/homework.ts';
import { openSchool, type School } from '#testing/school.ts';
import { checkApi } from '../contract/check.ts';
import { homeworkApi } from '../contract/homework.ts';
import { homeworkList } from '../contract/list.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
  school.clock.now = monday;
});
afterAll(() => school.close());

const at = async (moment: string, act: () => Promise<unknown>) => {
  school.clock.now = new Date(moment);
  try {
    await act();
  } finally {
    school.clock.now = monday;
  }
};

test('I1.1 a due day without school is refused with the next school day, which is offered', async () => {
  const { teacher, sections, subjectId } = await openTaught(school);
  await at('2026-07-11T04:30:00Z', async () => {
    const { pairs } = await teacher.call(homeworkApi.given, {});
    const offered = pairs.map(({ sectionId, dueOn }) => [sectionId, dueOn] as const);
    expect(offered.toSorted(([one], [other]) => one - other)).toEqual(sections.map(({ id }) => [id, dayOfJuly(13)]));
    expect(await refusalOf(giveHomework(teacher, sections, { subjectId, dueOn: dayOfJuly(12) }))).toEqual([
      'dueOn',
      'There is no school on this day. The next school day is 13 Jul 2026.',
    ]);
    expect(await giveHomework(teacher, sections, { subjectId, dueOn: dayOfJuly(13) })).toHaveLength(2);
  });
});

test('I1.2 homework for two sections is one content with two lists of children', async () => {
  const { teacher, sections, subjectId } = await openTaught(school);
  const [one = 0, two = 0] = await giveHomework(teacher, sections, {
    subjectId,
    links: 'Https://example.org/a, EXAMPLE.org/b.',
  });
  const homework = await readHomework(teacher, one);
  expect(homework).toMatchObject({
    state: 'Published',
    assignedOn: dayOfJuly(6),
    links: ['https://example.org/a', 'https://example.org/b'],
    others: [{ id: two, section: sections[1]?.name }],
  });
  expect(homework.children.map(({ name, status }) => [name, status])).toEqual([
    ['Aarav Shah', 'Pending'],
    ['Bina Shah', 'Pending'],
    ['Charu Shah', 'Pending'],
  ]);
  expect((await readHomework(teacher, two)).children.map(({ name }) => name)).toEqual(['Dev Shah']);
  const title = 'Exercise 4.3';
  const content = { minutes: 30, kind: 'Written', instructions: '', links: '', maxMarks: null, showsFeedback: true };
  const update = (id: number) =>
    teacher.call(homeworkApi.update, { ...content, id, contentVersion: 1, title, overReason: '' });
  await update(one);
  expect((await readHomework(teacher, two)).title).toBe(title);
  expect(await refusalOf(update(two))).toMatchObject(['stale', expect.anything()]);
});

test('I1.5 a teacher gives only subjects that they are mapped to; a class teacher also one without a teacher', async () => {
  const { teacher, sections, subjectId, first } = await openTaught(school);
  const leader = await school.person();
  await school.sql(`insert into academic_section_teacher (academic_year_id, branch_id, program_id, grade_id, section_id, staff_id, role, effective_from)
    select academic_year_id, branch_id, program_id, grade_id, section_id, ${leader.staffId}, 'Class teacher', effective_from
    from academic_section_teacher where section_id = ${first.id}`);
  const notMapped = 'You are not mapped to this subject in every section. Choose sections that you teach.';
  expect(await refusalOf(giveHomework(leader, [first], { subjectId }))).toEqual(['pairs', notMapped]);
  const other = await school.person();
  const otherSubject = await teachSubject(school, other, [await openStage(school)]);
  expect(await refusalOf(giveHomework(teacher, [first], { subjectId: otherSubject }))).toEqual(['pairs', notMapped]);
  await school.sql(`delete from academic_section_teacher where section_id = ${first.id} and subject_id = ${subjectId}`);
  const { pairs } = await leader.call(homeworkApi.given, {});
  expect(pairs.some((pair) => pair.sectionId === first.id && pair.subjectId === subjectId)).toBe(true);
  const [id = 0] = await giveHomework(leader, [first], { subjectId });
  expect((await readHomework(leader, id)).may.check).toBe(true);
  expect(sections).toHaveLength(2);
});

test('I1.4 late follows from the day of submission, the due day and the child’s own time', async () => {
  const { teacher, subjectId, first } = await openTaught(school);
  const [id = 0] = await giveHomework(teacher, [first], { subjectId });
  const [aarav = 0, bina = 0, charu = 0] = first.children;
  await at('2026-07-14T04:30:00Z', async () => {
    await teacher.call(checkApi.extend, { id, studentId: charu, dueOn: dayOfJuly(13), reason: 'Was ill.' });
    await checkHomework(teacher, id, [
      { studentId: aarav, result: 'Submitted', handedInOn: dayOfJuly(10) },
      { studentId: bina, result: 'Submitted', handedInOn: dayOfJuly(11) },
      { studentId: charu, result: 'Submitted', handedInOn: dayOfJuly(13) },
    ]);
    const statuses = async () =>
      (await readHomework(teacher, id)).children.map(({ status, isLate }) => [status, isLate]);
    expect(await statuses()).toEqual([
      ['Submitted', false],
      ['Late', true],
      ['Submitted', false],
    ]);
    await checkHomework(teacher, id, [
      { studentId: bina, version: 1, result: 'Incomplete', handedInOn: dayOfJuly(11) },
    ]);
    await checkHomework(teacher, id, [
      { studentId: charu, version: 1, result: 'Submitted', handedInOn: dayOfJuly(14) },
    ]);
    expect(await statuses()).toEqual([
      ['Submitted', false],
      ['Incomplete', true],
      ['Late', true],
    ]);
    // Earlier for all: the preview counts, and nothing is changed by it.
    const asked = { id, version: 1, dueOn: dayOfJuly(9), lateUntil: '', overReason: '' };
    const preview = await teacher.call(homeworkApi.move, asked);
    expect(preview).toMatchObject({ becomeLate: 1, becomeOnTime: 0, isApplied: false, tells: false });
    expect((await readHomework(teacher, id)).dueOn).toBe(dayOfJuly(10));
    // Later for all: the child's shorter time counts no longer.
    const later = { ...asked, dueOn: dayOfJuly(14) };
    const { confirmToken } = await teacher.call(homeworkApi.move, later);
    await teacher.call(homeworkApi.move, { ...later, confirmToken: confirmToken ?? '' });
    expect(await statuses()).toEqual([
      ['Submitted', false],
      ['Incomplete', false],
      ['Submitted', false],
    ]);
  });
});

test('I1.7 without a result a child is pending, missing after the due day, and not checked once it is closed', async () => {
  const { teacher, subjectId, first } = await openTaught(school, ['Aarav']);
  const [id = 0] = await giveHomework(teacher, [first], { subjectId });
  const status = async () => (await readHomework(teacher, id)).children.map((child) => child.status).join();
  await at('2026-07-10T14:30:00Z', async () => expect(await status()).toBe('Pending'));
  await at('2026-07-11T04:30:00Z', async () => {
    expect(await status()).toBe('Missing');
    const { version } = await readHomework(teacher, id);
    const closed = await teacher.call(homeworkApi.close, { id, version });
    expect(await status()).toBe('Not checked');
    const [aarav = 0] = first.children;
    expect(await refusalOf(checkHomework(teacher, id, [{ studentId: aarav, result: 'Not done' }]))).toEqual([
      'conflict',
      'This homework is closed. Reopen it first.',
    ]);
    await teacher.call(homeworkApi.reopen, { id, version: closed.version });
    await checkHomework(teacher, id, [{ studentId: aarav, result: 'Not done' }]);
    expect(await status()).toBe('Not done');
  });
});

test('I1.8 children who join later or leave are excused until they are marked, and stored results stay', async () => {
  const { teacher, sections, subjectId, first } = await openTaught(school);
  const [id = 0] = await giveHomework(teacher, [first], { subjectId });
  const [aarav = 0, bina = 0] = first.children;
  const [dev = 0] = sections[1]?.children ?? [];
  const moveTo = (child: number, to: number, day: number) =>
    school.sql(`with left_section as (update student_section set effective_to = '${dayOfJuly(day)}' where student_id = ${child} returning *)
      insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id, effective_from)
      select enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, ${to}, '${dayOfJuly(day)}'::date + 1 from left_section`);
  await at('2026-07-10T04:30:00Z', async () => {
    await moveTo(bina, sections[1]?.id ?? 0, 9);
    await moveTo(dev, first.id, 7);
    const shown = async () =>
      (await readHomework(teacher, id)).children.map(({ name, standing, status }) => [
        name.split(' ')[0],
        standing,
        status,
      ]);
    expect(await shown()).toEqual([
      ['Aarav', 'Given', 'Pending'],
      ['Bina', 'Left the section', 'Excused'],
      ['Charu', 'Given', 'Pending'],
      ['Dev', 'Joined later', 'Excused'],
    ]);
    await checkHomework(teacher, id, [
      { studentId: aarav, result: 'Submitted', handedInOn: dayOfJuly(9) },
      { studentId: dev, result: 'Submitted', handedInOn: dayOfJuly(10) },
    ]);
    // A transfer that is entered late takes the child off the list; the result stays.
    await school.sql(`update student_section set effective_from = '2026-07-20' where student_id = ${aarav}`);
    expect(await shown()).toEqual([
      ['Bina', 'Left the section', 'Excused'],
      ['Charu', 'Given', 'Pending'],
      ['Dev', 'Joined later', 'Submitted'],
      ['Aarav', 'Not on the list', 'Submitted'],
    ]);
    const { rows } = await teacher.call(homeworkList.api.list, { tab: 'toCheck' });
    expect(rows.filter((row) => row.id === id)).toMatchObject([{ submitted: '1/2', checked: '1/2' }]);
  });
});

test('I1.6 results are saved all at once or not at all', async () => {
  const { teacher, subjectId, first } = await openTaught(school);
  const [id = 0] = await giveHomework(teacher, [first], { subjectId, maxMarks: 10 });
  const [aarav = 0, bina = 0] = first.children;
  const results = async () =>
    (await readHomework(teacher, id)).children.map(({ result, marks, version }) => [result, marks, version]);
  const handedInOn = dayOfJuly(6);
  expect(
    await refusalOf(
      checkHomework(teacher, id, [
        { studentId: aarav, result: 'Submitted', handedInOn, marks: 9.5 },
        { studentId: bina, result: 'Submitted', handedInOn, marks: 10.5 },
      ]),
    ),
  ).toEqual(['rows.1', 'Enter at most the marks of this homework, in steps of 0.5.']);
  expect(
    await refusalOf(checkHomework(teacher, id, [{ studentId: aarav, result: 'Submitted', handedInOn: dayOfJuly(7) }])),
  ).toEqual(['rows.0', 'Enter a day that is not in the future.']);
  await checkHomework(teacher, id, [
    { studentId: aarav, result: 'Submitted', handedInOn, marks: 9.5, feedback: 'Neat.' },
  ]);
  expect(
    await refusalOf(
      checkHomework(teacher, id, [
        { studentId: aarav, result: 'Not done' },
        { studentId: bina, result: 'Not done' },
      ]),
    ),
  ).toEqual(['stale', 'Another user changed Aarav Shah. Check these results again.']);
  expect(await results()).toEqual([
    ['Submitted', 9.5, 1],
    ['', null, 0],
    ['', null, 0],
  ]);
  await checkHomework(teacher, id, [{ studentId: aarav, version: 1, result: '' }]);
  expect((await results())[0]).toEqual(['', null, 0]);
  const [{ id: stranger } = { id: 0 }] = await school.sql('select max(id) as id from student');
  expect(
    await refusalOf(checkHomework(teacher, id, [{ studentId: Number(stranger), result: 'Excused' }])),
  ).toMatchObject(['not_found', expect.anything()]);
});

test('I1.9 a draft is published later at its hour, and only drafts are deleted', async () => {
  const { teacher, subjectId, first } = await openTaught(school);
  const [draft = 0] = await giveHomework(teacher, [first], { subjectId, publish: 'Draft' });
  const [later = 0] = await giveHomework(teacher, [first], {
    subjectId,
    publish: 'Later',
    publishOn: dayOfJuly(8),
    publishHour: '08:00',
  });
  const tab = async (name: string) =>
    (await teacher.call(homeworkList.api.list, { tab: name as 'all', sectionId: String(first.id) })).rows.map(
      ({ id, state }) => [id, state],
    );
  expect(await tab('prepared')).toEqual([
    [draft, 'Draft'],
    [later, 'Scheduled'],
  ]);
  await at('2026-07-08T02:29:00Z', async () => expect(await tab('upcoming')).toEqual([]));
  await at('2026-07-08T02:30:00Z', async () => expect(await tab('upcoming')).toEqual([[later, 'Published']]));
  expect(await refusalOf(teacher.call(homeworkApi.remove, { id: later }))).toMatchObject([
    'conflict',
    expect.anything(),
  ]);
  await teacher.call(homeworkApi.remove, { id: draft });
  expect(await tab('prepared')).toEqual([[later, 'Scheduled']]);
  const past = { subjectId, publish: 'Later', publishOn: dayOfJuly(5), publishHour: '08:00' };
  expect(await refusalOf(giveHomework(teacher, [first], past))).toEqual(['publishOn', 'Choose a time in the future.']);
});

test('I1.3 homework that passes the limit of the stage needs a reason, with equal minutes it does not', async () => {
  const { teacher, subjectId, first } = await openTaught(school);
  const colleague = await school.person();
  const otherSubject = await teachSubject(school, colleague, [first]);
  await giveHomework(colleague, [first], { subjectId: otherSubject, minutes: 50 });
  await giveHomework(teacher, [first], { subjectId, minutes: 10, title: 'Fits' });
  expect(await refusalOf(giveHomework(teacher, [first], { subjectId, minutes: 20 }))).toEqual([
    'overReason',
    `${first.name} would have 80 minutes on 10 Jul 2026; the limit is 60.`,
  ]);
  const [id = 0] = await giveHomework(teacher, [first], { subjectId, minutes: 20, overReason: 'Unit test on Monday.' });
  expect((await readHomework(teacher, id)).overReason).toBe('Unit test on Monday.');
  const [other = 0] = await giveHomework(teacher, [first], {
    subjectId,
    minutes: 20,
    dueOn: dayOfJuly(13),
    overReason: 'Not needed.',
  });
  expect((await readHomework(teacher, other)).overReason).toBe('');
});

test('I1.10 of two teachers who publish at once the second sees the first one’s homework', async () => {
  const { teacher, subjectId, first } = await openTaught(school);
  const colleague = await school.person();
  const otherSubject = await teachSubject(school, colleague, [first]);
  const done = await Promise.allSettled([
    giveHomework(teacher, [first], { subjectId, minutes: 40 }),
    giveHomework(colleague, [first], { subjectId: otherSubject, minutes: 40 }),
  ]);
  expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('homework is due in the strip of a child until its day ends', async () => {
  const { teacher, subjectId, first } = await openTaught(school);
  await giveHomework(teacher, [first], { subjectId });
  const [studentId = 0] = first.children;
  const shown = async () =>
    (await teacher.call(studentRecordApi.today, { id: studentId })).find(({ label }) => label.id === 'Homework')?.value;
  await at('2026-07-09T04:30:00Z', async () => {
    expect(english((await shown()) ?? verbatim(''))).toBe('1 for tomorrow');
  });
  await at('2026-07-10T04:30:00Z', async () => {
    expect(english((await shown()) ?? verbatim(''))).toBe('1 for today');
  });
  await at('2026-07-11T04:30:00Z', async () => {
    expect(english((await shown()) ?? verbatim(''))).toBe('Nothing due');
  });
});
