import { afterAll, beforeAll, expect, test } from 'vitest';
import { english } from '#kit/contract/text.ts';
import {
  checkHomework,
  dayOfJuly,
  giveHomework,
  monday,
  openTaught,
  readHomework,
  refusalOf,
} from '#testing/homework.ts';
import { form, openSchool, paper, type School } from '#testing/school.ts';
import { homeworkApi } from '../contract/homework.ts';
import { homeworkList } from '../contract/list.ts';
import { missingList } from '../contract/missing.ts';
import { tellOfOpenHomework } from './leaving.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
  school.clock.now = monday;
});
afterAll(() => school.close());

/** A skill of the Middle stage, one of the Secondary stage, and a tag for homework. */
async function openMasters() {
  const [row] = await school.sql(`
    with domain as (insert into configuration_skill_domain (name, position) values ('Thinking', 900) returning id),
    middle as (insert into configuration_skill (skill_domain_id, name, stages) select id, 'Solves equations', '{Middle}' from domain returning id),
    secondary as (insert into configuration_skill (skill_domain_id, name, stages) select id, 'Proves', '{Secondary}' from domain returning id),
    own as (insert into configuration_tag_group (name) values ('Kind of work') returning id),
    tag as (insert into configuration_tag (tag_group_id, name, colour, scopes) select id, 'Group work', 'Red', '{Homework}' from own returning id)
    select middle.id as middle, secondary.id as secondary, tag.id as tag from middle, secondary, tag`);
  return { middle: Number(row?.middle), secondary: Number(row?.secondary), tag: Number(row?.tag) };
}

test('I1.16 homework has skills of its stage and tags, and earlier homework is given again with its files', async () => {
  const { middle, secondary, tag } = await openMasters();
  const { teacher, sections, subjectId, first } = await openTaught(school);
  expect(await refusalOf(giveHomework(teacher, [first], { subjectId, skillIds: [secondary] }))).toMatchObject([
    'skillIds',
    /stage/,
  ]);
  const [id = 0] = await giveHomework(teacher, [first], {
    subjectId,
    skillIds: [middle],
    tags: [tag],
    title: 'Graphs',
  });
  const added = await teacher.send({
    method: 'POST',
    url: `/api/homework/${id}/file`,
    body: form({}, { file: await paper('Worksheet') }),
  });
  expect(added.status).toBe(200);
  const given = await readHomework(teacher, id);
  expect([given.skills.map(({ name }) => name), given.tags.map(({ name }) => name)]).toEqual([
    ['Solves equations'],
    ['Group work'],
  ]);
  const { rows } = await teacher.call(homeworkList.api.list, { tab: 'all', tagId: String(tag) } as never);
  expect(rows.map((row) => row.id)).toEqual([id]);

  const [earlier] = await teacher.call(homeworkApi.earlierOptions, { search: 'graph' } as never);
  const { title, skillIds, tags, files } = await teacher.call(homeworkApi.earlier, { id: earlier?.id ?? 0 });
  expect([title, skillIds, tags, files]).toEqual(['Graphs', [middle], [tag], given.files.map(({ name }) => name)]);
  const [again = 0] = await giveHomework(teacher, sections.slice(1), {
    subjectId,
    title,
    skillIds,
    tags,
    copiedFrom: earlier?.id ?? 0,
  });
  const copied = await readHomework(teacher, again);
  expect(copied).toMatchObject({ files: given.files, others: [] });
  expect(copied.homeworkId).not.toBe(given.homeworkId);
  // Its file stays when the first one loses it.
  const url = `/api/homework/${id}/file/${given.files[0]?.id}`;
  expect((await teacher.send({ method: 'DELETE', url })).status).toBe(200);
  expect((await teacher.send({ url: `/api/homework/${again}/file/${given.files[0]?.id}` })).status).toBe(200);
  const stranger = await openTaught(school);
  expect((await stranger.teacher.send({ url: `/api/homework/earlier/${earlier?.id}` })).status).toBe(404);
});

test('I1.17 the students who did not submit are listed with what is missing, those with most first', async () => {
  const { teacher, subjectId, first } = await openTaught(school);
  const [aarav = 0, bina = 0, charu = 0] = first.children;
  const one =
    (await giveHomework(teacher, [first], { subjectId, title: 'First', minutes: 5, dueOn: dayOfJuly(7) }))[0] ?? 0;
  const two =
    (await giveHomework(teacher, [first], { subjectId, title: 'Second', minutes: 5, dueOn: dayOfJuly(8) }))[0] ?? 0;
  school.clock.now = new Date('2026-07-09T04:30:00Z');
  for (const id of [one, two])
    await checkHomework(teacher, id, [{ studentId: aarav, result: 'Submitted', handedInOn: dayOfJuly(7) }]);
  await checkHomework(teacher, one, [
    { studentId: bina, result: 'Not done' },
    { studentId: charu, result: 'Excused' },
  ]);
  const list = () => teacher.call(missingList.api.list, { sectionId: String(first.id) } as never);
  const { rows } = await list();
  expect(rows.map(({ id, missing }) => [id, missing])).toEqual([
    [bina, 2],
    [charu, 1],
  ]);
  expect(rows[0]?.titles).toMatch(/^Second, .*; First, /);
  const { teacher: stranger } = await openTaught(school);
  expect((await stranger.call(missingList.api.list, {} as never)).rows).toEqual([]);
  school.clock.now = monday;
});

test('I1.18 a teacher who leaves is told of the homework that is not closed', async () => {
  const { teacher, subjectId, first } = await openTaught(school);
  await giveHomework(teacher, [first], { subjectId });
  const left = await school.services.db
    .transaction()
    .execute((db) =>
      tellOfOpenHomework.act({ ...school.context(), db }, { staffId: teacher.staffId, lastDay: dayOfJuly(6) } as never),
    );
  expect((left as { ends: never[] }).ends.map(english)).toEqual([expect.stringMatching(/^1 homework/)]);
});
