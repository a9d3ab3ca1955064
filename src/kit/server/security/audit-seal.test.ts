// Smoke: runs on the oldest PostgreSQL too.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openOwnSchool, type School } from '#testing/school.ts';
import { audit } from './audit.ts';
import { type Head, isIntact, readHead, sealAudit, verifyAudit } from './audit-seal.ts';

let school: School;
/** A second school, whose audit log is empty at the start of each test that uses it. */
let other: School;
beforeAll(async () => {
  [school, other] = await Promise.all([openOwnSchool(), openOwnSchool()]);
});
afterAll(async () => {
  await school.close();
  await other.close();
});

/** As a superuser who bypasses the database's own rules. */
const tamper = (own: School, statement: string) =>
  own.sql(`begin; set local session_replication_role = replica; ${statement}; commit`);

async function emptyAudit(): Promise<School> {
  await tamper(other, 'truncate audit, audit_seal restart identity');
  await other.sql('drop table if exists two, cut');
  return other;
}

const act = (number: number) =>
  audit(school.context(), {
    actor: 'Test',
    action: 'test.done',
    entity: 'test',
    entityId: number,
    details: { number },
  });

test('H4 rows are sealed once, in order, and by whoever comes first', async () => {
  await school.sql(`insert into audit (actor, action, entity, entity_id, request_id)
    select 'Test', 'test.done', 'test', number, 'x' from generate_series(1, 1200) number`);
  await Promise.all(
    Array.from({ length: 9 }, () => school.services.db.selectFrom('audit').select('id').limit(1).execute()),
  );
  const counts = await Promise.all(Array.from({ length: 9 }, () => sealAudit(school.services)));
  expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(1200);
  expect(await sealAudit(school.services)).toBe(0);
  const ids = (await school.sql('select audit_id from audit_seal order by number')).map(({ audit_id }) =>
    Number(audit_id),
  );
  expect(ids).toEqual([...ids].sort((left, right) => left - right));
  const verdict = await verifyAudit(school.services);
  expect(verdict.brokenAt).toBeUndefined();
  expect(verdict.sealed).toBeGreaterThanOrEqual(1200);
});

test('H4 a chain fits the key it was made with, and no other', async () => {
  await act(1);
  await sealAudit(school.services);
  const { code } = school.services.keys;
  const other = { ...code, find: () => Buffer.alloc(32) };
  const verdict = await verifyAudit({ ...school.services, keys: { ...school.services.keys, code: other } });
  expect(verdict.brokenAt).toBe(1);
});

const middle = `(select id from audit where entity = 'test' and entity_id = 10)`;

test('H4 the verifier finds an edit of whichever column, made as superuser', async () => {
  const others: Record<string, string> = {
    at: `at + interval '1 microsecond'`,
    entity_id: 'entity_id + 1',
    version: 'coalesce(version, 0) + 1',
    address: `'10.9.8.7'`,
    details: `details || '{"more": 1}'`,
    account_id: '1',
    role: `'Admin'`,
    session: '1',
    result: `'refused'`,
  };
  await act(99);
  await sealAudit(school.services);
  const columns = await school.sql(`select column_name as name from information_schema.columns
    where table_name = 'audit' and column_name <> 'id'`);
  for (const { name } of columns) {
    const other = others[String(name)] ?? `${name} || 'x'`;
    const change = (to: string) =>
      tamper(school, `update audit set ${name} = ${to} where id = (select max(audit_id) from audit_seal)`);
    await school.sql('drop table if exists kept; create table kept as select * from audit order by id desc limit 1');
    await change(other);
    expect([name, (await verifyAudit(school.services)).brokenAt]).toEqual([name, expect.any(Number)]);
    await change(`(select ${name} from kept)`);
    expect([name, (await verifyAudit(school.services)).brokenAt]).toEqual([name, undefined]);
  }
});

test.each([
  ['an edit', `update audit set details = '{"number": 99}' where id = ${middle}`],
  ['another actor', `update audit set actor = 'Somebody else' where id = ${middle}`],
  ['another time', `update audit set at = at - interval '1 microsecond' where id = ${middle}`],
  ['a cut', `delete from audit where id = ${middle}`],
  ['a cut with its seal', `delete from audit_seal where audit_id = ${middle}`],
  [
    'a swap with the seals',
    `create table two as select number, audit_id, seal, row_number() over (order by number) as place from audit_seal
       where audit_id in (select id from audit where entity = 'test' and entity_id in (10, 11));
     delete from audit_seal where number in (select number from two);
     insert into audit_seal select two.number, other.audit_id, (select key_id from audit_seal limit 1), other.seal
       from two join two other on other.place <> two.place`,
  ],
  ['a swap', `update audit set entity_id = 21 - entity_id where entity = 'test' and entity_id in (10, 11)`],
])('H4 the verifier finds %s, made as superuser', async (_what, statement) => {
  const own = await emptyAudit();
  await noteTwenty(own);
  await sealAudit(own.services);
  expect((await verifyAudit(own.services)).brokenAt).toBeUndefined();
  const [{ number } = {}] = await own.sql(`select number::integer from audit_seal where audit_id = ${middle}`);
  await tamper(own, statement);
  expect((await verifyAudit(own.services)).brokenAt).toBe(number);
});

