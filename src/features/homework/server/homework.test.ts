import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchApi } from '#features/search/contract.ts';
import { AppError } from '#kit/contract/errors.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { dayOfJuly, monday, openStage, type TaughtSection, teachSubject } from '#testing/homework.ts';
import { form, openSchool, paper, type School } from '#testing/school.ts';
import { checkApi } from '../contract/check.ts';
import { homeworkApi } from '../contract/homework.ts';
import { homeworkList } from '../contract/list.ts';
import { manyApi } from '../contract/many.ts';
import { homeworkOf } from './child-homework.ts';

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

const content = { title: 'Exercise 4.2', minutes: 30, kind: 'Written', instructions: '', links: '', maxMarks: null };

async function give(
  person: Person,
  sections: readonly TaughtSection[],
  asked: Partial<{
    subjectId: number;
    title: string;
    minutes: number;
    kind: string;
    maxMarks: number | null;
    dueOn: string;
    publish: string;
    publishOn: string;
    publishHour: string;
    studentIds: number[];
    overReason: string;
    links: string;
  }> & { subjectId: number },
) {
  const { subjectId, ...more } = asked;
  const { ids } = await person.call(homeworkApi.create, {
    ...content,
    dueOn: dayOfJuly(10),
    lateUntil: '',
    publish: 'Now',
    publishOn: '',
    publishHour: '',
    overReason: '',
    showsFeedback: true,
    pairs: sections.map(({ id }) => ({ sectionId: id, subjectId })),
    ...more,
  });
  return ids;
}

const refused = async (work: Promise<unknown>): Promise<[string, string]> => {
  try {
    await work;
    return ['', ''];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [field] = Object.entries(error.fields);
    return field ? [field[0], english(field[1])] : [error.code, english(error.text)];
  }
};

/** A teacher of one subject in two sections. */
async function openTwo(names = ['Aarav', 'Bina', 'Charu']) {
  const teacher = await school.person();
  const sections = [await openStage(school, { names }), await openStage(school, { names: ['Dev'] })];
  const subjectId = await teachSubject(school, teacher, sections);
  return { teacher, sections, subjectId, first: sections[0] as TaughtSection };
}

const read = (person: Person, id = 0) => person.call(homeworkApi.read, { id });
const check = (person: Person, id: number, rows: object[]) =>
  person.call(checkApi.save, {
    id,
    rows: rows.map((row) => ({ version: 0, handedInOn: '', marks: null, feedback: '', ...row })) as never,
  });

test('I1.1 a due day without school is refused with the next school day, which is offered', async () => {
  const { teacher, sections, subjectId } = await openTwo();
  await at('2026-07-11T04:30:00Z', async () => {
    const { pairs } = await teacher.call(homeworkApi.given, {});
    const offered = pairs.map(({ sectionId, dueOn }) => [sectionId, dueOn] as const);
    expect(offered.toSorted(([one], [other]) => one - other)).toEqual(sections.map(({ id }) => [id, dayOfJuly(13)]));
    expect(await refused(give(teacher, sections, { subjectId, dueOn: dayOfJuly(12) }))).toEqual([
      'dueOn',
      'There is no school on this day. The next school day is 13 Jul 2026.',
    ]);
    expect(await give(teacher, sections, { subjectId, dueOn: dayOfJuly(13) })).toHaveLength(2);
  });
});

test('I1.2 homework for two sections is one content with two lists of children', async () => {
  const { teacher, sections, subjectId } = await openTwo();
  const [one = 0, two = 0] = await give(teacher, sections, {
    subjectId,
    links: 'https://example.org/a\nhttps://example.org/b',
  });
  const homework = await read(teacher, one);
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
  expect((await read(teacher, two)).children.map(({ name }) => name)).toEqual(['Dev Shah']);
  const title = 'Exercise 4.3';
  await teacher.call(homeworkApi.update, {
    ...content,
    showsFeedback: true,
    id: one,
    contentVersion: 1,
    title,
    overReason: '',
  });
  expect((await read(teacher, two)).title).toBe(title);
  expect(
    await refused(
      teacher.call(homeworkApi.update, { ...content, showsFeedback: true, id: two, contentVersion: 1, overReason: '' }),
    ),
  ).toMatchObject(['stale', expect.anything()]);
});

