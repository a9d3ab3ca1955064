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
  for (let number = 1; number <= 20; number++) await act(number);
  const counts = await Promise.all(Array.from({ length: 3 }, () => sealAudit(school.services)));
  expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(20);
  expect(await sealAudit(school.services)).toBe(0);
  const verdict = await verifyAudit(school.services);
  expect(verdict.brokenAt).toBeUndefined();
  expect(verdict.sealed).toBeGreaterThanOrEqual(20);
});

const middle = `(select id from audit where entity = 'test' and entity_id = 10)`;

test.each([
  ['an edit', `update audit set details = '{"number": 99}' where id = ${middle}`],
  ['another actor', `update audit set actor = 'Somebody else' where id = ${middle}`],
  ['another time', `update audit set at = at - interval '1 microsecond' where id = ${middle}`],
  ['a cut', `alter table audit_seal drop constraint audit_seal_audit_id_fkey; delete from audit where id = ${middle}`],
  ['a cut with its seal', `delete from audit_seal where audit_id = ${middle}`],
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