describe('W13 the application as its database role', () => {
  const act = `insert into audit (actor, action, entity, entity_id, request_id`;
  const row = `'Test', 'test.done', 'test', 1, 'x'`;
  test.each([
    ['a chosen time', `${act}, at) values (${row}, now() - interval '3 hours')`],
    ['the present time', `${act}, at) values (${row}, now())`],
    ['a chosen number', `${act}, id) overriding system value values (${row}, 1000000000)`],
    ['a free number', `${act}, id) overriding system value values (${row}, 0)`],
    ['no named columns', 'insert into audit overriding system value select * from audit limit 1'],
    ['a file', 'copy audit from stdin'],
    ['another next number', `select setval('audit_id_seq', 1000000000)`],
    ['a skipped number', `select nextval('audit_id_seq')`],
    ['another first number', 'alter sequence audit_id_seq restart with 1'],
    ['another default time', `alter table audit alter at set default now() - interval '1 day'`],
    ['an edit', `update audit set actor = 'x'`],
    ['an edit on conflict', `${act}) values (${row}) on conflict (id) do update set actor = 'x'`],
    ['a cut', 'delete from audit'],
    ['a cut of everything', 'truncate audit cascade'],
    ['no triggers', 'alter table audit disable trigger all'],
    ['an edit of a seal', 'update audit_seal set number = number + 1'],
    ['a cut of seals', 'delete from audit_seal'],
    ['a cut of all seals', 'truncate audit_seal'],
  ])('is refused to write the audit with %s', async (_what, statement) => {
    await audit(school.context(), { actor: 'Test', action: 'test.done', entity: 'test', entityId: 1 });
    const before = await school.sql('select count(*) from audit');
    await expect(sql.raw(statement).execute(school.services.db)).rejects.toMatchObject({ code: '42501' });
    expect(await school.sql('select count(*) from audit')).toEqual(before);
  });

  test.each([
    ['a later row hides it', (id: string) => `select 1000000, ${id}, key_id, seal from audit_seal limit 1`],
    [
      'the next number hides it',
      (id: string) => `select max(number) + 1, ${id}, max(key_id), (array_agg(seal))[1] from audit_seal`,
    ],
  ])('cannot hide an unsealed row with a seal of its own: %s', async (_what, seal) => {
    const own = await emptyAudit();
    await noteTwenty(own);
    await sealAudit(own.services);
    await audit(own.context(), { actor: 'Test', action: 'test.late', entity: 'test', entityId: 1 });
    const late = `(select max(id) from audit)`;
    await sql.raw(`insert into audit_seal (number, audit_id, key_id, seal) ${seal(late)}`).execute(own.services.db);
    await sealAudit(own.services);
    expect((await verifyAudit(own.services)).brokenAt).toBeGreaterThan(20);
  });
});

const noteTwenty = async (own: School) => {
  for (let number = 1; number <= 20; number++)
    await audit(own.context(), { actor: 'Test', action: 'test.done', entity: 'test', entityId: number });
};

/** A school whose audit has twenty sealed rows. */
async function withSealed(act: (own: School) => Promise<void>) {
  const own = await emptyAudit();
  await noteTwenty(own);
  await sealAudit(own.services);
  expect(isIntact(await verifyAudit(own.services))).toBe(true);
  await act(own);
}

const faultsOf = async (own: School, head?: Head) => {
  const { brokenAt, unsealed, timeBackAt, isCut } = await verifyAudit(own.services, head);
  return [brokenAt, unsealed, timeBackAt, isCut];
};

const forged = (at: string) =>
  `insert into audit (actor, action, entity, entity_id, request_id, at) values ('Owner', 'test.done', 'test', 1, 'x', ${at})`;

