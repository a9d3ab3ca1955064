import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { teach } from '#testing/teachers.ts';
import { noteApi } from '../contract/note.ts';
import { rubricApi } from '../contract/rubric.ts';

let school: School;
let admin: Person;
let behaviour: number;
let walk: number;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin', name: 'Asha' });
  await admin.call(rubricApi.usual, {});
  const rubrics = await school.sql('select id, name from observation_rubric');
  const idOf = (name: string) => Number(rubrics.find((rubric) => rubric.name === name)?.id);
  [behaviour, walk] = [idOf('Classroom behaviour'), idOf('Classroom walk-through')];
});
afterAll(() => school.close());

const versionsOf = async (id: number) => (await admin.call(rubricApi.versions, { id })).versions;
const domain = (name: string, weight: number | string = '', ...indicators: string[]) => ({
  name,
  weight: String(weight),
  indicators: indicators.map((text) => ({ text, isCritical: false, descriptors: [] })),
});
const save = (id: number, version: number, scaleId: number, domains: object[]) =>
  admin.send({ method: 'PUT', url: `/api/observation/rubric/${id}/draft`, body: { version, scaleId, domains } });
const publish = (id: number, version: number) =>
  admin.send({ method: 'POST', url: `/api/observation/rubric/${id}/publish`, body: { version } });

test('H2.6 the usual set is offered once, with published rubrics', async () => {
  expect((await versionsOf(behaviour)).map(({ number, state }) => [number, state])).toEqual([[1, 'Published']]);
  const again = await admin.send({ method: 'POST', url: '/api/observation/usual', body: {} });
  expect(again.status).toBe(409);
});

test('H2.1 H2.2 a published version never changes: editing makes the next one, and older notes keep their words', async () => {
  const leader = await school.person({ name: 'Ravi' });
  const student = await seat(school, await teach(school, leader), 'Aarav');
  const offerOf = async () =>
    (await leader.call(noteApi.offer, {})).types.find(({ name }) => name === 'Classroom behaviour');
  const type = await offerOf();
  const first = type?.rubric;
  const body = {
    studentIds: [student],
    typeId: type?.id,
    day: new Date(Date.now() + 5.5 * 3_600_000).toISOString().slice(0, 10),
    time: '00:00',
    polarity: 'Positive',
    place: '',
    subjectId: null,
    note: 'Kept the shelf in order.',
    reach: 'All teachers',
    ratings: [{ indicatorId: first?.domains[0]?.indicators[0]?.id, levelId: first?.levels[0]?.id, comment: '' }],
    skills: [],
    actionId: null,
    ownerId: null,
    dueOn: '',
    draftId: null,
  };
  const { json } = await leader.send({ method: 'POST', url: '/api/observation-note', body });
  const saved = await save(behaviour, 0, first?.scaleId ?? 0, [domain('Order', '', 'Puts things back.')]);
  expect(saved.status).toBe(200);
  expect((await publish(behaviour, saved.json.version)).json).toEqual({ number: 2 });
  expect((await versionsOf(behaviour)).map(({ number, state }) => [number, state])).toEqual([
    [2, 'Published'],
    [1, 'Retired'],
  ]);
  expect((await offerOf())?.rubric?.domains.map(({ name }) => name)).toEqual(['Order']);
  const note = (await leader.send({ url: `/api/observation-note/${json.ids[0]}` })).json;
  expect([note.rubric.number, note.rubric.domains[0].name]).toEqual([1, 'Attention']);
  for (const change of [
    `update observation_indicator set text = 'Other'`,
    'delete from observation_domain',
    `insert into observation_domain (version_id, position, name) select min(id), 99, 'X' from observation_rubric_version where state = 'Retired'`,
    `update observation_rubric_version set scale_id = (select max(id) from observation_scale), state = 'Published' where number = 1`,
  ])
    await expect(school.sql(change)).rejects.toThrow('published');
});

test('H2.3 the weights of a rubric for staff must total 100', async () => {
  const [published] = await versionsOf(walk);
  const scaleId = published?.scaleId ?? 0;
  const first = await save(walk, 0, scaleId, [domain('A', '33.33', 'One.'), domain('B', '65.17', 'Two.')]);
  const refused = await publish(walk, first.json.version);
  expect([refused.status, refused.json.error.fields.domains]).toEqual([422, 'The weights total 98.5 %, not 100 %.']);
  const thirds = ['33.33', '33.33', '33.34'].map((weight, place) => domain(`D${place}`, weight, 'Seen.'));
  const second = await save(walk, first.json.version, scaleId, thirds);
  expect((await publish(walk, first.json.version)).status).toBe(409);
  expect((await publish(walk, second.json.version)).status).toBe(200);
});

test('H2.7 a domain without indicators and a scale of one level are refused', async () => {
  const [published] = await versionsOf(behaviour);
  const empty = await save(behaviour, 0, published?.scaleId ?? 0, [domain('Empty')]);
  const refused = await publish(behaviour, empty.json.version);
  expect(Object.keys(refused.json.error.fields)).toEqual(['domains']);
  const [scale] = await school.sql(`insert into observation_scale (name) values ('One level') returning id`);
  await school.sql(`insert into observation_level (scale_id, label, points) values (${scale?.id}, 'Only', 1)`);
  const short = await save(behaviour, empty.json.version, Number(scale?.id), [domain('A', '', 'One.')]);
  expect(Object.keys((await publish(behaviour, short.json.version)).json.error.fields)).toEqual(['scaleId']);
});

test('H2.4 a scale in use loses and gains no level, and its levels keep words and points', async () => {
  const [level] = await school.sql(`select level.id, level.scale_id from observation_level level
    join observation_rubric_version version on version.scale_id = level.scale_id and version.state = 'Published' limit 1`);
  for (const change of [
    `delete from observation_level where id = ${level?.id}`,
    `update observation_level set points = 50 where id = ${level?.id}`,
    `update observation_level set label = 'Other' where id = ${level?.id}`,
    `update observation_level set is_active = false where id = ${level?.id}`,
    `insert into observation_level (scale_id, label, points) values (${level?.scale_id}, 'More', 60)`,
  ])
    await expect(school.sql(change)).rejects.toThrow('published');
  await school.sql(`update observation_level set meaning = 'Seen now and then' where id = ${level?.id}`);
});
