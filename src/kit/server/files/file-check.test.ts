import { createHash, randomUUID } from 'node:crypto';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { withAdvisoryLock } from '#kit/server/job/jobs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { checkFiles } from './file-check.ts';

let school: School;
let logged: string[];
beforeAll(async () => {
  school = await openSchool();
});
beforeEach(() => {
  logged = [];
});
afterAll(() => school.close());

const note = (facts: unknown, words?: string) => void logged.push(`${words} ${JSON.stringify(facts)}`);
const check = () => checkFiles({ ...school.services, log: { info: note, error: note } });
const placeOf = (name: string) => join(school.config.folder, 'files', name.slice(0, 2), name);
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** Bytes in the store without a row, as a request leaves them when it is killed in between. */
async function stranger(minutes: number): Promise<string> {
  const id = randomUUID();
  await school.services.files.put(id, Buffer.from('a paper'));
  utimesSync(placeOf(id), minutesAgo(minutes), minutesAgo(minutes));
  return id;
}

test('UP11 while no file has a row, not even a few bytes without one are removed', async () => {
  const few = await Promise.all(Array.from({ length: 3 }, () => stranger(60)));
  expect((await check())?.whole).toBe(0);
  expect(few.map((id) => existsSync(placeOf(id)))).toEqual([true, true, true]);
  expect(logged.join()).toContain('is this their database?');
  for (const id of few) await school.services.files.remove(id);
});

test('D10 bytes that no row refers to are removed after ten minutes, and nothing else is', async () => {
  const family = await school.inquiry();
  await family.fillAll();
  const kept = await school.sql('select id::text from file');
  for (const { id } of kept) utimesSync(placeOf(String(id)), minutesAgo(90), minutesAgo(90));
  const [old, young] = [await stranger(11), await stranger(9)];
  const draft = `${await stranger(11)}.new`;
  writeFileSync(placeOf(draft), 'half a paper');
  utimesSync(placeOf(draft), minutesAgo(11), minutesAgo(11));

  await check();
  expect([old, draft, young].map((name) => existsSync(placeOf(name)))).toEqual([false, false, true]);
  expect(kept.length).toBeGreaterThan(3);
  for (const { id } of kept) expect(existsSync(placeOf(String(id)))).toBe(true);
  expect((await check())?.strangers).toEqual([]);
});

test('D10 a row without bytes is reported loudly, and the server goes on serving', async () => {
  const family = await school.inquiry();
  const [{ documentFilePath: id }] = (await family.upload('Birth Certificate')).json.data.resultList;
  await school.services.files.remove(id);
  expect((await check())?.missing).toEqual([id]);
  expect(logged).toEqual([`Stored files have lost their bytes {"ids":["${id}"]}`]);
  expect((await school.send({ url: '/readyz' })).status).toBe(200);
  await school.sql(`delete from admission_document; delete from file where id = '${id}'`);
});

test('D10 a database that knows almost none of the files is believed to be the wrong one', async () => {
  const strangers = await Promise.all(Array.from({ length: 120 }, () => stranger(60)));
  expect((await check())?.strangers).toHaveLength(120);
  expect(logged.join()).toContain('is this their database?');
  for (const id of strangers) {
    expect(existsSync(placeOf(id))).toBe(true);
    await school.services.files.remove(id);
  }
});

test('K8 of several instances one does a job, and an instance that fails leaves it to the others', async () => {
  let runs = 0;
  const hold = Promise.withResolvers<void>();
  const first = withAdvisoryLock(school.services.db, 'test', () => hold.promise);
  await expect.poll(() => school.sql(`select 1 from pg_locks where locktype = 'advisory'`)).toHaveLength(1);
  const count = async () => void runs++;
  const others = await Promise.all([1, 2, 3].map(() => withAdvisoryLock(school.services.db, 'test', count)));
  expect([others, runs]).toEqual([[false, false, false], 0]);
  hold.reject(new Error('planned'));
  await expect(first).rejects.toThrow('planned');
  expect([await withAdvisoryLock(school.services.db, 'test', count), runs]).toEqual([true, 1]);
});

test('D10 bytes are sealed, whole and the user’s alone', async () => {
  const id = randomUUID();
  await school.services.files.put(id, Buffer.from('a paper'));
  const [stored] = (await school.services.files.list(id.slice(0, 2))).filter(({ name }) => name === id);
  expect(stored?.writtenAt.getTime()).toBeGreaterThan(minutesAgo(1).getTime());
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  expect(hash(await school.services.files.get(id))).toBe(hash(Buffer.from('a paper')));
});
