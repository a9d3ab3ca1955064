import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#testing/school.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

test('the school’s clock is that of the machine, and ahead of it by what the setting says', async () => {
  const { db } = school.services;
  const ahead = await db.transaction().execute(async (transaction) => {
    const read = async () =>
      (await transaction.selectNoFrom(sql<string>`(school_now() - now())::text`.as('ahead')).executeTakeFirstOrThrow())
        .ahead;
    const unset = await read();
    await sql`select set_config('shala.ahead', '40 days', true)`.execute(transaction);
    return [unset, await read()];
  });
  expect(ahead).toEqual(['00:00:00', '40 days']);
  // A setting of one transaction is empty after it on the same connection.
  const { rows } = await sql<{ isNow: boolean }>`select school_now() = now() as "isNow"`.execute(db);
  expect(rows).toEqual([{ isNow: true }]);
});