describe('W13 the verifier', () => {
  test.each([
    ['three hours ago', `now() - interval '3 hours'`],
    ['ten minutes ago', `now() - interval '10 minutes'`],
    ['a year ago', `now() - interval '1 year'`],
  ])('counts a row for %s that nobody sealed', (_when, at) =>
    withSealed(async (own) => {
      await own.sql(forged(at));
      const [brokenAt, unsealed] = await faultsOf(own);
      expect([brokenAt, unsealed]).toEqual([undefined, 1]);
    }),
  );

  test('counts a row for a time to come that nobody sealed', () =>
    withSealed(async (own) => {
      await own.sql(forged(`now() + interval '1 day'`));
      expect((await verifyAudit(own.services)).unsealed).toBe(1);
    }));

  test('lets a row of this minute wait for its seal', () =>
    withSealed(async (own) => {
      await noteTwenty(own);
      expect(isIntact(await verifyAudit(own.services))).toBe(true);
    }));

  test('counts a row under a number of long ago, which the sealer leaves as it is', () =>
    withSealed(async (own) => {
      await own.sql(`select setval('audit_id_seq', 200000)`);
      await noteTwenty(own);
      await sealAudit(own.services);
      await own.sql(`insert into audit (id, actor, action, entity, entity_id, request_id, at) overriding system value
        select 100, actor, action, entity, entity_id, request_id, at - interval '2 minutes' from audit where id = 20`);
      expect(await sealAudit(own.services)).toBe(0);
      expect((await verifyAudit(own.services)).unsealed).toBe(1);
    }));

  test.each([
    ['past', `now() - interval '3 hours'`, 0],
    ['future', `now() + interval '3 hours'`, 1],
  ])('finds a sealed row for a %s time by the rows beside it', (_when, at, after) =>
    withSealed(async (own) => {
      await own.sql(forged(at));
      const [{ id } = {}] = await own.sql('select max(id) as id from audit');
      await noteTwenty(own);
      expect(await sealAudit(own.services)).toBe(21);
      expect(await faultsOf(own)).toEqual([undefined, 0, Number(id) + after, false]);
      expect(isIntact(await verifyAudit(own.services))).toBe(false);
    }),
  );

  test('finds a row that fits between two others and was sealed long after them', async () => {
    const own = await emptyAudit();
    const noteAt = (ids: string, hours: number) =>
      own.sql(`insert into audit (id, actor, action, entity, entity_id, request_id, at) overriding system value
        select id, 'Test', 'test.done', 'test', 1, 'x', now() - interval '${hours} hours' from generate_series(${ids}) id`);
    await noteAt('1001, 1010', 3);
    await noteAt('1012, 1020', 1);
    await sealAudit(own.services);
    expect(isIntact(await verifyAudit(own.services))).toBe(true);
    await noteAt('1011, 1011', 2);
    expect(await sealAudit(own.services)).toBe(1);
    expect(await faultsOf(own)).toEqual([undefined, 0, 1011, false]);
  });

  test('takes no fault from rows that a long transaction commits after later ones, nor from a clock off by seconds', () =>
    withSealed(async (own) => {
      await own.services.db.transaction().execute(async (db) => {
        await audit({ ...own.context(), db }, { actor: 'Test', action: 'test.done', entity: 'test', entityId: 1 });
        await noteTwenty(own);
        expect(await sealAudit(own.services)).toBe(20);
      });
      expect(await sealAudit(own.services)).toBe(1);
      await own.sql(forged(`now() - interval '50 seconds'`));
      await sealAudit(own.services);
      expect(isIntact(await verifyAudit(own.services))).toBe(true);
    }));

  test.each([
    ['the last row', 1],
    ['the last ten rows', 10],
    ['everything', 1000],
  ])('sees by an earlier head that %s with the seals was cut, made as superuser', (_what, count) =>
    withSealed(async (own) => {
      const head = await readHead(own.services.db);
      expect(head).toMatchObject({ number: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect(head.number).toBeGreaterThanOrEqual(20);
      expect(isIntact(await verifyAudit(own.services, head))).toBe(true);
      await own.sql(`create table cut as select audit_id from audit_seal order by number desc limit ${count}`);
      await own.sql(`delete from audit_seal where audit_id in (table cut); delete from audit where id in (table cut)`);
      expect(isIntact(await verifyAudit(own.services))).toBe(true);
      expect(await faultsOf(own, head)).toEqual([undefined, 0, undefined, true]);
      // Rows sealed after the cut do not fill the gap.
      for (let round = 0; round < 3; round++) await noteTwenty(own);
      await sealAudit(own.services);
      expect((await verifyAudit(own.services, head)).isCut).toBe(true);
    }),
  );

  test('takes a chain that has grown since an earlier head, and one that had none then', () =>
    withSealed(async (own) => {
      const head = await readHead(own.services.db);
      await noteTwenty(own);
      await sealAudit(own.services);
      expect((await verifyAudit(own.services, head)).isCut).toBe(false);
      expect((await verifyAudit(own.services, { number: 0, hash: '0'.repeat(64) })).isCut).toBe(false);
    }));
});