test('I1.5 a teacher gives only subjects that they are mapped to; a class teacher also one without a teacher', async () => {
  const { teacher, sections, subjectId, first } = await openTwo();
  const leader = await school.person();
  await school.sql(`insert into academic_section_teacher (academic_year_id, branch_id, program_id, grade_id, section_id, staff_id, role, effective_from)
    select academic_year_id, branch_id, program_id, grade_id, section_id, ${leader.staffId}, 'Class teacher', effective_from
    from academic_section_teacher where section_id = ${first.id}`);
  const notMapped = 'You are not mapped to this subject in every section. Choose sections that you teach.';
  expect(await refused(give(leader, [first], { subjectId }))).toEqual(['pairs', notMapped]);
  const other = await school.person();
  const otherSubject = await teachSubject(school, other, [await openStage(school)]);
  expect(await refused(give(teacher, [first], { subjectId: otherSubject }))).toEqual(['pairs', notMapped]);
  await school.sql(`delete from academic_section_teacher where section_id = ${first.id} and subject_id = ${subjectId}`);
  const { pairs } = await leader.call(homeworkApi.given, {});
  expect(pairs.some((pair) => pair.sectionId === first.id && pair.subjectId === subjectId)).toBe(true);
  const [id = 0] = await give(leader, [first], { subjectId });
  expect((await read(leader, id)).may.check).toBe(true);
  expect(sections).toHaveLength(2);
});

