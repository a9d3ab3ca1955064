import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchApi } from '#features/search/contract.ts';
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
import { form, openSchool, paper, type School } from '#testing/school.ts';
import { openSection } from '#testing/teachers.ts';
import { homeworkApi } from '../contract/homework.ts';
import { homeworkList } from '../contract/list.ts';
import { manyApi } from '../contract/many.ts';
import { countsOf, listOfChildren } from './child-homework.ts';
import { homeworkYearEnd } from './year-end.ts';

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

test('I1.11 homework for chosen children is for them alone, and only children of the section are chosen', async () => {
  const { teacher, sections, subjectId, first } = await openTaught(school);
  const [aarav = 0, , charu = 0] = first.children;
  const [id = 0] = await giveHomework(teacher, [first], { subjectId, studentIds: [aarav, charu] });
  const { isForAll, children } = await readHomework(teacher, id);
  expect([isForAll, children.map(({ studentId }) => studentId)]).toEqual([false, [aarav, charu]]);
  const [dev = 0] = sections[1]?.children ?? [];
  expect(await refusalOf(giveHomework(teacher, [first], { subjectId, studentIds: [dev] }))).toMatchObject([
    'studentIds',
    /section/,
  ]);
  expect(await refusalOf(giveHomework(teacher, sections, { subjectId, studentIds: [aarav] }))).toMatchObject([
    'studentIds',
    /one/,
  ]);
  const students = await teacher.call(homeworkApi.students, { sectionId: first.id, subjectId });
  expect(students.map(({ name }) => name)).toEqual(['Aarav Shah', 'Bina Shah', 'Charu Shah']);
});

test('I1.12 a file is added once for all sections, and read only by those who see the homework', async () => {
  const { teacher, sections, subjectId } = await openTaught(school);
  const [one = 0, two = 0] = await giveHomework(teacher, sections, { subjectId });
  const url = `/api/homework/${one}/file`;
  const added = await teacher.send({ method: 'POST', url, body: form({}, { file: await paper('Worksheet') }) });
  expect(added.status).toBe(200);
  const [file] = (await readHomework(teacher, two)).files;
  const at = (id: number) => `/api/homework/${id}/file/${file?.id}`;
  expect((await teacher.send({ method: 'GET', url: at(two) })).status).toBe(200);
  const { teacher: stranger, sections: others, subjectId: subject } = await openTaught(school);
  const [own = 0] = await giveHomework(stranger, others, { subjectId: subject });
  for (const id of [one, own]) expect((await stranger.send({ method: 'GET', url: at(id) })).status).toBe(404);
  expect((await stranger.send({ method: 'DELETE', url: at(one) })).status).toBe(404);
  expect((await teacher.send({ method: 'DELETE', url: at(one) })).status).toBe(200);
  expect((await readHomework(teacher, two)).files).toEqual([]);
  expect(await school.sql(`select id from file where owner = 'homework'`)).toEqual([]);
});

test('I1.13 the diary of a section is a paper of what was given, in the order of days', async () => {
  const { teacher, subjectId, first } = await openTaught(school);
  await giveHomework(teacher, [first], { subjectId, title: 'Seen' });
  await giveHomework(teacher, [first], { subjectId, title: 'Hidden draft', publish: 'Draft' });
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
  const { teacher, subjectId, first } = await openTaught(school);
  const draft = { subjectId, publish: 'Draft', minutes: 40 };
  const ids = [
    await giveHomework(teacher, [first], draft),
    await giveHomework(teacher, [first], { ...draft, dueOn: dayOfJuly(13) }),
  ].flat();
  const [heavy = 0, light = 0] = ids;
  await giveHomework(teacher, [first], { subjectId, minutes: 50 });
  const selection = { ids, isAll: false, query: {} };
  const preview = await teacher.call(manyApi.publishMany, { selection });
  expect(preview).toMatchObject({ changed: 1, skipped: [{ id: heavy }], isApplied: false });
  await teacher.call(manyApi.publishMany, { selection, confirmToken: preview.confirmToken ?? '' });
  expect([(await readHomework(teacher, heavy)).state, (await readHomework(teacher, light)).state]).toEqual([
    'Draft',
    'Published',
  ]);
  const principal = await school.person({ sets: ['principal'] });
  const closing = await principal.call(manyApi.closeMany, { selection });
  await principal.call(manyApi.closeMany, { selection, confirmToken: closing.confirmToken ?? '' });
  expect([(await readHomework(teacher, heavy)).state, (await readHomework(teacher, light)).state]).toEqual([
    'Draft',
    'Closed',
  ]);
});

