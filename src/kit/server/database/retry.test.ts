import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { educationAnswers } from '#database/seed/answers.ts';
import { openOwnSchool, type School } from '#testing/school.ts';

let school: School;
beforeAll(async () => {
  school = await openOwnSchool();
  await school.sql('create sequence tries; grant usage on sequence tries to shala_app');
});
beforeEach(() => school.sql('alter sequence tries restart'));
afterAll(() => school.close());

const storedFiles = () =>
  readdirSync(join(school.config.folder, 'files'), { recursive: true }).filter((name) => String(name).includes('-'));
const triesSoFar = async () => Number((await school.sql('select last_value from tries'))[0]?.last_value);

/** Makes the database abort the first transactions that write an audit row, as if they had collided with others. */
async function collide(times: number, code: '40P01' | '40001') {
  await school.sql(`
    create or replace function collide() returns trigger language plpgsql as $$
      begin if nextval('tries') <= ${times} then raise exception 'planned' using errcode = '${code}'; end if; return new; end $$;
    create or replace trigger collide before insert on audit for each row execute function collide()`);
}

test.each(['40P01', '40001'] as const)(
  'K7 K1 D10 an upload given up with %s three times is done once',
  async (code) => {
    const family = await school.inquiry();
    const before = storedFiles().length;
    await collide(3, code);
    const answer = await family.upload('Birth Certificate');
    await school.sql('drop trigger collide on audit');
    expect([answer.status, await triesSoFar()]).toEqual([200, 4]);
    expect(answer.json.data.resultList).toHaveLength(1);
    expect(storedFiles()).toHaveLength(before + 1);
  },
);

test('K7 J9 a save given up once more is refused in calm words, leaves nothing, and its key is still free', async () => {
  const family = await school.inquiry();
  const save = () => family.post('education-history', educationAnswers, { 'idempotency-key': 'given-up-1' });
  await collide(4, '40P01');
  const refused = await save();
  await school.sql('drop trigger collide on audit');
  expect([refused.status, refused.json.code, refused.headers['retry-after'], await triesSoFar()]).toEqual([
    503,
    'unavailable',
    '5',
    4,
  ]);
  expect((await family.get('education-history')).json.data.lstStudentAdmissionChildEducationHistoryModel).toEqual([]);
  expect((await save()).status).toBe(200);
  expect((await save()).status).toBe(200);
  const { length } = (await family.get('education-history')).json.data.lstStudentAdmissionChildEducationHistoryModel;
  expect(length).toBe(1);
});

test('K7 two that change the same rows in opposite order both succeed', async () => {
  const family = await school.inquiry();
  await family.saveAdditionalInfo();
  const other = new pg.Client({ connectionString: school.config.databaseUrl });
  await other.connect();
  await other.query(`begin; update admission_additional_info set version = 5 where inquiry_id = ${family.id}`);
  const saving = family.saveAdditionalInfo({ reasonsForAdmission: 'Near our home' });
  await expect
    .poll(() => school.sql(`select 1 from pg_stat_activity where wait_event = 'transactionid'`))
    .toHaveLength(1);
  // It waits for the save, which waits for it: PostgreSQL aborts one of them after a second.
  await other.query(`update admission_inquiry set status = 'Received' where id = ${family.id}`);
  await other.query('commit');
  await other.end();
  expect((await saving).status).toBe(200);
});
