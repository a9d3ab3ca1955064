import { Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openOwnSchool, type School } from '#testing/school.ts';
import { recordStatements } from '#testing/statements.ts';
import { holdTable } from '#testing/stored.ts';
import { type Database, keepingPlans, openDatabase, overOneConnection, prepared } from './database.ts';

let school: School;
let db: Database;
beforeAll(async () => {
  school = await openOwnSchool();
  db = school.services.db;
  await school.sql('create table thing (name text primary key); grant all on thing to shala_app');
});
afterAll(() => school.close());

const put = (db: Database, name: string) => sql`insert into thing (name) values (${name})`.execute(db);
const things = async () => (await sql<{ name: string }>`select name from thing order by name`.execute(db)).rows;

test('a transaction keeps all of itself or nothing, from its first statement on', async () => {
  await db.transaction().execute(async (inside) => {
    await put(inside, 'one');
    await put(inside, 'two');
  });
  const failing = db.transaction().execute(async (inside) => {
    await put(inside, 'three');
    await put(inside, 'one');
  });
  await expect(failing).rejects.toThrow('duplicate key');
  const first = db.transaction().execute((inside) => put(inside, 'two'));
  await expect(first).rejects.toThrow('duplicate key');
  expect(await things()).toEqual([{ name: 'one' }, { name: 'two' }]);
});

test('a day in SQL is the day in India, so it turns at 18:30 UTC', async () => {
  const { rows } = await sql<{ before: string; after: string }>`select
    (timestamptz '2026-11-27 18:29:59+00')::date as before, (timestamptz '2026-11-27 18:30:00+00')::date as after`.execute(
    db,
  );
  expect(rows).toEqual([{ before: '2026-11-27', after: '2026-11-28' }]);
});

test('a transaction that asks nothing, or is given up before it does, leaves its connection free', async () => {
  for (let time = 0; time < 30; time++) {
    await db.transaction().execute(async () => undefined);
    await expect(db.transaction().execute(() => Promise.reject(new Error('given up')))).rejects.toThrow('given up');
  }
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(db);
  expect(rows).toEqual([]);
});

test('what keeps its plans plans a statement once, and leaves the connection as it was', async () => {
  const find = (one: Database, name: string) => sql`select name from thing where name = ${name}`.execute(one);
  const planned = await keepingPlans(db, async (one) => {
    for (const name of ['one', 'two', 'three']) await find(one, name);
    const { rows } = await sql<{
      kept: number;
      anew: number;
    }>`select generic_plans::integer as kept, custom_plans::integer as anew
      from pg_prepared_statements where statement like 'select name from thing where name =%'`.execute(one);
    return rows;
  });
  expect(planned).toEqual([{ kept: 3, anew: 0 }]);
  const { rows } = await sql<{ plan_cache_mode: string }>`show plan_cache_mode`.execute(db);
  expect(rows).toEqual([{ plan_cache_mode: 'auto' }]);
});

test('a prepared query takes the values of each call, and works in a transaction', async () => {
  const find = prepared((db, { names, not }: { names: string[]; not: string }) =>
    db
      .selectFrom(sql<{ name: string }>`unnest(${names}::text[])`.as<'found'>(sql`found(name)`))
      .where('name', '!=', not)
      .select(['name', sql<string>`${not}::text`.as('other')]),
  );
  expect(await find(db, { names: ['a', 'b'], not: 'a' })).toEqual([{ name: 'b', other: 'a' }]);
  expect(await find(db, { not: 'c', names: ['c', 'd'] })).toEqual([{ name: 'd', other: 'c' }]);
  await db.transaction().execute(async (inside) => {
    await put(inside, 'inside');
    const seen = prepared((db, { name }: { name: string }) =>
      db.selectFrom(sql<{ name: string }>`thing`.as('thing')).where('name', '=', name).select('name'),
    );
    expect([await seen(inside, { name: 'inside' }), await seen(db, { name: 'inside' })]).toEqual([
      [{ name: 'inside' }],
      [],
    ]);
  });
});