test('I1.4 late follows from the day of submission, the due day and the child’s own time', async () => {
  const { teacher, subjectId, first } = await openTwo();
  const [id = 0] = await give(teacher, [first], { subjectId });
  const [aarav = 0, bina = 0, charu = 0] = first.children;
  await at('2026-07-14T04:30:00Z', async () => {
    await teacher.call(checkApi.extend, { id, studentId: charu, dueOn: dayOfJuly(13), reason: 'Was ill.' });
    await check(teacher, id, [
      { studentId: aarav, result: 'Submitted', handedInOn: dayOfJuly(10) },
      { studentId: bina, result: 'Submitted', handedInOn: dayOfJuly(11) },
      { studentId: charu, result: 'Submitted', handedInOn: dayOfJuly(13) },
    ]);
    const statuses = async () => (await read(teacher, id)).children.map(({ status, isLate }) => [status, isLate]);
    expect(await statuses()).toEqual([
      ['Submitted', false],
      ['Late', true],
      ['Submitted', false],
    ]);
    await check(teacher, id, [{ studentId: bina, version: 1, result: 'Incomplete', handedInOn: dayOfJuly(11) }]);
    await check(teacher, id, [{ studentId: charu, version: 1, result: 'Submitted', handedInOn: dayOfJuly(14) }]);
    expect(await statuses()).toEqual([
      ['Submitted', false],
      ['Incomplete', true],
      ['Late', true],
    ]);
    // Earlier for all: the preview counts, and nothing is changed by it.
    const asked = { id, version: 1, dueOn: dayOfJuly(9), lateUntil: '', overReason: '' };
    const preview = await teacher.call(homeworkApi.move, asked);
    expect(preview).toMatchObject({ becomeLate: 1, becomeOnTime: 0, isApplied: false, tells: false });
    expect((await read(teacher, id)).dueOn).toBe(dayOfJuly(10));
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
  const { teacher, subjectId, first } = await openTwo(['Aarav']);
  const [id = 0] = await give(teacher, [first], { subjectId });
  const status = async () => (await read(teacher, id)).children.map((child) => child.status).join();
  await at('2026-07-10T14:30:00Z', async () => expect(await status()).toBe('Pending'));
  await at('2026-07-11T04:30:00Z', async () => {
    expect(await status()).toBe('Missing');
    const { version } = await read(teacher, id);
    const closed = await teacher.call(homeworkApi.close, { id, version });
    expect(await status()).toBe('Not checked');
    const [aarav = 0] = first.children;
    expect(await refused(check(teacher, id, [{ studentId: aarav, result: 'Not done' }]))).toEqual([
      'conflict',
      'This homework is closed. Reopen it first.',
    ]);
    await teacher.call(homeworkApi.reopen, { id, version: closed.version });
    await check(teacher, id, [{ studentId: aarav, result: 'Not done' }]);
    expect(await status()).toBe('Not done');
  });
});

test('I1.8 children who join later or leave are excused until they are marked, and stored results stay', async () => {
  const { teacher, sections, subjectId, first } = await openTwo();
  const [id = 0] = await give(teacher, [first], { subjectId });
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
      (await read(teacher, id)).children.map(({ name, standing, status }) => [name.split(' ')[0], standing, status]);
    expect(await shown()).toEqual([
      ['Aarav', 'Given', 'Pending'],
      ['Bina', 'Left the section', 'Excused'],
      ['Charu', 'Given', 'Pending'],
      ['Dev', 'Joined later', 'Excused'],
    ]);
    await check(teacher, id, [
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
  const { teacher, subjectId, first } = await openTwo();
  const [id = 0] = await give(teacher, [first], { subjectId, maxMarks: 10 });
  const [aarav = 0, bina = 0] = first.children;
  const results = async () =>
    (await read(teacher, id)).children.map(({ result, marks, version }) => [result, marks, version]);
  const handedInOn = dayOfJuly(6);
  expect(
    await refused(
      check(teacher, id, [
        { studentId: aarav, result: 'Submitted', handedInOn, marks: 9.5 },
        { studentId: bina, result: 'Submitted', handedInOn, marks: 10.5 },
      ]),
    ),
  ).toEqual(['rows.1', 'Enter at most the marks of this homework, in steps of 0.5.']);
  expect(
    await refused(check(teacher, id, [{ studentId: aarav, result: 'Submitted', handedInOn: dayOfJuly(7) }])),
  ).toEqual(['rows.0', 'Enter a day that is not in the future.']);
  await check(teacher, id, [{ studentId: aarav, result: 'Submitted', handedInOn, marks: 9.5, feedback: 'Neat.' }]);
  expect(
    await refused(
      check(teacher, id, [
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
  await check(teacher, id, [{ studentId: aarav, version: 1, result: '' }]);
  expect((await results())[0]).toEqual(['', null, 0]);
  const [{ id: stranger } = { id: 0 }] = await school.sql('select max(id) as id from student');
  expect(await refused(check(teacher, id, [{ studentId: Number(stranger), result: 'Excused' }]))).toMatchObject([
    'not_found',
    expect.anything(),
  ]);
});

test('I1.9 a draft is published later at its hour, and only drafts are deleted', async () => {
  const { teacher, subjectId, first } = await openTwo();
  const [draft = 0] = await give(teacher, [first], { subjectId, publish: 'Draft' });
  const [later = 0] = await give(teacher, [first], {
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
  expect(await refused(teacher.call(homeworkApi.remove, { id: later }))).toMatchObject(['conflict', expect.anything()]);
  await teacher.call(homeworkApi.remove, { id: draft });
  expect(await tab('prepared')).toEqual([[later, 'Scheduled']]);
  const past = { subjectId, publish: 'Later', publishOn: dayOfJuly(5), publishHour: '08:00' };
  expect(await refused(give(teacher, [first], past))).toEqual(['publishOn', 'Choose a time in the future.']);
});

test('I1.3 homework that passes the limit of the stage needs a reason, with equal minutes it does not', async () => {
  const { teacher, subjectId, first } = await openTwo();
  const colleague = await school.person();
  const otherSubject = await teachSubject(school, colleague, [first]);
  await give(colleague, [first], { subjectId: otherSubject, minutes: 50 });
  await give(teacher, [first], { subjectId, minutes: 10, title: 'Fits' });
  expect(await refused(give(teacher, [first], { subjectId, minutes: 20 }))).toEqual([
    'overReason',
    `${first.name} would have 80 minutes on 10 Jul 2026; the limit is 60.`,
  ]);
  const [id = 0] = await give(teacher, [first], { subjectId, minutes: 20, overReason: 'Unit test on Monday.' });
  expect((await read(teacher, id)).overReason).toBe('Unit test on Monday.');
  const [other = 0] = await give(teacher, [first], {
    subjectId,
    minutes: 20,
    dueOn: dayOfJuly(13),
    overReason: 'Not needed.',
  });
  expect((await read(teacher, other)).overReason).toBe('');
});

test('I1.10 of two teachers who publish at once the second sees the first one’s homework', async () => {
  const { teacher, subjectId, first } = await openTwo();
  const colleague = await school.person();
  const otherSubject = await teachSubject(school, colleague, [first]);
  const done = await Promise.allSettled([
    give(teacher, [first], { subjectId, minutes: 40 }),
    give(colleague, [first], { subjectId: otherSubject, minutes: 40 }),
  ]);
  expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('I1.11 homework for chosen children is for them alone, and only children of the section are chosen', async () => {
  const { teacher, sections, subjectId, first } = await openTwo();
  const [aarav = 0, , charu = 0] = first.children;
  const [id = 0] = await give(teacher, [first], { subjectId, studentIds: [aarav, charu] });
  const { isForAll, children } = await read(teacher, id);
  expect([isForAll, children.map(({ studentId }) => studentId)]).toEqual([false, [aarav, charu]]);
  const [dev = 0] = sections[1]?.children ?? [];
  expect(await refused(give(teacher, [first], { subjectId, studentIds: [dev] }))).toMatchObject([
    'studentIds',
    /section/,
  ]);
  expect(await refused(give(teacher, sections, { subjectId, studentIds: [aarav] }))).toMatchObject([
    'studentIds',
    /one/,
  ]);
  const students = await teacher.call(homeworkApi.students, { sectionId: first.id, subjectId });
  expect(students.map(({ name }) => name)).toEqual(['Aarav Shah', 'Bina Shah', 'Charu Shah']);
});

test('I1.12 a file is added once for all sections, and read only by those who see the homework', async () => {
  const { teacher, sections, subjectId } = await openTwo();
  const [one = 0, two = 0] = await give(teacher, sections, { subjectId });
  const url = `/api/homework/${one}/file`;
  const added = await teacher.send({ method: 'POST', url, body: form({}, { file: await paper('Worksheet') }) });
  expect(added.status).toBe(200);
  const [file] = (await read(teacher, two)).files;
  const at = (id: number) => `/api/homework/${id}/file/${file?.id}`;
  expect((await teacher.send({ method: 'GET', url: at(two) })).status).toBe(200);
  const { teacher: stranger, sections: others, subjectId: subject } = await openTwo();
  const [own = 0] = await give(stranger, others, { subjectId: subject });
  for (const id of [one, own]) expect((await stranger.send({ method: 'GET', url: at(id) })).status).toBe(404);
  expect((await stranger.send({ method: 'DELETE', url: at(one) })).status).toBe(404);
  expect((await teacher.send({ method: 'DELETE', url: at(one) })).status).toBe(200);
  expect((await read(teacher, two)).files).toEqual([]);
  expect(await school.sql(`select id from file where owner = 'homework'`)).toEqual([]);
});

test('I1.13 the diary of a section is a paper of what was given, in the order of days', async () => {
  const { teacher, subjectId, first } = await openTwo();
  await give(teacher, [first], { subjectId, title: 'Seen' });
  await give(teacher, [first], { subjectId, title: 'Hidden draft', publish: 'Draft' });
  const url = (to: string) => `/api/homework/diary?sectionId=${first.id}&from=2026-07-06&to=${to}`;
  expect((await teacher.send({ method: 'GET', url: url('2026-07-11') })).status).toBe(200);
  const { words } = school.papers.last();
  expect([words.includes('Seen'), words.includes('Hidden'), words.includes('10Jul2026')]).toEqual([true, false, true]);
  expect((await teacher.send({ method: 'GET', url: url('2026-10-11') })).json.error.fields).toHaveProperty('to');
  const stranger = await school.person({ sets: [] });
  await teachSubject(school, stranger, [await openStage(school)]);
  expect((await stranger.send({ method: 'GET', url: url('2026-07-11') })).status).toBe(404);
});

test('I1.14 drafts are published and homework is closed in one act, and what cannot be is named', async () => {
  const { teacher, subjectId, first } = await openTwo();
  const draft = { subjectId, publish: 'Draft', minutes: 40 };
  const ids = [
    await give(teacher, [first], draft),
    await give(teacher, [first], { ...draft, dueOn: dayOfJuly(13) }),
  ].flat();
  const [heavy = 0, light = 0] = ids;
  await give(teacher, [first], { subjectId, minutes: 50 });
  const selection = { ids, isAll: false, query: {} };
  const preview = await teacher.call(manyApi.publishMany, { selection });
  expect(preview).toMatchObject({ changed: 1, skipped: [{ id: heavy }], isApplied: false });
  await teacher.call(manyApi.publishMany, { selection, confirmToken: preview.confirmToken ?? '' });
  expect([(await read(teacher, heavy)).state, (await read(teacher, light)).state]).toEqual(['Draft', 'Published']);
  const principal = await school.person({ sets: ['principal'] });
  const closing = await principal.call(manyApi.closeMany, { selection });
  await principal.call(manyApi.closeMany, { selection, confirmToken: closing.confirmToken ?? '' });
  expect([(await read(teacher, heavy)).state, (await read(teacher, light)).state]).toEqual(['Draft', 'Closed']);
});

test('I1.15 the counts of a child are those of the list, and excused homework counts nowhere', async () => {
  const { teacher, subjectId, first } = await openTwo();
  const [aarav = 0, bina = 0] = first.children;
  const results = ['Submitted', 'Submitted', 'Not done', 'Excused'];
  for (const [index, result] of results.entries()) {
    const [id = 0] = await give(teacher, [first], { subjectId, minutes: 5, title: `Item ${index}` });
    await at('2026-07-11T04:30:00Z', async () => {
      const handedInOn = result === 'Submitted' ? dayOfJuly(index === 0 ? 10 : 11) : '';
      await check(teacher, id, [{ studentId: aarav, result, handedInOn }]);
    });
  }
  await at('2026-07-12T04:30:00Z', async () => {
    const [one, two] = await homeworkOf(school.services, [aarav, bina], dayOfJuly(1), dayOfJuly(31));
    expect(one).toMatchObject({
      given: 4,
      perMille: 667,
      counts: { Submitted: 1, Late: 1, 'Not done': 1, Excused: 1 },
    });
    expect(two).toMatchObject({ given: 4, perMille: 0, counts: { Missing: 4 } });
  });
  expect(await homeworkOf(school.services, [aarav], dayOfJuly(20), dayOfJuly(31))).toMatchObject([
    { given: 0, perMille: null },
  ]);
});

test.each([
  'newton\u2019s LAWS',
  "Newton's laws",
  'પ્રકરણ 7',
  'પ્રકરણ ૭',
  'પ્ર\u200cકરણ ७',
  'laws - ',
  '100%_(a',
  '7'.repeat(100),
])('homework is found by its title however it is typed: %j', async (search) => {
  const { teacher, sections, subjectId } = await openTwo();
  await give(teacher, sections.slice(0, 1), { subjectId, title: 'Newton’s laws – પ્રકરણ ૭' });
  await give(teacher, sections.slice(0, 1), { subjectId, title: '100%_(a' });
  const title = search.startsWith('100') ? '100%_(a' : 'Newton’s laws – પ્રકરણ ૭';
  const titles = search.startsWith('77') ? [] : [title];
  const groups = await teacher.call(searchApi.find, { search });
  expect(groups.filter(({ kind }) => kind === 'homework').map(({ hits }) => hits.map((hit) => hit.title))).toEqual(
    titles.map((found) => [found]),
  );
  const { rows } = await teacher.call(homeworkList.api.list, { tab: 'all', search });
  expect(rows.map((row) => row.title)).toEqual(titles);
});
