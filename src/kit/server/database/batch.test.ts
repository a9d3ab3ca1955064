import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#testing/school.ts';
import { anyOf, batched } from './batch.ts';
import type { Database } from './database.ts';

let school: School;
let db: Database;
/** The keys of each statement, as text. */
let asked: string[][] = [];
beforeAll(async () => {
  school = await openSchool();
  db = school.services.db;
  await school.sql('create table thing (key bytea primary key, name text); grant all on thing to shala_app');
  await school.sql(
    `insert into thing select convert_to(n::text, 'UTF8'), 'thing ' || n from generate_series(1, 250) n`,
  );
});
afterAll(() => school.close());

const find = batched(async (db, { keys }: { keys: readonly Buffer[] }) => {
  asked.push(keys.map(String));
  const all = sql<{ key: Buffer; name: string }>`select key, name from thing where key = ${anyOf(keys)}`;
  return (await all.execute(db)).rows;
});
const nameOf = async (key: string, from = db) => (await find(from, Buffer.from(key)))?.name;

test('what is asked for at one moment is one statement, and each is given its own row or none', async () => {
  asked = [];
  const names = await Promise.all(['2', 'none', '1', '2'].map((key) => nameOf(key)));
  expect(names).toEqual(['thing 2', undefined, 'thing 1', 'thing 2']);
  expect(asked).toEqual([['2', 'none', '1', '2']]);
});

test('more than a hundred are asked for in several statements', async () => {
  asked = [];
  const keys = Array.from({ length: 250 }, (_, index) => String(index + 1));
  expect(await Promise.all(keys.map((key) => nameOf(key)))).toEqual(keys.map((key) => `thing ${key}`));
  expect(asked.map(({ length }) => length)).toEqual([100, 100, 50]);
});

test('nothing is kept, and nobody is given the answer to a statement that began before they asked', async () => {
  const key = Buffer.from('3');
  const name = async () => (await find(db, key))?.name;
  expect(await name()).toBe('thing 3');
  await school.sql(`update thing set name = 'another' where name = 'thing 3'`);
  expect(await name()).toBe('another');

  asked = [];
  const first = name();
  while (asked.length === 0) await new Promise(setImmediate);
  await Promise.all([first, name()]);
  expect(asked).toEqual([['3'], ['3']]);
});

test('a transaction asks for itself', async () => {
  await db.transaction().execute(async (inside) => {
    await sql`update thing set name = 'not yet' where name = 'thing 4'`.execute(inside);
    expect(await Promise.all([nameOf('4', inside), nameOf('4')])).toEqual(['not yet', 'thing 4']);
  });
});

test('a failure is told to everybody who waits, and the next asks anew', async () => {
  await school.sql('alter table thing rename to gone');
  const failures = await Promise.allSettled([nameOf('1'), nameOf('2')]);
  expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await school.sql('alter table gone rename to thing');
  expect(await nameOf('1')).toBe('thing 1');
});
