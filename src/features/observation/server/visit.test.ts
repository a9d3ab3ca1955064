import { afterAll, beforeAll, expect, test } from 'vitest';
import { toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { teach } from '#testing/teachers.ts';
import { rubricApi } from '../contract/rubric.ts';
import { visitApi, visitList } from '../contract/visit.ts';

let school: School;
let principal: Person;
let teacher: Person;
let other: Person;
let head: Person;
let typeId: number;
const today = toLocalDate(new Date());

beforeAll(async () => {
  school = await openSchool();
  const admin = await school.person({ role: 'Admin', name: 'Asha' });
  await admin.call(rubricApi.usual, {});
  const [type] = await school.sql(`select id from observation_type where for_whom = 'Staff'`);
  typeId = Number(type?.id);
  principal = await school.person({ name: 'Mina', sets: ['principal'] });
  teacher = await school.person({ name: 'Tara' });
  await teach(school, teacher);
  other = await school.person({ name: 'Om' });
  await teach(school, other);
  head = await school.person({ name: 'Hema' });
  await school.sql(`insert into academic_department (name, staff_id) values ('Science', ${head.staffId})`);
});
afterAll(() => school.close());

const schedule = (who: Person, over: object = {}) =>
  who.send({
    method: 'POST',
    url: '/api/observation-visit',
    body: {
      observedId: teacher.staffId,
      typeId,
      kind: 'Walk-through',
      isAnnounced: false,
      day: today,
      time: '09:30',
      sectionId: null,
      topic: 'Fractions',
      ...over,
    },
  });
const post = (who: Person, id: number, what: string, body: object = {}) =>
  who.send({ method: 'POST', url: `/api/observation-visit/${id}/${what}`, body });
const read = (who: Person, id: number) => who.send({ url: `/api/observation-visit/${id}` });
const versionOf = async (id: number) =>
  Number((await school.sql(`select version from observation_visit where id = ${id}`))[0]?.version);
/** Does an act under the present version. */
const act = async (who: Person, id: number, what: string, body: object = {}) =>
  post(who, id, what, { version: await versionOf(id), ...body });
const rate = async (who: Person, id: number, place: number, label: string) => {
  const [found] = await school.sql(`select indicator.id as indicator, level.id as level from observation_visit visit
    join observation_domain domain on domain.version_id = visit.rubric_version_id
    join observation_indicator indicator on indicator.domain_id = domain.id
    join observation_level level on level.scale_id = visit.scale_id and level.label = '${label}'
    where visit.id = ${id} order by domain.position, indicator.position offset ${place} limit 1`);
  return who.send({
    method: 'PUT',
    url: `/api/observation-visit/${id}/rating`,
    body: { indicatorId: found?.indicator, levelId: found?.level },
  });
};
/** A visit of the principal that goes on, or in the named state. */
async function open(state: 'In progress' | 'Draft' | 'Shared' = 'In progress') {
  const id = Number((await schedule(principal)).json.id);
  await act(principal, id, 'start');
  if (state === 'In progress') return id;
  await rate(principal, id, 0, 'Good');
  await act(principal, id, 'finish');
  if (state === 'Shared') expect((await act(principal, id, 'share')).status).toBe(200);
  return id;
}

test('H3.1 an observer can’t observe themselves, nor a colleague of another department', async () => {
  const fieldOf = async (who: Person, over: object) => Object.keys((await schedule(who, over)).json.error.fields);
  expect(await fieldOf(principal, { observedId: principal.staffId })).toEqual(['observedId']);
  expect(await fieldOf(head, {})).toEqual(['observedId']);
  await expect(
    school.sql(`insert into observation_visit (observed_id, observer_id, type_id, rubric_version_id, scale_id, kind, scheduled_at)
      select ${teacher.staffId}, ${teacher.staffId}, ${typeId}, id, scale_id, 'Peer', now() from observation_rubric_version limit 1`),
  ).rejects.toThrow('observation_visit_self');
});

test('D2.2 H3.2 a teacher sees nothing of a visit before it is shared, but the date of an announced one', async () => {
  const id = await open('Draft');
  const nobody = await read(principal, 999_999);
  for (const who of [teacher, other]) expect((await read(who, id)).text).toBe(nobody.text);
  expect(await teacher.call(visitApi.own, {})).toEqual([]);
  const announced = await schedule(principal, { isAnnounced: true });
  expect((await teacher.call(visitApi.own, {})).map((visit) => [visit.id, visit.score])).toEqual([
    [announced.json.id, ''],
  ]);
  expect((await read(teacher, announced.json.id)).status).toBe(404);
  const second = await school.person({ name: 'Nita', sets: ['principal'] });
  const row = (await second.call(visitList.api.list, { tab: 'all' })).rows.find((visit) => visit.id === id);
  expect([row?.state, row?.score, row?.mayOpen]).toEqual(['Draft', '', false]);
  expect((await read(second, id)).status).toBe(404);
});

test('H3.3 after sharing no rating, evidence or text changes, by the page or in the database', async () => {
  const id = await open('Shared');
  expect((await rate(principal, id, 1, 'Weak')).status).toBe(409);
  expect((await post(principal, id, 'evidence', { text: 'Late.' })).status).toBe(409);
  for (const change of [
    `update observation_visit set strengths = 'Forged' where id = ${id}`,
    `update observation_visit set score = 1 where id = ${id}`,
    `delete from observation_visit_rating where visit_id = ${id}`,
    `insert into observation_visit_evidence (visit_id, at, text) values (${id}, now(), 'Late')`,
    `update observation_visit_share set copy = '{}' where visit_id = ${id}`,
  ])
    await expect(school.sql(change)).rejects.toThrow('shared');
});

test('H3.7 ratings at the moment of sharing are in the shared copy or refused', async () => {
  const id = await open('Draft');
  const version = await versionOf(id);
  const answers = await Promise.all([
    ...[1, 2, 3, 4].map((place) => rate(principal, id, place, 'Strong')),
    post(principal, id, 'share', { version }),
  ]);
  expect(answers.at(-1)?.status).toBe(200);
  const accepted = answers.slice(0, -1).filter(({ status }) => status === 200).length;
  const [copy] = await school.sql(
    `select jsonb_array_length(copy -> 'ratings') as ratings from observation_visit_share where visit_id = ${id}`,
  );
  expect(Number(copy?.ratings)).toBe(1 + accepted);
});

test('H3.4 H3.8 a score leaves out what is not observed, and a critical indicator at the lowest level is flagged', async () => {
  const id = await open();
  const shown = async () => {
    const { score, isFlagged } = (await read(principal, id)).json;
    return [score, isFlagged];
  };
  expect(await shown()).toEqual(['', false]);
  await rate(principal, id, 0, 'Strong');
  await rate(principal, id, 1, 'Not observed');
  expect(await shown()).toEqual(['4.00', false]);
  await rate(principal, id, 4, 'Missing');
  expect(await shown()).toEqual(['1.60', true]);
  await rate(principal, id, 4, 'Not observed');
  expect(await shown()).toEqual(['4.00', false]);
});

test('H3.6 a teacher reads, comments and acknowledges the own report, and no other by its address', async () => {
  const id = await open('Shared');
  expect((await read(other, id)).status).toBe(404);
  expect((await act(other, id, 'acknowledge', { comment: '' })).status).toBe(404);
  expect((await act(principal, id, 'acknowledge', { comment: '' })).status).toBe(403);
  expect((await read(teacher, id)).json.ratings).toHaveLength(1);
  expect((await act(teacher, id, 'acknowledge', { comment: 'Thank you.' })).status).toBe(200);
  expect((await act(teacher, id, 'acknowledge', { comment: 'Again' })).status).toBe(409);
  expect((await act(principal, id, 'close', { reason: '' })).status).toBe(200);
});

test('H3.9 a reopened report keeps what was acknowledged, and is acknowledged again', async () => {
  const id = await open('Shared');
  await act(teacher, id, 'acknowledge', { comment: 'Seen.' });
  expect((await act(principal, id, 'reopen', { reason: '' })).status).toBe(422);
  expect((await act(principal, id, 'reopen', { reason: 'Wrong section' })).status).toBe(200);
  expect((await read(teacher, id)).status).toBe(404);
  await act(principal, id, 'share');
  const again = (await read(teacher, id)).json;
  expect([again.state, again.comment, again.reopened[0].reason]).toEqual(['Shared', '', 'Wrong section']);
  expect(
    await school.sql(`select number, comment, acknowledged_at is not null as acknowledged from observation_visit_share
      where visit_id = ${id} order by number`),
  ).toEqual([
    { number: 1, comment: 'Seen.', acknowledged: true },
    { number: 2, comment: '', acknowledged: false },
  ]);
});

test('H3.10 a visit that is not acknowledged is closed by the principal alone, with a reason', async () => {
  const id = await open('Shared');
  const fields = (await act(principal, id, 'close', { reason: '' })).json.error.fields;
  expect(Object.keys(fields)).toEqual(['reason']);
  expect((await act(principal, id, 'close', { reason: 'On long leave' })).status).toBe(200);
});

test('H3.5 the coverage lists teachers without a shared visit first', async () => {
  await open('Shared');
  const { rows } = await principal.call(visitApi.coverage, {});
  const ids = rows.map(({ id }) => id);
  expect(ids.indexOf(other.staffId)).toBeLessThan(ids.indexOf(teacher.staffId));
  expect(rows.find(({ id }) => id === other.staffId)?.counts.every((count) => count === 0)).toBe(true);
});

test('H3.11 only the steps of a visit are possible in the database', async () => {
  const states = ['Scheduled', 'In progress', 'Draft', 'Shared', 'Acknowledged', 'Closed', 'Cancelled'];
  const id = await open('Shared');
  for (const state of states.filter((word) => !['Shared', 'Acknowledged', 'Closed', 'Draft'].includes(word)))
    await expect(
      school.sql(`update observation_visit set state = '${state}', shared_at = null where id = ${id}`),
    ).rejects.toThrow();
});

test('H3.12 a visit that has not begun is handed over to another observer of the teacher, who alone goes on with it', async () => {
  const { id } = (await schedule(principal)).json;
  const second = await school.person({ name: 'Gita', sets: ['principal'] });
  const offered = (await read(principal, id)).json.observers.map((one: { id: number }) => one.id);
  expect(offered).toContain(second.staffId);
  expect(offered).not.toContain(teacher.staffId);
  const refused = await act(principal, id, 'observer', { observerId: String(other.staffId) });
  expect([refused.status, Object.keys(refused.json.error.fields)]).toEqual([422, ['observerId']]);
  expect((await act(principal, id, 'observer', { observerId: String(second.staffId) })).status).toBe(200);
  expect((await read(principal, id)).status).toBe(404);
  expect((await act(second, id, 'start')).status).toBe(200);
  expect((await act(second, id, 'observer', { observerId: String(principal.staffId) })).status).toBe(409);
});

test('H3.13 a comment on a rating stays while the level changes, and is on the paper of the shared report', async () => {
  const id = await open();
  await rate(principal, id, 0, 'Good');
  const [rating] = (await read(principal, id)).json.ratings;
  const put = (body: object) =>
    principal.send({ method: 'PUT', url: `/api/observation-visit/${id}/rating`, body: { ...rating, ...body } });
  expect((await put({ comment: 'The aim was on the board.' })).status).toBe(200);
  await rate(principal, id, 0, 'Strong');
  expect((await read(principal, id)).json.ratings[0].comment).toBe('The aim was on the board.');
  await act(principal, id, 'finish');
  const paperOf = (who: Person) => who.send({ url: `/api/observation-visit/${id}/paper` });
  expect((await paperOf(principal)).status).toBe(409);
  expect((await paperOf(teacher)).status).toBe(404);
  await act(principal, id, 'share');
  expect((await paperOf(teacher)).status).toBe(200);
  expect((await paperOf(other)).status).toBe(404);
});
