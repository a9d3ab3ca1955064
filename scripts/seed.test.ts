import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openSchool, type School } from '#testing/school.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool({}, { url: inject('postgres').url, template: 'template1' });
});
afterAll(() => school.close());

function seed(environment: Record<string, string>, ...words: string[]) {
  const { databaseUrl, databaseOwnerUrl, folder } = school.config;
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    DATABASE_OWNER_URL: databaseOwnerUrl,
    SHALA_FOLDER: folder,
    ...environment,
  };
  return promisify(execFile)(process.execPath, [join(import.meta.dirname, 'seed.ts'), ...words], { env }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stdout }) => ({ code, said: stdout as string }),
  );
}
const students = async () => (await school.sql('select count(*)::integer as count from student'))[0]?.count;

test('npm run seed fills an empty database with a school of a size, and refuses one that has a school', {
  timeout: 120_000,
}, async () => {
  const refused = await seed({ NODE_ENV: 'production' }, '--students', '60');
  expect(refused).toEqual({ code: 1, said: expect.stringContaining('No school was made: ') });
  expect(await students()).toBe(0);

  const made = await seed({}, '--students', '60', '--years', '3', '--seed', '7');
  expect(made).toEqual({
    code: 0,
    said: expect.stringMatching(
      /Made in \d+ s: \d+ students, \d+ enrollments in 3 years,\n.*60 sections, 1[0-9] staff/,
    ),
  });
  const count = await students();
  expect(count).toBeGreaterThan(60);

  const again = await seed({}, '--students', '60');
  expect(again).toEqual({ code: 1, said: expect.stringContaining('The database has a school already.') });
  expect(await students()).toBe(count);
});
