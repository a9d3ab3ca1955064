import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#testing/school.ts';
import { recordStatements } from '#testing/statements.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

test('W4 whether the server is ready is looked at once for all who ask at the same time', async () => {
  const ask = async () => (await school.send({ url: '/readyz' })).json;
  const alone = await recordStatements(school, ask);
  const together = await recordStatements(school, () => Promise.all(Array.from({ length: 100 }, ask)));
  expect(alone.texts.length).toBeGreaterThan(0);
  expect(together.texts).toHaveLength(alone.texts.length);
  expect(together.result).toEqual(Array.from({ length: 100 }, () => alone.result));
});