test('the principal closes all published homework of a year once it has ended, in one act', async () => {
  const { teacher, subjectId, sections, first } = await openTaught(school);
  const other = await openTaught(school);
  await giveHomework(teacher, sections, { subjectId });
  await giveHomework(other.teacher, [other.first], { subjectId: other.subjectId });
  await giveHomework(teacher, [first], { subjectId, publish: 'Draft' });
  const [later = 0] = await giveHomework(teacher, [first], { subjectId, title: 'Later' });
  await school.sql(`update homework_section set publish_at = '2028-01-01' where id = ${later}`);
  const principal = await school.person({ sets: ['principal'] });
  const [year] = await school.sql(`select academic_year_id as id from academic_section where id = ${first.id}`);
  const yearId = Number(year?.id);
  const close = (who: typeof principal, confirmToken?: string | null) =>
    who.call(manyApi.closeYear, { yearId, ...(confirmToken && { confirmToken }) });
  const count = async () => {
    const ctx = { ...school.context(), user: { role: 'Admin' } } as never;
    return (await homeworkYearEnd[0]?.count(ctx, { id: yearId, branches: [] } as never))?.open;
  };
  const states = async () =>
    Object.fromEntries(
      (
        await school.sql(`select state, count(*)::integer as count from homework_section
          where academic_year_id = ${year?.id} group by state`)
      ).map(({ state, count }) => [state, count]),
    ) as Record<string, number>;
  const before = await states();
  // In a year that has not ended, homework is closed one by one from the list.
  expect((await refusalOf(close(principal)))[1]).toMatch(/has not ended/);
  await openSection(school, { day: `date '2027-07-01'` });
  school.clock.now = new Date('2027-06-10T04:30:00Z');
  // What is scheduled was not given: the line of the year's end and the act both leave it out.
  const open = (before.Published ?? 0) - 1;
  expect(await count()).toBe(open);
  expect((await refusalOf(close(teacher)))[0]).toBe('forbidden');
  const preview = await close(principal);
  expect(preview).toMatchObject({ changed: open, skippedCount: 0, isApplied: false });
  await close(principal, preview.confirmToken);
  expect(await states()).toEqual({ Draft: before.Draft, Published: 1, Closed: (before.Closed ?? 0) + open });
  expect(await count()).toBe(0);
  school.clock.now = monday;
  const audited = await school.sql(`select id from audit where action = 'homework.closed'
    and entity_id in (select id from homework_section where academic_year_id = ${year?.id})`);
  expect(audited.length).toBeGreaterThanOrEqual(before.Published ?? 0);
});

test('I1.15 the counts of a child are those of the list, and excused homework counts nowhere', async () => {
  const { teacher, subjectId, first } = await openTaught(school);
  const [aarav = 0, bina = 0] = first.children;
  const results = ['Submitted', 'Submitted', 'Not done', 'Excused'];
  for (const [index, result] of results.entries()) {
    const [id = 0] = await giveHomework(teacher, [first], { subjectId, minutes: 5, title: `Item ${index}` });
    await at('2026-07-11T04:30:00Z', async () => {
      const handedInOn = result === 'Submitted' ? dayOfJuly(index === 0 ? 10 : 11) : '';
      await checkHomework(teacher, id, [{ studentId: aarav, result, handedInOn }]);
    });
  }
  await at('2026-07-12T04:30:00Z', async () => {
    const all = await listOfChildren(school.services, [aarav, bina], { from: dayOfJuly(1), to: dayOfJuly(31) });
    const [one, two] = [aarav, bina].map((child) =>
      countsOf(
        child,
        all.filter(({ studentId }) => studentId === child),
      ),
    );
    expect(one).toMatchObject({
      given: 4,
      perMille: 667,
      counts: { Submitted: 1, Late: 1, 'Not done': 1, Excused: 1 },
    });
    expect(two).toMatchObject({ given: 4, perMille: 0, counts: { Missing: 4 } });
  });
  expect(await listOfChildren(school.services, [aarav], { from: dayOfJuly(20), to: dayOfJuly(31) })).toEqual([]);
  expect(countsOf(aarav, [])).toMatchObject({ given: 0, perMille: null });
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
  const { teacher, sections, subjectId } = await openTaught(school);
  await giveHomework(teacher, sections.slice(0, 1), { subjectId, title: 'Newton’s laws – પ્રકરણ ૭' });
  await giveHomework(teacher, sections.slice(0, 1), { subjectId, title: '100%_(a' });
  const title = search.startsWith('100') ? '100%_(a' : 'Newton’s laws – પ્રકરણ ૭';
  const titles = search.startsWith('77') ? [] : [title];
  const groups = await teacher.call(searchApi.find, { search });
  expect(groups.filter(({ kind }) => kind === 'homework').map(({ hits }) => hits.map((hit) => hit.title))).toEqual(
    titles.map((found) => [found]),
  );
  const { rows } = await teacher.call(homeworkList.api.list, { tab: 'all', search });
  expect(rows.map((row) => row.title)).toEqual(titles);
});
