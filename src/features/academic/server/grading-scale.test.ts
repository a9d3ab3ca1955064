import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { contentsOf, failingAt } from '#testing/failing.ts';
import { openSchool, type School } from '#testing/school.ts';
import { gradingScaleApi } from '../contract/grading-scale.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
});
afterAll(() => school.close());

const path = '/api/academic/grading-scale';
const bands = [
  { min: 61, grade: 'A', points: 9.5 },
  { min: 33, grade: 'B', points: 7 },
  { min: 0, grade: 'C', points: null },
];
let count = 0;
const named = () => `Scale ${++count}`;
const make = async (name = named()) => ({ ...(await admin.call(gradingScaleApi.create, { name, bands })), name });
type Made = Awaited<ReturnType<typeof make>>;
const save = ({ id, ...values }: Made, over: object = {}) =>
  admin.send({ method: 'PUT', url: `${path}/${id}`, body: { ...values, bands, isActive: true, ...over } });
const readBack = async (id: number) => {
  const { rows } = await admin.call(gradingScaleApi.list, {});
  return rows.find((row) => row.id === id);
};
const audited = (id: number) =>
  school.sql(`select actor, action, version, details from audit
    where entity = 'academic_grading_scale' and entity_id = ${id} order by id`);

test('a scale is saved with all its bands, each up to the one above it, and is written down in words', async () => {
  const { id } = await admin.call(gradingScaleApi.create, { name: 'Primary', bands: [...bands].reverse() });
  expect(await readBack(id)).toEqual({
    id,
    name: 'Primary',
    isActive: true,
    version: 1,
    bands: [
      { min: 61, max: 100, grade: 'A', points: 9.5 },
      { min: 33, max: 60, grade: 'B', points: 7 },
      { min: 0, max: 32, grade: 'C', points: null },
    ],
  });

  const fewer = [
    { min: 50, grade: 'A', points: 10 },
    { min: 0, grade: 'C', points: null },
  ];
  const { json } = await save({ id, name: 'Primary', version: 1 }, { bands: fewer, isActive: false });
  expect(json).toEqual({ id, version: 2 });
  expect(await readBack(id)).toMatchObject({
    isActive: false,
    bands: [
      { min: 50, max: 100 },
      { min: 0, max: 49 },
    ],
  });
  await admin.call(gradingScaleApi.remove, { id, version: 2 });
  expect(await readBack(id)).toBeUndefined();
  const [was, is] = ['A 61–100 (9.5), B 33–60 (7), C 0–32', 'A 50–100 (10), C 0–49'];
  expect(await audited(id)).toEqual([
    {
      actor: 'Asha',
      action: 'grading-scale.created',
      version: 1,
      details: { Name: 'Primary', Bands: was, Active: 'Yes' },
    },
    {
      actor: 'Asha',
      action: 'grading-scale.changed',
      version: 2,
      details: { Bands: `${was} → ${is}`, Active: 'Yes → No' },
    },
    {
      actor: 'Asha',
      action: 'grading-scale.removed',
      version: 2,
      details: { Name: 'Primary', Bands: is, Active: 'No' },
    },
  ]);
});

test('a save that changes nothing makes no new version and is not written down', async () => {
  const made = await make();
  expect((await save(made)).json).toEqual({ id: made.id, version: 1 });
  expect(await audited(made.id)).toHaveLength(1);
});

test('errors are shown beside their fields, and nothing is saved', async () => {
  const made = await make();
  const other = await make();
  const wrong = [
    { min: 61, grade: 'A' },
    { min: 61, grade: 'a', points: 11 },
    { min: 5, grade: '' },
  ];
  const { status, json } = await save(made, { name: '', bands: wrong });
  expect([status, json.error.fields]).toEqual([
    422,
    {
      name: 'Name is required.',
      'bands.0.min': 'Already in use. Enter a different one.',
      'bands.1.grade': 'Already in use. Enter a different one.',
      'bands.1.points': 'Enter points from 0 to 10, with at most one decimal.',
      'bands.2.grade': 'Grade is required.',
      'bands.2.min': 'The lowest band must start at 0.',
    },
  ]);
  const taken = { name: 'Already in use. Enter a different one.' };
  expect((await save(made, { name: other.name.toUpperCase() })).json.error.fields).toEqual(taken);
  const again = await admin.send({ method: 'POST', url: path, body: { name: other.name.toLowerCase(), bands } });
  expect(again.json.error.fields).toEqual(taken);
  expect(await readBack(made.id)).toMatchObject({ name: made.name, version: 1, bands: [{ min: 61 }, {}, {}] });
});

