import { afterAll, beforeAll, expect, test } from 'vitest';
import { toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { form, openSchool, paper, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { attachedApi } from '../contract/attached.ts';
import { noteList } from '../contract/note.ts';
import { rubricApi } from '../contract/rubric.ts';

let school: School;
let leader: Person;
let teacher: Person;
let stranger: Person;
let principal: Person;
let student: number;
let tagId: number;
const today = toLocalDate(new Date());

beforeAll(async () => {
  school = await openSchool();
  const admin = await school.person({ role: 'Admin', name: 'Asha' });
  await admin.call(rubricApi.usual, {});
  const section = await openSection(school);
  leader = await school.person({ name: 'Ravi' });
  await teach(school, leader, { sectionId: section });
  teacher = await school.person({ name: 'Tara' });
  await teach(school, teacher, { sectionId: section, role: 'Subject teacher' });
  stranger = await school.person({ name: 'Soham' });
  await teach(school, stranger);
  principal = await school.person({ name: 'Mina', sets: ['principal'] });
  student = await seat(school, section, 'Aarav');
  const [tag] = await school.sql(`
    with grouped as (insert into configuration_tag_group (name) values ('Behaviour') returning id)
    insert into configuration_tag (tag_group_id, name, scopes, colour)
      select id, 'Kindness', '{Observation}', 'teal' from grouped returning id`);
  tagId = Number(tag?.id);
});
afterAll(() => school.close());

async function write(reach: string): Promise<number> {
  const [type] = await school.sql(`select id from observation_type where name = 'Anecdotal note'`);
  const { json } = await leader.send({
    method: 'POST',
    url: '/api/observation-note',
    body: {
      studentIds: [student],
      typeId: type?.id,
      day: today,
      time: '00:01',
      polarity: 'Positive',
      place: '',
      subjectId: null,
      note: 'Drew a map of the school.',
      reach,
      ratings: [],
      skills: [],
      actionId: null,
      ownerId: null,
      dueOn: '',
      draftId: null,
    },
  });
  return Number(json.ids[0]);
}
const add = async (who: Person, id: number) =>
  who.send({ method: 'POST', url: `/api/observation-note/${id}/file`, body: form({}, { file: await paper('Map') }) });
const filesOf = async (who: Person, id: number) => (await who.call(attachedApi.attached, { id })).files;
const opens = async (who: Person, id: number, file: string) =>
  (await who.send({ url: `/api/observation-note/${id}/file/${file}` })).status;

test('H1.16 the author adds files, which the readers of the text open and nobody else, at most five', async () => {
  const id = await write('All teachers');
  expect((await add(teacher, id)).status).toBe(404);
  for (let count = 0; count < 5; count++) expect((await add(leader, id)).status).toBe(200);
  expect((await add(leader, id)).status).toBe(422);
  const [file] = await filesOf(teacher, id);
  const address = file?.id ?? '';
  expect([await opens(teacher, id, address), await opens(principal, id, address)]).toEqual([200, 200]);
  expect(await opens(stranger, id, address)).toBe(404);
  const other = await write('All teachers');
  expect(await opens(leader, other, address)).toBe(404);
  await leader.send({ method: 'POST', url: `/api/observation-note/${id}/withdraw`, body: { reason: 'Wrong student' } });
  expect(await opens(teacher, id, address)).toBe(404);
  expect((await add(leader, id)).status).toBe(409);
});

test('H1.16 the files of a restricted note are its author’s alone', async () => {
  const id = await write('Restricted');
  expect((await add(leader, id)).status).toBe(200);
  const [file] = await filesOf(leader, id);
  expect(await filesOf(principal, id)).toEqual([]);
  expect([await opens(leader, id, file?.id ?? ''), await opens(principal, id, file?.id ?? '')]).toEqual([200, 404]);
});

test('H1.17 tags are chosen by the author, find notes in the list, and end with the note or its restriction', async () => {
  const tag = (who: Person, id: number) => who.call(attachedApi.saveTags, { id, before: [], tags: [tagId] });
  const tagsOf = async (who: Person, id: number) =>
    (await who.call(attachedApi.attached, { id })).tags.map(({ name }) => name);
  const found = async (who: Person) =>
    (await who.call(noteList.api.list, { tab: 'all', tagId: String(tagId) })).rows.map(({ id }) => id);
  const [kept, gone, hidden] = [
    await write('All teachers'),
    await write('All teachers'),
    await write('Class teachers'),
  ] as const;
  await expect(tag(teacher, kept)).rejects.toMatchObject({ code: 'not_found' });
  for (const id of [kept, gone, hidden]) await tag(leader, id);
  await expect(tag(leader, kept)).rejects.toMatchObject({ code: 'stale' });
  expect(await tagsOf(teacher, kept)).toEqual(['Kindness']);
  expect((await found(leader)).toSorted()).toEqual([kept, gone, hidden].toSorted());
  expect(await found(stranger)).toEqual([]);
  await leader.send({ method: 'POST', url: `/api/observation-note/${gone}/withdraw`, body: { reason: 'Twice' } });
  await leader.send({
    method: 'POST',
    url: `/api/observation-note/${hidden}/reach`,
    body: { version: 1, reach: 'Restricted', reason: '' },
  });
  expect(await found(leader)).toEqual([kept]);
  await expect(tag(leader, hidden)).rejects.toMatchObject({ code: 'invalid' });
  await expect(
    school.sql(`insert into tag_link (tag_id, entity_type, entity_id) values (${tagId}, 'Observation', ${hidden})`),
  ).rejects.toThrow('a restricted note has no tags');
});
