import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#testing/school.ts';
import { audit } from './audit.ts';
import { sealAudit, verifyAudit } from './audit-seal.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

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
  expect(ids).toEqual([...ids].sort((one, other) => one - other));
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
      school.sql(
        `set session_replication_role = replica; update audit set ${name} = ${to} where id = (select max(audit_id) from audit_seal)`,
      );
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
  ['a cut', `alter table audit_seal drop constraint audit_seal_audit_id_fkey; delete from audit where id = ${middle}`],
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
  const own = await openSchool();
  try {
    for (let number = 1; number <= 20; number++)
      await audit(own.context(), { actor: 'Test', action: 'test.done', entity: 'test', entityId: number });
    await sealAudit(own.services);
    expect((await verifyAudit(own.services)).brokenAt).toBeUndefined();
    const [{ number } = {}] = await own.sql(`select number::integer from audit_seal where audit_id = ${middle}`);
    await own.sql(`set session_replication_role = replica; ${statement}`);
    expect((await verifyAudit(own.services)).brokenAt).toBe(number);
  } finally {
    await own.close();
  }
});