test('the database keeps every percent in one band, whoever writes to it', async () => {
  const { id } = await make();
  const rows = (values: string) =>
    school.sql(
      `insert into academic_grading_band (scale_id, min_percent, max_percent, grade, points) values ${values}`,
    );
  const alone = (statement: string) => school.sql(`begin; ${statement}; commit`);
  const own = `academic_grading_band where scale_id = ${id}`;
  await expect(school.sql(`delete from ${own} and grade = 'B'`)).rejects.toThrow('a percent has no grade');
  await expect(school.sql(`delete from ${own} and grade = 'A'`)).rejects.toThrow('a percent has no grade');
  await expect(school.sql(`delete from ${own} and grade = 'C'`)).rejects.toThrow('a percent has no grade');
  await expect(school.sql(`delete from ${own}`)).rejects.toThrow('a percent has no grade');
  await expect(
    school.sql(`update academic_grading_band set min_percent = 34 where scale_id = ${id} and grade = 'B'`),
  ).rejects.toThrow('a percent has no grade');
  await expect(rows(`(${id}, 50, 55, 'X', null)`)).rejects.toThrow('academic_grading_band_overlap');
  await expect(school.sql(`insert into academic_grading_scale (name) values ('Empty')`)).rejects.toThrow(
    'a percent has no grade',
  );
  for (const [values, rule] of [
    ["-1, 0, 'X', null", 'min_percent_check'],
    ["100, 101, 'X', null", 'max_percent_check'],
    ["50, 40, 'X', null", 'academic_grading_band_check'],
    ["0, 0, 'Superb', null", 'grade_check'],
    ["0, 0, '', null", 'grade_check'],
    ["0, 0, 'X', 10.1", 'points_check'],
    ["0, 0, 'X', 9.55", 'points_check'],
  ])
    await expect(rows(`(${id}, ${values})`)).rejects.toThrow(rule);
  await expect(
    alone(`update academic_grading_band set max_percent = 59 where scale_id = ${id} and grade = 'B';
      insert into academic_grading_band (scale_id, min_percent, max_percent, grade) values (${id}, 60, 60, 'b')`),
  ).rejects.toThrow('academic_grading_band_grade_unique');
  // The rule must hold only at the end of a transaction.
  await alone(`update academic_grading_band set min_percent = 34 where scale_id = ${id} and grade = 'B';
    update academic_grading_band set max_percent = 33 where scale_id = ${id} and grade = 'C'`);
  expect(await readBack(id)).toMatchObject({ bands: [{ min: 61 }, { min: 34 }, { max: 33 }] });
});

test('a save from an older version is refused with the saved one', async () => {
  const made = await make();
  await save(made, { name: `${made.name} new` });
  const { status, json } = await save(made, { name: 'Mine' });
  expect([status, json.error.code, json.error.data]).toEqual([
    409,
    'stale',
    { saved: { ...(await readBack(made.id)), name: `${made.name} new`, version: 2 } },
  ]);
  const removed = await admin.send({ method: 'DELETE', url: `${path}/${made.id}`, body: { version: 1 } });
  expect([removed.status, removed.json.error.code]).toEqual([409, 'stale']);
  expect((await save({ ...made, id: 999_999 })).status).toBe(404);
});

test('of ten saves of one scale at once one succeeds and the others are stale', async () => {
  const made = await make();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      save(made, {
        bands: [
          { min: 50 + n, grade: 'A' },
          { min: 0, grade: 'B' },
        ],
      }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  expect(await readBack(made.id)).toMatchObject({ version: 2, bands: [{ max: 100 }, { min: 0 }] });
});

test('a save waits for one that is under way, and is then too old', async () => {
  const made = await make();
  let later: ReturnType<typeof save> | undefined;
  await school.services.db.transaction().execute(async (db) => {
    await db.updateTable('academic_grading_scale').set({ version: 2 }).where('id', '=', made.id).execute();
    later = save(made, { name: 'Mine' });
    const waiting = () =>
      school.sql(`select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%academic_grading_scale%for update%'`);
    await expect.poll(waiting).toHaveLength(1);
  });
  expect((await later)?.json.error.code).toBe('stale');
});

test('of ten scales of one name that are added at once one is', async () => {
  const name = named();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => admin.send({ method: 'POST', url: path, body: { name, bands } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)]);
});

test('a scale in use is not deleted', async () => {
  const { id } = await make();
  await school.sql(`create table referring (scale_id integer references academic_grading_scale);
    insert into referring values (${id})`);
  const { status, json } = await admin.send({ method: 'DELETE', url: `${path}/${id}`, body: { version: 1 } });
  await school.sql('drop table referring');
  expect([status, json.error.message]).toEqual([409, 'This is in use, so it can’t be deleted. Deactivate it instead.']);
  expect((await readBack(id))?.bands).toHaveLength(3);
});

test('grading scales are the Admin’s alone', async () => {
  const office = await school.person({ sets: ['office'] });
  for (const [method, at] of [
    ['GET', path],
    ['POST', path],
    ['PUT', `${path}/1`],
    ['DELETE', `${path}/1`],
  ] as const) {
    const body = method === 'GET' ? undefined : {};
    expect([method, (await office.send({ method, url: at, body })).status]).toEqual([method, 403]);
    expect([method, (await school.browser().send({ method, url: at, body })).status]).toEqual([method, 401]);
  }
});

test('H3 leaves nothing behind whichever of its statements fails', async () => {
  const made = await make();
  const contents = async () => ({ ...(await contentsOf(school)), sign_in_session: '' });
  for (const act of [
    () => admin.send({ method: 'POST', url: path, body: { name: named(), bands } }),
    () => save(made, { name: `${made.name} again`, bands: bands.slice(2) }),
    () => admin.send({ method: 'DELETE', url: `${path}/${made.id}`, body: { version: 2 } }),
  ]) {
    const before = await contents();
    for (let n = 2; ; n++) {
      const { status } = await failingAt(n, act);
      if (status === 200) break;
      expect([n, status, await contents()]).toEqual([n, 500, before]);
    }
  }
});

test('the history of a scale names the users, the newest first; of a deleted scale there is none', async () => {
  const made = await make();
  await save(made, { isActive: false });
  const { rows } = await admin.call(gradingScaleApi.history, { id: made.id });
  expect(rows.map(({ actor, action }) => [actor, action])).toEqual([
    ['Asha', 'changed'],
    ['Asha', 'created'],
  ]);
  expect(rows[0]?.details).toEqual({ Active: 'Yes → No' });
  await admin.call(gradingScaleApi.remove, { id: made.id, version: 2 });
  expect((await admin.send({ url: `${path}/${made.id}/history` })).status).toBe(404);
});