const pidOf = async (db: Database) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;

test('statements over one connection are all sent before the first is answered, in a transaction too', async () => {
  const together = (db: Database) =>
    recordStatements(school, (asked, answered) =>
      overOneConnection(db, async (one) => {
        const hold = await holdTable(school, 'thing');
        const waiting = sql`select from thing`.execute(one);
        const pids = Promise.all(Array.from({ length: 20 }, () => pidOf(one)));
        await expect.poll(() => asked.filter((text) => text.includes('pid')).length).toBe(20);
        expect(answered).not.toContain('select from thing');
        await hold.letGo();
        await waiting;
        return new Set(await pids);
      }),
    );
  expect((await together(db)).result.size).toBe(1);
  await db.transaction().execute(async (inside) => {
    expect([...(await together(inside)).result]).toEqual([await pidOf(inside)]);
  });
});

test('statements that are asked together leave in one packet, with what begins their transaction', async () => {
  const asked = (db: Database) => Promise.all(Array.from({ length: 5 }, () => pidOf(db)));
  // Each statement is prepared and the connection is open.
  await keepingPlans(db, asked);
  const sent = vi.spyOn(Socket.prototype as never as { _writev: () => void }, '_writev');
  try {
    await keepingPlans(db, asked);
    // The five with the begin of their transaction, and its end.
    expect(sent).toHaveBeenCalledTimes(2);
  } finally {
    sent.mockRestore();
  }
});

test.each([
  [1, ['4500ms', '4s', '15s']],
  [10, ['45s', '40s', '150s']],
])('with a patience of %i a connection ends what takes longer than %j', async (patience, limits) => {
  const own = openDatabase({ url: school.config.databaseUrl, named: true, patience, onLost: () => undefined });
  const { rows } = await sql<{ limits: string[] }>`
    select array[current_setting('statement_timeout'), current_setting('lock_timeout'),
      current_setting('idle_in_transaction_session_timeout')] as limits`.execute(own);
  await own.destroy();
  expect(rows).toEqual([{ limits }]);
});

test('of statements over one connection one that fails is told once the others are answered', async () => {
  await recordStatements(school, async (_asked, answered) => {
    const failing = overOneConnection(db, (one) =>
      Promise.all([sql`select 1 / 0`.execute(one), sql`select pg_sleep(0.2)`.execute(one), pidOf(one)]),
    );
    await expect(failing).rejects.toThrow('division by zero');
    expect(answered).toHaveLength(2);
  });
  const begun = overOneConnection(db, (one) => one.transaction().execute((inside) => put(inside, 'four')));
  await expect(begun).rejects.toThrow('no transaction');
});

test('J5 what was planned before a migration is planned again after it', async () => {
  const read = () => sql`select * from thing where name = ${'one'}`.execute(db);
  // On every connection of the pool, so that each has this plan.
  await Promise.all(Array.from({ length: 10 }, read));
  await school.sql('alter table thing add column size integer');
  expect((await Promise.all(Array.from({ length: 10 }, read))).map(({ rows }) => rows)).toEqual(
    Array(10).fill([{ name: 'one', size: null }]),
  );
});

test('a connection keeps no more than five hundred statements, and none that is very long', async () => {
  const known = () =>
    sql<{ name: string; length: number }>`
      select name, length(statement) as length from pg_prepared_statements order by length desc`.execute(db);
  for (let number = 0; number < 600; number++) await sql`select ${sql.lit(number)} as number`.execute(db);
  expect((await known()).rows.length).toBeLessThanOrEqual(500);
  const long = sql.join(Array.from({ length: 5000 }, (_, number) => sql`${number}::integer`));
  await sql`select array[${long}]`.execute(db);
  expect((await known()).rows[0]?.length).toBeLessThan(20_000);
});
