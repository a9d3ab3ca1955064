import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#testing/school.ts';
import { doEveryMinute } from './every-minute.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

test('of two processes one does the work of a minute, and other work does not wait for it', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const first = doEveryMinute(school.services, {
    name: 'release',
    act: async () => {
      begin();
      await held;
    },
  });
  await begun;
  let done = 0;
  const act = async () => {
    done++;
  };
  expect(await doEveryMinute(school.services, { name: 'release', act })).toBe(false);
  expect(await doEveryMinute(school.services, { name: 'breach', act })).toBe(true);
  release();
  expect(await first).toBe(true);
  expect(await doEveryMinute(school.services, { name: 'release', act })).toBe(true);
  expect(done).toBe(2);
});

test('work that fails is undone, and is done at the next minute', async () => {
  const rename = (fails: boolean) =>
    doEveryMinute(school.services, {
      name: 'rename',
      act: async ({ db }) => {
        await db.updateTable('academic_school').set({ city: 'Rajkot' }).execute();
        if (fails) throw new Error('Stopped');
      },
    });
  await expect(rename(true)).rejects.toThrow('Stopped');
  expect(await school.sql(`select count(*)::int from academic_school where city = 'Rajkot'`)).toEqual([{ count: 0 }]);
  await rename(false);
  expect(await school.sql(`select count(*)::int from academic_school where city = 'Rajkot'`)).toEqual([{ count: 1 }]);
});
